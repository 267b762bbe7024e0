// What somebody does on a try page, for tests: chooses a start, says what to do, reads what is said.
// Nothing here knows how the page works inside; it presses buttons and chooses from lists.

let shown = null
document.addEventListener('shown', (event) => { shown = event.detail })
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const one = (selector, within = document) => {
  const found = within.querySelector(selector)
  if (found === null) throw new Error(`nothing is ${selector}`)
  return found
}

// Does something, and waits until the page is done with it.
async function after(act) {
  const before = document.body.dataset.done
  act()
  for (let turn = 0; turn < 180_000 && document.body.dataset.done === before; turn++) {
    await new Promise((go) => setTimeout(go, turn < 50 ? 0 : 5))
  }
  if (document.body.dataset.done === before) throw new Error('the page does nothing')
}

function choose(select, wanted) {
  const option = all('option', select).find((each) => wanted(each))
  if (option === undefined) throw new Error(`no such choice in ${select.name}: ${wanted}`)
  select.value = option.value
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

async function begin(name) {
  choose(one('select[name="from"]'), (each) => (each.dataset.name ?? '') === name)
  await after(() => one('.setup form button[type="submit"]').click())
}

let seats = []
const player = (number) => seats[number - 1]
  ? seats[number - 1].slice(0, 1).toUpperCase() + seats[number - 1].slice(1) : `Player ${number}`

// How a value stands in a list.
function said(value) {
  if (value === null) return 'none'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value).replaceAll('_', ' ')
}

const fits = (value) => (option) => option.textContent === said(value)
  || (typeof value === 'number' && option.textContent === player(value))

function fill(element, value, now) {
  const list = element.matches('label') ? element.querySelector('select') : null
  if (list !== null) return choose(list, fits(value))
  if (element.matches('label')) { one('input', element).value = value; return }
  const boxes = all(':scope > label > input[type="checkbox"]', element)
  if (boxes.length > 0) {
    for (const box of boxes) {
      const wanted = value.some((each) => box.parentElement.textContent.trim() === said(each))
      if (box.checked !== wanted) box.click()
    }
    return
  }
  if (element.querySelector(':scope > .chosen')) {
    for (const each of value) {
      choose(one('select', element), fits(each))
      one(':scope > button', element).click()
    }
    return
  }
  if (element.querySelector(':scope > .hint')) return lay(element, value, now)
  const entries = Array.isArray(value) ? value : Object.entries(value)
  const parts = all(':scope > label, :scope > fieldset', element)
  entries.forEach(([, each], place) => fill(parts[place], each))
}

// Puts down and takes up tiles until a board is another one.
function lay(element, value, now) {
  const [before, wanted] = [new Map(now), new Map(value)]
  for (const square of new Set([...before.keys(), ...wanted.keys()])) {
    const tile = wanted.get(square) ?? null
    if ((before.get(square) ?? null) === tile) continue
    choose(one('select', element), fits(tile))
    one('input', element).value = square
    one(':scope > button', element).click()
  }
}

async function attempt(event, boards) {
  const form = one('.any form')
  const name = event.move ?? event.chance
  choose(one('select[name="what"]', form), (each) => each.value === name)
  if (event.by) choose(one('select[name="who"]', form), (each) => each.value === String(event.by))
  const elements = [...form.querySelector(':scope > div').children]
  Object.values(event.args).forEach((value, place) => fill(elements[place], value, boards))
  await after(() => one('button[type="submit"]', form).click())
}

// What the page says after an event: which requirements refuse it, with their clauses; the position.
function told() {
  return {
    refused: all('.alert [data-label]').map((each) => each.dataset.label),
    clauses: all('.alert [data-clause]').map((each) => [each.dataset.clause, each.firstChild.textContent]),
    said: one('.alert').textContent,
    position: shown,
  }
}

const place = (id) => one(`[data-place="${CSS.escape(id)}"]`)
const press = (element) => after(() => element.dispatchEvent(new MouseEvent('click', { bubbles: true })))

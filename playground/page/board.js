/** The game that is played on the page. The position is drawn in a frame in which nothing runs;
 * everything else is put into the page as plain text. */

const find = (id) => document.getElementById(id)
const STYLE = '../assets/rulewright.css'
const ALL = 100_000
let program
let rules = ''
let playing = false

/** @param {import('./program.js').Program} asked  @param {() => string} content */
export function begin(asked, content) {
  program = asked
  find('begin').onclick = async () => {
    rules = content()
    const players = Number(find('players').value) || null
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]
    show(await program.ask('begin', { text: rules, players, seed }))
    changed(content())
  }
  find('chance').onclick = async () => show(await program.ask('chance'))
  find('step').onclick = async () => show(await program.ask('random', { events: 1 }))
  find('finish').onclick = async () => show(await program.ask('random', { events: ALL }))
  find('undo').onclick = async () => show(await program.ask('undo'))
  find('why').onclick = async () => {
    const found = await program.ask('why', asks())
    say(found.lines?.join('\n') ?? refusal(found))
  }
  find('ask').onsubmit = async (event) => {
    event.preventDefault()
    show(await program.ask('play', asks()))
  }
}

/** The rules can be played, by so many players; null if they cannot. */
export function playable(range) {
  find('begin').disabled = range === null
  if (range === null) return
  for (const id of ['players', 'proof-players']) {
    const chosen = find(id)
    const wanted = []
    for (let number = range[0]; number <= range[1]; number++) wanted.push(String(number))
    if (wanted.join() === [...chosen.options].map((each) => each.value).join()) continue
    chosen.replaceChildren(...wanted.map((each) => new Option(each, each)))
  }
}

/** The text is another now. */
export function changed(content) {
  find('stale').hidden = !playing || content === rules
}

/** What a refusal says. */
export function refusal({ refused, help }) {
  return help ? `${refused}\nhelp: ${help}` : refused
}

const asks = () => ({ move: find('move').value, by: Number(find('by').value) || null })

function say(words) {
  find('answer').textContent = words ?? ''
}

function show(view) {
  if (view.refused) return say(refusal(view))
  playing = true
  say(view.note)
  const over = view.finished ? ' The game is over.' : ''
  const won = view.winners ? ` Won by ${view.winners.join(' and ') || 'nobody'}.` : ''
  const scores = Object.entries(view.scores ?? {}).map(([player, score]) => `player ${player}: ${score}`)
  find('standing').textContent = `Phase ${view.phase}.${over}${won} ${scores.join(', ')}`
  draw(find('board'), view.picture)
  find('moves').replaceChildren(...view.moves.map(button))
  if (view.more) find('moves').append(`and ${view.more} more`)
  find('history').replaceChildren(...view.history.map((each) => item(each)))
  find('chance').disabled = !view.chance
  find('step').disabled = find('finish').disabled = view.finished
  find('undo').disabled = view.history.length === 0
  find('make').disabled = find('why').disabled = false
  const seats = ['', ...Array.from({ length: view.players }, (_, place) => String(place + 1))]
  if (find('by').options.length !== seats.length) {
    find('by').replaceChildren(...seats.map((each) => new Option(each || 'chance', each)))
    find('by').value = '1'
  }
}

function button({ by, text }) {
  const made = document.createElement('button')
  made.textContent = `${by}: ${text}`
  made.onclick = async () => show(await program.ask('play', { move: text, by }))
  return made
}

function item(words) {
  const made = document.createElement('li')
  made.textContent = words
  return made
}

/** Draws HTML of the program in a frame. The frame is sandboxed: no script runs in it. */
export function draw(frame, html) {
  const head = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${STYLE}"><body>`
  frame.onload = () => {
    frame.style.height = `${frame.contentDocument.body.scrollHeight + 40}px`
  }
  frame.srcdoc = html.startsWith('<!doctype') ? html : head + html
}

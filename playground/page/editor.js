/** The text on the left: what is wrong is marked in it, and a fix is made where it belongs. Lines and
 * columns of findings count from 1, columns in characters and not in the units of JavaScript. */

const text = document.querySelector('#text')
const marks = document.querySelector('#marks')
let starts = [0]

/** @param {() => void} changed is told of every change */
export function begin(changed) {
  text.addEventListener('input', () => {
    marks.replaceChildren()
    changed()
  })
  text.addEventListener('scroll', () => {
    marks.scrollTop = text.scrollTop
    marks.scrollLeft = text.scrollLeft
  })
}

export const content = () => text.value

/** Another text, as if it had been typed: it can be undone. */
export function replace(content) {
  write(0, text.value.length, content)
  text.setSelectionRange(0, 0)
  text.scrollTop = 0
}

/** Makes the fix of a finding. */
export function fix({ line, column, end_line, end_column, text: written }) {
  lines()
  write(offset(line, column), offset(end_line, end_column), written)
}

/** Shows the place of a finding. */
export function show(found) {
  lines()
  const at = offset(found.line, found.column)
  text.focus()
  text.setSelectionRange(at, Math.max(at, offset(found.end_line, found.end_column)))
  text.scrollTop = (found.line - 4) * parseFloat(getComputedStyle(text).lineHeight)
}

/** Marks the findings. */
export function mark(findings) {
  lines()
  const parts = []
  let reached = 0
  for (const found of findings) {
    const from = Math.max(reached, offset(found.line, found.column))
    const to = Math.max(from, offset(found.end_line, found.end_column))
    if (to === from) continue
    const shown = document.createElement('mark')
    shown.className = found.severity
    shown.textContent = text.value.slice(from, to)
    parts.push(text.value.slice(reached, from), shown)
    reached = to
  }
  marks.replaceChildren(...parts, `${text.value.slice(reached)}\n`)
  marks.scrollTop = text.scrollTop
  marks.scrollLeft = text.scrollLeft
}

function write(from, to, written) {
  text.focus()
  text.setSelectionRange(from, to)
  const known = written === '' ? ['delete'] : ['insertText', false, written]
  if (from === to && written === '') return
  if (document.execCommand(...known)) return // the only way that can be undone
  text.setRangeText(written, from, to, 'end')
  text.dispatchEvent(new Event('input'))
}

function lines() {
  starts = [0]
  for (let at = text.value.indexOf('\n'); at >= 0; at = text.value.indexOf('\n', at + 1)) starts.push(at + 1)
}

function offset(line, column) {
  const start = starts[Math.min(line, starts.length) - 1]
  let at = start
  for (let seen = 1; seen < column && at < text.value.length; seen++) {
    at += text.value.codePointAt(at) > 0xffff ? 2 : 1
  }
  return at
}

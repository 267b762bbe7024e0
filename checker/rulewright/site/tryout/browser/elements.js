/** Elements of the page. Words reach them as text; nothing is ever read as markup. */

const SVG = 'http://www.w3.org/2000/svg'
/** What a drawing consists of; nothing else becomes an element of a picture. */
const DRAWN = new Set(['g', 'path', 'text', 'circle', 'rect'])
const LOOKS = new Set([
  'd', 'x', 'y', 'cx', 'cy', 'r', 'width', 'height', 'fill', 'fill-opacity', 'stroke',
  'stroke-opacity', 'stroke-width', 'stroke-linecap', 'stroke-dasharray', 'opacity', 'font-size',
  'font-weight', 'font-family', 'text-anchor', 'transform',
])

/**
 * An element with attributes and children; children that are text stay text.
 * @param {string} tag
 * @param {{[name: string]: any}} [given] attributes; `onclick` and the like are functions
 * @param {(Node | string | null)[]} children
 */
export function make(tag, given = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === false) continue
    if (typeof value === 'function') made.addEventListener(name.slice(2), value)
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children.filter((each) => each !== null))
  return made
}

/** What is too wide shrinks to so much of its size; the rest is for scrolling. */
const LEAST = 0.8

/**
 * A picture of so many pixels.
 * @param {number} width
 * @param {number} height
 * @param {string} label
 */
export function picture(width, height, label) {
  const made = document.createElementNS(SVG, 'svg')
  made.setAttribute('viewBox', `0 0 ${width} ${height}`)
  made.setAttribute('width', String(width))
  made.style.minWidth = `${Math.round(LEAST * width)}px`
  made.setAttribute('font-size', '14')
  made.setAttribute('text-anchor', 'middle')
  made.setAttribute('fill', 'currentColor')
  made.setAttribute('role', 'group')
  made.setAttribute('aria-label', label)
  return made
}

/**
 * A place in a picture.
 * @param {number} x
 * @param {number} y
 */
export function group(x, y) {
  const made = document.createElementNS(SVG, 'g')
  if (x || y) made.setAttribute('transform', `translate(${x} ${y})`)
  return made
}

/**
 * Puts drawn nodes into a picture.
 * @param {Element} into
 * @param {any[]} nodes `[tag, attributes, children]`, or words
 */
export function draw(into, nodes) {
  for (const node of nodes) {
    if (typeof node === 'string') {
      into.append(node)
      continue
    }
    const [tag, given, inside] = node
    if (!DRAWN.has(tag)) continue
    const made = document.createElementNS(SVG, tag)
    for (const name of Object.keys(given)) if (LOOKS.has(name)) made.setAttribute(name, given[name])
    draw(made, inside)
    into.append(made)
  }
}

/**
 * What can be pressed in a picture, as large as its place.
 * @param {Element} into
 * @param {number} width
 * @param {number} height
 */
export function area(into, width, height) {
  const made = document.createElementNS(SVG, 'rect')
  made.setAttribute('class', 'area')
  made.setAttribute('x', '1')
  made.setAttribute('y', '1')
  made.setAttribute('width', String(width))
  made.setAttribute('height', String(height))
  made.setAttribute('fill', 'none')
  into.append(made)
}

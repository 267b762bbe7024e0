/**
 * JSON text as traces have it: no spaces, and whole numbers of any size kept exactly.
 *
 * @typedef {import('./manifest.js').Json} Json
 */

import { UsageError } from './errors.js'

const TOKEN = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const LONG = /^-?\d{16,}$/
const [WHOLE, TEXT] = ['\0whole ', '\0text ']
const [AS_WHOLE, AS_TEXT] = ['\\u0000whole ', '\\u0000text ']

/** Under this an object has its names in order, which JavaScript does not keep if they are numbers. */
const ORDER = Symbol('order')

/**
 * Reads JSON; whole numbers too large for a `number` become a `bigint`.
 * @param {string} text
 * @returns {Json}
 */
export function parse(text) {
  try {
    return parsed(text)
  } catch {
    throw new UsageError('this is not JSON')
  }
}

/**
 * @param {string} text
 * @returns {Json}
 */
function parsed(text) {
  const marked = text.replace(TOKEN, (token) => {
    if (LONG.test(token)) return `"${AS_WHOLE}${token}"`
    return token.startsWith('"\\u0000') && !token.endsWith(':') ? `"${AS_TEXT}${token.slice(1)}` : token
  })
  if (marked === text) return JSON.parse(text)
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string') return value
    if (value.startsWith(WHOLE)) return whole(BigInt(value.slice(WHOLE.length)))
    return value.startsWith(TEXT) ? value.slice(TEXT.length) : value
  })
}

/**
 * Writes JSON as traces have it.
 * @param {Json} value
 * @returns {string}
 */
export function stringify(value) {
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (value !== null && typeof value === 'object') {
    /** @type {string[]} */
    const names = Reflect.get(value, ORDER) ?? Object.keys(value)
    const members = names.map(
      (name) => `${JSON.stringify(name)}:${stringify(value[name])}`
    )
    return `{${members.join(',')}}`
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/**
 * A whole number as a `number` where that is exact.
 * @param {bigint} value
 * @returns {number | bigint}
 */
export function whole(value) {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * Whether JSON is an object.
 * @param {unknown} value
 * @returns {value is import('./manifest.js').JsonObject}
 */
export function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/**
 * An object with these members in this order and nothing else, whatever their names are.
 * @param {[string, Json][]} members
 * @returns {import('./manifest.js').JsonObject}
 */
export function object(members) {
  const made = Object.create(null)
  for (const [name, value] of members) made[name] = value
  Object.defineProperty(made, ORDER, { value: members.map(([name]) => name) })
  return made
}

/**
 * The keys and values of a map, which is an object or a list of pairs.
 * @param {Json} json
 * @returns {[Json, Json][]}
 */
export function pairsOf(json) {
  if (Array.isArray(json)) return /** @type {[Json, Json][]} */ (json)
  return isObject(json) ? Object.keys(json).map((name) => [name, json[name]]) : []
}

/**
 * Whether JSON is of a type. Nothing is trusted: what does not fit is said with where it stands.
 *
 * @typedef {import('./manifest.js').Json} Json
 * @typedef {import('./manifest.js').Type} Type
 */

import { UsageError } from './errors.js'
import { isObject, pairsOf, stringify } from './json.js'
import { said } from './types.js'

const LONGEST_EXCERPT = 60

/** Checks JSON from outside. */
export class Checks {
  /** @param {import('./types.js').Types} types */
  constructor(types) {
    this.types = types
  }

  /**
   * Refuses JSON that is not of a type, saying where it stands.
   * @param {Json} json
   * @param {Type} type
   * @param {string} path
   */
  check(json, type, path) {
    switch (type.kind) {
      case 'option':
        if (json !== null) this.check(json, this.types.inside(type), path)
        break
      case 'set':
      case 'bag':
        if (!Array.isArray(json)) throw this.unfit('a list', json, path)
        json.forEach((each, place) => this.check(each, this.types.inside(type), `${path}[${place}]`))
        if (type.kind === 'set' && new Set(json.map(stringify)).size < json.length) {
          throw this.unfit('a set, each element once', json, path)
        }
        break
      case 'map':
        this.checkMap(json, type, path)
        break
      default:
        if (this.types.strays(json, type)) throw this.unfit(this.types.expected(type), json, path)
    }
  }

  /**
   * @param {Json} json
   * @param {Type} type
   * @param {string} path
   */
  checkMap(json, type, path) {
    const [key, inside] = [this.types.key(type), this.types.inside(type)]
    if (key.kind === 'enum') {
      if (!isObject(json)) throw this.unfit('an object with a member for each key', json, path)
    } else if (!Array.isArray(json) || !json.every((each) => Array.isArray(each) && each.length === 2)) {
      throw this.unfit('a list of pairs [key, value]', json, path)
    }
    const seen = new Set()
    for (const [name, value] of pairsOf(json)) {
      if (this.types.strays(name, key)) throw this.unfit(`a key of ${this.types.expected(key)}`, name, path)
      if (seen.has(String(name))) {
        throw new UsageError(`\`${path}\` has the key \`${said(name)}\` twice`, 'give each key once')
      }
      seen.add(String(name))
      this.check(value, inside, `${path}[${said(name)}]`)
    }
    if (typeof type.board === 'number') return
    for (let place = 0; place < (type.count ?? 0); place++) {
      const name = this.types.plain((type.first ?? 0) + place, key)
      if (!seen.has(String(name))) {
        throw new UsageError(
          `\`${path}\` has no value for \`${said(name)}\``, 'give one for each key'
        )
      }
    }
  }

  /**
   * @param {string} expected
   * @param {Json} json
   * @param {string} path
   */
  unfit(expected, json, path) {
    return new UsageError(`\`${path}\` should be ${expected}, but is ${excerpt(json)}`)
  }
}

/** @param {Json} json */
function excerpt(json) {
  if (Array.isArray(json)) return `a list of ${json.length}`
  if (isObject(json)) return 'an object'
  const written = [...(json === undefined ? 'nothing' : stringify(json))]
  if (written.length <= LONGEST_EXCERPT) return written.join('')
  return `${written.slice(0, LONGEST_EXCERPT - 1).join('')}…`
}

/**
 * The types of a game and their plain values: truths, numbers, players, names, squares and `none`, as
 * JSON and as the numbers that a module works with.
 *
 * @typedef {import('./manifest.js').Json} Json
 * @typedef {import('./manifest.js').Type} Type
 */

import { UnsupportedError } from './errors.js'
import { pairsOf, whole } from './json.js'

const TOO_WIDE = 'a number that 64 bits do not hold'

export class Types {
  /**
   * @param {Type[]} all
   * @param {number} players
   */
  constructor(all, players) {
    this.all = all
    this.players = players
    /** @type {Map<Type, Map<string, number>>} */
    this.numbers = new Map()
  }

  /**
   * The plain value that a number stands for.
   * @param {number | bigint} number
   * @param {Type} type
   * @returns {Json}
   */
  plain(number, type) {
    switch (type.kind) {
      case 'option':
        return String(number) === String(type.none) ? null : this.plain(number, this.inside(type))
      case 'bool':
        return number !== 0
      case 'enum':
        return (type.members ?? [])[Number(number)]
      case 'grid': {
        const [place, width] = [Number(number), type.width ?? 1]
        return squareName((place % width) + 1, Math.floor(place / width) + 1)
      }
      default:
        return number
    }
  }

  /**
   * A plain value as a number.
   * @param {Json} json
   * @param {Type} type
   * @returns {number | bigint}
   */
  number(json, type) {
    if (type.kind === 'option') {
      const none = whole(BigInt(type.none ?? 0))
      if (json === null) return none
      const number = this.number(json, this.inside(type))
      if (number === none) throw new UnsupportedError(TOO_WIDE)
      return number
    }
    if (type.kind === 'enum' || type.kind === 'grid') {
      const place = this.place(json, type)
      if (place !== undefined) return place
    }
    if (typeof json === 'bigint' && BigInt.asIntN(64, json) !== json) {
      throw new UnsupportedError(TOO_WIDE)
    }
    return typeof json === 'bigint' ? json : Number(json)
  }

  /**
   * The place of a name in its type.
   * @param {Json} json
   * @param {Type} type
   * @returns {number | undefined}
   */
  place(json, type) {
    if (typeof json !== 'string') return undefined
    if (type.kind === 'grid') return squarePlace(json, type.width ?? 0, type.height ?? 0)
    let known = this.numbers.get(type)
    if (known === undefined) {
      known = new Map((type.members ?? []).map((name, place) => [name, place]))
      this.numbers.set(type, known)
    }
    return known.get(json)
  }

  /**
   * Whether JSON is not a plain value of a type.
   * @param {Json} json
   * @param {Type} type
   * @returns {boolean}
   */
  strays(json, type) {
    switch (type.kind) {
      case 'bool':
        return typeof json !== 'boolean'
      case 'number':
        if (!isWhole(json)) return true
        return (
          (type.low != null && json < BigInt(type.low)) ||
          (type.high != null && json > BigInt(type.high))
        )
      case 'player':
        return !isWhole(json) || json < 1 || json > this.players
      case 'enum':
      case 'grid':
        return this.place(json, type) === undefined
      default:
        return true
    }
  }

  /**
   * The first part of a value that is not of a type, with the type it should be of.
   * @param {Json} json
   * @param {Type} type
   * @returns {[Json, Type] | null}
   */
  stray(json, type) {
    switch (type.kind) {
      case 'option':
        return json === null ? null : this.stray(json, this.inside(type))
      case 'set':
      case 'bag':
        return this.firstStray(/** @type {Json[]} */ (json), this.inside(type))
      case 'map':
        return this.firstStray(pairsOf(json).map(([, value]) => value), this.inside(type))
      default:
        return this.strays(json, type) ? [json, type] : null
    }
  }

  /**
   * @param {Json[]} parts
   * @param {Type} type
   * @returns {[Json, Type] | null}
   */
  firstStray(parts, type) {
    for (const part of parts) {
      const found = this.stray(part, type)
      if (found !== null) return found
    }
    return null
  }

  /**
   * What is expected of a plain type, in words.
   * @param {Type} type
   */
  expected(type) {
    switch (type.kind) {
      case 'bool':
        return 'true or false'
      case 'player':
        return `a player from 1 to ${this.players}`
      case 'enum': {
        const members = type.members ?? []
        return `a ${type.name} (${members.slice(0, 8).join(', ')}${members.length > 8 ? ', …' : ''})`
      }
      case 'grid':
        return `a ${type.name} from A1 to ${squareName(type.width ?? 0, type.height ?? 0)}`
      default:
        return `a number ${type.shown}`
    }
  }

  /** @param {Type} type */
  inside(type) {
    return this.all[type.of ?? 0]
  }

  /** @param {Type} type */
  key(type) {
    return this.all[type.key ?? 0]
  }
}

/**
 * A plain value as a message has it.
 * @param {Json} json
 */
export function said(json) {
  return json === null ? 'none' : String(json)
}

/**
 * @param {Json} json
 * @returns {json is number | bigint}
 */
function isWhole(json) {
  return typeof json === 'bigint' || (typeof json === 'number' && Number.isInteger(json))
}

/**
 * `A1` for the top left; after `Z` comes `AA`.
 * @param {number} column
 * @param {number} row
 */
export function squareName(column, row) {
  let letters = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  }
  return `${letters}${row}`
}

/**
 * The place of a square on a board, row by row; undefined if it is not on it.
 * @param {string} name
 * @param {number} width
 * @param {number} height
 */
function squarePlace(name, width, height) {
  const found = /^([A-Z]{1,6})([1-9][0-9]{0,8})$/.exec(name)
  if (found === null) return undefined
  let column = 0
  for (const letter of found[1]) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(found[2])
  return column <= width && row <= height ? (row - 1) * width + column - 1 : undefined
}

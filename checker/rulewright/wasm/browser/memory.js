/**
 * Values between the memory of a module and JSON, directed by types. What is written is trusted: it
 * was checked before.
 *
 * @typedef {import('./manifest.js').Json} Json
 * @typedef {import('./manifest.js').Type} Type
 */

import { UnsupportedError } from './errors.js'
import { object, pairsOf, whole } from './json.js'

const MOST_COUNT = 65535

export class Memory {
  /** @param {import('./types.js').Types} types */
  constructor(types) {
    this.types = types
  }

  // ---- out of memory

  /**
   * The value of a type at an address.
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @returns {Json}
   */
  read(view, at, type) {
    switch (type.kind) {
      case 'set':
        return this.bits(view, at, type.size ?? 0).map((bit) =>
          this.types.plain(bit + (type.base ?? 0), this.types.inside(type))
        )
      case 'bag':
        return this.elements(view, at, type)
      case 'map':
        return this.readMap(view, at, type)
      default:
        return this.types.plain(readNumber(view, at, type), type)
    }
  }

  /**
   * A value that a module hands over in eight bytes: itself, or its address.
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @returns {Json}
   */
  carried(view, at, type) {
    if (type.in_memory) return this.read(view, view.getUint32(at, true), type)
    if (type.kind === 'set') return this.read(view, at, type)
    return this.types.plain(whole(view.getBigInt64(at, true)), type)
  }

  /**
   * @param {DataView} view
   * @param {number} at
   * @param {number} size in bytes
   */
  bits(view, at, size) {
    const found = []
    for (let byte = 0; byte < size; byte++) {
      const held = view.getUint8(at + byte)
      for (let bit = 0; held >> bit; bit++) if ((held >> bit) & 1) found.push(8 * byte + bit)
    }
    return found
  }

  /**
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   */
  elements(view, at, type) {
    const found = []
    for (let place = 0; 2 * place < (type.size ?? 0); place++) {
      const count = view.getUint16(at + 2 * place, true)
      if (!count) continue
      const element = this.types.plain(place + (type.base ?? 0), this.types.inside(type))
      for (let each = 0; each < count; each++) found.push(element)
    }
    return found
  }

  /**
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @returns {Json}
   */
  readMap(view, at, type) {
    const { first = 0, count = 0, stride = 0, board = null } = type
    const [key, inside] = [this.types.key(type), this.types.inside(type)]
    const places = board === null ? range(count) : this.bits(view, at, board)
    /** @type {[Json, Json][]} */
    const pairs = places.map((place) => [
      this.types.plain(first + place, key),
      this.read(view, at + (board ?? 0) + stride * place, inside),
    ])
    if (key.kind !== 'enum') return pairs
    const held = new Map(pairs)
    return object((key.members ?? []).map((name) => [name, held.get(name) ?? null]))
  }

  // ---- into memory

  /**
   * Writes a value that was checked.
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @param {Json} json
   */
  write(view, at, type, json) {
    if (type.kind === 'set' || type.kind === 'bag' || type.kind === 'map') {
      new Uint8Array(view.buffer, at, type.size).fill(0)
    }
    switch (type.kind) {
      case 'set':
        for (const each of list(json)) {
          setBit(view, at, Number(this.types.number(each, this.types.inside(type))) - (type.base ?? 0))
        }
        break
      case 'bag':
        for (const each of list(json)) {
          const place = Number(this.types.number(each, this.types.inside(type))) - (type.base ?? 0)
          const count = view.getUint16(at + 2 * place, true)
          if (count === MOST_COUNT) {
            throw new UnsupportedError('a bag with too many of one element')
          }
          view.setUint16(at + 2 * place, count + 1, true)
        }
        break
      case 'map':
        this.writeMap(view, at, type, json)
        break
      default:
        writeNumber(view, at, type, this.types.number(json, type))
    }
  }

  /**
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @param {Json} json
   */
  writeMap(view, at, type, json) {
    const { first = 0, stride = 0, board = null } = type
    const [key, inside] = [this.types.key(type), this.types.inside(type)]
    for (const [name, value] of pairsOf(json)) {
      if (board !== null && value === null) continue
      const place = Number(this.types.number(name, key)) - first
      if (board !== null) setBit(view, at, place)
      this.write(view, at + (board ?? 0) + stride * place, inside, value)
    }
  }

  /**
   * Hands a value over in eight bytes; what is handed over by its address is put `aside`.
   * @param {DataView} view
   * @param {number} at
   * @param {Type} type
   * @param {Json} json
   * @param {number} aside
   */
  put(view, at, type, json, aside) {
    view.setBigInt64(at, 0n, true)
    if (type.in_memory) {
      this.write(view, aside, type, json)
      view.setUint32(at, aside, true)
    } else if (type.kind === 'set') {
      this.write(view, at, type, json)
    } else {
      view.setBigInt64(at, BigInt(this.types.number(json, type)), true)
    }
  }
}

/**
 * @param {Json} json
 * @returns {Json[]}
 */
function list(json) {
  return Array.isArray(json) ? json : []
}

/** @param {number} count */
function range(count) {
  return Array.from({ length: count }, (_, number) => number)
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {Type} type
 */
function readNumber(view, at, { size, signed }) {
  switch (size) {
    case 1:
      return signed ? view.getInt8(at) : view.getUint8(at)
    case 2:
      return signed ? view.getInt16(at, true) : view.getUint16(at, true)
    case 4:
      return view.getInt32(at, true)
    default:
      return whole(view.getBigInt64(at, true))
  }
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {Type} type
 * @param {number | bigint} number
 */
function writeNumber(view, at, { size }, number) {
  if (size === 8) view.setBigInt64(at, BigInt(number), true)
  else if (size === 4) view.setInt32(at, Number(number), true)
  else if (size === 2) view.setInt16(at, Number(number), true)
  else view.setInt8(at, Number(number))
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {number} bit
 */
function setBit(view, at, bit) {
  const place = at + (bit >> 3)
  view.setUint8(place, view.getUint8(place) | (1 << (bit & 7)))
}

/**
 * What lies on the table, place by place: what the position says of each, and which stamp shows it.
 * A place has an `id`, words for what it is and what stands there, and what it means as an argument
 * of a move (`target`). Equal tiles of a rack have one `key`: it does not matter which is meant.
 *
 * @typedef {{
 *   id: string, key: string, owner: number, x: number, y: number, width: number, height: number, stamp: number,
 *   label: string, content: string, said: string, target: [string, any][], kind: string
 * }} Place
 */

import { at, pairs } from './words.js'

/** Squares; of a larger board only what is near to tiles is shown. */
const LARGEST = 400
const MARGIN = 2

/**
 * What stands in each place of a sheet.
 * @param {any} sheet
 * @param {number} number of the sheet
 * @param {any} position
 * @param {number} player 0 for a sheet that all share
 * @returns {{drawn: any, places: Place[]}}
 */
export function sheetPlaces(sheet, number, position, player) {
  const of = (/** @type {string} */ name) => sheet.owned ? at(position[name], player) : position[name]
  const drawn = sheet.drawn[sheet.kind === null ? '' : String(of(sheet.kind))]
  const places = drawn.slots.map((/** @type {any} */ slot, /** @type {number} */ place) => {
    const content = slot.reads.map((/** @type {any} */ read) => contentOf(read, of(read.variable))).join(',')
    const [stamp, said] = slot.stamps[content] ?? [-1, content]
    const id = `s${number}/${player}/${place}`
    return { ...slot, id, key: id, owner: player, stamp, content, said, kind: 'field' }
  })
  return { drawn, places }
}

/**
 * @param {any} read
 * @param {any} value
 */
function contentOf(read, value) {
  const inside = read.keys.reduce(at, value)
  if (Object.hasOwn(read, 'has')) return inside.includes(read.has) ? '1' : '0'
  return String(inside)
}

/**
 * The squares of a board that are shown, with what lies on them.
 * @param {any} board
 * @param {number} number
 * @param {any} value
 * @returns {{columns: number, rows: number, places: Place[]}}
 */
export function boardPlaces(board, number, value) {
  const lying = new Map(pairs(value).filter(([, each]) => each !== null && each !== false))
  const [left, right, top, bottom] = shownOf(board, [...lying.keys()])
  const places = []
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const square = `${letters(column)}${row}`
      const tile = lying.has(square) ? String(lying.get(square)) : ''
      const kind = board.kinds[square] ?? 0
      const printed = board.printed[square]
      const isPrinted = printed !== undefined && printed[0] === tile
      const [stamp, said] = tile === ''
        ? [board.squares[kind], board.said[kind] ?? '']
        : isPrinted ? [printed[1], tile] : board.tiles[tile] ?? [-1, tile]
      places.push({
        id: `b${number}/${square}`, key: `b${number}/${square}`, owner: 0, x: 23 + (column - left) * board.size,
        y: 19 + (row - top) * board.size, width: board.size, height: board.size, stamp,
        label: square, content: tile, said, kind: 'square',
        target: /** @type {[string, any][]} */ ([[board.grid, square]]),
      })
    }
  }
  return { columns: right - left + 1, rows: bottom - top + 1, places }
}

/**
 * The part of a board that is shown: first and last column, first and last row.
 * @param {any} board
 * @param {string[]} squares
 */
function shownOf(board, squares) {
  if (board.columns * board.rows <= LARGEST) return [1, board.columns, 1, board.rows]
  const places = squares.map(placeOf)
  if (places.length === 0) places.push([Math.ceil(board.columns / 2), Math.ceil(board.rows / 2)])
  const [across, down] = [places.map(([column]) => column), places.map(([, row]) => row)]
  const margin = squares.length === 0 ? 5 : MARGIN
  return [
    Math.max(1, Math.min(...across) - margin), Math.min(board.columns, Math.max(...across) + margin),
    Math.max(1, Math.min(...down) - margin), Math.min(board.rows, Math.max(...down) + margin),
  ]
}

/**
 * The tiles of a rack, each where it lies; null if they are too many or nobody sees them.
 * @param {any} rack
 * @param {number} number
 * @param {any} position
 * @param {number} player
 * @returns {{count: number, places: Place[] | null}}
 */
export function rackPlaces(rack, number, position, player) {
  const tiles = rack.owned ? at(position[rack.variable], player) : position[rack.variable]
  if (rack.hidden || tiles.length > rack.most) return { count: tiles.length, places: null }
  /** @type {Map<string, number>} */
  const copies = new Map()
  const places = tiles.map((/** @type {any} */ tile, /** @type {number} */ place) => {
    const [stamp, said] = rack.tiles[String(tile)] ?? [-1, String(tile)]
    const copy = (copies.get(tile) ?? 0) + 1
    copies.set(tile, copy)
    const key = `r${number}/${player}/${tile}`
    return {
      id: `${key}/${copy}`, key, owner: player, kind: 'tile',
      x: rack.room * (place % rack.widest), y: rack.room * Math.floor(place / rack.widest),
      width: rack.size, height: rack.size, stamp, label: said, content: '1', said: '',
      target: [[rack.type, tile]],
    }
  })
  return { count: tiles.length, places }
}

/**
 * What stands in every place of a position, by the place; what is empty on boards is left out.
 * @param {any} layout
 * @param {any} position
 * @param {number} players
 */
export function contents(layout, position, players) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const owners = (/** @type {boolean} */ owned) => owned ? Array.from({ length: players }, (_, place) => place + 1) : [0]
  layout.sheets.forEach((/** @type {any} */ sheet, /** @type {number} */ number) => {
    for (const player of owners(sheet.owned)) {
      for (const each of sheetPlaces(sheet, number, position, player).places) found.set(each.id, each.content)
    }
  })
  layout.boards.forEach((/** @type {any} */ board, /** @type {number} */ number) => {
    for (const [square, tile] of pairs(position[board.variable])) {
      if (tile !== null && tile !== false) found.set(`b${number}/${square}`, String(tile))
    }
  })
  layout.racks.forEach((/** @type {any} */ rack, /** @type {number} */ number) => {
    for (const player of owners(rack.owned)) {
      for (const { key } of rackPlaces(rack, number, position, player).places ?? []) {
        found.set(key, String(Number(found.get(key) ?? 0) + 1))
      }
    }
  })
  return found
}

/**
 * The places in which two positions differ.
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 */
export function changedPlaces(before, after) {
  const found = new Set()
  for (const [id, content] of after) if (before.get(id) !== content) found.add(id)
  for (const id of before.keys()) if (!after.has(id)) found.add(id)
  return found
}

/** @param {number} column */
export function letters(column) {
  let found = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    found = String.fromCharCode(65 + ((left - 1) % 26)) + found
  }
  return found
}

/**
 * The column and the row of a square.
 * @param {string} square
 */
export function placeOf(square) {
  const found = /^([A-Z]+)([0-9]+)$/.exec(square) ?? ['', 'A', '1']
  let column = 0
  for (const letter of found[1]) column = column * 26 + letter.charCodeAt(0) - 64
  return [column, Number(found[2])]
}

/**
 * What somebody means who presses a place: the legal moves that change it. That is found out by
 * playing them and taking them back, so it needs to know nothing about the game. Where no move is
 * legal, it looks for one that means the place, and that the fewest requirements refuse.
 */

import { changedPlaces, contents } from './layout.js'

/** Legal moves that are looked at, and moves that are tried for one press. */
const MOST_LOOKED_AT = 600
const MOST_TRIED = 600
/** Values of a parameter that are tried. */
const MOST_VALUES = 130

export class Offers {
  /**
   * @param {any} game
   * @param {any} layout
   */
  constructor(game, layout) {
    this.game = game
    this.layout = layout
    /** @type {any[]} */
    this.moves = game.moves()
    /** @type {Set<string>[] | null} */
    this.changes = null
  }

  /**
   * The legal moves that change all these places, those that change least first.
   * @param {string[]} places
   */
  changing(places) {
    const changes = this.changes ??= this.lookedAt()
    return this.moves
      .map((move, number) => ({ move, changed: changes[number] ?? new Set() }))
      .filter(({ changed }) => places.every((each) => changed.has(each)))
      .sort((one, other) => one.changed.size - other.changed.size)
      .map(({ move }) => move)
  }

  /** What each legal move changes. */
  lookedAt() {
    const { game, layout } = this
    const { players } = game.manifest
    const before = contents(layout, game.position, players)
    return this.moves.slice(0, MOST_LOOKED_AT).map((move) => {
      try {
        game.play(move)
      } catch {
        return new Set()
      }
      const found = changedPlaces(before, contents(layout, game.position, players))
      game.undo()
      return found
    })
  }

  /**
   * Moves that these places could mean, and what refuses each: of every kind of move that the
   * fewest requirements refuse.
   * @param {import('./layout.js').Place[]} places
   * @param {number[]} players those who may have meant it
   */
  refused(places, players) {
    /** @type {{event: any, refusals: any[]}[]} */
    const best = []
    for (const transition of this.game.manifest.transitions) {
      if (transition.kind !== 'move') continue
      const found = this.bestOf(transition, places, players)
      if (found !== null) best.push(found)
    }
    const fewest = Math.min(...best.map((each) => each.refusals.length))
    return best.filter((each) => each.refusals.length === fewest)
  }

  /**
   * @param {any} transition
   * @param {import('./layout.js').Place[]} places
   * @param {number[]} players
   */
  bestOf(transition, places, players) {
    const domains = this.domains(transition, places)
    if (domains === null) return null
    /** @type {{event: any, refusals: any[]} | null} */
    let best = null
    let tried = 0
    for (const by of players) {
      for (const args of combined(domains)) {
        if (++tried > MOST_TRIED) return best
        const event = { move: transition.name, by, args }
        try {
          const refusals = this.game.refusals(event)
          if (refusals.length > 0 && (best === null || refusals.length < best.refusals.length)) {
            best = { event, refusals }
          }
        } catch {
          continue
        }
      }
    }
    return best
  }

  /**
   * The values to try for each parameter; null if the places say nothing about this move.
   * @param {any} transition
   * @param {import('./layout.js').Place[]} places
   * @returns {[string, any[]][] | null}
   */
  domains(transition, places) {
    const { types } = this.game.manifest
    const targets = places.flatMap((each) => each.target)
    const last = places[places.length - 1].target
    let meant = false
    /** @type {Set<number>} */
    const used = new Set()
    /** @type {[string, any[]][]} */
    const found = []
    for (const param of transition.params) {
      const type = types[param.type]
      const holds = type.kind === 'set' || type.kind === 'bag'
      const inner = holds ? types[type.of] : type
      const place = targets.findIndex(([shown], number) => shown === inner.shown && !used.has(number))
      if (place >= 0) {
        used.add(place)
        const value = targets[place][1]
        found.push([param.name, [holds ? [value] : value]])
        // A row alone is half of a place: what is meant is the field in it.
        if (last.length < 2 || place !== targets.indexOf(last[0])) meant = true
        continue
      }
      const values = this.values(inner)
      if (values === null) return null
      found.push([param.name, holds ? values.map((each) => [each]) : values])
    }
    return meant ? found : null
  }

  /**
   * All values of a plain type, null if they are too many to try or it is no plain one.
   * @param {any} type
   * @returns {any[] | null}
   */
  values(type) {
    switch (type.kind) {
      case 'bool': return [false, true]
      case 'player': return Array.from({ length: this.game.manifest.players }, (_, place) => place + 1)
      case 'enum': return type.members.length <= MOST_VALUES ? type.members : null
      case 'number': {
        const [low, high] = [Number(type.low ?? NaN), Number(type.high ?? NaN)]
        if (!(high - low < MOST_VALUES)) return null
        return Array.from({ length: high - low + 1 }, (_, place) => low + place)
      }
      case 'option': {
        const inside = this.values(this.game.manifest.types[type.of])
        return inside === null ? null : [...inside, null]
      }
      default: return null
    }
  }
}

/**
 * Every choice of a value for each name.
 * @param {[string, any[]][]} domains
 * @returns {Generator<{[name: string]: any}>}
 */
function* combined(domains) {
  if (domains.length === 0) {
    yield {}
    return
  }
  const [[name, values], ...rest] = domains
  for (const value of values) {
    for (const others of combined(rest)) yield { [name]: value, ...others }
  }
}

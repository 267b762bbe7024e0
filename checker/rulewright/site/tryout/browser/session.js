/**
 * A game in progress: where it began, what has happened since, under which readings. A reading is a
 * part of the position; when it changes, all that has happened is played again.
 */

import { RefusedError, load, stringify } from '../../../wasm/browser/game.js'
import { unpackedParts } from './packed.js'

/** Where a game begins; a `position` goes before what is chosen at the start.
 * @typedef {{players: number, variant: string | null, readings: {[name: string]: string},
 *   position: any, chosen: any, seats: string[]}} Beginning
 */

export class Session {
  /** @type {import('../../../wasm/browser/game.js').Game} */
  game
  /** @type {any[]} */
  events = []
  /** @type {Beginning} */
  began

  /** @param {any} data what the page was given */
  constructor(data) {
    this.data = data
    /** @type {Map<any, Promise<any>>} */
    this.loaded = new Map()
    /** @type {Promise<Uint8Array[][]> | null} the manifests and modules of all games */
    this.parts = null
  }

  /**
   * Begins, and plays these events as far as they are allowed; says which was not.
   * @param {Beginning} began
   * @param {any[]} [events]
   */
  async open(began, events = []) {
    const game = await this.gameOf(began.players, began.variant)
    const position = { ...(began.position ?? this.beginning(game, began.chosen)) }
    for (const { name } of this.data.questions) {
      const variable = `${this.data.prefix}${name}`
      if (!game.manifest.variables.some((/** @type {any} */ each) => each.name === variable)) continue
      position[variable] = this.reading(name, began)
    }
    game.load(position)
    this.game = game
    this.began = began
    this.events = []
    for (const event of events) {
      try {
        this.play(event)
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        return { number: this.events.length + 1, event, refusals: error.refusals }
      }
    }
    return null
  }

  /**
   * The position that a game begins with.
   * @param {any} game
   * @param {any} chosen
   */
  beginning(game, chosen) {
    game.begin(chosen ?? {})
    return game.position
  }

  /**
   * How a question is answered.
   * @param {string} question
   * @param {Beginning} began
   */
  reading(question, { readings } = this.began) {
    if (Object.hasOwn(readings, question)) return readings[question]
    return this.data.questions.find((/** @type {any} */ each) => each.name === question).default
  }

  /**
   * The game for so many players, compiled once.
   * @param {number} players
   * @param {string | null} variant
   */
  gameOf(players, variant) {
    const found = this.data.games.find(
      (/** @type {any} */ each) => each.players === players && each.variant === variant
    )
    if (found === undefined) throw new RangeError(`${players}, ${variant}`)
    if (!this.loaded.has(found)) {
      const { manifests, modules } = this.data
      this.parts ??= Promise.all([unpackedParts(manifests), unpackedParts(modules)])
      this.loaded.set(found, this.parts.then(([texts, programs]) =>
        load(new TextDecoder().decode(texts[found.manifest]), programs[found.module])))
    }
    return /** @type {Promise<any>} */ (this.loaded.get(found))
  }

  /** The position without the readings. */
  get position() {
    const whole = this.game.position
    return Object.fromEntries(
      Object.keys(whole).filter((name) => !name.startsWith(this.data.prefix)).map((name) => [name, whole[name]])
    )
  }

  /** @param {any} event */
  play(event) {
    this.game.play(event)
    this.events.push(event)
  }

  undo() {
    if (this.events.length === 0) return null
    this.game.undo()
    return this.events.pop()
  }

  /**
   * Something about the game is different: it begins again and goes as it went.
   * @param {Partial<Beginning>} change
   */
  async again(change) {
    const [before, began, events] = [this.position, this.began, this.events]
    try {
      const refused = await this.open({ ...began, ...change }, events)
      const after = this.position
      const names = Object.keys(after).filter((name) => stringify(after[name]) !== stringify(before[name] ?? null))
      return { refused, names }
    } catch (error) {
      await this.open(began, events)
      throw error
    }
  }

  /** What a link has to say. */
  get link() {
    return { ...this.began, events: this.events }
  }
}

/**
 * Games that Rulewright exported, played in a browser or in Node: the very rules that were checked,
 * compiled to WebAssembly. `load` takes what `checker/rulewright/wasm/runtime/export.py` wrote.
 *
 * Positions, events and values are the JSON of traces. Words of a spec are plain text: put them into
 * a page with `textContent`.
 *
 * @typedef {import('./manifest.js').Json} Json
 * @typedef {import('./manifest.js').JsonObject} JsonObject
 * @typedef {import('./manifest.js').Manifest} Manifest
 * @typedef {import('./manifest.js').Requirement} Requirement
 * @typedef {import('./events.js').Event} Event
 * @typedef {{kind: 'move' | 'chance' | 'step', name: string}} Happened
 * @typedef {{event: Event, weight: number | bigint, probability: number}} Outcome
 * @typedef {{event: Event, places: number[], words: number[]}} Past what undoing needs
 */

import { Checks } from './checks.js'
import { RefusedError, RulesError, UsageError } from './errors.js'
import { Events } from './events.js'
import { isObject, object, parse, stringify, whole } from './json.js'
import { Memory } from './memory.js'
import { Running, compile } from './module.js'
import { Types } from './types.js'

export { parse, stringify } from './json.js'
export * from './errors.js'

/** The version of traces that are written. */
const TRACE = 1

/**
 * Loads a game. It begins in the position that games usually begin with.
 * @param {string | Manifest} manifest its text (large numbers stay exact), or read already
 * @param {BufferSource | WebAssembly.Module} source
 * @param {{work?: number}} [options] `work`: turns of loops that the rules may take in one call
 * @returns {Promise<Game>}
 */
export async function load(manifest, source, options = {}) {
  const read = /** @type {Manifest} */ (typeof manifest === 'string' ? parse(manifest) : manifest)
  const module = await compile(read, source)
  return new Game(read, module, options.work)
}

/** A game that is being played. */
export class Game {
  #running
  #memory
  #checks
  #events
  /** @type {Past[]} */
  #past = []
  /** @type {JsonObject} */
  #header = {}
  #starts = false

  /**
   * Another game of a module that is compiled.
   * @param {Manifest} manifest
   * @param {WebAssembly.Module} module
   * @param {number} [work]
   */
  constructor(manifest, module, work) {
    const types = new Types(manifest.types, manifest.players)
    this.manifest = manifest
    this.module = module
    this.#memory = new Memory(types)
    this.#checks = new Checks(types)
    this.#events = new Events(manifest, this.#memory, this.#checks)
    this.#running = new Running(manifest, module, this.#memory, work)
    this.begin()
  }

  // ---- positions

  /** The position, variable by variable. */
  get position() {
    return object(this.manifest.variables.map((each) => [each.name, this.value(each.name)]))
  }

  /**
   * The value of one state variable.
   * @param {string} name
   * @returns {Json}
   */
  value(name) {
    const { type, at } = this.#variable(name)
    const { state } = this.manifest.memory
    return this.#memory.read(this.#view, state + at, this.#type(type))
  }

  /**
   * Goes on from any position; every state variable has to be given.
   * @param {Json} position
   */
  load(position) {
    const given = this.#given(position, 'a position')
    for (const { name } of this.manifest.variables) {
      if (!Object.hasOwn(given, name)) {
        throw new UsageError(`the position does not say \`${name}\``, 'give every state variable')
      }
    }
    this.#changing(() => this.#write(given))
    this.#opened(true)
  }

  /**
   * Begins a game, with values for what is chosen at the start. What is left out is as in the first
   * way to begin.
   * @param {JsonObject} [start]
   */
  begin(start = {}) {
    const given = this.#given(start, 'start', 'start.')
    for (const name of Object.keys(given)) {
      if (!this.#variable(name).open) {
        throw new UsageError(`\`${name}\` has an initial value of its own`, 'leave it out of `start`')
      }
    }
    this.#changing(() => {
      this.#write(this.manifest.first)
      this.#write(given)
      this.#complete(Object.keys(given))
      this.#running.call('refuses start')
      const refusals = this.#running.marked(this.manifest.start)
      if (refusals.length > 0) {
        const labels = refusals.map((each) => `\`${each.label}\``).join(', ')
        throw new UsageError('the game cannot begin like that', `this is refused by ${labels}`)
      }
    })
    this.#opened(false)
  }

  /**
   * Begins a game as the game with this seed and number among random ones does.
   * @param {number | bigint} seed
   * @param {number} [number]
   */
  beginAtRandom(seed, number = 0) {
    this.#changing(() => {
      if (!this.#starts) this.#putStarts()
      this.#running.call('start', BigInt.asIntN(64, BigInt(seed)), number)
    })
    this.#opened(false)
  }

  // ---- what can happen

  /**
   * The legal moves of all players: in the order of the spec, then of players, then of arguments.
   * @returns {Event[]}
   */
  moves() {
    return this.#listed('legal').map((at) => this.#events.read(this.#view, at))
  }

  /**
   * Everything that chance can decide, with its weight among them.
   * @returns {Outcome[]}
   */
  outcomes() {
    const found = this.#listed('outcomes').map((at) => ({
      event: this.#events.read(this.#view, at),
      weight: this.#events.weight(this.#view, at),
    }))
    const total = found.reduce((sum, each) => sum + Number(each.weight), 0)
    return found.map((each) => ({ ...each, probability: Number(each.weight) / total }))
  }

  /**
   * The requirements that refuse an event; none if it is allowed.
   * @param {Event} event
   * @returns {Requirement[]}
   */
  refusals(event) {
    const { requirements } = this.#events.write(this.#view, event)
    this.#running.call('failing')
    return this.#running.marked(requirements)
  }

  /**
   * The invariants that do not hold in the position.
   * @returns {import('./manifest.js').Invariant[]}
   */
  broken() {
    this.#running.call('invariant')
    return this.manifest.invariants.filter((each) => this.#view.getUint8(each.mark))
  }

  /**
   * An event as the module's own generator chooses it, null if nothing can happen. The same seed and
   * number choose the same event everywhere.
   * @param {number | bigint} seed
   * @param {number} number
   * @returns {Event | null}
   */
  choose(seed, number) {
    return this.#chosen('choose', seed, number)
  }

  /**
   * What chance decides, with its true odds; null if it has nothing to decide.
   * @param {number | bigint} seed
   * @param {number} number
   * @returns {Event | null}
   */
  draw(seed, number) {
    return this.#chosen('draw', seed, number)
  }

  // ---- what happens

  /**
   * Makes an event happen, and the steps it sets off; says which. An event that the rules refuse is
   * thrown as a `RefusedError`, and nothing happens then.
   * @param {Event} event
   * @returns {Happened[]}
   */
  play(event) {
    const refusals = this.refusals(event)
    const { kind, name } = this.manifest.transitions[this.#view.getUint32(this.#chosenAt, true)]
    if (refusals.length > 0) throw new RefusedError(name, refusals)
    const written = this.#events.read(this.#view, this.#chosenAt)
    /** @type {Happened[]} */
    const happened = [{ kind, name }]
    const difference = this.#changing(() => {
      this.#running.call('take')
      for (let step = this.#due(); step !== null; step = this.#due()) {
        if (happened.length > this.manifest.most_steps) {
          const message = `the steps do not stop, among them \`${step.name}\``
          throw new RulesError(message, step.place)
        }
        this.#running.call('step')
        happened.push({ kind: 'step', name: step.name })
      }
    })
    this.#past.push({ event: written, ...difference })
    return happened
  }

  /**
   * Takes the step that is due and says which it was, null if none is. After `play` none is; a
   * position that was loaded may have one. It is not undone by itself.
   * @returns {Happened | null}
   */
  step() {
    const step = this.#due()
    if (step === null) return null
    this.#changing(() => this.#running.call('step'))
    this.#opened(true)
    return { kind: 'step', name: step.name }
  }

  /**
   * Takes the last event back, with its steps; null if there is none.
   * @returns {Event | null}
   */
  undo() {
    const last = this.#past.pop()
    if (last === undefined) return null
    const words = this.#words
    last.places.forEach((place, number) => (words[place] = last.words[number]))
    return last.event
  }

  /** The events since the beginning. */
  get events() {
    return this.#past.map((each) => each.event)
  }

  /** The game so far as `rulewright replay` reads it: a header, then an event a line. */
  get trace() {
    const lines = [this.#header, ...this.events]
    return lines.map((each) => `${stringify(/** @type {JsonObject} */ (each))}\n`).join('')
  }

  // ---- how it ends

  /** Whether the game is over. */
  get over() {
    const phase = this.value('phase')
    return this.manifest.phases.some((each) => each.final && each.name === phase)
  }

  /**
   * The score of each player in the order of seats, null if the game keeps none.
   * @returns {(number | bigint)[] | null}
   */
  scores() {
    return this.#result('score')
  }

  /**
   * Who wins as things are, null if the game does not say.
   * @returns {number[] | null}
   */
  winners() {
    const wins = this.#result('wins')
    return wins && wins.flatMap((won, place) => (won ? [place + 1] : []))
  }

  // ---- inside

  get #view() {
    return this.#running.view
  }

  get #chosenAt() {
    return this.manifest.memory.chosen
  }

  /** The state, four bytes at a time. */
  get #words() {
    const { state, size } = this.manifest.memory
    return new Int32Array(this.#view.buffer, state, size / 4)
  }

  /** @param {number} number */
  #type(number) {
    return this.manifest.types[number]
  }

  /** @param {string} name */
  #variable(name) {
    const found = this.manifest.variables.find((each) => each.name === name)
    if (found !== undefined) return found
    throw new UsageError(`\`${this.manifest.spec}\` has no state variable \`${name}\``, 'remove it')
  }

  /**
   * Values for some state variables, each checked.
   * @param {Json} json
   * @param {string} what
   * @param {string} [path]
   */
  #given(json, what, path = '') {
    if (!isObject(json)) throw this.#checks.unfit('an object', json, what)
    for (const name of Object.keys(json)) {
      this.#checks.check(json[name], this.#type(this.#variable(name).type), `${path}${name}`)
    }
    return json
  }

  /** @param {JsonObject} values */
  #write(values) {
    const { state } = this.manifest.memory
    for (const name of Object.keys(values)) {
      const { type, at } = this.#variable(name)
      this.#memory.write(this.#view, state + at, this.#type(type), values[name])
    }
  }

  /**
   * Changes the state; says what was there before, and puts it back if something fails.
   * @param {() => void} change
   */
  #changing(change) {
    const before = this.#words.slice()
    try {
      change()
    } catch (error) {
      this.#words.set(before)
      throw error
    }
    const [places, words] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
    this.#words.forEach((word, place) => {
      if (word !== before[place]) {
        places.push(place)
        words.push(before[place])
      }
    })
    return { places, words }
  }

  /**
   * A game has begun in the position, which `midway` says is not one that games begin in.
   * @param {boolean} midway
   */
  #opened(midway) {
    const { spec, spec_hash, players, readings, variant } = this.manifest
    const start = object(this.#open().map((name) => [name, this.value(name)]))
    this.#past = []
    this.#header = { rulewright: TRACE, spec, spec_hash, players, readings, variant, start }
    if (midway) this.#header.position = this.position
  }

  /** The variables whose first value is a choice. */
  #open() {
    return this.manifest.variables.filter((each) => each.open).map((each) => each.name)
  }

  /**
   * Chooses what was left open at the start, as in the first way to begin that agrees with the rest.
   * @param {string[]} given
   */
  #complete(given) {
    const open = this.#open()
    if (given.length === 0 || given.length === open.length) return
    const { complete, values } = this.manifest.beginnings
    if (!complete) {
      throw new UsageError(
        'there are too many ways to begin the game to look for one like that',
        `choose all of ${open.map((name) => `\`${name}\``).join(', ')}`
      )
    }
    const wanted = new Map(given.map((name) => [name, stringify(this.value(name))]))
    const row = values.find((each) =>
      open.every((name, place) => (wanted.get(name) ?? stringify(each[place])) === stringify(each[place]))
    )
    if (row === undefined) {
      throw new UsageError(
        'there is no way to begin the game like that',
        'the requirements under `start` refuse every choice'
      )
    }
    this.#write(object(open.map((name, place) => [name, row[place]])))
  }

  /** Writes down the positions that games at random begin with. */
  #putStarts() {
    const { state, size, starts } = this.manifest.memory
    const bytes = new Uint8Array(this.#view.buffer)
    const open = this.#open()
    this.#write(this.manifest.first)
    this.manifest.beginnings.values.forEach((row, number) => {
      this.#write(object(open.map((name, place) => [name, row[place]])))
      bytes.copyWithin(starts + number * size, state, state + size)
    })
    this.#starts = true
  }

  /** The step that is due, null if none is. */
  #due() {
    if (!this.#running.has('due')) return null
    this.#running.call('due')
    const steps = this.manifest.transitions.filter((each) => each.kind === 'step')
    return steps[this.#running.answer] ?? null
  }

  /**
   * Where the events are that a function lists.
   * @param {string} name
   */
  #listed(name) {
    this.#running.call(name)
    const { list, end_of_list, event } = this.manifest.memory
    const count = (this.#view.getUint32(end_of_list, true) - list) / event
    return Array.from({ length: count }, (_, place) => list + place * event)
  }

  /**
   * @param {string} name
   * @param {number | bigint} seed
   * @param {number} number
   */
  #chosen(name, seed, number) {
    this.#running.call(name, BigInt.asIntN(64, BigInt(seed)), BigInt(number))
    return this.#running.answer ? this.#events.read(this.#view, this.#chosenAt) : null
  }

  /**
   * A result of each player, null if the game has no such one.
   * @param {string} name
   */
  #result(name) {
    if (!this.manifest.results.includes(name)) return null
    return Array.from({ length: this.manifest.players }, (_, place) => {
      this.#running.call(`result ${name}`, place + 1)
      return whole(this.#view.getBigInt64(this.manifest.memory.answer, true))
    })
  }
}

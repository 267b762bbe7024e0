/**
 * Events as JSON and as records in memory: `{"move": "cross_sum", "by": 1, "args": {…}}` or
 * `{"chance": "throw", "args": {…}}`.
 *
 * @typedef {import('./manifest.js').Json} Json
 * @typedef {import('./manifest.js').JsonObject} JsonObject
 * @typedef {import('./manifest.js').Transition} Transition
 * @typedef {{move: string, by: number, args: JsonObject} | {chance: string, args: JsonObject}} Event
 */

import { UsageError } from './errors.js'
import { isObject, object, whole } from './json.js'

export class Events {
  /**
   * @param {import('./manifest.js').Manifest} manifest
   * @param {import('./memory.js').Memory} memory
   * @param {import('./checks.js').Checks} checks
   */
  constructor(manifest, memory, checks) {
    this.manifest = manifest
    this.memory = memory
    this.checks = checks
  }

  /**
   * Reads the event at an address.
   * @param {DataView} view
   * @param {number} at
   * @returns {Event}
   */
  read(view, at) {
    const { head } = this.manifest.memory
    const { kind, name, params } = this.manifest.transitions[view.getUint32(at, true)]
    const args = object(params.map((param, place) => [
      param.name,
      this.memory.carried(view, at + head + 8 * place, this.memory.types.all[param.type]),
    ]))
    if (kind === 'chance') return { chance: name, args }
    return { move: name, by: view.getUint32(at + 4, true), args }
  }

  /**
   * The weight of the chance event at an address.
   * @param {DataView} view
   * @param {number} at
   */
  weight(view, at) {
    return whole(view.getBigInt64(at + this.manifest.memory.weight, true))
  }

  /**
   * Writes an event as the one that is asked about or happens next; refuses what is not one.
   * @param {DataView} view
   * @param {unknown} json
   * @returns {Transition}
   */
  write(view, json) {
    const event = this.object(json, 'an event')
    const kinds = ['move', 'chance'].filter((kind) => Object.hasOwn(event, kind))
    if (kinds.length !== 1) {
      throw new UsageError(
        `an event has either \`move\` or \`chance\`, this has ${kinds.length ? 'both' : 'neither'}`,
        'like {"move": "NAME", "by": 1, "args": {}}'
      )
    }
    const transition = this.named(kinds[0], event[kinds[0]])
    const by = kinds[0] === 'move' ? this.mover(event) : this.nobody(event)
    const args = this.args(event, transition)
    const { chosen, head } = this.manifest.memory
    view.setUint32(chosen, this.manifest.transitions.indexOf(transition), true)
    view.setUint32(chosen + 4, by, true)
    transition.params.forEach((param, place) => {
      const type = this.memory.types.all[param.type]
      this.memory.put(view, chosen + head + 8 * place, type, args[param.name], param.at)
    })
    return transition
  }

  /**
   * The move or chance event of a name.
   * @param {string} kind
   * @param {Json} name
   */
  named(kind, name) {
    if (typeof name !== 'string') throw this.checks.unfit('a name', name, kind)
    const known = this.manifest.transitions.filter((each) => each.kind === kind)
    const found = known.find((each) => each.name === name)
    if (found !== undefined) return found
    const what = kind === 'move' ? 'move' : 'chance event'
    const names = known.map((each) => `\`${each.name}\``).join(', ')
    throw new UsageError(
      `\`${this.manifest.spec}\` has no ${what} \`${name}\``,
      known.length ? `it has ${names}` : `it has no ${what}s`
    )
  }

  /** @param {JsonObject} event */
  mover(event) {
    if (!Object.hasOwn(event, 'by')) {
      throw new UsageError('the move does not say whose it is', 'add "by": a player\'s number')
    }
    this.checks.check(event.by, { kind: 'player', shown: 'Player' }, 'by')
    return Number(event.by)
  }

  /** @param {JsonObject} event */
  nobody(event) {
    if (event.by != null) throw new UsageError("a chance event is nobody's", 'leave out `by`')
    return 0
  }

  /**
   * The arguments of an event, each checked.
   * @param {JsonObject} event
   * @param {Transition} transition
   */
  args(event, transition) {
    const { name, params } = transition
    const args = this.object(Object.hasOwn(event, 'args') ? event.args : {}, 'args')
    const names = params.map((param) => param.name)
    for (const given of Object.keys(args)) {
      if (!names.includes(given)) {
        throw new UsageError(
          `\`${name}\` has no parameter \`${given}\``, `it takes ${names.join(', ') || 'none'}`
        )
      }
    }
    for (const param of params) {
      if (!Object.hasOwn(args, param.name)) {
        throw new UsageError(`\`${name}\` also needs \`${param.name}\``, `it takes ${names.join(', ')}`)
      }
    }
    for (const param of params) {
      this.checks.check(args[param.name], this.memory.types.all[param.type], `args.${param.name}`)
    }
    return args
  }

  /**
   * @param {unknown} json
   * @param {string} what
   */
  object(json, what) {
    if (!isObject(json)) throw this.checks.unfit('an object', /** @type {Json} */ (json), what)
    return json
  }
}

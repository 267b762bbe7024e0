/**
 * Controls to say a value of any type: a list to choose from, boxes to tick, tiles to add, a board to
 * lay on. Each has an `element`, `get()` and `set(value)`.
 *
 * @typedef {{element: HTMLElement, get: () => any, set: (value: any) => void,
 *   press?: (square: string, tile: any) => void, drafted?: () => any}} Control
 */

import { make } from './elements.js'
import { capital, pairs } from './words.js'

/** Values that a list offers; of more, one is written down. */
const MOST_LISTED = 400
const MOST_TICKED = 16

export class Controls {
  /**
   * @param {any} manifest
   * @param {import('./words.js').Words} words
   */
  constructor(manifest, words) {
    this.types = manifest.types
    this.players = manifest.players
    this.words = words
  }

  /**
   * A control for a type.
   * @param {any} type
   * @param {string} name
   * @param {any} [now] what a board of this type bears now
   * @returns {Control}
   */
  of(type, name, now = null) {
    const label = capital(this.words.name(name))
    switch (type.kind) {
      case 'set': return this.set(type, label)
      case 'bag': return this.bag(type, label)
      case 'map': {
        const key = this.types[type.key]
        return key.kind === 'grid' ? this.board(type, label, now) : this.map(type, key, label)
      }
      default: return this.plain(type, label)
    }
  }

  /** All values of a plain type; null if they are too many.
   * @param {any} type
   * @returns {any[] | null} */
  values(type) {
    switch (type.kind) {
      case 'bool': return [false, true]
      case 'player': return Array.from({ length: this.players }, (_, place) => place + 1)
      case 'enum': return type.members
      case 'number': {
        const [low, high] = [Number(type.low ?? NaN), Number(type.high ?? NaN)]
        if (!(high - low < MOST_LISTED)) return null
        return Array.from({ length: high - low + 1 }, (_, place) => low + place)
      }
      case 'option': {
        const inside = this.values(this.types[type.of])
        return inside === null ? null : [...inside, null]
      }
      default: return null
    }
  }

  /**
   * @param {any} type
   * @param {string} label
   * @returns {Control}
   */
  plain(type, label) {
    const values = this.values(type)
    if (values === null) {
      const field = /** @type {HTMLInputElement} */ (make('input', { size: 6, autocomplete: 'off' }))
      const number = type.kind === 'number'
      return {
        element: make('label', {}, `${label} `, field),
        get: () => number ? Number(field.value) : field.value.trim().toUpperCase(),
        set: (value) => { field.value = String(value) },
      }
    }
    const select = /** @type {HTMLSelectElement} */ (make('select', {}, ...values.map(
      (value, place) => make('option', { value: place }, this.words.value(value, type, this.types))
    )))
    return {
      element: make('label', {}, `${label} `, select),
      get: () => values[Number(select.value)],
      set: (value) => { select.value = String(values.indexOf(value)) },
    }
  }

  /**
   * @param {any} type
   * @param {string} label
   * @returns {Control}
   */
  set(type, label) {
    const inner = this.types[type.of]
    const values = this.values(inner)
    if (values === null || values.length > MOST_TICKED) return this.several(inner, label, true)
    const boxes = values.map(() => /** @type {HTMLInputElement} */ (make('input', { type: 'checkbox' })))
    return {
      element: make('fieldset', {}, make('legend', {}, label), ...values.map((value, place) =>
        make('label', {}, boxes[place], ` ${this.words.value(value, inner, this.types)}`))),
      get: () => values.filter((_, place) => boxes[place].checked),
      set: (value) => values.forEach((each, place) => { boxes[place].checked = value.includes(each) }),
    }
  }

  /**
   * @param {any} type
   * @param {string} label
   */
  bag(type, label) {
    return this.several(this.types[type.of], label, false)
  }

  /**
   * Values that are added one after the other.
   * @param {any} inner
   * @param {string} label
   * @param {boolean} once
   * @returns {Control}
   */
  several(inner, label, once) {
    /** @type {any[]} */
    let chosen = []
    const one = this.plain(inner, label)
    const list = make('span', { class: 'chosen' })
    const show = () => list.replaceChildren(...chosen.map((value, place) => {
      const what = this.words.value(value, inner, this.types)
      return make('button', {
        type: 'button', 'aria-label': this.words.say('take_away', { what }),
        onclick: () => { chosen.splice(place, 1); show() },
      }, `${what} ×`)
    }))
    const add = make('button', {
      type: 'button',
      onclick: () => {
        const value = one.get()
        if (!once || !chosen.includes(value)) chosen.push(value)
        show()
      },
    }, this.words.say('add'))
    return {
      element: make('fieldset', {}, make('legend', {}, label), one.element, add, list),
      get: () => [...chosen],
      set: (value) => { chosen = [...value]; show() },
    }
  }

  /**
   * @param {any} type
   * @param {any} key
   * @param {string} label
   * @returns {Control}
   */
  map(type, key, label) {
    const keys = this.values(key) ?? []
    const inside = keys.map((each) =>
      this.of(this.types[type.of], this.words.value(each, key, this.types)))
    return {
      element: make('fieldset', {}, make('legend', {}, label), ...inside.map((each) => each.element)),
      get: () => key.kind === 'enum'
        ? Object.fromEntries(keys.map((each, place) => [each, inside[place].get()]))
        : keys.map((each, place) => [each, inside[place].get()]),
      set: (value) => pairs(value).forEach(([each, one]) => inside[keys.indexOf(each)].set(one)),
    }
  }

  /**
   * A board that tiles are laid on, beginning with the one on the table.
   * @param {any} type
   * @param {string} label
   * @param {any} now
   * @returns {Control}
   */
  board(type, label, now) {
    const inner = this.types[type.of]
    const whole = typeof type.board !== 'number'
    const before = new Map(pairs(now ?? []))
    let draft = new Map(before)
    const said = make('p', { class: 'hint', role: 'status' })
    const square = /** @type {HTMLInputElement} */ (make('input', { size: 5, autocomplete: 'off' }))
    const tile = this.plain(inner, this.words.say('tile'))
    const changes = () => [...new Set([...before.keys(), ...draft.keys()])]
      .filter((each) => (before.get(each) ?? null) !== (draft.get(each) ?? null))
    const show = () => {
      const put = changes().map((each) =>
        `${this.words.value(draft.get(each) ?? null, inner, this.types)} ${each}`)
      said.textContent = put.length
        ? this.words.say('changes', { what: put.join(', ') })
        : this.words.say('no_changes')
      element.dispatchEvent(new CustomEvent('drafted', { bubbles: true }))
    }
    const press = (/** @type {string} */ at, /** @type {any} */ value) => {
      const there = draft.get(at) ?? null
      draft.set(at, there !== null && there !== (before.get(at) ?? null) ? before.get(at) ?? null : value ?? there)
      show()
    }
    const put = make('button', {
      type: 'button',
      onclick: () => { draft.set(square.value.trim().toUpperCase(), tile.get()); show() },
    }, this.words.say('put'))
    const element = make(
      'fieldset', {}, make('legend', {}, label),
      make('p', { class: 'hint' }, this.words.say('board_hint')), tile.element,
      make('label', {}, `${this.words.say('square')} `, square), put, said
    )
    const get = () => [...draft].filter(([, value]) => whole || value !== null)
    said.textContent = this.words.say('no_changes')
    return {
      element, get, press, drafted: () => [...draft].filter(([, value]) => value !== null),
      set: (value) => { draft = new Map(pairs(value)); show() },
    }
  }
}

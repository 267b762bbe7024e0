/** Events and refusals in sentences: who does what, where on the sheet, and why it is refused. */

import { make } from './elements.js'
import { at, capital, pairs } from './words.js'

/** Longer arguments are not said. */
const LONGEST = 120

export class Telling {
  /**
   * @param {any} game
   * @param {any} layout
   * @param {import('./words.js').Words} words
   */
  constructor(game, layout, words) {
    this.game = game
    this.layout = layout
    this.words = words
  }

  /** @param {any} event */
  transition(event) {
    const name = event.move ?? event.chance
    return this.game.manifest.transitions.find((/** @type {any} */ each) => each.name === name)
  }

  /**
   * An event as a sentence without a full stop.
   * @param {any} event
   * @param {any} position before it
   */
  event(event, position) {
    const transition = this.transition(event)
    const what = transition.prose ?? this.words.name(transition.name)
    const details = this.details(event, transition, position)
    const said = details.length ? `${what} (${details.join(', ')})` : what
    return event.move === undefined ? capital(said) : `${this.words.player(event.by)}: ${said}`
  }

  /**
   * @param {any} event
   * @param {any} transition
   * @param {any} position
   */
  details(event, transition, position) {
    const { types } = this.game.manifest
    const field = this.field(event, transition, position)
    const said = field === null ? [] : [field.label]
    for (const param of transition.params) {
      if (field?.names.includes(param.name)) continue
      const [type, value] = [types[param.type], event.args[param.name]]
      const name = type.kind === 'player' ? '' : this.words.name(param.name)
      const words = type.kind === 'map' && types[type.key].kind === 'grid'
        ? this.laid(value, type, position)
        : this.words.value(value, type, types)
      if (words.length <= LONGEST) said.push(name.length > 1 ? `${name} ${words}` : words)
    }
    return said
  }

  /**
   * The field of a sheet that an event names by its row and its place in it.
   * @param {any} event
   * @param {any} transition
   * @param {any} position
   */
  field(event, transition, position) {
    const { types } = this.game.manifest
    const param = (/** @type {string} */ shown, /** @type {string[]} */ but) => transition.params.find(
      (/** @type {any} */ each) => types[each.type].shown === shown && !but.includes(each.name))
    for (const sheet of this.layout.sheets) {
      const kind = sheet.kind === null ? '' : String(at(position[sheet.kind], event.by))
      for (const { target, label } of sheet.drawn[kind]?.slots ?? []) {
        if (target.length < 2) continue
        const row = param(target[0][0], [])
        const place = row && param(target[1][0], [row.name])
        if (place && event.args[row.name] === target[0][1] && event.args[place.name] === target[1][1]) {
          return { label, names: [row.name, place.name] }
        }
      }
    }
    return null
  }

  /**
   * What a board has that the one on the table has not.
   * @param {any} value
   * @param {any} type
   * @param {any} position
   */
  laid(value, type, position) {
    const { types, variables } = this.game.manifest
    const board = variables.find((/** @type {any} */ each) => types[each.type].shown === type.shown)
    const now = new Map(board ? pairs(position[board.name]) : [])
    return pairs(value)
      .filter(([square, each]) => (now.get(square) ?? null) !== each)
      .map(([square, each]) => `${this.words.value(each, types[type.of], types)} ${square}`)
      .join(', ')
  }

  /**
   * Why an event is refused: each requirement with the sentences of the rulebook it comes from.
   * @param {any} event
   * @param {any[]} refusals
   * @param {any} position
   */
  refusal(event, refusals, position) {
    const { words } = this
    return make(
      'div', { class: 'refusal' },
      make('p', {}, make('strong', {}, words.say('refused', { what: this.event(event, position) }))),
      make('ul', {}, ...refusals.map((each) => make(
        'li', { 'data-label': each.label },
        words.say('rule', { rule: each.prose ?? words.name(each.label) }),
        ...this.clauses(each.clauses)
      )))
    )
  }

  /** @param {string[]} names */
  clauses(names) {
    const { clauses } = this.game.manifest
    return names.filter((each) => Object.hasOwn(clauses, each)).map((each) => make(
      'blockquote', { 'data-clause': each }, clauses[each], ' ', make('code', {}, each)
    ))
  }
}

/** What can happen now: chance, the legal moves, and a form for anything else, allowed or not. */

import { make } from './elements.js'
import { Controls } from './controls.js'
import { capital } from './words.js'

/** Legal moves that are listed; of more, pressing a place shows those that change it. */
const MOST_LISTED = 24

export class ActPanel {
  /**
   * @param {import('./words.js').Words} words
   * @param {(event: any) => void} attempt
   * @param {() => void} roll lets chance decide
   * @param {() => void} drafted a board in the form has changed
   */
  constructor(words, attempt, roll, drafted) {
    this.words = words
    this.attempt = attempt
    this.roll = roll
    this.drafted = drafted
    this.element = make('section', { class: 'act', 'aria-label': words.say('to_do') })
    /** @type {{[param: string]: import('./controls.js').Control}} */
    this.controls = Object.create(null)
    this.isOpen = false
  }

  /**
   * @param {any} game
   * @param {import('./telling.js').Telling} telling
   * @param {any[]} moves the legal ones
   * @param {any[]} meant those that what is pressed could mean
   * @param {() => void} clear
   */
  show(game, telling, moves, meant, clear) {
    this.game = game
    this.telling = telling
    const { words } = this
    const { manifest } = game
    const now = game.value('phase')
    const phase = manifest.phases.find((/** @type {any} */ each) => each.name === now)
    const chances = manifest.transitions.filter(
      (/** @type {any} */ each) => each.kind === 'chance' && each.phases.includes(now))
    const shown = meant.length ? meant : moves
    this.element.replaceChildren(
      make('h2', {}, words.say('to_do')),
      make('p', { class: 'phase' }, `${words.say('phase')}: ${phase?.prose ?? words.name(String(now))}.`),
      ...(chances.length ? [make('button', { type: 'button', class: 'roll', onclick: this.roll },
        this.isThrow(chances) ? words.say('throw') : words.say('let_chance'))] : []),
      ...this.listed(shown, meant.length > 0, clear, chances.length > 0),
      this.form()
    )
  }

  /** @param {any[]} chances */
  isThrow(chances) {
    return chances.every((each) => this.thrown?.includes(each.name))
  }

  /**
   * @param {any[]} moves
   * @param {boolean} isMeant
   * @param {() => void} clear
   * @param {boolean} chance
   * @returns {HTMLElement[]}
   */
  listed(moves, isMeant, clear, chance) {
    const { words } = this
    if (moves.length === 0) {
      return chance || this.game.over ? [] : [make('p', {}, words.say('none_legal'))]
    }
    const position = this.game.position
    const buttons = moves.slice(0, MOST_LISTED).map((event) => make('li', {}, make(
      'button', { type: 'button', class: 'legal', onclick: () => this.attempt(event) },
      this.telling.event(event, position)
    )))
    const more = moves.length - buttons.length
    return [
      make('h3', {}, words.say(isMeant ? 'meant' : 'legal')),
      make('ul', { class: isMeant ? 'moves meant' : 'moves' }, ...buttons),
      ...(more > 0 ? [make('p', { class: 'hint' }, words.say('more_legal', { number: more }))] : []),
      ...(isMeant ? [make('button', { type: 'button', onclick: clear }, words.say('clear'))] : []),
    ]
  }

  form() {
    const { words } = this
    const { manifest } = this.game
    const now = this.game.value('phase')
    const offered = manifest.transitions.filter((/** @type {any} */ each) => each.kind !== 'step')
    offered.sort((/** @type {any} */ one, /** @type {any} */ other) =>
      Number(other.phases.includes(now)) - Number(one.phases.includes(now)))
    this.what = /** @type {HTMLSelectElement} */ (make('select', { name: 'what' }, ...offered.map(
      (/** @type {any} */ each) => make('option', { value: each.name }, capital(each.prose ?? words.name(each.name))))))
    this.who = /** @type {HTMLSelectElement} */ (make('select', { name: 'who' }, ...Array.from(
      { length: manifest.players }, (_, place) => make('option', { value: place + 1 }, words.player(place + 1)))))
    this.params = make('div')
    this.whose = make('label', {}, `${words.say('who')} `, this.who)
    this.what.addEventListener('change', () => { this.fill(); this.drafted() })
    const form = make(
      'form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.attempt(this.event()) } },
      make('p', { class: 'hint' }, words.say('any_hint')),
      make('label', {}, `${words.say('move')} `, this.what), this.whose, this.params,
      make('button', { type: 'submit' }, words.say('attempt'))
    )
    this.fill()
    this.any = make(
      'details', {
        open: this.isOpen, class: 'any',
        ontoggle: () => { this.isOpen = /** @type {HTMLDetailsElement} */ (this.any).open },
      },
      make('summary', {}, words.say('any')), form
    )
    return this.any
  }

  /** The move that the form is about. */
  transition() {
    return this.game.manifest.transitions.find((/** @type {any} */ each) => each.name === this.what?.value)
  }

  /** Puts controls for the parameters of the move into the form. */
  fill() {
    const { manifest } = this.game
    const transition = this.transition()
    const controls = new Controls(manifest, this.words)
    this.controls = Object.create(null)
    for (const param of transition.params) {
      const type = manifest.types[param.type]
      const board = manifest.variables.find((/** @type {any} */ each) => each.type === param.type)
      const now = board && type.kind === 'map' ? this.game.value(board.name) : null
      this.controls[param.name] = controls.of(type, param.name, now)
      if (now !== null && manifest.types[type.key].kind !== 'grid') this.controls[param.name].set(now)
    }
    const elements = Object.values(this.controls).map((each) => each.element)
    for (const each of elements) each.addEventListener('drafted', this.drafted)
    this.params?.replaceChildren(...elements)
    if (this.whose) this.whose.hidden = transition.kind === 'chance'
  }

  /** What the form says. */
  event() {
    const transition = this.transition()
    const args = Object.fromEntries(
      Object.entries(this.controls).map(([name, control]) => [name, control.get()]))
    if (transition.kind === 'chance') return { chance: transition.name, args }
    return { move: transition.name, by: Number(this.who?.value), args }
  }

  /**
   * The move of this phase that lays a board of some type, and its parameter.
   * @param {string} variable
   */
  laying(variable) {
    const { manifest } = this.game
    const now = this.game.value('phase')
    const type = manifest.variables.find((/** @type {any} */ each) => each.name === variable)?.type
    for (const transition of manifest.transitions) {
      if (transition.kind !== 'move' || !transition.phases.includes(now)) continue
      const param = transition.params.find((/** @type {any} */ each) => each.type === type)
      if (param) return { transition, param }
    }
    return null
  }

  /**
   * Puts a tile on the board that the form lays, which it begins to do if it did not.
   * @param {any} found what `laying` found
   * @param {number} by
   * @param {string} square
   * @param {any} tile
   */
  lay({ transition, param }, by, square, tile) {
    if (this.what?.value !== transition.name) {
      if (this.what) this.what.value = transition.name
      this.fill()
    }
    if (by > 0 && this.who) this.who.value = String(by)
    if (this.any) /** @type {HTMLDetailsElement} */ (this.any).open = this.isOpen = true
    this.controls[param.name].press?.(square, tile)
  }

  /** The boards that are being laid, by the state variable they are for. */
  drafts() {
    const { manifest } = this.game
    /** @type {{[variable: string]: any}} */
    const found = Object.create(null)
    for (const param of this.transition()?.params ?? []) {
      const drafted = this.controls[param.name]?.drafted
      const board = manifest.variables.find((/** @type {any} */ each) => each.type === param.type)
      if (drafted && board) found[board.name] = drafted()
    }
    return found
  }
}

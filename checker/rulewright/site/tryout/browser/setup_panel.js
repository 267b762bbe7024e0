/** Where to begin and by which rules: examples, holes, partings, players, variant, house rules. */

import { make } from './elements.js'
import { Controls } from './controls.js'

/**
 * @typedef {object} Choices what somebody has set
 * @property {any} start an example, a hole or a parting; null for the beginning
 * @property {number} players
 * @property {string | null} variant
 * @property {any} chosen
 */

export class SetupPanel {
  /**
   * @param {any} data
   * @param {any[]} starts
   * @param {import('./words.js').Words} words
   * @param {(choices: Choices) => void} begin
   * @param {(change: any) => void} change of a reading or the variant
   */
  constructor(data, starts, words, begin, change) {
    Object.assign(this, { data, starts, words })
    this.begin = begin
    this.change = change
    this.open = make('div')
    this.from = this.startList()
    this.questions = make('div')
    const numbers = [...new Set(data.games.map((/** @type {any} */ each) => each.players))]
    this.players = this.select('players', numbers.map((each) => [String(each), String(each)]))
    this.variant = this.select('variant', [
      ['', words.say('no_variant')],
      ...data.variants.map((/** @type {any} */ each) => [each.name, each.prose]),
    ])
    this.variant.addEventListener('change', () => this.change({ variant: this.variant.value || null }))
    const start = make('button', { type: 'submit' }, words.say('begin'))
    const chosen = make(
      'form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.started() } },
      this.labelled('from', this.from), this.labelled('players', this.players), this.open, start
    )
    this.element = make(
      'details', { class: 'setup' }, make('summary', {}, words.say('setup')), chosen,
      data.variants.length ? this.labelled('variant', this.variant) : null, this.questions
    )
  }

  startList() {
    const { data: _, starts, words } = /** @type {any} */ (this)
    const groups = [['example', 'examples'], ['hole', 'holes'], ['parting', 'partings']]
    const list = make('select', { name: 'from' }, make('option', { value: '' }, words.say('beginning')))
    for (const [kind, title] of groups) {
      const found = starts
        .map((/** @type {any} */ each, /** @type {number} */ number) => ({ each, number }))
        .filter((/** @type {any} */ one) => one.each.kind === kind)
      if (found.length === 0) continue
      list.append(make('optgroup', { label: words.say(title) }, ...found.map(
        (/** @type {any} */ one) => make('option', { value: one.number, 'data-name': one.each.name }, one.each.title)
      )))
    }
    return /** @type {HTMLSelectElement} */ (list)
  }

  /**
   * @param {string} name
   * @param {string[][]} options
   */
  select(name, options) {
    return /** @type {HTMLSelectElement} */ (make(
      'select', { name }, ...options.map(([value, words]) => make('option', { value }, words))
    ))
  }

  /**
   * @param {string} key
   * @param {HTMLElement} inside
   */
  labelled(key, inside) {
    return make('label', {}, `${/** @type {any} */ (this).words.say(key)} `, inside)
  }

  started() {
    const { starts } = /** @type {any} */ (this)
    const start = this.from.value === '' ? null : starts[Number(this.from.value)]
    const chosen = Object.fromEntries((this.controls ?? []).map(([name, control]) => [name, control.get()]))
    this.begin({
      start, chosen, players: Number(this.players.value), variant: this.variant.value || null,
    })
  }

  /**
   * Shows what is played now.
   * @param {import('./session.js').Session} session
   */
  show(session) {
    const { data, words } = /** @type {any} */ (this)
    const { manifest } = session.game
    this.players.value = String(manifest.players)
    this.variant.value = session.began.variant ?? ''
    const controls = new Controls(manifest, words)
    /** @type {[string, import('./controls.js').Control][]} */
    this.controls = manifest.variables
      .filter((/** @type {any} */ each) => each.open)
      .map((/** @type {any} */ each) => {
        const control = controls.of(manifest.types[each.type], each.prose ?? each.name)
        control.set(session.began.chosen?.[each.name] ?? manifest.first[each.name])
        return [each.name, control]
      })
    const open = this.controls.map(([, control]) => control.element)
    this.open.replaceChildren(...(open.length
      ? [make('fieldset', {}, make('legend', {}, words.say('open_choices')), ...open)] : []))
    this.questions.replaceChildren(...(data.questions.length ? [make(
      'fieldset', { class: 'questions' }, make('legend', {}, words.say('questions')),
      ...data.questions.map((/** @type {any} */ each) => this.question(each, session))
    )] : []))
  }

  /**
   * @param {any} question
   * @param {import('./session.js').Session} session
   */
  question(question, session) {
    const { words } = /** @type {any} */ (this)
    const select = this.select(`reading ${question.name}`, question.options.map(
      (/** @type {any} */ each) => [
        each.name, each.name === question.default ? `${each.prose} ${words.say('usual')}` : each.prose,
      ]
    ))
    select.value = session.reading(question.name)
    select.addEventListener('change', () => {
      this.change({ readings: { ...session.began.readings, [question.name]: select.value } })
    })
    return make('label', {}, `${question.prose} `, select)
  }
}


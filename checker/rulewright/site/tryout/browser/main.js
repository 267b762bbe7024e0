/** The try page: a game that is played for every seat, from any position, under any reading. */

import { GameError, RefusedError } from '../../../wasm/browser/game.js'
import { ActPanel } from './act_panel.js'
import { make } from './elements.js'
import { changedPlaces, contents } from './layout.js'
import { Offers } from './offers.js'
import { fromLink, toLink, unpackedJson } from './packed.js'
import { Session } from './session.js'
import { SetupPanel } from './setup_panel.js'
import { Table } from './table.js'
import { Telling } from './telling.js'
import { Words } from './words.js'

/** Events that a link may hold. */
const MOST_EVENTS = 2000

class Page {
  /**
   * @param {HTMLElement} root
   * @param {any} data
   * @param {any[]} starts
   */
  constructor(root, data, starts) {
    this.data = data
    this.starts = starts
    this.words = new Words(data.words, data.names)
    this.session = new Session(data)
    /** @type {string[]} */
    this.chosen = []
    /** @type {{events: any[], at: number, note: string} | null} */
    this.script = null
    /** @type {string[]} */
    this.history = []
    /** @type {Map<string, Table>} what draws the game and its variants */
    this.tables = new Map()
    const { words } = this
    this.setup = new SetupPanel(data, starts, words, (choices) => this.doing(() => this.begin(choices)),
      (change) => this.doing(() => this.change(change)))
    this.act = new ActPanel(words, (event) => this.doing(() => this.attempt(event)),
      () => this.doing(() => this.roll()), () => this.drawTable())
    this.alert = make('div', { role: 'alert', class: 'alert' })
    this.status = make('p', { role: 'status', class: 'status' })
    this.scripted = make('div', { class: 'script' })
    this.table = make('div', { class: 'table' })
    this.events = make('ol')
    this.result = make('p', { class: 'result', role: 'status' })
    this.link = make('p', { class: 'link' })
    root.replaceChildren(
      ...this.languages(),
      make('h1', {}, words.say('title', { title: data.title })),
      make('p', { class: 'hint' }, words.say('intro')),
      this.setup.element, this.scripted, this.alert, this.status, this.result,
      this.buttons(),
      make('div', { class: 'play' },
        make('section', { 'aria-label': words.say('table') }, this.table),
        make('div', {}, this.act.element,
          make('section', { class: 'history' }, make('h2', {}, words.say('so_far')), this.events)))
    )
  }

  /** Links to the page in the other languages, which take the position with them. */
  languages() {
    const { languages } = this.data
    if (languages.length < 2) return []
    const here = document.documentElement.lang
    const links = languages.map((/** @type {string[]} */ [lang, called, file]) => lang === here
      ? make('strong', { lang }, called)
      : make('a', { lang, hreflang: lang, href: file, onclick: async (/** @type {Event} */ event) => {
        event.preventDefault()
        location.assign(`${file}#${await toLink(this.session.link)}`)
      } }, called))
    const label = this.words.say('language')
    return [make('nav', { class: 'languages', 'aria-label': label }, ...links)]
  }

  buttons() {
    const { words } = this
    const button = (/** @type {string} */ key, /** @type {() => any} */ act) =>
      make('button', { type: 'button', class: key, onclick: () => this.doing(act) }, words.say(key))
    return make('p', { class: 'buttons' },
      button('undo', () => this.undo()), button('again', () => this.restart()),
      button('link', () => this.share()), this.link)
  }

  /**
   * Does something, and says what goes wrong.
   * @param {() => any} act
   */
  async doing(act) {
    try {
      await act()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.tell(this.words.say(error instanceof GameError ? 'failed' : 'unknown_fault', { why }))
    }
    document.body.setAttribute('data-done', String(++this.done))
  }

  done = 0

  /** @param {Node | string} [said] */
  tell(said) {
    this.alert.replaceChildren(...(said === undefined ? [] : [said]))
  }

  // ---- beginning

  /** @param {import('./setup_panel.js').Choices} choices */
  async begin(choices) {
    const { start } = choices
    await this.open(start === null
      ? { players: choices.players, variant: choices.variant, position: null, seats: [],
          readings: this.session.began?.readings ?? {},
          chosen: choices.players === this.session.began?.players ? choices.chosen : null }
      : { players: start.players, variant: start.variant, readings: start.readings, seats: start.seats,
          position: start.position, chosen: null }, [], start)
  }

  /**
   * @param {any} began
   * @param {any[]} events
   * @param {any} [start]
   */
  async open(began, events, start = null) {
    const refused = await this.session.open(began, events)
    const { words } = this
    words.seats = began.seats
    await this.lay(began.variant)
    this.script = start === null ? null : { events: start.steps, at: 0, note: this.noteOf(start) }
    this.tell()
    this.status.textContent = ''
    this.link.replaceChildren()
    this.relate()
    this.setup.show(this.session)
    this.draw(new Set())
    if (refused !== null) this.tell(this.telling.refusal(refused.event, refused.refusals, this.session.position))
  }

  /** @param {any} start */
  noteOf(start) {
    if (start.kind === 'hole') return this.words.say('about_hole', { why: start.note })
    return start.kind === 'parting' ? this.words.say('about_parting', { why: start.note }) : ''
  }

  /**
   * Takes what draws the game or a variant of it, made once.
   * @param {string | null} variant
   */
  async lay(variant) {
    const name = variant ?? ''
    if (!this.tables.has(name)) {
      const layout = await unpackedJson(this.data.layouts[name])
      this.tables.set(name, new Table(layout, this.words, (place) => this.doing(() => this.press(place))))
    }
    this.drawn = /** @type {Table} */ (this.tables.get(name))
    this.layout = this.drawn.layout
    this.act.thrown = this.layout.thrown
  }

  /** A reading or the variant is another one now. @param {any} change */
  async change(change) {
    const { words } = this
    let found
    try {
      found = await this.session.again(change)
    } catch (error) {
      if (!(error instanceof GameError)) throw error
      this.setup.show(this.session)
      return this.tell(words.say('other_position', { why: error.message }))
    }
    await this.lay(this.session.began.variant)
    this.relate()
    this.tell()
    const { refused, names } = found
    if (refused !== null) {
      const what = this.telling.event(refused.event, this.session.position)
      this.tell(make('div', {}, make('p', {}, words.say('other_reading', { number: refused.number, what })),
        this.telling.refusal(refused.event, refused.refusals, this.session.position)))
      this.script = null
    }
    this.status.textContent = names.length === 0
      ? words.say('same') : words.say('differs', { names: names.map((each) => this.nameOf(each)).join(', ') })
    this.setup.show(this.session)
    this.draw(new Set())
  }

  /** @param {string} variable */
  nameOf(variable) {
    const found = this.session.game.manifest.variables.find((/** @type {any} */ each) => each.name === variable)
    return this.words.variable(found ?? { name: variable })
  }

  /** Writes down again what has happened. */
  relate() {
    this.telling = new Telling(this.session.game, this.layout, this.words)
    const [events, began] = [this.session.events, this.session.began]
    this.history = events.map((event) => this.telling.event(event, began.position ?? this.session.position))
  }

  async restart() {
    const script = this.script
    await this.open(this.session.began, [])
    if (script) this.script = { ...script, at: 0 }
    this.draw(new Set())
  }

  // ---- what happens

  /** @param {any} event */
  attempt(event) {
    const { session, words } = this
    const before = this.contents()
    const position = session.position
    const what = this.telling.event(event, position)
    this.chosen = []
    try {
      session.play(event)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.status.textContent = ''
      this.tell(this.telling.refusal(event, error.refusals, position))
      this.drawTable()
      this.showScript()
      return
    }
    this.tell()
    this.history.push(what)
    this.status.textContent = words.say('done', { what })
    this.draw(changedPlaces(before, this.contents()))
  }

  roll() {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2))
    const event = this.session.game.draw(high, low)
    if (event !== null) this.attempt(event)
  }

  undo() {
    const event = this.session.undo()
    if (event === null) return
    const what = this.history.pop() ?? ''
    if (this.script) {
      const steps = this.script.events
      let at = Math.min(this.script.at, steps.length)
      while (at > 0 && steps[at - 1].refused) at--
      this.script.at = Math.max(0, at - 1)
    }
    this.chosen = []
    this.tell()
    this.status.textContent = this.words.say('undone', { what })
    this.draw(new Set())
  }

  /** The next step of the example. */
  step() {
    const { script } = this
    if (script === null || script.at >= script.events.length) return
    const { event } = script.events[script.at++]
    this.attempt(event)
  }

  async share() {
    const link = `${location.href.split('#')[0]}#${await toLink(this.session.link)}`
    const field = /** @type {HTMLInputElement} */ (make('input', { readonly: true, value: link, size: 24 }))
    this.link.replaceChildren(make('label', {}, `${this.words.say('link_shown')} `, field))
    field.select()
    try {
      await navigator.clipboard.writeText(link)
      this.status.textContent = this.words.say('link_copied')
    } catch {
      this.status.textContent = this.words.say('link_shown')
    }
  }

  // ---- pressing

  /** @param {import('./layout.js').Place} place */
  press(place) {
    const { offers } = this
    if (place.kind === 'die') return this.roll()
    if (place.kind === 'square' && this.layPressed(place)) return
    if (place.kind === 'tile' && place.owner && this.isLaying()) {
      this.chosen = this.chosen.includes(place.key) ? [] : [place.key]
      return this.drawTable()
    }
    const kept = this.chosen.filter((each) => each !== place.key)
    const chosen = kept.length < this.chosen.length ? kept : [...kept, place.key]
    this.tell()
    let found = chosen.length ? offers.changing(chosen) : []
    if (chosen.length > 0 && found.length === 0) {
      const alone = place.kind === 'tile' ? [place.key] : [place.key, ...kept.filter((each) => each.startsWith('r'))]
      found = offers.changing(alone)
      this.chosen = found.length ? alone : kept.filter((each) => each.startsWith('r'))
      if (place.kind === 'tile') this.chosen = [place.key]
      else if (found.length === 0) return this.refuse(place)
    } else {
      this.chosen = chosen
    }
    const isWhole = place.kind === 'field' || this.chosen.some((each) => each.startsWith('r'))
    if (found.length === 1 && place.kind !== 'tile' && isWhole) return this.attempt(found[0])
    this.draw(new Set(), found)
  }

  /** Whether a move of this phase lays whole boards: what is laid already is not to be lost. */
  isLaying() {
    return this.layout.boards.some((/** @type {any} */ each) => this.act.laying(each.variable) !== null)
  }

  /**
   * Puts the tile in hand on a square, where a move lays whole boards.
   * @param {import('./layout.js').Place} place
   */
  layPressed(place) {
    const number = Number(place.id.slice(1).split('/')[0])
    const laying = this.act.laying(this.layout.boards[number].variable)
    if (laying === null) return false
    const hand = this.drawn.places.get(this.chosen.find((each) => each.startsWith('r')) ?? '')
    this.act.lay(laying, hand?.owner ?? 0, place.label, hand?.target[0][1] ?? null)
    return true
  }

  /** @param {import('./layout.js').Place} place */
  refuse(place) {
    const { session } = this
    const { players } = session.game.manifest
    const hand = this.chosen.map((each) => this.drawn.places.get(each)).filter((each) => each !== undefined)
    const owner = place.owner || hand[0]?.owner || 0
    const who = owner ? [owner] : Array.from({ length: players }, (_, number) => number + 1)
    const found = this.offers.refused([...hand, place], who)
    const position = session.position
    this.tell(found.length === 0
      ? this.words.say('none_legal')
      : make('div', {}, ...found.map((each) => this.telling.refusal(each.event, each.refusals, position))))
    this.draw(new Set())
  }

  // ---- drawing

  contents() {
    const { session } = this
    return contents(this.layout, session.position, session.game.manifest.players)
  }

  /**
   * Draws everything anew.
   * @param {Set<string>} fresh
   * @param {any[]} [meant]
   */
  draw(fresh, meant = []) {
    const { game } = this.session
    this.offers = new Offers(game, this.layout)
    this.act.show(game, this.telling, this.offers.moves, meant, () => { this.chosen = []; this.draw(new Set()) })
    this.fresh = fresh
    this.drawTable()
    this.showScript()
    this.events.replaceChildren(...this.history.map((each) => make('li', {}, each)))
    this.showResult()
    document.dispatchEvent(new CustomEvent('shown', { detail: this.session.position }))
  }

  drawTable() {
    const { session } = this
    const focused = document.activeElement?.getAttribute('data-place')
    const position = { ...session.position, ...this.act.drafts() }
    this.table.replaceChildren(...this.drawn.drawn(session.game, position, new Set(this.chosen), this.fresh ?? new Set()))
    if (focused) {
      const again = this.table.querySelector(`[data-place="${CSS.escape(focused)}"]`)
      if (again instanceof SVGElement) again.focus()
    }
  }

  showScript() {
    const { script, words } = this
    if (script === null) return this.scripted.replaceChildren()
    const over = script.at >= script.events.length
    const said = over ? words.say('steps_over') : words.say('step_of', { number: script.at + 1, all: script.events.length })
    const next = make('button', { type: 'button', class: 'next', onclick: () => this.doing(() => this.step()) }, words.say('next_step'))
    const all = make('button', {
      type: 'button', class: 'all',
      onclick: () => this.doing(() => { while (this.script && this.script.at < this.script.events.length) this.step() }),
    }, words.say('all_steps'))
    this.scripted.replaceChildren(
      ...(script.note ? [make('p', {}, script.note)] : []),
      make('p', {}, `${said} `, ...(over ? [] : [next, ' ', all])))
  }

  showResult() {
    const { session: { game }, words } = this
    const said = []
    try {
      const [scores, winners] = [game.scores(), game.over ? game.winners() : null]
      if (game.over) said.push(words.say('over'))
      if (scores !== null) {
        said.push(`${words.say('scores')}: ${scores.map((each, place) => `${words.player(place + 1)} ${each}`).join(', ')}.`)
      }
      if (winners !== null) {
        said.push(`${words.say('winners')}: ${winners.map((each) => words.player(each)).join(', ') || words.say('no_winner')}.`)
      }
      for (const each of game.broken()) {
        said.push(words.say('broken', { what: each.prose ?? words.name(each.name) }))
      }
    } catch (error) {
      if (!(error instanceof GameError)) throw error
      said.push(words.say('failed', { why: error.message }))
    }
    this.result.textContent = said.join(' ')
  }
}

/** Opens what the address asks for, or the beginning. @param {Page} page */
async function opened(page) {
  const fewest = Math.min(...page.data.games.map((/** @type {any} */ each) => each.players))
  const usual = { players: fewest, variant: null, readings: {}, position: null, chosen: null, seats: [] }
  const link = location.hash.slice(1)
  const named = page.starts.find((each) => link === encodeURIComponent(`${each.kind}-${each.name}`))
  if (named) return page.begin(/** @type {any} */ ({ start: named }))
  if (link === '') return page.open(usual, [])
  try {
    const { events, ...began } = await fromLink(link)
    const happened = Array.isArray(events) ? events.slice(0, MOST_EVENTS) : []
    await page.open({ ...usual, ...checked(began) }, happened)
  } catch (error) {
    await page.open(usual, [])
    page.tell(page.words.say('bad_link', { why: error instanceof Error ? error.message : String(error) }))
  }
}

/** What a link says of the beginning, as far as it could be one. @param {any} given */
function checked(given) {
  const words = (/** @type {any} */ each) => typeof each === 'string'
  return {
    ...given,
    seats: Array.isArray(given.seats) ? given.seats.filter(words) : [],
    readings: Object.fromEntries(Object.entries(given.readings ?? {}).filter(([, each]) => words(each))),
  }
}

async function main() {
  const root = document.querySelector('#tryout')
  const data = JSON.parse(document.querySelector('#game')?.textContent ?? '')
  if (!(root instanceof HTMLElement)) return
  const page = new Page(root, data, await unpackedJson(data.starts))
  await page.doing(() => opened(page))
  addEventListener('hashchange', () => page.doing(() => opened(page)))
}

main()

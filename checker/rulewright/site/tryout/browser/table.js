/**
 * Draws the table: sheets, boards, dice, tiles, and the rest in words. What can be pressed is a
 * button to a screen reader, and the arrow keys go from one to the next.
 */

import { area, draw, group, make, picture } from './elements.js'
import { boardPlaces, rackPlaces, sheetPlaces } from './layout.js'
import { at, capital, isNothing } from './words.js'

export class Table {
  /**
   * @param {any} layout
   * @param {import('./words.js').Words} words
   * @param {(place: import('./layout.js').Place) => void} pressed
   */
  constructor(layout, words, pressed) {
    this.layout = layout
    this.words = words
    this.pressed = pressed
    /** @type {Map<string, import('./layout.js').Place>} */
    this.places = new Map()
    /** @type {Map<string, {looks: string, element: HTMLElement}>} */
    this.parts = new Map()
  }

  /**
   * A part of the table as it was drawn before, if it still looks like that.
   * @param {string} id
   * @param {import('./layout.js').Place[]} places
   * @param {unknown} more what else its look depends on
   * @param {() => HTMLElement} build
   */
  kept(id, places, more, build) {
    for (const each of places) this.places.set(each.key, each)
    const looks = JSON.stringify([more, places.map((each) =>
      [each.id, each.stamp, this.chosen?.has(each.key), this.fresh?.has(each.key)])])
    const before = this.parts.get(id)
    if (before?.looks === looks) return before.element
    const element = build()
    this.parts.set(id, { looks, element })
    return element
  }

  /**
   * Everything on the table.
   * @param {any} game
   * @param {any} position
   * @param {Set<string>} chosen places that are pressed
   * @param {Set<string>} fresh places that have just changed
   */
  drawn(game, position, chosen, fresh) {
    this.game = game
    this.position = position
    this.chosen = chosen
    this.fresh = fresh
    this.places = new Map()
    const { players } = game.manifest
    const mine = Array.from({ length: players }, (_, place) => place + 1)
    return [
      make('section', { 'aria-label': this.words.say('everybody') }, ...this.of(0)),
      ...mine.map((player) => {
        const name = this.words.player(player)
        return make('section', { 'aria-label': name }, make('h2', {}, name), ...this.of(player))
      }),
    ]
  }

  /**
   * What belongs to a player; 0 is what all share.
   * @param {number} player
   * @returns {Node[]}
   */
  of(player) {
    const { sheets, boards, dice, racks } = this.layout
    const owned = player > 0
    return [
      ...this.words_(player),
      ...(owned ? [] : boards.map((/** @type {any} */ each, /** @type {number} */ number) => this.board(each, number))),
      ...(owned ? [] : [this.dice(dice)]),
      ...sheets.map((/** @type {any} */ each, /** @type {number} */ number) =>
        each.owned === owned ? this.sheet(each, number, player) : null),
      ...racks.map((/** @type {any} */ each, /** @type {number} */ number) =>
        each.owned === owned ? this.rack(each, number, player) : null),
    ].filter((each) => each !== null)
  }

  /** @param {number} player */
  words_(player) {
    const { variables, types } = this.game.manifest
    const said = this.layout.words
      .filter((/** @type {any} */ each) => each.owned === player > 0 && each.variable !== 'phase')
      .map((/** @type {any} */ each) => {
        const variable = variables.find((/** @type {any} */ one) => one.name === each.variable)
        const whole = types[variable.type]
        const type = each.owned ? types[whole.of] : whole
        const value = each.owned ? at(this.position[each.variable], player) : this.position[each.variable]
        if (isNothing(value)) return null
        const name = capital(this.words.variable(variable))
        return make('div', {}, make('dt', {}, name), make('dd', {}, this.words.value(value, type, types)))
      })
      .filter((/** @type {any} */ each) => each !== null)
    return said.length ? [make('dl', {}, ...said)] : []
  }

  /**
   * @param {any} sheet
   * @param {number} number
   * @param {number} player
   */
  sheet(sheet, number, player) {
    const { drawn, places } = sheetPlaces(sheet, number, this.position, player)
    return this.kept(`s${number}/${player}`, places, drawn.base, () => {
      const svg = picture(drawn.width, drawn.height, this.words.say('table'))
      draw(svg, this.layout.stamps[drawn.base])
      this.put(svg, places)
      return this.framed(svg, drawn.key)
    })
  }

  /**
   * @param {any} board
   * @param {number} number
   */
  board(board, number) {
    const { columns, rows, places } = boardPlaces(board, number, this.position[board.variable])
    return this.kept(`b${number}`, places, columns, () => {
      const svg = picture(24 + board.size * columns, 20 + board.size * rows, capital(this.words.name(board.variable)))
      const heads = places.filter((each) => each.y === 19).map((each) => ['text', {
        x: each.x + board.size / 2, y: 13, 'font-size': 10, opacity: .65,
      }, [each.label.replace(/[0-9]+/, '')]])
      const sides = places.filter((each) => each.x === 23).map((each) => ['text', {
        x: 18, y: each.y + 18, 'font-size': 10, opacity: .65, 'text-anchor': 'end',
      }, [each.label.replace(/[A-Z]+/, '')]])
      draw(svg, [...heads, ...sides])
      this.put(svg, places)
      return this.framed(svg, board.key)
    })
  }

  /** @param {any[]} rows */
  dice(rows) {
    const dice = rows.flatMap((/** @type {any} */ row, /** @type {number} */ number) => row.dice.map((/** @type {any} */ die) => {
      const value = this.position[row.variable]
      const pips = die.key === null ? value : at(value, die.key)
      return {
        id: `d${number}/${die.key}`, key: `d${number}/${die.key}`, owner: 0, y: 0, width: row.width, height: row.height,
        stamp: die.stamps[String(pips)] ?? -1, label: die.label, content: String(pips), kind: 'die',
        said: pips === null ? this.words.say('none') : String(pips), target: [],
      }
    }))
    if (dice.length === 0) return null
    const places = dice.map((die, place) => ({ ...die, x: 44 * place }))
    const label = capital(rows.map((each) => this.words.name(each.variable)).join(', '))
    return this.kept('d', places, null, () => {
      const svg = picture(44 * dice.length, 52, label)
      this.put(svg, places)
      return this.framed(svg, '')
    })
  }

  /**
   * @param {any} rack
   * @param {number} number
   * @param {number} player
   */
  rack(rack, number, player) {
    const { count, places } = rackPlaces(rack, number, this.position, player)
    const name = capital(this.words.name(rack.variable))
    if (count === 0) return null
    if (places === null) return make('p', {}, `${name}: ${this.words.say('tiles', { number: count })}`)
    const lines = Math.ceil(count / rack.widest)
    return this.kept(`r${number}/${player}`, places, count, () => {
      const svg = picture(rack.room * Math.min(count, rack.widest), rack.room * lines, name)
      this.put(svg, places)
      return make('div', {}, make('p', { class: 'name' }, name), this.framed(svg, ''))
    })
  }

  /**
   * Puts places into a picture, each as a button; one of them is where the tab key stops.
   * @param {Element} svg
   * @param {import('./layout.js').Place[]} places
   */
  put(svg, places) {
    places.forEach((place, number) => {
      const [seen, made] = [group(place.x, place.y), group(place.x, place.y)]
      if (place.stamp >= 0) draw(seen, this.layout.stamps[place.stamp])
      else draw(seen, [['text', { x: place.width / 2, y: place.height / 2 }, [place.content]]])
      seen.setAttribute('aria-hidden', 'true') // it is said by the name of the button above it
      area(made, place.width, place.height)
      const said = place.said ? `${place.label}, ${place.said}` : place.label
      made.setAttribute('role', 'button')
      made.setAttribute('aria-label', said)
      made.setAttribute('aria-pressed', String(this.chosen.has(place.key)))
      made.setAttribute('tabindex', number === 0 ? '0' : '-1')
      made.setAttribute('class', `place${this.fresh.has(place.key) ? ' fresh' : ''}`)
      made.setAttribute('data-place', place.id)
      made.addEventListener('click', () => this.pressed(place))
      made.addEventListener('keydown', (event) => this.key(/** @type {KeyboardEvent} */ (event), places, place))
      svg.append(seen, made)
    })
  }

  /**
   * @param {KeyboardEvent} event
   * @param {import('./layout.js').Place[]} places
   * @param {import('./layout.js').Place} place
   */
  key(event, places, place) {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      this.pressed(place)
      return
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (way === undefined) return
    event.preventDefault()
    const next = nearest(places, place, way[0], way[1])
    if (next === null) return
    const svg = /** @type {Element} */ (event.currentTarget).parentElement
    for (const each of svg?.querySelectorAll('[data-place]') ?? []) {
      const here = each.getAttribute('data-place') === next.id
      each.setAttribute('tabindex', here ? '0' : '-1')
      if (here) /** @type {SVGElement} */ (each).focus()
    }
  }

  /**
   * @param {Element} svg
   * @param {string} key
   */
  framed(svg, key) {
    return make('div', { class: 'scroll' }, svg, key ? make('p', { class: 'hint' }, key) : null)
  }
}

/**
 * The next place in a direction.
 * @param {import('./layout.js').Place[]} places
 * @param {import('./layout.js').Place} from
 * @param {number} across
 * @param {number} down
 */
function nearest(places, from, across, down) {
  let best = null
  let least = Infinity
  for (const each of places) {
    const [dx, dy] = [each.x - from.x, each.y - from.y]
    const along = dx * across + dy * down
    const aside = Math.abs(dx * down) + Math.abs(dy * across)
    const far = along + 3 * aside
    if (along > 0 && far < least) [best, least] = [each, far]
  }
  return best
}

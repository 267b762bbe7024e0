/** Values and events in words. All of it is plain text. */

/** The words of a game: the fixed ones of the page, and those of the spec. */
export class Words {
  /**
   * @param {{[key: string]: string}} table
   * @param {{[name: string]: string}} [names] of the spec, where they are said in another way
   */
  constructor(table, names = {}) {
    this.table = table
    this.names = names
    /** @type {string[]} */
    this.seats = []
  }

  /**
   * Fixed words with values put in.
   * @param {string} key
   * @param {{[name: string]: unknown}} [values]
   */
  say(key, values = {}) {
    return this.table[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
  }

  /**
   * A name of the spec as one would say it, also one of two parts such as `red 2`.
   * @param {string} name
   */
  name(name) {
    if (Object.hasOwn(this.names, name)) return this.names[name]
    return spoken(name).split(' ').map((each) => Object.hasOwn(this.names, each) ? this.names[each] : each).join(' ')
  }

  /**
   * What a variable is called: as its readers say it, else by its sentence.
   * @param {{name: string, prose?: string | null}} variable
   */
  variable({ name, prose }) {
    return Object.hasOwn(this.names, name) ? this.names[name] : prose ?? this.name(name)
  }

  /** @param {number} number */
  player(number) {
    const name = this.seats[number - 1]
    return name ? capital(name) : this.say('player', { number })
  }

  /**
   * A value of a type in words.
   * @param {any} value
   * @param {any} type
   * @param {any[]} types
   * @returns {string}
   */
  value(value, type, types) {
    if (value === null || value === undefined) return this.say('none')
    switch (type.kind) {
      case 'option': return this.value(value, types[type.of], types)
      case 'player': return this.player(Number(value))
      case 'bool': return this.say(value ? 'yes' : 'no')
      case 'set':
      case 'bag':
        return value.map((/** @type {any} */ each) => this.value(each, types[type.of], types)).join(', ')
          || this.say('none')
      case 'map':
        return pairs(value)
          .filter(([, each]) => !isNothing(each))
          .map(([key, each]) =>
            `${this.value(key, types[type.key], types)}: ${this.value(each, types[type.of], types)}`)
          .join(', ') || this.say('none')
      default: return this.name(String(value))
    }
  }
}

/** @param {string} name */
export function spoken(name) {
  return name.replaceAll('_', ' ')
}

/** @param {string} words */
export function capital(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/**
 * The keys and values of a map.
 * @param {any} map
 * @returns {[any, any][]}
 */
export function pairs(map) {
  return Array.isArray(map) ? /** @type {any} */ (map) : Object.entries(map)
}

/**
 * What a map has at a key.
 * @param {any} map
 * @param {any} key
 */
export function at(map, key) {
  if (!Array.isArray(map)) return map[key] ?? null
  const found = map.find((/** @type {any[]} */ each) => each[0] === key)
  return found === undefined ? null : found[1]
}

/** @param {any} value */
export function isNothing(value) {
  if (value === null || value === false || value === 0) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) && !value.some(Array.isArray)
    ? value.length === 0
    : pairs(value).every(([, each]) => isNothing(each))
}

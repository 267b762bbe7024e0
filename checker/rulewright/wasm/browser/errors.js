/**
 * What can go wrong. `message` says what, `help` what to do about it; both are plain text and may
 * contain words of a spec, so show them with `textContent`.
 */

/** Any error that this runtime reports on purpose. */
export class GameError extends Error {
  /**
   * @param {string} message
   * @param {string | null} [help]
   */
  constructor(message, help = null) {
    super(message)
    this.name = new.target.name
    this.help = help
  }
}

/** What is asked for cannot be done as it is asked. */
export class UsageError extends GameError {}

/** The rules ask for something that has no value; the place in the spec is a line and a column. */
export class RulesError extends GameError {
  /**
   * @param {string} message
   * @param {[number, number]} place
   */
  constructor(message, place) {
    super(message)
    this.line = place[0]
    this.column = place[1]
  }
}

/** The work or memory that the rules are given is used up. */
export class LimitError extends GameError {}

/** Only the evaluator can do this: a number that 64 bits do not hold, for example. */
export class UnsupportedError extends GameError {}

/** An event that the rules do not allow, and the requirements that refuse it. */
export class RefusedError extends GameError {
  /**
   * @param {string} name the move or chance event
   * @param {import('./manifest.js').Requirement[]} refusals
   */
  constructor(name, refusals) {
    super(`\`${name}\` is refused by ${refusals.map((each) => each.label).join(', ')}`)
    this.refusals = refusals
  }
}

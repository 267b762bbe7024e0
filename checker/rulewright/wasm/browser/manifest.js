/**
 * The manifest of a game: what its module does not know itself. `checker/rulewright/wasm/runtime/export.py` writes it.
 *
 * @typedef {null | boolean | number | bigint | string | JsonList | JsonObject} Json
 *   Values as traces have them. Whole numbers that a `number` does not hold exactly are a `bigint`.
 * @typedef {Json[]} JsonList
 * @typedef {{[name: string]: Json}} JsonObject
 *
 * @typedef {{label: string, prose: string | null, clauses: string[]}} Requirement
 * @typedef {{name: string, type: number, at: number}} Param
 * @typedef {{
 *   kind: 'move' | 'chance' | 'step', name: string, prose: string | null, clauses: string[],
 *   phases: string[], params: Param[], requirements: Requirement[], place: [number, number]
 * }} Transition
 * @typedef {{
 *   name: string, prose: string | null, type: number, at: number, open: boolean, owned: boolean,
 *   hidden: boolean
 * }} Variable
 * @typedef {{name: string, prose: string | null, final: boolean, simultaneous: boolean}} Phase
 * @typedef {{
 *   name: string, prose: string, clauses: string[], options: {name: string, prose: string}[],
 *   default: string
 * }} Question
 *
 * @typedef {object} Type
 * @property {'bool' | 'number' | 'player' | 'enum' | 'grid' | 'option' | 'set' | 'bag' | 'map'
 *   | 'never'} kind
 * @property {string} shown as it is written in a spec
 * @property {number | string | null} [low]
 * @property {number | string | null} [high]
 * @property {string} [name]
 * @property {string[]} [members]
 * @property {string[]} [written] how each member is written in a spec
 * @property {{[field: string]: Json[]}} [fields] of each member
 * @property {number} [width]
 * @property {number} [height]
 * @property {number} [of] the type inside
 * @property {number} [key]
 * @property {number} [size] bytes in memory
 * @property {boolean} [signed]
 * @property {number | string | null} [none] the number that stands for `none`
 * @property {number} [base] the element that the first bit or count stands for
 * @property {number} [first] the first key
 * @property {number} [count] how many keys there are
 * @property {number} [stride] bytes from one value to the next
 * @property {number | null} [board] of a map that has a bit for each key that is not `none`: where
 *   the values begin
 * @property {boolean} [in_memory] whether values are handed over by their address
 *
 * @typedef {{
 *   says?: (string | number)[], carries?: number[], wanted?: number | null,
 *   place?: [number, number], refusal?: string, help?: string | null
 * }} Failure
 * @typedef {{kind: 'limit' | 'unsupported', message: string, help: string | null}} Stop
 *
 * @typedef {{name: string, prose: string | null, clauses: string[], mark: number}} Invariant
 *
 * @typedef {object} Manifest
 * @property {number} abi
 * @property {{bytes: number, crc32: number}} module
 * @property {string} spec
 * @property {string} title
 * @property {string | null} spec_hash
 * @property {number} players
 * @property {{[reading: string]: string}} readings
 * @property {string | null} variant
 * @property {Question[]} questions
 * @property {{name: string, prose: string}[]} variants
 * @property {{[clause: string]: string}} clauses
 * @property {Phase[]} phases
 * @property {Variable[]} variables
 * @property {Transition[]} transitions
 * @property {Requirement[]} start
 * @property {string[]} results
 * @property {Invariant[]} invariants
 * @property {JsonObject} first the position that a game usually begins with
 * @property {{complete: boolean, values: Json[][]}} beginnings
 * @property {Failure[]} failures
 * @property {{[code: string]: Stop}} stops
 * @property {number} most_steps
 * @property {{
 *   state: number, size: number, starts: number, chosen: number, list: number,
 *   end_of_list: number, event: number, head: number, weight: number, answer: number,
 *   marks: number, failed_with: number, stop: number
 * }} memory
 * @property {Type[]} types
 */

export {}

/**
 * A loaded module: its functions, its memory, and its errors in the words of the evaluator. It has
 * no imports: all it can do is compute in a memory of its own that cannot grow.
 *
 * @typedef {import('./manifest.js').Manifest} Manifest
 */

import { LimitError, RulesError, UnsupportedError, UsageError } from './errors.js'
import { said } from './types.js'

/** The version of manifests and modules that this runtime plays. */
const ABI = 1
/** Turns of loops that a module may take in one call, unless somebody says otherwise. */
const WORK = 1 << 28

/**
 * Makes a module of bytes, if it is the one that a manifest speaks of.
 * @param {Manifest} manifest
 * @param {BufferSource | WebAssembly.Module} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(manifest, source) {
  if (manifest.abi !== ABI) {
    throw new UsageError(
      `this game was exported for version ${manifest.abi} of the runtime, this is ${ABI}`,
      'take both from the same version of the program'
    )
  }
  if (source instanceof WebAssembly.Module) return source
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
  if (bytes.length !== manifest.module.bytes || crc32(bytes) !== manifest.module.crc32) {
    throw new UsageError(
      'this module is not the one that the manifest speaks of', 'export both again, together'
    )
  }
  return WebAssembly.compile(bytes)
}

/** A module that runs. */
export class Running {
  /**
   * @param {Manifest} manifest
   * @param {WebAssembly.Module} module
   * @param {import('./memory.js').Memory} memory
   * @param {number} [work]
   */
  constructor(manifest, module, memory, work = WORK) {
    if (WebAssembly.Module.imports(module).length > 0) {
      throw new UsageError('a game that asks for something from outside is not played')
    }
    this.manifest = manifest
    this.memory = memory
    this.instance = new WebAssembly.Instance(module, {})
    /** @type {any} */
    const exports = this.instance.exports
    this.exports = exports
    this.view = new DataView(exports.memory.buffer)
    exports.budget(BigInt(work))
  }

  /**
   * Whether the module has a function.
   * @param {string} name
   */
  has(name) {
    return Object.hasOwn(this.exports, name)
  }

  /**
   * Calls a function; what fails is thrown as the evaluator says it.
   * @param {string} name
   * @param {(number | bigint)[]} given
   */
  call(name, ...given) {
    let failure
    try {
      failure = this.exports[name](...given)
    } catch (trap) {
      throw this.stopped(trap)
    }
    if (failure) throw this.failed(failure)
  }

  /** The answer to the last question, as a small number. */
  get answer() {
    return this.view.getInt32(this.manifest.memory.answer, true)
  }

  /**
   * The requirements that were marked as failing.
   * @param {import('./manifest.js').Requirement[]} needed
   */
  marked(needed) {
    return needed.filter((_, place) => this.view.getUint8(this.manifest.memory.marks + place))
  }

  /**
   * What a failure with a number says of the values it carries.
   * @param {number} number
   */
  failed(number) {
    const { types } = this.memory
    const failure = this.manifest.failures[number - 1]
    if (failure.refusal !== undefined) return new UsageError(failure.refusal, failure.help)
    const values = (failure.carries ?? []).map((type, place) =>
      this.memory.carried(this.view, this.manifest.memory.failed_with + 8 * place, types.all[type])
    )
    const words = (failure.says ?? []).map((part) =>
      typeof part === 'number' ? said(values[part]) : part
    )
    if (typeof failure.wanted === 'number') words.push(this.strayed(values[0], failure.wanted))
    return new RulesError(words.join(''), failure.place ?? [1, 1])
  }

  /**
   * ` is 7, outside 1..6`.
   * @param {import('./manifest.js').Json} value
   * @param {number} wanted
   */
  strayed(value, wanted) {
    const { types } = this.memory
    const [part, type] = types.stray(value, types.all[wanted]) ?? [value, types.all[wanted]]
    return ` ${part === value ? 'is' : 'holds'} ${said(part)}, outside ${type.shown}`
  }

  /**
   * What it means that the module stopped.
   * @param {unknown} trap
   */
  stopped(trap) {
    const { stop } = this.manifest.memory
    const code = this.view.getUint8(stop)
    this.view.setUint8(stop, 0)
    const why = this.manifest.stops[String(code)]
    const known = code > 0 || !(trap instanceof WebAssembly.RuntimeError)
    if (!known || why === undefined) return trap
    const { kind, message, help } = why
    return kind === 'limit' ? new LimitError(message, help) : new UnsupportedError(message, help)
  }
}

/**
 * The usual checksum, to notice a module that belongs to another manifest.
 * @param {Uint8Array} bytes
 */
function crc32(bytes) {
  let found = -1
  for (const byte of bytes) {
    found ^= byte
    for (let bit = 0; bit < 8; bit++) found = (found >>> 1) ^ (found & 1 ? 0xedb88320 : 0)
  }
  return ~found >>> 0
}

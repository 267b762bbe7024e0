/** Rulewright in a worker: asked one thing after another, and stopped if somebody wants that. */

/** Milliseconds after which a program that was asked to stop is ended. */
const PATIENCE = 3000
const INTERRUPT = 2

export class Program {
  #worker = null
  #ready = null
  #waiting = new Map()
  #count = 0
  #flag = null

  /** @param {(doing: string) => void} tell is told what is being worked on */
  constructor(tell) {
    this.tell = tell
  }

  /** Starts it, unless it runs. */
  start() {
    if (this.#ready) return this.#ready
    const shared = self.crossOriginIsolated
    this.#flag = shared ? new Uint8Array(new SharedArrayBuffer(1)) : null
    this.#worker = new Worker(new URL('worker.js', import.meta.url))
    this.#ready = new Promise((ready, failed) => {
      this.#worker.onmessage = ({ data }) => {
        if (data.ready) ready()
        else if (data.doing !== undefined) this.tell(data.doing)
        else if (data.id === undefined) failed(new Error(data.failed))
        else this.#answered(data)
      }
      this.#worker.onerror = (event) => failed(new Error(event.message || 'the program does not start'))
    })
    this.#worker.postMessage({ interrupt: this.#flag })
    return this.#ready
  }

  get busy() {
    return this.#waiting.size > 0
  }

  /**
   * Asks something; the answer is an object, `refused` if it cannot be done.
   * @param {string} ask
   * @param {object} [given]
   */
  async ask(ask, given = {}) {
    await this.start()
    const id = this.#count++
    return new Promise((done) => {
      this.#waiting.set(id, done)
      this.#worker.postMessage({ id, request: JSON.stringify({ ...given, ask }) })
    })
  }

  /** Stops what is being done: what was found by then is told; who does not hear is ended. */
  stop() {
    if (!this.busy) return
    if (!this.#flag) return this.end()
    this.#flag[0] = INTERRUPT
    const worker = this.#worker
    setTimeout(() => {
      if (this.#worker === worker && this.busy) this.end()
    }, PATIENCE)
  }

  /** Ends it at once; it starts anew when it is asked again. */
  end() {
    this.#worker?.terminate()
    this.#worker = this.#ready = null
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const done of waiting) done({ refused: 'it was stopped', help: null })
  }

  #answered({ id, answer, failed }) {
    const done = this.#waiting.get(id)
    this.#waiting.delete(id)
    done?.(failed === undefined ? JSON.parse(answer) : { refused: failed, help: null })
    if (failed !== undefined) this.end() // Python does not survive everything: it starts anew
  }
}

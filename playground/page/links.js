/** Links that carry a spec, compressed behind the `#`, or name a game that comes with the program.
 * What stands behind `#` is never sent to a server. */

/** Characters of a spec that a link may unpack to; more is no spec. */
const MOST = 2_000_000
const METHOD = 'deflate-raw'

/** @param {string} text */
export async function packed(text) {
  const bytes = await through(new Blob([text]).stream().pipeThrough(new CompressionStream(METHOD)))
  let characters = ''
  for (const each of bytes) characters += String.fromCharCode(each)
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @param {string} code */
export async function unpacked(code) {
  const characters = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(characters, (each) => each.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(METHOD))
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(stream))
}

async function through(stream) {
  const parts = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MOST) {
      await reader.cancel()
      throw new Error('there is more in the link than a spec can have')
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/**
 * What a link asks for: `{game}`, `{spec}` with its text, or nothing.
 * @param {string} hash
 */
export async function read(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  if (given.has('game')) return { game: given.get('game') }
  if (given.has('spec')) return { spec: await unpacked(given.get('spec')) }
  return {}
}

/** Text and bytes made small: what stands in the page, and positions in links. */

/** Bytes that a link may hold when it is unpacked; more is no position of a game. */
const LONGEST = 1 << 20

/**
 * What was compressed and written as base64.
 * @param {string} packed
 */
export async function unpacked(packed) {
  return new Uint8Array(await new Response(inflating(bytes(packed))).arrayBuffer())
}

/**
 * Parts that were compressed in one piece, a block of each in turn.
 * @param {{lengths: number[], block: number, content: string}} archive
 * @returns {Promise<Uint8Array[]>}
 */
export async function unpackedParts({ lengths, block, content }) {
  const whole = await unpacked(content)
  const parts = lengths.map((length) => new Uint8Array(length))
  let from = 0
  for (let at = 0; from < whole.length; at += block) {
    for (const part of parts.filter((each) => at < each.length)) {
      const length = Math.min(block, part.length - at)
      part.set(whole.subarray(from, from + length), at)
      from += length
    }
  }
  return parts
}

/** @param {string} packed */
export async function unpackedJson(packed) {
  return JSON.parse(new TextDecoder().decode(await unpacked(packed)))
}

/**
 * JSON as it stands in a link.
 * @param {unknown} value
 */
export async function toLink(value) {
  const text = new TextEncoder().encode(JSON.stringify(value))
  const small = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))
  const found = new Uint8Array(await new Response(small).arrayBuffer())
  let letters = ''
  for (const each of found) letters += String.fromCharCode(each)
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * What a link holds. It may come from anybody: it is small or it is refused.
 * @param {string} link
 */
export async function fromLink(link) {
  const reader = inflating(bytes(link.replaceAll('-', '+').replaceAll('_', '/'))).getReader()
  const parts = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > LONGEST) {
      await reader.cancel()
      throw new RangeError('it is too long')
    }
    parts.push(value)
  }
  return JSON.parse(await new Blob(parts).text())
}

/** @param {Uint8Array} given */
function inflating(given) {
  return new Blob([given]).stream().pipeThrough(new DecompressionStream('deflate'))
}

/** @param {string} base64 */
function bytes(base64) {
  return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
}

// Plays games with a module and says what came of them, for comparison with other hosts.

export async function play(binary, setup) {
  const { instance } = await WebAssembly.instantiate(binary, {})
  const memory = () => new Uint8Array(instance.exports.memory.buffer)
  for (const [at, content] of setup.reset) memory().set(decoded(content), at)
  instance.exports.budget(1n << 40n)
  const [first, many, seed, longest] = setup.play
  const failure = instance.exports.play(first, many, BigInt(seed), longest)
  const found = memory().slice(setup.from, setup.from + setup.bytes)
  return { failure, found: [...found].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}

export function decoded(base64) {
  return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
}

if (typeof process !== 'undefined') {
  const { readFileSync } = await import('node:fs')
  const { binary, ...setup } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  console.log(JSON.stringify(await play(decoded(binary), setup)))
}

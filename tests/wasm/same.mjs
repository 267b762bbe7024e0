// Plays games with a module and prints what came of them, for comparison with other hosts.
import { readFileSync } from 'node:fs'

const [path, setup] = process.argv.slice(2)
const { play, reset, from, bytes } = JSON.parse(readFileSync(setup, 'utf8'))
const { instance } = await WebAssembly.instantiate(readFileSync(path), {})
const memory = () => new Uint8Array(instance.exports.memory.buffer)
for (const [at, content] of reset) memory().set(Buffer.from(content, 'base64'), at)
instance.exports.budget(1n << 40n)
const failure = instance.exports.play(...play.map((each, place) => place === 2 ? BigInt(each) : each))
const found = Buffer.from(memory().slice(from, from + bytes)).toString('base64')
console.log(JSON.stringify({ failure, found }))

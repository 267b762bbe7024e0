// Run by `node --test`: every script in the folder RULEWRIGHT_SCRIPTS, with the runtime RULEWRIGHT_RUNTIME.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { follow } from './follow.mjs'

const folder = process.env.RULEWRIGHT_SCRIPTS
const runtime = await import(pathToFileURL(process.env.RULEWRIGHT_RUNTIME))

for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
  const script = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  test(script.name, async () => {
    const { compared, differences } = await follow(runtime, script)
    assert.equal(compared, script.lines.length)
    assert.equal(differences.length, 0, `${differences.length} differ:\n${differences.slice(0, 5).join('\n')}`)
  })
}

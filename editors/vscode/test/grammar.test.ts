/** The colours before the server answers, and the files that the manifest names. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

const path = "syntaxes/rules.tmLanguage.json";

async function scopes(line: string): Promise<Record<string, string>> {
  const wasm = readFileSync("node_modules/vscode-oniguruma/release/onig.wasm");
  await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf8"), path),
  });
  const grammar = await registry.loadGrammar("source.rules");
  assert.ok(grammar);
  const found: Record<string, string> = {};
  for (const token of grammar.tokenizeLine(line, INITIAL).tokens) {
    const text = line.slice(token.startIndex, token.endIndex).trim();
    if (text) found[text] = token.scopes.at(-1) ?? "";
  }
  return found;
}

test("a declaration is coloured by its parts", async () => {
  const found = await scopes('move bank(n: 1..6) by p in play "keeps" [turn.bank]  # why');
  assert.equal(found["move"], "keyword.declaration.rules");
  assert.equal(found["bank"], "entity.name.function.rules");
  assert.equal(found["by"], "keyword.control.rules");
  assert.equal(found["in"], "keyword.operator.word.rules");
  assert.equal(found['"keeps"'], "string.quoted.double.rules");
  assert.equal(found["turn.bank"], "entity.name.tag.rules");
  assert.equal(found["# why"], "comment.line.number-sign.rules");
});

test("an expression is coloured by its parts", async () => {
  const found = await scopes("    size(hand[p]) >= 5 and on[A1] == none and c in Colour");
  assert.equal(found["size"], "support.function.rules");
  assert.equal(found["and"], "keyword.operator.word.rules");
  assert.equal(found["A1"], "constant.other.square.rules");
  assert.equal(found["none"], "constant.language.rules");
  assert.equal(found["Colour"], "entity.name.type.rules");
});

test("everything that the manifest names is there", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const { languages, grammars, snippets } = manifest.contributes;
  for (const file of [languages[0].configuration, grammars[0].path, snippets[0].path]) {
    assert.ok(existsSync(file), file);
  }
  const source = readFileSync("src/extension.ts", "utf8");
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(command));
});

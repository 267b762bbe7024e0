/** The client's side against the real server: started, told and asked as the extension does. */

import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { after, before, test } from "node:test";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { panels } from "./fake_vscode";
import { GameView } from "../src/game_view";
import type { Page } from "../src/page";
import { clientOptions, serverOptions, settingsOf } from "../src/server";

const program = process.env["RULEWRIGHT"] ?? "rulewright";
const uri = "file:///tmp/pips.rules";
const game = `game pips "Pips"
    players 2..2

phase play, over final

state
    active: Player = 1
    each Player
        points: 0..9 = 0

move bank by p in play "keeps a point"
    needs mine "it is your turn": p == active
    does
        points[p] += 1
        active = left_of(p)

invariant few "nobody has more than two": all p: Player: points[p] <= 2

example first "a point"
    players ann, bo
    ann plays bank
    expect points[ann] == 1
`;

const shown: Page[] = [];
const settings = settingsOf({ get: (_name, otherwise) => otherwise });
const options = clientOptions(settings, (page) => shown.push(page));
let child: ChildProcessWithoutNullStreams;
let connection: MessageConnection;
let diagnostics: { code: string }[] = [];

before(async () => {
  const server = serverOptions([program, "lsp"]) as { command: string; args: string[] };
  child = spawn(server.command, server.args, { shell: false });
  connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    diagnostics = params.diagnostics;
  });
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions: options.initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  const textDocument = { uri, languageId: "rules", version: 1, text: game };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
});

after(async () => {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  child.stdin.end();
});

/** Runs a command through the middleware, as a click on a lens does. */
function execute(command: string, ...args: unknown[]): Promise<unknown> {
  const run = options.middleware?.executeCommand;
  assert.ok(run);
  return Promise.resolve(
    run(command, args, (name, given) =>
      connection.sendRequest("workspace/executeCommand", { command: name, arguments: given }),
    ),
  );
}

test("the documents that the client sends are those of the language", () => {
  assert.deepEqual(options.documentSelector, [{ language: "rules" }]);
});

test("lenses lead to commands that the server has", async () => {
  const lenses: { command: { title: string; command: string; arguments: unknown[] } }[] =
    await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  const play = lenses.find((each) => each.command.title === "▶ play");
  assert.ok(play);
  const result = await execute(play.command.command, ...play.command.arguments);
  assert.equal((result as { verdict: string }).verdict, "passed");
  assert.equal(shown.at(-1)?.title, "first");
  assert.match(shown.at(-1)?.html ?? "", /Content-Security-Policy/);
});

test("a refuted property opens its game", async () => {
  const result = await execute("rulewright.prove", uri, "few");
  assert.deepEqual(result, { verdicts: { few: "refuted" } });
  await execute("rulewright.showGame", uri, "few");
  assert.equal(shown.at(-1)?.title, "few");
  assert.ok(diagnostics.some((each) => each.code.startsWith("RW3")));
});

test("the game view shows one page after the other in one panel, without scripts", () => {
  const view = new GameView();
  view.show({ title: "one", html: "<p>1</p>" });
  view.show({ title: "two", html: "<p>2</p>" });
  assert.equal(panels.length, 1);
  assert.equal(panels[0]?.webview.html, "<p>2</p>");
  assert.equal(panels[0]?.options.enableScripts, false);
  view.dispose();
  view.show({ title: "three", html: "<p>3</p>" });
  assert.equal(panels.length, 2);
});

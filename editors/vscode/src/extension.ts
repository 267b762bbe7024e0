/** The extension: starts the language server, and shows the pages that its commands return. */

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { GameView } from "./game_view";
import { clientOptions, serverOptions, settingsOf } from "./server";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const view = new GameView();
  context.subscriptions.push(
    view,
    vscode.commands.registerCommand("rulewright.proveFile", () => proveFile()),
    vscode.commands.registerCommand("rulewright.restart", () => restart(view)),
    vscode.workspace.onDidChangeConfiguration((change) => configured(change, view)),
  );
  await start(view);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

/** Starts the server; says what to do where it cannot be started. */
async function start(view: GameView): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("rulewright");
  const command = configuration.get<string[]>("command", ["rulewright", "lsp"]);
  client = new LanguageClient(
    "rulewright",
    "Rulewright",
    serverOptions(command),
    clientOptions(settingsOf(configuration), (page) => view.show(page)),
  );
  try {
    await client.start();
  } catch {
    client = undefined;
    const help = "pip install 'rulewright[editor]'";
    await vscode.window.showErrorMessage(
      `Rulewright: \`${command.join(" ")}\` could not be started. Install it with \`${help}\`, ` +
        "or name its place in the setting `rulewright.command`.",
    );
  }
}

async function restart(view: GameView): Promise<void> {
  await client?.stop();
  await start(view);
}

async function configured(change: vscode.ConfigurationChangeEvent, view: GameView): Promise<void> {
  if (change.affectsConfiguration("rulewright.command")) {
    await restart(view);
  } else if (change.affectsConfiguration("rulewright")) {
    const settings = settingsOf(vscode.workspace.getConfiguration("rulewright"));
    await client?.sendNotification("workspace/didChangeConfiguration", { settings });
  }
}

async function proveFile(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "rules") return;
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress({ location, title: "Rulewright: proving" }, async () => {
    await vscode.commands.executeCommand("rulewright.prove", document.uri.toString(), null);
  });
}

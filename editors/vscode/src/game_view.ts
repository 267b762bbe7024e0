/** The game view: a panel beside the text that shows one game at a time. It runs no scripts. */

import * as vscode from "vscode";
import type { Page } from "./page";

export class GameView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  show(page: Page): void {
    if (this.panel === undefined) {
      this.panel = vscode.window.createWebviewPanel(
        "rulewright.game",
        page.title,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: false, localResourceRoots: [] },
      );
      this.panel.onDidDispose(() => {
        this.panel = undefined;
      });
    }
    this.panel.title = page.title;
    this.panel.webview.html = page.html;
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }
}

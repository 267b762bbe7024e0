/** As much of VS Code as the game view needs: panels that remember what they were told. */

export enum ViewColumn {
  Beside = -2,
}

export class Panel {
  title = "";
  webview = { html: "" };
  revealed = 0;
  private gone: (() => void) | undefined;

  constructor(readonly options: { enableScripts?: boolean }) {}

  onDidDispose(listener: () => void): void {
    this.gone = listener;
  }

  reveal(): void {
    this.revealed += 1;
  }

  dispose(): void {
    this.gone?.();
  }
}

export const panels: Panel[] = [];

export const window = {
  createWebviewPanel(_kind: string, title: string, _column: unknown, options: object): Panel {
    const panel = new Panel(options);
    panel.title = title;
    panels.push(panel);
    return panel;
  },
};

/** How the server is started, and what it is told. */

import type { LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { asPage, type Page } from "./page";

export interface Settings {
  testOnSave: boolean;
  proveOnSave: boolean;
  returnsPages: boolean;
}

interface Configuration {
  get<T>(name: string, otherwise: T): T;
}

/** What the server is told of the settings of this editor. */
export function settingsOf(configuration: Configuration): Settings {
  return {
    testOnSave: configuration.get("testOnSave", true),
    proveOnSave: configuration.get("proveOnSave", false),
    returnsPages: true,
  };
}

/** The program is started by its words, never by a shell. */
export function serverOptions(command: readonly string[]): ServerOptions {
  const [program = "rulewright", ...args] = command;
  return { command: program, args, options: { shell: false } };
}

/** Commands of lenses go to the server; a page that comes back is shown. */
export function clientOptions(
  settings: Settings,
  show: (page: Page) => void,
): LanguageClientOptions {
  return {
    documentSelector: [{ language: "rules" }],
    initializationOptions: settings,
    middleware: {
      async executeCommand(command, args, next) {
        const result: unknown = await next(command, args);
        const page = asPage(result);
        if (page !== undefined) show(page);
        return result;
      },
    },
  };
}

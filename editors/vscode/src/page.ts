/** A page that the server made: a game, drawn. */

export interface Page {
  title: string;
  html: string;
}

/** The page in the result of a command, if there is one. */
export function asPage(result: unknown): Page | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { title, html } = result as Record<string, unknown>;
  return typeof title === "string" && typeof html === "string" ? { title, html } : undefined;
}

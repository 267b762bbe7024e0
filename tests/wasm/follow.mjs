// Follows a script with a game that was exported, and says where it went another way. The same in Node
// and in a browser; whoever calls it brings the runtime.

const ACTIONS = {
  load: (game, given) => (game.load(given), game.position),
  begin: (game, given) => (game.begin(given), game.position),
  beginAtRandom: (game, [seed, number]) => (game.beginAtRandom(seed, number), game.position),
  play: (game, given) => game.play(given).map((each) => each.name),
  refusals: (game, given) => game.refusals(given),
  broken: (game) => game.broken().map((each) => each.name),
  choose: (game, [seed, number]) => game.choose(seed, number),
  draw: (game, [seed, number]) => game.draw(seed, number),
  step: (game) => game.step()?.name ?? null,
  undo: (game) => game.undo(),
  moves: (game) => game.moves(),
  outcomes: (game) => game.outcomes().map(({ event, weight }) => [event, weight]),
  chances: (game) => Math.round(1e9 * game.outcomes().reduce((sum, each) => sum + each.probability, 0)),
  position: (game) => game.position,
  trace: (game) => game.trace,
  over: (game) => game.over,
  scores: (game) => game.scores(),
  winners: (game) => game.winners(),
}

export async function follow(runtime, { name, manifest, module, options, lines }) {
  const differences = []
  const game = await runtime.load(manifest, decoded(module), options)
  lines.forEach(([action, given, expected], place) => {
    const found = answer(runtime, () =>
      ACTIONS[action](game, given === null ? undefined : runtime.parse(given))
    )
    if (found !== expected) {
      differences.push(`${name}, ${place}: ${action} ${given}\n  expected ${expected}\n  found    ${found}`)
    }
  })
  return { compared: lines.length, differences }
}

function answer(runtime, ask) {
  try {
    return runtime.stringify(ask())
  } catch (error) {
    if (!(error instanceof runtime.GameError)) throw error
    const place = error instanceof runtime.RulesError ? ` (${error.line}:${error.column})` : ''
    return `${error.name}: ${error.message}${place}`
  }
}

function decoded(base64) {
  return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
}

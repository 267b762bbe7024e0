// The model of README.md on boardgame.io: headless local client, random legal moves.
// `node qwixx_bgio.cjs PLAYERS SECONDS` prints the steps and the seconds it computed. Leaves out scores and
// any invariant: the framework keeps state and turns, it checks no rules beyond the moves.
const path = require("path");
const root = path.join(__dirname, "..", ".peers", "node_modules");
const { Client } = require(path.join(root, "boardgame.io/dist/cjs/client.js"));
const N = parseInt(process.argv[2]), secs = parseFloat(process.argv[3]);
const ROLL = 0, WHITE = 1, COLOR = 2;
const pos = (r, v) => (r < 2 ? v - 2 : 12 - v);
const can = (G, p, r, v, need = 5) => {
  if (G.closed[r]) return false;
  const i = pos(r, v);
  return i > G.last[p][r] && (i !== 10 || G.crossed[p][r].length >= need);
};
const mark = (G, p, r, v) => {
  const i = pos(r, v);
  G.crossed[p][r].push(i);
  G.last[p][r] = i;
  if (i === 10) G.lock[p][r] = true;
};
const nclosed = (G) => G.closed.filter(Boolean).length;
const closeRows = (G) => { for (let p = 0; p < N; p++) for (let r = 0; r < 4; r++) if (G.lock[p][r]) G.closed[r] = true; };

const Qwixx = {
  name: "qwixx",
  setup: () => ({
    crossed: Array.from({ length: N }, () => [[], [], [], []]),
    last: Array.from({ length: N }, () => [-1, -1, -1, -1]),
    lock: Array.from({ length: N }, () => [false, false, false, false]),
    mis: Array(N).fill(0), closed: [false, false, false, false],
    who: 0, used: false, w: [1, 1], d: [1, 1, 1, 1], phase: ROLL, over: false,
  }),
  turn: { activePlayers: { all: "play" }, stages: { play: {} } },
  moves: {
    roll: ({ G, random }) => {
      G.w = [random.D6(), random.D6()];
      G.d = [random.D6(), random.D6(), random.D6(), random.D6()];
      G.who = 0; G.used = false; G.phase = WHITE;
    },
    white: ({ G, ctx }, r) => {
      const p = G.who, v = G.w[0] + G.w[1];
      if (r >= 0) {
        if (!can(G, p, r, v)) return "INVALID_MOVE";
        mark(G, p, r, v);
        if (p === +ctx.currentPlayer) G.used = true;
      }
      if (p < N - 1) G.who++;
      else { closeRows(G); G.phase = COLOR; G.over = nclosed(G) >= 2; }
    },
    color: ({ G, ctx, events }, k, r) => {
      const p = +ctx.currentPlayer;
      if (r >= 0) {
        const v = G.w[k] + G.d[r];
        if (!can(G, p, r, v)) return "INVALID_MOVE";
        mark(G, p, r, v); closeRows(G);
      } else if (!G.used) G.mis[p]++;
      G.over = G.mis[p] === 4 || nclosed(G) >= 2;
      G.phase = ROLL;
      events.endTurn();
    },
  },
  endIf: ({ G }) => (G.over ? true : undefined),
};

const pick = (a) => a[Math.floor(Math.random() * a.length)];
let steps = 0, games = 0;
const computed = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const began = computed();
let dt = 0;
while (dt < secs) {
  const c = Client({ game: { ...Qwixx, seed: "s" + games }, numPlayers: N, debug: false });
  c.start();
  games++;
  for (;;) {
    const { G, ctx } = c.getState();
    if (ctx.gameover) break;
    if (G.phase === ROLL) { c.updatePlayerID(ctx.currentPlayer); c.moves.roll(); }
    else if (G.phase === WHITE) {
      const o = [-1];
      for (let r = 0; r < 4; r++) if (can(G, G.who, r, G.w[0] + G.w[1])) o.push(r);
      c.updatePlayerID(String(G.who)); c.moves.white(pick(o));
    } else {
      const p = +ctx.currentPlayer, o = [[0, -1]];
      for (const k of [0, 1]) for (let r = 0; r < 4; r++) if (can(G, p, r, G.w[k] + G.d[r])) o.push([k, r]);
      c.updatePlayerID(ctx.currentPlayer); c.moves.color(...pick(o));
    }
    steps++;
  }
  c.stop();
  dt = computed() - began;
}
console.log(JSON.stringify({ steps, seconds: dt }));

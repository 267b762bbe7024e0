// A complete Qwixx engine for Node, written from the rulebook. It answers one JSON object a line.
//
// The engine keeps its game as it likes: rows of numbers, dice by colour. Only `report` and
// `restore`, at the end, know how the protocol writes a position.

import { createInterface } from "node:readline";

const COLOURS = ["red", "yellow", "green", "blue"];
const SPACES = 11;
const RISING = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const FALLING = [...RISING].reverse();

class Illegal extends Error {}

const refuseIf = (condition, why) => {
  if (condition) throw new Illegal(why);
};

// ---- the game

class Qwixx {
  constructor(players, active, finishTurn, shareWins) {
    this.players = players;
    this.active = active;
    this.finishTurn = finishTurn;
    this.shareWins = shareWins;
    this.phase = "throw";
    this.white = [1, 1];
    this.dice = new Map(COLOURS.map((colour) => [colour, 1]));
    this.closed = new Set();
    this.answered = new Set();
    this.activeCrossed = false;
    this.sheets = Array.from({ length: players }, () => ({
      rows: new Map(COLOURS.map((colour) => [colour, []])),
      locks: new Set(),
      misthrows: 0,
    }));
  }

  numberAt(row, space) {
    return (row === "red" || row === "yellow" ? RISING : FALLING)[space - 1];
  }

  throwDice(white, dice) {
    refuseIf(this.phase !== "throw", "the dice are not thrown now");
    for (const colour of COLOURS) {
      const gone = dice.get(colour) === null;
      refuseIf(gone !== this.closed.has(colour), `the ${colour} die is thrown while its row is open`);
    }
    this.white = white;
    this.dice = dice;
    this.activeCrossed = false;
    this.phase = "first_action";
  }

  crossSum(player, row, space) {
    this.checkFirstAction(player);
    const sum = this.white[0] + this.white[1];
    refuseIf(this.numberAt(row, space) !== sum, "this is not the sum of the white dice");
    this.cross(player, row, space);
    if (player === this.active) this.activeCrossed = true;
    this.answer(player);
  }

  passSum(player) {
    this.checkFirstAction(player);
    this.answer(player);
  }

  crossColour(player, row, space, whiteDie, colour) {
    this.checkSecondAction(player);
    const pips = this.dice.get(colour);
    refuseIf(pips === null, `the ${colour} die has left the game`);
    refuseIf(row !== colour, "the sum goes into the row of the coloured die");
    refuseIf(this.numberAt(row, space) !== this.white[whiteDie - 1] + pips, "this is not the sum");
    this.cross(player, row, space);
    this.endTurn();
  }

  passColour(player) {
    this.checkSecondAction(player);
    if (!this.activeCrossed) this.sheets[player - 1].misthrows += 1;
    this.endTurn();
  }

  checkFirstAction(player) {
    refuseIf(this.phase !== "first_action", "this is not the first action");
    refuseIf(this.answered.has(player), "this player has already acted");
  }

  checkSecondAction(player) {
    refuseIf(this.phase !== "second_action", "this is not the second action");
    refuseIf(player !== this.active, "only the active player has a second action");
  }

  cross(player, row, space) {
    const sheet = this.sheets[player - 1];
    const crosses = sheet.rows.get(row);
    refuseIf(this.closed.has(row), `the ${row} row is closed`);
    refuseIf(crosses.length > 0 && crosses.at(-1) >= space, "crosses go from left to right");
    refuseIf(space === SPACES && crosses.length < 5, "the last number needs five crosses first");
    crosses.push(space);
    if (space === SPACES) sheet.locks.add(row);
  }

  // Rows locked in the first action close only when everybody has answered.
  answer(player) {
    this.answered.add(player);
    if (this.answered.size < this.players) return;
    this.answered.clear();
    this.closeRows();
    const out = this.closed.size >= 2 && !this.finishTurn;
    this.phase = out ? "over" : "second_action";
  }

  endTurn() {
    this.closeRows();
    const misthrows = this.sheets[this.active - 1].misthrows;
    if (misthrows >= 4 || this.closed.size >= 2) {
      this.phase = "over";
      return;
    }
    this.active = (this.active % this.players) + 1;
    this.phase = "throw";
  }

  closeRows() {
    for (const sheet of this.sheets) {
      for (const row of sheet.locks) {
        this.closed.add(row);
        this.dice.set(row, null);
      }
    }
  }

  score(player) {
    const sheet = this.sheets[player - 1];
    let points = -5 * sheet.misthrows;
    for (const [row, crosses] of sheet.rows) {
      const count = crosses.length + (sheet.locks.has(row) ? 1 : 0);
      points += (count * (count + 1)) / 2;
    }
    return points;
  }

  winners() {
    if (this.phase !== "over") return [];
    const players = this.seats();
    const best = Math.max(...players.map((player) => this.score(player)));
    const winners = players.filter((player) => this.score(player) === best);
    return winners.length === 1 || this.shareWins ? winners : [];
  }

  seats() {
    return Array.from({ length: this.players }, (_, index) => index + 1);
  }
}

// ---- the protocol: positions and events as JSON

const number = (value, low, high) => {
  refuseIf(!Number.isInteger(value) || value < low || value > high, `expected ${low} to ${high}`);
  return value;
};

const colour = (value) => {
  refuseIf(!COLOURS.includes(value), "expected a colour");
  return value;
};

const inOrder = (colours) => COLOURS.filter((each) => colours.has(each));

const report = (game) => ({
  phase: game.phase,
  answered: [...game.answered].sort(),
  active: game.active,
  white: game.white.map((pips, index) => [index + 1, pips]),
  coloured: Object.fromEntries(game.dice),
  closed: inOrder(game.closed),
  active_crossed: game.activeCrossed,
  crossed: game.sheets.map((sheet, index) => [index + 1, Object.fromEntries(sheet.rows)]),
  locked: game.sheets.map((sheet, index) => [index + 1, inOrder(sheet.locks)]),
  misthrows: game.sheets.map((sheet, index) => [index + 1, sheet.misthrows]),
});

const restore = (game, state) => {
  game.phase = state.phase;
  game.answered = new Set(state.answered);
  game.active = state.active;
  game.white = state.white.map(([, pips]) => pips);
  game.dice = new Map(COLOURS.map((each) => [each, state.coloured[each]]));
  game.closed = new Set(state.closed);
  game.activeCrossed = state.active_crossed;
  game.sheets = state.crossed.map(([player, rows], index) => ({
    rows: new Map(COLOURS.map((each) => [each, [...rows[each]].sort((a, b) => a - b)])),
    locks: new Set(state.locked[index][1]),
    misthrows: state.misthrows[index][1],
  }));
};

const PARAMETERS = {
  throw: ["w", "d"],
  cross_sum: ["row", "at"],
  pass_sum: [],
  cross_colour: ["row", "at", "white_die", "die"],
  pass_colour: [],
};

const events = {
  throw: (game, _, { w, d }) => {
    const pairs = Array.isArray(w) && w.length === 2 && w.every(Array.isArray);
    const byColour = d !== null && typeof d === "object" && Object.keys(d).length === COLOURS.length;
    refuseIf(!pairs || !byColour, "expected two white dice and one of each colour");
    game.throwDice(
      [1, 2].map((die) => number(w.find(([each]) => each === die)?.[1], 1, 6)),
      new Map(COLOURS.map((each) => [each, d[each] === null ? null : number(d[each], 1, 6)])),
    );
  },
  cross_sum: (game, by, { row, at }) => game.crossSum(by, colour(row), number(at, 1, SPACES)),
  pass_sum: (game, by) => game.passSum(by),
  cross_colour: (game, by, { row, at, white_die, die }) =>
    game.crossColour(by, colour(row), number(at, 1, SPACES), number(white_die, 1, 2), colour(die)),
  pass_colour: (game, by) => game.passColour(by),
};

let game = null;

const verbs = {
  hello: () => ({
    engine: "Qwixx for Node",
    game: "qwixx",
    can: ["new", "apply", "state", "load", "score"],
  }),
  new: ({ players, readings = {}, variant = null, active = 1 }) => {
    refuseIf(variant !== null, "only the usual sheet is known");
    game = new Qwixx(
      number(players, 2, 5),
      number(active, 1, players),
      readings.window_end === "finish_turn",
      readings.ties !== "undecided",
    );
    return { ok: true, state: report(game) };
  },
  apply: ({ move, chance, by, args = {} }) => {
    const name = move ?? chance;
    refuseIf(!Object.hasOwn(events, name), `there is no ${name}`);
    refuseIf((name === "throw") !== (chance !== undefined), `${name} is of the other kind`);
    const given = Object.keys(args).sort().join();
    refuseIf(given !== PARAMETERS[name].toSorted().join(), `${name} takes other arguments`);
    if (move !== undefined) number(by, 1, game.players);
    events[name](game, by, args);
    return { ok: true, state: report(game) };
  },
  state: () => ({ state: report(game) }),
  load: ({ state }) => {
    restore(game, state);
    return { ok: true };
  },
  score: () => ({
    scores: game.seats().map((player) => [player, game.score(player)]),
    winners: game.winners(),
  }),
};

const answer = (line) => {
  try {
    const { do: verb, ...request } = JSON.parse(line);
    refuseIf(!Object.hasOwn(verbs, verb), `${verb} is not known`);
    return verbs[verb](request);
  } catch (error) {
    if (!(error instanceof Illegal)) throw error;
    return { ok: false, why: error.message };
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(line)) + "\n");
}

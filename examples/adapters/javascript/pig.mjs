// Pig as a program that runs by itself, and the adapter that holds it to the rules:
//
//     rulewright conform spec/tutorial/pig.rules "exec:node examples/adapters/javascript/pig.mjs"

import { Illegal, OwnLoop, serve } from "./rulewright.mjs";

// ---- the engine: it knows nothing of adapters

class Table {
  constructor(players, first, asks) {
    Object.assign(this, { points: Array(players).fill(0), active: first, total: 0, rolling: false });
    this.asks = asks;
  }

  over() {
    return Math.max(...this.points) >= 100;
  }

  async play() {
    while (!this.over()) {
      while (await this.goesOn());
      if (!this.over()) this.active = (this.active + 1) % this.points.length;
    }
  }

  // One decision; whether the turn goes on after it.
  async goesOn() {
    const have = this.points[this.active] + this.total;
    if ((await this.asks.choose(this.active)) === "hold") {
      if (this.total === 0) return this.complain("roll first");
      this.points[this.active] = have;
      if (have < 100) this.total = 0;
      return false;
    }
    if (have >= 100) return this.complain("hold, and you have won");
    this.rolling = true;
    const pips = await this.asks.roll();
    this.rolling = false;
    this.total = pips === 1 ? 0 : this.total + pips;
    return pips !== 1;
  }

  complain(why) {
    this.asks.complain(why);
    return true;
  }
}

// ---- the adapter

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const choice = (player) => (event) => {
  const { move, by, args, ...more } = event;
  const fits = ["roll", "hold"].includes(move) && by === player + 1 && same([args, more], [{}, {}]);
  if (!fits) throw new Illegal("this is not what was asked");
  return move;
};

const fallen = ({ chance, args, ...more }) => {
  const pips = args?.pips;
  const fits = chance === "fall" && same([args, more], [{ pips }, {}]);
  if (!fits || !Number.isInteger(pips) || pips < 1 || pips > 6) throw new Illegal("the die falls");
  return pips;
};

class Pig extends OwnLoop {
  async new({ players, variant, active }) {
    if (players < 2 || players > 4 || variant !== null) throw new Illegal("not this one");
    this.table = new Table(players, active - 1, {
      choose: (player) => this.ask(choice(player)),
      roll: () => this.ask(fallen),
      complain: (why) => this.refuse(why),
    });
    await this.begin(() => this.table.play());
  }

  apply(event) {
    return this.put(event);
  }

  state() {
    const { points, active, total, rolling } = this.table;
    const phase = this.table.over() ? "won" : rolling ? "rolling" : "decide";
    const pairs = points.map((each, seat) => [seat + 1, each]);
    return { phase, active: active + 1, total, points: pairs };
  }

  score() {
    const scores = this.state().points;
    return { scores, winners: scores.filter(([, each]) => each >= 100).map(([seat]) => seat) };
  }
}

await serve(new Pig(), { name: "Pig for Node", game: "pig" });

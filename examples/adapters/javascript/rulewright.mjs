// A thin adapter for engines in JavaScript: answers the requests of `rulewright conform`.
//
// `serve(engine)` takes an object with `new` and `apply`, and if it can `state`, `legal`, `load` and
// `score`; any of them may be async. It refuses by throwing `Illegal`. An engine that runs its own
// loop extends `OwnLoop` and asks there for what it would ask players and dice.

import { createInterface } from "node:readline";

export class Illegal extends Error {}

const VERBS = ["new", "apply", "state", "legal", "load", "score"];

const asked = {
  new: async (engine, given) => granted(engine, await engine.new(given)),
  apply: async (engine, given) => granted(engine, await engine.apply(given)),
  state: async (engine) => ({ state: await engine.state() }),
  legal: async (engine) => ({ moves: await engine.legal() }),
  load: async (engine, { state }) => granted(engine, await engine.load(state)),
  score: async (engine) => await engine.score(),
};

const granted = async (engine, answer) => {
  if (answer === false) return { ok: false };
  return engine.state === undefined ? { ok: true } : { ok: true, state: await engine.state() };
};

export const serve = async (engine, { name = "engine", game = null } = {}) => {
  const can = VERBS.filter((verb) => typeof engine[verb] === "function");
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: verb, ...given } = JSON.parse(line);
    let answer;
    try {
      if (verb === "hello") answer = { engine: name, game, can };
      else if (can.includes(verb)) answer = await asked[verb](engine, given);
      else answer = { ok: false, why: `${verb} is not known` };
    } catch (error) {
      if (!(error instanceof Illegal)) throw error;
      answer = { ok: false, why: error.message };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
};

// A game whose loop asks, with `await this.ask(fits)`, and is fed from outside, with `put(event)`.
// `fits` makes of an event what the loop wants to know, or throws `Illegal`.
export class OwnLoop {
  begin(loop) {
    return this.#untilItAsks(() => {
      this.loop = {}; // a loop that was given up waits for ever, and nobody holds it
      loop().then(() => this.#news({ over: true }), (error) => this.#news({ error }));
    });
  }

  ask(fits) {
    return new Promise((answer) => this.#news({ fits, answer }));
  }

  refuse(why) {
    this.refused = why;
  }

  put(event) {
    if (this.question === null) throw new Illegal("the game is over");
    const { fits, answer } = this.question;
    const wanted = fits(event);
    return this.#untilItAsks(() => answer(wanted));
  }

  async #untilItAsks(act) {
    this.refused = null;
    const news = await new Promise((hear) => {
      this.hear = hear;
      act();
    });
    this.question = news.fits ? news : null;
    if (news.error) throw news.error;
    if (this.refused !== null) throw new Illegal(this.refused);
  }

  #news(what) {
    this.hear(what);
  }
}

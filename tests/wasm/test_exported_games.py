"""Law: an exported game is the same in Node and in a browser as in the evaluator: how it begins,
what can happen, what is refused, where it leads, how it ends, how it is recorded."""

from __future__ import annotations

import io
import json
import subprocess
from functools import cache
from pathlib import Path

import pytest

from rulewright.play.io.json_codec import encode_position
from rulewright.play.io.trace import RecordedEvent, TraceError, read_trace
from rulewright.play.semantics import rules
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.resources import bundled_games
from rulewright.wasm.runtime.export import RUNTIME, export
from tests.patience import PATIENCE
from tests.play.games import bundled, usable
from tests.wasm.hosts import NODE, in_browser, needs_browser, needs_node
from tests.wasm.scripts import Script, begin, examples, in_node, random_game, written

HERE = Path(__file__).parent
PAGE = b"""
import * as runtime from '/runtime/game.js'
import { follow } from '/follow.mjs'
const said = { compared: 0, differences: [] }
try {
  for (const script of await (await fetch('/scripts.json')).json()) {
    const { compared, differences } = await follow(runtime, script)
    said.compared += compared
    said.differences.push(...differences)
  }
} catch (error) {
  said.differences.push(String(error))
}
await fetch('/', { method: 'POST', body: JSON.stringify(said) })
"""


@cache
def worked(name: str) -> list[Script]:
    return examples(bundled(name))


@cache
def at_random(name: str) -> list[Script]:
    found = []
    checked = bundled(name)
    assert checked.spec is not None
    variants = [None, *(each.name for each in checked.spec.variants)]
    for number, variant in enumerate(variants):
        for players in {checked.spec.least, min(checked.spec.most, 3)}:
            readings = {
                each.name: each.options[(number + players) % len(each.options)].name
                for each in checked.spec.readings
            }
            script = Script(checked, players, readings, variant, f"random {name} {players}")
            random_game(script, seed=5 + number, longest=60)
            found.append(script)
    return found


@needs_node
@pytest.mark.parametrize("name", bundled_games())
def test_worked_examples_are_the_same_in_node(name: str, tmp_path: Path):
    scripts = worked(name)
    assert sum(len(each.lines) for each in scripts) > 100
    in_node(scripts, tmp_path)


@needs_node
@pytest.mark.parametrize("name", [*bundled_games(), "pig"])
def test_games_at_random_are_the_same_in_node(name: str, tmp_path: Path):
    in_node(at_random(name), tmp_path)


@needs_browser
def test_worked_examples_and_games_at_random_are_the_same_in_a_browser(tmp_path: Path):
    scripts = [each for name in bundled_games() for each in (*worked(name), *at_random(name))]
    files = {f"/runtime/{path.name}": path.read_bytes() for path in RUNTIME.glob("*.js")}
    files["/page.mjs"] = PAGE
    files["/follow.mjs"] = (HERE / "follow.mjs").read_bytes()
    files["/scripts.json"] = f"[{','.join(each.json() for each in scripts)}]".encode()
    said = in_browser(files, tmp_path / "profile")
    assert said["differences"] == []
    assert said["compared"] == sum(len(each.lines) for each in scripts)


STARTS = """
    phase play, over final
    type Colour = red | green | blue
    state
        active: Player
        colour[Player]: Colour
        n: 0..9 = 4
    start
        apart "two have different colours": all p, q: Player: p == q or colour[p] != colour[q]
        not_first_red "the first player is not red": colour[1] != red
        low "nobody begins who is last": active != 3
    move on by p in play
        does phase = over
"""


@needs_node
def test_a_game_begins_as_it_is_told(tmp_path: Path):
    script = Script(usable(STARTS), 3, name="starts")
    colours = {"apart": ("green", "red", "blue"), "red": ("red", "green", "blue"),
               "same": ("green", "green", "blue")}  # fmt: skip
    colours_of = {key: [[seat, each] for seat, each in enumerate(value, 1)]
                  for key, value in colours.items()}  # fmt: skip
    decoded = {key: dict(enumerate(value, 1)) for key, value in colours.items()}
    begin(script, {})
    for active in (1, 2, 3):
        begin(script, {"active": active})
        for key in colours:
            chosen = {"active": active, "colour": decoded[key]}
            script.add("begin", {"active": active, "colour": colours_of[key]}, lambda chosen=chosen:
                       script.shown(initial_position(script.instance, chosen)))  # type: ignore[misc]  # fmt: skip
    begin(script, {"n": 3})
    begin(script, {"unheard_of": 3})
    assert sum(line[2].startswith("UsageError") for line in script.lines) > 6
    in_node([script], tmp_path)


TABLE = """
    phase play, over final
    state
        n: 0..9 = 0
        bag: Bag[1..4] = {1, 1, 1, 2, 4, 4}
        on: Bool = false
    chance take(n_: 1..4, flip: Bool) in play
        needs apart "</script><img src=x onerror=alert(1)> & more": n_ != 3 or flip
        weight bag[n_]
        does n = n_
    chance other(m[1..2]: 1..3) in play
        needs low "no": m[1] <= m[2]
        does
            n = m[1]
            on = true
    move pick(chosen: Set[1..12]) by p in play
        needs few "not so many": (count i in 1..12: i in chosen) < 3
        does phase = over
    step off in play
        when is_on "it is on": on
        does
            on = false
            n += 1
    step down in play
        when high "it is high": n > 3
        does n = 0
    fun score(p: Player): Int = n
    invariant low "not too high": n <= 6
    invariant off "not on": not on
"""


@needs_node
def test_chance_has_its_odds_and_steps_follow(tmp_path: Path):
    script = Script(usable(TABLE), 2, name="table")
    instance = script.instance
    position = initial_position(instance)
    weighted = outcomes(instance, position)
    assert len({weight for _, weight in weighted}) > 2
    script.add("outcomes", None, lambda: [[script.event(e), w] for e, w in weighted])
    script.add("chances", None, lambda: 10**9)
    for event, _ in weighted:
        script.load(position)
        script.results(script.play(position, event))
    script.load(position)
    for numbers in ({7, 12}, {1, 2, 3}, set()):
        script.refusals(position, Event("pick", 1, {"chosen": frozenset(numbers)}))
    script.refusals(position, Event("take", None, {"n_": 3, "flip": False}))
    assert "onerror=alert(1)" in script.lines[-1][2]
    due = {**position, "on": True, "n": 7}
    script.load(due)
    assert script.add("broken", None, lambda: ["low", "off"]) == [
        each.name for each in rules.broken_invariants(instance, due)
    ]
    for name in ("off", "down"):
        script.add("step", None, lambda name=name: name)  # type: ignore[misc]
        due = rules.take(instance, due, instance.transitions[name], None).after
        script.add("position", None, lambda due=due: script.shown(due))  # type: ignore[misc]
    script.add("step", None, lambda: None)
    in_node([script], tmp_path)


@needs_node
def test_a_difference_is_noticed(tmp_path: Path):
    """Scripts can fail: one that expects something else does."""
    script = Script(usable(TABLE), 2, name="table")
    script.add("position", None, lambda: {"phase": "over"})
    with pytest.raises(AssertionError, match="1 differ"):
        in_node([script], tmp_path)


@needs_node
def test_a_trace_can_be_replayed(tmp_path: Path):
    checked = bundled("twenty_one")
    (tmp_path / "manifest.json").write_text(export(checked, 3).text, encoding="utf-8")
    (tmp_path / "game.wasm").write_bytes(export(checked, 3).module)
    script = f"""
        import {{ readFileSync }} from 'node:fs'
        import {{ load, stringify }} from {json.dumps((RUNTIME / "game.js").as_uri())}
        const [manifest, module] = process.argv.slice(1)
        const game = await load(readFileSync(manifest, 'utf8'), readFileSync(module))
        game.beginAtRandom(3)
        for (let n = 0, event; (event = game.choose(4, n)) !== null; n++) game.play(event)
        const end = stringify(game.position)
        process.stdout.write(game.trace + end)
    """
    ran = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script, "manifest.json", "game.wasm"],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    *trace, end = ran.stdout.splitlines()
    found = read_trace(
        io.StringIO("\n".join(trace) + "\n"), "twenty_one", checked.hash,
        lambda header: Instance(checked.spec, header.players, header.readings),  # type: ignore[arg-type]
    )  # fmt: skip
    opened, *recorded = found
    assert not isinstance(opened, TraceError | RecordedEvent)
    position = opened.position
    for each in recorded:
        assert isinstance(each, RecordedEvent)
        position = rules.apply(opened.instance, position, each.event)[-1].after
    assert len(recorded) > 20
    assert written(encode_position(position, opened.instance)) == end

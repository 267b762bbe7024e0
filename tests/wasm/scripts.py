"""Scripts for exported games: what to do, and what the evaluator says of it. Other hosts follow
them and compare."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.play.explain.examples import play_example
from rulewright.play.io.json_codec import decode_position, encode_event, encode_position
from rulewright.play.semantics import rules
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.codegen.data_layout import Layout
from rulewright.wasm.runtime.export import PARTS, RUNTIME, export
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.meaning.states import Dice, any_value
from tests.patience import PATIENCE
from tests.wasm.hosts import NODE

FOLLOW = Path(__file__).parent / "follow.test.mjs"


def written(value: Any) -> str:
    """JSON as traces have it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Script:
    """A game with what to do and what must come of it."""

    def __init__(
        self,
        checked: LoadedSpec,
        players: int | None = None,
        readings: Mapping[str, str] | None = None,
        variant: str | None = None,
        name: str = "",
        work: int | None = None,
    ) -> None:
        assert checked.spec is not None
        self.checked = checked
        spec = checked.spec if variant is None else checked.variant(variant)
        self.instance = Instance(spec, players, readings)
        self.exported = export(checked, players, readings, variant)
        self.name = name or f"{spec.name} {players} {variant}"
        self.options = {} if work is None else {"work": work}
        self.lines: list[tuple[str, str | None, str]] = []

    def add(self, action: str, given: Any, ask: Callable[[], Any]) -> Any:
        """Does something; what comes of it here must come of it elsewhere."""
        value = None
        try:
            value = ask()
            said = written(value)
        except rules.Refused as refused:
            said = f"RefusedError: {refused}"
        except EvaluationError as error:
            assert self.checked.text is not None
            line, column = self.checked.text.place(error.span.start)
            said = f"RulesError: {error.message} ({line}:{column})"
        except LimitError as error:
            said = f"LimitError: {error.message}"
        except UsageError as error:
            said = f"UsageError: {error.message}"
        except Unsupported as error:
            said = f"UnsupportedError: {error}"
        self.lines.append((action, None if given is None else written(given), said))
        return value

    def json(self) -> str:
        """The script as other hosts read it."""
        return json.dumps({
            "name": self.name,
            "manifest": self.exported.text,
            "module": b64encode(self.exported.module).decode(),
            "options": self.options,
            "lines": self.lines,
        })  # fmt: skip

    # ---- in the words of the evaluator

    def event(self, event: Event) -> Any:
        return encode_event(event, self.instance)

    def shown(self, position: Position) -> Any:
        return encode_position(position, self.instance)

    def load(self, position: Position) -> None:
        shown = self.shown(position)
        self.add("load", shown, lambda: shown)

    def refusals(self, position: Position, event: Event) -> None:
        def ask() -> Any:
            found = rules.failing(self.instance, position, event)
            return [{"label": each.label, "prose": each.prose, "clauses": each.clauses}
                    for each in found]  # fmt: skip

        self.add("refusals", self.event(event), ask)

    def play(self, position: Position, event: Event) -> Position:
        """Plays an event, or finds that it cannot be; the position afterwards."""
        after = [position]

        def ask() -> list[str]:
            happened = rules.apply(self.instance, position, event)
            after.append(happened[-1].after)
            return [each.transition.name for each in happened]

        self.add("play", self.event(event), ask)
        self.add("position", None, lambda: self.shown(after[-1]))
        return after[-1]

    def results(self, position: Position) -> None:
        instance = self.instance
        self.add("over", None, lambda: rules.is_final(instance, position))
        broken = rules.broken_invariants
        self.add("broken", None, lambda: [each.name for each in broken(instance, position)])

        def scores() -> Any:
            found = rules.scores(instance, position)
            return None if found is None else list(found.values())

        self.add("scores", None, scores)
        self.add("winners", None, lambda: rules.winners(instance, position))


def examples(checked: LoadedSpec) -> list[Script]:
    """All worked examples of a spec, those with the same configuration in one script."""
    assert checked.spec is not None
    found: dict[Any, Script] = {}
    for example in checked.spec.examples:
        key = (example.players, example.readings, example.variant)
        if key not in found:
            readings = dict(example.readings)
            found[key] = Script(checked, example.players, readings, example.variant,
                                f"{checked.spec.name}: {example.name} and like it")  # fmt: skip
        _example(found[key], example)
    return list(found.values())


def _example(script: Script, example: c.Example) -> None:
    instance = script.instance
    there = next(each for each in instance.spec.examples if each.name == example.name)
    played = play_example(instance.spec, there)
    assert played.passed
    assert played.position is not None
    position = played.happened[0].before if played.happened else played.position
    first = position
    script.load(position)
    for line in there.lines:
        if isinstance(line, c.Expectation):
            continue  # it holds of the position, which is compared
        given = line.event if isinstance(line, c.ExpectedRefusal) else line
        transition = instance.transitions[given.transition]
        arguments = {
            param.name: evaluate(argument, Environment(instance, position))
            for param, argument in zip(transition.params, given.arguments)
        }
        event = Event(given.transition, given.by, arguments)
        script.refusals(position, event)
        position = script.play(position, event)
    script.results(position)
    for event in reversed([each.event for each in played.happened if each.event is not None]):
        script.add("undo", None, lambda event=event: script.event(event))  # type: ignore[misc]
    script.add("position", None, lambda: script.shown(first))


def random_game(script: Script, seed: int, longest: int) -> None:
    """A game at random as wasmtime chooses it and the evaluator plays it, with near misses."""
    instance, random = script.instance, Random(seed)
    game = WasmGame(instance, parts=PARTS)
    game.changes("start", seed, 1, signature="li>i")
    first = position = game.position
    script.add("beginAtRandom", [seed, 1], lambda: script.shown(first))
    for number in range(longest):
        event = game.choose(seed, number)
        if number % 8 == 0:
            script.add("moves", None, lambda: [script.event(each) for each in game.legal()])
            drawn = _drawn(game, seed, number)
            script.add("draw", [seed, number], lambda: drawn and script.event(drawn))  # noqa: B023
        chosen = event and script.event(event)
        script.add("choose", [seed, number], lambda: chosen)  # noqa: B023
        if event is None:
            break
        script.refusals(position, near_miss(instance, event, random))
        position = script.play(position, event)
        game.load(position)
    script.results(position)
    played = [line for line in script.lines if line[0] == "play"]
    for _, given, _ in reversed(played):
        assert given is not None
        script.add("undo", None, lambda: json.loads(given))  # noqa: B023
    script.add("position", None, lambda: script.shown(first))
    script.add("undo", None, lambda: None)


def _drawn(game: WasmGame, seed: int, number: int) -> Event | None:
    game.call("draw", seed, number, signature="ll>i")
    if not game.answered():
        return None
    return game.events.decode(game.running.memory, game.events.chosen)


def near_miss(instance: Instance, event: Event, random: Random) -> Event:
    """An event with something about it changed."""
    transition = instance.transitions[event.name]
    by, arguments = event.by, dict(event.arguments)
    if by is not None and random.randrange(2):
        by = random.randrange(instance.players) + 1
    for param in transition.params:
        if random.randrange(2):
            source = Dice(random.randrange(1 << 30))
            arguments[param.name] = any_value(param.type, instance, source)
    return Event(event.name, by, arguments)


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    7,
    10**20,
    2.5,
    "",
    "x",
    "A1",
    "red",
    [],
    {},
    [1, 1],
    [[1, 2], [1, 2]],
)


def spoiled(json: Any, random: Random) -> Any:
    """JSON with something wrong in it, most likely."""
    if not isinstance(json, dict | list) or not json or random.randrange(6) == 0:
        return random.choice(JUNK)
    key: Any = random.choice(list(json) if isinstance(json, dict) else range(len(json)))
    copied = dict(json) if isinstance(json, dict) else list(json)
    what = random.randrange(8)
    if what == 0:
        del copied[key]
    elif what == 1 and isinstance(copied, list):
        copied.insert(random.randrange(len(copied)), copied[key])
    elif what == 2 and isinstance(copied, dict):
        copied["unheard_of"] = copied[key]
    else:
        copied[key] = spoiled(copied[key], random)
    return copied


def load_whatever(script: Script, json: Any) -> None:
    """Loads JSON that need not be a position."""

    def ask() -> Any:
        position = decode_position(json, script.instance)
        layout = Layout(script.instance)
        layout.load(position, memoryview(bytearray(layout.size)), 0)
        return script.shown(position)

    if json is not None:  # which would be no argument at all
        script.add("load", json, ask)


def begin(script: Script, start: Mapping[str, Any]) -> None:
    """Begins with a choice."""
    script.add("begin", start, lambda: script.shown(initial_position(script.instance, start)))


def write(scripts: list[Script], folder: Path) -> int:
    """Writes scripts as files, and says how many lines they have."""
    for number, script in enumerate(scripts):
        (folder / f"{number:03}.json").write_text(script.json(), encoding="utf-8")
    return sum(len(script.lines) for script in scripts)


def in_node(scripts: list[Script], folder: Path) -> None:
    """Follows scripts in Node."""
    assert write(scripts, folder) > 0
    places = {"RULEWRIGHT_SCRIPTS": str(folder), "RULEWRIGHT_RUNTIME": str(RUNTIME / "game.js")}
    ran = subprocess.run(
        [str(NODE), "--test", "--test-reporter=tap", str(FOLLOW)],
        capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **places},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert f"# pass {len(scripts)}\n" in ran.stdout, ran.stdout[-2000:]

"""What is tried: for each kind of input, cases made from a source of chance.

Whoever has another kind of input that comes from strangers adds a function to `TARGETS`.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import shlex
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from random import Random
from typing import Any

from fuzz.inputs.mutated import changed, spec, written
from fuzz.inputs.publishing import books
from fuzz.inputs.read_again import certificates, shards
from fuzz.inputs.requests import editors, pages
from fuzz.inputs.running import Case
from fuzz.inputs.words import HUGE, NAMES, NUMBERS, anything
from rulewright.cli.options import Parser
from rulewright.cli.registry import summaries
from rulewright.frontend import read
from rulewright.play.io.json_codec import encode_position
from rulewright.play.io.trace import TraceWriter
from rulewright.play.semantics.instance import Instance
from rulewright.resources import bundled_specs
from rulewright.simulate.compiled.compiled_game import CompiledGame

FORMATS = ("full", "concise", "json", "junit", "github", "sarif")
PLAYED = ("pig", "twenty_one", "qwixx")
REPLIER = Path(__file__).with_name("replier.py")


def specs(random: Random) -> Case:
    """A spec, and any command that reads one."""
    text = spec(random)
    format = ("--format", random.choice(FORMATS))
    commands: list[tuple[str, ...]] = [
        ("check", "x.rules", *format),
        ("check", "--strict", "x.rules", *format),
        ("fmt", "--check", "x.rules", *format),
        ("fmt", "x.rules", *format),
        ("test", "x.rules", *format),
        ("run", "x.rules", "--games", "2", "--longest", "40", *format),
        ("run", "x.rules", "--games", "1", "--longest", "20", "--trace", "t.jsonl", *format),
        ("perft", "x.rules", "--depth", "2", *format),
        ("diff", "x.rules", "y.rules", "--quick", "--jobs", "1", "--timeout", "1", *format,
         "--html", "page.html"),
        ("docs", "x.rules", "--no-prove", "--out", "pages", *format),
        ("verify", "x.rules", "--no-prove", *format),
    ]  # fmt: skip
    if random.random() < 0.06:
        commands = [
            ("prove", "x.rules", "--jobs", "1", "--timeout", "1", "--limit", "4", *format),
            ("vectors", "x.rules", "--out", "v.jsonl", "--limit", "3", *format),
            ("readings", "x.rules", "--jobs", "1", "--timeout", "1", *format),
            ("evidence", "x.rules", "--limit", "3", *random.choice(((), ("--clauses",))), *format),
            ("diff", "x.rules", "y.rules", "--jobs", "1", "--timeout", "1", "--random-games", "5",
             *format),
        ]  # fmt: skip
    return Case("specs", random.choice(commands), {"x.rules": text, "y.rules": spec(random)})


@cache
def _recorded(name: str) -> tuple[str, str]:
    """A game at random as a trace, and a position of it."""
    instance = _instance(name)
    machine, random = CompiledGame(instance), Random(1)
    state = machine.begin(random)
    stream = StringIO()
    writer = TraceWriter(stream, None)
    writer.begin(instance, machine.position(state))
    for _ in range(12):
        event = machine.choose(state, random)
        if event is None:
            break
        writer.event(instance, machine.decode(event))
        state = machine.apply(state, event)
    return stream.getvalue(), json.dumps(encode_position(machine.position(state), instance))


@cache
def _instance(name: str) -> Instance:
    core = read(bundled_specs()[name]).spec
    assert core is not None
    return Instance(core, core.least)


def traces(random: Random) -> Case:
    """A recorded game with a few places changed."""
    name = random.choice(PLAYED)
    lines = [json.loads(line) for line in _recorded(name)[0].splitlines()]
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(lines)) if random.random() < 0.3 else len(lines) - 1
        lines[at] = changed(lines[at], random)
    broken = random.random() < 0.3
    text = "\n".join(written(line, random) if broken else json.dumps(line) for line in lines) + "\n"
    strict = ("--strict",) if random.random() < 0.3 else ()
    command = ("replay", name, "t.jsonl", "--format", random.choice(FORMATS), *strict)
    kind = random.random()
    if kind < 0.15:
        command = ("diff", "pig", "pig", "--quick", "--games", "t.jsonl", "--jobs", "1")
    elif kind < 0.35:
        unknown = random.choice(
            ("roll", "roll.pips", "throw", "dice", "total", "active", "throw.w")
        )
        command = (*command, "--unknown", unknown, "--deal", "deal.jsonl", "--limit", "5")
    elif kind < 0.5:
        command = (*command, "--results", random.choice(("r.jsonl", "r.parquet")))
    elif kind < 0.65:
        return _packed(text, command, random)
    return Case("traces", command, {"t.jsonl": text})


def _packed(text: str, command: tuple[str, ...], random: Random) -> Case:
    """Recorded games as a compressed file or as Parquet, now and then damaged."""
    name = random.choice(("t.gz", "t.bz2", "t.xz", "t.zst", "t.parquet"))
    data = text.encode(errors="surrogatepass")
    if name == "t.gz":
        data = gzip.compress(data, mtime=0)
    elif name == "t.bz2":
        data = bz2.compress(data)
    elif name == "t.xz":
        data = lzma.compress(data)
    elif name == "t.parquet":
        import pyarrow
        from pyarrow import parquet

        column = random.choice(("game", "game", "games"))
        table = pyarrow.table({column: [data.decode(errors="replace"), anything(random)[:0]]})
        stream = BytesIO()
        parquet.write_table(table, stream)
        data = stream.getvalue()
    for _ in range(random.choice((0, 0, 1, 1, 5))):
        at = random.randrange(len(data))
        data = data[:at] + random.randbytes(random.randint(0, 2)) + data[at + 1 :]
    packed = tuple(name if each == "t.jsonl" else each for each in command)
    return Case("traces", packed, {name: data})


def positions(random: Random) -> Case:
    """A position or a move that somebody asks about."""
    name = random.choice(PLAYED)
    position = json.loads(_recorded(name)[1])
    if random.random() < 0.4:
        position = changed(position, random)
    moves = [each.name for each in _instance(name).of_kind("move")]
    chosen = random.choice(_instance(name).of_kind("move"))
    values = (*map(str, range(1, 8)), "red", "none", "{red}", "[1, 2]", "{", "63", "-1")
    given = ", ".join(f"{each.name}={random.choice(values)}" for each in chosen.params)
    move = f"{chosen.name}({given})" if random.random() < 0.7 else anything(random)
    if random.random() < 0.2:
        at = random.randrange(len(move) + 1)
        move = move[:at] + anything(random) + move[at:]
    if random.random() < 0.1:
        move = random.choice(moves) + "(" * random.choice((1, 50, 3000))
    by = random.choice(("1", "1", "1", "2", "2", "0", "-1", "x", str(HUGE[-1])))
    command = ["why", name, "--move", move.replace("\0", ""), "--by", by, "--format",
               random.choice(FORMATS)]  # fmt: skip
    if random.random() < 0.9:
        command += ["--position", "p.json"]
    text = written(position, random) if random.random() < 0.3 else json.dumps(position)
    return Case("positions", tuple(command), {"p.json": text})


def engines(random: Random) -> Case:
    """An engine that answers as it should for a while, and then anything."""
    good = random.randint(0, 6)
    answers = [written(changed(_answer(random), random), random) for _ in range(4)]
    script = json.dumps({"good": good, "answers": answers, "stderr": anything(random)})
    command = f"{shlex.quote(sys.executable)} -I {shlex.quote(str(REPLIER))} script.json"
    root = Path(__file__).parent.parent.parent
    return Case(
        "engines",
        ("conform", "qwixx", f"exec:{command} {root}",
         "--stages", random.choice(("examples", "games")), "--games", "1", "--timeout", "2",
         "--players", "2", "--save", "saved.jsonl", "--format", random.choice(FORMATS)),
        {"script.json": script},
    )  # fmt: skip


def _answer(random: Random) -> dict[str, Any]:
    """An answer as an engine may give it."""
    state = json.loads(_recorded("qwixx")[1])
    ways: list[dict[str, Any]] = [
        {"ok": True, "state": state},
        {"ok": False, "why": anything(random)},
        {"state": state},
        {"moves": [{"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 4}}]},
        {"scores": [[1, 3], [2, 4]], "winners": [2]},
        {"engine": anything(random), "game": "qwixx", "can": ["new", "apply", "state", "legal"]},
    ]
    return random.choice(ways)


def verdicts(random: Random) -> Case:
    """A file of verdicts that pages are to be made from."""
    result = {
        "name": "one_winner", "kind": "invariant", "verdict": "refuted", "players": 2,
        "readings": {}, "variant": None, "depth": 3, "uses": ["a.b"], "reason": anything(random),
        "trace": [json.loads(line) for line in _recorded("pig")[0].splitlines()[1:5]],
        "position": None, "start": {}, "loop": 2, "accepted": None,
    }  # fmt: skip
    hash = read(bundled_specs()["pig"]).hash
    report = {"command": "prove", "spec": "pig", "spec_hash": hash, "results": [result]}
    text = written(changed(report, random), random)
    command = ("docs", "pig", "--no-prove", "--verdicts", "v.json", "--out", "pages")
    return Case("verdicts", command, {"v.json": text})


@cache
def _offered(command: str) -> tuple[tuple[str, ...], ...]:
    """The options of a command, each with `VALUE` after it if it takes one."""
    parser = Parser(prog=command)
    import_module(f"rulewright.cli.commands.{command}").configure(parser)
    return tuple(
        (each.option_strings[-1],) if each.nargs == 0 else (each.option_strings[-1], "VALUE")
        for each in parser._actions
        if each.option_strings
    )


def options(random: Random) -> Case:
    """A command with options of its own and anybody's values."""
    values: list[Callable[[], str]] = [
        lambda: str(random.choice((*NUMBERS[:4], *HUGE, -1))), lambda: "2", lambda: "2..3",
        lambda: "3..2", lambda: anything(random).replace("\0", ""), lambda: random.choice(NAMES),
        lambda: random.choice(FORMATS), lambda: "x.rules", lambda: "none.rules", lambda: ".",
        lambda: "nan", lambda: "inf", lambda: "a=b", lambda: "equal,looser", lambda: "out",
        lambda: "1e9", lambda: "", lambda: "roll()", lambda: "games,examples",
    ]  # fmt: skip
    slow = ("verify", "prove", "readings", "vectors", "lsp", "new", "evidence", "rulebook")
    command = random.choice([name for name in summaries() if name not in slow])
    given = [command]
    spec_of = ("pig", "x.rules", "x.rules@v", "HEAD:x.rules", "none.rules", "exec:false",
               "python:json:loads")  # fmt: skip
    needed = {"perft": ("--depth", "2"), "why": ("--move", "roll()"), "docs": ("--out", "o"),
              "run": ("--games", "2", "--longest", "30")}  # fmt: skip
    if random.random() < 0.9:
        given += needed.get(command, ())
    for _ in range(random.randint(0, 3)):
        for word in random.choice(_offered(command)):
            given.append(random.choice(values)() if word == "VALUE" else word)
    if command == "docs":
        given.append("--no-prove")
    given += ["--"] if random.random() < 0.3 else []
    for _ in range({"diff": 2, "conform": 2, "replay": 2}.get(command, 1)):
        given.append(random.choice(spec_of) if random.random() < 0.9 else random.choice(values)())
    if random.random() < 0.05:
        given = [anything(random).replace("\0", "") for _ in range(3)]
    return Case("options", tuple(given), {"x.rules": spec(random)}, stdin=spec(random))


def caches(random: Random) -> Case:
    """A question that was asked before, and an answer that was damaged since."""
    command = random.choice((*KEPT_BY, ("check", "pig"), ("run", "pig", "--games", "2")))
    return Case("caches", command, damage=random.randrange(2**32))


KEPT_BY = (
    ("prove", "pig", "--players", "2", "--jobs", "1"),
    ("vectors", "pig", "--out", "v.jsonl"),
    ("docs", "pig", "--no-prove", "--out", "pages"),
    ("diff", "pig", "pig", "--players", "2", "--jobs", "1"),
)
"""Commands that keep something."""


TARGETS: dict[str, tuple[Callable[[Random], Case], int]] = {
    "specs": (specs, 12),
    "traces": (traces, 4),
    "positions": (positions, 4),
    "engines": (engines, 1),
    "verdicts": (verdicts, 2),
    "options": (options, 3),
    "caches": (caches, 1),
    "books": (books, 5),
    "shards": (shards, 1),
    "certificates": (certificates, 1),
    "editors": (editors, 2),
    "pages": (pages, 3),
}
"""By name: what makes a case, and how often it is its turn."""


def case(seed: int, number: int, only: str | None = None) -> Case:
    """The case with this number."""
    random = Random(f"{seed}:{number}")
    names = [only] if only else list(TARGETS)
    weights = [TARGETS[name][1] for name in names]
    name = random.choices(names, weights)[0]
    return TARGETS[name][0](random)

"""How long the program takes to start, to check a game, and to check longer and longer specs.

The commands take turns, each in a process of its own. Times are by the clock, because somebody
waits. The goals: `--help` takes at most 3 times as long as `python -c pass`, `check` at most 8
times. A longer spec is Qwixx with its declarations repeated under other names; ten times the length
should take at most twelve times as long.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.harness.measure import ROOT, Row, attempted, in_turns, rows, run
from benchmarks.harness.peer import Quint

QWIXX = ROOT / "spec" / "qwixx.rules"
START = "start-up and check"
FACTORS = (1, 2, 5, 10, 20)

COPIED = (
    "const", "table", "fun", "rule", "effect", "clause", "move", "chance", "step", "invariant",
    "always", "possible", "theorem",
)  # fmt: skip
"""The declarations that a longer spec has more of."""
NAMED_ELSEWHERE = ("const", "table", "fun", "rule", "effect", "clause")
"""Those that others refer to, so that a copy has to refer to the copies."""


def questions(quick: bool) -> Iterator[Row]:
    """Start-up and check; then check by the length of the spec."""
    program = Path(sys.executable).with_name("rulewright")
    commands = {
        "python -c pass": milliseconds(sys.executable, "-c", "pass"),
        "rulewright --help": milliseconds(program, "--help"),
        "rulewright check qwixx": milliseconds(program, "check", QWIXX),
    }
    yield from rows(START, "ms", in_turns(commands, 3 if quick else 21))
    quint = Quint()
    if quick or not quint.found:
        yield quint.skipped(START, quick)
    else:
        check = {"quint typecheck": milliseconds(*quint.command("typecheck"))}
        yield from attempted(START, quint.name, lambda: rows(START, "ms", in_turns(check, 5)))
    factors = FACTORS[:2] if quick else FACTORS
    with tempfile.TemporaryDirectory() as folder:
        longer = {factor: Path(folder, f"qwixx{factor}.rules") for factor in factors}
        for factor, path in longer.items():
            path.write_text(lengthened(QWIXX.read_text(encoding="utf-8"), factor), "utf-8")
        contestants = {
            str(factor): milliseconds(program, "check", path) for factor, path in longer.items()
        }
        measured = in_turns(contestants, 1 if quick else 5)
        for factor in factors:
            values = measured[str(factor)]
            yield Row("check by length of the spec", "rulewright check", "ms", values, at=factor)


def milliseconds(*command: object) -> Callable[[], float]:
    """Runs a command that must succeed; how long somebody waits for it."""

    def measure() -> float:
        ran = run(command)
        if ran.code:
            raise RuntimeError(f"exit code {ran.code}: {ran.output[:500]}")
        return ran.elapsed * 1000

    return measure


def lengthened(text: str, factor: int) -> str:
    """The spec with its declarations repeated under other names until it is that much longer."""
    starts = [match.start() for match in re.finditer(r"^[^ #\n]", text, re.MULTILINE)]
    declarations = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    heads = [re.match(r"(\w+) +([\w.]+)(?: +(\w+))?", declaration) for declaration in declarations]
    copied = [
        (declaration, head[1], head[2])
        for declaration, head in zip(declarations, heads)
        if head and head[1] in COPIED and (head[1], head[3]) != ("clause", "example")
    ]
    shared = [re.escape(name) for _, kind, name in copied if kind in NAMED_ELSEWHERE]
    named = re.compile(rf"(?<![\w.])({'|'.join(shared)})(?![\w.])")
    parts, number = [text], 2
    while sum(map(len, parts)) < factor * len(text):
        for declaration, kind, name in copied:
            if kind not in NAMED_ELSEWHERE:
                declaration = re.sub(rf"^(\w+ +{name})", rf"\1_{number}", declaration)
            parts.append(named.sub(rf"\1_{number}", declaration))
        number += 1
    return "".join(parts)

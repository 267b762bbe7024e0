"""A difference as somebody reads it: what happened, what was expected, which clause it breaks.

The position is drawn, the game is listed move by move, and the same game is kept as the lines of a
trace, so that it can be replayed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.conform.engine.protocol import EngineFault, Json, excerpt
from rulewright.conform.oracle.oracle import Oracle, StateMismatch
from rulewright.conform.report import blame as explain
from rulewright.conform.report.blame import Blame
from rulewright.conform.stages.lockstep import Divergence, EngineGame
from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.play.explain.text_picture import picture
from rulewright.play.io.notation import seat, write_event, write_line
from rulewright.play.io.trace import TraceWriter
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.rules import apply
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import NOWHERE, Node, replace

CODES = {"accepted": "RW401", "refused": "RW402", "state": "RW403", "listed": "RW404",
         "unlisted": "RW404", "score": "RW405", "fault": "RW406", "setup": "RW407",
         "begun": "RW407"}  # fmt: skip


MOST_BEFORE = 8
"""Lines of a game that was played before."""
MOST_SHOWN = 20
"""Events before the last one."""


class Finding(Node):
    """What an engine gets wrong. `trace` is the game as a trace has it, header first; `lines`
    tell the story; `blame` is what it breaks."""

    kind: str
    message: str
    expected: str
    got: str
    blame: Blame
    trace: tuple[Mapping[str, Json], ...]
    lines: tuple[str, ...]
    help: str | None = None
    where: str | None = None
    """The example, vector or game that shows it."""
    times: int = 1
    """How often it was met."""

    def data(self) -> dict[str, object]:
        """The finding as JSON has it."""
        return {
            "kind": self.kind,
            "clauses": list(self.blame.clauses),
            "requirement": self.blame.requirement,
            "one_of": [each for each in (self.blame.requirement, *self.blame.others) if each],
            "guess": self.blame.is_guess,
            "message": self.message,
            "trace": list(self.trace),
            "expected": self.expected,
            "got": self.got,
            "shown_by": self.where,
            "times": self.times,
        }

    def diagnostic(self, text: Text) -> Diagnostic:
        """The finding at the line of the spec that the engine breaks."""
        messages = Messages(text)
        messages.error(CODES[self.kind], self.blame.span, self.message, self.help)
        return messages.all[0]


def finding_of(
    found: Divergence | EngineFault, spec_hash: str | None, leaks: bool = False
) -> Finding:
    """What a difference says about the engine; where it `leaks`, a game shows in the next one."""
    if isinstance(found, EngineFault):
        return _of_fault(found, spec_hash)
    story = _Story(found.game)
    blame = _blame(found, story)
    expected, got = _expected_and_got(found, story)
    message = _message(found, story)
    if leaks:
        message = f"the engine keeps something from the game before: {message}"
    lines = [
        *_before(found, leaks),
        *story.lines(),
        *_compared(found, expected, got),
        *story.drawn(),
    ]
    if found.why and found.kind not in ("state", "begun", "listed"):  # there it is ours
        lines.insert(-len(story.drawn()) or len(lines), f"  the engine says: {found.why}")
    return Finding(
        found.kind,
        message + _cites(blame),
        expected,
        got,
        blame,
        story.trace(spec_hash, got, found.mismatches),
        tuple(lines),
    )


def in_short(found: Divergence | EngineFault) -> str:
    """A difference in a few words, before anybody has looked into it."""
    if isinstance(found, EngineFault):
        return f"the engine {found.reason}"
    return _message(found, _Story(found.game))


def _message(found: Divergence, story: _Story) -> str:
    """What an engine does otherwise."""
    shown = f"`{story.last}`" if story.last else "the game"
    message = {
        "setup": f"the engine refuses to begin a game of {story.setup}",
        "begun": f"the engine begins a game of {found.why}, which the rules do not know",
        "refused": f"the engine refuses {shown}, which the rules allow",
        "accepted": f"the engine accepts {shown}, which the rules refuse",
        "state": f"the engine comes to another state by {shown}",
        "listed": f"the engine lists {shown} "
        + ("twice" if found.why else "as legal, which the rules refuse"),
        "unlisted": f"the engine does not list {shown}, which the rules allow",
        "score": "the engine reports another result",
    }[found.kind]
    if found.kind == "setup" and found.game.loaded:
        message = f"the engine refuses to go to a position of a game of {story.setup}"
    elif found.kind == "state" and not story.last:
        message = f"the engine begins a game of {story.setup} in another state: "
        message += _brief([each.variable for each in found.mismatches])
    elif found.kind == "state" and found.why:
        message = f"the engine refuses {shown}, and yet its state changes"
    elif found.kind == "state":
        message += ": " + _brief([each.variable for each in found.mismatches])
    return message


def _before(found: Divergence, leaks: bool) -> list[str]:
    """The game that comes before one in which it shows, its last events."""
    if not leaks or found.after is None:
        return []
    told = _Story(found.after).lines()
    last = [line.replace("    <-- here", "") for line in told[-MOST_BEFORE:] if line.strip()]
    return ["after this game, without which it goes right (its end):", *last, ""]


def together(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings of which those that break the same rule in the same way are one: the shortest."""
    found: dict[object, Finding] = {}
    for each in findings:
        blame = each.blame
        key: object = each.message
        if blame.requirement is not None and not blame.is_guess:
            key = (CODES[each.kind], blame.requirement, blame.others)
        known = found.get(key)
        if known is None:
            found[key] = each
            continue
        best = min(known, each, key=lambda one: len(one.trace))
        found[key] = replace(best, times=known.times + each.times)
    return tuple(found.values())


class _Story:
    """A game told with the evaluator: the position before its last event, and that event."""

    def __init__(self, game: EngineGame) -> None:
        self.game = game
        self.oracle: Oracle = game.oracle
        self.instance = self.oracle.instance
        self.setup = self.oracle.setup.described()
        events = list(game.events)
        last = game.last
        if last is None and events:
            last = events.pop()
        self.event: Event | None = self.oracle.event(last) if isinstance(last, tuple) else None
        self.nonsense = last if isinstance(last, Mapping) else None
        state = game.begin
        self.begin: Position = self.oracle.position(state)
        self.before: list[tuple[Position, Event]] = []
        for each in events:
            event = self.oracle.event(each)
            self.before.append((self.oracle.position(state), event))
            state, _ = self.oracle.take(state, each)
        self.position: Position = self.oracle.position(state)

    @property
    def last(self) -> str:
        if self.nonsense is not None:
            return excerpt(self.nonsense)
        if self.event is None:
            return ""
        by = "" if self.event.by is None else f" by {seat(self.event.by)}"
        return write_event(self.event, self.instance) + by

    def position_after(self) -> Position:
        """The position after the last event, if that is legal."""
        if self.event is None:
            return self.position
        return apply(self.instance, self.position, self.event)[-1].after

    def lines(self) -> list[str]:
        """The game, move by move."""
        where = "from a position, " if self.game.loaded else ""
        count = len(self.before)
        lines = [f"the game ({where}{self.setup}):"]
        open_values = {} if self.game.loaded else self.oracle.setup_json(self.game.begin)
        for name, value in open_values.items():
            if name in self.instance.variables:
                lines.append(f"  begin with {name} = {json.dumps(value)}")
        skipped = count - MOST_SHOWN if count > MOST_SHOWN + 1 else 0
        if skipped:
            lines.append(f"  … {skipped} events, which `--save` keeps …")
        lines += [f"  {write_line(event, self.instance)}" for _, event in self.before[skipped:]]
        if self.event is not None:
            lines.append(f"  {write_line(self.event, self.instance)}" + " " * 4 + "<-- here")
        elif self.nonsense is not None:
            lines.append(f"  {json.dumps(self.nonsense)}    <-- here")
        elif not count:
            lines.append("  (nothing has happened yet)")
        return lines

    def drawn(self) -> list[str]:
        """The position in which spec and engine part."""
        lines = picture(self.instance, self.position)
        before = "before it" if self.last else "then"
        return [f"  the position {before}:", *(f"    {line}".rstrip() for line in lines), ""]

    def trace(
        self, spec_hash: str | None, got: str, mismatches: Sequence[StateMismatch] = ()
    ) -> tuple[Mapping[str, Json], ...]:
        """The game as a trace; the last line has besides what the engine made of it."""
        stream = io.StringIO()
        writer = TraceWriter(stream, spec_hash)
        writer.begin(self.instance, self.begin, midway=self.game.loaded)
        for _, event in self.before:
            writer.event(self.instance, event)
        if self.event is not None:
            writer.event(self.instance, self.event)
        lines: list[dict[str, Any]] = [json.loads(each) for each in stream.getvalue().splitlines()]
        if self.nonsense is not None:
            lines.append(dict(self.nonsense))
        wrong = {each.variable: each.json for each in mismatches if each.value is not None}
        if wrong and len(lines) > 1:
            lines[-1]["state"] = wrong
        lines[-1]["engine"] = got
        return tuple(lines)


def _blame(found: Divergence, story: _Story) -> Blame:
    oracle, event, seen = story.oracle, story.event, found.game.seen
    if found.kind == "score":
        return explain.for_score(oracle, story.position_after(), found.mismatches)
    if event is None and found.kind == "state":
        return explain.for_beginning(oracle, found.mismatches)
    if event is None:
        return _blame_for_nonsense(story)
    if found.kind == "listed" and found.why:  # legal, and in the list twice
        return Blame((), None, None, oracle.instance.transitions[event.name].span)
    try:
        if found.kind in ("accepted", "listed"):
            return explain.for_accepted(oracle, story.position, event)
        if found.kind in ("refused", "unlisted"):
            return explain.for_refused(oracle, story.position, event, story.before, seen)
        if found.why:  # refused, and yet the state changed
            return explain.for_accepted(oracle, story.position, event)
        before = story.before
        return explain.for_state(oracle, story.position, event, found.mismatches, before, seen)
    except EvaluationError as error:
        return Blame((), None, error.message, error.span)


def _blame_for_nonsense(story: _Story) -> Blame:
    """Something that is no event of the game breaks the move that it resembles."""
    given = story.nonsense or {}
    name = given.get("move", given.get("chance"))
    transition = story.instance.transitions.get(str(name))
    if transition is None:
        return Blame((), None, None, NOWHERE)
    return Blame(transition.clauses, transition.name, transition.prose, transition.span)


def _expected_and_got(found: Divergence, story: _Story) -> tuple[str, str]:
    if found.mismatches:
        return (
            ", ".join(f"{each.variable} = {each.expected}" for each in found.mismatches),
            ", ".join(f"{each.variable} = {each.got}" for each in found.mismatches),
        )
    if found.kind == "listed" and found.why:
        return "listed once", "listed twice"
    refused = "refused"
    if story.event is not None and found.kind in ("accepted", "listed"):
        transition = story.oracle.parse(story.oracle.event_json(story.game.last))  # type: ignore[arg-type]
        state = story.oracle.state(story.position)
        assert transition is not None
        broken = story.oracle.machine.broken(state, transition)
        refused += " by " + ", ".join(each.label for each in broken)
    elif story.nonsense is not None:
        refused += ": this is no event of the game"
    return {
        "begun": ("refused", "the game begins"),
        "setup": ("the position is taken" if story.game.loaded else "the game begins", "refused"),
        "refused": ("accepted", "refused"),
        "accepted": (refused, "accepted"),
        "listed": (f"not listed: {refused}", "listed"),
        "unlisted": ("listed", "not listed"),
    }[found.kind]


def _of_fault(fault: EngineFault, spec_hash: str | None) -> Finding:
    lines: list[str] = []
    trace: tuple[Mapping[str, Json], ...] = ()
    got = f"the engine {fault.reason}"
    blame = Blame((), None, None, NOWHERE)
    story = None
    if fault.game is not None:
        story = _Story(fault.game)
        blame = explain.for_fault(story.oracle, story.event) or _blame_for_nonsense(story)
        trace = story.trace(spec_hash, got)
        lines += story.lines()
    lines += [f"  {note}" for note in fault.notes]
    return Finding(
        "fault",
        got + (f" on `{story.last}`" if story and story.last else ""),
        "an answer",
        got,
        blame,
        trace,
        tuple([*lines, ""] if lines else ()),
        fault.help,
    )


def _cites(blame: Blame) -> str:
    """` (may_cross.row_open "the row is not closed" [close.all])`."""
    if blame.requirement is None:
        return ""
    prose = f' "{blame.prose}"' if blame.prose else ""
    clauses = f" [{', '.join(blame.clauses)}]" if blame.clauses else ""
    guess = ("perhaps " if blame.is_guess else "") + ("one of " if blame.others else "")
    others = "".join(f", {each}" for each in blame.others)
    return f": {guess}{blame.requirement}{prose}{others}{clauses}"


def _compared(found: Divergence, expected: str, got: str) -> list[str]:
    """What was expected and what was got, variable by variable."""
    pairs = [
        (f"{each.variable} = {each.expected}", f"{each.variable} = {each.got}")
        for each in found.mismatches
    ] or [(expected, got)]
    return [line for pair in pairs for line in (f"  expected: {pair[0]}", f"  got:      {pair[1]}")]


def _brief(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")

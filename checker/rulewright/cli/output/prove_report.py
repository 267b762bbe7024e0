"""Verdicts as every format shows them: what JSON has, what a person reads, what is reported.

A verdict that the spec accepts is shown with the reason and is no failure. Findings that something
decides nothing are one line each, with what to do. `prove` decides what is asked, this how it is
told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.change.text.matching import mentions
from rulewright.cli.exit_codes import BUG, FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS
from rulewright.diagnostics import Diagnostic, Messages
from rulewright.frontend import LoadedSpec
from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.meaning.twin_games import SECRET
from rulewright.play.explain.broken_claim import (
    breaking_transition,
    broken_part,
    one_transition,
)
from rulewright.play.explain.game_view import event_lines, position_lines
from rulewright.play.io.json_codec import encode_position
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.discharge.core_usage import CoreUsage
from rulewright.prove.invariants.houdini import helper_texts, is_helper
from rulewright.prove.run.proof_result import QUIET, ProofResult
from rulewright.prove.verdict.acceptance import ACCEPTED_AS, accepts
from rulewright.prove.verdict.trace_text import example, games_of, view
from rulewright.prove.verdict.validate_model import claim_holds
from rulewright.prove.verdict.verdict import BOUNDED, PROVED, REFUTED, UNKNOWN, Verdict
from rulewright.report.model import Cell, Result, Table
from rulewright.report.text_width import counted
from rulewright.smt.open_place import OpenPlace
from rulewright.syntax.node import NOWHERE, Node, Span, replace

MOST_PLACES = 8
"""Places that are reported one by one."""
WHAT_HELPS = "what may help: a condition before it, a narrower range, an invariant that excludes it"


class TraceDetail(Node):
    """How much of a game is shown: those of witnesses too, and as examples to paste."""

    witnesses: bool = False
    examples: bool = False


def exit_of(verdict: Verdict) -> int:
    """What a verdict amounts to. A refutation that is accepted is known; what is accepted as
    refuted but not shown to be is as undecided as anything else."""
    if verdict.reason is not None and "bug of ours" in verdict.reason:
        return BUG
    if verdict.kind in QUIET or verdict.verdict == PROVED:
        return HOLDS
    if verdict.verdict != REFUTED:
        return UNDECIDED
    return FAILS if verdict.accepted is None else HOLDS


def judged(spec: c.Spec, verdict: Verdict, every_reading: bool) -> bool:
    """Whether a run may judge this: a requirement that turns on an open question may well decide
    nothing as the question is read here, and something as it is read elsewhere."""
    if every_reading or verdict.kind != "requirement":
        return True
    return not any(
        mentions(spec, replace(transition, requirements=(need,), body=()))
        for transition in spec.transitions
        for need in transition.requirements
        if need.label == verdict.name
    )


def result_of(
    checked: LoadedSpec,
    instance: Instance,
    configuration: Configuration,
    verdict: Verdict,
    uses: CoreUsage,
    shown: TraceDetail,
) -> Result:
    """One verdict as every format shows it."""
    declared = _declared(instance.spec, verdict)
    game = verdict.game
    position = game.end if game is not None else verdict.position
    clauses = getattr(declared, "clauses", ())
    data = {
        "name": verdict.name, "kind": verdict.kind, "players": configuration.players,
        "readings": dict(instance.readings), "variant": configuration.variant,
        "verdict": verdict.verdict, "depth": verdict.depth, "seconds": round(verdict.seconds, 3),
        "clauses": list(clauses),
        "uses": [each for each in uses.of(verdict) if not is_helper(each)],
        "helpers": helper_texts(verdict.used),
        "trace": None, "position": None, "start": None, "loop": None, "shortest": None,
        "reason": verdict.reason, "note": verdict.note, "accepted": verdict.accepted,
        "more": [_game(each, instance) for each in verdict.more],
        "waits_for": verdict.waits_for,
        "places": [_place(checked, instance, each) for each in verdict.places],
    }  # fmt: skip
    if position is not None:
        data["position"] = encode_position(dict(position), instance)
    if game is not None:
        data |= _game(game, instance)
    status = STATUS[exit_of(verdict)]
    finding = verdict.kind in QUIET and verdict.verdict == REFUTED and verdict.accepted is None
    diagnostics: tuple[Diagnostic, ...] = ()
    if status != "holds" or finding:
        span = declared.span if declared is not None else _about(instance.spec, verdict)
        at = [(Span(*each.span), each.what) for each in verdict.places[:MOST_PLACES]]
        diagnostics = tuple(
            _diagnostic(checked, place, configuration, verdict, what)
            for place, what in at or [(span, "")]
        )
    lines = tuple(_lines(checked, instance, configuration, verdict, shown))
    name = f"{verdict.name} ({configuration.shown()})"
    return Result(name, status, data, lines, diagnostics, verdict.seconds)


def _declared(spec: c.Spec, verdict: Verdict) -> c.Core | None:
    """What a verdict is about, as far as it stands in the spec."""
    known: Iterable[c.Core]
    match verdict.kind:
        case "requirement":
            known = (each for t in spec.transitions for each in t.requirements)
            return next((e for e in known if getattr(e, "label", "") == verdict.name), None)
        case "transition":
            known = spec.transitions
        case "ends":
            known = spec.ends
        case "vacuity":
            known = spec.properties
        case kind:
            known = (each for each in spec.properties if each.kind == kind)
    return next((each for each in known if getattr(each, "name", "") == verdict.name), None)


def _about(spec: c.Spec, verdict: Verdict) -> Span:
    """Where something stands that every spec is asked: the phase a game comes to a halt in, the
    transition that leaves it open, what else it is about."""
    position = verdict.game.end if verdict.game is not None else verdict.position
    going = [each for each in spec.phases if not each.final]
    simultaneous = [each for each in spec.phases if each.simultaneous]
    steps = [each for each in spec.transitions if each.kind == "step"]
    about: list[c.Core] = []
    if verdict.waits_for is not None:
        about += [each for each in spec.properties if each.name == verdict.waits_for]
    match verdict.kind:
        case "flow":
            here = (position or {}).get("phase")
            about += [each for each in spec.phases if each.name == here] + going
        case "order":
            about += simultaneous
        case "steps":
            about += steps
        case "safety":
            words = verdict.note.replace(":", " ").split()
            named = {each.name for each in verdict.events} | set(words)
            about += [each for each in spec.transitions if each.name in named]
            about += spec.transitions
        case "start":
            about += [*spec.start, *(each for each in spec.variables if each.span != NOWHERE)]
        case "sanity":
            about += spec.start
    return about[0].span if about else NOWHERE


def _place(checked: LoadedSpec, instance: Instance, place: OpenPlace) -> dict[str, object]:
    """One place at which something may have no value, as JSON has it."""
    assert checked.text is not None
    line, column = checked.text.place(place.span[0])
    position = None
    if place.position is not None:
        position = encode_position(dict(place.position), instance)
    verdict = UNKNOWN if place.position is None else "not preserved"
    return {
        "line": line, "column": column, "what": place.what, "verdict": verdict,
        "position": position,
    }  # fmt: skip


def _game(game: WitnessGame, instance: Instance) -> dict[str, object]:
    return {**view(instance, game).data(), "shortest": game.shortest}


def _lines(
    checked: LoadedSpec,
    instance: Instance,
    configuration: Configuration,
    verdict: Verdict,
    shown: TraceDetail,
) -> Iterator[str]:
    """What a person reads of a verdict: games, or where the induction fails."""
    if verdict.kind in QUIET:
        return
    if helpers := helper_texts(verdict.used):
        noun = "a helper that was" if len(helpers) == 1 else "helpers that were"
        yield f"{verdict.name} is {verdict.verdict} ({configuration.shown()}), with {noun} found:"
        yield from (f"    invariant helper_{n}: {text}" for n, text in enumerate(helpers, 1))
        return
    witness = verdict.kind == "possible" and verdict.verdict == PROVED
    if verdict.verdict == PROVED and not (witness and shown.witnesses):
        return
    word = "witnessed" if witness else verdict.verdict
    head = f"{verdict.name} is {word} ({configuration.shown()})"
    if verdict.accepted is not None:
        yield f"{head}, accepted: {verdict.accepted}"
        if not shown.witnesses:
            return
    games = games_of(verdict)
    if shown.examples and games:
        assert checked.text is not None
        for number, game in enumerate(games, 1):
            name = _example_name(instance.spec, configuration, verdict, number)
            yield f"# {head}"
            yield from (*example(instance, verdict, game, name, checked.text), "")
    elif games:
        if verdict.kind == SECRET:
            yield f"{head}, by two games that look alike until the end: {verdict.note}"
        for game in games:
            length = counted(len(game.events), "event")
            doubt = "" if game.shortest or not game.events else ", not known to be the shortest"
            if verdict.kind == SECRET:
                yield f"  the {'first' if game is games[0] else 'second'}, of {length}:"
            else:
                yield f"{head}, in a game of {length}{doubt}:"
            yield from view(instance, game).lines()
            yield from _why_broken(checked, instance, verdict, game)
    elif verdict.position is not None:
        reason = f": {verdict.reason}" if verdict.verdict == BOUNDED else ""
        yield f"{head}{reason}; the induction fails at a position not found reachable:"
        yield from (f"    {line}" for line in event_lines(instance, verdict.events))
        yield f"    {verdict.note}"
        yield ""
        yield from position_lines(instance, verdict.position)
        yield from _why_broken(checked, instance, verdict, None)
        yield from _dropped(instance, verdict, verdict.position)
    elif verdict.reason is not None:
        yield f"{head}: {verdict.reason}" + (f" ({verdict.note})" if verdict.note else "")


def _why_broken(
    checked: LoadedSpec, instance: Instance, verdict: Verdict, game: WitnessGame | None
) -> Iterator[str]:
    """Which part of a claim breaks in a game or at a position, and for which elements."""
    declared = _declared(instance.spec, verdict)
    if verdict.kind not in ("invariant", "always") or not isinstance(declared, c.Property):
        return
    claim = declared.claim
    if game is not None and verdict.kind == "invariant":
        before = after = dict(game.end)
    elif game is not None:
        found = breaking_transition(instance, claim, game.start, game.events)
        if found is None:
            return
        before, after = found
    else:
        happened = one_transition(instance, verdict.position or {}, verdict.events)
        if happened is None:
            return
        before, after = happened.before, happened.after
    part = broken_part(instance, claim, before, after)
    if part is None:
        return
    elements = ", ".join(f"{name} = {value}" for name, value in part.elements)
    where = f" for {elements}" if elements else ""
    sides = [
        f"`{_excerpt(checked, side)}` {'was' if _of_before(side) else 'is'} {value}"
        for side, value in part.sides
    ]
    told = "holds" if part.holds else "does not hold"
    yield f"    `{_excerpt(checked, part.condition)}` {told}{where}" + (
        f": {', '.join(sides)}" if sides else ""
    )
    yield ""


def _of_before(expression: c.Expr) -> bool:
    """Whether an expression is about the position before a transition."""
    return any(getattr(each, "old", False) is True for each in walk(expression))


def _excerpt(checked: LoadedSpec, expression: c.Expr) -> str:
    """An expression as it is written, on one line."""
    assert checked.text is not None
    lines = checked.text.text[expression.span.start : expression.span.end].splitlines()
    return " ".join(" ".join(line.partition("#")[0] for line in lines).split())


def _dropped(instance: Instance, verdict: Verdict, position: Mapping[str, object]) -> Iterator[str]:
    """The invariants that a position breaks: they were not assumed, for they are not proved."""
    for each in instance.spec.properties:
        if each.kind != "invariant" or each.name == verdict.name:
            continue
        if not claim_holds(instance, each, dict(position), dict(position)):
            yield f"    this position breaks `{each.name}`, which is not assumed: it does not hold"


def _example_name(spec: c.Spec, configuration: Configuration, verdict: Verdict, number: int) -> str:
    """A name for an example that the spec does not have yet."""
    ways = [option for _, option in configuration.readings] + (
        [configuration.variant] if configuration.variant else []
    )
    name = "_".join([verdict.name, f"with_{configuration.players}", *map(str, ways)])
    taken = {each.name for each in spec.examples}
    candidates = [name if number == 1 else f"{name}_{number}"]
    while candidates[-1] in taken:
        candidates.append(f"{candidates[-1]}_again")
    return candidates[-1]


def _diagnostic(
    checked: LoadedSpec, span: Span, configuration: Configuration, verdict: Verdict, at: str = ""
) -> Diagnostic:
    assert checked.text is not None
    messages = Messages(checked.text)
    reasons = "; ".join(each for each in (at, verdict.reason) if each)
    how = f" ({reasons})" if reasons else ""
    message = f"`{verdict.name}` is {verdict.verdict} with {configuration.shown()}{how}"
    word = ACCEPTED_AS.get(verdict.kind, "refuted")
    under = "".join(f" under {name} = {option}" for name, option in configuration.readings[:1])
    accept = f'`accept {word} {verdict.name}{under} "..."`'
    if verdict.kind in QUIET:
        what = f"`{verdict.name}` {verdict.reason}"
        messages.warning("RW303", span, what, f"drop it, or say why it stays: {accept}")
    elif verdict.verdict == REFUTED:
        messages.error("RW301", span, message, f"mend it, or say why it is known: {accept}")
    else:
        messages.error("RW302", span, message, WHAT_HELPS if at else None)
    return messages.all[0]


def stale(checked: LoadedSpec, proved: Sequence[ProofResult]) -> list[Diagnostic]:
    """What the spec accepts although it is not found, in any setting that it is accepted for. Only
    where all numbers of players were asked."""
    spec, text = checked.spec, checked.text
    assert spec is not None and text is not None
    messages = Messages(text)
    for each in spec.acceptances:
        if each.finding == "unused":
            continue
        verdicts = []
        numbers = set()
        for one in proved:
            readings = {r.name: r.default for r in spec.readings} | dict(one.configuration.readings)
            about = [v for v in one.verdicts if accepts(each, v, readings)]
            verdicts += about
            numbers |= {one.configuration.players} if about else set()
        everywhere = each.finding != "refuted" or numbers >= set(range(spec.least, spec.most + 1))
        if verdicts and everywhere and all(v.verdict == PROVED for v in verdicts):
            under = f" under {each.under[0]} = {each.under[1]}" if each.under else ""
            messages.warning(
                "RW304", each.span, f"`{each.subject}` is accepted as {each.finding}{under}, but "
                "it is not found to be so", "take the line out", (text.whole_lines(each.span), ""),
            )  # fmt: skip
    return messages.all


def table(rows: Sequence[tuple[str, ProofResult]]) -> Table:
    """One line for each setting; columns for what there is."""
    counts = [counted_verdicts(proved) for _, proved in rows]
    optional = [name for name in (BOUNDED, "accepted") if any(count[name] for count in counts)]
    words = [PROVED, *(w for w in (BOUNDED,) if w in optional), REFUTED, UNKNOWN]
    words += [w for w in ("accepted",) if w in optional]
    colours = {PROVED: "holds", BOUNDED: "undecided", REFUTED: "fails", UNKNOWN: "undecided"}
    lines = [
        (
            Cell(name), Cell(proved.configuration.shown()),
            *(Cell(str(count[w]), colours.get(w) if count[w] else None) for w in words),
            Cell(f"{proved.seconds:.1f}"),
        )
        for (name, proved), count in zip(rows, counts)
    ]  # fmt: skip
    return Table(("spec", "setting", *words, "seconds"), tuple(lines))


def counted_verdicts(proved: ProofResult) -> dict[str, int]:
    """How many verdicts there are of each word; what is refuted and known to be is accepted."""
    loud = [each for each in proved.verdicts if each.kind not in QUIET]
    plain = [each for each in loud if each.accepted is None or each.verdict != REFUTED]
    found = {
        word: sum(each.verdict == word for each in plain)
        for word in (PROVED, BOUNDED, REFUTED, UNKNOWN)
    }
    return {**found, "accepted": len(loud) - len(plain)}

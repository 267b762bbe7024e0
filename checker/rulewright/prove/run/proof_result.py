"""The verdicts of one setting: what the outcomes of its jobs come to, by the ledger of the kernel.

A claim that rests on something unproved is taken back, with the reason; findings and what the spec
accepts come last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.kernel.ledger import HELPER, NEVER, LedgerEntry, entry, missing
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run.job import SECOND
from rulewright.prove.verdict.acceptance import with_acceptance
from rulewright.prove.verdict.verdict import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Verdict,
    changed,
    combined,
    finding,
    possible,
    refuted,
)
from rulewright.syntax.node import Node, replace

QUIET = ("requirement", "vacuity", "transition")
"""Kinds of findings: what should matter and does not."""
Claimed = tuple[Configuration, str, str]
"""A setting, and the name and kind of what is claimed in it."""
Asked = dict[int, Configuration]
"""Where an outcome was asked about, by its identity."""
Hunted = dict[Claimed, Outcome]
"""What came of looking for games, by setting, and by name and kind of what they break."""


class ProofResult(Node):
    """All verdicts in one setting, and how many questions they took."""

    configuration: Configuration
    verdicts: tuple[Verdict, ...]
    questions: int
    seconds: float
    second: tuple[int, int] = (0, 0)
    """How many questions a second solver was asked, and how many it did not decide."""


def proved_in(
    spec: c.Spec, configuration: Configuration, groups: Mapping[tuple[str, str], list[Outcome]],
    games: Hunted,
) -> ProofResult:  # fmt: skip
    """The verdicts of one setting, without findings: by name and kind what came of its jobs, and
    the games that were found."""
    entries = {
        key: entry(spec, configuration.players, *key, outcomes)
        for key, outcomes in groups.items()
        if key[1] not in (*QUIET, SECOND)
    }
    verdicts = []
    for (name, kind), outcomes in groups.items():
        if kind not in (*QUIET, SECOND) and not name.startswith((HELPER, NEVER)):
            found = games.get((configuration, name, kind))
            verdicts.append(_verdict(spec, configuration, entries, (name, kind), outcomes, found))
    verdicts = [_with_helpers(each, groups) for each in _circle(entries, verdicts)]
    verdicts = in_order(spec, verdicts)
    outcomes = [each for group in groups.values() for each in group]
    outcomes += [each for key, each in games.items() if key[0] == configuration]
    verdicts = [with_acceptance(spec, configuration, each) for each in verdicts]
    told = groups.get((SECOND, SECOND), ())
    second = sum(each.depth or 0 for each in told), sum(int(each.note) for each in told)
    seconds = sum(each.seconds for each in outcomes)
    return ProofResult(configuration, tuple(verdicts), len(outcomes) - len(told), seconds, second)


def _with_helpers(verdict: Verdict, groups: Mapping[tuple[str, str], list[Outcome]]) -> Verdict:
    """The verdict, which also used what the helpers used that it used."""
    used = dict.fromkeys(verdict.used)
    waiting = list(used)
    while waiting:
        label = waiting.pop()
        for each in groups.get((label, "invariant"), ()) if label.startswith(HELPER) else ():
            waiting += [other for other in each.used if other not in used]
            used.update(dict.fromkeys(each.used))
    return verdict if len(used) == len(verdict.used) else changed(verdict, used=tuple(used))


def _verdict(
    spec: c.Spec, configuration: Configuration, entries: Mapping[tuple[str, str], LedgerEntry],
    key: tuple[str, str], outcomes: list[Outcome], game: Outcome | None,
) -> Verdict:  # fmt: skip
    name, kind = key
    if kind == "possible":
        never = entries.get((NEVER + name, "invariant"), LedgerEntry(None))
        return possible(name, outcomes, entries[key], never)
    verdict = combined(spec, configuration.players, name, kind, outcomes)
    if kind == "ends" and verdict.verdict == PROVED:
        return changed(verdict, depth=outcomes[0].depth)
    return verdict if game is None else refuted(verdict, game)


def _circle(
    entries: Mapping[tuple[str, str], LedgerEntry], verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """The verdicts, those taken back that rest on something that is not proved. What was shown by
    going through all positions rests on nothing else."""
    explored = {(each.name, each.kind) for each in verdicts if each.explored}
    alone = {key: LedgerEntry(frozenset()) for key in explored}
    failing = {
        (each.name, each.kind) for each in verdicts
        if each.verdict != PROVED and each.kind != "possible"
    }  # fmt: skip
    known = {key: LedgerEntry(None) if key in failing else each for key, each in entries.items()}
    lacking = missing({**known, **alone})
    found = []
    for each in verdicts:
        key = each.name, each.kind
        if each.kind == "possible" and each.verdict == REFUTED and not each.explored:
            never = (NEVER + each.name, "invariant")
            ways = [
                way for way in (key, never) if entries.get(way, LedgerEntry(None)).rests is not None
            ]
            why = next((lacking[way] for way in ways if way in lacking), None)
            unproved = why if all(way in lacking for way in ways) else None
        else:
            unproved = lacking.get(key) if each.verdict == PROVED and each.game is None else None
        if unproved is not None:
            while unproved in lacking:  # what it all comes down to
                unproved = lacking[unproved]
            reason = f"the proof rests on `{unproved[0]}`, which is not proved"
            each = changed(
                each, verdict=UNKNOWN, reason=reason, depth=None, rests_on_unproved=True,
                waits_for=unproved[0],
            )  # fmt: skip
        found.append(each)
    return found


def with_findings(
    specs: Mapping[str | None, c.Spec], proved: Sequence[ProofResult],
    groups: Mapping[tuple[str, str], list[Outcome]], asked_in: Asked,
) -> ProofResult:  # fmt: skip
    """The verdicts of the first setting, with the findings. That something never comes about counts
    only if the invariants that say so are proved where it was asked."""
    firm = {
        each.configuration: {
            v.name for v in each.verdicts if (v.kind, v.verdict) == ("invariant", PROVED)
        }
        for each in proved
    }
    first = proved[0]
    spec = specs[first.configuration.variant]
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    verdicts = list(first.verdicts)
    for key, outcomes in groups.items():
        if key[1] in QUIET:
            verdict = finding(*key, outcomes)
            rests = {
                label
                for each in outcomes
                for label in set(each.used) & invariants
                if label not in firm[asked_in.get(id(each), first.configuration)]
            }
            if verdict.verdict == REFUTED and rests:
                reason = f"not decided: that would rest on `{min(rests)}`, which is not proved"
                verdict = changed(verdict, verdict=UNKNOWN, reason=reason)
            verdicts.append(with_acceptance(spec, first.configuration, verdict))
    verdicts = in_order(spec, verdicts)
    changed_first: ProofResult = replace(first, verdicts=tuple(verdicts))
    return changed_first


def in_order(spec: c.Spec, verdicts: list[Verdict]) -> list[Verdict]:
    """Verdicts in the order of the spec, what every spec is asked first."""
    names = [*(each.name for each in spec.properties), *(each.name for each in spec.ends)]
    order = {name: number for number, name in enumerate(names)}
    return sorted(verdicts, key=lambda each: order.get(each.name, -1))


def merged(proved: ProofResult, other: ProofResult, names: tuple[str, ...]) -> ProofResult:
    """The verdicts, those of some names from another run."""
    anew = {(each.name, each.kind): each for each in other.verdicts if each.name in names}
    verdicts = tuple(anew.get((each.name, each.kind), each) for each in proved.verdicts)
    questions, seconds = proved.questions + other.questions, proved.seconds + other.seconds
    second = tuple(a + b for a, b in zip(proved.second, other.second))
    return ProofResult(proved.configuration, verdicts, questions, seconds, (second[0], second[1]))

"""The ledger: which claims are proved, from the answers to their obligations.

A claim is proved if every obligation on its list is refuted, and everything that the refutations
used is proved in the same run: invariants, helpers that were found, that nothing leaves its range
(Rule CIRCLE). Obligations that were answered case by case count only if the cases are all there
are. Whatever is missing or undecided is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from rulewright.kernel.obligations import Obligation, required
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import Node

HELPER, NEVER = "helper: ", "never: "
"""How invariants are called that no spec has: helpers, and that something never is (Rule NEVER)."""
SAFE, STEPS_STOP = ("safe", "safety"), ("steps_stop", "steps")
ON_SAFE = (("goes_on", "flow"), ("one_step", "steps"), ("order", "order"))  # see Rule COMPLETE
ALONE = ("theorem", "start", "sanity")  # kinds of claims that rest on nothing else

Key = tuple[str, str]
"""Name and kind of a claim."""


class LedgerEntry(Node):
    """What is shown of a claim by itself: what it rests on, or what is missing. `open` are the
    obligations that are not refuted."""

    rests: frozenset[Key] | None
    open: tuple[Obligation, ...] = ()


def entry(
    spec: c.Spec, players: int, name: str, kind: str, outcomes: Iterable[Outcome]
) -> LedgerEntry:
    """Whether all obligations of a claim are refuted, and by what."""
    outcomes = list(outcomes)
    if kind in ALONE or kind == "ends":
        decided = bool(outcomes) and all(each.result == each.wants for each in outcomes)
        return LedgerEntry(_rests(spec, name, kind, outcomes) if decided else None)
    answered: dict[Obligation, list[Outcome]] = {}
    for each in outcomes:
        if each.result == each.wants == "unsat":
            for obligation in each.covers:
                answered.setdefault(obligation, []).append(each)
    needed = required(spec, players, kind)
    left = [each for each in needed if not _whole(spec, players, each, answered.get(each, []))]
    if left:
        return LedgerEntry(None, tuple(left))
    return LedgerEntry(
        _rests(spec, name, kind, [each for every in answered.values() for each in every])
    )


def _whole(spec: c.Spec, players: int, obligation: Obligation, outcomes: Sequence[Outcome]) -> bool:
    """Whether an obligation is answered at once, or in all cases there are."""
    if any(not each.fixed for each in outcomes):
        return True
    transition = spec.transition(obligation.transition)
    if transition is None or not outcomes:
        return False
    types = {param.name: param.type for param in transition.params}
    by_names: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
    for each in outcomes:
        names, codes = zip(*each.fixed)
        by_names.setdefault(names, set()).add(codes)
    return any(
        cases >= set(product(*(_codes(types[name], players) for name in names)))
        for names, cases in by_names.items()
        if all(name in types for name in names)
    )


def _codes(type: y.Type, players: int) -> range:
    """The values of a scalar type as the encoder counts them."""
    number = len(y.values(type, players))
    first = type.low or 0 if isinstance(type, y.Int) else int(isinstance(type, y.Player))
    return range(first, first + number)


def _rests(spec: c.Spec, name: str, kind: str, outcomes: Sequence[Outcome]) -> frozenset[Key]:
    """What a claim rests on besides itself."""
    if kind in ALONE:
        return frozenset()
    invariants = {each.name for each in spec.properties if each.kind == "invariant"}
    used = {label for each in outcomes for label in each.used}
    found = {(each, "invariant") for each in used if each in invariants or each.startswith(HELPER)}
    found |= {SAFE} if (name, kind) in ON_SAFE else set()
    found |= {STEPS_STOP} if kind in ("ends", "order") and _has_steps(spec) else set()
    return frozenset(found - {(name, kind)})


def _has_steps(spec: c.Spec) -> bool:
    return any(each.kind == "step" for each in spec.transitions)


def proved(entries: Mapping[Key, LedgerEntry]) -> frozenset[Key]:
    """The claims that are proved."""
    lacking = missing(entries)
    return frozenset(k for k, e in entries.items() if e.rests is not None and k not in lacking)


def missing(entries: Mapping[Key, LedgerEntry]) -> dict[Key, Key]:
    """The claims that are shown by themselves but rest on something unproved, each with what that
    is. What is left is proved: it closes the circle."""
    found: dict[Key, Key] = {}
    while True:
        proved = {k for k, each in entries.items() if each.rests is not None and k not in found}
        again = {
            key: min(lacking)
            for key in proved
            if (lacking := (entries[key].rests or frozenset()) - proved - {key})
        }
        if not again:
            return found
        found |= again

"""One spec from its text to what is falsely said of it.

Every spec is proved and some transitions of it are pinned; every few specs their mutants are asked
about, and the spec is compared with a changed version of itself; readings are compared wherever
there are any. What makes the program fall over is reported like what is false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from fuzz.compare.changes import Said, diffed, mutants_judged, readings_judged
from fuzz.compare.encoding import pinned
from fuzz.compare.run_prover import SHORT, TIMEOUT, case_by_case, cores_of, proved
from fuzz.compare.secrets import secrets_judged
from fuzz.compare.verdicts import False_, compared
from fuzz.generate.mutations import changed, hand_written, new_version
from fuzz.generate.secrets import secretive
from fuzz.truth.explorer import Truth, explored
from rulewright.frontend import LoadedSpec, check_text
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.run.configurations import proof_configurations

DIFF_EVERY, MUTANTS_EVERY, PATIENT_EVERY, CASES_EVERY = 4, 6, 3, 5
"""Of so many specs, one is compared with a changed version, has its mutants asked about, is proved
with more patience, or case by case."""
SECRETS_EVERY = 4
"""Beside every so many specs, one is looked at in which something is hidden."""
MUTANTS = 3


class Wrong(NamedTuple):
    """Something false: how it was asked, about which text (and which changed version of it)."""

    origin: str
    text: str
    new: str | None
    false: False_


class Judged:
    """What came of one spec."""

    def __init__(self) -> None:
        self.usable = False
        self.complete = False
        self.verdicts: Counter[tuple[str, str]] = Counter()
        """By kind and word."""
        self.false: list[Wrong] = []


def judged(text: str, number: int) -> Judged:
    """What is said of a spec, held against the truth; its number says what is asked."""
    result = Judged()
    checked = check_text("fuzz.rules", text)
    truths = truths_of(checked)
    if truths is None:
        return result
    result.usable = True
    result.complete = all(each.complete for each in truths.values())

    def take(origin: str, said: Said, new: str | None = None) -> None:
        result.verdicts += said[0]
        result.false += [Wrong(origin, text, new, each) for each in said[1]]

    take("prove", _proved(checked, truths, number))
    take("pinned", _pinned(checked, truths, number))
    spec = checked.spec
    assert spec is not None
    if spec.readings:
        take("readings", _safely("readings", lambda: readings_judged(checked)))
    by_hand = new_version(text)
    if number % MUTANTS_EVERY == 0 or number < len(hand_written()):
        take("mutants", _mutants(checked, number))
    if number % DIFF_EVERY == 1 or by_hand is not None:
        new = by_hand or changed(text, Random(number))
        take("diff", _safely("diff", lambda: diffed(text, new)), new)
    if number % SECRETS_EVERY == 2:
        hiding = secretive(number)
        if number % (2 * SECRETS_EVERY) == 2:
            hiding = changed(hiding, Random(number))
        text = hiding
        take("secrets", _safely("secrets", lambda: secrets_judged(check_text("fuzz.rules", text))))
    return result


def judged_again(origin: str, text: str, new: str | None, number: int) -> list[False_]:
    """What is false of a text, asked in one way only."""
    checked = check_text("fuzz.rules", text)
    if origin == "diff":
        return _safely("diff", lambda: diffed(text, new or text))[1]
    if origin == "readings":
        return _safely("readings", lambda: readings_judged(checked))[1]
    if origin == "mutants":
        return _mutants(checked, number)[1]
    if origin == "secrets":
        return _safely("secrets", lambda: secrets_judged(checked))[1]
    truths = truths_of(checked)
    if truths is None:
        return []
    if origin == "pinned":
        return _pinned(checked, truths, number)[1]
    return _proved(checked, truths, number)[1]


def truths_of(checked: LoadedSpec) -> dict[Configuration, Truth] | None:
    """The truth in every setting; None of a spec that cannot be used, or that nobody can play."""
    if checked.spec is None:
        return None
    cores = cores_of(checked)
    truths = {}
    for way in proof_configurations(checked.spec, None, None, None):
        truth = explored(Instance(cores[way.variant], way.players, dict(way.readings)))
        if not truth.starts and truth.complete:
            return None  # the commands say so at once
        truths[way] = truth
    return truths


def _proved(checked: LoadedSpec, truths: dict[Configuration, Truth], number: int) -> Said:
    def said() -> Said:
        cores = cores_of(checked)
        by_hand = number < len(hand_written())
        words: Counter[tuple[str, str]] = Counter()
        false: list[False_] = []
        for cases in (False, True) if by_hand else (number % CASES_EVERY == 0,):
            with case_by_case(cases):
                _, found = proved(cores, SHORT if number % PATIENT_EVERY else TIMEOUT)
            words.update((v.kind, v.verdict) for each in found for v in each.verdicts)
            false += compared(cores, truths, found)
        return words, false

    return _safely("prove", said)


def _pinned(checked: LoadedSpec, truths: dict[Configuration, Truth], number: int) -> Said:
    def said() -> Said:
        way, truth = next(iter(truths.items()))
        assert checked.spec is not None
        return pinned(checked.spec, way, truth, number)

    return _safely("pinned", said)


def _mutants(checked: LoadedSpec, number: int) -> Said:
    return _safely("mutants", lambda: mutants_judged(checked, number, MUTANTS))


def _safely(origin: str, ask: Callable[[], Said]) -> Said:
    """What was said; that the program falls over is as bad as saying something false."""
    try:
        return ask()
    except (KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:  # whatever it is, nobody should ever see it
        what = f"{type(error).__name__}: {error}"
        return Counter(), [False_("", origin, "crash", "crash", what)]

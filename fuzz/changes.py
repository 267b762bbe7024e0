"""Holds `diff`, `readings` and equivalent mutants against the truth.

Two versions of a game are gone through side by side (`lockstep`); what is said of them with the
word *proved* has to agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from checker.change.compare import Comparison
from checker.change.properties import Prover
from checker.change.reaching import Budget
from checker.change.readings import Asking
from checker.change.readings import parted as readings_parted
from checker.change.standing import AS_BEFORE, Fate
from checker.change.touch import touch
from checker.change.verdict import EQUAL, INCOMPARABLE, PROVED, Compared
from checker.conform.mutants import Mutant, mutants
from checker.conform.referee import Setup
from checker.conform.setups import Rulebook
from checker.conform.solved import Equivalent, Finder
from checker.front import Checked, check_text
from checker.meaning import core as c
from checker.play.instance import Instance
from checker.prove.cache import Cache
from checker.prove.lemmas import Lemmas
from checker.vc.context import Setting
from fuzz.compare import False_
from fuzz.lockstep import CHANGED, LOOSER, STRICTER, Parting, parted
from fuzz.proving import TIMEOUT
from fuzz.truth import Truth, explored

MUTANTS = 6
"""Mutants of a spec that are asked about."""
Said = tuple[Counter[tuple[str, str]], list[False_]]
"""How many verdicts of each kind and word there were, and those that are not so."""


def diffed(old_text: str, new_text: str) -> Said:
    """What `diff` says of two versions, held against the truth."""
    old, new = check_text("old.rules", old_text), check_text("new.rules", new_text)
    said: Counter[tuple[str, str]] = Counter()
    if old.spec is None or new.spec is None or not _same_state(old.spec, new.spec):
        return said, []
    ways = _ways(old.spec, new.spec)
    pairs = [_both(old.spec, new.spec, each, each) for each in ways]
    if not pairs or not all(a.starts and b.starts for a, b, _ in pairs):
        return said, []
    trust, budget = Lemmas(TIMEOUT, None, 1), Budget(TIMEOUT, games=6, search=TIMEOUT)
    comparison = Comparison(old.spec, new.spec, ways, trust, Cache(None), budget, lambda _: None)
    try:
        compared = comparison.run({})
        fates = _fates(old.spec, new.spec, ways, compared)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return said, [False_(ways[0].shown(), "diff", "crash", "crash", what)]
    for verdict in compared.verdicts:
        said["diff", verdict.verdict if verdict.proof == PROVED else verdict.proof] += 1
    for fate in fates:
        said["fate", fate.new.verdict if fate.new is not None else "gone"] += 1
    false = [*_of_compared(compared, [p for *_, p in pairs], ways), *_of_fates(fates, pairs, ways)]
    return said, false


def _same_state(old: c.Spec, new: c.Spec) -> bool:
    """Whether both have the same variables and phases, so that positions can be compared."""
    states = [[(v.name, v.type) for v in each.variables] for each in (old, new)]
    phases = [[(p.name, p.final, p.simultaneous) for p in each.phases] for each in (old, new)]
    return states[0] == states[1] and phases[0] == phases[1]


def _ways(old: c.Spec, new: c.Spec) -> list[Setting]:
    numbers = range(max(old.least, new.least), min(old.most, new.most) + 1)
    options = [
        ((reading.name, option.name),)
        for reading in new.readings for option in reading.options
        if option.name != reading.default
        and any(r.name == reading.name and option.name in [o.name for o in r.options]
                for r in old.readings)
    ]  # fmt: skip
    return [Setting(number, way, None) for way in ((), *options) for number in numbers]


def _both(
    old: c.Spec, new: c.Spec, setting: Setting, beside: Setting
) -> tuple[Truth, Truth, Parting]:
    """The truth of both sides, and how they part."""
    one = Instance(old, setting.players, dict(setting.readings))
    other = Instance(new, beside.players, dict(beside.readings))
    before, after = explored(one), explored(other)
    return before, after, parted(one, other, before, after)


def _of_compared(
    compared: Compared, partings: list[Parting], ways: list[Setting]
) -> Iterator[False_]:
    """Verdicts on moves, chance events, steps, the beginning and results that are not so."""
    where = "; ".join(each.shown() for each in ways)
    both = set().union(*(each.in_both for each in partings))
    either = set().union(*(each.in_either for each in partings))
    complete = all(each.complete for each in partings)
    for verdict in compared.verdicts:
        if verdict.proof != PROVED:
            continue
        name, word = verdict.subject.name, verdict.verdict
        there = {way for subject, way in both if subject == name}
        anywhere = {way for subject, way in either if subject == name}
        if verdict.subject.kind == "start" and word == CHANGED:
            missing = {STRICTER, LOOSER} - anywhere
        else:
            wanted = {
                EQUAL: set(), STRICTER: {STRICTER}, LOOSER: {LOOSER},
                INCOMPARABLE: {STRICTER, LOOSER}, CHANGED: {CHANGED},
            }[word]  # fmt: skip
            missing = wanted - anywhere
            more = there - wanted if word != CHANGED else set()
            if more:
                so = f"it is {', '.join(sorted(more))} where games of both get"
                yield False_(where, name, "diff", word, so)
                continue
        if missing and complete and verdict.subject.kind not in ("step", "result"):
            so = f"nowhere is it {', '.join(sorted(missing))}"
            yield False_(where, name, "diff", word, so)
    if all((v.verdict, v.proof) == (EQUAL, PROVED) for v in compared.verdicts):
        for each in partings:
            if each.parts is not None:
                yield False_(where, "everything", "diff", EQUAL, f"{each.parts}")
                return


def _fates(old: c.Spec, new: c.Spec, ways: list[Setting], compared: Compared) -> list[Fate]:
    prover = Prover(TIMEOUT, None, 1, lambda _: None)
    touched = touch(old, new, compared.verdicts)
    numbers = [each for each in ways if not each.readings]
    return list(prover.fates(old, new, numbers, touched, lambda _: {}))


def _of_fates(
    fates: list[Fate], pairs: list[tuple[Truth, Truth, Parting]], ways: list[Setting]
) -> Iterator[False_]:
    """What is said of properties by the old and the new rules and is not so."""
    truths = [(a, b) for (a, b, _), way in zip(pairs, ways) if not way.readings]
    where = "; ".join(each.shown() for each in ways)
    for fate in fates:
        held = []
        for side, standing in enumerate((fate.old, fate.new)):
            held.append(_holds(fate, [each[side] for each in truths]))
            word = standing.verdict if standing is not None else ""
            if word == PROVED and held[side] is False:
                yield False_(where, fate.name, f"fate {fate.kind}", word, f"not by side {side + 1}")
            if word == "refuted" and held[side] is True:
                yield False_(where, fate.name, f"fate {fate.kind}", word, f"it is, by {side + 1}")
        if fate.new is not None and fate.new.verdict == AS_BEFORE and held == [True, False]:
            yield False_(where, fate.name, f"fate {fate.kind}", AS_BEFORE, "it held and does not")


def _holds(fate: Fate, truths: list[Truth]) -> bool | None:
    """Whether a property holds for all numbers of players; None if that is not known."""
    complete = all(each.complete for each in truths)
    if fate.kind == "possible":
        there = all(fate.name in each.reached for each in truths)
        return True if there else False if complete else None
    if fate.kind == "ends":
        broken = any(each.endless or (fate.name, "ends") in each.broken for each in truths)
        return False if broken else True if complete else None
    broken = any(name == fate.name for each in truths for name, _ in each.broken)
    unsure = fate.name in ("begins", "assumptions")
    unsure = unsure or any(fate.name in each.open for each in truths)
    return False if broken else True if complete and not unsure else None


def readings_judged(checked: Checked) -> Said:
    """What `readings` says of every option, held against the truth."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    spec = checked.spec
    if spec is None or not spec.readings:
        return said, false
    numbers = range(spec.least, spec.most + 1)
    asking = Asking(TIMEOUT, None, 1, 0, lambda _: None)
    for each in readings_parted(spec, numbers, asking):
        chosen = ((each.reading.name, each.option.name),)
        said["readings", each.outcome] += 1
        partings = [
            _both(spec, spec, Setting(n, (), None), Setting(n, chosen, None))[2] for n in numbers
        ]
        apart = next((p.parts for p in partings if p.parts is not None), None)
        name = f"{each.reading.name} = {each.option.name}"
        if each.outcome == "never" and apart is not None:
            false.append(False_("", name, "readings", "never", f"they part: {apart}"))
        complete = all(p.complete for p in partings)
        either = any(p.in_either for p in partings)
        if each.outcome == "parts" and apart is None and complete and not either:
            false.append(False_("", name, "readings", "parts", "they never part"))
    return said, false


def mutants_judged(checked: Checked, seed: int, most: int = MUTANTS) -> Said:
    """What is said of mutants of a spec, held against the truth."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    spec = checked.spec
    if spec is None:
        return said, false
    setting = Setting(spec.least, (), None)
    instance = Instance(spec, setting.players)
    truth = explored(instance)
    if not truth.starts or ("safe", "safety") in truth.broken:
        return said, false
    finder = Finder(Rulebook(checked), [Setup(spec.least, (), None)])
    every = mutants(spec)
    for mutant in Random(seed).sample(every, min(most, len(every))):
        try:
            told = finder.tell(mutant)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            false.append(False_(setting.shown(), mutant.label, "crash", "crash", what))
            continue
        said["mutant", type(told).__name__.lower()] += 1
        if isinstance(told, Equivalent):
            false += _of_mutant(instance, truth, mutant, told)
    return said, false


def _of_mutant(
    instance: Instance, truth: Truth, mutant: Mutant, told: Equivalent
) -> Iterator[False_]:
    other = Instance(mutant.spec, instance.players, instance.readings)
    found = parted(instance, other, truth, explored(other))
    if found.parts is not None:
        given = f" (given {', '.join(told.given)})" if told.given else ""
        so = f"{found.parts}{given}"
        yield False_("", f"{mutant.label} {mutant.what}", "mutant", "equivalent", so)

"""Holds `diff`, `readings` and equivalent mutants against the truth.

Two versions of a game are gone through side by side (`lockstep`); what is said of them with the
word *proved* has to agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from fuzz.compare.run_prover import TIMEOUT
from fuzz.compare.verdicts import False_
from fuzz.truth.explorer import Truth, explored
from fuzz.truth.lockstep import CHANGED, LOOSER, STRICTER, Parting, parted
from rulewright.change.games.reachability import SearchBudget
from rulewright.change.impact.affected_proofs import affected_proofs
from rulewright.change.impact.properties import ChangeProver
from rulewright.change.impact.property_status import PropertyDiff
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.semantic.readings import ComparisonOptions, compare_option, other_options
from rulewright.change.semantic.verdict import PROVED, ComparisonResult
from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.vectors.solver_vectors import Equivalent, VectorSolver
from rulewright.frontend import LoadedSpec, check_text
from rulewright.kernel.comparison import EQUAL, INCOMPARABLE
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas

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
    trust, budget = Lemmas(TIMEOUT, None, 1), SearchBudget(TIMEOUT, games=6, search=TIMEOUT)
    comparison = SpecComparison(
        old.spec, new.spec, ways, trust, Cache(None), budget, lambda _: None
    )
    try:
        compared = comparison.run({})
        fates = _fates(old.spec, new.spec, ways, compared)
    except Exception as error:
        if isinstance(error, EvaluationError) and not all(
            _begins(each, way) for each in (old.spec, new.spec) for way in ways
        ):  # the command says that the rules give up, and ends
            said["diff", "the rules give up"] += 1
            return said, []
        what = f"{type(error).__name__}: {error}"
        return said, [False_(ways[0].shown(), "diff", "crash", "crash", what)]
    for verdict in compared.verdicts:
        said["diff", verdict.verdict if verdict.proof == PROVED else verdict.proof] += 1
    for fate in fates:
        said["fate", fate.new.verdict if fate.new is not None else "gone"] += 1
    false = [*_of_compared(compared, [p for *_, p in pairs], ways), *_of_fates(fates, pairs, ways)]
    return said, false


def _begins(spec: c.Spec, way: Configuration) -> bool:
    """Whether the rules have an answer to how a game begins."""
    try:
        list(initial_positions(Instance(spec, way.players, dict(way.readings))))
    except EvaluationError:
        return False
    return True


def _same_state(old: c.Spec, new: c.Spec) -> bool:
    """Whether both have the same variables and phases, so that positions can be compared."""
    states = [[(v.name, v.type) for v in each.variables] for each in (old, new)]
    phases = [[(p.name, p.final, p.simultaneous) for p in each.phases] for each in (old, new)]
    return states[0] == states[1] and phases[0] == phases[1]


def _ways(old: c.Spec, new: c.Spec) -> list[Configuration]:
    numbers = range(max(old.least, new.least), min(old.most, new.most) + 1)
    options = [
        ((reading.name, option.name),)
        for reading in new.readings for option in reading.options
        if option.name != reading.default
        and any(r.name == reading.name and option.name in [o.name for o in r.options]
                for r in old.readings)
    ]  # fmt: skip
    return [Configuration(number, way, None) for way in ((), *options) for number in numbers]


def _both(
    old: c.Spec, new: c.Spec, configuration: Configuration, beside: Configuration
) -> tuple[Truth, Truth, Parting]:
    """The truth of both sides, and how they part."""
    one = Instance(old, configuration.players, dict(configuration.readings))
    other = Instance(new, beside.players, dict(beside.readings))
    before, after = explored(one), explored(other)
    return before, after, parted(one, other, before, after)


def _of_compared(
    compared: ComparisonResult, partings: list[Parting], ways: list[Configuration]
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


def _fates(
    old: c.Spec, new: c.Spec, ways: list[Configuration], compared: ComparisonResult
) -> list[PropertyDiff]:
    prover = ChangeProver(TIMEOUT, None, 1, lambda _: None)
    touched = affected_proofs(old, new, compared.verdicts)
    numbers = [each for each in ways if not each.readings]
    return list(prover.fates(old, new, numbers, touched, lambda _: {}))


def _of_fates(
    fates: list[PropertyDiff], pairs: list[tuple[Truth, Truth, Parting]], ways: list[Configuration]
) -> Iterator[False_]:
    """What is said of properties by the old and the new rules and is not so."""
    truths = [(a, b) for (a, b, _), way in zip(pairs, ways) if not way.readings]
    where = "; ".join(each.shown() for each in ways)
    for fate in fates:
        held = []
        for side, status in enumerate((fate.old, fate.new)):
            held.append(_holds(fate, [each[side] for each in truths]))
            word = status.verdict if status is not None else ""
            if word == PROVED and held[side] is False:
                yield False_(where, fate.name, f"fate {fate.kind}", word, f"not by side {side + 1}")
            if word == "refuted" and held[side] is True:
                yield False_(where, fate.name, f"fate {fate.kind}", word, f"it is, by {side + 1}")


def _holds(fate: PropertyDiff, truths: list[Truth]) -> bool | None:
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


def readings_judged(checked: LoadedSpec) -> Said:
    """What `readings` says of every option, held against the truth."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    spec = checked.spec
    if spec is None or not spec.readings:
        return said, false
    numbers = range(spec.least, spec.most + 1)
    asking = ComparisonOptions(TIMEOUT, None, 1, 0, lambda _: None)
    for reading, option in other_options(spec):
        each = compare_option(spec, reading, option, numbers, asking)
        chosen = ((each.reading.name, each.option.name),)
        said["readings", each.outcome] += 1
        partings = [
            _both(spec, spec, Configuration(n, (), None), Configuration(n, chosen, None))[2]
            for n in numbers
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


def mutants_judged(checked: LoadedSpec, seed: int, most: int = MUTANTS) -> Said:
    """What is said of mutants of a spec, held against the truth."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    spec = checked.spec
    if spec is None:
        return said, false
    configuration = Configuration(spec.least, (), None)
    instance = Instance(spec, configuration.players)
    truth = explored(instance)
    if not truth.starts or ("safe", "safety") in truth.broken:
        return said, false
    finder = VectorSolver(Oracles(checked), [Configuration(spec.least, (), None)])
    every = mutants(spec)
    for mutant in Random(seed).sample(every, min(most, len(every))):
        try:
            told = finder.tell(mutant)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            false.append(False_(configuration.shown(), mutant.label, "crash", "crash", what))
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

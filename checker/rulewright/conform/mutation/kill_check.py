"""Kill check: whether a situation tells a mutant from the spec, with as little compiled as that
takes.

A mistake touches few rules. Of the requirements only those are looked at that it can change, since
all others go on to say what they said; what happens is carried out only where a mistake can change
that. Mutants of a big game are many, and compiling them is most of the work.
"""

from __future__ import annotations

from typing import Any

from rulewright.conform.inputs.test_cases import Situation
from rulewright.conform.mutation.dependencies import RESULT, DependencyGraph
from rulewright.conform.mutation.judgement import REFUSED, RuleJudge, Said, said_by
from rulewright.conform.mutation.mutants import Mutant
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import requirements
from rulewright.syntax.node import replace

MOST_KEPT = 20_000


class KillChecker:
    """Tells the mutants of a spec from it."""

    def __init__(self, spec: c.Spec) -> None:
        self.dependencies = DependencyGraph(spec)
        self._spec = spec
        self._steps = [each.name for each in spec.transitions if each.kind == "step"]
        self._needs = {
            each.name: [self.dependencies.closure([need.condition]) for need in requirements(each)]
            for each in spec.transitions
        }
        self._bodies = {
            each.name: self.dependencies.closure(each.body) for each in spec.transitions
        }
        self._expected: dict[tuple[int, bool], tuple[Situation, Said]] = {}
        """By the identity of a situation, which is kept with it so that it stays its own."""
        self._unasked = _with_requirements(spec, {})
        self._right: dict[Configuration, RuleJudge] = {}
        self._wrong: dict[tuple[int, Configuration], RuleJudge] = {}
        """Mutants that are being looked at, each compiled for a set-up."""
        self._reduced: dict[int, c.Spec] = {}

    def forget(self) -> None:
        """Lets go of the mutants that were looked at."""
        self._wrong = {}
        self._reduced = {}

    def tells(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether the mutant says otherwise than the spec."""
        name = situation.transition.name
        refused_by = situation.refused_by
        if refused_by is not None and refused_by not in self._touched(mutant, name):
            return False
        if self.is_step(mutant) and mutant.requirement == 0:  # of steps that are due phases decide
            return bool(said_by(mutant.spec, situation) != said_by(self._spec, situation))
        doing = self._is_done_otherwise(mutant, name)
        results = doing and mutant.shared in self.dependencies.of[RESULT]
        said = self._compiled(mutant, situation).says(situation, doing, results)
        return bool(said != self._says(situation, doing, results))

    def is_step(self, mutant: Mutant) -> bool:
        """Whether a mistake is in something that happens by itself."""
        return mutant.transition in self._steps

    def may_show(self, mutant: Mutant, transition: str) -> bool:
        """Whether an event has to do with what is mistaken, or a step may that follows it."""
        if mutant.shared is None:
            return mutant.transition == transition or self.is_step(mutant)
        of = self.dependencies.of
        return any(mutant.shared in of[each] for each in (RESULT, transition, *self._steps))

    def matters(self, reading: str, mutant: Mutant) -> bool:
        """Whether how a question is read may bear on how a mistake shows."""
        if mutant.requirement is not None and not self.is_step(mutant):
            return f"reading {reading}" in self._needs[str(mutant.transition)][mutant.requirement]
        of = self.dependencies.of
        mistaken = [each for each in of if mutant.transition == each or mutant.shared in of[each]]
        return any(f"reading {reading}" in of[each] for each in mistaken)

    def _touched(self, mutant: Mutant, name: str) -> list[int]:
        """The numbers of the requirements of a transition that a mistake can change."""
        if mutant.requirement is not None:
            return [mutant.requirement] if mutant.transition == name else []
        return [at for at, needed in enumerate(self._needs[name]) if mutant.shared in needed]

    def _is_done_otherwise(self, mutant: Mutant, name: str) -> bool:
        """Whether a mistake can change what an event does, or what follows from that."""
        if mutant.shared is None:
            return mutant.requirement is None or self.is_step(mutant)
        of = self.dependencies.of
        return mutant.shared in self._bodies[name] or any(
            mutant.shared in of[each] for each in (RESULT, *self._steps)
        )

    def _compiled(self, mutant: Mutant, situation: Situation) -> RuleJudge:
        key = id(mutant), situation.oracle.setup
        if key not in self._wrong:
            if id(mutant) not in self._reduced:
                touched = {each: self._touched(mutant, each) for each in self._needs}
                self._reduced[id(mutant)] = _with_requirements(mutant.spec, touched)
            self._wrong[key] = RuleJudge(self._reduced[id(mutant)], situation.oracle)
        return self._wrong[key]

    def _says(self, situation: Situation, doing: bool, results: bool) -> Said:
        """What the spec itself says, in the same words as a mutant."""
        if situation.refused_by is not None:
            return REFUSED
        setup = situation.oracle.setup
        if setup not in self._right:
            self._right[setup] = RuleJudge(self._unasked, situation.oracle)
        if not doing:
            return self._right[setup].says(situation, False, False)
        key = id(situation), results
        if key not in self._expected:
            _make_room(self._expected)
            self._expected[key] = situation, self._right[setup].says(situation, True, results)
        return self._expected[key][1]


def _with_requirements(spec: c.Spec, wanted: dict[str, list[int]]) -> c.Spec:
    """A spec in which moves and chance events have only these of their requirements."""

    def reduced(transition: c.Transition) -> c.Transition:
        if transition.kind == "step":
            return transition
        needed = requirements(transition)
        kept = tuple(needed[at] for at in wanted.get(transition.name, ()))
        return replace(transition, requirements=kept, weight=None)

    return replace(spec, transitions=tuple(map(reduced, spec.transitions)))


def _make_room(kept: dict[Any, Any]) -> None:
    """What is remembered is forgotten all at once when it grows too much."""
    if len(kept) >= MOST_KEPT:
        kept.clear()

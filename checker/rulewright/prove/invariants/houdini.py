"""Houdini: finds helper invariants where an induction fails without them.

Candidates that held in random games are put to the solver together. A candidate stays if it holds
at the start and every transition preserves it, given the other candidates and the invariants of the
spec. Each model of the solver drops all candidates that it breaks. What is left is inductive, and
the questions that failed are asked again with it. Helpers are only proposed: each becomes a claim
that the kernel judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.kernel.ledger import HELPER
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment as Plain
from rulewright.play.semantics.evaluate import evaluate
from rulewright.play.semantics.values import Position
from rulewright.prove.discharge.case_split import cases
from rulewright.prove.invariants.templates import Candidate, candidates
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import UNSAT, Z3, SolverAnswer
from rulewright.smt.solver.work_limit import WorkLimit, WorkLimitError
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.syntax.node import NOWHERE
from rulewright.vc.conditions import assume, beginning
from rulewright.vc.context import ProofContext

PATIENCE = 1.0
"""Seconds for all candidates of a transition together; then they are asked one by one."""
SHARE = 0.2
"""Seconds for one candidate alone."""


Live = Mapping[str, Candidate]


def is_helper(label: str) -> bool:
    """Whether something a proof used is a helper that was found."""
    return label.startswith(HELPER)


def helper_texts(used: Iterable[str]) -> list[str]:
    """The helpers among what a proof used, as they are written in a spec."""
    return sorted(each.removeprefix(HELPER) for each in used if is_helper(each))


def broken_in(context: ProofContext, name: str, seen: Sequence[Position]) -> bool:
    """Whether an invariant does not hold in some position."""
    property = next((each for each in context.spec.properties if each.name == name), None)
    if property is None or property.kind != "invariant":
        return False
    try:
        return not all(evaluate(property.claim, Plain(context.instance, each)) for each in seen)
    except EvaluationError:
        return True


class InvariantSearch:
    """The search for helper invariants in one proof context."""

    def __init__(self, context: ProofContext, settled: bool) -> None:
        self._context = context
        self._watch = context.terms.watch
        self._settled = settled
        self._live: dict[str, Candidate] = {}
        self._before: dict[str, Term] = {}
        self._questions: list[_Question] = []

    def helpers(self) -> list[c.Property]:
        """The helpers as invariants."""
        return [
            c.Property(NOWHERE, "invariant", label, None, (), each.claim)
            for label, each in self._live.items()
        ]

    def _labelled(self) -> list[LabelledAssertion]:
        """The helpers as assumptions about the unknown position."""
        return [LabelledAssertion(label, self._before[label]) for label in self._live]

    def find(self, seen: Sequence[Position], seconds: float) -> None:
        """Leaves only what is inductive, nothing at all if time does not suffice. Only what held
        in the positions seen is looked at."""
        with self._watch.within(seconds):
            try:
                self._find(seen)
                self._watch.check()
            except WorkLimitError:
                self._live.clear()

    def _find(self, seen: Sequence[Position]) -> None:
        context = self._context
        state, asked, _ = beginning(context)
        for offer in candidates(context.instance, seen, self._watch):
            before = context.claim(offer.claim, SymbolicEnvironment(context.state))
            if before is not TRUE and before is not FALSE:
                self._live[HELPER + offer.text] = offer
                self._before[HELPER + offer.text] = before
        self._questions = [_Question(self._watch, asked, self._claims(state), {})]
        self._keep(self._questions[0])
        self._questions += [
            self._question(transition, fixed)
            for transition in context.spec.transitions
            for fixed in cases(context, transition)
        ]
        while open_ones := [each for each in self._questions if not each.settled(self._live)]:
            for each in open_ones:
                self._keep(each)
        self._thin_out()

    def _thin_out(self) -> None:
        """Drops what follows from the rest, what came last first."""
        text = script(
            [*self._labelled(), *(LabelledAssertion(h.label, self._context.terms.no(h.term))
                                 for h in self._labelled())]
        )  # fmt: skip
        number = len(self._live)
        kept = dict(zip(self._live, text.switches))
        solver = Z3(text.text)
        for label, denied in reversed(list(zip(self._live, text.switches[number:]))):
            others = [switch for other, switch in kept.items() if other != label]
            self._watch.check()
            if solver.check([*others, denied], SHARE).result == UNSAT:
                del kept[label], self._live[label]

    def _question(self, transition: c.Transition, fixed: Mapping[str, int]) -> _Question:
        taken, assumed = assume(self._context, transition, fixed, self._settled)
        before = {label: self._before[label] for label in self._live}
        after = self._claims(taken.after)
        changed = {label: term for label, term in after.items() if term is not before[label]}
        return _Question(self._watch, assumed, changed, before)

    def _claims(self, state: State) -> dict[str, Term]:
        context = self._context
        return {
            label: context.claim(each.claim, SymbolicEnvironment(state))
            for label, each in self._live.items()
        }

    def _keep(self, question: _Question) -> None:
        """Drops the candidates that a transition does not preserve."""
        while True:
            broken = question.broken(self._live)
            for label in broken:
                del self._live[label]
            if not broken:
                return
            self._watch.check()


class _Question:
    """Whether a transition preserves candidates: one text, each candidate with two switches, one
    to assume it before, one to deny it afterwards."""

    def __init__(
        self, watch: WorkLimit, assumed: Sequence[LabelledAssertion], after: Mapping[str, Term],
        before: Mapping[str, Term],
    ) -> None:  # fmt: skip
        self._watch = watch
        possible = not any(each.term is FALSE for each in assumed)
        self._after = {**after} if possible else {}
        self._assumed = [each for each in assumed if each.term is not TRUE]
        self._before = before
        self._solver: Z3 | None = None
        self._labels: dict[str, str] = {}
        self._denied: dict[str, str] = {}
        self._written: dict[str, str] = {}
        self._rounds = 0
        self._used: set[str] | None = None

    def settled(self, live: Live) -> bool:
        """Whether all that is left is known to be preserved: nothing was dropped that a proof of
        it used."""
        return self._used is not None and all(
            label in live for label in self._used if label in self._before
        )

    def broken(self, live: Live) -> list[str]:
        """Some candidates that are not preserved, none if all are."""
        goals = [label for label in self._after if label in live]
        if not goals:
            self._used = set()
            return []
        solver = self._read()
        self._rounds += 1
        some = f"some{self._rounds}"
        denied = " ".join(self._denied[label] for label in goals)
        solver.add(f"(declare-const {some} Bool)\n(assert (=> {some} (or {denied} false)))\n")
        switches = [*self._switches(live), some]
        patience = min(PATIENCE, self._watch.left())
        answer = solver.check(switches, patience, [self._written[label] for label in goals])
        if answer.result == UNSAT:
            self._used = set(self._named(answer))
            return []
        model = answer.model or {}
        broken = [label for label in goals if not model.get(self._written[label], 1)]
        return broken or self._one_by_one(goals, live)

    def _one_by_one(self, goals: Sequence[str], live: Live) -> list[str]:
        """Where all together are too hard: those that are not preserved, or too hard alone."""
        broken = []
        self._used = set()
        for label in goals:
            self._watch.check()
            answer = self._alone(label, live)
            if answer.result == UNSAT:
                self._used.update(self._named(answer))
            else:
                broken.append(label)
        return broken

    def _alone(self, label: str, live: Live) -> SolverAnswer:
        solver = self._read()
        return solver.check([*self._switches(live), self._denied[label]], SHARE)

    def _switches(self, live: Live) -> list[str]:
        """What may be assumed: all but candidates that were dropped."""
        return [
            switch
            for switch, label in self._labels.items()
            if label not in self._before or label in live
        ]

    def _named(self, answer: SolverAnswer) -> tuple[str, ...]:
        return tuple(self._labels[each] for each in answer.core if each in self._labels)

    def _read(self) -> Z3:
        """The solver with the text read."""
        if self._solver is None:
            before = [LabelledAssertion(label, term) for label, term in self._before.items()]
            text = script([*self._assumed, *before], self._after.values())
            labels = (each.label for each in (*self._assumed, *before))
            self._labels = dict(zip(text.switches, labels))
            lines = []
            for place, (label, term) in enumerate(self._after.items()):
                self._denied[label], self._written[label] = f"not{place}", f"now{place}"
                lines += [
                    f"(define-fun now{place} () Bool {text.written[term]})",
                    f"(declare-const not{place} Bool)",
                    f"(assert (=> not{place} (not now{place})))",
                ]
            self._solver = Z3(text.text + "\n".join(lines))
        return self._solver

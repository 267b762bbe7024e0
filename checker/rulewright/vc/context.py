"""Proof context: a spec in one setting, with an unknown position and the induction hypothesis.

A `Configuration` says how many play, how the readings are taken and by which variant. A
`ProofContext` is the spec in that setting with a position of which only this is known: every
invariant holds that is not known to fail. That is the induction hypothesis; each of its parts
carries the name of its invariant, so that a proof says which it used. An invariant also says that
it has a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import partial
from typing import TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import variables_read
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.smt.encode.environment import EncodingContext, Hazard, SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.statement import EncodedTransition, State, StatementEncoder
from rulewright.smt.encode.symbolic_values import Sym
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.assume import AssumedFacts, apart, in_cases
from rulewright.smt.terms.term import FALSE, TRUE, Term

Transition: TypeAlias = "tuple[str, tuple[tuple[str, int], ...], bool]"


class ProofContext:
    """A spec in a setting, with an unknown position. Two of them can share their terms, so that
    what is the same in both is the same term; `mark` then tells their unknowns apart."""

    def __init__(
        self,
        spec: c.Spec,
        configuration: Configuration,
        terms: TermBuilder | None = None,
        mark: str = "",
    ) -> None:
        self.spec = spec
        self.configuration = configuration
        self.instance = Instance(spec, configuration.players, dict(configuration.readings))
        self.world = EncodingContext(self.instance, terms=terms)
        self.terms = self.world.terms
        self.ex = ExpressionEncoder(self.world)
        self.statements = StatementEncoder(self.ex)
        self.state: State = self.unknown_state(mark)
        self.invariants = self.assumed(SymbolicEnvironment(self.state))
        self._hidden = self.world.hidden
        self._reads: dict[str, frozenset[str]] = {}
        self._cases: dict[Term, ProofContext] = {}
        self.phase = ""
        """The phase that it is narrowed to."""
        self.taken: dict[Transition, tuple[EncodedTransition, list[LabelledAssertion], int]] = {}
        """Transitions from the unknown position, by name and by what is fixed, as they were written
        down; with what may be assumed, and how many hazards could hide there."""

    def assumed(self, env: SymbolicEnvironment) -> list[LabelledAssertion]:
        """The invariants, but for those that are known not to hold."""
        known = self.instance.accepted
        return self.claims("invariant", env, lambda name: name not in known)

    def minds_order(self, hidden: int) -> bool:
        """Whether it matters in which order players are looked at, in an invariant or in what was
        encoded since so many hazards could hide: then no seat stands for another."""
        return self._hidden > 0 or self.world.hidden > hidden

    def case(self, place: Term, code: int) -> ProofContext:
        """The same context, narrowed to the positions where an unknown has this value: the value
        stands in the position itself, so that what it decides is decided."""
        here = self.terms.equal(place, self.terms.number(code))
        found = self._cases.get(here)
        if found is None:
            facts = AssumedFacts(self.terms, [here])
            found = copy(self)
            found.state = {name: facts.value(value) for name, value in self.state.items()}
            found.invariants = found.assumed(SymbolicEnvironment(found.state))
            found._cases = {}
            found.taken = {}
            self._cases[here] = found
        return found

    def in_phase(self, name: str) -> ProofContext:
        """The same context, narrowed to one phase; to any, if that has no name."""
        phase = self.state.get("phase")
        if not name or self.phase == name or not isinstance(phase, Term):
            return self
        if self.phase:
            raise AssertionError(f"it is narrowed to {self.phase}, and cannot be to {name}")
        code = [each.name for each in self.spec.phases].index(name)
        found = copy(self) if phase.op == "int" else self.case(phase, code)
        found.phase = name
        return found

    def unknown_state(self, mark: str) -> dict[str, Sym]:
        """A position of which nothing is known."""
        return {
            name: self.ex.shapes.fresh(variable.type, f"{name}{mark}")
            for name, variable in self.instance.variables.items()
        }

    def claims(
        self,
        kind: str,
        env: SymbolicEnvironment,
        wanted: Callable[[str], object] = lambda name: True,
    ) -> list[LabelledAssertion]:
        """The properties of a kind, encoded; each says too that it has a value."""
        cases = apart(self.terms, env)
        return [
            LabelledAssertion(
                each.name, in_cases(self.terms, cases, partial(self.claim, each.claim))
            )
            for each in self.spec.properties
            if each.kind == kind and wanted(each.name)
        ]

    def reads(self, name: str) -> frozenset[str]:
        """The state variables that a property looks at."""
        if name not in self._reads:
            property = next(each for each in self.spec.properties if each.name == name)
            self._reads[name] = variables_read(property.claim, self.instance.functions)
        return self._reads[name]

    def claim(self, expression: c.Expr, env: SymbolicEnvironment) -> Term:
        """True where an expression has a value and that is true."""
        self.world.take_hazards()
        holds = self.ex.term(expression, env)
        return self.terms.both(self.safe(self.world.take_hazards()), holds)

    def safe(self, hazards: Sequence[Hazard]) -> Term:
        """True where none of the hazards strikes."""
        return self.terms.every(self.terms.implies(each.path, each.safe) for each in hazards)

    def phase_is(self, state: State, names: Iterable[str]) -> Term:
        """True where the phase is one of these."""
        phase = state.get("phase")
        if not isinstance(phase, Term):
            return TRUE
        codes = {each.name: number for number, each in enumerate(self.spec.phases)}
        wanted = {codes[name] for name in names}
        ways: dict[bool, list[Term]] = {True: [], False: []}
        for code in codes.values():
            ways[code in wanted].append(self.terms.equal(phase, self.terms.number(code)))
        if self.terms.either(ways[False]) is FALSE:  # then it can be nothing else
            return TRUE
        return self.terms.either(ways[True])

    def step_due(self, state: State, before: c.Transition | None = None) -> Term:
        """True where a step is due; or one of those that come before another."""
        steps = self.instance.of_kind("step")
        if before is not None:
            steps = steps[: [each.name for each in steps].index(before.name)]
        return self.terms.either(self.allowed(step, state, {}) for step in steps)

    def allowed(self, transition: c.Transition, state: State, locals: State) -> Term:
        """True where all that a transition requires holds."""
        return self.terms.every(
            each.holds for each in self.statements.ask(transition, state, locals)
        )

    def parameters(self, transition: c.Transition, mark: str = "") -> dict[str, Sym]:
        """Unknown values for the mover and the parameters of a transition."""
        return {
            name: self.ex.shapes.fresh(type, f"{transition.name}.{name}{mark}")
            for name, type in self.parameter_types(transition).items()
        }

    def parameter_types(self, transition: c.Transition) -> dict[str, y.Type]:
        """The mover first, then the parameters."""
        types: dict[str, y.Type] = {}
        if transition.mover is not None:
            types[transition.mover] = y.Player(self.spec.least, self.spec.most)
        return {**types, **{param.name: param.type for param in transition.params}}

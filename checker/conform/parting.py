"""The question where a mutant parts from the spec: a position, an event, and what follows from it.

It is asked about any position in which the invariants hold and no step is due. *Unsatisfiable*
means that the event is allowed by both or by neither and leads both to the same position; a model
is a situation that tells the mutant from the spec. Asking is the work of `solved`.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.conform.mutants import Mutant
from checker.meaning import core as c
from checker.meaning.purity import walk
from checker.play.instance import Instance
from checker.prove.flow import same_state
from checker.prove.ground import Ground, Setting
from checker.prove.obligations import SETTLED
from checker.smt.expression import Expressions
from checker.smt.scene import Scene, World
from checker.smt.statement import State, Statements, Taken
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Members

NOBODY = "nobody has answered outside a simultaneous phase"


MOST_STEPS = 3
"""Of so many steps any number may follow one another; of more, nothing is asked."""


class Parting:
    """One transition by which a mutant may part from the spec: what is assumed, what is looked
    for, and the unknowns of the event."""

    def __init__(
        self, transition: c.Transition, assumed: list[Labelled], goal: Term, locals: State
    ) -> None:
        self.transition = transition
        self.assumed = assumed
        self.goal = goal
        self.locals = locals


class _Twin(Ground):
    """The mutant over the position of the spec, which it shares."""

    def __init__(self, ground: Ground, spec: c.Spec) -> None:
        self.spec = spec
        self.setting = ground.setting
        self.instance = Instance(spec, ground.setting.players, dict(ground.setting.readings))
        self.world = World(self.instance)
        self.world.terms, self.world.tables = ground.terms, ground.world.tables
        self.terms = ground.terms
        self.ex = Expressions(self.world)
        self.statements = Statements(self.ex)
        self.state = ground.state
        self.invariants = []


class Original:
    """The spec in a setting, ready to be compared with its mutants."""

    def __init__(self, spec: c.Spec, setting: Setting) -> None:
        self.ground = Ground(spec, setting)
        self.terms = self.ground.terms
        self._taken: dict[str, Taken] = {}
        self._after: dict[str, tuple[State, Term]] = {}
        accepted = self.ground.instance.accepted
        settled = self.terms.no(self.ground.step_due(self.ground.state))
        self.ground.world.take_hazards()
        self._known = [
            *(each for each in self.ground.invariants if each.label not in accepted),
            Labelled(SETTLED, settled),
            Labelled(NOBODY, self._nobody_answered()),
        ]

    def events(self, mutant: Mutant) -> list[c.Transition]:
        """The moves and chance events by which a mutant may show; if by none of them it does, it
        is equivalent."""
        played = [each for each in self.ground.spec.transitions if each.kind != "step"]
        if self._matters_in_steps(mutant):
            return played
        effect = mutant.effect
        return [
            each
            for each in played
            if each.name == mutant.transition
            or (effect is not None and self._performs(each, effect))
        ]

    def parting(self, mutant: Mutant, transition: c.Transition) -> Parting | None:
        """The question whether a mutant shows by an event; None if too many steps may follow."""
        if mutant.transition == transition.name and mutant.condition is not None:
            return self._decision(transition, mutant)
        folded = mutant.transition != transition.name and self._matters_in_steps(mutant)
        if folded and len(self.ground.instance.of_kind("step")) > MOST_STEPS:
            return None
        return self._outcome(transition, _Twin(self.ground, mutant.spec), folded)

    def _nobody_answered(self) -> Term:
        """Acting in a simultaneous phase is noted in `answered`, and a change of phase empties it;
        so elsewhere it is empty, which nobody writes down as an invariant."""
        answered = self.ground.state.get("answered")
        if not isinstance(answered, Members):
            return TRUE
        together = [each.name for each in self.ground.spec.phases if each.simultaneous]
        elsewhere = self.terms.no(self.ground.phase_is(self.ground.state, together))
        nobody = self.terms.no(self.terms.either(answered.flags.values()))
        return self.terms.implies(elsewhere, nobody)

    def _decision(self, transition: c.Transition, mutant: Mutant) -> Parting:
        """Where all other requirements hold and this one decides, one way or the other."""
        terms, ground = self.terms, self.ground
        taken = self._take(transition)
        assert mutant.requirement is not None and mutant.condition is not None
        asked = [each.holds for each in taken.asked]
        here = asked.pop(mutant.requirement)
        scene = Scene(ground.state, ground.state, taken.locals)
        for before in asked[: mutant.requirement]:
            scene = scene.where(before)
        ground.world.take_hazards()
        mistaken = ground.ex.term(mutant.condition, scene)
        mistaken = terms.both(mistaken, ground.safe(ground.world.take_hazards()))
        decides = terms.either(
            (terms.both(here, terms.no(mistaken)), terms.both(terms.no(here), mistaken))
        )
        return self._parting(transition, taken, terms.every((*asked, decides)))

    def _outcome(self, transition: c.Transition, twin: _Twin, folded: bool) -> Parting:
        """Where the transition is allowed and leads elsewhere, at once or, if `folded`, when the
        steps that it sets off are done."""
        terms, ground = self.terms, self.ground
        taken = self._take(transition)
        wrong = twin.instance.transitions[transition.name]
        twin.world.take_hazards()
        scene = Scene(ground.state, ground.state, taken.locals)
        after: State = twin.statements.perform(wrong.body, scene, ground.state)
        wrongly = [terms.no(twin.safe(twin.world.take_hazards()))]
        expected: State = taken.after
        if folded:
            expected, due = self._settled(transition, taken)
            after, sure = _stepped(twin, after)
            wrongly += [due, twin.step_due(after), terms.no(sure)]
        wrongly.append(terms.no(same_state(ground, expected, after)))
        allowed = [each.holds for each in taken.asked]
        certain = ground.safe(taken.body_hazards)
        goal = terms.every((*allowed, certain, terms.either(wrongly)))
        return self._parting(transition, taken, goal)

    def _settled(self, transition: c.Transition, taken: Taken) -> tuple[State, Term]:
        """The position when the steps after a transition are done, and where they are not."""
        if transition.name not in self._after:
            state, _ = _stepped(self.ground, taken.after)
            self._after[transition.name] = state, self.ground.step_due(state)
            self.ground.world.take_hazards()
        return self._after[transition.name]

    def _parting(self, transition: c.Transition, taken: Taken, goal: Term) -> Parting:
        sure = Labelled("safe", self.ground.safe(taken.hazards))
        return Parting(transition, [*self._known, sure], goal, taken.locals)

    def _take(self, transition: c.Transition) -> Taken:
        if transition.name not in self._taken:
            locals = self.ground.parameters(transition)
            self._taken[transition.name] = self.ground.statements.take(
                transition, self.ground.state, locals
            )
        return self._taken[transition.name]

    # ---- where a mistake matters

    def _matters_in_steps(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else about what happens by itself."""
        return any(
            each.name == mutant.transition
            or (mutant.effect is not None and self._performs(each, mutant.effect))
            for each in self.ground.instance.of_kind("step")
        )

    def _performs(self, transition: c.Transition, effect: str) -> bool:
        return effect in self._effects(transition.body)

    def _effects(self, body: Sequence[c.Statement]) -> set[str]:
        """The effects that statements perform, at any depth."""
        found: set[str] = set()
        for statement in body:
            for node in walk(statement):
                if isinstance(node, c.Perform) and node.effect not in found:
                    found |= {node.effect}
                    found |= self._effects(self.ground.instance.effects[node.effect].body)
        return found


def _stepped(ground: Ground, state: State) -> tuple[State, Term]:
    """The position after as many steps as there are, each the first that is due, and that the
    rules have an answer all the way."""
    terms = ground.terms
    steps = ground.instance.of_kind("step")
    sure = TRUE
    for _ in steps:
        after: State = state
        for step in reversed(steps):
            taken = ground.statements.take(step, state, {})
            due = terms.every(each.holds for each in taken.asked)
            carried_out = terms.implies(due, ground.safe(taken.body_hazards))
            sure = terms.every((sure, ground.safe(taken.hazards), carried_out))
            if due is not FALSE:
                after = ground.statements.joined(due, taken.after, after)
        state = after
    return state, sure

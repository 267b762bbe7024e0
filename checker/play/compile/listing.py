"""Functions that list legal events, phase by phase.

`moves_PHASE(s, p, out)` adds the legal moves of one player; `outcomes_PHASE(s, out)` adds what
chance may decide with the weight of each. A move with proposals is listed from them: `propose_…`
gives values for its first parameter, `complete_…` adds the legal moves with such a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, Block, Code, Here, Names
from checker.play.compile.conditions import Conditions
from checker.play.compile.plan import Plan
from checker.play.compile.transitions import Transitions
from checker.play.errors import UsageError
from checker.play.rules import requirements


class Listing:
    """Compiles the listing of events."""

    def __init__(self, transitions: Transitions) -> None:
        self.transitions = transitions
        self.expressions = transitions.expressions
        self.unit = transitions.unit
        self.instance = transitions.instance
        self.conditions = Conditions(transitions.expressions)

    def all(self) -> None:
        """Writes the functions of all phases."""
        for phase in self.instance.spec.phases:
            moves = [move for move in self.of_phase("move", phase.name) if not move.proposals]
            if moves:
                self._moves(phase.name, moves)
            chances = self.of_phase("chance", phase.name)
            if chances:
                self._outcomes(phase.name, chances)
        for move in self.instance.of_kind("move"):
            if move.proposals:
                self._proposals(move)
                self._complete(move)

    def of_phase(self, kind: str, phase: str) -> list[c.Transition]:
        """The moves or chance events of a phase."""
        return [each for each in self.instance.of_kind(kind) if phase in each.phases]

    def _moves(self, phase: str, moves: Sequence[c.Transition]) -> None:
        here = Here(Block(), Names())
        with here.block.inside(f"def moves_{self.unit.number(phase)}(s, p, out):"):
            for move in moves:
                assert move.mover is not None
                inside = here.alone({move.mover: Code("p")})
                self._events(move, inside, "out.append({})")
        self.unit.write(here.block)

    def _outcomes(self, phase: str, chances: Sequence[c.Transition]) -> None:
        here = Here(Block(), Names())
        with here.block.inside(f"def outcomes_{self.unit.number(phase)}(s, out):"):
            for chance in chances:
                self._events(chance, here.alone({}), "out.append(({weight}, {}))")
        self.unit.write(here.block)

    def _events(self, transition: c.Transition, here: Here, line: str) -> None:
        """Loops over the events of a transition; `line` is what to do with each."""
        types: dict[str, y.Type] = {param.name: param.type for param in transition.params}
        needed = requirements(transition)[1:]  # the first is the phase
        try:
            task = self.conditions.task(types, needed, here)
        except UsageError as error:
            here.block.add(f"raise {self.unit.refusal(error)}")
            return
        plan = Plan(self.expressions, task, here)
        plan.run(here, lambda at: self._found(transition, at, line))

    def _found(self, transition: c.Transition, at: Here, line: str) -> None:
        """What to do with an event that nothing refuses."""
        event = self.event(transition, at.env)
        if "{weight}" not in line:
            at.block.add(line.format(event))
            return
        weight = Code("1")
        if transition.weight is not None:
            weight = self.weight(transition, at)
        at.block.add(line.format(event, weight=weight.at(CHOICE)))

    def weight(self, transition: c.Transition, at: Here) -> Code:
        """How likely an event is; the requirements say that it is more than nothing."""
        assert transition.weight is not None
        return self.expressions.value(transition.weight, at)

    def event(self, transition: c.Transition, env: Mapping[str, Code]) -> str:
        """An event as a tuple."""
        number = self.transitions.numbers[transition.name]
        mover = "None" if transition.mover is None else env[transition.mover].text
        given = "".join(f", {env[param.name].at(CHOICE)}" for param in transition.params)
        return f"({number}, {mover}{given})"

    # ---- proposals

    def _proposals(self, move: c.Transition) -> None:
        """A generator for each proposal; with a random source its values come in any order."""
        first = move.params[0]
        assert move.mover is not None
        for number, proposal in enumerate(move.proposals):
            here = Here(Block(), Names(), {move.mover: Code("p")})
            name = f"propose_{self.unit.number(move.name)}_{number}"
            message = f"the proposal `{proposal.name}` leaves {y.show(first.type)}"

            def body(at: Here, proposal: c.Proposal = proposal, message: str = message) -> None:
                value = self.expressions.value(proposal.value, at)
                value = self.expressions.checks.value(
                    value, proposal.value.type, first.type, "", proposal.span, at,
                    whole=message,
                )  # fmt: skip
                at.block.add(f"yield {value.at(CHOICE)}")

            with here.block.inside(f"def {name}(s, p, random=None):"):
                domains = self.expressions.quantifiers.domains
                domains.each(proposal.binders, proposal.where, here, True, body, shuffled=True)
            self.unit.write(here.block)

    def _complete(self, move: c.Transition) -> None:
        """The legal moves with a given first argument."""
        first, *rest = move.params
        assert move.mover is not None
        here = Here(Block(), Names())
        value = here.names.fresh()
        inside = here.alone({move.mover: Code("p"), first.name: Code(value)})
        types: dict[str, y.Type] = {param.name: param.type for param in rest}
        with here.block.inside(f"def complete_{self.unit.number(move.name)}(s, p, {value}, out):"):
            task = self.conditions.task(types, requirements(move)[1:], inside)
            plan = Plan(self.expressions, task, inside)
            plan.run(inside, lambda at: self._found(move, at, "out.append({})"))
        self.unit.write(here.block)

"""What has to be shown about how a game goes on; moves at the same time are in `order`, its end in
`ends`.

    begins       there is a first position
    assumptions  there is a position in which all invariants hold: the first one
    one_step     where two steps are due, it makes no difference which is taken
    steps_stop   no step comes back in a row of steps; or after as many as there are, none is due
    goes_on      short of the end, and where no step is due, some event is allowed; at the start
                 also where one is due, as steps run only after an event
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from checker.certify.ask import Asked
from checker.certify.evaluate import State
from checker.certify.ground import WHOLE, Ground, Position, beginning
from checker.certify.induction import Induction, Part, open_part
from checker.certify.term import Term, Truth
from checker.certify.value import UnsupportedError, Value
from checker.certify.ways import Ways
from checker.meaning import core as c

Confirmed = Callable[[Part], bool]
"""Asks whether a part holds, without keeping the answer."""
Example = Callable[[Truth], "Mapping[Term, int | bool] | None"]
"""Values of all unknowns of a truth that make it true, if some are found."""
Turn = tuple[str, str | None]
"""A step, and the phase in which it is taken."""

MOST_STEPS = 4
"""Rows of so many steps are written down one after another."""


class Flow:
    """The parts of claims about the flow of a game."""

    def __init__(
        self, ground: Ground, induction: Induction, confirmed: Confirmed, example: Example
    ) -> None:
        self._ground = ground
        self._t = ground.t
        self._induction = induction
        self._confirmed = confirmed
        self._example = example
        self._ways = Ways(ground)

    def parts(self, wanted: set[str]) -> Iterator[Part]:
        kinds = {
            "begins": self._begins, "assumptions": self._begins, "one_step": self._one_step,
            "steps_stop": self._steps_stop, "goes_on": self._goes_on,
        }  # fmt: skip
        for name, parts in kinds.items():
            if name in wanted:
                try:
                    yield from parts(name)
                except UnsupportedError as error:
                    yield open_part(name, "all of it", error)

    def _begins(self, claim: str) -> Iterator[Part]:
        """Values are looked for, put in, and what is asked under `start` is worked out."""
        ground = self._ground
        ground.ev.shapes.whole = WHOLE
        _, held, defined = beginning(ground)
        both = self._t.both(held, defined)
        found = self._example(both)
        goal = False if found is None else self._t.replaced(both, found)
        yield Part(claim, "start", Asked(goal, ()))
        ground.ev.shapes.whole = 0

    # ---- steps

    def _one_step(self, claim: str) -> Iterator[Part]:
        ground = self._ground
        for phase in ground.phases:
            position = ground.position(phase)
            for one, other in combinations(ground.steps, 2):
                taken, taken_too = position.take(one, None)[0], position.take(other, None)[0]
                facts = [*taken.asked, *taken_too.asked]
                goal = self._t.both(
                    taken.defined, taken_too.defined,
                    same_state(ground, taken.after, taken_too.after),
                )  # fmt: skip
                where = f"{one.name} and {other.name} in {phase}"
                if False not in facts:
                    yield asked_at(ground, claim, where, position, goal, facts)
        yield Part(claim, "all pairs of steps", Asked(True, ()))

    def _steps_stop(self, claim: str) -> Iterator[Part]:
        """Which step can follow which; what would close a circle is asked about."""
        follows = {
            (turn, after): part
            for phase in self._ground.phases
            for step in self._ground.steps
            for turn, after, part in self._following(claim, step, phase)
        }
        kept = []
        while circle := _in_circles(list(follows)):
            gone = next((each for each in circle if self._confirmed(follows[each])), None)
            if gone is None:
                yield from self._many_steps(claim)
                return
            kept.append(follows.pop(gone))
        yield from kept
        yield Part(claim, "no step comes back", Asked(True, ()))

    def _following(
        self, claim: str, step: c.Transition, phase: str | None
    ) -> Iterator[tuple[Turn, Turn, Part]]:
        ground, t = self._ground, self._t
        position = ground.position(phase)
        taken, _ = position.take(step, None)
        facts = [self._induction.before(position, step), *taken.asked, taken.defined]
        if False in facts:
            return
        for other in ground.steps:
            first = t.both(ground.due(other, taken.after), ground.settled(taken.after, other))
            for then in ground.phases:
                due = t.both(first, ground.in_phase(taken.after, then))
                if due is not False:
                    where = f"{other.name} in {then} never follows {step.name} in {phase}"
                    part = asked_at(ground, claim, where, position, t.no(due), facts)
                    yield (step.name, phase), (other.name, then), part

    def _many_steps(self, claim: str) -> Iterator[Part]:
        ground = self._ground
        if len(ground.steps) > MOST_STEPS:
            yield Part(claim, "rows of steps", None, "there are too many steps to follow")
            return
        for phase in ground.phases:
            position = ground.position(phase)
            state: State = position.state
            for _ in ground.steps:
                state = self._first_due(state)
            goal = ground.settled(state)
            where = f"after {len(ground.steps)} steps in {phase}"
            yield asked_at(ground, claim, where, position, goal, [])

    def _first_due(self, state: State) -> State:
        """The position after the first step that is due, the same one if none is."""
        result = state
        for step in reversed(self._ground.steps):
            due = self._ground.due(step, state)
            if due is not False:
                after = self._ground.performer.take(step, state, {}).after
                result = {
                    name: self._ground.ev.shapes.merge(due, after[name], result[name])
                    for name in state
                }
        return result

    # ---- ways on

    def _goes_on(self, claim: str) -> Iterator[Part]:
        ground = self._ground
        for phase in ground.phases:
            if not ground.is_final(phase):
                position = ground.position(phase)
                facts = [position.settled]
                goals = self._ways.on(position.state)
                parts = (
                    asked_at(ground, claim, f"in {phase}", position, goal, facts) for goal in goals
                )
                yield self._first_confirmed(claim, f"in {phase}", parts)
        if not self._induction.settled:
            yield from self._at_the_start(claim)

    def _at_the_start(self, claim: str) -> Iterator[Part]:
        ground = self._ground
        ground.ev.shapes.whole = WHOLE
        state, held, defined = beginning(ground)
        over = [ground.in_phase(state, each) for each in ground.phases if ground.is_final(each)]
        parts = (
            Part(claim, "start", Asked(self._t.either(*over, goal), (held, defined)))
            for goal in self._ways.on(state)
        )
        yield self._first_confirmed(claim, "start", parts)
        ground.ev.shapes.whole = 0

    def _first_confirmed(self, claim: str, where: str, parts: Iterator[Part]) -> Part:
        """One of several parts each of which would do."""
        last = Part(claim, where, Asked(False, ()))
        for last in parts:
            if self._confirmed(last):
                break
        return last


def asked_at(
    ground: Ground, claim: str, where: str, position: Position, goal: Truth,
    facts: Sequence[Truth], locals: Mapping[str, Value] | None = None,
    after: Sequence[State] = (),
) -> Part:  # fmt: skip
    """A part about any position in a phase."""
    return Part(claim, where, Asked(
        goal, facts, (), position.hypotheses, ground.squares(after, locals or {}),
        ground.splits(locals or {}, position.state),
    ))  # fmt: skip


def same_state(ground: Ground, one: State, other: State) -> Truth:
    """Whether two positions are the same."""
    same = ground.ev.operations.same
    return ground.t.both(*(same(one[name], other[name]) for name in one))


def _in_circles(edges: Sequence[tuple[Turn, Turn]]) -> list[tuple[Turn, Turn]]:
    """Those edges that are part of a circle."""
    return [(one, other) for one, other in edges if one in reached(other, edges)]


def reached(start: object, edges: Sequence[tuple[object, object]]) -> set[object]:
    """Where edges lead from a node, itself included."""
    found = {start}
    while more := {other for one, other in edges if one in found} - found:
        found |= more
    return found

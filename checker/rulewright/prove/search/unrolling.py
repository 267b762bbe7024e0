"""Games as terms: played turn by turn with every choice open, shortest first.

Each slot is one event. What can happen in it follows from the phases the game can be in; in a
simultaneous phase the players act in seat order, which is all there is to see once the order has
been proved not to matter. Steps follow at once. A prefix never enters a final phase, for then the
game would have been shorter. Chance stays open: dice are unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.prove.discharge.phase_graph import following, leads
from rulewright.smt.encode.environment import Hazard
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import Sym, same
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.syntax.node import Node
from rulewright.vc.conditions import beginning, one_step
from rulewright.vc.context import ProofContext


class EventOption(Node):
    """One thing that can happen in a slot, where the slot's choice is its number."""

    transition: c.Transition
    by: int | None
    locals: Mapping[str, Sym]


class Slot(Node):
    """One event of a game: its choice among options, that it is allowed, the positions it passes
    through, that the game is not over afterwards, and for each option (that it is chosen and that
    it is allowed) the hazards of asking for it and of doing it; those of steps are left out. A game
    that `waits` is in another phase, and nothing happens."""

    choice: Term
    options: tuple[EventOption, ...]
    allowed: Term
    passed: tuple[State, ...]
    going: Term
    dangers: tuple[tuple[Term, Term, list[Hazard], list[Hazard]], ...]
    waits: Term


class Unrolling:
    """A game with its choices open."""

    def __init__(
        self, context: ProofContext, in_seat_order: bool, state: State, phase: str,
        until: str | None = None, begins: Term = TRUE,
    ) -> None:  # fmt: skip
        """Begins in a state, of which at least the phase is known and that `begins` allows; goes
        on until the game is over or in the phase `until`."""
        self.context = context
        self.terms = context.terms
        self.start: State = {**state, **self._phase(phase)}
        self.state: State = self.start
        self.begins = begins
        self.slots: list[Slot] = []
        self._in_seat_order = in_seat_order
        self.ordered = False
        """That games in which simultaneous players act in another order were left out."""
        self._acted = 0
        self._final = [
            each.name for each in context.spec.phases if each.final or each.name == until
        ]
        self._first = phase
        self._following = following(context.spec)
        self._chosen: list[Term] = []
        self._states: list[State] = []
        self._one_of_them: State = state

    @classmethod
    def any_game(cls, context: ProofContext, in_seat_order: bool) -> Unrolling:
        """A game from any of its starts."""
        state, asked, _ = beginning(context)
        phase = str(initial_position(context.instance).get("phase", ""))
        begins = context.terms.every(each.term for each in asked)
        return cls(context, in_seat_order, state, phase, begins=begins)

    @classmethod
    def game(cls, context: ProofContext, in_seat_order: bool) -> Unrolling:
        """A game from its usual start."""
        start = initial_position(context.instance)
        state = {
            name: context.ex.shapes.given(start[name], variable.type)
            for name, variable in context.instance.variables.items()
        }
        return cls(context, in_seat_order, state, str(start.get("phase", "")))

    def _phase(self, name: str) -> dict[str, Sym]:
        variable = self.context.instance.variables.get("phase")
        if variable is None:
            return {}
        return {"phase": self.context.ex.shapes.literal(name, variable.type)}

    def done(self) -> bool:
        """Whether the game cannot go on."""
        return bool(self.slots) and self.slots[-1].going is FALSE

    def phases(self) -> list[str]:
        """The phases the game can be in now."""
        names = [each.name for each in self.context.spec.phases]
        return [n for n in names if self.context.phase_is(self.state, [n]) is not FALSE]

    def extend(self) -> bool:
        """Adds one event, all of it or nothing; False if nothing can happen any more."""
        before = self.state, self._acted
        try:
            return not self.done() and self._extended()
        except WorkLimitError:
            self.state, self._acted = before
            raise

    def _extended(self) -> bool:
        context, terms = self.context, self.terms
        number = len(self.slots)
        due = self._due()
        waits = terms.no(context.phase_is(self.state, due)) if due else FALSE
        options, results, hazards = self._options(due, self._facing(terms.no(waits), self.state))
        if not options and waits is not FALSE:  # nobody can do anything there, but elsewhere
            waits = FALSE
            options, results, hazards = self._options(self.phases(), self.state)
        if not options:
            return False
        choice = terms.unknown(f"choice {number} of {len(options)}", 0, len(options) - 1)
        if len(options) == 1:
            choice = terms.number(0)
        chosen = [terms.equal(choice, terms.number(k)) for k in range(len(options))]
        possible = terms.any_of(waits, terms.every(
            terms.implies(here, allowed) for here, (allowed, _) in zip(chosen, results)
        ))  # fmt: skip
        passed: list[State] = [self._merged(chosen, [after for _, after in results])]
        settled = [self._settle(after) for _, after in results]
        longest = max(len(each) for each in settled)
        for step in range(longest):
            here = [each[min(step, len(each) - 1)] for each in settled]
            passed.append(self._merged(chosen, here))
        before = self.state
        going = terms.any_of(waits, self._go_on(chosen, [each[-1] for each in settled]))
        if waits is not FALSE:
            idle = self._facing(waits, before)
            passed = [context.statements.joined(waits, idle, each) for each in passed]
            self.state = context.statements.joined(waits, idle, self.state)
        dangers = tuple(
            (terms.both(terms.no(waits), here), allowed, asking, doing)
            for here, (allowed, _), (asking, doing) in zip(chosen, results, hazards)
        )
        self.slots.append(
            Slot(choice, tuple(options), possible, tuple(passed), going, dangers, waits)
        )
        return True

    def _options(
        self, phases: list[str], state: State
    ) -> tuple[
        list[EventOption], list[tuple[Term, State]], list[tuple[list[Hazard], list[Hazard]]]
    ]:
        """What can happen in these phases, when that is allowed and where it leads, and what could
        go wrong."""
        context, terms = self.context, self.terms
        options, results, hazards = [], [], []
        for transition, by, seats in self._candidates(phases):
            terms.watch.check()
            locals = context.parameters(transition, f" {len(self.slots)}")
            if transition.mover is not None:
                locals[transition.mover] = terms.number(by or 0)
            locals.update((name, terms.number(seat)) for name, seat in seats)
            taken = context.statements.take(transition, state, locals)
            allowed = terms.every(each.holds for each in taken.asked)
            if allowed is not FALSE:
                options.append(EventOption(transition, by, locals))
                results.append((allowed, taken.after))
                hazards.append((taken.hazards, taken.body_hazards))
        context.world.take_hazards()
        return options, results, hazards

    def _due(self) -> list[str]:
        """The phases whose events come next. Of several, one that does not come after another
        before a new turn begins, so that games of different length are in step again; games in
        other phases wait."""
        here = self.phases()
        for phase in here:
            others = [other for other in here if other != phase]
            new_turn = phase == self._first and others
            if new_turn or any(
                leads(self._following, each, phase, passing=self._first)
                for each in (*others, phase)
            ):
                continue
            return [phase]
        return here

    def _facing(self, condition: Term, state: State) -> State:
        """A state that is only looked at where a condition holds."""
        if condition is TRUE:
            return state
        facts = AssumedFacts(self.terms, [condition])
        return {name: facts.value(value) for name, value in state.items()}

    def _candidates(
        self, phases: list[str]
    ) -> Iterator[tuple[c.Transition, int | None, Sequence[tuple[str, int]]]]:
        """What could happen, by whom, and for chance events, to whom: each seat apart, since mostly
        only one of them is due and that is known."""
        simultaneous = [each.name for each in self.context.spec.phases if each.simultaneous]
        players = self.context.instance.players
        everybody = range(1, players + 1)
        seats: Sequence[int] = everybody
        if self._in_seat_order and phases and all(each in simultaneous for each in phases):
            seats = [self._acted % players + 1]
            self._acted += 1
            self.ordered = self.ordered or players > 1
        else:
            self._acted = 0
        for transition in self.context.spec.transitions:
            if transition.kind == "step" or not set(transition.phases) & set(phases):
                continue
            movers: Sequence[int | None] = seats if transition.mover else [None]
            named = [
                [(param.name, seat) for seat in everybody]
                for param in transition.params
                if transition.kind == "chance" and isinstance(param.type, y.Player)
            ]
            yield from (
                (transition, mover, chosen) for mover in movers for chosen in product(*named)
            )

    def _settle(self, state: State) -> list[State]:
        """The positions that steps lead through, the last one settled."""
        found = [state]
        for _ in self.context.instance.of_kind("step"):
            after = one_step(self.context, found[-1])
            if all(after[name] is found[-1][name] for name in after):
                break
            found.append(after)
        self.context.world.take_hazards()
        return found

    def _merged(self, chosen: list[Term], states: list[State]) -> State:
        """One of some states, as chosen; where it was the same ones before, the same again."""
        if chosen != self._chosen or [*map(id, states)] != [*map(id, self._states)]:
            result = states[0]
            for here, state in zip(chosen[1:], states[1:]):
                result = self.context.statements.joined(here, state, result)
            self._chosen, self._states, self._one_of_them = chosen, states, result
        return self._one_of_them

    def _go_on(self, chosen: list[Term], states: list[State]) -> Term:
        """That the game is not over yet; the state forgets what that rules out."""
        terms = self.terms
        kept: list[tuple[Term, State]] = []
        conditions = []
        for here, state in zip(chosen, states):
            going = terms.no(self.context.phase_is(state, self._final))
            conditions.append(terms.implies(here, going))
            if going is FALSE:
                continue
            if going is not TRUE:
                state = self._facing(going, state)
            kept.append((here, state))
        if not kept:
            return FALSE
        self.state = self._merged([here for here, _ in kept], [state for _, state in kept])
        return terms.every(conditions)

    def meets(
        self, claim: Callable[[State, State], Term], since: int, until: int, settled: bool = False
    ) -> Term:
        """That the game gets to some position, in these slots, such that the claim holds of the
        one before it and of itself; only to one that is `settled`, in which no step is due any
        more. What happens after that does not matter."""
        terms = self.terms
        ways = []
        path = self._up_to(since)
        so_far = TRUE
        for number, slot in enumerate(self.slots[since:until], since):
            so_far = terms.both(so_far, slot.allowed)
            before = self._before(number)
            happens = terms.both(so_far, terms.no(slot.waits))
            for steps_left, state in zip(reversed(range(len(slot.passed))), slot.passed):
                if not (settled and steps_left):
                    ways.append(terms.both(happens, claim(before, state)))
                before = state
            so_far = terms.both(so_far, slot.going)
        return terms.both(path, terms.either(ways))

    def strikes(self, since: int, until: int) -> Term:
        """That in one of these slots an event asks for something that has no value."""
        terms = self.terms
        return terms.either(
            terms.both(self._up_to(number), self._unsafe(self.slots[number]))
            for number in range(since, until)
        )

    def _unsafe(self, slot: Slot) -> Term:
        terms, safe = self.terms, self.context.safe
        ways = []
        for chosen, allowed, asking, doing in slot.dangers:
            done = terms.both(allowed, terms.no(safe(doing)))
            ways.append(terms.both(chosen, terms.any_of(terms.no(safe(asking)), done)))
        return terms.either(ways)

    def _up_to(self, number: int) -> Term:
        """That the game begins as it may and comes to a slot."""
        parts = (part for slot in self.slots[:number] for part in (slot.allowed, slot.going))
        return self.terms.every((self.begins, *parts))

    def unlike(self, events: Sequence[Event]) -> Term:
        """That a game does not begin with these events."""
        alike = []
        left = list(events)
        for slot in self.slots:
            if not left or not any(_alike(each, left[0]) for each in slot.options):
                alike.append(slot.waits)
                continue
            alike.append(self.terms.no(slot.waits))
            alike.append(self._happens(slot, left.pop(0)))
            if not left:
                break
        return self.terms.no(self.terms.every(alike))

    def _happens(self, slot: Slot, event: Event) -> Term:
        """That an event is what happens in a slot."""
        terms = self.terms
        ways = []
        for number, option in enumerate(slot.options):
            if _alike(option, event):
                types = self.context.parameter_types(option.transition)
                given = [
                    same(
                        terms, option.locals[name], self.context.ex.shapes.given(value, types[name])
                    )
                    for name, value in event.arguments.items()
                ]
                ways.append(terms.every((terms.equal(slot.choice, terms.number(number)), *given)))
        return terms.either(ways)

    def begun(self, model: Model) -> dict[str, Any]:
        """Where the game begins in a model."""
        variables, domains = self.context.instance.variables, self.context.world.domains
        return {
            name: decode(value, variables[name].type, model, domains)
            for name, value in self.start.items()
        }

    def _before(self, number: int) -> State:
        if number == 0:
            return self.start
        return self.slots[number - 1].passed[-1]

    def events(self, model: Model, until: int | None = None) -> list[Event]:
        """The events that a model stands for, those of the first so many slots or all."""
        found = []
        domains = self.context.world.domains
        for slot in self.slots[:until]:
            if model.compute(slot.waits):
                continue
            option = slot.options[model.compute(slot.choice)]
            types: dict[str, y.Type] = self.context.parameter_types(option.transition)
            given: dict[str, Any] = {
                name: decode(value, types[name], model, domains)
                for name, value in option.locals.items()
            }
            if option.transition.mover is not None:
                given.pop(option.transition.mover)
            found.append(Event(option.transition.name, option.by, given))
        return found


def _alike(option: EventOption, event: Event) -> bool:
    """Whether an event is an option, whatever its arguments."""
    return (option.transition.name, option.by) == (event.name, event.by)

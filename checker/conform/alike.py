"""Whether a mistake is none: transition by transition, a mutant says the same as the spec.

From every position of a game, each move, chance event and step is allowed by both or by neither
and leads both to the same position, and everywhere both have the same results: then no game tells
them apart, however its steps follow one another. Only a proof is looked for, from the invariants
and with small questions first, as proofs of the spec itself are; that there is none says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from checker.conform.mutants import Mutant
from checker.conform.parting import Original, Twin, step
from checker.conform.shared import RESULT
from checker.conform.ways import Way, ways
from checker.kernel.query import Goal, Query
from checker.meaning import core as c
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.manner import LITTLE, Manner
from checker.prove.narrow import Narrow
from checker.smt.solver import UNSAT
from checker.smt.statement import State, Taken
from checker.smt.term import FALSE, TRUE, Term, parts
from checker.smt.text import Labelled
from checker.smt.value import same
from checker.syntax.node import Node
from checker.vc.questions import EARLIER, SETTLED

SECONDS = 600.0
"""For machines so slow that the work would never end."""
NARROW, FARTHER, WIDE = (False, 1, True), (False, 2, True), (True, 2, True)
"""With what is known of the same things only and with one round of instances, then two; and with
all that is known of the players concerned."""
SMALL = Manner((NARROW, FARTHER, WIDE), work=(500_000,), whole=LITTLE, boards=False)
"""How a way is asked about."""
WHOLE = Manner((NARROW,), work=(1_000_000,), whole=LITTLE, boards=False)
"""How all the ways in which something differs are asked about at once."""
LIGHT = 400
"""Requirements made of at most so many terms are looked at together with a way."""
HANDY = 1500
"""What is made of at most so many terms is asked about like a way."""
MOST_WAYS = 120
"""If there are as many ways, they are not asked about one by one."""
SAFE = "safe"
OWN = frozenset({"", SAFE, EARLIER, SETTLED})
"""Labels of what is known without an invariant."""


class Differing(Node):
    """Something that may differ: that `one` holds and `other` does not, where the others hold."""

    one: Term
    other: Term
    others: tuple[Term, ...]


class Alike:
    """Proves that mutants say the same as the spec."""

    def __init__(self) -> None:
        self._narrow = Narrow(Effort(SECONDS), Cache(None))
        self._sizes: dict[Term, int] = {}

    def leans_on(self, original: Original, mutant: Mutant) -> set[str] | None:
        """The labels of what is known by which a mutant is equivalent to the spec, `OWN` ones among
        them; None if no proof is found."""
        used: set[str] = set()
        twin = Twin(original.ground, mutant)
        for transition in original.ground.spec.transitions:
            of = original.leaning.of[transition.name]
            if transition.name == mutant.transition or mutant.shared in of:
                found = self._of_transition(original, twin, transition)
                if found is None:
                    return None
                used |= found
        if mutant.shared in original.leaning.of[RESULT]:
            wrong = original.other_results(twin, original.ground.state)
            known = [each for each in original.known if each.label != SETTLED]
            sheet = Query(RESULT, known, [], original.ground.state)
            found = self._ruled_out(original, sheet, [Differing(wrong, FALSE, ())])
            if found is None:
                return None
            used |= found
        return used

    def _of_transition(
        self, original: Original, twin: Twin, transition: c.Transition
    ) -> set[str] | None:
        """What rules out that a transition is asked otherwise or leads elsewhere; if at once it
        does, a step may still lead to the same with the step that follows. After a move, too much
        may follow."""
        taken, sheet = _taken(original, transition)
        right = twin.instance.transitions[transition.name]
        wrong = twin.statements.take(right, original.ground.state, taken.locals)
        asked = self._ruled_out(original, sheet, _asked(original, twin, taken, wrong))
        if asked is None:
            return None
        done = self._ruled_out(original, sheet, _done(original, twin, taken, wrong))
        if done is None and transition.kind == "step":
            done = self._ruled_out(original, sheet, _then(original, twin, taken, wrong))
        return None if done is None else asked | done

    def _ruled_out(
        self, original: Original, sheet: Query, all_that: Iterable[Differing]
    ) -> set[str] | None:
        """What rules all of it out, at once where that is little, or else way by way."""
        used: set[str] = set()
        for each in all_that:
            together = [*each.others, each.one, original.terms.no(each.other)]
            handy = sum(map(self._size, together)) <= HANDY
            found = self._asked(original, sheet, together, SMALL) if handy else None
            if found is None:
                found = self._way_by_way(original, sheet, each)
            if found is None and not handy:
                found = self._asked(original, sheet, together, WHOLE)
            if found is None:
                return None
            used |= found
        return used

    def _way_by_way(
        self, original: Original, sheet: Query, differing: Differing
    ) -> set[str] | None:
        used: set[str] = set()
        found_ways = list(islice(ways(original.terms, differing.one, differing.other), MOST_WAYS))
        if len(found_ways) == MOST_WAYS:
            return None
        for way in found_ways:
            for beside in self._beside(way, differing.others):
                found = self._asked(original, sheet, [*beside, *way.holds], SMALL)
                if found is not None:
                    used |= found
                    break
            else:
                return None
        return used

    def _beside(self, way: Way, others: Sequence[Term]) -> Iterator[Sequence[Term]]:
        """What is taken along with a way, more and more of it."""
        yield way.near
        if light := [each for each in others if self._size(each) <= LIGHT]:
            yield (*way.near, *light)

    def _size(self, term: Term) -> int:
        if term not in self._sizes:
            self._sizes[term] = len(parts(term))
        return self._sizes[term]

    def _asked(
        self, original: Original, sheet: Query, hold: Sequence[Term], manner: Manner
    ) -> set[str] | None:
        """The assumptions by which not all of these hold; None if that is not seen."""
        goal = Goal("alike", "vector", original.terms.every(hold))
        sheet.goals = [goal]
        (answer,) = self._narrow.answers(original.ground, sheet, manner, shown=False)
        return set(answer.used) if answer.result == UNSAT else None


def _taken(original: Original, transition: c.Transition) -> tuple[Taken, Query]:
    """A transition of the spec, and a sheet with what is known wherever it is asked for."""
    ground, terms = original.ground, original.terms
    known = list(original.known)
    if transition.kind == "step":
        due = ground.step_due(ground.state, before=transition)
        ground.world.take_hazards()
        known = [each for each in known if each.label != SETTLED]
        known.append(Labelled(EARLIER, terms.no(due)))
    taken = original.take(transition)
    known.append(Labelled(SAFE, ground.safe(taken.hazards)))
    return taken, Query(transition.name, known, [], ground.state, transition)


def _asked(original: Original, twin: Twin, taken: Taken, wrong: Taken) -> Iterator[Differing]:
    """That one of the two allows an event which the other refuses or has no answer to."""
    right, mistaken = ([each.holds for each in one.asked] for one in (taken, wrong))
    for at, (here, there) in enumerate(zip(right, mistaken)):
        if here is not there:
            yield Differing(here, there, (*right[:at], *right[at + 1 :]))
            yield Differing(there, here, (*mistaken[:at], *mistaken[at + 1 :]))
    yield Differing(TRUE, twin.safe(wrong.hazards), tuple(right))


def _done(original: Original, twin: Twin, taken: Taken, wrong: Taken) -> Iterator[Differing]:
    """That an event leads elsewhere at once."""
    here = _where_done(original, taken)
    yield Differing(TRUE, twin.safe(wrong.body_hazards), here)
    yield from _elsewhere(original, taken.after, wrong.after, here)


def _then(original: Original, twin: Twin, taken: Taken, wrong: Taken) -> Iterator[Differing]:
    """That an event leads elsewhere with the step that follows it. If it does not, and what step
    is due is the same for all positions, then what comes later is the same as well."""
    here = _where_done(original, taken)
    yield Differing(TRUE, twin.safe(wrong.body_hazards), here)
    after, _, sure = step(original.ground, taken.after)
    wrongly_after, _, wrongly_sure = step(twin, wrong.after)
    yield Differing(sure, wrongly_sure, here)
    yield from _elsewhere(original, after, wrongly_after, (*here, sure))


def _where_done(original: Original, taken: Taken) -> tuple[Term, ...]:
    """What holds where an event of the spec is carried out."""
    return (*(each.holds for each in taken.asked), original.ground.safe(taken.body_hazards))


def _elsewhere(
    original: Original, after: State, wrongly_after: State, here: tuple[Term, ...]
) -> Iterator[Differing]:
    for name, value in after.items():
        alike = same(original.terms, value, wrongly_after[name])
        if alike is not TRUE:
            yield Differing(TRUE, alike, here)

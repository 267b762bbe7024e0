"""The questions whose answers compare two specs. Asking them is somebody else's work.

Every question is about any position that the assumptions allow and any choice of mover and
parameters. *Unsatisfiable* means that there is no such difference; a model is one.

    stricter   the old rules allow the event, the new ones refuse it
    looser     the new rules allow it, the old ones refuse it
    changed    both allow it, and it leads to another position, has other odds, or has an outcome
               by one of the two only
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from checker.change.pair import Pair, Side
from checker.change.subject import Subject, parameters
from checker.meaning import core as c
from checker.meaning import types as y
from checker.smt.scene import Hazard, Scene
from checker.smt.statement import State, Taken
from checker.smt.term import FALSE, TRUE, Term, conjuncts
from checker.smt.text import Labelled
from checker.smt.value import Sym, as_number
from checker.vc.questions import SETTLED, beginning, begins_settled

STRICTER, LOOSER, CHANGED = "stricter", "looser", "changed"
BOTH = "both"
"""Marks an assumption that both sides have."""


class Question:
    """One kind of difference to look for, in parts where that is easier; `choices` are the mover
    and the parameters by the names of the old and the new side."""

    def __init__(
        self, subject: Subject, way: str, assumed: list[Labelled], goal: Term,
        choices: tuple[State, State], part: str = "",
    ) -> None:  # fmt: skip
        self.subject = subject
        self.way = way
        self.part = part
        self.assumed = [each for each in assumed if each.term is not TRUE]
        self.goal = goal
        self.choices = choices


WAYS = (STRICTER, LOOSER, CHANGED)


def questions(pair: Pair, subject: Subject, ways: Collection[str] = WAYS) -> list[Question]:
    """What is to be asked about a subject, in these ways."""
    if subject.kind == "start":
        found = _start(pair, subject)
    elif subject.kind == "result":
        found = _result(pair, subject)
    else:
        found = _transition(pair, subject, outcome=CHANGED in ways)
    return [each for each in found if each.way in ways]


def _transition(pair: Pair, subject: Subject, outcome: bool) -> list[Question]:
    """Where only one side has no answer, it does not allow what the other allows."""
    terms = pair.terms
    choices = _choices(pair, subject)
    within = _within(pair, subject, choices)
    sides = [(pair.old, subject.old, choices[0]), (pair.new, subject.new, choices[1])]
    taken: list[Taken | None] = []
    legal: list[Term] = []
    answered: list[Term] = []
    met: list[list[Hazard]] = []
    for (side, transition, given), known, first in zip(sides, within, subject.first):
        if not isinstance(transition, c.Transition):
            taken.append(None)
            legal.append(FALSE)
            answered.append(TRUE)
            met.append([])
            continue
        side.world.take_hazards()
        if outcome:
            one = side.statements.take(transition, side.state, given)
            asked, hazards = one.asked, one.hazards
            taken.append(one)
        else:
            asked = list(side.statements.ask(transition, side.state, given))
            hazards = side.world.take_hazards()
        answered.append(terms.implies(known, side.safe(hazards)))
        met.append(hazards)
        steps = [side.instance.transitions[name] for name in first]
        waits = terms.either(side.allowed(step, side.state, {}) for step in steps)
        hazards += side.world.take_hazards()
        legal.append(terms.every((known, *(each.holds for each in asked), terms.no(waits))))
    assumed = _known(pair)
    if subject.kind != "step":
        assumed += [
            Labelled(f"{side.mark}: {SETTLED}", terms.no(side.step_due(side.state)))
            for side in (pair.old, pair.new)
            if begins_settled(side)  # else a step may be due where the first event happens
        ]
        for side in (pair.old, pair.new):
            side.world.take_hazards()
    before, after = legal
    silent = [
        terms.both(one, terms.no(side.safe(_uncovered(one, *hazards))))
        for one, side, hazards in ((before, pair.new, met[::-1]), (after, pair.old, met))
    ]
    of_old, of_new = ([*assumed, Labelled("", each)] for each in answered)
    assumed_of_both = [*of_old, Labelled("", answered[1])]
    found = [
        Question(subject, STRICTER, assumed_of_both, _apart(pair, before, after), choices),
        Question(subject, STRICTER, of_old, silent[0], choices, part="no answer"),
        Question(subject, LOOSER, assumed_of_both, _apart(pair, after, before), choices),
        Question(subject, LOOSER, of_new, silent[1], choices, part="no answer"),
    ]
    if outcome and taken[0] is not None and taken[1] is not None:
        differs = _outcome_differs(pair, subject, taken[0], taken[1], choices)
        goal = terms.every((before, after, differs))
        found.append(Question(subject, CHANGED, assumed_of_both, goal, choices))
    return found


def _apart(pair: Pair, one: Term, other: Term) -> Term:
    """True where only one of two truths holds; what both ask is asked once."""
    return pair.terms.both(one, pair.terms.no(_besides(pair, other, one)))


def _uncovered(allowed: Term, mine: list[Hazard], theirs: list[Hazard]) -> list[Hazard]:
    """The hazards that only one side meets where the other has an answer and allows it: not those
    that the other meets too, on every path here."""
    known = set(conjuncts(allowed))
    safe: dict[Term, list[set[Term]]] = {}
    for each in theirs:
        safe.setdefault(each.safe, []).append(set(conjuncts(each.path)) - known)
    return [
        each for each in mine
        if not any(path <= set(conjuncts(each.path)) for path in safe.get(each.safe, ()))
    ]  # fmt: skip


def _besides(pair: Pair, one: Term, other: Term) -> Term:
    """What one truth asks besides what another does."""
    common = set(conjuncts(other))
    return pair.terms.every(each for each in conjuncts(one) if each not in common)


def _outcome_differs(
    pair: Pair, subject: Subject, old: Taken, new: Taken, choices: tuple[State, State]
) -> Term:
    """True where an event that both allow has another outcome or other odds."""
    terms = pair.terms
    alike = terms.every(
        pair.same(name, old.after[name], new.after[name]) for name in pair.compared()
    )
    fine = [pair.old.safe(old.body_hazards), pair.new.safe(new.body_hazards)]
    odds = _odds(pair, subject, choices)
    differs = terms.either((terms.no(alike), terms.no(odds)))
    one_answers = terms.no(terms.same_truth(*fine))
    return terms.either((one_answers, terms.both(fine[0], differs)))


def _odds(pair: Pair, subject: Subject, choices: tuple[State, State]) -> Term:
    """True where both sides give an outcome the same weight."""
    weights = []
    for side, transition, given in (
        (pair.old, subject.old, choices[0]), (pair.new, subject.new, choices[1]),
    ):  # fmt: skip
        assert isinstance(transition, c.Transition)
        if transition.weight is None:
            weights.append(pair.terms.number(1))
        else:
            scene = Scene(side.state, side.state, given)
            weights.append(side.ex.code(transition.weight, scene))
        side.world.take_hazards()
    return pair.terms.equal(weights[0], weights[1])


def _known(pair: Pair) -> list[Labelled]:
    """What is assumed of the position: that both know it, and the invariants of both. One that
    both have is one assumption, to be proved of both."""
    found: dict[Term, Labelled] = {}
    before = {each.term: each.label for each in pair.old.invariants}
    for side in (pair.old, pair.new):
        for each in side.invariants:
            label = f"{side.mark}: {each.label}"
            if side is pair.new and before.get(each.term) == each.label:
                label = f"{BOTH}: {each.label}"
            if each.term not in found or label.startswith(BOTH):
                found[each.term] = Labelled(label, each.term)
    return [*(Labelled("", each) for each in pair.common), *found.values()]


def _choices(pair: Pair, subject: Subject) -> tuple[State, State]:
    """One unknown mover and one unknown for each parameter, by the names of either side; of a
    number that has another range, any that one of the two knows."""
    side, shape = (pair.new, subject.new) if subject.new is not None else (pair.old, subject.old)
    assert isinstance(shape, c.Transition)
    by_new = side.parameters(shape, " of the event")
    if not isinstance(subject.old, c.Transition) or not isinstance(subject.new, c.Transition):
        return by_new, by_new
    by_old: dict[str, Sym] = {}
    for name, (was, now) in parameters(subject).items():
        if was.type != now.type and isinstance(was.type, y.Int) and isinstance(now.type, y.Int):
            either = _spanning(was.type, now.type)
            by_new[name] = side.ex.shapes.fresh(either, f"{shape.name}.{name} of either event")
        by_old[was.name] = by_new[name]
    mover = subject.old.mover
    if mover is not None and subject.new.mover is not None:
        by_old[mover] = by_new[subject.new.mover]
    elif mover is not None:
        by_old[mover] = side.ex.shapes.fresh(y.Player(1, 1), "mover of the event")
    return by_old, by_new


def _spanning(one: y.Int, other: y.Int) -> y.Int:
    """The range that two ranges lie in."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return y.Int(low, high)


def _within(pair: Pair, subject: Subject, choices: tuple[State, State]) -> tuple[Term, Term]:
    """True where the old and the new side know a choice: numbers may lie in one range only."""
    known: tuple[list[Term], list[Term]] = ([], [])
    for was, now in parameters(subject).values():
        if was.type != now.type and isinstance(was.type, y.Int):
            known[0].append(pair.old.ex.shapes.within(choices[0][was.name], was.type))
            known[1].append(pair.new.ex.shapes.within(choices[1][now.name], now.type))
    return pair.terms.every(known[0]), pair.terms.every(known[1])


def _result(pair: Pair, subject: Subject) -> list[Question]:
    """Unsatisfiable: in every finished game the function has the same value for each player."""
    terms = pair.terms
    if subject.old is None or subject.new is None:
        return []
    assert isinstance(subject.old, c.Function) and isinstance(subject.new, c.Function)
    player = pair.new.ex.shapes.fresh(subject.new.params[0].type, "player of the result")
    values: list[Term] = []
    hazards: list[Term] = []
    choices: list[Mapping[str, Sym]] = []
    for side, function in ((pair.old, subject.old), (pair.new, subject.new)):
        given = {function.params[0].name: player}
        side.world.take_hazards()
        values.append(as_number(terms, side.ex.term(function.body, Scene(side.state, None, given))))
        hazards.append(side.safe(_taken(side)))
        choices.append(given)
    final = [each.name for each in pair.new.spec.phases if each.final]
    over = pair.new.phase_is(pair.new.state, final) if final else TRUE
    differs = terms.both(hazards[0], terms.no(terms.equal(values[0], values[1])))
    one_answers = terms.no(terms.same_truth(*hazards))
    goal = terms.both(over, terms.either((one_answers, differs)))
    return [Question(subject, CHANGED, _known(pair), goal, (choices[0], choices[1]))]


def _start(pair: Pair, subject: Subject) -> list[Question]:
    """Unsatisfiable: a position that the one lets a game begin with, so does the other."""
    terms = pair.terms
    legal = [_begins(pair, side) for side in (pair.old, pair.new)]
    assumed = [Labelled("", each) for each in pair.common]
    none: tuple[State, State] = ({}, {})
    return [
        Question(subject, STRICTER, assumed, terms.both(legal[0], terms.no(legal[1])), none),
        Question(subject, LOOSER, assumed, terms.both(legal[1], terms.no(legal[0])), none),
    ]


def _begins(pair: Pair, side: Side) -> Term:
    """True where a game can begin with the position."""
    terms = pair.terms
    state, asked, _ = beginning(side)
    shared = set(pair.compared())
    alike: list[Term] = []
    replaced: dict[str, Sym] = {}
    for name, variable in side.instance.variables.items():
        if variable.initial is not None and name in shared:
            alike.append(_equal(side, state[name], side.state[name]))
        replaced[name] = side.state[name] if variable.initial is None else state[name]
    scene = Scene(replaced)
    holds = [side.ex.term(each.condition, scene) for each in side.spec.start]
    side.world.take_hazards()
    return terms.every((*alike, *holds)) if asked or alike else TRUE


def _equal(side: Side, one: Sym, other: Sym) -> Term:
    from checker.smt.value import same

    return same(side.terms, one, other)


def _taken(side: Side) -> list[Hazard]:
    return side.world.take_hazards()

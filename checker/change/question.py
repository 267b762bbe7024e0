"""The questions whose answers compare two specs. Asking them is somebody else's work.

Every question is about any position that the assumptions allow and any choice of mover and
parameters. *Unsatisfiable* means that there is no such difference; a model is one.

    stricter   the old rules allow the event, the new ones refuse it
    looser     the new rules allow it, the old ones refuse it
    changed    both allow it, and it leads to another position, has other odds, or has no outcome
               any more by the new rules
"""

from __future__ import annotations

from collections.abc import Mapping

from checker.change.pair import Pair, Side, agree
from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.obligations import SETTLED, beginning
from checker.smt.scene import Hazard, Scene
from checker.smt.statement import State, Taken
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Sym, as_number
from checker.syntax.node import Node

STRICTER, LOOSER, CHANGED = "stricter", "looser", "changed"
RESULTS = ("score", "wins")
"""The functions that a finished game is reported by."""


class Subject(Node):
    """Something of a spec that is compared: a move, chance event or step, the beginning, or a
    result of the game; `old` or `new` is None where it is not there."""

    kind: str
    name: str
    old: c.Transition | c.Function | None = None
    new: c.Transition | c.Function | None = None


class Question:
    """One kind of difference to look for; `choices` are the mover and the parameters by the names
    of the new side, and of the old side where they are called differently."""

    def __init__(
        self, subject: Subject, way: str, assumed: list[Labelled], goal: Term,
        choices: tuple[State, State],
    ) -> None:  # fmt: skip
        self.subject = subject
        self.way = way
        self.assumed = [each for each in assumed if each.term is not TRUE]
        self.goal = goal
        self.choices = choices


def differing_parameters(subject: Subject) -> str | None:
    """Why two transitions cannot be compared choice by choice, None if they can."""
    one, other = subject.old, subject.new
    if one is None or other is None:
        return None
    left, right = one.params, other.params
    if [each.name for each in left] != [each.name for each in right]:
        return "it has other parameters"
    unlike = [a.name for a, b in zip(left, right) if not agree(a.type, b.type)]
    return f"its parameter `{unlike[0]}` has another type" if unlike else None


def questions(pair: Pair, subject: Subject) -> list[Question]:
    """All that is to be asked about a subject."""
    if subject.kind == "start":
        return _start(pair, subject)
    if subject.kind == "result":
        return _result(pair, subject)
    return _transition(pair, subject)


def _transition(pair: Pair, subject: Subject) -> list[Question]:
    terms = pair.terms
    choices = _choices(pair, subject)
    sides = [(pair.old, subject.old, choices[0]), (pair.new, subject.new, choices[1])]
    taken: list[Taken | None] = []
    legal: list[Term] = []
    certain: list[Term] = []
    for side, transition, given in sides:
        if not isinstance(transition, c.Transition):
            taken.append(None)
            legal.append(FALSE)
            continue
        one = side.statements.take(transition, side.state, given)
        taken.append(one)
        certain.append(side.safe(one.hazards))
        legal.append(terms.every(each.holds for each in one.asked))
    assumed = [*_known(pair), *(Labelled("", each) for each in certain)]
    if subject.kind != "step":
        assumed += [
            Labelled(f"{side.mark}: {SETTLED}", terms.no(side.step_due(side.state)))
            for side in (pair.old, pair.new)
        ]
        for side in (pair.old, pair.new):
            side.world.take_hazards()
    before, after = legal
    found = [
        Question(subject, STRICTER, assumed, _apart(pair, before, after), choices),
        Question(subject, LOOSER, assumed, _apart(pair, after, before), choices),
    ]
    if taken[0] is not None and taken[1] is not None:
        differs = _outcome_differs(pair, subject, taken[0], taken[1], choices)
        goal = terms.every((before, after, differs))
        found.append(Question(subject, CHANGED, assumed, goal, choices))
    return found


def _apart(pair: Pair, one: Term, other: Term) -> Term:
    """True where only one of two truths holds; what both ask is asked once."""
    terms = pair.terms
    common = set(one.args if one.op == "and" else (one,))
    rest = [each for each in (other.args if other.op == "and" else (other,)) if each not in common]
    return terms.both(one, terms.no(terms.every(rest)))


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
    return terms.both(fine[0], terms.either((terms.no(fine[1]), terms.no(alike), terms.no(odds))))


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
    """What is assumed of the position: that both know it, and the invariants of both."""
    found: dict[Term, Labelled] = {}
    for side in (pair.old, pair.new):
        for each in side.invariants:
            found.setdefault(each.term, Labelled(f"{side.mark}: {each.label}", each.term))
    return [*(Labelled("", each) for each in pair.common), *found.values()]


def _choices(pair: Pair, subject: Subject) -> tuple[State, State]:
    """One unknown mover and one unknown for each parameter, by the names of either side."""
    side, shape = (pair.new, subject.new) if subject.new is not None else (pair.old, subject.old)
    assert isinstance(shape, c.Transition)
    given = side.parameters(shape, " of the event")
    by_new: dict[str, Sym] = dict(given)
    by_old: dict[str, Sym] = dict(given)
    if isinstance(subject.old, c.Transition) and isinstance(subject.new, c.Transition):
        was, now = subject.old.mover, subject.new.mover
        if was is not None and now is not None and was != now:
            by_old[was] = by_old.pop(now)
        elif was is not None and now is None:
            by_old[was] = side.ex.shapes.fresh(y.Player(1, 1), "mover of the event")
    return by_old, by_new


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
    goal = terms.every((over, hazards[0], terms.either(
        (terms.no(hazards[1]), terms.no(terms.equal(values[0], values[1])))
    )))  # fmt: skip
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

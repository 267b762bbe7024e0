"""Asks whether two specs differ, and makes the difference that is found a small one.

The solver is asked first for any model. Then it is asked for one that is as at the start of a game
in as many places as it can be: all wishes are made at once, and of those that a refusal names one
is given up, until there is a model. What comes back is decoded; whether it is so is up to
`witness`, which replays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from time import perf_counter
from typing import Any

from checker.change.pair import Pair, Side
from checker.change.question import Question
from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.beginning import initial_position
from checker.play.errors import UsageError
from checker.prove.cache import Cache
from checker.prove.ground import Ground
from checker.smt import board as b
from checker.smt.decode import Model, decode
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer
from checker.smt.term import FALSE, Term, conjuncts
from checker.smt.text import Labelled, Script, script
from checker.smt.value import Counts, Entries, Maybe, Members, Sym
from checker.syntax.node import Node

SHRINKING = 8.0
"""Seconds for making a difference small."""


class Found(Node):
    """What became of a question. `used` are the assumptions a proof leaned on; a model is a
    position of either side and the values of the choices by name."""

    result: str
    reason: str | None
    used: tuple[str, ...]
    positions: tuple[dict[str, Any], dict[str, Any]] | None = None
    choices: tuple[dict[str, Any], dict[str, Any]] | None = None


def ask(pair: Pair, question: Question, timeout: float, cache: Cache, small: bool = True) -> Found:
    """Whether there is such a difference; `small` asks for one that is easily seen."""
    if question.goal is FALSE or _at_sight(question):
        return Found(UNSAT, None, ())
    wishes = _wishes(pair, question) if small else []
    asserted = [*question.assumed, Labelled("difference", question.goal)]
    text = script([*asserted, *wishes])
    must, may = text.switches[: len(asserted)], text.switches[len(asserted) :]
    key = "difference " + sha256(text.text.encode()).hexdigest()
    answer = cache.get(key)
    if answer is None:
        answer = _solved(text, must, may, timeout)
        if answer.result != UNKNOWN:
            cache.put(key, answer)
    if answer.result == SAT and answer.model is not None:
        model = Model(text.names, answer.model)
        return Found(SAT, None, (), _positions(pair, model), chosen(pair, question, model))
    labels = dict(zip(must, (each.label for each in asserted)))
    used = tuple(dict.fromkeys(labels[each] for each in answer.core if labels.get(each)))
    return Found(answer.result, answer.reason, tuple(u for u in used if u != "difference"))


def _at_sight(question: Question) -> bool:
    """Whether the goal contradicts itself: one part of it denies another."""
    parts = set(conjuncts(question.goal))
    for part in parts:
        denied = part.args[0] if part.op == "not" else None
        if denied is not None and set(conjuncts(denied)) <= parts:
            return True
    return False


def _solved(text: Script, must: list[str], may: list[str], timeout: float) -> Answer:
    """The answer, with a model that grants as many wishes as it can."""
    solver = Z3(text.text)
    names = list(text.names.values())
    first = solver.check(must, timeout, names)
    if first.result != SAT or not may:
        return first
    until = perf_counter() + SHRINKING
    best = first
    wishes = list(may)
    given_up: list[str] = []
    while perf_counter() < until:
        answer = solver.check([*must, *wishes], 1.0, names)
        if answer.result == SAT:
            best = answer
            break
        refused = [each for each in wishes if each in set(answer.core)]
        if not refused:
            return best
        wishes.remove(refused[0])
        given_up.append(refused[0])
    for wish in list(given_up):
        if perf_counter() > until:
            break
        answer = solver.check([*must, *wishes, wish], 1.0, names)
        if answer.result == SAT:
            best = answer
            wishes.append(wish)
    return best


def _wishes(pair: Pair, question: Question) -> list[Labelled]:
    """For each unknown the plainest value; those that matter least are given up first."""
    terms = pair.terms
    found: dict[Term, int] = {}
    for value in question.choices[1].values():
        for leaf in leaves(value):
            found.setdefault(leaf, leaf.low or 0)
    plain: dict[Term, int] = {}
    for side in (pair.old, pair.new):
        for variable in side.instance.variables.values():
            for leaf, code in plainest(side, variable):
                (plain if variable.owned else found).setdefault(leaf, code)
    wished = {**found, **{leaf: code for leaf, code in plain.items() if leaf not in found}}
    return [
        Labelled("wish", leaf if code and leaf.sort == "Bool" else terms.no(leaf))
        if leaf.sort == "Bool"
        else Labelled("wish", terms.equal(leaf, terms.number(code)))
        for leaf, code in wished.items()
    ]


def plainest(side: Ground, variable: c.Variable) -> Iterator[tuple[Term, int]]:
    """The unknowns of a variable, each with its value at the start of a game."""
    held = side.state[variable.name]
    try:
        start = initial_position(side.instance)[variable.name]
    except (UsageError, KeyError):
        start = None
    if start is None or isinstance(held, b.Board):
        yield from ((leaf, leaf.low or 0) for leaf in leaves(held))
        return
    given = side.ex.shapes.given(start, variable.type)
    yield from _parallel(held, given)


def _parallel(held: Sym, given: Sym) -> Iterator[tuple[Term, int]]:
    match held, given:
        case Term(op="variable"), Term():
            yield held, int(given.op == "true") if held.sort == "Bool" else int(given.value or 0)
        case Maybe(), Maybe():
            there = given.there.op == "true"
            if held.there.op == "variable":
                yield held.there, int(there)
            if held.value is not None and held.value.op == "variable":
                known = given.value if there else None
                code = known.value if known is not None and known.op == "int" else held.value.low
                yield held.value, code or 0
        case Members(), Members():
            for code, flag in held.flags.items():
                there = given.flags.get(code, FALSE).op == "true"
                if flag.op == "variable":
                    yield flag, int(there)
        case Counts(), Counts():
            for code, number in held.numbers.items():
                start = given.numbers.get(code)
                if number.op == "variable":
                    yield number, int(start.value or 0) if start is not None else 0
        case Entries(), Entries():
            for key, each in held.values.items():
                yield from _parallel(each, given.values[key])
        case _:
            return


def leaves(value: Sym) -> Iterator[Term]:
    match value:
        case Term():
            if value.op == "variable":
                yield value
        case Maybe():
            yield from leaves(value.there)
            if value.value is not None:
                yield from leaves(value.value)
        case Members():
            for flag in value.flags.values():
                yield from leaves(flag)
        case Counts():
            for number in value.numbers.values():
                yield from leaves(number)
        case Entries():
            for each in value.values.values():
                yield from leaves(each)
        case _:
            return


def _positions(pair: Pair, model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    old, new = (
        {
            name: decode(value, side.instance.variables[name].type, model, side.world.domains)
            for name, value in side.state.items()
        }
        for side in (pair.old, pair.new)
    )
    return old, new


def chosen(pair: Pair, question: Question, model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mover and the parameters that a model stands for, by the names of either side."""
    sides = ((pair.old, question.subject.old), (pair.new, question.subject.new))
    found = []
    for (side, shape), choices in zip(sides, question.choices):
        types = _types(side, shape) if shape is not None else {}
        found.append({
            name: decode(value, types[name], model, side.world.domains)
            for name, value in choices.items()
            if name in types
        })  # fmt: skip
    return found[0], found[1]


def _types(side: Side, shape: c.Transition | c.Function) -> Mapping[str, y.Type]:
    if isinstance(shape, c.Function):
        return {param.name: param.type for param in shape.params}
    return side.parameter_types(shape)

"""Whether it matters which seat a player has: if not, what is proved of a move by the first player
is proved of it by every player.

Seats are counted round the table. Turning the table by a seat turns every position into another
one, and what a spec says is as true of the one as of the other, unless it names a seat, compares or
counts with seats, goes through them in order, or has tables by seat. Where in doubt, it matters.
To give all players the same thing is nothing that has an order.
What `all` and `some` look at stops with the first player who decides: whether that can hide a
hazard of another player shows when a question is encoded (`Ground.minds_order`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.once import once_per_spec
from checker.meaning.purity import reads_state, walk, walk_through
from checker.play.beginning import open_variables
from checker.play.instance import Instance
from checker.syntax.node import Node

FAIR = frozenset({
    "and", "or", "implies", "equal", "unequal", "member", "bag_member",
    "union", "difference", "common", "subset", "proper_subset",
    "bag_union", "bag_difference", "bag_common", "sub_bag", "proper_sub_bag",
})  # fmt: skip
"""Operators to which all seats are alike."""


@once_per_spec
def seats_alike(spec: c.Spec) -> bool:
    """Whether a position turned by a seat is as good as the position, whoever moves in it. What
    games begin with is left aside, and so are chance events and what steps do: they are nobody's
    moves, and all that matters to a move is that no step is due."""
    if any(_seats(field.type) for enum in spec.enums for field in enum.fields):
        return False
    moves = [each for each in spec.transitions if each.mover is not None]
    steps = [each for each in spec.transitions if each.kind == "step"]
    due = [asked for each in steps for asked in each.requirements]
    declared: tuple[Any, ...] = (
        *spec.functions, *spec.effects, *moves, *due, *spec.properties,
    )  # fmt: skip
    return to_all_alike(spec, declared)


def starts_alike(instance: Instance) -> bool:
    """Whether turning the table turns one start of a game into all the others: who it begins with
    is all that is open, and nothing else at the start tells seats apart."""
    spec, left_open = instance.spec, list(open_variables(instance).values())
    given = [each.initial for each in instance.variables.values() if each.initial is not None]
    asked = [each for transition in spec.transitions for each in transition.requirements]
    one_seat = left_open == [y.Player(spec.least, spec.most)]
    return one_seat and seats_alike(spec) and to_all_alike(spec, [*given, *spec.start, *asked])


def in_every_setting(claim: c.Expr, functions: Mapping[str, c.Function]) -> bool:
    """Whether a claim is the same for every number of players and however the readings are taken:
    it speaks of none of them."""
    return not any(
        isinstance(node, c.PlayerCount | c.ReadingRef) or _seats(getattr(node, "type", y.BOOL))
        for node in walk_through(claim, functions)
    )


def to_all_alike(spec: c.Spec, parts: Sequence[Node]) -> bool:
    """Whether some parts of a spec say the same to every seat."""
    tables = {each.name for each in spec.tables if _seats(each.type)}
    functions = {each.name: each for each in spec.functions}
    return not any(_partial(node, tables, functions) for each in parts for node in walk(each))


def _partial(node: Any, tables: set[str], functions: Mapping[str, c.Function]) -> bool:
    """Whether a part of a spec treats seats differently."""
    match node:
        case c.Literal(type=type, value=value):
            return value is not None and _seats(type)
        case c.TableRef(name=name):
            return name in tables
        case c.Binary(operator=operator, left=left, right=right):
            return operator not in FAIR and (_seats(left.type) or _seats(right.type))
        case c.Unary(operand=operand):
            return _seats(operand.type)
        case c.Quantify(kind=kind, body=body):
            return kind not in ("all", "some", "count", "bag_sum") and _seats(body.type)
        case c.Builtin(name="left_of" | "right_of" | "size" | "tally" | "occupied"):
            return False
        case c.Builtin(arguments=arguments):
            return any(_seats(each.type) for each in arguments)
        case c.MapOf(keys=()):
            return False  # the same for every key
        case c.MapOf(type=type):
            return _seats(type)
        case c.For(binders=binders):
            return any(_seats(b.type) for b in binders) and not _same_for_all(node, functions)
        case _:
            return False


def _same_for_all(loop: c.For, functions: Mapping[str, c.Function]) -> bool:
    """Whether a loop does nothing but give each player something that depends on nothing."""
    if len(loop.binders) > 1 or loop.where is not None:
        return False
    player = loop.binders[0].name
    return all(
        isinstance(each, c.Assign)
        and [isinstance(key, c.Local) and key.name for key in each.keys] == [player]
        and not any(isinstance(part, c.Local) for part in walk(each.value))
        and not reads_state(each.value, functions)
        for each in loop.body
    )


def _seats(type: y.Type) -> bool:
    """Whether values of a type have to do with seats."""
    match type:
        case y.Player():
            return True
        case y.Option(inner=inner) | y.Set(element=inner) | y.Bag(element=inner):
            return _seats(inner)
        case y.Map(key=key, value=value):
            return _seats(key) or _seats(value)
        case _:
            return False

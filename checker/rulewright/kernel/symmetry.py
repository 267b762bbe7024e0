"""Rule SEATS: whether it matters which seat a player has. If not, what is proved of a move by the
first player is proved of it by every player.

Seats are counted round the table. Turning the table by a seat turns every position into another
one, and what a spec says is as true of the one as of the other, unless it names a seat, compares or
counts with seats, goes through them in order, or has tables by seat. Where in doubt, it matters.
What `all` and `some` look at stops with the first player who decides: whether that can hide a
hazard of another player shows when a question is encoded (`ProofContext.minds_order`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.spec_memo import once_per_spec
from rulewright.meaning.traversal import reads_state, walk
from rulewright.syntax.node import Node

FAIR = frozenset({
    "and", "or", "implies", "equal", "unequal", "member", "bag_member",
    "union", "difference", "common", "subset", "proper_subset",
    "bag_union", "bag_difference", "bag_common", "sub_bag", "proper_sub_bag",
})  # fmt: skip
"""Operators to which all seats are alike."""

IMPARTIAL = (
    c.Local, c.StateVar, c.ReadingRef, c.PlayerCount, c.Choose, c.Let, c.Binder, c.Lookup,
    c.BagCount, c.FieldOf, c.SetOf, c.BagOf, c.SetEach, c.MapEach, c.Updated, c.Otherwise, c.Call,
    c.Assign, c.If, c.Bind, c.Perform, c.Labelled, c.Param, c.Function, c.Effect, c.Requirement,
    c.Transition, c.Property, c.Proposal,
)  # fmt: skip
"""Nodes that treat seats alike if what is in them does. Whatever is not known here does not."""


@once_per_spec
def seats_alike(spec: c.Spec) -> bool:
    """Whether a position turned by a seat is as good as the position, whoever moves in it. What
    games begin with is left aside, and so are chance events and what steps do: they are nobody's
    moves, and all that matters to a move is that no step is due."""
    if any(of_seats(field.type) for enum in spec.enums for field in enum.fields):
        return False
    moves = [each for each in spec.transitions if each.mover is not None]
    steps = [each for each in spec.transitions if each.kind == "step"]
    due = [asked for each in steps for asked in each.requirements]
    declared: tuple[Any, ...] = (
        *spec.functions, *spec.effects, *moves, *due, *spec.properties,
    )  # fmt: skip
    return to_all_alike(spec, declared)


def to_all_alike(spec: c.Spec, parts: Sequence[Node]) -> bool:
    """Whether some parts of a spec say the same to every seat."""
    tables = {each.name for each in spec.tables if of_seats(each.type)}
    functions = {each.name: each for each in spec.functions}
    return not any(_partial(node, tables, functions) for each in parts for node in walk(each))


def _partial(node: Any, tables: set[str], functions: Mapping[str, c.Function]) -> bool:
    """Whether a part of a spec treats seats differently."""
    match node:
        case c.Literal(type=type, value=value):
            return value is not None and of_seats(type)
        case c.TableRef(name=name):
            return name in tables
        case c.Binary(operator=operator, left=left, right=right):
            return operator not in FAIR and (of_seats(left.type) or of_seats(right.type))
        case c.Unary(operand=operand):
            return of_seats(operand.type)
        case c.Quantify(kind="first", binders=binders):
            return any(of_seats(each.type) for each in binders)
        case c.Quantify(kind=kind, body=body):
            return kind not in ("all", "some", "count", "bag_sum") and of_seats(body.type)
        case c.Builtin(name="left_of" | "right_of" | "size" | "tally" | "occupied"):
            return False
        case c.Builtin(arguments=arguments):
            return any(of_seats(each.type) for each in arguments)
        case c.MapOf(keys=()):
            return False  # the same for every key
        case c.MapOf(type=type):
            return of_seats(type)
        case c.For(binders=binders):
            return any(of_seats(b.type) for b in binders) and not _same_for_all(node, functions)
        case _:
            return isinstance(node, c.Core) and not isinstance(node, IMPARTIAL)


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


def of_seats(type: y.Type) -> bool:
    """Whether values of a type have to do with seats."""
    match type:
        case y.Player():
            return True
        case y.Option(inner=inner) | y.Set(element=inner) | y.Bag(element=inner):
            return of_seats(inner)
        case y.Map(key=key, value=value):
            return of_seats(key) or of_seats(value)
        case _:
            return False

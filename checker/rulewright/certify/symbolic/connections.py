"""What is connected: which places one comes to from others without leaving a set.

It is written out round by round: whatever is inside and lies beside what was come to before is come
to as well. A way that comes to each place once has fewer rounds than there are places, so after
that many there is nothing to add. Boards that are not written out are left to the prover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.certify.smt.term import TermBuilder, Truth
from rulewright.certify.symbolic.symbolic_values import (
    ListedValue,
    UnsupportedError,
    Value,
    is_concrete,
    maybe,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import offsets

if TYPE_CHECKING:
    from rulewright.certify.symbolic.type_domains import TypeValues

Beside: TypeAlias = "Mapping[Any, Sequence[Any]]"
"""From where one comes to each place."""


def connection(
    e: c.Builtin, values: Sequence[Value], terms: TermBuilder, shapes: TypeValues
) -> Value:
    """The value of `reach` or `connected`: the set that is come to, or whether it has something of
    another one."""
    sets = values if e.along is not None else values[:-1]
    if not all(isinstance(each, ListedValue) for each in sets):
        raise UnsupportedError(f"`{e.name}` on a large board")
    start, *ends, inside = (each.parts for each in sets)
    kind = e.arguments[len(sets) - 1].type
    assert isinstance(kind, y.Set)
    if e.along is not None:
        lead = _by_steps(kind.element, e.along, shapes)
    else:
        lead = _by_table(values[-1])
    found = _reached(terms, start, inside, lead)
    if e.name == "reach":
        return ListedValue(False, found)
    (end,) = ends
    return terms.either(*(terms.both(there, end.get(at, False)) for at, there in found.items()))


def _reached(
    t: TermBuilder, start: Mapping[Any, Truth], inside: Mapping[Any, Truth], lead: Beside
) -> dict[Any, Truth]:
    """For each place whether it is come to."""
    places = {at: held for at, held in inside.items() if held is not False}
    begins = {at: t.both(start.get(at, False), held) for at, held in places.items()}
    found = begins
    for _ in range(len(places) - 1):
        further = {
            at: t.either(begins[at], t.both(held, t.either(*_known(found, lead.get(at, ())))))
            for at, held in places.items()
        }
        if all(further[at] is found[at] for at in found):
            break
        found = further
    return found


def _known(found: Mapping[Any, Truth], places: Sequence[Any]) -> list[Truth]:
    return [found[at] for at in places if at in found]


def _by_steps(grid: y.Type, directions: y.Type, shapes: TypeValues) -> Beside:
    """A step leads to a square from the one that lies the other way."""
    return {
        (column, row): [(column - right, row - down) for right, down in offsets(directions, grid)]
        for column, row in shapes.domain(grid)
    }


def _by_table(table: Value) -> Beside:
    """A table leads from each point to those that its line has, or that it is true of."""
    found: dict[Any, list[Any]] = {}
    for point, line in table.parts.items():
        for other, said in line.parts.items():
            to = other if isinstance(said, bool) else maybe(said).value
            if not is_concrete(to):
                raise UnsupportedError("a table with unknown parts")
            if said is not False and to is not None:
                found.setdefault(to, []).append(point)
    return found

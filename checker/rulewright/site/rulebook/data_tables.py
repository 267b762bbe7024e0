"""The tables of a spec as a rulebook prints them: points for crosses as a strip, few values by
their names, many numbers by how many there are of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.site.draw.picture_kinds import shapes
from rulewright.site.rulebook.content import DataTable
from rulewright.translate.wording import Wording

LONGEST_STRIP = 16
WIDEST = 14


def data_tables(spec: c.Spec, wording: Wording) -> Iterator[tuple[c.TableData, DataTable]]:
    """The tables that no picture of a sheet or a board shows."""
    for table in spec.tables:
        if not _is_drawn(spec, table):
            drawn = as_table(table, wording)
            if drawn is not None:
                yield table, drawn


def as_table(table: c.TableData, wording: Wording) -> DataTable | None:
    """A table of a spec with one or two indices; None for others, and for boards."""
    caption = table.prose or wording.name(table.name)
    cell = _Cells(wording)
    match table.type:
        case y.Map(y.Grid(), _) | y.Map(_, y.Map(y.Grid(), _) | y.Map(_, y.Map())):
            return None
        case y.Map(_, y.Map()):
            lines: Mapping[Any, Mapping[Any, Any]] = table.data  # type: ignore[assignment]
            first = next(iter(lines.values()))
            if len(first) > WIDEST:
                return None
            rows = [("", *map(cell, first))]
            rows += [(cell(key), *map(cell, line.values())) for key, line in lines.items()]
            return DataTable(caption, tuple(rows), True, True)
        case _:
            values: Mapping[Any, Any] = table.data
            if len(values) <= LONGEST_STRIP:
                strip = (tuple(map(cell, values)), tuple(map(cell, values.values())))
                return DataTable(caption, strip, False, True)
            return DataTable(caption, tuple(_by_value(values, wording)), True, False)


def _by_value(values: Mapping[Any, Any], wording: Wording) -> Iterator[tuple[str, str]]:
    """A long table turned round: each value, most first, with the keys that have it; what has
    nothing is not mentioned."""
    keys: dict[Any, list[Any]] = {}
    for key, value in values.items():
        keys.setdefault(value, []).append(key)
    order = list(values)
    for value in sorted(keys, key=lambda each: (not isinstance(each, int), each), reverse=True):
        if value not in (0, None):
            yield (
                f"{_Cells(wording)(value)}\N{NO-BREAK SPACE}×",
                ", ".join(_runs(keys[value], order, wording)),
            )


def _runs(keys: Sequence[Any], order: Sequence[Any], wording: Wording) -> Iterator[str]:
    """Keys that follow each other as from and to."""
    begin = 0
    places = [order.index(each) for each in keys]
    for at in range(1, len(keys) + 1):
        if at == len(keys) or places[at] != places[at - 1] + 1:
            run = [_Cells(wording)(each) for each in keys[begin:at]]
            yield from run if len(run) < 3 else [wording.ranged(run[0], run[-1])]
            begin = at


def _is_drawn(spec: c.Spec, table: c.TableData) -> bool:
    """Whether a picture of a sheet shows what a table says."""
    sheets = [each for owned in (True, False) for each in shapes(spec, owned).sheets]
    match table.type:
        case y.Map(_, y.Map(row, y.Map(field, _))) | y.Map(row, y.Map(field, _)):
            return any((row, field) == (each.row, each.field) for each in sheets)
        case _:
            return False


class _Cells:
    """Values as they stand in a table."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def __call__(self, value: Any) -> str:
        return self._wording.name(y.value_name(value))

"""A position drawn in text, as its types suggest.

A map or set over a grid is a board, sets of a few values are the rows of a sheet, a bag is a rack,
everything else is a line `name: value`. What each player owns stands together. Nothing here knows
any game: a new one is drawn without a line of code. No line is longer than 100 columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.meaning import types as y
from rulewright.meaning.core import Variable
from rulewright.play.explain.text_board import draw_board
from rulewright.play.io.notation import seat
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, entries, ordered, text

WIDTH = 100
LONGEST_ROW = 20
"""Sets over so many values are drawn as rows of a sheet."""


def picture(
    instance: Instance, position: Position, seats: Sequence[str] = (), leads: Position | None = None
) -> list[str]:
    """The lines of a position's picture. `seats` are the names of the players, if they have any.
    What sheets and boards have more of where the game `leads` to stands in parentheses."""
    return list(_Painter(instance, position, seats, leads or position).lines())


class _Painter:
    def __init__(
        self, instance: Instance, position: Position, seats: Sequence[str], leads: Position
    ) -> None:
        self.instance = instance
        self.position = position
        self.seats = seats
        self.leads = leads

    def lines(self) -> Iterator[str]:
        """First what all share, then each player's own."""
        owned = [each for each in self.instance.spec.variables if each.owned]
        for variable in self.instance.spec.variables:
            if not variable.owned:
                name = variable.name
                here, there = self.position[name], self.leads[name]
                yield from self.variable(variable, variable.type, here, there, "")
        if owned:
            for player in range(1, self.instance.players + 1):
                yield ""
                yield f"player {seat(player, self.seats)}"[:WIDTH]
                for variable in owned:
                    assert isinstance(variable.type, y.Map)
                    mine: Any = self.position[variable.name]
                    then: Any = self.leads[variable.name]
                    yield from self.variable(
                        variable, variable.type.value, mine[player], then[player], "  "
                    )

    def variable(
        self, variable: Variable, type: y.Type, value: Any, then: Any, indent: str
    ) -> Iterator[str]:
        """One variable in the shape that its type suggests."""
        title = f"{variable.name} (hidden)" if variable.hidden else variable.name
        match type:
            case y.Map(y.Grid() as grid, inside) if y.is_scalar(inside) or _optional(inside):
                yield f"{indent}{title}:"
                marks = self.squares(value, inside)
                added = {
                    square: f"({each})" for square, each in self.squares(then, inside).items()
                    if marks.get(square) != each
                }  # fmt: skip
                yield from draw_board(marks | added, grid, indent, WIDTH)
            case y.Set(y.Grid() as grid) if value | then:
                yield f"{indent}{title}:"
                crosses = dict.fromkeys(then - value, "(x)") | dict.fromkeys(value, "x")
                yield from draw_board(crosses, grid, indent, WIDTH)
            case y.Map(key, y.Set(element)) if self.is_row(element):
                yield from self.sheet(title, key, element, value, then, indent)
            case _:
                yield from _wrapped(f"{indent}{title}:", self.inline(value, type), indent)

    def is_row(self, element: y.Type) -> bool:
        """Whether the values are few enough to be printed, each with or without a mark."""
        return isinstance(element, y.Int | y.Enum) and (
            len(self.instance.order(element)) <= LONGEST_ROW
        )

    def squares(self, value: Any, inside: y.Type) -> dict[Any, str]:
        """What stands on the squares of a board that are not empty."""
        return {
            square: self.plain(each, inside)
            for square, each in entries(value).items() if each is not False
        }  # fmt: skip

    def sheet(
        self, title: str, key: y.Type, element: y.Type, value: Any, then: Any, indent: str
    ) -> Iterator[str]:
        """A row for each key; what is in its set stands in brackets."""
        yield f"{indent}{title}:"
        printed = self.printed(key, element)
        heads = {row: self.plain(row, key) for row in self.instance.order(key)}
        head_room = max(map(len, heads.values()))
        fields = {(row, each): printed(row, each)
                  for row in heads for each in self.instance.order(element)}  # fmt: skip
        room = max(map(len, fields.values()))
        for row, head in heads.items():
            marks = [
                ("[{}]" if each in value[row] else "({})" if each in then[row] else " {} ").format(
                    fields[row, each].rjust(room)
                )
                for each in self.instance.order(element)
            ]
            yield from _wrapped(f"{indent}  {head.ljust(head_room)}", marks, indent)

    def printed(self, key: y.Type, element: y.Type) -> Callable[[Any, Any], str]:
        """What stands on the fields of a sheet: the numbers of a table by row and field, if
        there is one, else the values themselves."""
        for table in self.instance.spec.tables:
            match table.type:
                case y.Map(first, y.Map(second, y.Int())) if (first, second) == (key, element):
                    numbers = self.instance.tables[table.name]
                    return lambda row, each: text(numbers[row][each])
                case _:
                    pass
        return lambda _, each: self.plain(each, element)

    def inline(self, value: Any, type: y.Type) -> list[str]:
        """A value as words that may be broken into lines between them."""
        match type:
            case y.Option(inner) if value is not None:
                return self.inline(value, inner)
            case y.Set(element):
                return _commas([self.plain(each, element)
                                for each in ordered(value, element, self.instance)])  # fmt: skip
            case y.Bag(element):
                counts = [(each, value[each]) for each in ordered(value, element, self.instance)]
                return _commas([
                    self.plain(each, element) + (f" x{count}" if count > 1 else "")
                    for each, count in counts
                ])  # fmt: skip
            case y.Seq():
                filled = [each for each in value.values() if each is not None]
                return _commas([self.plain(each, type.element) for each in filled])
            case y.Map(y.Int(), inside) if y.is_scalar(inside) or _optional(inside):
                return [self.plain(each, inside) for each in value.values()]
            case y.Map(key, inside):
                return _commas([
                    f"{self.plain(each, key)} {' '.join(self.inline(value[each], inside))}"
                    for each in value
                ])  # fmt: skip
            case _:
                return [self.plain(value, type)]

    def plain(self, value: Any, type: y.Type) -> str:
        """A single value; players by name, what is empty as a dash."""
        if isinstance(type, y.Option):
            return "-" if value is None else self.plain(value, type.inner)
        return seat(value, self.seats) if isinstance(type, y.Player) else text(value)


def _optional(type: y.Type) -> bool:
    return isinstance(type, y.Option)


def _commas(words: list[str]) -> list[str]:
    return [f"{word}," for word in words[:-1]] + words[-1:] if words else ["-"]


def _wrapped(head: str, words: Sequence[str], indent: str) -> list[str]:
    """A head and words after it, in as many lines as it takes."""
    lines = [head[:WIDTH]]
    margin = f"{indent}    "
    for word in words:
        if len(f"{lines[-1]} {word}".rstrip()) <= WIDTH:
            lines[-1] += f" {word}"
            continue
        room = WIDTH - len(margin)
        lines += [margin + word[at : at + room] for at in range(0, len(word), room)]
    return [line.rstrip() for line in lines]

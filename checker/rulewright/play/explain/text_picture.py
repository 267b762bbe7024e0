"""A position drawn in text, as its views say or its types suggest.

A map or set over a grid is a board, sets of a few values are the rows of a sheet, a bag is a rack,
everything else is a line `name: value`. A `view` says otherwise where it wants to. What each player
owns stands together. Nothing here knows any game: a new one is drawn without a line of code. No
line is longer than 100 columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.meaning import types as y
from rulewright.meaning.core import Variable
from rulewright.play.explain.text_board import draw_board
from rulewright.play.explain.text_views import lines_of, strip, views_by_name
from rulewright.play.explain.text_words import ValueWords
from rulewright.play.io.notation import seat
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, entries, text

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
        self.views = views_by_name(instance.spec)

    def lines(self) -> Iterator[str]:
        """First what all share, then each player's own."""
        owned = [each for each in self.instance.spec.variables if each.owned]
        for variable in self.instance.spec.variables:
            if not variable.owned:
                name = variable.name
                here, there = self.position[name], self.leads[name]
                yield from self.variable(variable, variable.type, here, there, "")
        for table in self.instance.spec.tables:
            view = self.views.get(table.name)
            if view is not None and view.shape == "track":
                yield f"{view.label or table.prose or table.name}:"
                data = self.instance.tables[table.name]
                for line in strip(table.type, data, self.words(table.name)):
                    yield from _wrapped(" ", line.split(" "), "")
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
        """One variable in the shape that its view or its type suggests."""
        view = self.views.get(variable.name)
        called = view.label if view is not None and view.label else variable.name
        title = f"{called} (hidden)" if variable.hidden else called
        words, shape = self.words(variable.name), view.shape if view is not None else None
        drawn = None if shape is None else lines_of(shape, type, value, then, words)
        if drawn is not None:
            if drawn[0][0]:
                yield f"{indent}{title}:"
            for head, line in drawn:
                yield from _wrapped(
                    f"{indent}  {head}" if head else f"{indent}{title}:", line, indent
                )
            return
        match type:
            case _ if shape == "nothing":
                pass
            case y.Map(y.Grid() as grid, inside) if shape != "words" and _is_single(inside):
                yield f"{indent}{title}:"
                marks = self.squares(value, inside, words)
                later = self.squares(then, inside, words)
                added = {
                    square: f"({each})" for square, each in later.items()
                    if marks.get(square) != each
                }  # fmt: skip
                signs = self.printed_on(grid)
                yield from draw_board(marks | added, grid, indent, WIDTH, signs)
            case y.Set(y.Grid() as grid) if shape != "words" and (value | then):
                yield f"{indent}{title}:"
                crosses = dict.fromkeys(then - value, "(x)") | dict.fromkeys(value, "x")
                yield from draw_board(crosses, grid, indent, WIDTH, self.printed_on(grid))
            case y.Map(key, y.Set(element)) if shape != "words" and self.is_row(element):
                yield from self.sheet(title, key, element, value, then, indent, words)
            case _:
                yield from _wrapped(f"{indent}{title}:", words.inline(value, type), indent)

    def words(self, name: str) -> ValueWords:
        """How the values of a variable or table are said."""
        return ValueWords(self.instance, self.seats, self.views.get(name))

    def printed_on(self, grid: y.Grid) -> dict[str, str]:
        """The signs on the squares of a board, by the view of a table that is drawn as one. What
        has no face there is plain."""
        for table in self.instance.spec.tables:
            view = self.views.get(table.name)
            if view is None or view.shape != "board":
                continue
            match table.type:
                case y.Map(key, inside) if key == grid:
                    words = self.words(table.name)
                    faced = {each.value for each in view.faces}
                    return {
                        square: words.plain(each, inside)
                        for square, each in entries(self.instance.tables[table.name]).items()
                        if each in faced
                    }
                case _:
                    pass
        return {}

    def is_row(self, element: y.Type) -> bool:
        """Whether the values are few enough to be printed, each with or without a mark."""
        return isinstance(element, y.Int | y.Enum) and (
            len(self.instance.order(element)) <= LONGEST_ROW
        )

    def squares(self, value: Any, inside: y.Type, words: ValueWords) -> dict[Any, str]:
        """What stands on the squares of a board that are not empty."""
        return {
            square: words.plain(each, inside)
            for square, each in entries(value).items() if each is not False
        }  # fmt: skip

    def sheet(
        self, title: str, key: y.Type, element: y.Type, value: Any, then: Any, indent: str,
        words: ValueWords,
    ) -> Iterator[str]:  # fmt: skip
        """A row for each key; what is in its set stands in brackets."""
        yield f"{indent}{title}:"
        printed = self.printed(key, element, words)
        heads = {row: words.plain(row, key) for row in self.instance.order(key)}
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

    def printed(self, key: y.Type, element: y.Type, words: ValueWords) -> Callable[[Any, Any], str]:
        """What stands on the fields of a sheet: the numbers of a table by row and field, if
        there is one, else the values themselves."""
        for table in self.instance.spec.tables:
            match table.type:
                case y.Map(first, y.Map(second, y.Int())) if (first, second) == (key, element):
                    numbers = self.instance.tables[table.name]
                    return lambda row, each: text(numbers[row][each])
                case _:
                    pass
        return lambda _, each: words.plain(each, element)


def _is_single(type: y.Type) -> bool:
    return isinstance(type, y.Option) or y.is_scalar(type)


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

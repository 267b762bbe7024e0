"""Tables as drawn in the file to constant maps."""

from __future__ import annotations

import re

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.declarations import Declarations
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span
from rulewright.system.limits import how_to_raise, most

_WORD = re.compile(r"\w+")


def table(declared: Declarations, declaration: t.Table) -> c.TableData | None:
    """The data of a table, or None where its shape or a value was reported."""
    type_ = declared.types.declarator(declaration.declarator)
    if type_ == y.BROKEN:
        return None
    data = _Reader(declared, declaration).read(type_)
    if data is None:
        return None
    prose = declaration.prose.text if declaration.prose else None
    return c.TableData(
        declaration.span, declaration.declarator.name.text, type_, data, prose,
        tuple(path.text for path in declaration.cites),
    )  # fmt: skip


class _Reader:
    """Reads the rows of one table."""

    def __init__(self, declared: Declarations, declaration: t.Table) -> None:
        self.declared = declared
        self.messages = declared.messages
        self.declaration = declaration
        self.name = declaration.declarator.name.text
        self.most = declared.types.player.most
        signs = declaration.legend
        self.legend = {signs[i].text: signs[i + 1].text for i in range(0, len(signs) - 1, 2)}

    def read(self, type_: y.Type) -> dict[y.Value, object] | None:
        keys: list[y.Type] = []
        while isinstance(type_, y.Map):
            keys.append(type_.key)
            type_ = type_.value
        if not keys:
            self.messages.error(
                "RW206", self.declaration.span, f"the table `{self.name}` has no index",
                "a single value is a `const`",
            )  # fmt: skip
            return None
        if sum(len(row.cells) for row in self.declaration.rows) > most("cells"):
            self.messages.error(
                "RW215", self.declaration.declarator.span,
                f"the table `{self.name}` has too many cells", how_to_raise("cells"),
            )  # fmt: skip
            return None
        if type_ == y.BROKEN:  # it was reported
            return None
        if y.most_values(type_) is None and not isinstance(type_, y.Int):
            self.messages.error(
                "RW206", self.declaration.span, f"a table cannot hold `{y.show(type_)}`",
                "its values are numbers, names, squares, truths, or optionals of these",
            )  # fmt: skip
            return None
        for meaning in self.declaration.legend[1::2]:
            self._note(meaning, type_.inner if isinstance(type_, y.Option) else type_)
        if len(keys) == 1 and isinstance(keys[0], y.Grid):
            return self._drawn(keys[0], type_)
        if len(keys) == 1:
            return self._listed(keys[0], type_)
        return self._rows(keys, type_)

    def _listed(self, key: y.Type, type_: y.Type) -> dict[y.Value, object] | None:
        cells = [cell for row in self.declaration.rows for cell in row.cells]
        return self._line(key, type_, cells, self.declaration)

    def _line(
        self, key: y.Type, type_: y.Type, cells: list[t.Cell], place: t.Tree
    ) -> dict[y.Value, object] | None:
        keys = y.values(key, self.most)
        if len(cells) != len(keys):
            self.messages.error(
                "RW206", place.span,
                f"here are {len(cells)} values for {len(keys)} keys ({y.show(key)})",
                "give one value for each key, in order",
            )  # fmt: skip
            return None
        found = [self._value(cell, type_) for cell in cells]
        if any(isinstance(each, _Fault) for each in found):
            return None
        return dict(zip(keys, found))

    def _rows(self, keys: list[y.Type], type_: y.Type) -> dict[y.Value, object] | None:
        leading = len(keys) - 1
        result: dict[y.Value, object] = {}
        whole = True
        for row in self.declaration.rows:
            heads = [self._value(cell, key) for cell, key in zip(row.cells[:leading], keys)]
            line = self._line(keys[-1], type_, list(row.cells[leading:]), row)
            if line is None or any(isinstance(head, _Fault) for head in heads):
                whole = False
                continue
            if len(row.cells) <= leading:
                continue
            place = result
            for head in heads[:-1]:
                place = place.setdefault(head, {})  # type: ignore[assignment, arg-type]
            if heads[-1] in place:
                self.messages.error(
                    "RW206", row.span, f"`{row.cells[leading - 1].text}` has a row already",
                    "remove one",
                )  # fmt: skip
                whole = False
            place[heads[-1]] = line  # type: ignore[index]
        return result if whole and self._complete(result, keys[:-1]) else None

    def _complete(self, data: dict[y.Value, object], keys: list[y.Type]) -> bool:
        for value in y.values(keys[0], self.most):
            inside = data.get(value)
            if inside is None:
                self.messages.error(
                    "RW206", self.declaration.declarator.span,
                    f"the table `{self.name}` has no row for `{value}`",
                    f"give one for each of {y.show(keys[0])}",
                )  # fmt: skip
                return False
            if len(keys) > 1 and not self._complete(inside, keys[1:]):  # type: ignore[arg-type]
                return False
        return True

    def _drawn(self, grid: y.Grid, type_: y.Type) -> dict[y.Value, object] | None:
        header, *rows = self.declaration.rows
        letters = [y.square_name(column, 1)[:-1] for column in range(1, grid.width + 1)]
        if [cell.text for cell in header.cells] != letters:
            self.messages.error(
                "RW206", header.span, "a drawn board begins with a line of its column letters",
                f"write {letters[0]} to {letters[-1]}, with spaces between",
                _letters(header, letters),
            )  # fmt: skip
            return None
        result: dict[y.Value, object] = {}
        for number, row in enumerate(rows, 1):
            if row.cells[0].text != str(number) or len(row.cells) != grid.width + 1:
                self.messages.error(
                    "RW206", row.span, f"this should be row {number} with {grid.width} squares",
                    f"begin it with `{number}`, then one value for each column",
                    _row_number(row, number, grid.width),
                )  # fmt: skip
                return None
            for column, cell in enumerate(row.cells[1:], 1):
                value = self._value(cell, type_)
                if isinstance(value, _Fault):
                    return None
                result[y.square_name(column, number)] = value
        if len(rows) != grid.height:
            self.messages.error(
                "RW206", self.declaration.span,
                f"the board has {grid.height} rows, here are {len(rows)}", "draw every row",
            )  # fmt: skip
            return None
        return result

    def _note(self, cell: t.Cell, type_: y.Type) -> None:
        """Notes the value that a cell names, or the case and what it names inside."""
        if not isinstance(type_, y.Enum):
            return
        start = cell.span.start
        name, opened, _ = cell.text.partition("(")
        if not opened and name in type_.members:
            self.declared.note_member(type_, name, cell.span)
        elif opened and name in self.declared.types.cases:
            enum, case = self.declared.types.cases[name]
            whole = Span(start, start + len(name))
            self.declared.names.references.use(whole, "case", f"{enum.name}.{name}")
            fields = [self.declared.types.of(field.type) for field in case.fields]
            for word, field in zip(_WORD.finditer(cell.text, len(name) + 1), fields):
                if isinstance(field, y.Enum) and word[0] in field.members:
                    place = Span(start + word.start(), start + word.end())
                    self.declared.note_member(field, word[0], place)

    def _value(self, cell: t.Cell, type_: y.Type) -> y.Value | _Fault:
        text = self.legend.get(cell.text, cell.text)
        inner = type_
        if isinstance(type_, y.Option):
            if text == "none":
                return None
            inner = type_.inner
        match inner:
            case y.Int(low, high):
                number = _whole_number(text)
                if number is not None and (low is None or high is None or low <= number <= high):
                    return number
            case y.Bool() if text in ("true", "false"):
                return text == "true"
            case y.Enum(_, members):
                member = text
                if "(" in text and text.endswith(")"):
                    case, _, fields = text[:-1].partition("(")
                    member = " ".join(part.strip() for part in fields.split(","))
                    member = member if member in members else f"{case} {member}"
                if member in members:
                    self._note(cell, inner)
                    return member
            case y.Grid(_, width, height):
                place = y.square_place(text)
                if place and place[0] <= width and place[1] <= height:
                    return text
            case y.Player():
                number = _whole_number(text)
                if number is not None and 1 <= number <= self.most:
                    return number
        known = inner.members if isinstance(inner, y.Enum) else []
        self.messages.error(
            "RW206", cell.span, f"`{text}` is not a value of `{y.show(type_)}`",
            suggestion(text, [*known, *self.legend], "correct it, or add it to the `legend`"),
        )  # fmt: skip
        return _Fault()


def _row_number(row: t.Row, number: int, width: int) -> tuple[Span, str] | None:
    """The change that gives a drawn row its number, if that is all it lacks."""
    first = row.cells[0].span
    if len(row.cells) == width + 1:
        return first, str(number)
    return (Span(first.start, first.start), f"{number} ") if len(row.cells) == width else None


def _letters(header: t.Row, letters: list[str]) -> tuple[Span, str] | None:
    """The change that gives a drawn board the line of its column letters: where they are small or
    not as many as there are columns, or where the line is missing."""
    first, last = header.cells[0], header.cells[-1]
    written = " ".join(letters)
    if first.text == "1":
        return Span(first.span.start, first.span.start), f"{written}\n    "
    known = [y.square_name(column, 1)[:-1] for column in range(1, len(header.cells) + 1)]
    if [cell.text.upper() for cell in header.cells] == known:
        return Span(first.span.start, last.span.end), written
    return None


class _Fault:
    """A cell that was reported."""


def _whole_number(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None

"""Views: what a variable or a table is drawn as, and what its values look like.

Each shape asks for a type that can be drawn so. A face is for values that occur in what is drawn:
what stands on the squares, in the sets, as keys. Where no view is, pictures go by the type alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.declarations import Declarations
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.syntax import tree as t

MOST_FIELDS = 200
"""Fields of a track, boxes of a count, values of a set of possibilities."""
PIPS = y.Int(1, 6)
COLOURS = (
    "red", "yellow", "green", "blue", "white", "black", "orange", "purple", "brown", "pink", "grey",
)  # fmt: skip
SHAPES = {
    "board": "a map from the squares of a grid to single values, or a set of squares",
    "sheet": "a set for each of a few rows, or a number for each field of each row",
    "track": f"a number of at most {MOST_FIELDS} values, one for all or one for each of several",
    "boxes": f"a number from 0 to at most {MOST_FIELDS}, or a set of at most so many values",
    "possibilities": f"sets of at most {MOST_FIELDS} values",
    "hand": "single values: in a bag, a set, a list, a map, or alone",
    "dice": "numbers from 1 to 6: in a map, a list, a bag, or alone",
    "words": "anything",
    "nothing": "anything",
}
"""What can be drawn so."""
OF_TABLES = ("board", "track", "nothing")


class ViewElaborator:
    """Finds what the views of a spec are about."""

    def __init__(self, declared: Declarations) -> None:
        self._declared = declared
        self._names = declared.names
        self._messages = declared.messages
        self._seen: dict[str, t.View] = {}

    def one(self, view: t.View) -> c.View | None:
        """A view, None if it was reported."""
        type = self._subject(view.subject)
        if type is None or type == y.BROKEN or not self._shape(view, type):
            return None
        faces: dict[tuple[object, y.Type], c.Face] = {}
        for face in view.faces:
            for each in self._face(face, type):
                key = each.value, each.type
                if key in faces:
                    self._messages.error(
                        "RW102", face.span, f"`{_shown(each.value)}` has a face before",
                        "remove it from one of them",
                    )  # fmt: skip
                faces[key] = each
        return c.View(
            view.span, view.subject.text, view.shape.text, _text(view.label),
            tuple(faces.values()),
        )  # fmt: skip

    def _subject(self, subject: t.Ident) -> y.Type | None:
        """The type of what is drawn."""
        name = subject.text
        if name in self._seen:
            line, _ = self._messages.text.place(self._seen[name].span.start)
            self._messages.error(
                "RW102", subject.span, f"`{name}` has two views",
                f"the first is in line {line}; remove one",
            )  # fmt: skip
            return None
        if self._names.of("table").get(name) is not None:
            self._names.references.use(subject.span, "table", name)
            return self._declared.table_type(name)
        type = self._declared.variable_type(name)
        if type is None:
            known = [*self._names.of("state variable"), *self._names.of("table")]
            self._messages.error(
                "RW115", subject.span, f"there is no state variable or table `{name}`",
                suggestion(name, known, "a view is about one of these"),
            )  # fmt: skip
            return None
        if name in self._names.of("state variable"):
            self._names.references.use(subject.span, "state variable", name)
        if name in self._names.owned and isinstance(type, y.Map):
            return type.value
        return type

    def _shape(self, view: t.View, type: y.Type) -> bool:
        """Whether there is such a shape, and something of this type can have it."""
        shape = view.shape
        if shape.text not in SHAPES:
            self._messages.error(
                "RW217", shape.span, f"`{shape.text}` is nothing that can be drawn",
                suggestion(shape.text, SHAPES, f"it is one of {', '.join(SHAPES)}"),
            )  # fmt: skip
            return False
        is_table = view.subject.text in self._names.of("table")
        if is_table and shape.text not in OF_TABLES:
            self._messages.error(
                "RW217", shape.span, f"a table cannot be drawn as `{shape.text}`",
                f"tables are drawn as {', '.join(OF_TABLES)}",
            )  # fmt: skip
            return False
        if not (_is_strip(type) if is_table and shape.text == "track" else can(shape.text, type)):
            asked = "up to 200 numbers or names, each with a value"
            wanted = asked if is_table and shape.text == "track" else SHAPES[shape.text]
            self._messages.error(
                "RW217", shape.span,
                f"`{view.subject.text}` is `{y.show(type)}`, which is no {shape.text}",
                f"what is drawn so: {wanted}",
            )  # fmt: skip
            return False
        self._seen[view.subject.text] = view
        return True

    def _face(self, face: t.Face, type: y.Type) -> Iterator[c.Face]:
        """The faces of the values that are named."""
        if face.label is None and face.colour is None:
            self._messages.error(
                "RW217", face.span, "a face needs a label or a colour",
                f'write what stands there, `"2x"`, or one of {", ".join(COLOURS)}',
            )  # fmt: skip
        if face.colour is not None and face.colour.text not in COLOURS:
            self._messages.error(
                "RW217", face.colour.span, f"`{face.colour.text}` is not a colour of pictures",
                suggestion(face.colour.text, COLOURS, f"it is one of {', '.join(COLOURS)}"),
            )  # fmt: skip
            return
        label = _text(face.label)
        colour = face.colour.text if face.colour else None
        kinds = list(dict.fromkeys(_drawn(type)))
        for written in face.values:
            for value, kind in self._values(written, kinds):
                yield c.Face(written.span, value, kind, label, colour)

    def _values(self, written: t.Expr, kinds: list[y.Type]) -> Iterator[tuple[y.Value, y.Type]]:
        """The values that are meant; the name of a case with fields stands for all of its."""
        case = self._declared.types.cases.get(written.text) if isinstance(written, t.Name) else None
        if case is not None and case[0] in kinds:
            enum, declared = case
            whole = f"{enum.name}.{declared.name.text}"
            self._names.references.use(written.span, "case", whole)
            self._names.find("type", enum.name)
            for member, name in zip(enum.members, enum.written or enum.members):
                if name.startswith(f"{declared.name.text}("):
                    yield member, enum
            return
        expressions = self._declared.expressions
        kind = next((each for each in kinds if _names(written, each)), None)
        if kind is None and isinstance(written, t.Call):
            kind = next((each for each in kinds if isinstance(each, y.Enum)), None)
        if kind is None:
            told = " or ".join(f"`{y.show(each)}`" for each in kinds) or "such values"
            known = [name for each in kinds if isinstance(each, y.Enum) for name in each.members]
            near = written.text if isinstance(written, t.Name) else ""
            self._messages.error(
                "RW217", written.span, "no value of what is drawn is called so",
                suggestion(near, known, f"name values of {told}"),
            )  # fmt: skip
            return
        value = expressions.check(written, Scope(), kind, "a value with a face")
        if isinstance(value, c.Literal):
            yield value.value, kind
        elif value.type != y.BROKEN:
            self._messages.error(
                "RW213", written.span, "the values of a view must be known",
                "name them one by one, with `or` between them",
            )  # fmt: skip


def _text(prose: t.Text | None) -> str | None:
    return None if prose is None else prose.text


def can(shape: str, type: y.Type) -> bool:
    """Whether something of a type can be drawn so."""
    match shape, type:
        case (("words" | "nothing"), _):
            return True
        case "board", y.Map(y.Grid(), inside):
            return _is_single(inside)
        case "board", y.Set(y.Grid()):
            return True
        case "sheet", y.Map(key, y.Set(field)):
            return is_short(key) and is_short(field)
        case "sheet", y.Map(key, y.Map(field, y.Option(y.Int()))):
            return is_short(key) and is_short(field)
        case "track", y.Map(key, inside) if not isinstance(type, y.Seq):
            return _is_short_type(key) and _is_number(inside)
        case "track", _:
            return _is_number(type)
        case "boxes", y.Map(key, inside) if not isinstance(type, y.Seq):
            return _is_short_type(key) and _is_boxes(inside)
        case "boxes", _:
            return _is_boxes(type)
        case "possibilities", y.Map(_, y.Bool()):
            return _is_short_type(type.key)
        case "possibilities", y.Map(key, inside):
            return _is_short_type(key) and _is_listed_set(inside)
        case "possibilities", _:
            return _is_listed_set(type)
        case "hand", y.Bag() | y.Set() | y.Seq():
            return True
        case "hand", y.Map(key, inside):
            return _is_short_type(key) and _is_single(inside)
        case "hand", _:
            return _is_single(type)
        case "dice", y.Bag(element):
            return element == PIPS
        case "dice", y.Map(key, inside):
            return y.is_scalar(key) and inside in (PIPS, y.Option(PIPS))
        case _:
            return type in (PIPS, y.Option(PIPS))


def is_short(type: y.Type) -> bool:
    """Whether a type has so few values, with names or numbers, that a sheet has room for them."""
    number = y.most_values(type)
    return isinstance(type, y.Int | y.Enum) and number is not None and number <= 20


def _is_single(type: y.Type) -> bool:
    return y.is_scalar(type.inner if isinstance(type, y.Option) else type)


def _is_short_type(type: y.Type) -> bool:
    number = y.most_values(type)
    return y.is_scalar(type) and number is not None and number <= MOST_FIELDS


def _is_number(type: y.Type) -> bool:
    inner = type.inner if isinstance(type, y.Option) else type
    return isinstance(inner, y.Int) and _is_short_type(inner)


def _is_boxes(type: y.Type) -> bool:
    if isinstance(type, y.Int):
        return type.low == 0 and _is_short_type(type)
    return _is_listed_set(type)


def _is_listed_set(type: y.Type) -> bool:
    return isinstance(type, y.Set) and _is_short_type(type.element)


def _is_strip(type: y.Type) -> bool:
    """Whether a table can be drawn as a track: one value after another."""
    return (
        isinstance(type, y.Map)
        and isinstance(type.key, y.Int | y.Enum)
        and _is_short_type(type.key)
        and _is_single(type.value)
    )


def _drawn(type: y.Type) -> Iterator[y.Type]:
    """The types of the values that a picture shows, what lies there before where it lies."""
    match type:
        case y.Map(key, inside):
            yield from _drawn(inside)
            yield from _drawn(key)
        case y.Option(inner):
            yield inner
        case y.Set(element) | y.Bag(element):
            yield element
        case _:
            yield type


def _names(written: t.Expr, type: y.Type) -> bool:
    """Whether something is the name of a value of a type."""
    match written, type:
        case t.Name(_, name), y.Enum(_, members):
            return name in members
        case t.Name(_, name), y.Bool():
            return name in ("true", "false")
        case t.Name(_, name), y.Grid(_, width, height):
            place = y.square_place(name)
            return place is not None and place[0] <= width and place[1] <= height
        case t.Number(_, number), y.Int(int() as low, int() as high):
            return low <= number <= high
        case t.Number(_, number), y.Player(_, most):
            return 1 <= number <= most
        case _:
            return False


def _shown(value: y.Value) -> str:
    return "none" if value is None else y.value_name(value)

"""Events in words a player would use: who does what, with the numbers that stand on the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.sentences import with_values
from rulewright.play.io.notation import seat, write
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, ordered, text
from rulewright.site.draw.picture_kinds import SheetPicture, is_dice, shapes
from rulewright.site.draw.score_sheet import numbers_on
from rulewright.site.words.markdown import plain, sentence
from rulewright.syntax.node import Node
from rulewright.translate.wording import Wording

LONGEST_ARGUMENT = 60
ENGLISH = Wording()


def event_sentence(
    event: Event, instance: Instance, seats: Sequence[str] = (), drawn: bool = False,
    wording: Wording = ENGLISH,
) -> str:  # fmt: skip
    """An event as a sentence; arguments that are drawn need not be said."""
    transition = instance.transitions[event.name]
    what = transition.prose or wording.name(event.name)
    if transition.template is not None:
        what = _filled(transition, transition.template, event, seats, instance, wording)
    named = {each.name for each in transition.template.fills} if transition.template else ()
    left = {name: value for name, value in event.arguments.items() if name not in named}
    said = [] if drawn else arguments(transition, left, instance, wording, seats)
    details = f" ({plain(', '.join(said))})" if said else ""
    if event.by is None:
        return sentence(what).removesuffix(".") + f"{details}."
    return f"*{plain(player(event.by, seats, wording))}*: {plain(what)}{details}."


def _filled(
    transition: c.Transition, template: c.Template, event: Event, seats: Sequence[str],
    instance: Instance, wording: Wording,
) -> str:  # fmt: skip
    """What is done, said with what it is done with."""
    field = _printed(transition, event.arguments, instance)
    words = {}
    for name, value in event.locals(transition).items():
        types = [each.type for each in transition.params if each.name == name]
        match types[0] if types else instance.player:
            case y.Player() if value is not None:
                words[name] = player(value, seats, wording)
            case y.Enum() if value is not None:
                words[name] = wording.name(text(value))
            case y.Set(element) | y.Bag(element) if y.is_scalar(element):
                words[name] = _members(value, element, instance, wording)
            case type:
                words[name] = write(value, type, instance)
                if field is not None and name == field.name:
                    words[name] = text(field.number)
    return with_values(template.text, words)


def player(number: int, seats: Sequence[str], wording: Wording = ENGLISH) -> str:
    """A player by name, or by the number of the seat."""
    name = seat(number, seats)
    if name == str(number):
        return wording("player", number=name)
    return name[:1].upper() + name[1:]


def arguments(
    transition: c.Transition, values: Mapping[str, Any], instance: Instance,
    wording: Wording = ENGLISH, seats: Sequence[str] = (),
) -> list[str]:  # fmt: skip
    """What an event is done with, as far as it is known and short enough to read."""
    field = _printed(transition, values, instance)
    said = []
    for each in transition.params:
        if each.name not in values:
            continue
        if isinstance(each.type, y.Map):
            if is_dice(each.type):
                name = variable_of(transition, each.name)
                said.append(_thrown(name, values[each.name], wording))
            continue
        if field is not None and each.name == field.row and field.is_of_row:
            continue  # it is said with the number
        if field is not None and each.name == field.name:
            row = wording.name(text(values[field.row]))
            printed = text(field.number)
            said.append(
                f"{row} {printed}" if field.is_of_row else wording("number", number=printed)
            )
            continue
        alone = len(transition.params) == 1
        words = _said(each, values[each.name], instance, wording, seats, alone)
        if len(words) <= LONGEST_ARGUMENT:
            said.append(words)
    return said


def _said(
    param: c.Param, value: Any, instance: Instance, wording: Wording, seats: Sequence[str],
    alone: bool,
) -> str:  # fmt: skip
    """A parameter and its value; one letter is no name that would say anything, and a value in
    words needs none where it is the only one."""
    name = wording.name(param.name)
    match param.type:
        case y.Player() if value is not None:
            return player(value, seats, wording)
        case y.Enum() if value is not None:
            words = wording.name(text(value))
        case y.Set(element) | y.Bag(element) if y.is_scalar(element):
            words = _members(value, element, instance, wording)
        case _:
            words = write(value, param.type, instance)
    in_words = alone and not isinstance(param.type, y.Int | y.Grid)
    return words if len(param.name) == 1 or in_words else f"{name} {words}"


def _members(value: Any, element: y.Type, instance: Instance, wording: Wording) -> str:
    """What is in a set or a bag, one after the other."""
    said = [
        wording.name(text(each))
        for each in ordered(value, element, instance)
        for _ in range(value[each] if isinstance(value, BagValue) else 1)
    ]
    return ", ".join(said) or wording("none")


def variable_of(transition: c.Transition, param: str) -> str:
    """What a parameter is called in the position that it becomes part of."""
    for statement in transition.body:
        match statement:
            case c.Assign(variable=name, value=c.Local(name=given)) if given == param:
                return name
            case _:
                pass
    return param


def _thrown(name: str, dice: Mapping[Any, int | None], wording: Wording) -> str:
    """Dice in words: by their names, or one after the other; one that is gone is left out."""
    shown = {key: pips for key, pips in dice.items() if pips is not None}
    if all(isinstance(key, str) for key in shown):
        return ", ".join(f"{wording.name(key)} {pips}" for key, pips in shown.items())
    return f"{wording.name(name)} {' '.join(str(pips) for pips in shown.values())}"


class _PrintedField(Node):
    """A field of a sheet that an event names by two parameters, and the number printed on it;
    `is_of_row` says whether the row alone tells which of these numbers is meant."""

    row: str
    name: str
    number: Any
    is_of_row: bool


def _printed(
    transition: c.Transition, values: Mapping[str, Any], instance: Instance
) -> _PrintedField | None:
    """The field of a sheet with numbers that an event names, if it names one."""
    for owned in (True, False):
        for sheet in shapes(instance.spec, owned).sheets:
            numbers = numbers_on(sheet, instance)
            rows = [each.name for each in transition.params if each.type == sheet.row]
            fields = [each.name for each in transition.params if each.type == sheet.field]
            if numbers is None or not rows or not fields:
                continue
            if rows[0] in values and fields[0] in values:
                number = numbers[values[rows[0]]][values[fields[0]]]
                return _PrintedField(rows[0], fields[0], number, _is_of_row(sheet, instance))
    return None


def _is_of_row(sheet: SheetPicture, instance: Instance) -> bool:
    """Whether rows have names, and no field has the colour of another row."""
    if not isinstance(sheet.row, y.Enum):
        return False
    for table in instance.spec.tables:
        match table.type:
            case y.Map(row, y.Map(field, y.Enum())) if (row, field) == (sheet.row, sheet.field):
                cells = instance.tables[table.name]
                if any(each != row for row in cells for each in cells[row].values()):
                    return False
            case _:
                pass
    return True

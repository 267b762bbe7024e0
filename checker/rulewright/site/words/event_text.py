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
from rulewright.site.draw.picture_kinds import is_dice, shapes
from rulewright.site.draw.score_sheet import numbers_on
from rulewright.site.words.markdown import plain, sentence
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
    numbers = _printed(transition, event.arguments, instance)
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
                words[name] = str(numbers.get(name) or write(value, type, instance))
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
    numbers = _printed(transition, values, instance)
    said = []
    for each in transition.params:
        if each.name not in values:
            continue
        if isinstance(each.type, y.Map):
            if is_dice(each.type):
                name = variable_of(transition, each.name)
                said.append(_thrown(name, values[each.name], wording))
            continue
        if each.name in numbers:
            said.append(wording("number", number=str(numbers[each.name])))
            continue
        words = _said(each, values[each.name], instance, wording, seats)
        if len(words) <= LONGEST_ARGUMENT:
            said.append(words)
    return said


def _said(
    param: c.Param, value: Any, instance: Instance, wording: Wording, seats: Sequence[str]
) -> str:
    """A parameter and its value; one letter is no name that would say anything."""
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
    return words if len(param.name) == 1 else f"{name} {words}"


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


def _printed(
    transition: c.Transition, values: Mapping[str, Any], instance: Instance
) -> dict[str, Any]:
    """The numbers that are printed on the fields which an event names, by the parameter."""
    for owned in (True, False):
        for sheet in shapes(instance.spec, owned).sheets:
            numbers = numbers_on(sheet, instance)
            rows = [each.name for each in transition.params if each.type == sheet.row]
            fields = [each.name for each in transition.params if each.type == sheet.field]
            if numbers is None or not rows or not fields:
                continue
            if rows[0] in values and fields[0] in values:
                return {fields[0]: numbers[values[rows[0]]][values[fields[0]]]}
    return {}

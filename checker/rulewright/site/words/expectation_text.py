"""What an example expects, in words: `crossed[max][red] == {4, 6}` is *crossed of Max, red: 5, 7*.

Most expectations say what something is, how much there is of it, or who wins. One that says
anything else is shown as it stands in the spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.play.io.notation import write
from rulewright.play.semantics import evaluate as evaluation
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, Position, ordered, text
from rulewright.site.draw.picture_kinds import shapes
from rulewright.site.draw.score_sheet import numbers_on
from rulewright.site.words.event_text import ENGLISH, player
from rulewright.site.words.markdown import plain
from rulewright.translate.wording import Wording

LONGEST = 90
"""Letters; a longer value is shorter as it stands in the spec."""

COMPARED = {
    "less": "less_than", "less_equal": "at_most", "greater": "more_than",
    "greater_equal": "at_least",
}  # fmt: skip
ON_A_BOARD = {"components": "groups_on", "occupied": "squares_on", "tally": "all_on"}


def expectation_text(
    condition: c.Expr, instance: Instance, position: Position, seats: Sequence[str],
    wording: Wording = ENGLISH,
) -> str | None:  # fmt: skip
    """The condition in words; None if there are none for it."""
    return _Speaker(instance, position, seats, wording).condition(condition)


class _Speaker:
    def __init__(
        self, instance: Instance, position: Position, seats: Sequence[str], wording: Wording
    ) -> None:
        self.say = wording
        self.instance = instance
        self.seats = seats
        self.scene = evaluation.Environment(instance, position)

    def condition(self, node: c.Expr) -> str | None:
        match node:
            case c.Binary(operator="and"):
                both = [self.condition(node.left), self.condition(node.right)]
                return None if None in both else "; ".join(filter(None, both))
            case c.Binary(operator="equal"):
                return self._equal(node.left, node.right)
            case c.Binary(operator=operator, left=c.Call() | c.Builtin() | c.StateVar() as left):
                what = self._what(left) if operator in COMPARED else None
                limit = what and self._value(self._worked_out(node.right), node.right)
                if not limit:
                    return None
                return f"{what}: {self.say(COMPARED[operator], limit=f'**{plain(limit)}**')}"
            case c.Call(function=name, arguments=(who,)) if name in RESULTS and not node.old:
                if not isinstance(node.type, y.Bool):
                    return None
                return self.say("wins", who=self._player(who))
            case c.Unary(operator="not", operand=c.Call(function=name, arguments=(who,))):
                return self.say("wins_not", who=self._player(who)) if name in RESULTS else None
            case _:
                return None

    def _equal(self, left: c.Expr, right: c.Expr) -> str | None:
        value = evaluation.evaluate(right, self.scene)
        if isinstance(left, c.Builtin) and left.name == "size":
            what = self._what(left.arguments[0])
            return self.say("has_size", what=what, size=str(value)) if what else None
        what, said = self._what(left), self._value(value, left)
        return f"{what}: **{plain(said)}**" if what and len(said) <= LONGEST else None

    def _what(self, node: c.Expr) -> str | None:
        """What is spoken of: a variable or the outcome of a function, and whose it is."""
        match node:
            case c.StateVar(name=name):
                return plain(self.say.name(name))
            case c.Lookup(map=inner, key=key):
                what = self._what(inner)
                return f"{what}{self._whose(key)}" if what else None
            case c.Builtin(name=name, arguments=(c.StateVar(name=board),)) if name in ON_A_BOARD:
                return plain(self.say(ON_A_BOARD[name], board=self.say.name(board)))
            case c.Call(function=name, old=False) | c.Builtin(name=name):
                return plain(self.say.name(name)) + "".join(map(self._whose, node.arguments))
            case _:
                return None

    def _whose(self, node: c.Expr) -> str:
        """Of whom or what: a player, a row, a variable."""
        if isinstance(node, c.StateVar):
            return f" {self.say('of', whose=plain(self.say.name(node.name)))}"
        whose = plain(self._value(self._worked_out(node), node))
        is_player = isinstance(node.type, y.Player)
        return f" {self.say('of', whose=whose)}" if is_player else f", {whose}"

    def _worked_out(self, node: c.Expr) -> Any:
        return evaluation.evaluate(node, self.scene)

    def _player(self, node: c.Expr) -> str:
        return f"*{plain(self._value(self._worked_out(node), node))}*"

    def _value(self, value: Any, node: c.Expr) -> str:
        """A value of what is spoken of; fields of a sheet by what is printed on them."""
        type = node.type.inner if isinstance(node.type, y.Option) else node.type
        if value is None:
            return self.say("none")
        match type:
            case y.Set(element) | y.Bag(element):
                printed = self._printed(node)
                members = ordered(value, element, self.instance)
                said = [
                    text(printed[each]) if printed is not None else self._one(each, element)
                    for each in members
                    for _ in range(value[each] if isinstance(value, BagValue) else 1)
                ]
                return ", ".join(said) or self.say("none")
            case y.Map():
                return write(value, type, self.instance)
            case _:
                return self._one(value, type)

    def _one(self, value: Any, type: y.Type) -> str:
        if isinstance(type, y.Player):
            return player(value, self.seats, self.say)
        return self.say.name(text(value))

    def _printed(self, node: c.Expr) -> Any:
        """What is printed on the fields of the row that is spoken of, if it is one of a sheet."""
        for owned in (True, False):
            for sheet in shapes(self.instance.spec, owned).sheets:
                match node:
                    case c.Lookup(map=c.Lookup(map=c.StateVar(name=name)) | c.StateVar(name=name)):
                        numbers = numbers_on(sheet, self.instance)
                        if name in (sheet.crosses, *sheet.marks) and numbers is not None:
                            return numbers[self._worked_out(node.key)]
                    case _:
                        pass
        return None

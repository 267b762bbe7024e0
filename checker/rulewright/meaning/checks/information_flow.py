"""Information flow: what a player cannot see must not decide what that player may do.

A requirement of a move may look at the mover's own hidden things and at how many of something
there are, nothing else that is hidden; of what is hidden from its owner, at that of others.
Followed through function calls. It is a look at the text: what is `secret` is proved of games.
"""

from __future__ import annotations

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning.traversal import parts
from rulewright.meaning.twin_games import SECRET, can_differ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def check_hidden(spec: c.Spec, messages: Messages) -> None:
    """Reports requirements of moves that depend on what their player cannot see."""
    hidden = {variable.name: variable for variable in spec.variables if variable.hidden}
    _check_secrets(spec, bool(hidden), messages)
    if not hidden:
        return
    for transition in spec.transitions:
        if transition.kind != "move" or transition.mover is None:
            continue
        for requirement in transition.requirements:
            peek = _Peek(spec, hidden)
            peek.look(requirement.condition, {transition.mover})
            for name in sorted(peek.seen):
                messages.error(
                    "RW212", requirement.span,
                    f"`{requirement.label}` depends on `{name}`, which the player cannot see",
                    "look only at what others have, or at `size(...)`"
                    if hidden[name].from_owner
                    else "look only at the mover's own, or at `size(...)`",
                )  # fmt: skip


def _check_secrets(spec: c.Spec, hidden: bool, messages: Messages) -> None:
    """Reports claims of secrecy where there is nothing that could be told."""
    for each in spec.properties:
        if each.kind != SECRET or (hidden and can_differ(spec)):
            continue
        why, help = "nothing is hidden", "say what is `hidden`: `rack: Bag[Tile] hidden = {}`"
        if hidden:
            why = "what is hidden always comes about by what all see"
            help = "say which parameters nobody sees, and whom they are shown: "
            help += "`chance draw(t: Tile hidden)` with `shows t to active`"
        messages.error("RW216", each.span, f"`{each.name}` says nothing: {why}", help)


class _Peek:
    """Walks an expression, knowing which names stand for the mover."""

    def __init__(self, spec: c.Spec, hidden: dict[str, c.Variable]) -> None:
        self.functions = {function.name: function for function in spec.functions}
        self.hidden = hidden
        self.seen: set[str] = set()
        self._done: set[tuple[str, frozenset[str]]] = set()

    def look(self, node: Any, movers: set[str]) -> None:
        match node:
            case c.StateVar(_, _, name) if name in self.hidden:
                self.seen.add(name)
            case c.Builtin(_, _, "size", (counted,)):
                self._count(counted, movers)
            case c.Binary(_, _, "equal" | "unequal", found, c.Literal(value=None)):
                self._count(found, movers)
            case c.Lookup(_, _, c.StateVar(_, _, name), key) if self._sees(name, key, movers):
                self.look(key, movers)
            case c.Let(_, _, name, c.Local(_, _, value), body) if value in movers:
                self.look(body, movers | {name})
            case c.Call(_, _, name, arguments) if name in self.functions:
                self._call(name, arguments, movers)
            case _:
                for part in parts(node):
                    self.look(part, movers)

    def _sees(self, name: str, key: c.Expr, movers: set[str]) -> bool:
        """Whether the mover sees what somebody has: their own, or that of others, as it is
        hidden. Of others it is known only that they are not called by the mover's name."""
        variable = self.hidden.get(name)
        if variable is None or not variable.owned:
            return False
        own = isinstance(key, c.Local) and key.name in movers
        return own != variable.from_owner

    def _count(self, counted: c.Expr, movers: set[str]) -> None:
        """How many there are of a hidden collection is open to all."""
        while isinstance(counted, c.Lookup):
            self.look(counted.key, movers)
            counted = counted.map
        if not isinstance(counted, c.StateVar):
            self.look(counted, movers)

    def _call(self, name: str, arguments: tuple[c.Expr, ...], movers: set[str]) -> None:
        function = self.functions[name]
        mine = set()
        for param, argument in zip(function.params, arguments):
            if isinstance(argument, c.Local) and argument.name in movers:
                mine.add(param.name)
            else:
                self.look(argument, movers)
        if (name, frozenset(mine)) not in self._done:
            self._done.add((name, frozenset(mine)))
            self.look(function.body, mine)

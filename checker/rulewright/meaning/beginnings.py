"""`initially`: a claim about the beginning of a game, as a theorem.

What a game begins with is data: initial values read no state, and what has none may be anything
that the requirements under `start` allow. So a claim about the beginning is one about the data:
state variables are replaced by what they begin with, those that may be anything are gone through,
and functions that look at the state are unfolded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import reads_state, variables_read, with_parts
from rulewright.syntax.node import Node, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BEGINS = "initial "
"""How the names begin that stand for what variables begin with; nobody can write such a name."""


class UnlistedError(Exception):
    """A variable that a claim looks at may begin with more values than can be gone through."""

    def __init__(self, variable: c.Variable) -> None:
        super().__init__(variable.name)
        self.variable = variable


def about_beginnings(
    claim: c.Expr,
    variables: Sequence[c.Variable],
    start: Sequence[c.Requirement],
    functions: Mapping[str, c.Function],
) -> c.Expr:
    """That a claim holds in every position that a game can begin with, of the data alone."""
    by_name = {each.name: each for each in variables}
    asked = [each.condition for each in start]
    read = set(variables_read(claim, functions))
    while True:  # what is required of one variable may be required together with another
        free = {name for name in read if by_name[name].initial is None}
        more = [e for e in asked if variables_read(e, functions) & free]
        wider = read.union(*(variables_read(e, functions) for e in more))
        if wider == read:
            break
        read = wider
    unfolding = _Unfolding(by_name, functions)
    span = claim.span
    held: c.Expr = unfolding.of(claim)
    begun = [each for each in variables if each.name in read and each.initial is None]
    for each in begun:
        inner = each.type.inner if isinstance(each.type, y.Option) else each.type
        if not y.is_scalar(inner) or y.most_values(each.type) is None:
            raise UnlistedError(each)
    if begun:
        where = [unfolding.of(each) for each in more]
        allowed = where[0] if where else None
        for each in where[1:]:
            assert allowed is not None
            allowed = c.Binary(span, y.BOOL, "and", allowed, each)
        binders = tuple(c.Binder(span, BEGINS + each.name, each.type, None, None) for each in begun)
        held = c.Quantify(span, y.BOOL, "all", binders, allowed, held)
    for variable in variables:
        initial = _initial(variable)
        if variable.name in read and initial is not None:
            held = c.Let(span, y.BOOL, BEGINS + variable.name, initial, held)
    return held


def _initial(variable: c.Variable) -> c.Expr | None:
    """What a variable begins with. `{}` and `none` are of no type of their own, so they are of the
    variable's."""
    initial = variable.initial
    if initial is None or y.fits(variable.type, initial.type):
        return initial
    typed: c.Expr = replace(initial, type=variable.type)
    return typed


class _Unfolding:
    """Replaces what looks at the state by names for what variables begin with."""

    def __init__(
        self, variables: Mapping[str, c.Variable], functions: Mapping[str, c.Function]
    ) -> None:
        self.variables = variables
        self.functions = functions
        self.unfolded = 0

    def of(self, node: Any, suffix: str = "") -> Any:
        """A node without the state; names bound in it get the suffix, so that they stay apart."""
        match node:
            case c.StateVar(name=name):
                initial = _initial(self.variables[name])
                type = node.type if initial is None else initial.type
                return c.Local(node.span, type, BEGINS + name)
            case c.Call(function=name, arguments=arguments) if reads_state(node, self.functions):
                self.unfolded += 1
                inside = f" {self.unfolded}"
                function = self.functions[name]
                body = self.of(function.body, inside)
                for param, value in reversed(list(zip(function.params, arguments))):
                    body = c.Let(
                        node.span, body.type, param.name + inside, self.of(value, suffix), body
                    )
                return body
            case Node():
                if isinstance(node, _NAMING):
                    node = replace(node, name=node.name + suffix)
                return with_parts(node, lambda part: self.of(part, suffix))
            case _:
                return node


_NAMING = (c.Local, c.Binder, c.Let, c.MapEach)

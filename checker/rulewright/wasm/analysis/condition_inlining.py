"""Conditions taken apart further than the evaluator does: through functions and `let`.

What a function asks first is often about few arguments, and can be asked before the others are
chosen. This is only for conditions that cannot fail, for those that can are taken apart as the
evaluator says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import rebuilt, walk
from rulewright.wasm.moves.choices import Choices, ChoiceTask, Key, Test


def unfolded(choices: Choices, task: ChoiceTask) -> ChoiceTask:
    """A task with its conditions taken apart."""
    by_name: dict[str, frozenset[Key]] = {leaf.key[0]: frozenset((leaf.key,))
                                          for leaf in task.leaves}  # fmt: skip
    tests: list[Test] = []
    for test in task.tests:
        for part in _parts(test.condition, choices):
            needed = frozenset(choices.needed(part, {}, by_name))
            tests.append(Test(part, needed, test.bound, len(tests)))
    return ChoiceTask(task.leaves, task.maps, tuple(tests))


def _parts(e: c.Expr, choices: Choices) -> Iterator[c.Expr]:
    match e:
        case c.Binary(operator="and", left=left, right=right):
            yield from _parts(left, choices)
            yield from _parts(right, choices)
        case c.Let(name=name, value=value, body=body):
            for part in _parts(body, choices):
                about = name in choices.unit.facts.of(part).names
                yield c.Let(e.span, y.BOOL, name, value, part) if about else part
        case c.Call(function=name, arguments=arguments, old=False):
            function = choices.instance.functions[name]
            body_ = _written_out(function, arguments)
            if body_ is None:
                yield e
            else:
                yield from _parts(body_, choices)
        case _:
            yield e


def _written_out(function: c.Function, arguments: Sequence[c.Expr]) -> c.Expr | None:
    """The body of a function with its arguments in place, if they are plain names or values that
    mean the same there."""
    given: dict[str, c.Expr] = {}
    for param, argument in zip(function.params, arguments):
        if not isinstance(argument, c.Local | c.Literal) or argument.type != param.type:
            return None
        given[param.name] = argument
    names = {each.name for each in arguments if isinstance(each, c.Local)}
    if any(_binds(node, names | given.keys()) for node in walk(function.body)):
        return None
    return _with(function.body, given)


def _binds(node: Any, names: set[str]) -> bool:
    return isinstance(node, c.Let | c.Binder | c.MapEach) and node.name in names


def _with(e: c.Expr, given: Mapping[str, c.Expr]) -> c.Expr:
    def change(node: Any) -> Any:
        return given.get(node.name) if isinstance(node, c.Local) else None

    body: c.Expr = rebuilt(e, change)
    return body

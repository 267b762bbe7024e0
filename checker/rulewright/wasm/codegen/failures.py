"""Errors of the rules as a compiled game reports them: a number, and the values its message needs.

`error_of` makes the evaluator's error of them. `template` is the message as data, with places for
the values, for players outside Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EndlessError, EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import stray, text
from rulewright.syntax.node import Node, Span

_MARK = re.compile("\0([0-9]+)\0")


class RuntimeFailure(Node):
    """What an error says of the values it carries, and where in the spec it stands. If a value
    leaves the type `wanted`, it is carried first, and `describe` names it from the others. If
    `refusal` is given, what was asked for cannot be done."""

    describe: Callable[..., str]
    types: tuple[y.Type, ...]
    span: Span
    wanted: y.Type | None = None
    refusal: UsageError | None = None
    endless: bool = False


def error_of(failure: RuntimeFailure, values: Sequence[Any], instance: Instance) -> Exception:
    """The error that a failure with these values stands for."""
    if failure.refusal is not None:
        return UsageError(failure.refusal.message, failure.refusal.help)
    message = failure.describe(*(values if failure.wanted is None else values[1:]))
    if failure.wanted is not None:
        found = stray(values[0], failure.wanted, instance)
        assert found is not None
        part, type = found
        holds = "is" if part is values[0] else "holds"
        message = f"{message} {holds} {text(part)}, outside {y.show(type)}"
    return (EndlessError if failure.endless else EvaluationError)(message, failure.span)


def template(failure: RuntimeFailure) -> list[str | int]:
    """The words of a message, with the number of a value that is carried where it belongs."""
    marks = [f"\0{number}\0" if _is_plain(type) else object()
             for number, type in enumerate(failure.types)]  # fmt: skip
    said = failure.describe(*(marks if failure.wanted is None else marks[1:]))
    pieces = _MARK.split(said)
    return [int(piece) if place % 2 else piece
            for place, piece in enumerate(pieces) if piece]  # fmt: skip


def _is_plain(type: y.Type) -> bool:
    """Whether a message says a value as it is; of a collection it shows only a sign."""
    return not isinstance(type, y.Set | y.Bag | y.Map)

"""A place of a spec at which something may have no value, for people to look at; no proof rests on
one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.play.semantics.event import Event
from rulewright.syntax.node import Node


class OpenPlace(Node):
    """From where to where, what it is, and the solver's word; with a position and events that the
    evaluator confirms if that is *sat*."""

    span: tuple[int, int]
    what: str
    result: str
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()

"""The ways in which playing can come to a stop. What a user reads is in `message` and `help`."""

from __future__ import annotations

from rulewright.syntax.node import Span


class UsageError(Exception):
    """What is asked for cannot be done as it is asked; `help` says what can."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class EvaluationError(Exception):
    """The rules ask for something that has no value: `message` says what, `span` where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class EndlessError(EvaluationError):
    """Steps follow each other without an end."""


class Unbound(Exception):  # noqa: N818 - not an error: what is asked is still open
    """A name whose value is not chosen yet; only met while choices are being listed."""

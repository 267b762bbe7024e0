"""A command that cannot begin says why by raising this; the program ends with exit code 2."""

from __future__ import annotations

from rulewright.frontend import LoadedSpec


class RefusalError(Exception):
    """What is wrong with the request, and what to do about it."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class UnusableError(Exception):
    """A spec cannot be used; what is wrong with it is in its diagnostics."""

    def __init__(self, checked: LoadedSpec) -> None:
        super().__init__(checked.file)
        self.checked = checked

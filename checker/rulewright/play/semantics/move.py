"""What a program plays with: moves, and what the rules have against one."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.meaning.core import Requirement
from rulewright.play.io.notation import write_event
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Value, frozen


class Move:
    """A move of a player, or (`by` None) what chance decides. Two are equal if they say the
    same; `str` writes it as a spec does."""

    __slots__ = ("_instance", "args", "by", "name")

    name: str
    by: int | None
    args: Mapping[str, Value]

    def __init__(self, event: Event, instance: Instance) -> None:
        object.__setattr__(self, "name", event.name)
        object.__setattr__(self, "by", event.by)
        object.__setattr__(self, "args", event.arguments)
        object.__setattr__(self, "_instance", instance)

    @property
    def event(self) -> Event:
        """The same as the evaluator has it."""
        return Event(self.name, self.by, self.args)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a move cannot be changed")

    def __str__(self) -> str:
        return write_event(self.event, self._instance)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<{'chance' if self.by is None else f'player {self.by}'}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.event == other.event

    def __hash__(self) -> int:
        return hash((self.name, self.by, frozen(self.args)))


class Broken:
    """A requirement that refuses a move: its label, its sentence, the clauses it comes from."""

    __slots__ = ("clauses", "label", "prose")

    def __init__(self, requirement: Requirement) -> None:
        self.label: str = requirement.label
        self.prose: str | None = requirement.prose
        self.clauses: tuple[str, ...] = requirement.clauses

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        said = f": {self.prose}" if self.prose else ""
        return self.label + said + (f" [{', '.join(self.clauses)}]" if self.clauses else "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken) and self.label == other.label

    def __hash__(self) -> int:
        return hash(self.label)


class IllegalMove(Exception):  # noqa: N818 - what it says is not an error of the program
    """A move that the rules refuse; `broken` are the requirements that do."""

    def __init__(self, move: Move, broken: list[Broken]) -> None:
        super().__init__(f"`{move}` is refused: {'; '.join(map(str, broken))}")
        self.move = move
        self.broken = broken

"""What the worked examples say to a change: which no longer play, which play only now.

Every example is played by both rules as it is written on its side; and the examples of the old
spec are also played by the new rules, for a rulebook whose examples were not brought up to date.
"""

from __future__ import annotations

from collections.abc import Callable

from checker.meaning import core as c
from checker.play.examples import Played, play_example
from checker.syntax.node import Node

BROKEN, MENDED, ADDED, REMOVED = "broken", "mended", "added", "removed"


class Affected(Node):
    """An example that a change does something to; `message` says why it does not play."""

    name: str
    what: str
    message: str
    clauses: tuple[str, ...]


def affected(
    old: c.Spec, new: c.Spec,
    variants: tuple[Callable[[str], c.Spec], Callable[[str], c.Spec]],
) -> tuple[list[Affected], int]:  # fmt: skip
    """The examples that go another way by the new rules, and how many were played by both."""
    before, after = _played(old, variants[0]), _played(new, variants[1])
    found = []
    for name, played in after.items():
        was = before.get(name)
        if was is None:
            found.append(_affected(played, ADDED))
        elif was.failure is None and played.failure is not None:
            found.append(_affected(played, BROKEN))
        elif was.failure is not None and played.failure is None:
            found.append(_affected(was, MENDED))
    found += [_affected(played, REMOVED) for name, played in before.items() if name not in after]
    return found, len(before.keys() & after.keys())


def _played(spec: c.Spec, variant: Callable[[str], c.Spec]) -> dict[str, Played]:
    found = {}
    for example in spec.examples:
        core = spec
        if example.variant is not None and example.variant != spec.variant:
            if spec.variant is not None:
                continue  # an example of another variant says nothing of this one
            core = variant(example.variant)
        there = next((each for each in core.examples if each.name == example.name), None)
        if there is not None:
            found[example.name] = play_example(core, there)
    return found


def _affected(played: Played, what: str) -> Affected:
    message = played.failure.message if played.failure is not None else ""
    return Affected(played.example.name, what, message, played.example.clauses)

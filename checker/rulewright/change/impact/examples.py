"""What the worked examples say to a change: which no longer play, which play only now.

Every example is played by both rules as it is written on its side. An example is written for the
game, or for a variant of it: where a game is compared with its variant, those of the one that go
another way by the other are not broken, they are only not meant for it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample, play_example
from rulewright.syntax.node import Node

BROKEN, MENDED, ADDED, REMOVED = "broken", "mended", "added", "removed"
OTHERWISE = "otherwise"
"""What an example goes that was not written for these rules."""


class AffectedExample(Node):
    """An example that a change does something to; `message` says why it does not play."""

    name: str
    what: str
    message: str
    clauses: tuple[str, ...]


def affected_examples(
    old: c.Spec, new: c.Spec,
    variants: tuple[Callable[[str], c.Spec], Callable[[str], c.Spec]],
) -> tuple[list[AffectedExample], int]:  # fmt: skip
    """The examples that go another way by the new rules, and how many were played by both."""
    if old.variant != new.variant:
        return _of_another_variant(old, new)
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


def _played(spec: c.Spec, variant: Callable[[str], c.Spec]) -> dict[str, PlayedExample]:
    """The examples of a game by its rules, those of its variants by theirs; of a variant only those
    written for it."""
    found = {}
    for example in spec.examples:
        core = spec
        if example.variant != spec.variant:
            if spec.variant is not None or example.variant is None:
                continue
            core = variant(example.variant)
        there = _named(example.name, core)
        if there is not None:
            found[example.name] = play_example(core, there)
    return found


def _of_another_variant(old: c.Spec, new: c.Spec) -> tuple[list[AffectedExample], int]:
    """The examples written for one of two variants, or for the game itself, by the other."""
    found, count = [], 0
    for mine, other in ((old, new), (new, old)):
        for example in mine.examples:
            there = _named(example.name, other)
            if example.variant != mine.variant or there is None:
                continue
            count += 1
            played = play_example(other, there)
            if played.failure is not None and play_example(mine, example).failure is None:
                found.append(_affected(played, OTHERWISE))
    return found, count


def _named(name: str, spec: c.Spec) -> c.Example | None:
    return next((each for each in spec.examples if each.name == name), None)


def _affected(played: PlayedExample, what: str) -> AffectedExample:
    message = played.failure.message if played.failure is not None else ""
    return AffectedExample(played.example.name, what, message, played.example.clauses)

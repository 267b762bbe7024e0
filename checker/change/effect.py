"""What a change does to play: many random games by either set of rules, and how they went.

Random players are no good players, but they are the same by both rules. Every number comes with
its standard error, so that nobody takes noise for an effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import cast

from checker.meaning import types as y
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError
from checker.play.instance import Instance
from checker.play.rules import Refused, apply, is_final
from checker.syntax.node import Node

LONGEST = 20_000
"""Events; a game that goes on longer is given up and counted as unfinished."""


class Sample(Node):
    """Games by one set of rules: what each came to."""

    games: int
    unfinished: int
    lengths: tuple[int, ...]
    scores: tuple[int, ...]
    best: tuple[int, ...]
    ties: tuple[int, ...]
    endings: tuple[str, ...]
    sizes: Mapping[str, tuple[int, ...]]
    """How many elements each set that all share has at the end: rows closed, for example."""


class Estimate(Node):
    """A mean with its standard error."""

    mean: float
    error: float

    def shown(self, percent: bool = False) -> str:
        """`51.2 ± 0.9`; with one more place where the error would not be seen."""
        factor, unit = (100, " %") if percent else (1, "")
        mean, error = self.mean * factor, self.error * factor
        places = 2 if 0 < error < 0.1 else 1
        return f"{mean:.{places}f} ± {error:.{places}f}{unit}"


class Row(Node):
    """One number by both rules; `percent` says that it is a share of the games."""

    name: str
    old: Estimate
    new: Estimate
    percent: bool

    @property
    def clear(self) -> bool:
        """Whether the difference is more than chance would bring about (two standard errors)."""
        spread = sqrt(self.old.error**2 + self.new.error**2)
        return abs(self.new.mean - self.old.mean) > 2 * spread


def estimate(numbers: Sequence[float]) -> Estimate:
    """The mean of some numbers and how far it may be off."""
    count = len(numbers)
    mean = sum(numbers) / count
    if count < 2:
        return Estimate(mean, 0.0)
    variance = sum((each - mean) ** 2 for each in numbers) / (count - 1)
    return Estimate(mean, sqrt(variance / count))


def share(happened: Sequence[int]) -> Estimate:
    """Of how many games something is true. What was never seen may still happen, so the error is
    that of two games more, one with it and one without."""
    count = len(happened)
    near = (sum(happened) + 1) / (count + 2)
    return Estimate(sum(happened) / count, sqrt(near * (1 - near) / (count + 2)))


def sample(instance: Instance, games: int, seed: int) -> Sample:
    """Plays so many games at random."""
    machine = Machine(instance)
    random = Random(seed)
    lengths, scores, best, ties, endings = [], [], [], [], []
    sets = [
        each.name for each in instance.spec.variables
        if isinstance(each.type, y.Set) and not each.owned
    ]  # fmt: skip
    sizes: dict[str, list[int]] = {name: [] for name in sets}
    unfinished = 0
    for _ in range(games):
        events, ending, state = _play(machine, random)
        if ending is None:
            unfinished += 1
            continue
        lengths.append(events)
        endings.append(ending)
        if sets:
            end = machine.position(state)
            for name in sets:
                sizes[name].append(len(cast(frozenset[object], end[name])))
        kept = machine.scores(state)
        if kept:
            scores += list(kept.values())
            best.append(max(kept.values()))
        winners = machine.winners(state)
        if winners is not None:
            ties.append(int(len(winners) != 1))
    return Sample(
        games, unfinished, tuple(lengths), tuple(scores), tuple(best), tuple(ties), tuple(endings),
        {name: tuple(each) for name, each in sizes.items()},
    )  # fmt: skip


def _play(machine: Machine, random: Random) -> tuple[int, str | None, list[object]]:
    """One game: how many events, what ended it (None: nothing did), the state it ended in."""
    state = machine.begin(random)
    events = 0
    try:
        while events < LONGEST:
            event = machine.choose(state, random)
            if event is None:
                return events, None, state
            before = state[:]
            machine.apply(state, event)
            events += 1
            if machine.is_final(state):
                happened = apply(machine.instance, machine.position(before), machine.decode(event))
                last = next(each for each in happened if is_final(machine.instance, each.after))
                label = last.done[-1].label if last.done else last.transition.name
                return events, label, state
    except (EvaluationError, Refused):
        return events, None, state
    return events, None, state


def rows(old: Sample, new: Sample) -> list[Row]:
    """The numbers side by side; what neither side has is left out."""
    found = []
    for name, field in (("events a game", "lengths"), ("score", "scores"),
                        ("best score", "best")):  # fmt: skip
        one, other = getattr(old, field), getattr(new, field)
        if one and other:
            found.append(Row(name, estimate(one), estimate(other), False))
    if old.ties and new.ties:
        found.append(Row("games without a single winner", share(old.ties), share(new.ties), True))
    for name in old.sizes:
        one, other = old.sizes[name], new.sizes.get(name, ())
        if one and other and (any(one) or any(other)):
            found.append(Row(f"in `{name}` at the end", estimate(one), estimate(other), False))
    for label in sorted({*old.endings, *new.endings}):
        shares = [[int(each == label) for each in side.endings] for side in (old, new)]
        if shares[0] and shares[1]:
            found.append(Row(f"ended by {label}", share(shares[0]), share(shares[1]), True))
    if old.unfinished or new.unfinished:
        shares = [
            [1] * side.unfinished + [0] * (side.games - side.unfinished) for side in (old, new)
        ]
        found.append(Row("not finished", share(shares[0]), share(shares[1]), True))
    return found


def histogram(numbers: Sequence[int], low: int, width: int, bins: int) -> list[float]:
    """Which share of the numbers falls into each bin."""
    counts = Counter(min(bins - 1, max(0, (each - low) // width)) for each in numbers)
    return [counts[at] / len(numbers) for at in range(bins)] if numbers else [0.0] * bins

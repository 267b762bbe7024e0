"""Where the options of an open question part: a position that a game reaches, or a proof that
there is none; and which properties hold under which option, and in which variant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from checker.change.compare import Comparison
from checker.change.properties import Prover
from checker.change.reaching import Budget
from checker.change.verdict import EQUAL, PROVED, Compared, Verdict
from checker.meaning import core as c
from checker.prove.cache import Cache
from checker.prove.lemmas import Lemmas
from checker.syntax.node import Node
from checker.vc.context import Setting


class Parted(Node):
    """One option of a reading against its default."""

    reading: c.Reading
    option: c.ReadingOption
    compared: Compared

    @property
    def differing(self) -> list[Verdict]:
        """What is not the same under both options."""
        return [each for each in self.compared.verdicts if each.verdict != EQUAL]

    @property
    def outcome(self) -> str:
        """parts (a game shows it), never (proved), not found, or unknown."""
        if any(each.game is not None for v in self.differing for each in v.differences):
            return "parts"
        if self.differing:
            return "not found"
        return "never" if all(v.proof == PROVED for v in self.compared.verdicts) else "unknown"


class Asking:
    """How hard to try, and where answers are kept."""

    def __init__(
        self, timeout: float, folder: Path | None, processes: int | None, seed: int,
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.lemmas = Lemmas(timeout, folder, processes)
        self.cache = Cache(folder, "change")
        self.budget = Budget(timeout, search=2 * timeout, seed=seed)
        self.prover = Prover(timeout, folder, processes, say)
        self.say = say


def parted(spec: c.Spec, numbers: Sequence[int], asking: Asking) -> Iterator[Parted]:
    """Every option of every reading that is not the default, against the default."""
    for reading in spec.readings:
        for option in reading.options:
            if option.name == reading.default:
                continue
            chosen = ((reading.name, option.name),)

            def beside(setting: Setting, chosen: tuple[tuple[str, str], ...] = chosen) -> Setting:
                return Setting(setting.players, chosen, setting.variant)

            settings = [Setting(number, (), spec.variant) for number in numbers]
            comparison = Comparison(
                spec, spec, settings, asking.lemmas, asking.cache, asking.budget, asking.say, beside
            )
            yield Parted(reading, option, comparison.run({}, reading.name))


class Holding(Node):
    """Which properties hold in one way to play, named by what makes it special."""

    title: str
    setting: Setting
    verdicts: dict[str, str]


def holdings(
    specs: Mapping[str | None, c.Spec], numbers: Sequence[int], asking: Asking
) -> list[Holding]:
    """What is proved with the defaults, under each other option, and in each variant, for each
    number of players; `specs` are by variant."""
    spec = specs[None]
    ways: list[tuple[str, c.Spec, tuple[tuple[str, str], ...]]] = [("defaults", spec, ())]
    ways += [
        (f"{reading.name} = {option.name}", spec, ((reading.name, option.name),))
        for reading in spec.readings for option in reading.options
        if option.name != reading.default
    ]  # fmt: skip
    ways += [(str(name), core, ()) for name, core in specs.items() if name is not None]
    titles = {
        Setting(number, readings, core.variant): title
        for number in numbers for title, core, readings in ways
        if core.least <= number <= core.most
    }  # fmt: skip
    found = asking.prover.standings(specs, list(titles))
    return [
        Holding(title, setting, {name: each.verdict for name, each in found[setting].items()})
        for setting, title in titles.items()
    ]

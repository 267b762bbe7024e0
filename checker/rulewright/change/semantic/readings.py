"""Where the options of an open question part: a position that a game reaches, or a proof that
there is none; and which properties hold under which option, and in which variant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rulewright.change.games.reachability import SearchBudget
from rulewright.change.impact.properties import ChangeProver
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.semantic.verdict import PROVED, ComparisonResult, ComparisonVerdict
from rulewright.kernel.comparison import EQUAL
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas
from rulewright.syntax.node import Node


class ReadingComparison(Node):
    """One option of a reading against its default."""

    reading: c.Reading
    option: c.ReadingOption
    compared: ComparisonResult

    @property
    def differing(self) -> list[ComparisonVerdict]:
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


class ComparisonOptions:
    """How hard to try, and where answers are kept."""

    def __init__(
        self, timeout: float, folder: Path | None, processes: int | None, seed: int,
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.lemmas = Lemmas(timeout, folder, processes)
        self.cache = Cache(folder)
        self.budget = SearchBudget(timeout, search=2 * timeout, seed=seed)
        self.prover = ChangeProver(timeout, folder, processes, say)
        self.say = say


def other_options(spec: c.Spec) -> list[tuple[c.Reading, c.ReadingOption]]:
    """Every option of every reading that is not the default."""
    return [
        (reading, option)
        for reading in spec.readings
        for option in reading.options
        if option.name != reading.default
    ]


def compare_option(
    spec: c.Spec, reading: c.Reading, option: c.ReadingOption, numbers: Sequence[int],
    asking: ComparisonOptions,
) -> ReadingComparison:  # fmt: skip
    """One option of a reading against the default."""
    chosen = ((reading.name, option.name),)

    def beside(configuration: Configuration) -> Configuration:
        return Configuration(configuration.players, chosen, configuration.variant)

    settings = [Configuration(number, (), spec.variant) for number in numbers]
    comparison = SpecComparison(
        spec, spec, settings, asking.lemmas, asking.cache, asking.budget, asking.say, beside
    )
    return ReadingComparison(reading, option, comparison.run({}, reading.name))


class PropertyTable(Node):
    """Which properties hold in one way to play, named by what makes it special."""

    title: str
    configuration: Configuration
    verdicts: dict[str, str]


def property_tables(
    specs: Mapping[str | None, c.Spec], numbers: Sequence[int], asking: ComparisonOptions
) -> list[PropertyTable]:
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
        Configuration(number, readings, core.variant): title
        for number in numbers for title, core, readings in ways
        if core.least <= number <= core.most
    }  # fmt: skip
    found = asking.prover.standings(specs, list(titles))
    return [
        PropertyTable(
            title,
            configuration,
            {name: each.verdict for name, each in found[configuration].items()},
        )
        for configuration, title in titles.items()
    ]

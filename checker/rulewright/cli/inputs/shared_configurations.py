"""The ways to play that two versions are compared in, and those that only one of them has."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from rulewright.cli.errors import RefusalError
from rulewright.cli.inputs.git_versions import SpecVersion
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.syntax import tree


def settings_of(old: SpecVersion, new: SpecVersion, options: Namespace) -> list[Configuration]:
    """All ways to play that both versions know, or just those that were asked for."""
    least = max(old.core.least, new.core.least)
    most = min(old.core.most, new.core.most)
    numbers = [n for n in options.players or range(least, most + 1) if least <= n <= most]
    if not numbers:
        raise RefusalError(
            "there is no number of players that both versions allow",
            f"the old one takes {old.core.least} to {old.core.most}, "
            f"the new one {new.core.least} to {new.core.most}",
        )
    ways: list[tuple[tuple[str, str], ...]] = [tuple(sorted(options.readings.items()))]
    if not options.readings:
        ways += [(each,) for each in _options(new) if each in _known(old)]
    found = [Configuration(number, way, new.variant) for way in ways for number in numbers]
    for each in found[:1]:
        for version in (old, new):
            Instance(version.core, each.players, dict(each.readings))
    return found


def not_shared(old: SpecVersion, new: SpecVersion) -> Iterator[str]:
    """What only one version knows, and what cannot be compared therefore."""
    for version, other, word in ((old, new, "gone"), (new, old, "new")):
        theirs = range(other.core.least, other.core.most + 1)
        numbers = [n for n in range(version.core.least, version.core.most + 1) if n not in theirs]
        if numbers:
            shown = ", ".join(map(str, numbers))
            noun = "player is" if numbers == [1] else "players are"
            yield f"games of {shown} {noun} {word} and not compared"
        apart = [
            f"`{name} = {option}`" for name, option in _options(version)
            if (name, option) not in _known(other)
        ]  # fmt: skip
        if apart:
            verb = "is" if len(apart) == 1 else "are"
            yield f"{', '.join(apart)} {verb} {word} and not compared"

    if old.variant is None and new.variant is None:
        yield from _variants(old.tree, new.tree)


def _variants(old: tree.Spec, new: tree.Spec) -> Iterator[str]:
    """The variants that are not what they were: only the game itself is compared."""
    before, after = (
        {d.name.text: d.items for d in spec.declarations if isinstance(d, tree.Variant)}
        for spec in (old, new)
    )
    for name in [*after, *(name for name in before if name not in after)]:
        if name not in after or name not in before:
            yield f"the variant `{name}` is {'new' if name in after else 'gone'} and not compared"
        elif before[name] != after[name]:
            yield f"the variant `{name}` is changed, too: --variant {name} compares it"


def _options(version: SpecVersion) -> list[tuple[str, str]]:
    """Each reading with each of its options but the default."""
    return [
        (reading.name, each.name)
        for reading in version.core.readings
        for each in reading.options
        if each.name != reading.default
    ]


def _known(version: SpecVersion) -> set[tuple[str, str]]:
    """Each reading with all of its options."""
    return {(reading.name, each.name) for reading in version.core.readings
            for each in reading.options}  # fmt: skip

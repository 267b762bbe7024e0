"""Opens the one game that a command plays: its spec, how many play, how it is read."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.cli.errors import RefusalError, UnusableError
from rulewright.cli.inputs.read_specs import read_specs
from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance, nearest


def read_spec(argument: str) -> LoadedSpec:
    """The spec a command works on; one that cannot be used is refused with all that is wrong."""
    (checked,) = read_specs([argument])
    if checked.spec is None:
        raise UnusableError(checked)
    return checked


def core_of(checked: LoadedSpec, variant: str | None) -> Spec:
    """The core of the game itself, or of one of its variants."""
    assert checked.spec is not None
    if variant is None:
        return checked.spec
    names = [each.name for each in checked.spec.variants]
    if variant not in names:
        known = f"it has {', '.join(names)}" if names else "it has none"
        raise RefusalError(
            f"`{checked.spec.name}` has no variant `{variant}`", nearest(variant, names, known)
        )
    return checked.variant(variant)


def open_game(
    checked: LoadedSpec,
    players: int | None = None,
    readings: Mapping[str, str] | None = None,
    variant: str | None = None,
) -> Instance:
    """The game with everything chosen; without a number of players, the fewest."""
    core = core_of(checked, variant)
    try:
        return Instance(core, players if players is not None else core.least, readings)
    except UsageError as error:
        raise RefusalError(error.message, error.help or "") from error

"""Small changes of the rules of games, each with properties that must not survive it.

One module for each game, with its list in `GAMES`. A property that is new needs a mutant too: a
proof that no change of the rules could break would say nothing.
"""

from __future__ import annotations

from tests.prove.games.mutants.kubbar import MUTANTS as KUBBAR
from tests.prove.games.mutants.matte_kryss import MUTANTS as MATTE_KRYSS
from tests.prove.games.mutants.mutant import Mutant
from tests.prove.games.mutants.qwixx import MUTANTS as QWIXX
from tests.prove.games.mutants.twenty_one import MUTANTS as TWENTY_ONE

GAMES: dict[str, tuple[Mutant, ...]] = {
    "kubbar": KUBBAR,
    "matte_kryss": MATTE_KRYSS,
    "qwixx": QWIXX,
    "twenty_one": TWENTY_ONE,
}
"""The mutants of each game that has them for all its properties."""

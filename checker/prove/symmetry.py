"""What is the same for every start of a game, and in every setting."""

from __future__ import annotations

from collections.abc import Mapping

from checker.kernel.symmetry import of_seats, seats_alike, to_all_alike
from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk_through
from checker.play.beginning import open_variables
from checker.play.instance import Instance


def starts_alike(instance: Instance) -> bool:
    """Whether turning the table turns one start of a game into all the others: who it begins with
    is all that is open, and nothing else at the start tells seats apart."""
    spec, left_open = instance.spec, list(open_variables(instance).values())
    given = [each.initial for each in instance.variables.values() if each.initial is not None]
    asked = [each for transition in spec.transitions for each in transition.requirements]
    one_seat = left_open == [y.Player(spec.least, spec.most)]
    return one_seat and seats_alike(spec) and to_all_alike(spec, [*given, *spec.start, *asked])


def in_every_setting(claim: c.Expr, functions: Mapping[str, c.Function]) -> bool:
    """Whether a claim is the same for every number of players and however the readings are taken:
    it speaks of none of them."""
    return not any(
        isinstance(node, c.PlayerCount | c.ReadingRef) or of_seats(getattr(node, "type", y.BOOL))
        for node in walk_through(claim, functions)
    )

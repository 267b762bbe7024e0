"""Symmetry of starts: whether one start of a game stands for all, and in every configuration."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.kernel.symmetry import of_seats, seats_alike, to_all_alike
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk_through
from rulewright.play.semantics.initial_states import open_variables
from rulewright.play.semantics.instance import Instance


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

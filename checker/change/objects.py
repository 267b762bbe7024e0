"""A change for programs: one object per verdict, property, example and game."""

from __future__ import annotations

from checker.change.compare import Difference, Verdict
from checker.change.effect import Row
from checker.change.properties import Fate, Standing
from checker.change.telling import Play
from checker.change.witness import Said, says
from checker.play.encoding import encode_event, encode_position
from checker.play.instance import Instance


def verdict_object(verdict: Verdict) -> dict[str, object]:
    """`move` is what it is called, whatever its kind; the first difference is the witness."""
    found = [difference_object(each) for each in verdict.differences]
    return {
        "move": verdict.subject.name,
        "kind": verdict.subject.kind,
        "verdict": verdict.verdict,
        "proof": verdict.proof,
        "notes": list(verdict.notes),
        "witness": found[0] if found else None,
        "witnesses": found,
    }


def difference_object(difference: Difference) -> dict[str, object]:
    """A difference: the position, the event, what either side says, the game that gets there."""
    witness = difference.witness
    instance = witness.instances[1]
    game = difference.game
    return {
        "way": difference.way,
        "players": difference.setting.players,
        "readings": dict(difference.setting.readings),
        "variant": difference.setting.variant,
        "position": encode_position(dict(witness.positions[1]), instance),
        "move": encode_event(witness.event, instance) if witness.event is not None else None,
        "player": witness.player,
        "old": {**_said(witness.said[0], witness.instances[0]), "text": says(witness, 0)},
        "new": {**_said(witness.said[1], instance), "text": says(witness, 1)},
        "reached": game is not None,
        "turns_searched": difference.turns,
        "trace": None
        if game is None
        else [encode_event(each, witness.instances[0]) for each in game.events],
    }


def _said(said: Said, instance: Instance) -> dict[str, object]:
    found: dict[str, object] = {
        "allowed": said.allowed,
        "refused_by": [each.label for each in said.refused_by],
        "clauses": sorted({name for each in said.refused_by for name in each.clauses}),
        "error": said.error,
    }
    if said.after is not None:
        found["after"] = encode_position(dict(said.after), instance)
    if said.value is not None:
        found["value"] = said.value
    return found


def fate_object(fate: Fate) -> dict[str, object]:
    """A property, old against new."""
    return {
        "property": fate.name,
        "kind": fate.kind,
        "old": fate.old.verdict if fate.old is not None else None,
        "new": fate.new.verdict if fate.new is not None else None,
        "fate": fate.fate,
        "note": fate.new.note if fate.new is not None else None,
        "events": _events(fate.new),
    }


def _events(standing: Standing | None) -> int | None:
    if standing is None or standing.events is None:
        return None
    return len(standing.events)


def play_object(play: Play) -> dict[str, object]:
    """What random play came to."""
    return {
        "players": play.players, "seed": play.seed, "games": play.old.games,
        "numbers": [_row(row) for row in play.rows],
    }  # fmt: skip


def _row(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "old": {"mean": row.old.mean, "error": row.old.error},
        "new": {"mean": row.new.mean, "error": row.new.error},
        "clear": row.clear,
    }

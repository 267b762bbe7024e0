"""A change for programs: one object per verdict, property, example and game."""

from __future__ import annotations

from checker.change.effect import Row
from checker.change.standing import Fate
from checker.change.telling import Play
from checker.change.verdict import Difference, Verdict
from checker.change.witness import Said, Witness, says
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
    """A difference: the position, the event, what either side says, the game that gets there. If
    the game found gets to another position than the smallest, that one is `smallest`."""
    game = difference.game
    shown = difference.witness if game is None else game.witness
    smaller = difference.witness if shown is not difference.witness else None
    return {
        "way": difference.way,
        "players": difference.setting.players,
        "readings": dict(difference.setting.readings),
        "variant": difference.setting.variant,
        **_witness(shown),
        "smallest": None if smaller is None else _witness(smaller),
        "example": difference.example,
        "reached": game is not None,
        "turns_searched": difference.turns,
        "trace": None
        if game is None
        else [encode_event(each, shown.instances[0]) for each in game.events],
    }


def _witness(witness: Witness) -> dict[str, object]:
    instance, speaker = witness.instances[1], witness.speaker
    return {
        "position": encode_position(dict(witness.positions[1]), instance),
        "move": encode_event(witness.event, speaker) if witness.event is not None else None,
        "player": witness.player,
        "old": {**_said(witness.said[0], witness.instances[0]), "text": says(witness, 0)},
        "new": {**_said(witness.said[1], instance), "text": says(witness, 1)},
    }


def _said(said: Said, instance: Instance) -> dict[str, object]:
    found: dict[str, object] = {
        "allowed": said.allowed,
        "refused_by": [each.label for each in said.refused_by],
        "clauses": sorted({name for each in said.refused_by for name in each.clauses}),
        "error": said.error,
        "after_step": said.after_step,
    }
    if said.after is not None:
        found["after"] = encode_position(dict(said.after), instance)
    if said.value is not None:
        found["value"] = said.value
    return found


def fate_object(fate: Fate) -> dict[str, object]:
    """A property, old against new; the trace is a game that breaks it."""
    instance = fate.new.instance if fate.new is not None else None
    return {
        "property": fate.name,
        "kind": fate.kind,
        "old": fate.old.verdict if fate.old is not None else None,
        "new": fate.new.verdict if fate.new is not None else None,
        "fate": fate.fate,
        "note": fate.new.note if fate.new is not None else None,
        "players": instance.players if instance is not None else None,
        "trace": None
        if instance is None or fate.new is None or fate.new.events is None
        else [encode_event(each, instance) for each in fate.new.events],
    }


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

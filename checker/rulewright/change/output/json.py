"""JSON report of a change: one object per verdict, property, example and game."""

from __future__ import annotations

from rulewright.change.impact.play_statistics import StatisticsRow
from rulewright.change.impact.property_status import PropertyDiff
from rulewright.change.output.text import PlayComparison
from rulewright.change.semantic.verdict import ComparisonVerdict, Difference
from rulewright.change.semantic.witness import SideJudgement, Witness, says
from rulewright.play.explain.game_view import events_data
from rulewright.play.io.json_codec import encode_event, encode_position
from rulewright.play.semantics.instance import Instance


def verdict_object(verdict: ComparisonVerdict) -> dict[str, object]:
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
        "players": difference.configuration.players,
        "readings": dict(difference.configuration.readings),
        "variant": difference.configuration.variant,
        **_witness(shown),
        "smallest": None if smaller is None else _witness(smaller),
        "example": difference.example,
        "reached": game is not None,
        "turns_searched": difference.turns,
        "trace": None if game is None else events_data(shown.instances[0], game.events),
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


def _said(said: SideJudgement, instance: Instance) -> dict[str, object]:
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


def fate_object(fate: PropertyDiff) -> dict[str, object]:
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
        else events_data(instance, fate.new.events),
    }


def play_object(play: PlayComparison) -> dict[str, object]:
    """What random play came to."""
    return {
        "players": play.players, "seed": play.seed, "games": play.old.games,
        "numbers": [_row(row) for row in play.rows],
    }  # fmt: skip


def _row(row: StatisticsRow) -> dict[str, object]:
    return {
        "name": row.name,
        "old": {"mean": row.old.mean, "error": row.old.error},
        "new": {"mean": row.new.mean, "error": row.new.error},
        "clear": row.clear,
    }

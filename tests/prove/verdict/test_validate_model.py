"""The evaluator has the last word: what it does not see is not shown."""

from __future__ import annotations

from rulewright.frontend import check_text
from rulewright.kernel.query import Goal
from rulewright.meaning.core import Spec
from rulewright.play.io.notation import write_line
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import apply
from rulewright.prove.search.lasso import closed, find_lasso
from rulewright.prove.verdict.validate_model import UNSEEN, doubted
from rulewright.resources import bundled_games
from rulewright.smt.terms.term import TRUE
from rulewright.vc.commutation import commuting
from rulewright.vc.conditions import preserved, stuck
from rulewright.vc.context import ProofContext
from tests.prove.verdict.test_verdicts import ADD, HEAD, SIMULTANEOUS

TWO = Configuration(2, (), None)


def _context(text: str) -> ProofContext:
    spec = check_text("tiny", text).spec
    assert spec is not None
    return ProofContext(spec, TWO)


def test_a_position_with_a_legal_move_is_not_stuck() -> None:
    context = _context(HEAD + ADD)
    query = stuck(context)
    position = initial_position(context.instance)
    assert doubted(context, query, query.goals[0], position, ()) == UNSEEN
    assert doubted(context, query, query.goals[0], {**position, "phase": "over"}, ()) == UNSEEN


def test_a_transition_must_be_allowed_and_break_what_it_is_said_to_break() -> None:
    context = _context(HEAD + ADD + 'invariant few "few": count <= 5\n')
    query = preserved(context, context.instance.transitions["add"], {}, True)
    goal = next(each for each in query.goals if each.name == "few")
    five = {**initial_position(context.instance), "count": 5}
    ours, theirs = Event("add", 1, {}), Event("add", 2, {})
    assert doubted(context, query, goal, five, [ours]) is None
    assert doubted(context, query, goal, five, [theirs]) == UNSEEN
    assert doubted(context, query, goal, {**five, "count": 4}, [ours]) == UNSEEN
    assert doubted(context, query, goal, {**five, "count": 7}, [ours]) == UNSEEN


def test_only_safety_is_broken_by_an_error() -> None:
    context = _context(HEAD + ADD + 'invariant some "some": count >= 0\n')
    query = preserved(context, context.instance.transitions["add"], {}, True)
    nine = {**initial_position(context.instance), "count": 9}
    event = Event("add", 1, {})
    for kind, doubt in (("safety", None), ("invariant", UNSEEN)):
        goal = Goal("safe" if kind == "safety" else "some", kind, TRUE)
        assert doubted(context, query, goal, nine, [event]) == doubt


def test_both_orders_are_played() -> None:
    context = _context(SIMULTANEOUS)
    query = next(commuting(context, settled=True))
    position = initial_position(context.instance)
    events = [Event("claim", 1, {}), Event("claim", 2, {})]
    assert doubted(context, query, query.goals[0], position, events) is None
    claimed = {**position, "first": 1}
    assert doubted(context, query, query.goals[0], claimed, events) == UNSEEN


def _matte_kryss() -> Spec:
    spec = check_text("mk", bundled_games()["matte_kryss"].read_text("utf-8")).spec
    assert spec is not None
    return spec


def test_players_of_matte_kryss_can_exchange_for_ever() -> None:
    spec = _matte_kryss()
    instance = ProofContext(spec, Configuration(2, (("endless", "literal"),), None)).instance
    game = find_lasso(instance, spec.ends[0], 60)
    assert game is not None and game.loop is not None
    position = dict(game.start)
    for event in game.events[: game.loop]:
        position = apply(instance, position, event)[-1].after
    again = game.events[game.loop :]
    after = position
    for event in again:
        after = apply(instance, after, event)[-1].after
    assert after == position
    assert any("exchange" in write_line(each, instance) for each in again)
    assert closed(instance, dict(game.start), game.events[:-1], game.loop) is None

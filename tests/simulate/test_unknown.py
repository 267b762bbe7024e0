"""Recorded games of which parts are unknown: legal exactly if something makes them so."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from rulewright.frontend import check_text, read
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.resources import find_spec
from rulewright.simulate.game import Rules
from rulewright.simulate.replay import RecordedGame, replay
from rulewright.simulate.unknown.names import check_names
from rulewright.simulate.unknown.reading import replay_unknown

CARDS = """game cards "Cards"
    players 2..2

type Card = 1..4

phase dealing "cards are dealt", play "cards are played", over final "the game is over"

state
    trump: Card hidden "a card that nobody has seen"
    deck: Bag[Card] hidden = {1, 1, 2, 3, 3, 4} "the cards that nobody has"
    active: Player = 1 "whose turn it is"
    last: 0..4 = 0 "the card on the table"
    each Player
        hand: Bag[Card] hidden = {} "the cards of a player"

start
    low "the trump is low": trump <= 3

chance deal(to: Player, card: Card) in dealing "a card is dealt"
    needs room "two cards each, one player after the other":
        size(hand[to]) < 2 and all p: Player where p < to: size(hand[p]) == 2
    weight deck[card]
    does
        deck -= {card}
        hand[to] += {card}
        if all p: Player: size(hand[p]) == 2:
            phase = play

move lay(card: Card) by p in play "lay a card"
    needs turn "only the active player": p == active
    needs own "it is in the hand": card in hand[p]
    needs higher "it is higher than the last one, or trump": card > last or card == trump
    does
        hand[p] -= {card}
        last = card
        active = left_of(p)
        if size(hand[p]) == 0 and size(hand[left_of(p)]) == 0:
            phase = over

move pass_by by p in play "pass, with no card that can be laid"
    needs turn "only the active player": p == active
    needs none_fits "no card can be laid":
        not some c in hand[p]: c > last or c == trump
    does
        active = left_of(p)
        last = 0
"""
HEADER: dict[str, Any] = {"rulewright": 1, "spec": "cards", "players": 2}


def dealt(to: int, card: int | None) -> dict[str, Any]:
    return {"chance": "deal", "args": {"to": to, "card": card}}


def checked(spec: str, lines: list[dict[str, Any]], names: list[str]) -> RecordedGame:
    if spec == "cards":
        loaded = check_text("cards.rules", CARDS)
    else:
        loaded = read(str(find_spec(spec)))
    rules = Rules(loaded)
    stream = io.StringIO("".join(json.dumps(each) + "\n" for each in lines))

    def instance_of(header: Any) -> Instance:
        return rules.instance(header.players, header.readings, header.variant)

    (found,) = replay_unknown(stream, spec, None, instance_of, False, names)
    assert isinstance(found, RecordedGame)
    if found.deal is not None:  # a deal counts only if the ordinary replay agrees
        again = io.StringIO("".join(each + "\n" for each in found.deal))
        (plain,) = replay(
            again, spec, None, lambda h: rules.compiled(h.players, h.readings, h.variant)
        )
        assert isinstance(plain, RecordedGame)
        assert plain.wrong is None, plain.wrong
    return found


def lay(by: int, card: int) -> dict[str, Any]:
    return {"move": "lay", "by": by, "args": {"card": card}}


def passes(by: int) -> dict[str, Any]:
    return {"move": "pass_by", "by": by, "args": {}}


def deals_of_any() -> Iterator[list[dict[str, Any]]]:
    for cards in product([1, 2, 3, 4], repeat=4):
        yield [dealt(each, card) for each, card in zip((1, 1, 2, 2), cards)]


def legal_by_trying(moves: list[dict[str, Any]]) -> int:
    """How many of the moves can be legal: all deals and trumps, one after the other."""
    rules = Rules(check_text("cards.rules", CARDS))
    compiled = rules.compiled(2, {}, None)
    lines = []
    for trump in (1, 2, 3):
        for deal in deals_of_any():
            lines += [{**HEADER, "start": {"trump": trump}}, *deal, *moves]
    stream = io.StringIO("".join(json.dumps(each) + "\n" for each in lines))
    games = replay(stream, "cards", None, lambda _: compiled)
    return max(each.events for each in games if isinstance(each, RecordedGame)) - 4


def test_what_is_found_is_what_trying_everything_finds():
    """Random sequences of moves, legal or not, beside every deal there is."""
    random = Random(5)
    seen = set()
    for _ in range(8):
        moves = [
            passes(by) if random.random() < 0.2 else lay(by, random.randint(1, 4))
            for by, _ in zip((1, 2, 1, 2), range(random.randint(1, 4)))
        ]
        truth = legal_by_trying(moves)
        for given in ([], [dealt(to, None) for to in (1, 1, 2, 2)]):
            found = checked("cards", [HEADER, *given, *moves], ["hand", "trump"])
            assert found.events == len(given) + truth, (moves, found)
            assert (found.wrong is None) == (truth == len(moves))
        seen.add(truth == len(moves))
    assert seen == {True, False}


def test_the_first_event_that_no_deal_allows_is_named():
    found = checked("cards", [HEADER, lay(1, 4), passes(2), lay(1, 4)], ["hand", "trump"])
    assert found.wrong is not None
    assert found.wrong.kind == "illegal"
    assert (found.wrong.line, found.events) == (4, 2)
    assert [each.label for each in found.wrong.refused_by] == ["lay.own"]


def test_what_is_recorded_counts():
    known = [dealt(1, 1), dealt(1, 3), dealt(2, None), dealt(2, None)]
    assert checked("cards", [HEADER, *known, lay(1, 3)], ["hand", "trump"]).wrong is None
    refused = checked("cards", [HEADER, *known, lay(1, 2)], ["hand", "trump"]).wrong
    assert refused is not None
    assert [each.label for each in refused.refused_by] == ["lay.own"]
    # what is named itself is not looked at
    assert checked("cards", [HEADER, *known, lay(1, 2)], ["deal.card", "trump"]).wrong is None


def test_an_argument_that_is_not_unknown_has_to_be_there():
    line = {"chance": "deal", "args": {"card": 1}}
    wrong = checked("cards", [HEADER, line], ["hand"]).wrong
    assert wrong is not None
    assert (wrong.kind, wrong.message) == ("unreadable", "`deal` also needs `to`")


def test_recorded_states_are_compared_but_for_the_unknown():
    after = {**lay(1, 3), "state": {"last": 3, "hand": [[1, []], [2, []]]}}
    assert checked("cards", [HEADER, after], ["hand", "trump"]).wrong is None
    wrong = checked("cards", [HEADER, {**after, "state": {"last": 2}}], ["hand", "trump"]).wrong
    assert wrong is not None
    assert wrong.kind == "differs"


def test_a_game_may_begin_in_the_middle_with_hands_unknown():
    position = {"phase": "play", "deck": [4, 4], "active": 2, "last": 3}
    header = {**HEADER, "position": position}
    assert checked("cards", [header, lay(2, 4)], ["hand", "trump"]).wrong is None
    low = {**header, "position": {**position, "trump": 1}}
    wrong = checked("cards", [low, lay(2, 2)], ["hand"]).wrong
    assert wrong is not None
    assert [each.label for each in wrong.refused_by] == ["lay.higher"]


def test_names_that_stand_for_nothing_are_refused():
    spec = check_text("cards.rules", CARDS).spec
    assert spec is not None
    check_names(spec, ["hand", "deal", "deal.card"])
    for name in ("hands", "deal.cart", "x.y"):
        with pytest.raises(UsageError, match="has no"):
            check_names(spec, [name])


def kryss(challenged: bool, *lays: tuple[int, int, str]) -> list[dict[str, Any]]:
    """The beginning of a game of Matte-Kryss, with nothing of what is drawn for the racks."""
    readings = {"wrong_result": "challenged"} if challenged else {}
    lines: list[dict[str, Any]] = [
        {"rulewright": 1, "spec": "matte_kryss", "players": 2, "readings": readings},
        {"chance": "draw_lot", "args": {"p": 1, "tile": 4}},
        {"chance": "draw_lot", "args": {"p": 2, "tile": 90}},
        {"chance": "begin", "args": {"p": 2}},
    ]
    for by, tile, at in lays:
        args = {"tile": tile, "at": at, "claims": ["up"]}
        lines.append({"move": "lay", "by": by, "args": args})
    return lines


def test_racks_of_matte_kryss_may_be_unknown():
    first = kryss(False, (2, 6, "H9"))
    second = kryss(False, (1, 3, "G9"), (1, 6, "G10"))[4:]
    lines = [*first, {"move": "finish", "by": 2, "args": {}}, *second]
    assert checked("matte_kryss", lines, ["rack"]).wrong is None
    # there is one 90: whatever was dealt, nobody lays a second one
    found = checked("matte_kryss", kryss(True, (2, 90, "H9"), (2, 90, "G9")), ["rack"])
    assert found.wrong is not None
    assert (found.events, found.wrong.kind) == (4, "illegal")
    assert "lay.in_rack" in {each.label for each in found.wrong.refused_by}


def test_racks_of_kubbar_may_be_unknown():
    game = Rules(read(str(find_spec("kubbar")))).game(2, seed=1)
    start = {name: game.position[name] for name in ("youngest", "agreed", "active")}
    for _ in range(75):
        game.step()
    header = {"rulewright": 1, "spec": "kubbar", "players": 2, "start": start}
    lines: list[dict[str, Any]] = [header, *game.trace()]
    for each in lines:
        if each.get("chance") in {"deal", "draw_tile"}:
            del each["args"]["t"]
    assert checked("kubbar", lines, ["rack"]).wrong is None


def test_what_is_found_of_a_game_depends_on_no_other_game():
    loaded = read(str(find_spec("pig")))
    rules = Rules(loaded)
    random, games = Random(1), []
    for seed in range(4):
        game = rules.game(2, seed=seed, start={"active": 1})
        while game.step() is not None:
            pass
        told = [
            {
                "chance": each.event.name,
                "args": {} if random.random() < 0.2 else each.event.arguments,
            }
            if each.event.by is None
            else {"move": each.event.name, "by": each.event.by, "args": {}}
            for each in game.history
        ]
        games.append([{**HEADER, "spec": "pig", "start": {"active": 1}}, *told])

    def deals(*some: list[dict[str, Any]]) -> list[Any]:
        stream = io.StringIO("".join(json.dumps(line) + "\n" for each in some for line in each))
        found = replay_unknown(
            stream, "pig", None, lambda h: rules.instance(h.players, h.readings, h.variant),
            False, ["fall.pips"],
        )  # fmt: skip
        return [each.deal for each in found if isinstance(each, RecordedGame)]

    together = deals(*games)
    assert None not in together
    assert together == [found for each in games for found in deals(each)]

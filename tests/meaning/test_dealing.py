"""Dealing: what one declaration is written out as, and what it refuses."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import apply, broken_invariants
from rulewright.syntax.printing.formatter import format_text

GAME = """game dealing "Dealing"
    players 2..3

phase dealing, opening, over final

state
    deck: Bag[1..9] = {each c in 1..9: c}
    open: List[1..9, 2] = []
    limit: 0..9 = 2
    each Player
        hand: Bag[1..9] hidden = {}
        held: (1..9)? = none

deal hands limit from deck to each hand in dealing "two each"
    does phase = opening

deal lay_open 2 from deck to open in opening "two lie open"
    does phase = over
""".replace("(1..9)?", "1..9?")


def refusals(text: str) -> list[str]:
    found = check_text("dealing.rules", text).diagnostics
    return [each.message for each in found if each.severity == "error"]


@pytest.mark.parametrize("players", [2, 3])
def test_it_is_dealt_until_all_have_enough(players: int) -> None:
    checked = check_text("dealing.rules", GAME)
    assert checked.spec is not None, checked.diagnostics
    game = Instance(checked.spec, players)
    position = initial_position(game)
    for dealt in range(2 * players + 2):
        assert not broken_invariants(game, position)
        events = outcomes(game, position)
        assert len(events) == 9 - dealt
        position = apply(game, position, events[-1][0])[-1].after
    assert position["phase"] == "over"
    hands = position["hand"]
    for player in range(1, players + 1):
        assert sum(hands[player][card] for card in range(1, 10)) == 2
    assert not broken_invariants(game, position)


def test_one_each_can_be_dealt_to_an_optional() -> None:
    text = GAME.replace("hands limit from deck to each hand", "hands 1 from deck to each held")
    assert not refusals(text)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("from deck to each hand", "from stack to each hand", "there is no state variable `stack`"),
        ("from deck to each hand", "from open to each hand", "`open` is not a bag"),
        ("to each hand", "to hand", "`hand` belongs to each player"),
        ("to open", "to each open", "`open` is not a player's own"),
        ("to each hand", "to limit", "`limit` cannot be dealt to"),
    ],
)
def test_what_is_refused(before: str, after: str, message: str) -> None:
    assert [each for each in refusals(GAME.replace(before, after)) if each.startswith(message)]


def test_it_is_laid_out_as_it_is_written() -> None:
    line = "deal hands (2 if players == 2 else 1) from deck to each hand in dealing [a.b]"
    written = f"{line}\n    does\n        limit = 1\n        phase = opening\n"
    assert format_text(written.replace(" (2", "  ( 2"), "dealing.rules")[0] == written

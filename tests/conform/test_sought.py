"""Games are found that show a mutant, and they lead to the position that they say."""

from __future__ import annotations

from checker.conform.mutants import mutants
from checker.conform.referee import Setup
from checker.conform.ruling import said_by
from checker.conform.setups import Rulebook
from checker.conform.situations import Collection
from checker.conform.sought import Search
from checker.conform.vectors import Shown
from tests.conform.conftest import rulebook

WANTED = {
    ("pass_colour.take_misthrow", "forgotten"),
    ("may_cross.left_to_right", "left out"),
    ("points", "one more: 2 for 1 at [1]"),
}


def sought(book: Rulebook, events: int):
    wanted = [each for each in mutants(book.spec) if (each.label, each.what) in WANTED]
    found = []
    search = Search(
        book,
        [Setup(2, (), None)],
        Shown(Collection(), book.spec).shows,
        lambda mutant, situation: found.append((mutant, situation)),
    )
    search.seek(wanted, 0, lambda _: None, events)
    return wanted, found


def test_a_game_leads_to_what_shows_a_mutant():
    book = rulebook("qwixx")
    wanted, found = sought(book, 1_000)
    assert {each.label for each, _ in found} == {each.label for each in wanted}
    for mutant, situation in found:
        assert said_by(mutant.spec, situation) != said_by(book.spec, situation)
        state = list(situation.begin)
        for event in situation.game:
            assert situation.referee.allows(state, event)
            situation.referee.take(state, event)
        assert tuple(state) == situation.state


def test_what_is_looked_at_is_bounded():
    assert not sought(rulebook("qwixx"), 1)[1]

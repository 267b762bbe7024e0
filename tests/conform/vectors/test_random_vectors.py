"""Games are found that show a mutant, and they lead to the position that they say."""

from __future__ import annotations

from rulewright.conform.inputs.test_cases import SituationPool
from rulewright.conform.mutation.judgement import said_by
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.vectors.find_vectors import VectorCollector
from rulewright.conform.vectors.random_vectors import VectorSearch
from rulewright.play.semantics.instance import Configuration
from tests.conform.conftest import oracles

WANTED = {
    ("pass_colour.take_misthrow", "forgotten"),
    ("may_cross.left_to_right", "left out"),
    ("points", "one more: 2 for 1 at [1]"),
}


def sought(book: Oracles, events: int):
    wanted = [each for each in mutants(book.spec) if (each.label, each.what) in WANTED]
    found = []
    search = VectorSearch(
        book,
        [Configuration(2, (), None)],
        VectorCollector(SituationPool(), book.spec).shows,
        lambda mutant, situation: found.append((mutant, situation)),
    )
    search.seek(wanted, 0, lambda _: None, events)
    return wanted, found


def test_a_game_leads_to_what_shows_a_mutant():
    book = oracles("qwixx")
    wanted, found = sought(book, 1_000)
    assert {each.label for each, _ in found} == {each.label for each in wanted}
    for mutant, situation in found:
        assert said_by(mutant.spec, situation) != said_by(book.spec, situation)
        state = situation.begin
        for event in situation.game:
            assert situation.oracle.allows(state, event)
            state, _ = situation.oracle.take(state, event)
        assert state == situation.state


def test_what_is_looked_at_is_bounded():
    assert not sought(oracles("qwixx"), 1)[1]

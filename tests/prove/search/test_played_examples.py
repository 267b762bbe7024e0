"""An example that plays from the start is a witness: nothing is searched for long."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.portfolio import SearchPortfolio
from rulewright.vc.context import ProofContext

CODE = """game code "Code"
    players 2..2
phase play, over final
state
    active: Player
    typed: 0..12 = 0
move type(n: 1..500) by p in play "type"
    needs own "it is their turn": p == active
    does
        typed = typed + 1 if n == 77 + typed and typed < 12 else 0
        active = left_of(active)
        if typed == 12:
            phase = over
fun score(p: Player): Int = 0
fun wins(p: Player): Bool = false
possible code "the code is typed": typed == 12
example last "The last number"
    players 2
    given
        active = 1
        typed = 11
    1 plays type(n = 88)
    expect typed == 12
"""
WHOLE = """example whole "The whole code"
    players 2
    given active = 2
""" + "".join(f"    {2 - at % 2} plays type(n = {77 + at})\n" for at in range(12))


def _spec(text: str) -> Spec:
    spec = check_text("code.rules", text).spec
    assert spec is not None
    return spec


def test_an_example_that_plays_from_the_start_shows_what_is_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who begins is open, so an example may say it; how much is typed by then is not."""
    monkeypatch.setattr(SearchPortfolio, "_everywhere", lambda *_: pytest.fail("a search"))
    context = ProofContext(_spec(CODE + WHOLE), Configuration(2, (), None))
    told = SearchPortfolio(context, ProverOptions(1), Cache(None)).possible("code", 1)
    assert told.game is not None and told.game.start["active"] == 2
    assert [each.arguments["n"] for each in told.game.events] == list(range(77, 89))


def test_an_example_that_begins_elsewhere_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    class SearchedError(Exception):
        pass

    def searched(*_: object) -> None:
        raise SearchedError

    monkeypatch.setattr(SearchPortfolio, "_everywhere", searched)
    context = ProofContext(_spec(CODE), Configuration(2, (), None))
    with pytest.raises(SearchedError):
        SearchPortfolio(context, ProverOptions(1), Cache(None)).possible("code", 1)

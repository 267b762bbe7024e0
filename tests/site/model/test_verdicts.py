"""A property is called proved only if it is, now, for everybody."""

from __future__ import annotations

import json

import pytest

from rulewright.site.model.verdicts import Verdicts, VerdictsError, read_verdicts
from tests.site.conftest import checked, core, verdict

NAME = "one_winner"


def status(*verdicts, name=NAME, **how):
    spec = checked("pig")
    return Verdicts(verdicts).of(core("pig"), spec.hash, name, **how)


def test_what_nobody_asked_is_not_proved_yet():
    assert status().word == "not proved yet"
    assert not status().holds


def test_proved_for_every_number_of_players_is_proved():
    found = status(*(verdict(NAME, players, uses=("hold.rolled",)) for players in (2, 3, 4)))
    assert (found.word, found.players, found.uses) == ("proved", (2, 3, 4), ("hold.rolled",))
    assert found.holds


def test_proved_without_a_number_of_players_is_proved_for_all():
    assert status(verdict(NAME, None)).players == (2, 3, 4)


@pytest.mark.parametrize(
    ("verdicts", "word"),
    [
        ([verdict(NAME, 2)], "partly proved"),
        ([verdict(NAME, 2), verdict(NAME, 3), verdict(NAME, 4, "unknown")], "unknown"),
        ([verdict(NAME, 2), verdict(NAME, 3), verdict(NAME, 4, "bounded", depth=7)], "bounded"),
        ([verdict(NAME, 2), verdict(NAME, 3), verdict(NAME, 4, "refuted")], "refuted"),
        ([verdict(NAME, None, spec_hash="0123456789abcdef")], "stale"),
        ([verdict(NAME, None, variant="other")], "not proved yet"),
        ([verdict("worth_rolling", None)], "not proved yet"),
        ([verdict(NAME, None, spec="qwixx", spec_hash="0123456789abcdef")], "not proved yet"),
    ],
)
def test_anything_less_is_called_what_it_is(verdicts, word):
    found = status(*verdicts)
    assert found.word == word
    assert not found.holds


def test_what_never_arises_is_neither_proved_nor_refuted():
    proved = [verdict(NAME, players) for players in (2, 3, 4)]
    never = verdict(NAME, 2, "refuted", kind="vacuity", accepted="nobody can win")
    found = status(*proved, never)
    assert (found.word, found.idle, found.holds) == ("never arises", "nobody can win", False)
    assert found.players == (2, 3, 4)
    assert status(*proved, verdict(NAME, 2, kind="vacuity")).word == "proved"
    assert status(*proved[:2], verdict(NAME, 4, "refuted"), never).word == "refuted"


def test_something_possible_is_witnessed_by_one_game():
    found = status(verdict("twenty", 3, kind="possible"), name="twenty")
    assert (found.word, found.players, found.holds) == ("witnessed", (3,), True)


def test_verdicts_of_another_reading_do_not_count():
    spec = checked("qwixx")
    other = verdict("three_rows", None, spec="qwixx", spec_hash=spec.hash,
                    readings={"ties": "undecided", "window_end": "at_once"})  # fmt: skip
    verdicts = Verdicts([other])
    assert verdicts.of(core("qwixx"), spec.hash, "three_rows").word == "not proved yet"
    assert verdicts.of(core("qwixx"), spec.hash, "three_rows", {"ties": "undecided"}).holds


def test_verdicts_are_read_from_what_prove_prints(tmp_path):
    result: dict[str, object] = {
        "name": NAME,
        "kind": "invariant",
        "players": None,
        "readings": {},
        "variant": None,
        "verdict": "proved",
        "depth": None,
        "clauses": [],
        "uses": ["hold.rolled"],
        "trace": None,
        "position": None,
    }
    report = {"command": "prove", "spec": "spec/tutorial/pig.rules",
              "spec_hash": checked("pig").hash, "results": [result]}  # fmt: skip
    path = tmp_path / "pig.json"
    path.write_text(json.dumps(report))
    verdicts = read_verdicts([path, tmp_path / "missing.json"])
    assert verdicts.of(core("pig"), checked("pig").hash, NAME).holds


@pytest.mark.parametrize("text", ["", "[]", '{"results": [{}]}', '{"results": 3}', "{"])
def test_a_file_that_is_something_else_is_refused(tmp_path, text):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(VerdictsError, match=r"odd.json` is not what `rulewright prove"):
        read_verdicts([path])

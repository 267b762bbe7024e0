"""What `prove` says of small games: games that were played, positions for what they are, and
findings that the spec accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.main import run_safely

HEAD = """game tiny "Tiny"
    players 2..2

phase play, over final

state
    active: Player
    count: 0..9 = 0

"""
ADD = """move add by p in play "add one"
    needs turn "it is the player's turn": p == active
    does
        count += 1
        active = left_of(active)

"""
TO_EIGHT = ADD.replace("    does", '    needs room "there is room": count < 8\n    does')
END = """step ends_here in play "the end"
    when full "it is full": count == 8
    does phase = over

"""
WHOLE = HEAD + TO_EIGHT + END


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Runs `prove` on a spec and returns what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *options: str, code: int | None = None) -> str:
        (tmp_path / "tiny.rules").write_text(text)
        capsys.readouterr()
        fast = ("--jobs", "1", "--no-cache", "--timeout", "5")
        exit = run_safely(["prove", "tiny.rules", *fast, *options])
        said = capsys.readouterr()
        assert code is None or exit == code, said.out + said.err
        return said.out + said.err

    return run


@pytest.fixture
def proved(told: Any) -> Any:
    """Runs `prove` and returns the results by name, with the whole report under the empty name."""

    def run(text: str, *options: str, code: int | None = None) -> dict[str, Any]:
        report = json.loads(told(text, *options, "--format", "json", code=code))
        return {"": report, **{each["name"]: each for each in report["results"]}}

    return run


def test_a_whole_game_holds(proved: Any) -> None:
    found = proved(WHOLE, code=0)
    assert {each["verdict"] for each in found[""]["results"]} == {"proved"}
    summary = found[""]["summary"]
    assert summary["obligations"] > 10 and summary["refuted"] == 0
    assert summary["solver_seconds"] <= summary["seconds"]


ASKED = """reading far "How far?"
    near "to eight" default
    farther "one less"

"""


def test_only_the_defaults_are_proved_if_only_they_are_asked_for(proved: Any, told: Any) -> None:
    text = WHOLE.replace("count == 8", "count == (8 if far == near else 7)") + ASKED

    def answers(*options: str) -> set[str]:
        return {each["readings"]["far"] for each in proved(text, *options)[""]["results"]}

    assert answers() == {"near", "farther"}
    assert answers("--defaults") == {"near"}
    refused = told(text, "--defaults", "--reading", "far=farther", code=2)
    assert "`--defaults` and `--reading` ask for different ways to play" in refused


def test_a_broken_invariant_comes_with_its_shortest_game(proved: Any) -> None:
    found = proved(WHOLE + 'invariant few "few": count <= 5\n', code=1)["few"]
    assert found["verdict"] == "refuted" and len(found["trace"]) == 6
    assert found["position"]["count"] == 6 and found["depth"] == 6


def test_a_range_that_is_left_is_shown_by_a_game(proved: Any, told: Any) -> None:
    text = HEAD + ADD + "ends finite by (9 - count) at play\n"
    found = proved(text, "--only", "safe", code=1)["safe"]
    assert found["verdict"] == "refuted" and len(found["trace"]) == 10
    assert "which stops: " in told(text, "--only", "safe")


def test_a_stuck_position_is_reached_by_a_game(proved: Any) -> None:
    found = proved(HEAD + TO_EIGHT, code=1)["goes_on"]
    assert found["verdict"] == "refuted" and len(found["trace"]) == 8


def test_a_position_that_no_game_was_found_to_reach_is_labelled(
    proved: Any, told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "rulewright.prove.search.portfolio.explore_all_states", lambda *_: None
    )  # as if vast
    two = TO_EIGHT.replace("count += 1", "count = 0 if count >= 8 else count + 2").replace(
        "count < 8", "count < 9"
    )
    text = HEAD + two + 'invariant even "even": count != 5\n'
    found = proved(text, "--only", "even", code=3)["even"]
    assert found["verdict"] == "bounded" and found["depth"] >= 10
    assert found["trace"] is None and found["position"]["count"] == 3
    assert "not found reachable" in told(text, "--only", "even")


def test_what_holds_in_all_games_there_are_is_proved(proved: Any) -> None:
    two = TO_EIGHT.replace("count += 1", "count += 2").replace("count < 8", "count < 7")
    text = HEAD + two + END + 'invariant even "even": count != 5\n'
    found = proved(text, "--only", "even", code=0)["even"]
    assert found["verdict"] == "proved" and "all were looked at" in found["reason"]


IN_TWOS = HEAD + TO_EIGHT.replace("count += 1", "count += 2").replace("count < 8", "count < 7")
IN_TWOS += END + 'invariant even "even": count != 5\npossible five "five": count == 5\n'


def test_games_of_the_greatest_length_alone_prove_nothing(
    proved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All games of four events were looked at, and no game has more of them."""
    monkeypatch.setattr(
        "rulewright.prove.search.portfolio.explore_all_states", lambda *_: None
    )  # as if vast
    found = proved(IN_TWOS, "--only", "even", "--only", "five", code=3)
    assert (found["even"]["verdict"], found["even"]["depth"]) == ("bounded", 4)
    assert found["even"]["reason"] == "no game of up to 4 turns breaks it"
    assert (found["five"]["verdict"], found["five"]["depth"]) == ("unknown", 4)
    assert "no game of up to 4 turns gets there" in found["five"]["reason"]


@pytest.mark.parametrize("limit", ["MOST_POSITIONS", "MOST_EVENTS"])
def test_positions_that_the_kernel_did_not_go_through_prove_nothing(
    limit: str, proved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--only", "even", "--only", "five")
    found = proved(IN_TWOS, *asked, code=1)
    assert (found["even"]["verdict"], found["five"]["verdict"]) == ("proved", "refuted")
    monkeypatch.setattr(f"rulewright.kernel.exploration.{limit}", 5)
    found = proved(IN_TWOS, *asked, code=3)
    assert (found["even"]["verdict"], found["five"]["verdict"]) == ("bounded", "unknown")


AT_ONCE = """step first in play "at once"
    when none "there is nothing": count == 0
    does count = 1

"""


def test_a_step_that_is_due_at_the_start_is_no_way_on(proved: Any) -> None:
    """Steps follow events, and no event has happened yet."""
    later = TO_EIGHT.replace("    does", '    needs begun "it has begun": count > 0\n    does')
    found = proved(HEAD + later + END + AT_ONCE, "--only", "goes_on", code=1)["goes_on"]
    assert found["verdict"] == "refuted" and found["trace"] == []
    assert proved(HEAD + TO_EIGHT + END + AT_ONCE, "--only", "goes_on", code=0)


SIMULTANEOUS = """game both "Both"
    players 2..2

phase play simultaneous, over final

state
    first: Player? = none

move claim by p in play "claim"
    does
        if first == none:
            first = p

step done in play "all have answered"
    when everyone "everyone": all p: Player: p in answered
    does phase = over
"""


def test_an_order_that_matters_is_shown(proved: Any) -> None:
    found = proved(SIMULTANEOUS, "--only", "order", code=1)["order"]
    assert found["verdict"] == "refuted" and found["trace"] == []


def test_a_move_that_makes_another_legal_is_an_order_that_matters(proved: Any) -> None:
    text = SIMULTANEOUS.replace(
        "        if first == none:\n            first = p", "        first = 1"
    )
    assert proved(text, "--only", "order", code=0)["order"]["verdict"] == "proved"
    text += """
move follow by p in play "follow"
    needs led "somebody leads": first != none
"""
    found = proved(text, "--only", "order", code=1)["order"]
    assert found["verdict"] == "refuted" and found["trace"] == []


def test_order_matters_at_the_start_whatever_step_is_due_there(proved: Any) -> None:
    due = SIMULTANEOUS + 'step early in play "early"\n    when free "free": first == none\n'
    found = proved(due + "    does first = 1\n", "--only", "order", code=1)["order"]
    assert found["verdict"] == "refuted" and found["trace"] == []


def test_steps_that_differ_and_steps_that_go_on_are_shown(proved: Any) -> None:
    differ = WHOLE + 'step other in play "another end"\n    when two "two": count == 8\n'
    differ += "    does\n        active = 1\n        phase = over\n"
    found = proved(differ, "--only", "one_step", code=1)["one_step"]
    assert found["verdict"] == "refuted" and len(found["trace"]) == 8
    endless = HEAD + TO_EIGHT + 'step turn in play "turn"\n    when four "four": count == 4\n'
    endless += "    does active = left_of(active)\n"
    found = proved(endless, "--only", "steps_stop", code=1)["steps_stop"]
    assert found["verdict"] == "refuted" and len(found["trace"]) == 4


def test_a_game_without_an_end_is_played(proved: Any, told: Any) -> None:
    text = WHOLE + 'move wait by p in play "wait"\n    does active = left_of(active)\n'
    text += "ends finite by (9 - count) at play\n"
    found = proved(text, "--only", "finite", code=1)["finite"]
    assert found["verdict"] == "refuted"
    assert found["loop"] is not None and len(found["trace"]) > found["loop"]
    assert "again and again:" in told(text, "--only", "finite")


def test_games_begin_anyhow(proved: Any) -> None:
    text = WHOLE + 'invariant first "first": count == 1 implies active == 2\n'
    found = proved(text, "--only", "first", code=1)["first"]
    assert found["start"] == {"active": 2} and len(found["trace"]) == 1


def test_a_false_theorem_is_refuted(proved: Any) -> None:
    text = WHOLE + 'theorem odd "odd": all n in 0..3: n * n != 4\n'
    assert proved(text, "--only", "odd", code=1)["odd"]["verdict"] == "refuted"


# ---- accepted findings


def test_an_accepted_refutation_is_no_failure(proved: Any, told: Any) -> None:
    text = WHOLE + 'invariant few "few": count <= 5\naccept refuted few "an old edition"\n'
    found = proved(text, code=0)
    assert found["few"]["verdict"] == "refuted" and found["few"]["accepted"] == "an old edition"
    assert found[""]["summary"]["accepted"] == 1
    said = told(text)
    assert "few is refuted (2 players), accepted: an old edition" in said
    # What is known is no refutation in the last line, either.
    assert "1 accepted of" in said and ", 1 refuted" not in said


def test_what_every_game_owes_can_be_accepted(proved: Any) -> None:
    text = HEAD + TO_EIGHT + 'accept refuted goes_on "a hole in the text"\n'
    assert proved(text, code=0)["goes_on"]["accepted"] == "a hole in the text"


def test_an_accepted_property_is_not_assumed(proved: Any) -> None:
    text = WHOLE + 'invariant few "few": count <= 5\naccept refuted few "known"\n'
    text += 'invariant fewer "fewer": count <= 6\n'
    assert proved(text, code=1)["fewer"]["verdict"] == "refuted"


def test_accepting_what_is_proved_is_reported(told: Any) -> None:
    text = WHOLE + 'invariant all "all": count <= 8\naccept refuted all "known"\n'
    said = told(text, code=0)
    assert "RW304" in said and "`all` is accepted as refuted, but it is not found to be so" in said


def test_what_is_no_longer_accepted_can_be_taken_out(proved: Any) -> None:
    line = 'accept refuted all "known"\n'
    text = WHOLE + 'invariant all "all": count <= 8\n' + line
    (found,) = [each for each in proved(text, code=0)[""]["diagnostics"] if each["code"] == "RW304"]
    fix, last = found["fix"], text.count("\n")
    assert (fix["line"], fix["column"], fix["end_line"], fix["text"]) == (last, 1, last + 1, "")


def test_accepting_what_is_not_there_is_an_error(told: Any) -> None:
    said = told(WHOLE + 'accept refuted gose_on "known"\n', code=2)
    assert "RW117" in said and "did you mean `goes_on`?" in said


def test_the_names_of_what_every_game_owes_are_taken(told: Any) -> None:
    assert "is built in" in told(WHOLE + 'invariant safe "safe": count <= 9\n', code=2)


VACUOUS = 'invariant late "late": phase == play and count == 8 implies active == 1\n'
MOST = 'invariant most "most": count <= 8\n'


def test_what_says_nothing_is_one_line_with_the_fix(told: Any) -> None:
    text = WHOLE + MOST + 'invariant nine "nine": count == 9 implies active == 1\n'
    said = told(text, code=0)
    assert said.count("says nothing") == 1 and "warning RW303: `nine` says nothing" in said
    assert '`accept vacuous nine "..."`' in said
    assert "says nothing" not in told(text + 'accept vacuous nine "for the next edition"\n', code=0)


def test_an_always_that_never_applies_says_nothing(told: Any) -> None:
    text = WHOLE + 'always back "back": count < old(count) implies active == 1\n'
    assert "`back` says nothing" in told(text, code=0)


def test_a_requirement_that_decides_nothing_is_one_line_with_the_fix(told: Any) -> None:
    idle = '    needs idle "less than ten": count < 10\n    does'
    text = WHOLE.replace("    does\n        count", f"{idle}\n        count")
    said = told(text, code=0)
    assert said.count("RW303") == 1 and "`add.idle` decides nothing" in said
    assert '`accept redundant add.idle "..."`' in said


# ---- what was asked for


def test_a_name_that_does_not_exist_is_refused(told: Any) -> None:
    said = told(WHOLE + MOST, "--only", "mots", code=2)
    assert "has no property `mots`" in said and "did you mean `most`?" in said
    said = told(WHOLE + MOST, "--only", "quite_another", code=2)
    assert "there are `most`" in said and "`goes_on`" in said


def test_of_a_spec_that_cannot_be_used_no_questions_are_counted(told: Any) -> None:
    said = told(WHOLE + MOST.replace("count", "cuont"), code=2)
    assert "did you mean `count`?" in said and "question" not in said


POSSIBLE = 'possible four "four can be reached": count == 4\n'


def test_several_different_games(proved: Any) -> None:
    text = WHOLE.replace("move add by p in play", "move add(how: 1..2) by p in play")
    found = proved(text + POSSIBLE, "--only", "four", "--count", "3", code=0)["four"]
    games = [found["trace"], *(each["trace"] for each in found["more"])]
    assert len(games) == 3 and all(len(each) == 4 for each in games)
    assert len({json.dumps(each) for each in games}) == 3


def test_saved_games_replay(told: Any, tmp_path: Path) -> None:
    text = WHOLE + POSSIBLE + 'possible later "two begins": count == 1 and active == 1\n'
    told(text, "--save", "games", code=0)
    files = sorted(each.name for each in (tmp_path / "games").iterdir())
    assert files == ["tiny-four-2-players.jsonl", "tiny-later-2-players.jsonl"]
    assert (
        run_safely(["replay", "tiny.rules", "--strict", *(f"games/{each}" for each in files)]) == 0
    )


def test_a_game_can_be_pasted_as_an_example(
    told: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = WHOLE + POSSIBLE + 'possible later "two begins": count == 1 and active == 1\n'
    said = told(text, "--example", code=0)
    pasted = said[said.index("# four") : said.index("\nspec ")]
    assert "expect count == 4" in pasted and "given\n        active = 2" in pasted
    (tmp_path / "pasted.rules").write_text(text + pasted)
    assert run_safely(["check", "pasted.rules"]) == 0
    assert run_safely(["test", "pasted.rules"]) == 0
    assert "2 examples" in capsys.readouterr().err


def test_a_witness_is_drawn(told: Any) -> None:
    said = told(WHOLE + POSSIBLE, "--only", "four", code=0)
    assert "four is witnessed (2 players), in a game of 4 events:" in said
    assert "    begins with active = " in said and "    count: 4" in said


def test_what_proofs_use_is_told(proved: Any) -> None:
    text = 'source en "Rules"\nclause room must en:1 "Stop at eight."\n'
    text += 'clause more must en:2 "One is added."\n'
    text += WHOLE.partition("\n\n")[2].replace('"there is room":', '"there is room" [room]:')
    text = WHOLE.partition("\n\n")[0] + "\n\n" + text
    text = text.replace("        count += 1", '        one "one more" [more]: count += 1')
    text += 'invariant most "most" [room, more]: count <= 8\n'
    found = proved(text)
    assert {"add.room", "add.one"} <= set(found["most"]["uses"])
    summary = found[""]["summary"]
    assert summary["needed_by"]["room"] and "most" in summary["needed_by"]["more"]
    assert summary["unneeded"] == ["add.turn", "ends_here.full"]


def test_a_broken_invariant_does_not_take_others_down(proved: Any) -> None:
    text = WHOLE.replace("count < 8", "count != 8")
    text += MOST + 'invariant few "few": count <= 5\n'
    found = proved(text, code=1)
    assert found["few"]["verdict"] == "refuted" and found["most"]["verdict"] == "proved"
    assert found["safe"]["verdict"] == "proved" and "few" not in found["safe"]["uses"]


OUT_OF_ORDER = """game tiny "Tiny"
    players 2..2
phase act simultaneous, over final
state
    last: Player = 2
    done: Bool = false
move wait(i: 1..3) by p in act "wait"
    needs last "the last one": p == last
move take(i: 1..3) by p in act "take"
    needs left "it is there": not done
    does done = true
"""


def test_a_game_in_seat_order_is_not_called_the_shortest(told: Any) -> None:
    """When the second player takes first, nobody can go on; in seat order that needs two."""
    found = json.loads(told(OUT_OF_ORDER, "--only", "goes_on", "--format", "json"))
    (stuck,) = [each for each in found["results"] if each["name"] == "goes_on"]
    assert stuck["verdict"] == "refuted"
    assert len(stuck["trace"]) == 1 or not stuck["shortest"]

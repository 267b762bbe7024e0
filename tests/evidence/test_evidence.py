"""Evidence that bites, and evidence that does not: dummies earn nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.main import run_safely
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.vectors.vector_file import cached_lines
from rulewright.diagnostics import Fix
from rulewright.evidence import noticers
from rulewright.evidence.broken_claims import broken_claims
from rulewright.evidence.clause_table import (
    ACCEPTED,
    CITED,
    EQUIVALENT,
    GAP,
    IN_PART,
    NOTICED,
    TESTED,
    UNTESTED,
    EvidenceTable,
    TriedMistake,
    evidence_table,
    is_unseen,
    judged,
    looked_into,
)
from rulewright.evidence.mistakes import NEVER, carriers, mistakes
from rulewright.evidence.noticers import Watch
from rulewright.evidence.suggestion import suggested_example
from rulewright.evidence.trivial_claims import trivial_claims
from rulewright.evidence.witnesses import witnesses
from rulewright.fixes import apply
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c

RULES = """game race "Race"
    players 2..2
source en "Race"
clause turn.take   must    en:1 "In a turn one takes one, two or three."
clause turn.left   must    en:2 "The turn goes to the left."
clause end.goal    must    en:3 "With ten one has finished."
clause end.least   must    en:4 "The fewest turns win."
clause turn.rest   may     en:5 "One may rest."
phase play, over final
const goal "to finish" [end.goal] = 10
state
    active: Player = 1
    each Player
        has: 0..12 = 0
        turns: Int = 0
effect next() "the turn goes on"
    goes_left "to the left" [turn.left]: active = left_of(active)
move take(n: 1..3) by p in play "take" [turn.take]
    needs own "it is their turn": p == active
    does
        has[p] += n
        turns[p] += 1
        if has[p] >= goal:
            phase = over
        else:
            next()
move rest by p in play "rest" [turn.rest]
    needs own "it is their turn": p == active
    does next()
fun score(p: Player): 0..12 = has[p]
fun wins(p: Player): Bool [end.least] = has[p] >= goal
"""
SOUND = """
invariant goal "the game is over exactly when somebody has ten" [end.goal]:
    (phase == over) == some p: Player: has[p] >= 10
always by_three "nobody comes on by more than three" [turn.take]:
    all p: Player: has[p] - old(has[p]) >= 0 and has[p] - old(has[p]) <= 3
example one "One takes three, the other rests" [turn.rest, turn.left]
    players 2
    1 plays take(n = 3)
    expect has[1] == 3 and turns[1] == 1 and active == 2 and score(1) == 3
    1 cannot take(n = 1) because take.own
    2 plays rest
    expect active == 1
    2 cannot rest because rest.own
example last "With ten one has finished" [end.goal]
    players 2
    given has = [8, 9]
    expect not wins(2) and not wins(1)
    1 plays take(n = 2)
    expect phase == over and wins(1) and not wins(2)
"""


def loaded(more: str) -> LoadedSpec:
    checked = check_text("race.rules", RULES + more)
    assert checked.spec is not None, checked.diagnostics
    return checked


def tried_in(checked: LoadedSpec) -> list[TriedMistake]:
    assert checked.spec is not None
    watch = Watch(checked.spec)
    return [
        each
        for group in carriers(mistakes(checked))
        for each in judged(checked.spec, group, watch.noticers(group))
    ]


def table_of(checked: LoadedSpec) -> EvidenceTable:
    assert checked.spec is not None
    return evidence_table(checked.spec, tried_in(checked))


def whole_table_of(checked: LoadedSpec) -> tuple[EvidenceTable, list[dict[str, Any]]]:
    """With the mistakes looked into that nobody noticed, and their test vectors."""
    assert checked.spec is not None
    tried = tried_in(checked)
    unseen = [each.mistake.number for each in tried if is_unseen(each)]
    header, *vectors = cached_lines(Oracles(checked), 0, only=unseen)
    return evidence_table(checked.spec, looked_into(tried, header, lambda _: ())), vectors


def words(table: EvidenceTable) -> dict[str, str]:
    return {each.clause.name: each.word for each in table.clauses}


@pytest.fixture(scope="module")
def sound() -> tuple[EvidenceTable, list[dict[str, Any]]]:
    return whole_table_of(loaded(SOUND))


def test_what_is_tested_says_by_what(sound: tuple[EvidenceTable, list[dict[str, Any]]]) -> None:
    table, _ = sound
    assert words(table) == {
        "turn.take": TESTED, "turn.left": TESTED, "end.goal": TESTED, "end.least": UNTESTED,
        "turn.rest": TESTED,
    }  # fmt: skip
    goal = next(each for each in table.clauses if each.clause.name == "end.goal")
    assert goal.shown is not None
    tried, noticer = goal.shown
    assert tried.mistake.named in ("goal: one more", "goal: one less") and noticer.name == "goal"


def test_citing_alone_earns_nothing() -> None:
    """What cites a clause without having to do with it, or without a chance to fail."""
    dummies = """
theorem least "todo" [end.least]: true
invariant never_mind "nobody has less than nothing" [turn.left]: all p: Player: has[p] >= 0
always unmoved "one never has less" [turn.left]: all p: Player: has[p] >= old(has[p])
example idle "nothing happens" [end.goal]
    players 2
    expect phase == play
"""
    checked = loaded(dummies)
    found = words(table_of(checked))
    assert found["end.least"] == UNTESTED and found["end.goal"] == UNTESTED
    assert found["turn.left"] == UNTESTED
    why = {(each.claim.name, each.why) for each in trivial_claims(checked)}
    assert ("least", "it is a constant") in why
    assert ("never_mind", "the types alone imply it") in why
    assert ("unmoved", "it shares nothing with what carries out `turn.left`") in why


PERMISSIONS = """
game draw "Draw"
    players 2..2
source en "Draw"
clause card.one   must en:1 "Everybody gets one card."
clause card.seen  must en:2 "Only its player sees it."
clause card.play  may  en:3 "A card may be played."
clause card.idle  may  en:4 "A card may be played without effect."
phase deal, play, over final
state
    each Player
        cards: 0..2 = 0
        points: 0..9 = 0
chance hand_out in deal "everybody gets a card"
    does
        for p: Player:
            one "one each" [card.one]: cards[p] += 1
        phase = play
move lay(works: Bool) by p in play "play a card" [card.play, card.idle]
    needs has "there is a card" : cards[p] > 0
    does
        cards[p] -= 1
        if works:
            points[p] += 1
        phase = over
possible scored "one can score": some p: Player: points[p] == 1
invariant few "one card at most" [card.one, card.seen]: all p: Player: cards[p] <= 1
example works "The first one works"
    players 2
    chance hand_out
    1 plays lay(works = true)
    expect points[1] == 1
"""


def test_a_permission_is_not_shown_by_a_move_that_uses_another() -> None:
    """Nothing about seeing is earned by what is about dealing, and a card that is played with
    effect shows nothing of playing without."""
    checked = check_text("draw.rules", PERMISSIONS)
    assert checked.spec is not None, checked.diagnostics
    table = table_of(checked)
    found = words(table)
    assert found == {
        "card.one": TESTED, "card.seen": CITED, "card.play": UNTESTED, "card.idle": UNTESTED,
    }  # fmt: skip
    cited = PERMISSIONS.replace('"The first one works"', '"The first one works" [card.play]')
    found = words(table_of(check_text("draw.rules", cited)))
    assert (found["card.play"], found["card.idle"]) == (TESTED, UNTESTED)


def test_a_permission_is_shown_only_by_what_cites_it() -> None:
    """The only permission of a move is not shown by an example that makes the move for another
    reason; and one that a part of the move carries out is not shown by the move alone."""
    alone = PERMISSIONS.replace("[card.play, card.idle]", "[card.idle]")
    assert words(table_of(check_text("draw.rules", alone)))["card.idle"] == UNTESTED
    cited = alone.replace('"The first one works"', '"The first one works" [card.idle]')
    assert words(table_of(check_text("draw.rules", cited)))["card.idle"] == TESTED
    inside = cited.replace(
        "        cards[p] -= 1\n        if works:",
        '        idle "it may have none" [card.idle]:\n            if not works:\n'
        "                skipped = 1\n        cards[p] -= 1\n        if works:",
    ).replace("state\n", "state\n    skipped: 0..1 = 0\n")
    checked = check_text("draw.rules", inside)
    assert checked.spec is not None, checked.diagnostics
    table = table_of(checked)
    assert words(table)["card.idle"] == UNTESTED
    used = inside + (
        'example idle "Without effect" [card.idle]\n    players 2\n    chance hand_out\n'
        "    1 plays lay(works = false)\n    expect skipped == 1\n"
    )
    assert words(table_of(check_text("draw.rules", used)))["card.idle"] == TESTED


DISGUISED = """
state
    idle: 0..9 = 3
fun amount(p: Player): Int "how many" = has[p]
theorem constant "todo" [end.least]: true
theorem itself "ten is ten" [end.goal]: goal == goal
theorem no_data "a number is itself" [end.least]: all n in 0..9: n == n
invariant through "through a function" [turn.take]: all p: Player: amount(p) >= 0
invariant typed "through one with a range" [turn.take]: all p: Player: score(p) <= 12
invariant either "one wins or does not" [end.least]: all p: Player: wins(p) or not wins(p)
invariant unwritten "nobody writes it" [turn.take]: idle == 3
invariant constants "whatever the goal" [end.goal]: has[1] < goal or has[1] >= goal
invariant mixed "nor does it help" [turn.take]: idle == 3 and all p: Player: has[p] == has[p]
always before "as it was or not" [turn.left]: active == old(active) or active != old(active)
possible begun "so it begins" [turn.rest]: active == 1
possible anything "something" [turn.rest]: active == 1 or active != 1
invariant elsewhere "of something else" [turn.left]: all p: Player: has[p] <= 12 and turns[p] >= 0
"""
TELLING = """
theorem positive "the goal is far" [end.goal]: goal > 0
invariant far "through a function" [turn.take]: all p: Player: amount(p) <= 11 or phase == over
possible won "somebody wins" [end.goal]: some p: Player: wins(p)
"""


def test_trivial_claims_are_found_in_any_disguise() -> None:
    found = {(each.claim.name, each.clause) for each in trivial_claims(loaded(DISGUISED + TELLING))}
    assert found == {
        *((name, None) for name in (
            "constant", "itself", "no_data", "through", "typed", "either", "unwritten", "mixed",
            "constants", "before", "begun", "anything",
        )), ("elsewhere", "turn.left"),
    }  # fmt: skip


def test_only_what_a_change_touches_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake is tried on a new example alone; other words ask nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    games: list[str] = []
    played: list[str] = []
    by_games, play = broken_claims, noticers._played

    def counted_games(*asked: Any) -> Any:
        games.append("asked")
        return by_games(*asked)

    def counted_plays(spec: c.Spec, example: c.Example) -> Any:
        played.append(example.name)
        return play(spec, example)

    monkeypatch.setattr(noticers, "broken_claims", counted_games)
    monkeypatch.setattr(noticers, "_played", counted_plays)
    first = tried_in(check_text("draw.rules", PERMISSIONS))
    assert games and set(played) == {"works"}
    games.clear()
    played.clear()
    worded = PERMISSIONS.replace("one card at most", "no more than one card")
    assert worded != PERMISSIONS
    again = tried_in(check_text("draw.rules", worded))
    assert (games, played) == ([], [])
    assert [each.noticers for each in again] == [each.noticers for each in first]
    more = 'example idle "Without effect"\n    players 2\n    chance hand_out\n'
    tried_in(check_text("draw.rules", PERMISSIONS + more))
    assert set(played) == {"idle"} and games == []


def test_an_example_from_the_start_witnesses_a_possibility() -> None:
    checked = check_text("draw.rules", PERMISSIONS)
    assert checked.spec is not None
    [witness] = witnesses(checked.spec)
    assert witness.claim == "scored" and witness.transitions == ["hand_out", "lay"]
    never = next(each for each in mistakes(checked) if each.what == NEVER)
    assert witness.is_played(checked.spec) and not witness.is_played(never.spec)
    noticed = Watch(checked.spec).noticers([never])[0]
    assert ("scored", "possible") in {(each.name, each.kind) for each in noticed}


def test_a_clause_that_nothing_carries_out_is_only_cited() -> None:
    extra = 'clause end.fun must en:6 "It is fun."\n'
    claim = 'invariant fun "fun" [end.fun]: all p: Player: has[p] <= 12\n'
    checked = check_text("race.rules", RULES.replace("phase play", extra + "phase play") + claim)
    assert checked.spec is not None
    assert words(table_of(checked))["end.fun"] == CITED


def test_a_gap_comes_with_an_example_that_closes_it(
    sound: tuple[EvidenceTable, list[dict[str, Any]]],
) -> None:
    table, vectors = sound
    checked = loaded(SOUND)
    closed = 0
    for gap in table.gaps:
        shown = [e for e in vectors if gap.mistake.number in {m["mistake"] for m in e["mistakes"]}]
        example = suggested_example(checked, gap.mistake, shown)
        if example is None:
            continue
        closed += 1
        better = loaded(SOUND + example)
        assert better.spec is not None
        mended = next(e for e in mistakes(better) if e.named == gap.mistake.named)
        assert Watch(better.spec).noticers([mended])[0]
    assert closed


def test_a_gap_is_accepted_with_a_reason(sound: tuple[EvidenceTable, list[dict[str, Any]]]) -> None:
    table, _ = sound
    carrier = table.gaps[0].mistake.carrier
    checked = loaded(SOUND + f'accept untested {carrier} "it is known"\n')
    assert {each.code for each in checked.diagnostics} == {"RW503"}
    again, _ = whole_table_of(checked)
    known = [each for each in again.tried if each.mistake.carrier == carrier]
    assert {each.state for each in known} <= {NOTICED, ACCEPTED, EQUIVALENT}
    assert len(again.gaps) < len(table.gaps)
    assert {each.state for each in table.tried} == {NOTICED, EQUIVALENT, GAP}


def test_what_can_be_accepted_is_named() -> None:
    checked = check_text("race.rules", RULES + SOUND + 'accept untested nothing "no"\n')
    assert "RW117" in [each.code for each in checked.diagnostics]


def test_the_command_says_what_nobody_notices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "race.rules"
    file.write_text(RULES + SOUND)
    assert run_safely(["evidence", str(file)]) == 1
    printed = capsys.readouterr()
    shown = printed.out + printed.err
    assert "error RW515: `end.least` is untested" in shown
    assert "4 of 5 clauses have evidence that bites" in shown
    assert "end.goal   tested    goal notices `goal: one" in shown
    run_safely(["evidence", str(file), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    fixes = [Fix(**each["fix"]) for each in found if each["code"] == "RW516"]
    assert fixes
    for fix in fixes:  # the example that the help shows, put at the end
        mended = check_text("race.rules", apply(file.read_text(), [fix])[0])
        assert mended.spec is not None
        assert len(mended.spec.examples) == 3


def test_what_fails_by_the_rules_as_they_are_notices_nothing() -> None:
    """It would fail with any mistake."""
    wrong = """
invariant never_won "nobody ever wins" [end.least]: all p: Player: not wins(p)
theorem small "the goal is small" [end.goal]: goal < 5
ends at_once "the game ends at once" [turn.take] by (3 - turns[1]) at play
example failing "One takes two and has three" [turn.take, turn.left, end.goal]
    players 2
    1 plays take(n = 2)
    expect has[1] == 3
"""
    checked = loaded(wrong)
    assert checked.spec is not None
    assert Watch(checked.spec).failing == {"never_won", "small", "at_once", "failing"}
    assert TESTED not in words(table_of(checked)).values()


def test_a_measure_that_no_longer_falls_notices() -> None:
    falls = """
ends finite "the game ends" [turn.take] by (24 - has[1] - has[2]) at play
"""
    rules = RULES.replace(' in play "rest" [turn.rest]', ' in over "rest" [turn.rest]')
    checked = check_text("race.rules", rules + falls)
    assert checked.spec is not None, checked.diagnostics
    assert words(table_of(checked))["turn.take"] == TESTED


def test_an_example_without_events_notices_what_it_asks() -> None:
    alone = """
fun points(p: Player): Int [end.least] = 2 * has[p]
example counted "Three are worth six" [end.least]
    players 2
    given has = [3, 0]
    expect points(1) == 6
"""
    rules = RULES.replace("fun score(p: Player): 0..12 = has[p]", "").replace(
        " [end.least] =", " ="
    )
    checked = check_text("race.rules", rules + alone + "fun score(p: Player): Int = points(p)\n")
    assert checked.spec is not None, checked.diagnostics
    assert words(table_of(checked))["end.least"] == TESTED


def test_a_possibility_that_comes_about_otherwise_too_shows_nothing_of_a_move() -> None:
    """The witness rests, but nobody has to rest for somebody to win."""
    rested = """
possible won "somebody wins" [turn.rest]: some p: Player: has[p] >= 10
example long "One rests, and the other wins"
    players 2
    1 plays rest
    2 plays take(n = 3)
    1 plays rest
    2 plays take(n = 3)
    1 plays rest
    2 plays take(n = 3)
    1 plays rest
    2 plays take(n = 1)
    expect phase == over
"""
    assert words(table_of(loaded(rested)))["turn.rest"] == UNTESTED
    alone = rested.replace("some p: Player: has[p] >= 10", "has[1] == 0 and has[2] == 10")
    assert words(table_of(loaded(alone)))["turn.rest"] == TESTED


SEEN = """
game peek "Peek"
    players 2..2
source en "Peek"
clause deal.own must en:1 "Everybody gets a card, which only they see."
phase deal, over final
type Card = 1..2
state
    active: Player = 1
    each Player
        hand: Card? hidden = none "the card a player holds" [deal.own]
chance draw(k: Card hidden) in deal "a card is dealt" [deal.own]
    shows k to active
    does
        hand[active] = k
        active = left_of(active)
        if all p: Player: hand[p] != none:
            phase = over
fun score(p: Player): Int = 0
fun wins(p: Player): Bool = false
invariant one "everybody has a card in the end" [deal.own]:
    phase == over implies all p: Player: hand[p] != none
"""


def test_what_players_see_is_shown_only_by_what_is_secret() -> None:
    """That everybody gets a card shows nothing of who sees it."""
    checked = check_text("peek.rules", SEEN)
    assert checked.spec is not None, checked.diagnostics
    [found] = table_of(checked).clauses
    assert (found.word, found.blind) == (IN_PART, ("hand",))
    claimed = SEEN + 'secret hands "nobody sees another player\'s card" [deal.own]\n'
    [found] = table_of(check_text("peek.rules", claimed)).clauses
    assert found.word == TESTED
    by = {
        each.mistake.named: [one.name for one in each.noticers]
        for each in found.tried
        if "hands" in [one.name for one in each.noticers]
    }
    assert "hand: seen by all" in by


def test_what_is_hidden_belongs_to_what_writes_it() -> None:
    """A hand that cites no clause is dealt unseen: that is part of dealing."""
    unsaid = SEEN.replace(' "the card a player holds" [deal.own]', "")
    assert unsaid != SEEN
    [found] = table_of(check_text("peek.rules", unsaid)).clauses
    assert (found.word, found.blind) == (IN_PART, ("hand",))
    accepted = check_text("peek.rules", unsaid + 'accept untested hand "it does not matter"\n')
    assert not accepted.diagnostics, accepted.diagnostics
    [found] = table_of(accepted).clauses
    assert found.word == TESTED


FORBIDDEN = """
clause turn.few never en:6 "Nobody takes more than three, or more than is left."
"""
FEW = """
always few "nobody takes more than three" [turn.few]: all p: Player: has[p] - old(has[p]) <= 3
"""


def forbidden(more: str) -> str:
    rules = RULES.replace("phase play,", FORBIDDEN.strip() + "\nphase play,")
    needs = (
        '    needs few "no more than three" [turn.few]: n <= 3\n'
        '    needs room "no more than is left" [turn.few]: has[p] + n <= 12\n'
    )
    rules = rules.replace("take(n: 1..3)", "take(n: 1..9)")
    return (
        rules.replace("    does\n        has[p] +=", f"{needs}    does\n        has[p] +=") + more
    )


def test_what_is_forbidden_is_not_shown_by_what_is_allowed() -> None:
    """A rule that is too strict fails the example, but one that is left out does not."""
    allowed = """
example some_more "One takes three" [turn.few]
    players 2
    1 plays take(n = 3)
    expect has[1] == 3
"""
    refused = """
example too_many "One does not take four" [turn.few]
    players 2
    1 cannot take(n = 4) because take.few
"""
    found = {
        text: words(table_of(check_text("race.rules", forbidden(text))))["turn.few"]
        for text in (allowed, refused)
    }
    assert found == {allowed: UNTESTED, refused: IN_PART}


GUARD = """game guard "Guard"
    players 2..2
source en "Guard"
clause guess.right must  en:1 "Naming a card right brings a point."
clause guess.guard never en:2 "A guard is never named."
type Card = guard | priest
phase play, over final
state
    active: Player = 1
    points: 0..3 = 0
move guess(card: Card) by p in play "name a card" [guess.guard]
    needs own "it is their turn": p == active
    needs no_guard "a guard is not named": card != guard
    does
        right "a point" [guess.right]: points += 1
        active = left_of(active)
        if points == 3:
            phase = over
fun score(p: Player): Int = points
fun wins(p: Player): Bool = false
always on "the turn goes on" [guess.guard]: active != old(active)
possible three "three points come about" [guess.guard]: points == 3
"""


def test_what_is_forbidden_is_not_shown_by_what_the_move_does() -> None:
    """Nor is it shown by what can come about, or by a move that is never allowed."""
    assert words(table_of(check_text("guard.rules", GUARD)))["guess.guard"] == UNTESTED
    refused = GUARD + (
        'example guarded "No guard" [guess.guard]\n    players 2\n'
        "    1 cannot guess(card = guard) because guess.no_guard\n"
    )
    assert words(table_of(check_text("guard.rules", refused)))["guess.guard"] == TESTED


def test_a_rule_that_nobody_notices_leaves_a_clause_tested_in_part() -> None:
    checked = check_text("race.rules", forbidden(FEW))
    assert checked.spec is not None, checked.diagnostics
    found = next(e for e in table_of(checked).clauses if e.clause.name == "turn.few")
    assert (found.word, found.blind) == (IN_PART, ("take.room",))
    accepted = forbidden(FEW + 'accept untested take.room "the range of a number says so"\n')
    assert words(table_of(check_text("race.rules", accepted)))["turn.few"] == TESTED


def test_a_permission_is_not_shown_by_a_move_that_is_refused() -> None:
    refused = """
example refused "Nobody rests out of turn" [turn.rest]
    players 2
    2 cannot rest because rest.own
"""
    assert words(table_of(loaded(refused)))["turn.rest"] == UNTESTED
    assert words(table_of(loaded(f"{refused}    1 plays rest\n")))["turn.rest"] == TESTED


def test_a_permission_of_several_moves_is_taken_away_from_all() -> None:
    """With one move gone the other still makes use of it."""
    both = """
clause turn.any may en:6 "One may do as one likes."
"""
    rules = RULES.replace("phase play,", both.strip() + "\nphase play,").replace(
        '"take" [turn.take]', '"take" [turn.take, turn.any]').replace(
        '"rest" [turn.rest]', '"rest" [turn.rest, turn.any]')  # fmt: skip
    shown = 'possible second "it becomes the other player\'s turn" [turn.any]: active == 2\n'
    checked = check_text("race.rules", rules + shown)
    assert checked.spec is not None, checked.diagnostics
    found = next(e for e in table_of(checked).clauses if e.clause.name == "turn.any")
    assert found.shown is not None
    assert found.shown[0].mistake.named == "take and rest: never allowed"

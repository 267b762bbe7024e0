"""What is secret: proved where two games that look alike never part, refuted by two that do.

The truth is found by going through all pairs of games with the evaluator alone, two positions at a
time; it knows nothing of the spec of pairs that the prover works on.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulewright.certify.certifier import certify
from rulewright.certify.claim import Claim, Hints
from rulewright.certify.smt.solver import Z3
from rulewright.cli.main import run as main
from rulewright.frontend import check_text
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import due_step, failing, take
from rulewright.play.semantics.values import Position
from rulewright.prove.run.prover import prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict.verdict import PROVED, REFUTED, Verdict

GAME = """\
game peek "Peek"
    players 2

phase deal, play, over final

type Card = 1..2

state
    active: Player = 1
    deck: Bag[Card] hidden = {each c: Card} + {each c: Card}
    table: Card? = none
    twice: Bool = false
    each Player
        hand: Card? hidden = none

chance draw(k: Card hidden) in deal "a card is dealt"
    needs in_deck "it is there": k in deck
    shows k to active
    does
        deck -= {k}
        hand[active] = k
        active = left_of(active)
        if all p: Player: hand[p] != none:
            phase = play

move lay(k: Card) by p in play "lay the card"
    needs turn "own turn": p == active
    needs own "own card": hand[p] == k
    does
        table = k
        hand[p] = none
        active = left_of(active)
        if all q: Player: hand[q] == none:
            phase = over

secret hands "nobody learns what others hold until they lay it"
"""

BLIND = [
    ("hand: Card? hidden", "hand: Card? hidden from owner"), ("to active", "to left_of(active)"),
    ("lay(k: Card) by", "lay by"), ("own card\": hand[p] == k", "own card\": hand[p] != none"),
    ("table = k\n        hand", "table = hand[p]\n        hand"),
]  # fmt: skip
SHOWN = [*BLIND, ("hand[p] != none\n    does", "hand[p] != none\n    shows hand[p]\n    does")]
STEP = """step pair in play "a pair ends it"
    when two "two are alike": all p: Player: hand[p] == 1
    does phase = over

secret"""

PEEP = """step peep in deal "the first card is looked at"
    when dealt "a card is dealt": table == none and size(deck) == 3
    shows deck[1] == 1 to left_of(active)
    does
        table = 1
        twice = deck[1] == 1

secret"""

DRAWN = GAME[GAME.index("chance draw") : GAME.index("move lay")]
DEALT = """deal draw 1 from deck to each hand in deal "a card each"
    does phase = play

"""

LOOK = """step look in play "all look"
    when unseen "nobody has laid": table == none and all p: Player: hand[p] != none
    shows hand[q] to each q
    does
        table = 1

secret"""

CASES: dict[str, tuple[list[tuple[str, str]], str | None]] = {
    "as it is": ([], None),
    "the dealer lets all see": ([("hand[active] = k", "table = k\n        hand[active] = k")],
                                "in `table`"),
    "nobody sees their card": ([("    shows k to active\n", "")], "in `hand`"),
    "shown to all": ([("shows k to active", "shows k")], None),
    "not hidden where it is dealt": ([(" hidden) in deal", ") in deal")],
                                     "nothing"),
    "a step tells": ([("secret", STEP)], "a step is due in one of them only"),
    "a step shows": ([("secret", STEP), ("hand[p] == 1\n    does",
                                         "hand[p] == 1\n    shows hand[active] == 1\n    does")],
                     None),
    "a step shows one": ([("secret", PEEP)], "in `twice`"),
    "a step shows all": ([("secret", PEEP.replace(" to left_of(active)", ""))], None),
    "an effect tells": ([("        table = k\n        hand[p]", "        table = k\n"
                          "        twice = hand[left_of(p)] == k\n        hand[p]")],
                        "in `twice`"),
    "an effect shows": ([("        table = k\n        hand[p]", "        table = k\n"
                          "        twice = hand[left_of(p)] == k\n        hand[p]"),
                         ("hand[p] == k\n    does", "hand[p] == k\n"
                          "    shows hand[left_of(p)] == k\n    does")], None),
    "one's own card is unseen, and laid": (BLIND, "in `table`"),
    "one's own card is unseen, and shown": (SHOWN, None),
    "shown to some": ([("to active", "to {active}")], None),
    "shown to the wrong ones": ([("to active", "to {each q: Player where q != active}")],
                                "in `hand`"),
    "all look at theirs": ([("secret", LOOK)], None),
    "all look at their neighbour's": ([("secret", LOOK.replace("hand[q]", "hand[left_of(q)]"))],
                                      None),
    "an effect tells what each was shown": (
        [("secret", LOOK.replace("        table", "        twice = hand[1] == 1\n        table"))],
        "in `twice`"),
    "dealt": ([(DRAWN, DEALT)], None),
    "dealt unseen, and laid": ([(DRAWN, DEALT), BLIND[0], *BLIND[2:]], "in `table`"),
    "dealt unseen, and shown": ([(DRAWN, DEALT), SHOWN[0], *SHOWN[2:]], None),
}  # fmt: skip


def text_of(changes: list[tuple[str, str]]) -> str:
    text = GAME
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def proved(text: str, players: int = 2) -> Verdict:
    spec = check_text("peek.rules", text).spec
    assert spec is not None
    settings = [Configuration(players, (), None)]
    specs: dict[str | None, Spec] = {None: spec}
    run = Scheduler(specs, ProverOptions(5.0), None, 1, lambda done, of: None)
    (found,) = prove(specs, settings, run, ("hands",))
    (verdict,) = [each for each in found.verdicts if each.name == "hands"]
    assert verdict.kind == "secret"
    return verdict


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][1] != "nothing"])
def test_what_is_secret_is_proved_and_what_is_told_is_shown(name: str) -> None:
    changes, told = CASES[name]
    text = text_of(changes)
    verdict = proved(text)
    assert (verdict.verdict == REFUTED) == (told is not None) == parts(text)
    if told is None:
        assert verdict.verdict == PROVED
        assert certified(text)
    else:
        assert told in verdict.note
        assert verdict.game is not None and len(verdict.more) == 1


def test_what_all_see_coming_about_is_no_secret() -> None:
    checked = check_text("peek.rules", text_of(CASES["not hidden where it is dealt"][0]))
    errors = [each.code for each in checked.diagnostics if each.severity == "error"]
    assert errors == ["RW216"]


def test_a_move_that_others_may_not_make_is_told() -> None:
    text = text_of([("own turn\": p == active", "own turn\": p == active and see(left_of(p))"),
                    ("move lay", "fun see(p: Player): Bool = hand[p] != 2\nmove lay")])  # fmt: skip
    codes = {each.code for each in check_text("peek.rules", text).diagnostics}
    assert "RW212" in codes


def certified(text: str) -> bool:
    checked = check_text("peek.rules", text)
    claims = [Claim("hands", "secret")]
    found = certify(checked, Configuration(2, (), None), claims, Hints((), {}), Z3())
    return [each.certified for each in found if each.claim.name == "hands"] == [True]


# ---- the truth, by pairs of positions


def parts(text: str) -> bool:
    """Whether two games that a player cannot tell apart come to look different to that player."""
    spec = check_text("peek.rules", text).spec
    assert spec is not None
    game = Instance(spec, 2)
    nowhere = Environment(game, {})
    start = {n: evaluate(v.initial, nowhere) for n, v in game.variables.items() if v.initial}
    waiting = [(viewer, start, start) for viewer in (1, 2)]
    seen: list[tuple[int, Position, Position]] = []
    while waiting:
        viewer, *pair = waiting.pop()
        first, second = pair
        if (viewer, first, second) in seen:
            continue
        seen.append((viewer, first, second))
        for one, other in _pairs(game, viewer, first, second):
            if one is None or other is None:
                return True
            after, told = [], False
            for position, event in zip(pair, (one, other)):
                after.append(take(game, position, game.transitions[event.name], event).after)
            while True:
                if _look(game, viewer, after[0]) != _look(game, viewer, after[1]):
                    return True
                due = [due_step(game, each) for each in after]
                if due[0] != due[1]:
                    steps = [each for each in due if each is not None]
                    if not any(each.shows for each in steps):
                        return True
                    told = True
                    break
                if due[0] is None or due[1] is None:
                    break
                seen_of = [_shown(game, viewer, at, Event(due[0].name, None, {})) for at in after]
                if seen_of[0] != seen_of[1]:
                    told = True
                    break
                after = [take(game, at, step, None).after for at, step in zip(after, due) if step]
            if not told:
                waiting.append((viewer, after[0], after[1]))
    return False


def _pairs(
    game: Instance, viewer: int, first: Position, second: Position
) -> Iterator[tuple[Event | None, Event | None]]:
    """The pairs of events that the viewer cannot tell apart; one alone where it can be told."""
    ways = [list(_events(game, each)) for each in (first, second)]
    for one in ways[0]:
        if one.by == viewer and one not in ways[1]:
            yield one, None
        for other in ways[1]:
            alike = one.name == other.name and one.by == other.by
            if alike and _shown(game, viewer, first, one) == _shown(game, viewer, second, other):
                yield one, other


def _events(game: Instance, position: Position) -> Iterator[Event]:
    for each in game.spec.transitions:
        if each.kind != "step" and position["phase"] in each.phases:
            seats: list[int | None] = [*range(1, game.players + 1)] if each.mover else [None]
            ranges = [y.values(param.type, game.players) for param in each.params]
            for by, values in product(seats, product(*ranges)):
                event = Event(each.name, by, dict(zip([p.name for p in each.params], values)))
                try:
                    if not failing(game, position, event):
                        yield event
                except EvaluationError:
                    continue


def _shown(game: Instance, viewer: int, position: Position, event: Event) -> list[Any]:
    transition = game.transitions[event.name]
    env = Environment(game, position, locals=event.locals(transition))
    found = [
        event.arguments[param.name]
        for param in transition.params
        if not param.hidden or event.by == viewer
    ]
    for each in transition.shows:
        if each.seat is not None:
            found.append(evaluate(each.value, env.bind(each.seat, viewer)))
            continue
        to = None if each.to is None else evaluate(each.to, env)
        heard = viewer in to if isinstance(to, frozenset) else to == viewer
        found.append(evaluate(each.value, env) if each.to is None or heard else to)
    return found


def _look(game: Instance, viewer: int, position: Position) -> list[Any]:
    found = []
    for name, variable in game.variables.items():
        value = position[name]
        if variable.owned and variable.hidden:
            value = [
                value[p] if (p == viewer) != variable.from_owner else value[p] is None
                for p in range(1, game.players + 1)
            ]
        elif variable.hidden:
            value = sum(value[c] for c in (1, 2))
        found.append(value)
    return found


def test_two_games_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "peek.rules"
    spec.write_text(text_of(CASES["an effect tells"][0]), encoding="utf-8")
    assert main(["prove", str(spec), "--only", "hands", "--jobs", "1", "--no-cache"]) == 1
    told = capsys.readouterr().out
    assert "hands is refuted (2 players), by two games that look alike until the end:" in told
    assert "the first, of 3 events:" in told and "the second, of 3 events:" in told

"""Small questions rule out only what the whole question rules out."""

from __future__ import annotations

from itertools import product

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.refutation import Problem
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge import goal_slicing as narrowing
from rulewright.prove.discharge.ask_solver import ask
from rulewright.prove.discharge.goal_slicing import GoalSlicer
from rulewright.prove.discharge.phase_graph import following
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.unrolling import Unrolling
from rulewright.smt.solver.decode_model import Model
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.term import Term
from rulewright.vc.conditions import preserved
from rulewright.vc.context import ProofContext

SHELVES = """
game shelves "Shelves"
    players 2..3

clause fill must a:1 "A player puts a book on their shelf."
source a "rules" document "d"

type Shelf = 1..3

phase drawing "a book is drawn", resting "a breath is taken",
    putting simultaneous "everybody puts one away",
    over final "all is put away"

state
    hurry: Bool = false
    each Player
        shelf: Shelf = 1
        books[Shelf]: 0..4 = 0

chance draw(fast: Bool) in drawing "a book"
    does
        hurry = fast
        if fast:
            phase = putting
        else:
            phase = resting

chance rest in resting "a breath"
    does phase = putting

move put by p in putting "put a book on the shelf one is at"
    needs room "there is room" [fill]: books[p][shelf[p]] < {room}
    does books[p][shelf[p]] += 1

move on by p in putting "go to the next shelf"
    needs more "there is one" [fill]: shelf[p] < 3
    does shelf[p] += 1

step again in putting "everybody has answered"
    when all_answered "all did" [fill]: all p: Player: p in answered
    does phase = {after}

invariant few "no shelf has more than three books" [fill]:
    all p: Player, s: Shelf: books[p][s] <= 3

always one_shelf "books come only to the shelf one is at" [fill]:
    all p: Player, s: Shelf: books[p][s] == old(books[p][s]) or s == old(shelf[p])
"""


def _spec(room: int = 3, after: str = "drawing") -> Spec:
    text = SHELVES.replace("{room}", str(room)).replace("{after}", after)
    checked = check_text("shelves", text)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def _context(spec: Spec, players: int = 2) -> ProofContext:
    return ProofContext(spec, Configuration(players, (), None))


@pytest.mark.parametrize("room", [2, 3, 4])
def test_part_by_part_or_all_at_once_the_answer_is_the_same(room: int) -> None:
    spec = _spec(room)
    context = _context(spec, 3)
    effort = ProverOptions(20)
    narrow = GoalSlicer(effort, Cache(None))
    for transition, seat in product(spec.transitions, (1, 3)):
        fixed = {transition.mover: seat} if transition.mover is not None else {}
        for phase in transition.phases:
            here = preserved(context.in_phase(phase), transition, fixed, True)
            anywhere = preserved(context, transition, fixed, True)
            whole = {f.name: f.result for f in ask(context, anywhere, effort, Cache(None))}
            for found in narrow.answers(context, here):
                assert found.result == whole[found.name], (transition.name, found.name)


def test_what_is_refuted_comes_with_a_position_that_holds_everywhere() -> None:
    worker = Worker({None: _spec(room=4)}, ProverOptions(20), Cache(None))
    job = Job(Configuration(2, (), None), "preserved", "put", (("p", 2),), ("few",))
    (broken,) = [each for each in worker.run(job) if each.result == "sat"]
    assert broken.name == "few" and broken.position is not None
    shelf = broken.position["shelf"][2]
    assert broken.position["books"][2][shelf] == 3


def test_the_shelf_written_to_is_a_case_for_each_of_its_values() -> None:
    context = _context(_spec()).in_phase("putting")
    transition = context.instance.transitions["put"]
    query = preserved(context, transition, {"p": 1}, True)
    (shelf,) = query.keys
    assert (shelf.low, shelf.high) == (1, 3)
    invariant = context.invariants[0].term
    for code in (1, 2, 3):
        facts = AssumedFacts(
            context.terms, [context.terms.equal(shelf, context.terms.number(code))]
        )
        assert facts.term(shelf) is context.terms.number(code)
        assert facts.term(invariant) is invariant  # it has nothing to do with the case


def test_of_two_values_the_one_that_is_not_leaves_the_other() -> None:
    terms = _context(_spec()).terms
    coin = terms.unknown("coin", 4, 5)
    for code in (4, 5):
        facts = AssumedFacts(terms, [terms.equal(coin, terms.number(code))])
        assert facts.term(coin) is terms.number(code)


def test_seats_ask_the_same_question_once() -> None:
    worker = Worker({None: _spec()}, ProverOptions(20), Cache(None))
    asked = []
    for seat in (1, 2, 3):
        worker.run(Job(Configuration(3, (), None), "preserved", "put", (("p", seat),)))
        asked.append(len(worker._narrow._asked))
    assert asked[0] == asked[1] == asked[2] > 0


def test_phases_follow_one_another_as_the_rules_say() -> None:
    found = following(_spec())
    assert found["drawing"] == {"putting", "resting"}
    assert found["resting"] == {"putting"}
    assert found["putting"] == {"drawing"}


def test_games_of_different_length_are_in_step_again() -> None:
    context = _context(_spec())
    unrolled = Unrolling.game(context, in_seat_order=True)
    while unrolled.extend() and unrolled.phases() != ["drawing"]:
        assert len(unrolled.slots) < 6
    assert [sorted({o.transition.name for o in slot.options}) for slot in unrolled.slots] == [
        ["draw"], ["rest"], ["on", "put"], ["on", "put"],
    ]  # fmt: skip
    hurry = unrolled.slots[0].options[0].locals["fast"]
    for fast, names in ((1, ["draw", "on", "on"]), (0, ["draw", "rest", "on", "on"])):
        values = {"hurry": fast, "one": 1, "other": 1}
        assert isinstance(hurry, Term)
        terms = {hurry: "hurry", unrolled.slots[2].choice: "one", unrolled.slots[3].choice: "other"}
        events = unrolled.events(Model(terms, values))
        assert [each.name for each in events] == names


def test_a_round_that_brings_nothing_is_not_shown_to_end() -> None:
    measure = "\nends soon by (sum p: Player: 3 - shelf[p]) at drawing\n"
    text = SHELVES.replace("{room}", "3").replace("{after}", "drawing") + measure
    spec = check_text("shelves", text).spec
    assert spec is not None
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    outcomes = worker.run(Job(Configuration(2, (), None), "ends", "soon"))
    assert any(each.result == "sat" for each in outcomes)


def test_a_round_in_which_everybody_does_something_is_shown_to_end() -> None:
    measure = """
ends soon by ((sum p: Player: 3 - shelf[p]) + (sum p: Player, s: Shelf: 3 - books[p][s])) at drawing
"""
    text = SHELVES.replace("{room}", "3").replace("{after}", "drawing") + measure
    spec = check_text("shelves", text).spec
    assert spec is not None
    for players in (2, 3):
        worker = Worker({None: spec}, ProverOptions(10), Cache(None))
        (outcome,) = worker.run(Job(Configuration(players, (), None), "ends", "soon"))
        assert outcome.result == "unsat"
        assert outcome.depth == 11 * players + 1
        assert "put.room" in outcome.used or "few" in outcome.used


GARDENS = """
game gardens "Gardens"
    players 2..3

type Square = grid 30 x 30

phase planting, over final

state
    open: Bool = true
    tree[Square]: Bool? = none
    each Player
        own: Set[Square] = {}

move plant(at: Square) by p in planting "plant a tree"
    does
        {planted}
        own[p] += {at}

move close by p in planting "close the gate"
    does open = false

invariant planted "own squares have trees": not open or all p: Player, s in own[p]: tree[s] != none
"""


@pytest.mark.parametrize(("planted", "holds"), [("tree[at] = true", True), ("", False)])
def test_what_holds_of_several_boards_is_asked_of_one_after_another(
    planted: str, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = check_text("gardens", GARDENS.replace("{planted}", planted)).spec
    assert spec is not None
    context = _context(spec, 3)
    transition = context.instance.transitions["plant"]
    query = preserved(context, transition, {"p": 1}, True)
    (goal,) = [each for each in query.goals if each.name == "planted"]
    query.goals = [goal]
    asked: list[Problem] = []
    group = narrowing._Search._group

    def noted(search: narrowing._Search, part: Problem) -> bool:
        asked.append(part)
        return group(search, part)

    monkeypatch.setattr(narrowing._Search, "_group", noted)
    (found,) = GoalSlicer(ProverOptions(10), Cache(None)).answers(context, query)
    assert (found.result == "unsat") == holds
    assert len(asked) == 3

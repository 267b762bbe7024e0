"""Games that deal before they are played: the solver gets past the dealing, and a game found under
one reading leads to one under another."""

from __future__ import annotations

from rulewright.frontend import check_text
from rulewright.kernel.ledger import entry
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.search.bmc import BoundedModelChecker
from rulewright.prove.search.portfolio import SearchPortfolio
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.prove.search.trace_transfer import transfer_trace
from rulewright.prove.search.turn_unrolling import TurnUnrolling
from rulewright.prove.search.unrolling import Unrolling
from rulewright.vc.context import ProofContext

DEALT = """game dealt "Dealt"
    players 2..4

reading said "Is every card said out loud?"
    silent "no" default
    aloud "yes"

phase dealing, play, saying, over final

state
    active: Player = 1
    pile: Bag[1..99] = sum n in 1..99: {n}
    each Player
        hand: Bag[1..99] = {}
        played: 0..200 = 0

chance deal(p: Player, card: 1..99) in dealing
    needs in_order "one after the other": all q: Player where q < p: size(hand[q]) >= 2
    needs room "two cards each": size(hand[p]) < 2
    weight pile[card]
    does
        pile -= {card}
        hand[p] += {card}
        if all q: Player: size(hand[q]) >= 2:
            phase = play

move put(card: 1..99) by p in play
    needs turn "it is the player's turn": p == active
    needs held "the card is held": card in hand[p]
    does
        hand[p] -= {card}
        played[p] += card
        active = left_of(active)
        if said == aloud:
            phase = saying

move say by p in saying
    needs turn "it is the player's turn": p == active
    does phase = play

step end_game in play
    when empty "a hand is empty": all p: Player: size(hand[p]) == 0
    does phase = over

possible seventeen "two cards make seventeen": phase == over and played[2] == 17
possible early "a card is played while cards are dealt": phase == dealing and played[1] > 0
possible beyond "more than there can be": played[1] > 198

invariant hands "a hand has at most two cards":
    all p: Player: size(hand[p]) <= 2
invariant two_cards "no more is played than two cards bring":
    all p: Player: played[p] + 99 * size(hand[p]) <= 198
"""


def _context(*readings: tuple[str, str]) -> ProofContext:
    spec = check_text("dealt", DEALT).spec
    assert spec is not None
    return ProofContext(spec, Configuration(2, readings, None))


def _target(spec: Spec, name: str) -> PropertyGoal:
    return PropertyGoal(next(each for each in spec.properties if each.name == name), broken=False)


def test_it_is_known_to_whom_a_card_is_dealt() -> None:
    unrolled = Unrolling.game(_context(), in_seat_order=True)
    for _ in range(4):
        assert unrolled.extend()
    assert [len(each.options) for each in unrolled.slots] == [1, 1, 1, 1]
    assert unrolled.phases() == ["play"]


def test_the_solver_gets_past_the_dealing() -> None:
    context = _context()
    target = _target(context.spec, "seventeen")
    searched = BoundedModelChecker(TurnUnrolling(context), target).run(20.0)
    assert searched.game is not None and len(searched.game.events) == 8
    assert searched.unit == "event"
    other = BoundedModelChecker(TurnUnrolling(context), target, searched.games).run(20.0)
    assert other.game is not None and other.game.events != searched.game.events


def test_a_game_is_followed_under_another_reading() -> None:
    context = _context(("said", "aloud"))
    target = _target(context.spec, "seventeen")
    guide = BoundedModelChecker(TurnUnrolling(_context()), target).run(20.0).game
    assert guide is not None
    found = transfer_trace(Instance(context.spec, 2, {"said": "aloud"}), target, guide)
    assert found is not None
    said = [each for each in found.events if each.name == "say"]
    assert said and [each for each in found.events if each.name != "say"] == list(guide.events)


def test_what_never_comes_about_is_refuted() -> None:
    told = SearchPortfolio(_context(), ProverOptions(1), Cache(None)).possible("beyond", 1)
    assert told.result == "unsat"


def test_that_it_never_comes_about_may_be_its_own_proof() -> None:
    context = _context()
    worker = Worker({None: context.spec}, ProverOptions(10), Cache(None))
    outcomes = worker.run(Job(context.configuration, "strengthen", only=("early",)))
    assert {(each.name, each.kind) for each in outcomes} == {("never: early", "invariant")}
    assert entry(context.spec, 2, "never: early", "invariant", outcomes).rests is not None
    for place in range(len(outcomes)):  # and each of them counts
        left = [*outcomes[:place], *outcomes[place + 1 :]]
        assert entry(context.spec, 2, "never: early", "invariant", left).rests is None

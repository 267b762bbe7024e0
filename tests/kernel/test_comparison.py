"""What two specs owe each other is all enumerated, and nothing counts that rests on what is not
proved."""

from __future__ import annotations

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.comparison import (
    CHANGED,
    EQUAL,
    LOOSER,
    SILENT,
    STRICTER,
    Comparison,
    required,
    word,
)
from rulewright.kernel.ledger import SAFE, Key, LedgerEntry
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.meaning.counterparts import Subject, same, subjects
from rulewright.play.semantics.instance import Configuration
from rulewright.syntax.node import replace
from rulewright.vc.difference import differences
from rulewright.vc.product import Product

GAME = """
game g "g"
    players 2..3

phase a, b, over final

reading far "how far?"
    short "two" default
    long  "three"

state
    n: 0..3 = 0

fun most(): 0..3 = 2 if far == short else 3

move up by p in a, b "up"
    needs low "low": n < most()
    does n += 1

chance fall(d: 1..3) in a "fall"
    weight d
    does phase = b

step first in a "first"
    when due "due": n == 3
    does phase = b

step second in a "second"
    when due "due": n >= 2
    does phase = over

move stop by p in b "stop"
    does phase = over

fun wins(p: Player): Bool = n == 3

invariant small "small": n <= 3
"""


def spec(*changes: tuple[str, str]) -> Spec:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    checked = check_text("g.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def named(name: str, old: Spec, new: Spec) -> Subject:
    return next(each for each in subjects(old, new, {}) if each.name == name)


def refuted(subject: Subject, *used: str, left_out: str = "") -> Outcome:
    """As if everything that is owed for a subject were refuted, but for one way."""
    covers = tuple(each for each in required(subject, 2) if each.part != left_out)
    return Outcome(
        subject.name, CHANGED, "unsat", "unsat", None, used, 0.0, "", None, covers=covers
    )


def test_every_phase_and_seat_and_way_is_owed():
    owed = required(named("up", spec(), spec()), 3)
    assert {(each.phase, each.seat) for each in owed} == {
        (phase, seat) for phase in ("a", "b") for seat in (1, 2, 3)
    }
    assert {(each.part, each.other) for each in owed} == {
        (STRICTER, ""), (STRICTER, SILENT), (LOOSER, ""), (LOOSER, SILENT), (CHANGED, ""),
    }  # fmt: skip
    assert {each.seat for each in required(named("wins", spec(), spec()), 2)} == {1, 2}


def test_everything_in_either_spec_is_compared_once():
    gone = spec(('move stop by p in b "stop"', 'move halt by p in b "halt"'))
    found = [(each.kind, each.name) for each in subjects(spec(), gone, {})]
    assert found == [
        ("start", "start"), ("move", "up"), ("chance", "fall"), ("step", "first"),
        ("step", "second"), ("move", "halt"), ("move", "stop"), ("result", "wins"),
    ]  # fmt: skip
    renamed = subjects(spec(), gone, {("move", "stop"): "halt"})
    assert [each.name for each in renamed if each.old is None or each.new is None] == ["start"]


def test_a_name_that_was_given_to_another_move_is_not_matched_twice():
    both = spec(('move stop by p in b "stop"', 'move halt by p in b "halt"'), (
        "fun wins", 'move stop by p in a "stop"\n    does phase = over\n\nfun wins'))  # fmt: skip
    found = subjects(spec(), both, {("move", "stop"): "halt"})
    assert {each.name: each.old.name for each in found if each.kind == "move" and each.old} == {
        "up": "up", "halt": "stop",
    }  # fmt: skip


def test_steps_in_another_order_owe_who_comes_first():
    old = spec()
    first, second = (old.transition(name) for name in ("first", "second"))
    others = [each for each in old.transitions if each.kind != "step"]
    new: Spec = replace(old, transitions=(*others, second, first))
    assert named("first", old, new).first == ((), ("second",))
    assert named("second", old, new).first == (("first",), ())
    assert not same(old, new, named("first", old, new))


def test_a_phase_that_ends_the_game_by_one_spec_only_is_a_difference():
    new = spec(("phase a, b, over final", "phase a, b final, over final"))
    ledger = Comparison(spec(), new, 2)
    assert ledger.open(named("end", spec(), new)) == {CHANGED}
    assert not ledger.equivalent()


@pytest.mark.parametrize("way", [STRICTER, LOOSER, CHANGED])
def test_nothing_is_equal_while_a_way_to_differ_is_left(way):
    new = spec(("n < most()", "n < 3"), ("does n += 1", "does n = n + 2 - 1"))
    subject = named("up", spec(), new)
    ledger = Comparison(spec(), new, 2)
    assert ledger.note(refuted(subject, left_out=way)) and ledger.open(subject) == {way}
    assert word(subject, (), ledger.open(subject)) is None
    assert ledger.note(refuted(subject)) and word(subject, (), ledger.open(subject)) == EQUAL
    assert ledger.equivalent()


def test_what_rests_on_an_unproved_invariant_does_not_count():
    new = spec(("n < most()", "n < 3"))
    subject, ledger = named("up", spec(), new), Comparison(spec(), new, 2)
    firm = {("small", "invariant"): LedgerEntry(frozenset())}
    weak: dict[Key, LedgerEntry] = {}
    assert not ledger.note(refuted(subject, "old: small"), weak, weak)
    assert not ledger.note(refuted(subject, "both: small"), firm, weak)
    assert not ledger.note(refuted(subject, "new: small"), firm, weak)
    circle = {("small", "invariant"): LedgerEntry(frozenset({SAFE}))}
    assert not ledger.note(refuted(subject, "old: small"), circle, weak)
    assert ledger.open(subject) == {STRICTER, LOOSER}
    assert ledger.note(refuted(subject, "both: small"), firm, firm)


def test_a_mutant_rests_on_the_spec_being_safe():
    new = spec(("n < most()", "n < 3"))
    subject, ledger = named("up", spec(), new), Comparison(spec(), new, 2, safely=True)
    assert not ledger.note(refuted(subject))
    assert ledger.note(refuted(subject), {SAFE: LedgerEntry(frozenset())})


def test_two_options_are_not_the_same_though_the_words_are():
    one = spec()
    ledger = Comparison(one, one, 2, ((), (("far", "long"),)))
    assert ledger.open(named("up", one, one)) == {STRICTER, LOOSER}
    assert not ledger.open(named("stop", one, one))
    assert not ledger.equivalent() and Comparison(one, one, 2).equivalent()


def test_a_refutation_is_carried_only_where_readings_do_not_matter():
    new = spec(
        ("n < most()", "not n >= most()"),
        ('in b "stop"\n', 'in b "stop"\n    needs y "y": n >= 0\n'),
    )
    chosen = (("far", "long"),)
    ledger = Comparison(spec(), new, 2, (chosen, chosen))
    up, stop = (named(name, spec(), new) for name in ("up", "stop"))
    assert not ledger.carry(refuted(up), up) and ledger.carry(refuted(stop, ""), stop)
    assert not ledger.carry(refuted(stop, "old: small"), stop)


def test_the_questions_cover_all_that_is_owed():
    new = spec(
        ("n < most()", "n < 3"), ("weight d", "weight 4 - d"), ("n == 3\n\ninv", "n >= 3\n\ninv")
    )
    configuration = Configuration(2, (), None)
    product = Product.of(spec(), new, (configuration, configuration))
    for subject in subjects(spec(), new, {}):
        covered = {
            each for query in differences(product, subject) for each in query.goals[0].covers
        }
        assert covered == set(required(subject, 2)), subject.name

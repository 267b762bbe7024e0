"""What random games show to matter, the solver need not look for; what they do not, it must."""

from __future__ import annotations

from rulewright.frontend import check_text
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.vacuity import in_examples, vacuity_evidence

COUNT = """game count "Count"
    players 2..2

phase play, between, over final

state
    count: 0..9 = 0
    steps: 0..9 = 0

move add(n: 1..3) by p in play
    needs few "at most nine": count + n <= 9
    needs idle "nothing that matters": count + n <= 12
    does
        count += n
        phase = between

move rest by p in play
    needs never "never": count > 100
    does phase = between

step close in between
    when full "all counted": count == 9
    does phase = over

step go_on in between
    when more "not all counted": count < 9
    does
        steps += 1
        phase = play

invariant ended "the end is at nine": phase == over implies count == 9
invariant idle_talk "about nothing": count > 9 implies phase == over
always counted "a count goes up": old(phase) == play implies count > old(count)
"""


def _spec() -> Spec:
    spec = check_text("count", COUNT).spec
    assert spec is not None
    return spec


def test_what_comes_up_in_play_matters() -> None:
    found = vacuity_evidence(Instance(_spec(), 2))
    assert found == {
        ("add", "add"), ("add", "add.few"), ("add", "counted"), ("close", "close"),
        ("close", "close.full"), ("go_on", "go_on"), (None, "ended"), ("rest", "rest.never"),
    }  # fmt: skip


def test_what_does_not_come_up_is_asked_of_the_solver() -> None:
    worker = Worker({None: _spec()}, ProverOptions(10), Cache(None))
    configuration = Configuration(2, (), None)

    def told(kind: str, subject: str = "") -> dict[str, str]:
        return {each.name: each.result for each in worker.run(Job(configuration, kind, subject))}

    assert told("bearing") == dict.fromkeys(
        ("add", "add.few", "counted", "close", "close.full", "go_on", "ended", "rest.never"), "sat"
    )
    assert told("possible_event", "add") == {
        "add": "sat", "add.few": "sat", "add.idle": "unsat", "counted": "sat",
    }  # fmt: skip
    assert told("possible_event", "rest") == {
        "rest": "unsat", "rest.never": "sat", "counted": "unsat",
    }  # fmt: skip
    # where all is counted, the step that closes comes first
    assert told("possible_event", "go_on")["go_on.more"] == "unsat"
    assert told("vacuity") == {"ended": "sat", "idle_talk": "unsat"}


def test_what_an_example_shows_alone_to_refuse_matters() -> None:
    text = (
        COUNT
        + """
example full "nine is the end"
    players anna, birna
    given
        phase = play
        count = 8
    anna cannot add(2) because add.few
    anna plays add(1)
    expect phase == over
"""
    )
    spec = check_text("count", text).spec
    assert spec is not None
    assert in_examples(Instance(spec, 2)) == {("add", "add.few"), (None, "ended")}

"""A proof is only as good as what it rests on, and only if nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.ledger import HELPER, SAFE, STEPS_STOP, Key, LedgerEntry, entry, missing
from rulewright.kernel.obligations import START, Obligation, required
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Worker, jobs_for
from rulewright.prove.run.prover import _circle
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.verdict import PROVED, REFUTED, UNKNOWN, Verdict, combined
from rulewright.syntax.node import replace

TEXT = """game counting "Counting"
    players 2..3

phase play, answer simultaneous, over final

state
    active: Player
    count: 0..8 = 0
    each Player
        said: Bool = false

move add(more: 1..2, twice: Bool) by p in play "add something"
    needs turn "it is the player's turn": p == active
    needs room "there is room": count < 5
    does
        count += more * (2 if twice else 1)
        active = left_of(active)
        phase = answer

move say by p in answer "say something"
    does said[p] = true

chance pass_on in play, answer "it passes on"
    needs full "it is full": count >= 5
    does phase = over

step back in answer "everybody has answered"
    when everyone "all have": all p: Player: p in answered
    does phase = play

invariant few "it is no more than eight": count <= 8
invariant seen "the active player is somebody": active <= 3
always more "it grows": count >= old(count)
"""


def spec_of(text: str) -> Spec:
    checked = check_text("counting", text)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


SPEC = spec_of(TEXT)
PLAYERS = 3


def refuted(name: str, kind: str, *covers: Obligation, used: Iterable[str] = ()) -> Outcome:
    """The outcome of a question that was answered as it should be."""
    return Outcome(name, kind, "unsat", "unsat", None, tuple(used), 0.0, "", None, covers=covers)


def all_refuted(name: str, kind: str) -> list[Outcome]:
    return [refuted(name, kind, each) for each in required(SPEC, PLAYERS, kind)]


def shown(name: str, kind: str, outcomes: Iterable[Outcome], spec: Spec = SPEC) -> LedgerEntry:
    return entry(spec, PLAYERS, name, kind, outcomes)


KINDS = [
    ("few", "invariant", 10),
    ("more", "always", 9),
    ("safe", "safety", 20),
    ("goes_on", "flow", 3),
    ("steps_stop", "steps", 1),
    ("order", "order", 3),
    ("never_so", "possible", 1),
]


@pytest.mark.parametrize(("name", "kind", "count"), KINDS)
def test_a_claim_is_shown_only_if_nothing_on_its_list_is_left(
    name: str, kind: str, count: int
) -> None:
    outcomes = all_refuted(name, kind)
    assert len(outcomes) == count
    assert shown(name, kind, outcomes).rests is not None
    for place, lost in enumerate(outcomes):
        others = [*outcomes[:place], *outcomes[place + 1 :]]
        assert shown(name, kind, others) == LedgerEntry(None, lost.covers)
        for result in ("unknown", "sat"):
            open_end = replace(lost, result=result)
            assert shown(name, kind, [*others, open_end]) == LedgerEntry(None, lost.covers)
            verdict = combined(SPEC, PLAYERS, name, kind, [*others, open_end])
            assert verdict.verdict == UNKNOWN
        assert combined(SPEC, PLAYERS, name, kind, others).verdict == UNKNOWN
    assert combined(SPEC, PLAYERS, name, kind, outcomes).verdict == PROVED


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kind, _ in KINDS])
def test_nothing_is_shown_by_no_answers(name: str, kind: str) -> None:
    assert shown(name, kind, []).rests is None
    assert combined(SPEC, PLAYERS, name, kind, []).verdict == UNKNOWN


@pytest.mark.parametrize("kind", ["ends", "theorem", "start", "sanity"])
def test_what_has_no_list_is_shown_by_its_answers_if_there_are_some(kind: str) -> None:
    answer = refuted("it", kind)
    assert shown("it", kind, []).rests is None
    assert shown("it", kind, [answer]).rests is not None
    assert shown("it", kind, [answer, replace(answer, result="unknown")]).rests is None
    assert shown("it", kind, [answer, replace(answer, wants="sat")]).rests is None


def test_what_was_to_be_possible_answers_no_obligation() -> None:
    *others, last = all_refuted("few", "invariant")
    found = replace(last, wants="sat", result="sat")
    assert shown("few", "invariant", [*others, found]).open == last.covers


@pytest.mark.parametrize(("name", "kind", "count"), KINDS)
def test_only_what_asks_whether_something_could_be_done_rests_on_safe(
    name: str, kind: str, count: int
) -> None:
    found = shown(name, kind, all_refuted(name, kind)).rests
    assert found is not None
    assert (SAFE in found) == (name in ("goes_on", "order"))


# ---- seats


def test_an_answer_that_does_not_cover_a_seat_leaves_it_open() -> None:
    add = [Obligation("taken", "add", "play", seat) for seat in (1, 2, 3)]
    others = [
        refuted("few", "invariant", each)
        for each in required(SPEC, PLAYERS, "invariant")
        if each not in add
    ]
    assert shown("few", "invariant", [*others, refuted("few", "invariant", *add)]).open == ()
    for lost in add:
        covers = [each for each in add if each != lost]
        found = shown("few", "invariant", [*others, refuted("few", "invariant", *covers)])
        assert found == LedgerEntry(None, (lost,))


def test_an_answer_about_another_phase_or_part_does_not_count() -> None:
    *others, last = all_refuted("safe", "safety")
    (about,) = last.covers
    for wrong in (
        replace(about, phase="play"), replace(about, phase=""), replace(about, part="asked"), START,
    ):  # fmt: skip
        assert shown("safe", "safety", [*others, refuted("safe", "safety", wrong)]).rests is None


# ---- cases


def _in_cases(*cases: tuple[tuple[str, int], ...]) -> LedgerEntry:
    """Of one move by one player only these cases were answered, of all else everything."""
    about = Obligation("taken", "add", "play", 1)
    outcomes = [each for each in all_refuted("few", "invariant") if each.covers != (about,)]
    case = refuted("few", "invariant", about)
    return shown("few", "invariant", [*outcomes, *(replace(case, fixed=each) for each in cases)])


ONE, TWO = (("more", 1),), (("more", 2),)


def test_all_cases_of_a_split_answer_an_obligation() -> None:
    assert _in_cases(ONE, TWO).open == ()
    assert _in_cases(()).open == ()
    both = [(("more", more), ("twice", twice)) for more in (1, 2) for twice in (0, 1)]
    assert _in_cases(*both).open == ()


@pytest.mark.parametrize(
    "cases",
    [
        [ONE],
        [ONE, ONE],
        [ONE, (("twice", 1),)],
        [(("more", more), ("twice", 0)) for more in (1, 2)],
        [(("more", 1), ("twice", 0)), (("more", 2), ("twice", 1)), ONE],
        [(("p", seat),) for seat in (1, 2, 3)],
        [(("nothing", 1),)],
    ],
    ids=["one", "one twice", "of two", "half", "mixed", "by seat", "of nothing"],
)
def test_a_case_missing_from_a_split_leaves_it_open(
    cases: list[tuple[tuple[str, int], ...]],
) -> None:
    assert _in_cases(*cases) == LedgerEntry(None, (Obligation("taken", "add", "play", 1),))


def test_a_case_that_there_is_not_stands_for_no_other() -> None:
    assert _in_cases(ONE, (("more", 7),)).open


def test_cases_of_different_seats_are_not_added_up() -> None:
    about = [Obligation("taken", "add", "play", seat) for seat in (1, 2)]
    outcomes = [
        each for each in all_refuted("few", "invariant") if each.covers[0] not in about
    ]  # fmt: skip
    halves = [
        replace(refuted("few", "invariant", seat), fixed=case)
        for seat, case in zip(about, (ONE, TWO))
    ]
    assert shown("few", "invariant", [*outcomes, *halves]).open == tuple(about)


# ---- what a claim rests on


def test_a_claim_rests_on_the_invariants_it_used() -> None:
    first, *others = all_refuted("few", "invariant")
    used = ("seen", "few", "add.room", "no step is due", HELPER + "count <= 3")
    found = shown("few", "invariant", [replace(first, used=used), *others])
    assert found.rests == frozenset({("seen", "invariant"), (HELPER + "count <= 3", "invariant")})
    assert shown("safe", "safety", all_refuted("safe", "safety")).rests == frozenset()


def test_order_and_ends_rest_on_steps_that_stop_where_there_are_steps() -> None:
    ends = refuted("soon", "ends", used=("seen",))
    seen = ("seen", "invariant")
    assert shown("soon", "ends", [ends]).rests == frozenset({STEPS_STOP, seen})
    order = shown("order", "order", all_refuted("order", "order"))
    assert order.rests == frozenset({SAFE, STEPS_STOP})
    without = spec_of(TEXT[: TEXT.index("step back")] + TEXT[TEXT.index("invariant few") :])
    assert shown("soon", "ends", [ends], without).rests == frozenset({seen})


def test_theorems_and_starts_rest_on_nothing() -> None:
    for kind in ("theorem", "start", "sanity"):
        assert shown("it", kind, [refuted("it", kind, used=("few",))]).rests == frozenset()


# ---- the circle


def _rests(*names: str) -> LedgerEntry:
    return LedgerEntry(frozenset({SAFE, *((name, "invariant") for name in names)}))


def _missing(safe: LedgerEntry, **entries: LedgerEntry) -> dict[str, str]:
    known: dict[Key, LedgerEntry] = {(name, "invariant"): each for name, each in entries.items()}
    return {key[0]: why[0] for key, why in missing({SAFE: safe, **known}).items()}


PROVEN = LedgerEntry(frozenset())


def test_what_rests_on_an_unproved_invariant_is_not_proved() -> None:
    found = _missing(
        PROVEN, a=LedgerEntry(None, (START,)), b=_rests("a"), c=_rests("b"), d=_rests()
    )
    assert found == {"b": "a", "c": "b"}


def test_invariants_may_rest_on_one_another() -> None:
    assert _missing(PROVEN, a=_rests("b"), b=_rests("c"), c=_rests("a")) == {}
    found = _missing(PROVEN, a=_rests("b"), b=_rests("c", "d"), c=_rests("a"), d=LedgerEntry(None))
    assert found == {"a": "b", "b": "d", "c": "a"}


def test_nothing_is_proved_where_ranges_are_not_safe() -> None:
    assert _missing(LedgerEntry(None), a=_rests(), b=_rests("a")) == {"a": "safe", "b": "safe"}


def test_what_nobody_asked_about_is_not_proved() -> None:
    assert _missing(PROVEN, a=_rests(HELPER + "x")) == {"a": HELPER + "x"}
    assert missing({("a", "invariant"): _rests()}) == {("a", "invariant"): SAFE}


def _verdict(name: str, verdict: str = PROVED, kind: str = "invariant") -> Verdict:
    return Verdict(name, kind, verdict, None, 0.0, ())


def _closed(entries: dict[Key, LedgerEntry], *verdicts: Verdict) -> list[tuple[str, str | None]]:
    return [(each.verdict, each.reason) for each in _circle(entries, verdicts)]


def test_verdicts_are_taken_back_with_what_is_missing() -> None:
    entries: dict[Key, LedgerEntry] = {
        SAFE: PROVEN, ("a", "invariant"): LedgerEntry(None), ("b", "invariant"): _rests("a"),
        ("c", "invariant"): _rests("b"), ("d", "invariant"): _rests("d"),
    }  # fmt: skip
    safe = _verdict("safe", kind="safety")
    verdicts = [safe, _verdict("a", UNKNOWN), *map(_verdict, "bcd")]
    assert _closed(entries, *verdicts) == [
        (PROVED, None),
        (UNKNOWN, None),
        (UNKNOWN, "the proof rests on `a`, which is not proved"),
        (UNKNOWN, "the proof rests on `a`, which is not proved"),
        (PROVED, None),
    ]
    assert [each.rests_on_unproved for each in _circle(entries, verdicts)] == [
        False, False, True, True, False,
    ]  # fmt: skip


def test_what_a_game_breaks_holds_up_nothing_even_if_it_was_shown() -> None:
    entries: dict[Key, LedgerEntry] = {
        SAFE: PROVEN, ("a", "invariant"): _rests(), ("b", "invariant"): _rests("a"),
    }  # fmt: skip
    safe = _verdict("safe", kind="safety")
    found = _closed(entries, safe, _verdict("a", REFUTED), _verdict("b"))
    assert found[1:] == [
        (REFUTED, None), (UNKNOWN, "the proof rests on `a`, which is not proved"),
    ]  # fmt: skip


def test_what_was_explored_rests_on_nothing_and_holds_up_others() -> None:
    entries: dict[Key, LedgerEntry] = {
        SAFE: LedgerEntry(None),
        ("a", "invariant"): LedgerEntry(None),
        ("b", "invariant"): _rests("a"),
    }
    explored = replace(_verdict("a"), explored=True)
    (found, _) = _closed(entries, explored, _verdict("b"))
    assert found == (PROVED, None)
    entries[SAFE] = PROVEN
    assert _closed(entries, explored, _verdict("b")) == [(PROVED, None), (PROVED, None)]


def test_a_possible_is_refuted_only_by_what_is_proved() -> None:
    never = ("never: far", "invariant")
    entries: dict[Key, LedgerEntry] = {
        SAFE: PROVEN,
        ("far", "possible"): LedgerEntry(None),
        never: _rests("a"),
    }
    far = _verdict("far", REFUTED, "possible")
    why = "the proof rests on `a`, which is not proved"
    assert _closed({**entries, ("a", "invariant"): LedgerEntry(None)}, far) == [(UNKNOWN, why)]
    assert _closed({**entries, ("a", "invariant"): _rests()}, far) == [(REFUTED, None)]
    by_itself: dict[Key, LedgerEntry] = {**entries, ("far", "possible"): _rests()}
    assert _closed(by_itself, far) == [(REFUTED, None)]  # one way is enough


# ---- a whole run


def test_a_run_answers_all_that_is_required_and_every_answer_is_needed() -> None:
    configuration = Configuration(2, (), None)
    worker = Worker({None: SPEC}, ProverOptions(10), Cache(None))
    found: dict[Key, list[Outcome]] = {}
    for job in jobs_for(SPEC, configuration, first=False):
        for each in worker.run(job):
            found.setdefault((each.name, each.kind), []).append(each)
    entries = {key: entry(SPEC, 2, *key, outcomes) for key, outcomes in found.items()}
    assert {key for key, each in entries.items() if each.rests is None} == set()
    assert missing(entries) == {}
    listed = [key for key in found if required(SPEC, 2, key[1])]
    assert {name for name, _ in listed} == {
        "few", "seen", "more", "safe", "goes_on", "one_step", "steps_stop", "order",
    }  # fmt: skip
    for key in listed:
        outcomes = [each for each in found[key] if each.covers]
        for place in range(len(outcomes)):
            left = [*outcomes[:place], *outcomes[place + 1 :]]
            assert entry(SPEC, 2, *key, left).open

"""A game is shown to end only if it does."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.outcome import SolverResult
from rulewright.kernel.query import Query
from rulewright.kernel.ranking import BoundedMeasure, Ranking, RankingClaim, StateCondition
from rulewright.kernel.refutation import Problem
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.solver.solver import UNSAT, SolverAnswer
from rulewright.vc.context import ProofContext
from tests.prove.search.explored import explored

HEAD = """game rounds "Rounds"
    players 1..1

phase {phases}

state
    left: 0..3 = 3
    other: 0..3 = 3
    mark: Bool = false

"""


def spec_of(text: str) -> Spec:
    checked = check_text("rounds", text)
    assert checked.spec is not None, checked.diagnostics
    return checked.spec


def game(phases: str, body: str, measure: str = "left", at: str = "play") -> Spec:
    return spec_of(f"{HEAD.format(phases=phases)}{body}\nends soon by ({measure}) at {at}\n")


def proved(spec: Spec) -> bool:
    """Whether the kernel shows that a game ends; where it does not, nothing else says so."""
    worker = Worker({None: spec}, ProverOptions(5), Cache(None))
    outcomes = worker.run(Job(Configuration(1, (), None), "ends", "soon"))
    assert outcomes
    return {each.result for each in outcomes} == {"unsat"}


def goes_on_for_ever(spec: Spec) -> bool:
    return explored(Instance(spec, 1)).endless


def checked(spec: Spec) -> bool:
    """Whether a game is shown to end; which is only done where all positions say so too."""
    found = proved(spec)
    assert not (found and goes_on_for_ever(spec))
    return found


TAKE = """move take by p in play "take one"
    needs some_left "something is left": left > 0
    does left -= 1
"""


def test_what_falls_with_every_event_ends() -> None:
    spec = game("play", TAKE)
    (outcome,) = Worker({None: spec}, ProverOptions(5), Cache(None)).run(
        Job(Configuration(1, (), None), "ends", "soon")
    )
    assert outcome.result == "unsat" and outcome.depth == 4
    assert not goes_on_for_ever(spec)


@pytest.mark.parametrize(
    "stays",
    ['move rest by p in play "rest"\n    does mark = true\n',
     'move back by p in play "back"\n    does left = 3\n',
     'chance blow in play "wind"\n    does mark = not mark\n'],
    ids=["rests", "goes back", "by chance"],
)  # fmt: skip
def test_an_event_that_does_not_lower_the_measure_can_go_on_for_ever(stays: str) -> None:
    spec = game("play", f"{TAKE}\n{stays}")
    assert goes_on_for_ever(spec) and not proved(spec)


# ---- before the phase of the measure

WARM = """move begin by p in warm "begin"
    does phase = play

move wait by p in warm "wait"
    needs may "one may": {may}
    does {does}

"""


def test_a_loop_before_the_phase_of_the_measure_is_a_loop() -> None:
    spec = game("warm, play", WARM.format(may="true", does="mark = not mark") + TAKE)
    assert goes_on_for_ever(spec) and not proved(spec)


def test_what_comes_before_the_phase_of_the_measure_ends_if_some_number_falls() -> None:
    waits = WARM.format(may="other > 0", does="other -= 1")
    assert checked(game("warm, play", waits + TAKE))
    marks = WARM.format(may="not mark", does="mark = true")
    assert checked(game("warm, play", marks + TAKE))


def test_a_number_that_another_event_of_the_circle_raises_shows_nothing() -> None:
    waits = WARM.format(may="other > 0", does="other -= 1")
    raises = 'move refill by p in warm "refill"\n    does other = 3\n\n'
    spec = game("warm, play", waits + raises + TAKE)
    assert goes_on_for_ever(spec) and not proved(spec)


def test_two_events_that_each_undo_what_the_other_lowers_go_on_for_ever() -> None:
    """Some number falls with each of the two, and the other one raises it again."""
    waits = WARM.format(may="other > 0", does="\n        other -= 1\n        mark = true")
    raises = """move refill by p in warm "refill"
    needs marked "it is marked": mark
    does
        other = 3
        mark = false

"""
    spec = game("warm, play", waits + raises + TAKE)
    assert goes_on_for_ever(spec) and not proved(spec)


def test_a_phase_that_is_never_entered_shows_nothing() -> None:
    waits = 'move wait by p in warm "wait"\n    does mark = not mark\n\n'
    spec = game("warm, play", waits + TAKE)
    assert goes_on_for_ever(spec) and not proved(spec)


# ---- inside a round

STROLL = """move go by p in play "go"
    needs some_left "something is left": left > 0
    does
        left -= 1
        phase = away

move home by p in away "home"
    does phase = play

"""


@pytest.mark.parametrize(
    ("may", "does", "ends"),
    [("true", "mark = not mark", False), ("other > 0", "other -= 1", True),
     ("other > 0", "other = (other - 1 if mark else 3)", False)],
    ids=["for ever", "so often", "if marked"],
)  # fmt: skip
def test_a_circle_inside_a_round_has_to_end_too(may: str, does: str, ends: bool) -> None:
    stay = f'move stay by p in away "stay"\n    needs may "one may": {may}\n    does {does}\n'
    spec = game("play, away", STROLL + stay)
    assert checked(spec) == ends == (not goes_on_for_ever(spec))


def test_what_falls_in_a_round_and_rises_again_has_not_fallen() -> None:
    gives = STROLL.replace("does phase = play", "does\n        left += 1\n        phase = play")
    spec = game("play, away", gives)
    assert goes_on_for_ever(spec) and not proved(spec)


@pytest.mark.parametrize("falls", [False, True])
def test_what_rests_on_a_claim_that_fails_is_asked_again(falls: bool) -> None:
    """That it has fallen in one phase is shown from the phase before, as long as it is so there;
    the event with which it should fall comes last."""
    go = ("left -= 1\n        " if falls else "") + "phase = one"
    moves = f"""move home by p in two "home"
    does phase = play

move on by p in one "on"
    does phase = two

move go by p in play "go"
    needs some_left "something is left": left > 0
    does
        {go}
"""
    spec = game("play, one, two", moves)
    assert checked(spec) == falls == (not goes_on_for_ever(spec))


def test_parts_of_a_measure_are_compared_in_order() -> None:
    refills = TAKE + """
move next by p in play "the next one"
    needs more "there is more": other > 0
    does
        other -= 1
        left = 3
"""  # fmt: skip
    assert checked(game("play", refills, "other, left"))
    assert not checked(game("play", refills, "left, other"))
    assert not checked(game("play", refills, "left"))


@pytest.mark.parametrize(("measure", "ends"), [("left", True), ("left - 1", False)])
def test_a_measure_that_is_negative_shows_nothing(measure: str, ends: bool) -> None:
    assert checked(game("play", TAKE, measure)) == ends


def test_a_measure_without_an_end_below_shows_nothing() -> None:
    spec = spec_of("""game down "Down"
    players 1..1

phase play

state
    depth: Int = 0

move dig by p in play "dig"
    does depth -= 1

ends soon by (depth) at play
""")
    assert not proved(spec)


# ---- final phases

OVER = """move stop by p in play "stop"
    does phase = over

"""


def test_a_step_that_leaves_a_final_phase_goes_round() -> None:
    assert checked(game("play, over final", TAKE + OVER))
    revive = """step revive in over "not yet"
    when unmarked "it is not marked": not mark
    does phase = play

"""
    spec = game("play, over final", TAKE + OVER + revive)
    assert goes_on_for_ever(spec) and not proved(spec)
    lowers = revive.replace("does phase", "does\n        left = 0\n        phase")
    stops = OVER.replace("does", 'needs more "there is more": left > 0\n    does')
    kept = 'invariant more "there was more": phase == over implies left > 0\n'
    assert checked(game("play, over final", TAKE + stops + lowers + kept))


def test_a_step_inside_a_final_phase_goes_round() -> None:
    turns = (
        'step turn in over "turn"\n    when always_so "so it is": true\n    does mark = not mark\n'
    )
    assert not proved(game("play, over final", TAKE + OVER + turns))


# ---- a measure without a value

SIGNS = """game signs "Signs"
    players 1..1

phase play, away

table weight[1..3]: 0..9 "how much it weighs"
    1 2 3

state
    place: 1..4 = 3

move go by p in play "go"
    needs may "one may": place > 1
    does
        place = {away}
        phase = away

move home by p in away "home"
    does
        place = {home}
        phase = play

invariant near "home is near": phase == play implies place <= 3
{more}ends soon by (weight[place]) at play
"""


def test_a_measure_has_to_have_a_value_elsewhere_in_the_round() -> None:
    """Whether it rose or fell cannot be said where it has none."""
    everywhere = 'invariant nearby "nor is it far elsewhere": place <= 3\n'
    assert checked(spec_of(SIGNS.format(away="place - 1", home="place", more=everywhere)))
    assert not proved(spec_of(SIGNS.format(away="place - 1", home="place", more="")))
    gone = spec_of(SIGNS.format(away="4", home="3", more=""))
    assert goes_on_for_ever(gone) and not proved(gone)


def test_a_measure_has_to_have_a_value_where_a_round_begins() -> None:
    away = 'invariant away "it is near elsewhere": phase == away implies place <= 3\n'
    text = SIGNS.format(away="place - 1", home="place", more=away)
    assert proved(spec_of(text))
    assert not proved(spec_of(text.replace("phase == play implies place <= 3", "place <= 4")))


# ---- proposals prove nothing by themselves


def _ranking(spec: Spec, shown: bool) -> Ranking:
    def work(query: Query, problems: Sequence[Problem], kind: str) -> list[SolverResult]:
        for each in problems if shown else ():
            each.ask(each.question(), lambda _: SolverAnswer(UNSAT))
        return [SolverResult(UNSAT if shown else "unknown", None, 0.0) for _ in problems]

    return Ranking(ProofContext(spec, Configuration(1, (), None)), spec.ends[0], True, work)


def test_what_is_not_refuted_does_not_end() -> None:
    spec = game("play", TAKE)
    claims = [RankingClaim("play", "", StateCondition())]
    numbers = [BoundedMeasure("left", 1), BoundedMeasure("other", -1)]
    assert _ranking(spec, shown=False).ends_by(claims, numbers) is None
    found = _ranking(spec, shown=True).ends_by(claims, numbers)
    assert found is not None
    assert (found.name, found.kind, found.result, found.used) == (
        "soon",
        "ends",
        "unsat",
        (),
    )


def test_a_circle_without_a_number_is_not_broken_whatever_is_shown_of_others() -> None:
    text = HEAD.replace("    mark", "    depth: Int = 0\n    mark").format(phases="warm, play")
    both = "\n        depth -= 1\n        other = 0"
    text += WARM.format(may="true", does=both) + TAKE + "ends soon by (left) at play\n"
    ranking = _ranking(spec_of(text), shown=True)
    assert ranking.ends_by((), ()) is None
    assert (
        ranking.ends_by((), [BoundedMeasure("depth", 1), BoundedMeasure("depth", -1)]) is None
    )  # no end below
    assert ranking.ends_by((), [BoundedMeasure("other", 1)]) is not None


# ---- games at random

VALUES = ("left > 0", "other > 0", "mark", "not mark", "left < 3", "other < 2", "true")
EFFECTS = (
    "left -= 1", "other -= 1", "left += 1", "other = 2", "mark = not mark", "mark = true",
    "mark = false", "left = 0", "phase = play", "phase = away", "phase = over", "phase = play",
)  # fmt: skip
SAFE_IF = {
    "left -= 1": "left > 0", "other -= 1": "other > 0", "left += 1": "left < 3",
}  # fmt: skip


def _at_random(random: Random) -> Spec:
    """A game of three phases in which anything may happen that has a value."""
    lines = []
    for number in range(random.randint(2, 4)):
        kind = random.choice(("move", "move", "chance", "step"))
        phase = random.choice(("play", "away", "over" if kind == "step" else "play"))
        does = random.sample(EFFECTS, random.randint(1, 3))
        when = [random.choice(VALUES), *(SAFE_IF[each] for each in does if each in SAFE_IF)]
        head = f"{kind} e{number}" + (" by p" if kind == "move" else "")
        lines.append(f'{head} in {phase} "an event"')
        word = "when" if kind == "step" else "needs"
        lines += [f'    {word} n{place} "so": {each}' for place, each in enumerate(when)]
        lines.append("    does")
        once = {each.split()[0]: each for each in does}  # no variable is written twice
        lines += [f"        {each}" for each in once.values()]
        lines.append("")
    measure = random.choice(("left", "other", "left + other", "other, left", "left, other"))
    at = random.choice(("play", "away"))
    return game("play, away, over final", "\n".join(lines), measure, at)


def test_of_games_at_random_only_those_that_end_are_shown_to_end() -> None:
    found = {True: 0, False: 0}
    for seed in range(120):
        spec = _at_random(Random(seed))
        truth = explored(Instance(spec, 1))
        if proved(spec):
            # where steps go on and on the proof rests on `steps_stop`, which fails
            assert not truth.endless, seed
            found[True] += 1
        elif truth.endless:
            found[False] += 1
    assert found[True] >= 20 and found[False] >= 20

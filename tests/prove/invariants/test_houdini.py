"""What a person would have to guess is found: helper invariants, ready to be written down."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.cli.main import run_safely
from rulewright.frontend import check_text
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.houdini import helper_texts, is_helper
from rulewright.prove.invariants.state_samples import positions
from rulewright.prove.invariants.templates import MOST, candidates
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.verdict import PROVED, combined
from rulewright.resources import bundled_specs

TWO = Configuration(2, (), None)


def text_without(name: str, invariant: str) -> str:
    """A bundled spec with one invariant cut out."""
    text = bundled_specs()[name].read_text("utf-8")
    cut, count = re.subn(rf"^invariant {invariant} .*\n(?: .*\n)*", "", text, flags=re.MULTILINE)
    assert count == 1
    return cut


def spec_of(text: str) -> Spec:
    spec = check_text("game", text).spec
    assert spec is not None
    return spec


def strengthened(spec: Spec, *names: str) -> dict[str, list[Outcome]]:
    """What becomes of failing properties, with the helpers that are found."""
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    found: dict[str, list[Outcome]] = {}
    for each in worker.run(Job(TWO, "strengthen", only=names)):
        found.setdefault(each.name, []).append(each)
    return found


def fails(spec: Spec, *names: str) -> None:
    """Every one of these cannot be proved as it is."""
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    jobs = [Job(TWO, "stuck"), Job(TWO, "ends", "finite")] if spec.ends else [Job(TWO, "stuck")]
    for transition in spec.transitions:
        fixed = ((transition.mover, 1),) if transition.mover else ()
        jobs.append(Job(TWO, "preserved", transition.name, fixed, names))
    outcomes = [each for job in jobs for each in worker.run(job)]
    assert {each.name for each in outcomes if each.result != each.wants} >= set(names)


@pytest.mark.parametrize(
    ("cut", "dependent", "helper"),
    [
        ("won_with_100", ("one_winner", "goes_on"), "all p: Player: points[p] <= 99"),
        ("worth_rolling", ("within_reach", "safe"), "phase == rolling implies"),
        ("within_reach", ("safe",), "total + points[active] <= 105"),
    ],
)
def test_pig_without_an_invariant_is_proved_by_helpers(
    cut: str, dependent: tuple[str, ...], helper: str
) -> None:
    spec = spec_of(text_without("pig", cut))
    fails(spec, *dependent)
    found = strengthened(spec, *dependent)
    assert {name for name in found if not is_helper(name)} == set(dependent)
    for name, outcomes in found.items():
        assert combined(spec, 2, name, outcomes[0].kind, outcomes).verdict == PROVED, name
    used = [text for group in found.values() for each in group for text in helper_texts(each.used)]
    assert any(helper in text for text in used)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cut", "dependent"),
    [
        ("fourth_ends", ("safe", "over_by_rule", "finite")),
        ("open_until_answered", ("two_locks", "highest_score")),
    ],
)
def test_qwixx_without_an_invariant_is_proved_by_helpers(
    cut: str, dependent: tuple[str, ...]
) -> None:
    spec = spec_of(text_without("qwixx", cut))
    found = strengthened(spec, *dependent)
    assert {name for name in found if not is_helper(name)} == set(dependent)
    for name, outcomes in found.items():
        assert combined(spec, 2, name, outcomes[0].kind, outcomes).verdict == PROVED, name
        assert is_helper(name) or any(helper_texts(each.used) for each in outcomes)


def test_helpers_are_printed_ready_to_be_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pig.rules"
    file.write_text(text_without("pig", "within_reach"))
    command = ["prove", "pig.rules", "--players", "2", "--only", "safe", "--no-cache"]
    assert run_safely(command) == 0
    shown = capsys.readouterr().out
    assert "safe is proved (2 players), with a helper that was found:" in shown
    (line,) = [each.strip() for each in shown.splitlines() if "invariant helper_1" in each]
    file.write_text(f"{file.read_text()}\n{line}\n")
    assert run_safely(command) == 0
    assert "found" not in capsys.readouterr().out


EVEN = """
game even "Even"
    players 1..1

phase play

state
    steps: 0..20 = 0

move on by p in play
    needs room "there is room": steps <= 18
    does steps += 2

move back by p in play
    does steps = 0

invariant not_seven "seven is never there": steps != 7
"""


def test_without_a_helper_the_position_is_shown_as_not_found_reachable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    vast = EVEN.replace("20", "20000000").replace("18", "19999998")
    (tmp_path / "even.rules").write_text(vast)
    command = ["prove", "even.rules", "--only", "not_seven", "--no-cache", "--timeout", "1"]
    assert run_safely(command) == 3
    assert "at a position not found reachable" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["pig", "qwixx"])
def test_candidates_stay_in_the_hundreds_and_hold_where_they_were_seen(name: str) -> None:
    from rulewright.play.semantics.evaluate import Environment, evaluate
    from rulewright.play.semantics.instance import Instance

    instance = Instance(spec_of(bundled_specs()[name].read_text("utf-8")), 2)
    seen = positions(instance)
    found = candidates(instance, seen)
    assert 50 < len(found) <= MOST
    for each in found[:: len(found) // 40]:
        assert all(evaluate(each.claim, Environment(instance, position)) for position in seen[::7])

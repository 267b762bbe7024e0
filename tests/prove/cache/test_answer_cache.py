"""What was proved once is not proved again, and nothing kept is believed that was damaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.cache.fingerprint import fingerprint
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.resources import bundled_specs
from rulewright.smt.solver.solver import Z3, SolverAnswer

TWO = Configuration(2, (), None)
PIG = bundled_specs()["pig"].read_text("utf-8")


def pig(*changes: tuple[str, str]) -> Spec:
    text = PIG
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    spec = check_text("pig", text).spec
    assert spec is not None
    return spec


def jobs(spec: Spec) -> list[Job]:
    return [each for each in jobs_for(spec, TWO, first=False) if each.kind != "possible"]


def outcomes(spec: Spec, folder: Path) -> dict[Job, list[Outcome]]:
    run = Scheduler({None: spec}, ProverOptions(30), folder, 1, lambda done, of: None)
    return dict(run.outcomes(jobs(spec)))


def entries(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets longer with every question to the solver."""
    found: list[str] = []
    check = Z3.check

    def noted(
        self: Z3, switches: Sequence[str], timeout: float, values: Sequence[str] = ()
    ) -> SolverAnswer:
        found.append(switches[-1])
        return check(self, switches, timeout, values)

    monkeypatch.setattr(Z3, "check", noted)
    return found


def test_a_second_run_finds_the_same_and_asks_nothing(tmp_path: Path) -> None:
    first = outcomes(pig(), tmp_path)
    kept = entries(tmp_path)
    assert kept
    assert outcomes(pig(), tmp_path) == first
    assert entries(tmp_path) == kept


def test_other_words_for_the_same_rules_prove_nothing_again(tmp_path: Path) -> None:
    same = (
        ("# ---- how it is played", "# ---- how to play, in other words"),
        ("some p: Player: points[p] >= 100", "some somebody: Player: points[somebody] >= 100"),
        ("rule own_turn(p: Player)", "rule own_turn(who: Player)"),
        ("this player's turn\": p == active", 'it is their turn": who == active'),
        ("chance fall(pips: Pips)", "chance fall(eyes: Pips)"),
        ("if pips == 1:", "if eyes == 1:"),
        ("total += pips", "total += eyes"),
        ("fall(pips =", "fall(eyes ="),
        ("points once kept are never lost", "what is kept is kept"),
    )
    outcomes(pig(), tmp_path)
    kept = entries(tmp_path)
    assert outcomes(pig(*same), tmp_path)
    assert entries(tmp_path) == kept


def test_a_changed_requirement_asks_only_what_depends_on_it(
    tmp_path: Path, asked: list[str]
) -> None:
    def asking(spec: Spec) -> list[str]:
        worker = Worker({None: spec}, ProverOptions(30), Cache(tmp_path))
        found = []
        for job in jobs(spec):
            before = len(asked)
            worker.run(job)
            if len(asked) > before:
                found.append(job.subject or job.kind)
        return found

    assert {"roll", "hold", "fall", "stuck"} <= set(asking(pig()))
    assert asking(pig()) == []
    changed = pig(("[turn.first]: total > 0", "[turn.first]: total > 1"))
    assert set(asking(changed)) == {"hold", "stuck"}


def _flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [_flipped, lambda content: content[:-7], lambda content: b"", lambda content: b"\xff\x00\n{"],
    ids=["flipped", "cut", "emptied", "garbage"],
)
def test_a_damaged_entry_is_thrown_away(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    spec = pig()
    first = outcomes(spec, tmp_path)
    kept = entries(tmp_path)
    for path, content in kept.items():
        path.write_bytes(damage(content))
    found = outcomes(spec, tmp_path)
    assert {
        job: [(each.name, each.result, each.used) for each in group]
        for job, group in found.items()
    } == {
        job: [(each.name, each.result, each.used) for each in group]
        for job, group in first.items()
    }  # fmt: skip
    assert entries(tmp_path).keys() == kept.keys()
    cache = Cache(tmp_path)
    cache.save("a key", {"a": 1})
    assert cache.load("a key") == {"a": 1}


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder")
    cache.save("a key", 1)
    assert cache.load("a key") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[turn.first]: total > 0", "[turn.first]: total >= 0"),
        ("[win.goal] = 100", "[win.goal] = 99"),
        ("points: 0..105 = 0", "points: 0..104 = 0"),
        ("total == 0 and all p: Player: points[p]", "total == 0 or all p: Player: points[p]"),
    ],
)
def test_another_meaning_has_another_name(old: str, new: str) -> None:
    assert fingerprint(pig((old, new))) != fingerprint(pig())

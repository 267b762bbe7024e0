"""twenty one, proved."""

from __future__ import annotations

from rulewright.frontend import read
from rulewright.kernel.outcome import Outcome
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.verdict import PROVED, combined
from rulewright.resources import bundled_games

TWO = Configuration(2, (), None)
IN_FULL = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends", "assumptions")


def test_everything_claimed_is_proved_for_two_players() -> None:
    spec = read(bundled_games()["twenty_one"]).spec
    assert spec is not None
    worker = Worker({None: spec}, ProverOptions(30), Cache(None))
    found: dict[tuple[str, str], list[Outcome]] = {}
    for job in jobs_for(spec, TWO, first=False):
        for each in worker.run(job) if job.kind in IN_FULL else []:
            found.setdefault((each.name, each.kind), []).append(each)
    claimed = {each.name for each in spec.properties if each.kind != "possible"}
    assert claimed | {"safe", "order", "goes_on", "thirty_turns"} <= {name for name, _ in found}
    for (name, kind), outcomes in found.items():
        assert combined(spec, 2, name, kind, outcomes).verdict == PROVED, name
    assert [each.depth for each in found["thirty_turns", "ends"]] == [30]
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"write.not_higher", "write.one_or_more", "cross_out.leftmost", "written_fits"} <= used

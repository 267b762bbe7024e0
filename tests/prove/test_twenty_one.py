"""twenty one, proved."""

from __future__ import annotations

from checker.front import read
from checker.kernel.outcome import Outcome
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.job import Worker, jobs_for
from checker.prove.verdict import PROVED, combined
from checker.resources import bundled_games
from checker.vc.context import Setting

TWO = Setting(2, (), None)
IN_FULL = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends", "assumptions")


def test_everything_claimed_is_proved_for_two_players() -> None:
    spec = read(bundled_games()["twenty_one"]).spec
    assert spec is not None
    worker = Worker({None: spec}, Effort(30), Cache(None))
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

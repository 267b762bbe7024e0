"""A pytest plugin: a spec and an engine become a set of tests.

    @pytest.mark.rulewright(spec="qwixx", engine=MyEngine)
    def test_my_engine(rulewright_case):
        rulewright_case()

gives a test for each worked example, for each requirement's test vectors, for each batch of random
games, and one for short games; `stages=[…]` leaves some out. `protocol` is a class, or text as
for `rulewright conform`; the failing game is in the report. Nothing is imported before a test asks
for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any, NoReturn

import pytest

MARKER = "rulewright"
ARGUMENTS = "spec, engine, games=100, seed=0, players=None, timeout=10, stages=None"
FIXTURE = "rulewright_case"
BATCH = 10


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}({ARGUMENTS}): hold an engine to a spec; the test takes the fixture `{FIXTURE}` "
        "and calls it",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for each thing there is to check."""
    if FIXTURE not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker(MARKER)
    if marker is None:
        _refuse(f"{metafunc.definition.nodeid} takes `{FIXTURE}` without the marker `{MARKER}`")
    try:
        signature(_Cases).bind(*marker.args, **marker.kwargs)
    except TypeError as error:
        _refuse(f"`{MARKER}` takes {ARGUMENTS}: {error}")
    cases = list(_Cases(*marker.args, **marker.kwargs).all())
    metafunc.parametrize(FIXTURE, [run for _, run in cases], ids=[name for name, _ in cases])


def _refuse(why: str) -> NoReturn:
    """Says what is wrong with a marker, and not where in the plugin that was noticed."""
    pytest.fail(why, pytrace=False)


def _story(finding: Any) -> str:
    """A difference in words."""
    help = [f"help: {finding.help}"] if finding.help else []
    return "\n".join([finding.message, *help, "", *finding.lines])


class _Cases:
    """The tests of one spec and one engine, which are shared by all of them."""

    def __init__(
        self,
        spec: str,
        engine: Any,
        games: int = 100,
        seed: int = 0,
        players: int | range | None = None,
        timeout: float = 10.0,
        stages: Sequence[str] | None = None,
    ) -> None:
        from rulewright.conform.oracle.configurations import Oracles
        from rulewright.conform.stages.conformance import STAGES, Plan
        from rulewright.frontend import read
        from rulewright.resources import find_spec

        checked = read(find_spec(spec))
        if checked.spec is None:
            first = checked.diagnostics[0]
            _refuse(f"{first.file}:{first.line}: {first.message}")
        unknown = [each for each in stages or () if each not in STAGES]
        if unknown or isinstance(stages, str):
            _refuse(f"`stages` is a list of some of {', '.join(STAGES)}, not {stages!r}")
        self.oracles = Oracles(checked)
        self.engine = engine
        self.timeout = timeout
        numbers = range(players, players + 1) if isinstance(players, int) else players
        wanted = STAGES if stages is None else tuple(stages)
        self.plan = Plan(wanted, games=games, seed=seed, players=numbers)

    def all(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Every test with its name."""
        from rulewright.conform.mutation.engine_slips import engine_mistakes

        stages = self.plan.stages
        for example in self.oracles.spec.examples if "examples" in stages else ():
            yield f"example-{example.name}", self._case("examples", example.name)
        mistakes = engine_mistakes(self.oracles.spec) if "vectors" in stages else ()
        for label in dict.fromkeys(each.label for each in mistakes):
            yield f"vectors-{label}", self._case("vectors", label)
        if "games" in stages:
            for first in range(0, self.plan.games, BATCH):
                last = min(first + BATCH, self.plan.games)
                yield f"games-{first + 1}-to-{last}", self._case("games", range(first, last))
            yield "short-games", self._case("short_games", None)

    def _case(self, stage: str, only: Any) -> Callable[[], None]:
        def run() -> None:
            __tracebackhide__ = True
            with self._open() as engine:
                from rulewright.conform.stages.runner import ConformanceRun
                from rulewright.hidden_characters import plain

                check = ConformanceRun(self.oracles, engine, self.plan, only=only)
                done = check.stage(stage)
            if done.findings:
                pytest.fail(plain("\n".join(map(_story, done.findings))), pytrace=False)
            if not done.checked:
                pytest.skip("; ".join(done.left_out))

        return run

    def _open(self) -> Any:
        from rulewright.conform.engine.protocol import EngineFault, open_engine
        from rulewright.conform.engine.python_engine import PythonEngine
        from rulewright.hidden_characters import plain

        try:
            if isinstance(self.engine, str):
                return open_engine(self.engine, self.timeout)
            return PythonEngine.of(self.engine, self.timeout)
        except EngineFault as fault:
            help = [f"help: {fault.help}"] if fault.help else []
            story = "\n".join([f"the engine {fault.reason}", *help, *fault.notes])
            pytest.fail(plain(story), pytrace=False)

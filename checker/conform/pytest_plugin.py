"""A pytest plugin: a spec and an engine become a set of tests.

    @pytest.mark.rulewright(spec="qwixx", engine=MyEngine)
    def test_my_engine(rulewright_case):
        rulewright_case()

gives a test for each worked example, for each requirement's test vectors, for each batch of random
games, and one for the state machine; `stages=[…]` leaves some out. `engine` is a class, or text as
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
        from checker.conform.run import STAGES, Plan
        from checker.conform.setups import Rulebook
        from checker.front import read
        from checker.resources import find_spec

        checked = read(find_spec(spec))
        if checked.spec is None:
            first = checked.diagnostics[0]
            _refuse(f"{first.file}:{first.line}: {first.message}")
        unknown = [each for each in stages or () if each not in STAGES]
        if unknown or isinstance(stages, str):
            _refuse(f"`stages` is a list of some of {', '.join(STAGES)}, not {stages!r}")
        self.rulebook = Rulebook(checked)
        self.engine = engine
        self.timeout = timeout
        numbers = range(players, players + 1) if isinstance(players, int) else players
        wanted = STAGES if stages is None else tuple(stages)
        self.plan = Plan(wanted, games=games, seed=seed, players=numbers)

    def all(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Every test with its name."""
        from checker.conform.mutants import mutants

        stages = self.plan.stages
        for example in self.rulebook.spec.examples if "examples" in stages else ():
            yield f"example-{example.name}", self._case("examples", example.name)
        mistakes = mutants(self.rulebook.spec) if "vectors" in stages else ()
        for label in dict.fromkeys(each.label for each in mistakes):
            yield f"vectors-{label}", self._case("vectors", label)
        if "games" in stages:
            for first in range(0, self.plan.games, BATCH):
                last = min(first + BATCH, self.plan.games)
                yield f"games-{first + 1}-to-{last}", self._case("games", range(first, last))
            yield "state-machine", self._case("machine", None)
        if "perft" in stages:
            yield "perft", self._case("perft", None)

    def _case(self, stage: str, only: Any) -> Callable[[], None]:
        def run() -> None:
            __tracebackhide__ = True
            with self._open() as engine:
                from checker.characters import plain
                from checker.conform.run import Check

                check = Check(self.rulebook, engine, self.plan, only=only)
                done = check.stage(stage)
            if done.finding is not None:
                help = [f"help: {done.finding.help}"] if done.finding.help else []
                story = "\n".join([done.finding.message, *help, "", *done.finding.lines])
                pytest.fail(plain(story), pytrace=False)
            if not done.checked:
                pytest.skip("; ".join(done.left_out))

        return run

    def _open(self) -> Any:
        from checker.characters import plain
        from checker.conform.engine import EngineFault, open_engine
        from checker.conform.objects import ObjectEngine

        try:
            if isinstance(self.engine, str):
                return open_engine(self.engine, self.timeout)
            return ObjectEngine.of(self.engine, self.timeout)
        except EngineFault as fault:
            help = [f"help: {fault.help}"] if fault.help else []
            story = "\n".join([f"the engine {fault.reason}", *help, *fault.notes])
            pytest.fail(plain(story), pytrace=False)

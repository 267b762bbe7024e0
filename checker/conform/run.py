"""Runs the stages of a conformance check and gathers what they find.

A stage ends with its first difference, which is shrunk and explained; the next stage begins
with the engine started anew. What could not be checked is counted and said, never passed over.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from checker.conform import examples as worked
from checker.conform import perft
from checker.conform.advice import advised
from checker.conform.ahead import PairAhead
from checker.conform.coverage import Coverage
from checker.conform.engine import VERBS, Engine, EngineFault, Refusal
from checker.conform.finding import Finding, finding_of
from checker.conform.games import exhaust, length, random_game, source
from checker.conform.perft import Counted
from checker.conform.referee import Referee, Setup
from checker.conform.setups import Rulebook, setups
from checker.conform.shrink import shrunk
from checker.conform.side_by_side import Pair, Parted
from checker.conform.vector_file import setup_of
from checker.conform.vector_stage import try_vector, vector_lines
from checker.play.errors import UsageError
from checker.play.instance import nearest
from checker.stopping import StoppedError
from checker.syntax.node import Node

T = TypeVar("T")
STAGES = ("examples", "vectors", "games", "perft")
COMPARED = {"state": "states", "legal": "lists of legal moves", "score": "scores and winners"}
"""What is compared of an engine that offers these verbs."""
EXAMPLE_LEFT_OUT = "from the middle of a game: the engine cannot load a position"
VECTOR_LEFT_OUT = "that no known game leads to: the engine cannot load a position"
NO_VERB = "this is no verb of the protocol"
GAMES = 100
FEW = 3
"""Set-ups for what takes its time in each."""


class Plan(Node):
    """What to check."""

    stages: tuple[str, ...] = STAGES
    games: int = GAMES
    seed: int = 0
    players: range | None = None
    readings: Mapping[str, str] = {}
    variant: str | None = None


class Stage(Node):
    """How one stage went: so many things checked, what differs, what was left out and why."""

    name: str
    checked: int
    unit: str
    finding: Finding | None
    left_out: tuple[str, ...]
    seconds: float
    stopped: str | None = None
    """Why it did not come to its end, if it did not."""


class Conformance(Node):
    """How a whole run went."""

    stages: tuple[Stage, ...]
    coverage: Mapping[str, int]
    events: int
    refusals: int
    not_compared: tuple[str, ...] = ()
    """What was not compared in any stage, and why."""
    stopped: str | None = None
    """Why the run ended before all was checked."""
    missing: tuple[str, ...] = ()
    """The stages that were not begun then."""

    @property
    def conforms(self) -> bool:
        return all(stage.finding is None for stage in self.stages)


class Check:
    """A run over an engine; `say` is told what is being done. `only` narrows a stage: to the
    example of that name, the vectors of that label, or a range of games."""

    def __init__(
        self,
        rulebook: Rulebook,
        engine: Engine,
        plan: Plan,
        say: Callable[[str], None] = lambda _: None,
        only: Any = None,
    ) -> None:
        self.rulebook = rulebook
        self.engine = engine
        self.plan = plan
        self.say = say
        self.only = only
        self.coverage = Coverage()
        self.left_out: list[str] = []
        self.stopped: str | None = None
        """Why the run is to end, if it is."""
        self._known: dict[Setup, bool] = {}
        self._ahead = True
        self._silent_about: tuple[str, ...] | None = None
        """The variables that the engine leaves out where it reports its state."""

    def run(self) -> Conformance:
        """Runs every stage that is asked for. A run that is ended has what it found by then."""
        wanted = [name for name in STAGES if name in self.plan.stages]
        stages: list[Stage] = []
        for name in wanted:
            if self.stopped is None:
                stages.append(self.stage(name))
        missing = tuple(wanted[len(stages) :])
        covered = self.coverage.clauses(self.rulebook.spec)
        seen = self.coverage
        return Conformance(
            tuple(stages), covered, seen.events, seen.refusals, self._not_compared(),
            self.stopped, missing,
        )  # fmt: skip

    def _not_compared(self) -> tuple[str, ...]:
        """What an engine that cannot do all that can be asked was not held to."""
        missing = {verb: what for verb, what in COMPARED.items() if verb not in self.engine.can}
        if not self.coverage.unreported:
            missing.pop("state", None)  # it is said in every answer
        found = []
        if missing:
            verbs = ", ".join(f"`{verb}`" for verb in missing)
            why = self.engine.reticence or f"the engine does not offer {verbs}"
            found.append(f"{', '.join(missing.values())}: {why}")
        if self._silent_about:
            names = ", ".join(f"`{name}`" for name in self._silent_about)
            found.append(f"{names}: the engine does not report them")
        advice = [f"`{each}`: {nearest(each, VERBS, NO_VERB)}" for each in self.engine.unknown]
        return *found, *advice

    def stage(self, name: str) -> Stage:
        """Runs one stage to its end or to the first difference."""
        began = time.perf_counter()
        self.left_out = []
        units = {"examples": "examples", "vectors": "vectors"}
        steps: Iterator[object] = {
            "examples": self.examples,
            "vectors": self.vectors,
            "games": self.games,
            "machine": self.machine,
            "perft": self.perft,
        }[name]()
        checked, finding = 0, None
        try:
            for _ in steps:
                checked += 1
                self.say(f"{self.rulebook.spec.name}, {name}: {checked}")
        except (Parted, EngineFault) as found:
            finding = self._finding(found)
        except StoppedError as end:
            self.stopped = end.why
        if self.stopped is None and not checked and finding is None and not self.left_out:
            self.left_out.append("there was nothing to check")
        seconds = time.perf_counter() - began
        left_out = tuple(
            f"{times} of the {name} {each}" if each in (EXAMPLE_LEFT_OUT, VECTOR_LEFT_OUT) else each
            for each, times in Counter(self.left_out).items()
        )
        return Stage(
            name,
            checked,
            units.get(name, "positions" if name == "perft" else "games"),
            finding,
            left_out,
            seconds,
            self.stopped,
        )

    # ---- the stages, one thing checked after another

    def examples(self) -> Iterator[object]:
        """Every worked example of the rulebook that the engine can be brought to."""
        for example, setup in worked.examples(self.rulebook):
            if not self._is_wanted(setup) or self.only not in (None, example.name):
                continue
            if not self._accepts(setup):
                continue
            referee = self.rulebook.referee(setup)
            if worked.play_example(example, referee, self.engine, self.coverage):
                yield example
            else:
                self.left_out.append(EXAMPLE_LEFT_OUT)

    def vectors(self) -> Iterator[object]:
        """The test vectors of the spec in the set-ups that the engine accepts."""
        for line in vector_lines(self.rulebook, 0, self.say):
            setup = setup_of(line, self.rulebook)
            if not self._is_wanted(setup) or self.only not in (None, line["requirement"]):
                continue
            if not self._accepts(setup):
                continue
            if try_vector(line, self.rulebook, self.engine, self.coverage, self.plan.seed):
                yield line
            else:
                self.left_out.append(VECTOR_LEFT_OUT)

    def games(self) -> Iterator[object]:
        """Random games over the set-ups that the engine accepts, then the state machine."""
        wanted = self._wanted()
        for number in self.only or range(self.plan.games):
            setup = wanted[number % len(wanted)]
            if not self._accepts(setup):
                continue
            self._game(number, setup, number // len(wanted) % 2 == 1)
            yield setup
        if self.only is None and self.plan.games:
            yield from self.machine()

    def _game(self, number: int, setup: Setup, whim: bool) -> None:
        """One random game."""
        seed = self.plan.seed
        most = length(seed, number)
        self._together(setup, lambda p: exhaust(random_game(p, source(seed, number), whim, most)))

    def _together(self, setup: Setup, play: Callable[[Pair], T]) -> T:
        """Plays with the engine; first ahead of its answers, which is quicker. If that goes wrong,
        the same is played one request at a time, which alone counts: an engine that is right then
        is asked in this way from now on."""
        referee = self.rulebook.referee(setup)
        if self._ahead:
            try:
                return play(PairAhead(referee, self.engine, self.coverage))
            except (Parted, EngineFault):
                self._ahead = False
                self.engine.restart()
        pair = Pair(referee, self.engine, self.coverage)
        try:
            return play(pair)
        except EngineFault as fault:
            fault.game = pair.game(pair.trying)
            raise

    def machine(self) -> Iterator[object]:
        """Games of a Hypothesis state machine, which finds the simplest difference itself."""
        from checker.conform.state_machine import RUNS, run_machine

        run_machine(self.rulebook, self._some(FEW), self.engine, self.coverage)
        yield from range(RUNS)

    def perft(self) -> Iterator[object]:
        """The positions to a small depth, in a few set-ups."""
        for number, setup in enumerate(self._some(FEW)):
            counted = self._together(setup, partial(self._count, number))
            for _ in range(sum(counted.positions)):
                yield setup

    def _count(self, number: int, pair: Pair) -> Counted:
        return perft.count(pair, source(self.plan.seed, "perft", number))

    # ---- set-ups

    def _wanted(self) -> list[Setup]:
        """The set-ups to be played. The engine may refuse variants, numbers of players, and
        readings that are not the usual ones, but not all of them."""
        plan = self.plan
        found = setups(self.rulebook.spec, plan.players, plan.readings, plan.variant, plan.seed)
        if not any(map(self._accepts, found)):
            raise EngineFault("refuses every set-up of the game", "see `new` in the protocol")
        return found

    def _some(self, most: int) -> list[Setup]:
        """The first few set-ups that the engine accepts."""
        return list(islice(filter(self._accepts, self._wanted()), most))

    def _accepts(self, setup: Setup) -> bool:
        """Whether the engine begins a game of this set-up."""
        if setup not in self._known:
            referee = self.rulebook.referee(setup)
            try:
                pair = Pair(referee, self.engine, self.coverage)
                pair.begin(referee.first)
                self._known[setup] = True
                self._listen(referee)
            except EngineFault as fault:
                fault.game = pair.game()
                raise
            except Parted as parted:
                if parted.kind != "setup" or not self._may_refuse(setup):
                    raise
                self._refused(setup, parted)
                self._known[setup] = False
        return self._known[setup]

    def _listen(self, referee: Referee) -> None:
        """Notes what the engine leaves out of its state, once."""
        if self._silent_about is None:
            with suppress(Refusal):
                reported = self.engine.new(referee.setup_json(referee.first))
                if reported is None and "state" in self.engine.can:
                    reported = self.engine.state()
                known = referee.instance.variables
                left_out = [name for name in known if reported and name not in reported]
                self._silent_about = tuple(left_out)

    def _may_refuse(self, setup: Setup) -> bool:
        """What is asked for by name must be played."""
        plan = self.plan
        return not plan.players and not plan.readings and not plan.variant

    def _refused(self, setup: Setup, parted: Parted) -> None:
        why = f" ({parted.why})" if parted.why else ""
        self.left_out.append(f"{setup.described()}: the engine refuses it{why}")

    def _is_wanted(self, setup: Setup) -> bool:
        plan = self.plan
        return (
            (plan.players is None or setup.players in plan.players)
            and (plan.variant is None or setup.variant == plan.variant)
            and all((name, option) in setup.readings for name, option in plan.readings.items())
        )

    def _finding(self, found: Parted | EngineFault) -> Finding:
        """The difference, shrunk and explained."""
        self.say("shrinking the difference")
        try:
            self.engine.settle()
        except EngineFault as fault:  # an answer too many explains any difference
            fault.game = found.game
            found = fault
        except UsageError:
            pass
        else:
            try:
                found = shrunk(found, self.engine)
            except StoppedError as end:
                self.stopped = end.why
                self.left_out.append(f"the differing game is not shortened: {end.why}")
        with suppress(EngineFault, UsageError):
            self.engine.restart()
        return advised(finding_of(found, self.rulebook.checked.hash), found)

"""Runs the stages of a conformance check and gathers what they find.

After a difference the run goes on, so that an author is told everything at once: differences are
gathered by cause, and of each the shortest game is shown. What could not be checked is counted and
said, never passed over; which mistakes were tried on the engine is part of the answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from rulewright.conform.engine.protocol import VERBS, Engine, EngineFault, EngineRefusal
from rulewright.conform.mutation.engine_slips import engine_mistakes
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.answer_order import OutOfTurnError
from rulewright.conform.oracle.configurations import Oracles, played_configurations
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.report.explained import explained
from rulewright.conform.report.finding import Finding, in_short, together
from rulewright.conform.stages import examples as worked
from rulewright.conform.stages.conformance import STAGES, Conformance, Plan, Stage
from rulewright.conform.stages.differences import Cause, Differences, Found
from rulewright.conform.stages.lockstep import Divergence, EngineGame, EngineLockstep, replay
from rulewright.conform.stages.pipelining import PipelinedLockstep
from rulewright.conform.stages.random_games import (
    SHORT_GAMES,
    exhaust,
    length,
    random_game,
    short_game,
    source,
)
from rulewright.conform.stages.robustness import strange_players, two_at_once
from rulewright.conform.stages.tried_mistakes import IN_ORDER, NOT_PLAYED, WENT_WRONG, TriedMistakes
from rulewright.conform.stages.vector_stage import try_vector, vector_lines
from rulewright.conform.vectors.fewer_players import with_fewer_players
from rulewright.conform.vectors.later_games import LaterGames, Story, stories_of
from rulewright.conform.vectors.vector_file import setup_of
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Configuration, nearest
from rulewright.syntax.node import replace
from rulewright.system.interrupts import Limit, StoppedError

T = TypeVar("T")
Unit: TypeAlias = "tuple[str | None, Callable[[], bool]]"
"""One thing that a stage checks: its name, and what does it; False if it could not be done."""
COMPARED = {"state": "states", "legal": "lists of legal moves", "score": "scores and winners"}
"""What is compared of an engine that offers these verbs."""
EXAMPLE_LEFT_OUT = "from the middle of a game: the engine cannot load a position"
VECTOR_LEFT_OUT = "that no known game leads to: the engine cannot load a position"
OUT_OF_TURN = "in which players answer in another order than the engine asks them in"
MANY_LEFT_OUT = (EXAMPLE_LEFT_OUT, VECTOR_LEFT_OUT, OUT_OF_TURN)
UNITS = {"examples": "examples", "vectors": "vectors"}
NO_VERB = "this is no verb of the protocol"
KEEPS_FAILING = "the rest: the engine keeps failing"
FEW = 3
"""Set-ups for what takes its time in each."""
MOST_LATER = 300
"""Mistakes that are looked for in later games, because the engine does not report enough."""
OFTEN = 3
"""Differences of one cause behind which a game goes on; then it is known well enough."""
MOST_FAULTS = 3
"""Faults of one cause in a stage; an engine may take its time for each of them."""


def unheard(_: str) -> None:
    """Hears what nobody wants to be told."""


class ConformanceRun:
    """A run over an engine; `say` is told what is being done, `note` what differs, as soon as it
    does. `only` narrows a stage: to the example of that name, the vectors of that label, or a
    range of games."""

    def __init__(
        self,
        oracles: Oracles,
        engine: Engine,
        plan: Plan,
        say: Callable[[str], None] = unheard,
        only: Any = None,
        limit: Limit | None = None,
        note: Callable[[str], None] = unheard,
    ) -> None:
        self.limit = limit or Limit()
        self.oracles = oracles
        self.engine = engine
        self.plan = plan
        self.say = say
        self.note = note
        self.only = only
        self.coverage = Coverage()
        self.differences = Differences()
        self.tried: TriedMistakes | None = None
        self.left_out: list[str] = []
        self.stopped: str | None = None
        """Why the run is to end, if it is."""
        self._explained: dict[int, Finding] = {}
        """By the number of a cause."""
        self._met: dict[int, Cause] = {}
        """The causes met in this stage."""
        self._game_before: EngineGame | None = None
        self._known: dict[Configuration, bool] = {}
        self._begins_otherwise: dict[Configuration, Divergence] = {}
        """Set-ups of which the engine has another beginning than the spec."""
        self._stories: dict[Configuration, list[Story]] = {}
        """What the examples tell, in each set-up in which that was asked for."""
        self._ahead = True
        self._silent_about: tuple[str, ...] | None = None
        """The variables that the engine leaves out where it reports its state."""

    def run(self) -> Conformance:
        """Runs every stage that is asked for. A run that is ended has what it found by then."""
        wanted = [name for name in STAGES if name in self.plan.stages]
        stages: list[Stage] = []
        with self.limit.politely():
            for name in wanted:
                if self.stopped is None and not self._is_enough():
                    stages.append(self.stage(name))
        missing = tuple(wanted[len(stages) :])
        covered = self.coverage.clauses(self.oracles.spec)
        seen = self.coverage
        tested = None if self.tried is None else self.tried.result()
        return Conformance(
            tuple(stages), covered, seen.events, seen.refusals, self._not_compared(),
            self.stopped, missing, tested,
        )  # fmt: skip

    def _is_enough(self) -> bool:
        """Whether the first difference was found and no more are asked for."""
        return self.plan.first and len(self.differences) > 0

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
        """Runs one stage to its end, or to its first difference if that is enough."""
        began = time.perf_counter()
        self.left_out, self._met = [], {}
        units: Iterator[Unit] = {
            "examples": self.examples,
            "vectors": self.vectors,
            "games": self.games,
            "short_games": self.short_games,
        }[name]()
        checked, faults = 0, Counter[int]()
        try:
            with self.limit.interruptible():
                while not self._is_enough() and max(faults.values(), default=0) < MOST_FAULTS:
                    where: str | None = None
                    try:
                        unit = next(units, None)
                        if unit is None:
                            break
                        where, check = unit
                        checked += check()
                    except EngineFault as fault:
                        cause = self._note(fault, where)
                        # An engine that hangs is waited for once, for nobody has the time.
                        faults[cause.number] += MOST_FAULTS if fault.late else 1
                        checked += where is not None
                        self._restart()
                    except Divergence as parted:
                        self._note(parted, where)
                        checked += where is not None
                    self.say(f"{self.oracles.spec.name}, {name}: {checked}")
        except StoppedError as end:
            if (found := _interrupted(end)) is not None:
                self._note(found, None)
            self.stopped = end.why
        if max(faults.values(), default=0) >= MOST_FAULTS:
            self.left_out.append(KEEPS_FAILING)
        findings = self._findings()
        if not (self.stopped or checked or findings or self.left_out):
            self.left_out.append("there was nothing to check")
        left_out = tuple(
            f"{times} of the {name} {each}" if each in MANY_LEFT_OUT else each
            for each, times in Counter(self.left_out).items()
        )
        seconds = time.perf_counter() - began
        return Stage(
            name, checked, UNITS.get(name, "games"), findings, left_out, seconds, self.stopped
        )

    # ---- the stages, one thing to check after another

    def examples(self) -> Iterator[Unit]:
        """Every worked example of the rulebook that the engine can be brought to."""
        for example, setup in worked.examples(self.oracles):
            if not self._is_wanted(setup) or self.only not in (None, example.name):
                continue
            if self._accepts(setup):
                yield f"example `{example.name}`", partial(self._example, example, setup)

    def _example(self, example: c.Example, setup: Configuration) -> bool:
        oracle = self.oracles.oracle(setup)
        try:
            if worked.play_example(example, oracle, self.engine, self.coverage):
                return True
            self.left_out.append(EXAMPLE_LEFT_OUT)
        except OutOfTurnError:
            self.left_out.append(OUT_OF_TURN)
        return False

    def vectors(self) -> Iterator[Unit]:
        """The test vectors of the spec in the set-ups that the engine accepts."""
        header, lines = vector_lines(self.oracles, 0, self.say)
        wanted = [line for line in lines if self._is_wanted(setup_of(line, self.oracles))]
        self.tried = TriedMistakes(header, wanted)
        if header.get("stopped") is not None:  # who was looking for them does not say so by itself
            raise StoppedError(header["stopped"])
        for line in wanted:
            if self.only not in (None, line["requirement"]):
                continue
            setup = setup_of(line, self.oracles)
            if self._accepts(setup):
                shows = "; ".join(line["shows"][:2])
                where = f"vector {line['vector']} ({line['requirement']}, {shows})"
                yield where, partial(self._vector, line)
            elif setup.readings or setup.variant:
                self.tried.foreign(line)
            else:
                self.tried.missed(line, NOT_PLAYED)
        unseen, elsewhere = self.tried.unseen(), self.tried.not_come_to()
        everything = engine_mistakes(self.oracles.spec) if unseen or elsewhere else []
        usual = next(filter(self._accepts, self._wanted()), None) if elsewhere else None
        for number, vector in elsewhere:
            if usual is None:
                break
            near = with_fewer_players(vector, self.oracles.oracle(usual)) or self._near(vector)
            if near is not None:
                unseen.append((number, near))
        for number, vector in unseen[:MOST_LATER]:
            where = f"what follows vector {vector['vector']} ({vector['requirement']})"
            yield where, partial(self._later, number, everything[number - 1], vector)

    def _near(self, vector: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A vector of a set-up that the engine plays, if there is one about the same rule."""
        reachable = [
            each
            for each in vector_lines(self.oracles, 0)[1]
            if self._known.get(setup_of(each, self.oracles))
            and ("load" in self.engine.can or each["game"] is not None)
        ]
        same = [each for each in reachable if each["requirement"] == vector["requirement"]]
        return next(iter((*same, *reachable)), None)

    def _later(self, number: int, mutant: Mutant, line: Mapping[str, Any]) -> bool:
        """Tries a mistake that no vector shows by what the engine says, in a game in which it
        shows: one that goes on from this vector or another."""
        assert self.tried is not None
        setup = setup_of(line, self.oracles)
        oracle = self.oracles.oracle(setup)
        reported = self.tried.reported or ()
        games = LaterGames(oracle, mutant, reported, "score" in self.engine.can)
        others = [
            each
            for each in vector_lines(self.oracles, 0)[1]
            if each is not line and setup_of(each, self.oracles) == setup
        ]
        random = source(self.plan.seed, "later", number)
        if setup not in self._stories:
            self._stories[setup] = stories_of(self.oracles, oracle)
        stories = self._stories[setup]
        game = games.find([line, *others], stories, random, "load" in self.engine.can)
        if game is None:
            return False
        found = replay(game, self.engine)
        if found is not None:
            raise found
        self.tried.tried_later(number)
        return True

    def _vector(self, line: Mapping[str, Any]) -> bool:
        assert self.tried is not None
        try:
            reported = try_vector(line, self.oracles, self.engine, self.coverage, self.plan.seed)
        except OutOfTurnError:
            self.tried.missed(line, IN_ORDER)
            self.left_out.append(OUT_OF_TURN)
            return False
        except Divergence as parted:
            if _is_at_end(parted, line):
                self.tried.found_by(line)
            else:
                self.tried.missed(line, WENT_WRONG)
            raise
        if reported is None:
            self.tried.missed(line)
            self.left_out.append(VECTOR_LEFT_OUT)
            return False
        self.tried.tried(line, reported, "score" in self.engine.can)
        return True

    def games(self) -> Iterator[Unit]:
        """Random games over the set-ups that the engine accepts, then short games."""
        wanted = self._wanted()
        for number in self.only or range(self.plan.games):
            at = number % len(wanted)
            setup = self._first_accepted([*wanted[at:], *wanted[:at]])
            if setup is None:
                return
            whim = number // len(wanted) % 2 == 1
            yield f"random game {number + 1}", partial(self._game, number, setup, whim)
        if self.only is None and self.plan.games:
            yield from self.short_games()

    def _game(self, number: int, setup: Configuration, whim: bool) -> bool:
        """One random game."""
        seed = self.plan.seed
        most = length(seed, number)
        self._together(setup, lambda p: exhaust(random_game(p, source(seed, number), whim, most)))
        return True

    def _together(self, setup: Configuration, play: Callable[[EngineLockstep], T]) -> T:
        """Plays with the engine; first ahead of its answers, which is quicker. If that goes wrong,
        the same is played one request at a time, which alone counts: an engine that is right then
        is asked in this way from now on."""
        oracle = self.oracles.oracle(setup)
        if self._ahead:
            try:
                pair: EngineLockstep = PipelinedLockstep(oracle, self.engine, self.coverage)
                done = play(pair)
                self._game_before = pair.game()
                return done
            except (Divergence, EngineFault):
                self._ahead = False
                self.engine.restart()
        pair = EngineLockstep(oracle, self.engine, self.coverage)
        pair.noted = self._goes_on
        try:
            return play(pair)
        except EngineFault as fault:
            fault.game = pair.game(pair.trying)
            raise
        except Divergence as parted:
            parted.after = self._game_before
            raise
        finally:
            self._game_before = pair.game()

    def _goes_on(self, parted: Divergence) -> bool:
        """Whether a game goes on behind a difference; if so, that is noted."""
        if self.plan.first:
            return False
        parted.after = self._game_before
        cause = self._note(parted, "a random game")
        if cause.times > OFTEN:
            cause.times -= 1  # it is noted where the game ends
            return False
        return True

    def short_games(self) -> Iterator[Unit]:
        """Beginnings of games with many near misses, in a few set-ups; games that must not begin,
        and two games at a time."""
        if self._first_accepted(self._wanted()) is None:
            return
        some = list(islice(filter(self._accepts, self._wanted()), FEW))
        for number in range(SHORT_GAMES):
            yield f"short game {number + 1}", partial(self._short_game, number, some)
        strange = partial(self._strange_players, some[0])
        yield "games of numbers of players that there are not", strange
        twin = self.engine.another()
        if twin is not None:
            yield "two games at a time", partial(self._two_at_once, twin, some[0])

    def _short_game(self, number: int, some: list[Configuration]) -> bool:
        random = source(self.plan.seed, "short", number)
        self._together(some[number % len(some)], partial(short_game, random=random))
        return True

    def _strange_players(self, setup: Configuration) -> bool:
        strange_players(self.oracles.oracle(setup), self.engine)
        return True

    def _two_at_once(self, twin: Engine, setup: Configuration) -> bool:
        two_at_once(self.oracles.oracle(setup), self.engine, twin, self.plan.seed)
        return True

    # ---- set-ups

    def _wanted(self) -> list[Configuration]:
        """The set-ups to be played. The engine may refuse variants, numbers of players, and
        readings that are not the usual ones, but not all of them."""
        plan = self.plan
        found = played_configurations(
            self.oracles.spec, plan.players, plan.readings, plan.variant, plan.seed
        )
        return [each for each in found if self._is_wanted(each)]

    def _first_accepted(self, setups: Sequence[Configuration]) -> Configuration | None:
        """The first of these that the engine plays; None if there is none, which is noted."""
        found = next(filter(self._accepts, setups), None)
        if found is None and not self._met:
            raise EngineFault("refuses every set-up of the game", "see `new` in the protocol")
        return found

    def _accepts(self, setup: Configuration) -> bool:
        """Whether the engine begins a game of this set-up."""
        if setup not in self._known:
            oracle = self.oracles.oracle(setup)
            try:
                pair = EngineLockstep(oracle, self.engine, self.coverage)
                pair.begin(oracle.first)
                self._known[setup] = True
                self._listen(oracle)
            except EngineFault as fault:
                fault.game = pair.game()
                raise
            except Divergence as parted:
                self._known[setup] = False
                if parted.kind == "setup" and self._may_refuse(setup):
                    self._refused(setup, parted)
                else:
                    parted.after = self._game_before
                    self._begins_otherwise[setup] = parted
        if setup in self._begins_otherwise:  # each stage says so that cannot go on
            self._note(self._begins_otherwise[setup], None)
        return self._known[setup]

    def _listen(self, oracle: Oracle) -> None:
        """Notes what the engine leaves out of its state, once."""
        if self._silent_about is None:
            with suppress(EngineRefusal):
                reported = self.engine.new(oracle.setup_json(oracle.first))
                if reported is None and "state" in self.engine.can:
                    reported = self.engine.state()
                known = oracle.instance.variables
                left_out = [name for name in known if reported and name not in reported]
                self._silent_about = tuple(left_out)

    def _may_refuse(self, setup: Configuration) -> bool:
        """What is asked for by name must be played; what comes with it, variants and readings that
        nobody named, need not."""
        plan = self.plan
        more = dict(setup.readings).keys() - plan.readings.keys()
        if more or (setup.variant is not None and plan.variant is None):
            return True
        return not plan.players and not plan.readings and not plan.variant

    def _refused(self, setup: Configuration, parted: Divergence) -> None:
        why = f" ({parted.why})" if parted.why else ""
        self.left_out.append(f"{setup.described()}: the engine refuses it{why}")

    def _is_wanted(self, setup: Configuration) -> bool:
        plan = self.plan
        return (
            (plan.players is None or setup.players in plan.players)
            and (plan.variant is None or setup.variant == plan.variant)
            and (plan.variants or setup.variant is None)
            and all((name, option) in setup.readings for name, option in plan.readings.items())
        )

    # ---- what was found

    def _note(self, found: Found, where: str | None) -> Cause:
        """Notes a difference, and says so at once if it is of a new kind."""
        cause = self.differences.add(found, where)
        if cause.times == 1 and self.note is not unheard:
            self.note(f"differs: {in_short(found)}" + (f" ({where})" if where else ""))
        self._met[cause.number] = cause
        return cause

    def _restart(self) -> None:
        with suppress(EngineFault, UsageError):
            self.engine.restart()

    def _findings(self) -> tuple[Finding, ...]:
        """The differences that this stage met, the worst first; those that are new are shrunk and
        explained, if there is time for it."""
        met = [each for each in self.differences if each.number in self._met]
        for cause in met:
            if cause.number not in self._explained:
                self._explained[cause.number] = self._explain(cause)
        found = [replace(self._explained[each.number], times=each.times) for each in met]
        return together(found)

    def _explain(self, cause: Cause) -> Finding:
        shortly = self.stopped is not None
        spec_hash = self.oracles.checked.hash
        if not shortly:
            self.say("shrinking a difference")
            try:
                with self.limit.interruptible():
                    return explained(cause, self.engine, spec_hash, len(self._explained))
            except StoppedError as end:
                self.stopped = end.why
        self.left_out.append(f"the differing game is not shortened: {self.stopped}")
        return explained(cause, None, spec_hash, 0)


def _is_at_end(parted: Divergence, line: Mapping[str, Any]) -> bool:
    """Whether an engine went wrong at the event of a vector or later, and not before."""
    game = parted.game
    before = 0 if game.loaded else len(line["game"] or ())
    return parted.kind != "setup" and len(game.events) + (game.last is not None) > before


def _interrupted(end: StoppedError) -> Divergence | EngineFault | None:
    """The difference that had just been found when the run was ended, if there was one."""
    error: BaseException | None = end
    while error is not None and not isinstance(error, Divergence | EngineFault):
        error = error.__context__
    return error

"""A state machine of Hypothesis that plays an engine and a spec side by side, to be extended.

    class Machine(EngineMachine):
        spec = "qwixx"
        engine = MyEngine

    TestEngine = Machine.TestCase

plays games of legal events and near misses and holds the engine to the spec after each. Rules and
invariants of one's own are added as to any state machine. Hypothesis shortens games that go wrong
and keeps them in its database; each kind of difference is a failure of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NoReturn

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulewright.conform.engine.protocol import Engine, EngineFault, EngineRefusal, Json, open_engine
from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.inputs.near_misses import near_miss
from rulewright.conform.oracle.configurations import Oracles, played_configurations
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.report.finding import finding_of
from rulewright.conform.stages.lockstep import Divergence, EngineLockstep
from rulewright.frontend import FRAMES, read
from rulewright.hidden_characters import plain
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Configuration
from rulewright.resources import find_spec
from rulewright.simulate.compiled.compiled_game import Happening

MOST_OUTCOMES = 256
"""Of chance, that are listed to choose from; of more than that one is drawn."""
MOST_STARTS = 24
SEEDS = st.integers(0, 1023)
"""Few, so that games with them are soon shortened."""
sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
"""Now: Hypothesis warns of a limit that changes in the middle of a test."""


class Difference(AssertionError):  # noqa: N818 - a finding, no error
    """Engine and spec part; what it says is worked out when somebody reads it."""

    def __init__(self, found: Divergence | EngineFault, spec_hash: str | None) -> None:
        super().__init__()
        self.found = found
        self._hash = spec_hash
        self._story: str | None = None

    def __str__(self) -> str:
        if self._story is None:
            finding = finding_of(self.found, self._hash)
            self._story = plain("\n".join([finding.message, "", *finding.lines]))
        return self._story


class EngineMachine(RuleBasedStateMachine):
    """Plays `engine` and `spec` side by side. `engine` is a class, or text as for `rulewright
    conform`; `players`, `readings` and `variant` are played as they say, all of them if they say
    nothing."""

    spec: ClassVar[str | Path]
    engine: ClassVar[Any]
    players: ClassVar[int | range | None] = None
    readings: ClassVar[Mapping[str, str]] = {}
    variant: ClassVar[str | None] = None
    timeout: ClassVar[float] = 10.0

    def __init__(self) -> None:
        super().__init__()
        self._opened = _open(type(self).engine, self.timeout)
        self._pair: EngineLockstep | None = None

    # ---- what rules and invariants of one's own may use

    def play(self, event: Mapping[str, Json]) -> bool:
        """Holds the engine to what the spec makes of an event, such as `{"move": "pass", "by": 1,
        "args": {}}`: if it is legal, both carry it out; if not, the engine must refuse it. Says
        whether it is legal."""
        __tracebackhide__ = True
        pair = self._table()
        parsed = pair.oracle.parse(event)
        legal = parsed is not None and pair.oracle.allows(pair.state, parsed)
        self._hold(pair.try_event, dict(event) if parsed is None else parsed)
        return legal

    @property
    def position(self) -> dict[str, Json]:
        """How things stand by the spec."""
        pair = self._table()
        return pair.oracle.state_json(pair.state)

    @property
    def reported(self) -> dict[str, Json]:
        """How things stand by what the engine said last."""
        return dict(self._table().reported)

    @property
    def legal(self) -> list[dict[str, Json]]:
        """The legal moves by the spec."""
        pair = self._table()
        return [pair.oracle.event_json(each) for each in pair.oracle.machine.legal(pair.state)]

    @property
    def finished(self) -> bool:
        """Whether the game is over by the spec."""
        pair = self._table()
        return pair.oracle.machine.is_final(pair.state)

    @property
    def under_test(self) -> Any:
        """The engine: the object that its class made, or what talks to the program."""
        opened = self._opened
        return opened.made if isinstance(opened, PythonEngine) else opened

    # ---- the rules and invariants that every engine is held to

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """A game begins."""
        __tracebackhide__ = True
        oracles = _oracles(str(type(self).spec))
        setup = data.draw(st.sampled_from(self._setups(oracles)), label="set-up")
        oracle = oracles.oracle(setup)
        starts = list(islice(oracle.machine.beginnings(), MOST_STARTS))
        at = data.draw(st.integers(0, len(starts) - 1), label="start")
        self._pair = EngineLockstep(oracle, self._opened, Coverage())
        self._hold(self._pair.begin, starts[at])

    @precondition(lambda self: not self.finished)
    @rule(data=st.data())
    def legal_event(self, data: st.DataObject) -> None:
        """A move, or what chance decides."""
        __tracebackhide__ = True
        event = self._draw(data, "event")
        if event is not None:
            self._hold(self._table().play, event)

    @precondition(lambda self: not self.finished)
    @rule(data=st.data())
    def illegal_event(self, data: st.DataObject) -> None:
        """Something close to a legal event, which is illegal."""
        __tracebackhide__ = True
        pair, event = self._table(), self._draw(data, "close to")
        if event is None:
            return
        wrong = near_miss(pair.oracle, pair.state, event, Random(data.draw(SEEDS)))
        if wrong is not None:
            self._hold(pair.try_event, wrong)

    @invariant()
    def lists_the_legal_moves(self) -> None:
        """The engine lists the moves that the spec allows."""
        __tracebackhide__ = True
        self._hold(self._table().compare_legal)

    @invariant()
    def has_the_right_scores(self) -> None:
        """The engine has the scores and winners of the spec."""
        __tracebackhide__ = True
        self._hold(self._table().compare_scores)

    def teardown(self) -> None:
        """Leaves nothing of the engine behind."""
        self._opened.close()

    # ----

    def _table(self) -> EngineLockstep:
        assert self._pair is not None, "a game begins first"
        return self._pair

    def _hold(self, act: Callable[..., object], *given: Any) -> None:
        __tracebackhide__ = True
        try:
            act(*given)
        except Divergence as found:
            self._differs(found, found.kind, *(each.variable for each in found.mismatches))
        except EngineFault as fault:
            if fault.game is None:
                fault.game = self._table().game(self._table().trying)
            self._differs(fault, "fault")

    def _differs(self, found: Divergence | EngineFault, *kind: str) -> NoReturn:
        __tracebackhide__ = True
        last = found.game.last if found.game is not None else None
        about = last[0] if isinstance(last, tuple) else None
        spec_hash = _oracles(str(type(self).spec)).checked.hash
        raise _kind_of_difference((*kind, about))(found, spec_hash) from None

    def _draw(self, data: st.DataObject, label: str) -> Happening | None:
        """An event that is legal now; None if there is none."""
        pair = self._table()
        oracle, machine, state = pair.oracle, pair.oracle.machine, pair.state
        choices = machine.legal(state) if oracle.lists_all(state) else []
        if not choices and _outcomes(oracle.instance.of_kind("chance")) <= MOST_OUTCOMES:
            choices = [event for _, event in machine.outcomes(state)]
        if choices:
            listed = st.sampled_from(choices)
        else:
            listed = SEEDS.map(lambda seed: machine.choose(state, Random(seed)))  # type: ignore[assignment,return-value]
        written = listed.map(lambda each: None if each is None else oracle.event_json(each))
        event = data.draw(written, label=label)
        return None if event is None else oracle.parse(event)

    @classmethod
    def _setups(cls, oracles: Oracles) -> list[Configuration]:
        """The set-ups that the engine plays; it may refuse what was not asked for by name."""
        known: dict[type, list[Configuration]] = _ACCEPTED
        if cls not in known:
            numbers = cls.players
            asked = range(numbers, numbers + 1) if isinstance(numbers, int) else numbers
            wanted = played_configurations(oracles.spec, asked, cls.readings, cls.variant)
            if not wanted:
                least, most = oracles.spec.least, oracles.spec.most
                raise UsageError(f"`players` is {numbers}", f"the game is for {least} to {most}")
            with _open(cls.engine, cls.timeout) as engine:
                known[cls] = [each for each in wanted if _begins(oracles, each, engine)] or wanted
        return known[cls]


_ACCEPTED: dict[type, list[Configuration]] = {}


def _begins(oracles: Oracles, setup: Configuration, engine: Engine) -> bool:
    """Whether an engine begins a game; one that fails at that does, so that it shows."""
    oracle = oracles.oracle(setup)
    try:
        engine.new(oracle.setup_json(oracle.first))
    except EngineRefusal:
        return False
    except EngineFault:
        engine.restart()
    return True


@cache
def _oracles(spec: str) -> Oracles:
    checked = read(find_spec(spec))
    if checked.spec is None:
        first = checked.diagnostics[0]
        raise UsageError(f"{first.file}:{first.line}: {first.message}", f"rulewright check {spec}")
    return Oracles(checked)


def _open(engine: Any, timeout: float) -> Engine:
    if isinstance(engine, str):
        return open_engine(engine, timeout)
    return PythonEngine.of(engine, timeout)


@cache
def _kind_of_difference(kind: tuple[object, ...]) -> type[Difference]:
    """A class for each kind: Hypothesis takes failures of different classes for different ones."""
    return type("Difference", (Difference,), {"__doc__": f"Engine and spec part: {kind}."})


def _outcomes(transitions: Any) -> int:
    """How many outcomes of chance there may be."""
    return max(
        (prod(_values(param.type) for param in each.params) for each in transitions), default=0
    )


def _values(type: y.Type) -> int:
    if isinstance(type, y.Map):
        return min(_values(type.value) ** (y.most_values(type.key) or MOST_OUTCOMES), 1 << 60)
    return (y.most_values(type) if y.is_scalar(type) else None) or 1 << 20

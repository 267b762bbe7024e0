"""Lockstep of spec and engine: plays both together and stops where they diverge.

Both begin the same game and are told the same events. A legal event must be accepted and lead to
the same state; an illegal one must be refused and change nothing; the legal moves listed and the
scores at the end must be the same. Where they part, `Divergence` says how; whose fault a broken
protocol is, `EngineFault` says. What it means in terms of the rulebook is worked out in `blame`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from rulewright.conform.engine.protocol import (
    Answer,
    Engine,
    EngineFault,
    EngineRefusal,
    Json,
    be_json,
    words,
)
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle, StateMismatch
from rulewright.play.io.json_codec import decode_variables
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.syntax.node import Node

BESIDE_THE_GAME = ("accepted", "listed", "unlisted", "score")
"""Differences in what is tried and asked, not in how the game goes on."""
LISTED_TWICE = "it is in the list twice"
Due: TypeAlias = "tuple[Any, State | None]"
"""An event that the engine must accept, with the state that the spec then has, notes and all; or
one that it must refuse, or JSON that is no event, and None."""


class EngineGame(Node):
    """A game to play side by side: where it begins (`loaded` if that is no beginning but a
    position to be loaded), its events, and last an event that need not be legal: as the compiled
    player has it, or JSON that is no event of the game at all."""

    oracle: Oracle
    begin: State
    loaded: bool
    events: tuple[Happening, ...]
    last: Happening | Mapping[str, Json] | None = None
    seen: tuple[str, ...] = ()
    """The variables that the engine reported before that."""


class Divergence(Exception):  # noqa: N818 - a finding, no error
    """Spec and engine disagree. `kind` is one of

    setup      the engine refuses to begin, or to load a position
    begun      the engine begins a game that the rules do not know (`why`: which)
    refused    the engine refuses what the spec allows (`why` it says)
    accepted   the engine accepts what the spec refuses
    state      the engine reports another state (`mismatches`)
    unlisted   the engine does not list a legal move (the last event)
    listed     the engine lists a move that is not legal (the last event)
    score      the engine reports other scores or winners (`mismatches`)
    """

    def __init__(
        self,
        kind: str,
        game: EngineGame,
        why: str | None = None,
        mismatches: Sequence[StateMismatch] = (),
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.game = game
        self.why = why
        self.mismatches = tuple(mismatches)
        self.after: EngineGame | None = None
        """The game before it, if it shows only after that one."""


class EngineLockstep:
    """The spec and an engine at one table; `played` is what both have carried out so far."""

    def __init__(self, oracle: Oracle, engine: Engine, coverage: Coverage) -> None:
        self.oracle = oracle
        self.engine = engine
        self.coverage = coverage
        self.now: State = b""
        """The state that the spec has, with notes of what has just been carried out."""
        self.held: State = b""
        """The state that the engine was last held to."""
        self.expected: dict[str, Json] = {}
        """That state as engines write it."""
        self.first: State = b""
        self.loaded = False
        self.played: list[Happening] = []
        self.trying: Happening | Mapping[str, Json] | None = None
        """The event that the engine was last asked to apply and has not answered for."""
        self._asks_for_state = False
        self.reported: Mapping[str, Json] = {}
        """What the engine last said of how things stand."""
        self.noted: Callable[[Divergence], bool] = lambda _: False
        """Told of a difference in the middle of a game; says whether to go on behind it."""

    def begin(self, state: State, load: bool = False) -> None:
        """Begins a game in a state, or goes to a state that is not a beginning."""
        self.now = self.held = self.first = state
        self.expected = self.oracle.state_json(state)
        self.loaded = load
        self.played = []
        self.trying = None
        try:
            reported = self.engine.new(self.oracle.setup_json(self.oracle.first if load else state))
            self._asks_for_state = reported is None and "state" in self.engine.can
            if load:
                reported = self.engine.load(copied(self.expected))
        except EngineRefusal as refusal:
            raise Divergence("setup", self.game(), refusal.why) from None
        if reported is None and "state" in self.engine.can:
            reported = self.engine.state()
        self._compare(reported)
        self.reported = reported or {}
        self.accept = self._accepting()

    @property
    def state(self) -> State:
        """The state that the spec has."""
        return self.oracle.with_clean_notes(self.now)

    def game(self, last: Happening | Mapping[str, Json] | None = None) -> EngineGame:
        """The game so far."""
        played, seen = tuple(self.played), tuple(self.reported)
        return EngineGame(self.oracle, self.first, self.loaded, played, last, seen)

    def attempt(self, act: Callable[..., None], *given: Any) -> None:
        """Does something in a game; behind a difference the game goes on where it can: in the
        state that the spec has, if the engine can be brought there."""
        try:
            act(*given)
        except Divergence as parted:
            if not self.noted(parted) or not self._resumed(parted):
                raise

    def _resumed(self, parted: Divergence) -> bool:
        """Brings the engine to where the spec is: by loading, or by playing there again if it went
        wrong in nothing that belongs to the game."""
        if "load" in self.engine.can:
            self.begin(self.state, load=True)
            return True
        if parted.kind not in BESIDE_THE_GAME:
            return False
        events = self.played
        self.begin(self.first, self.loaded)
        for event in events:
            self.play(event)
        return True

    def probe(self, event: Happening) -> None:
        """An illegal event, which the engine must refuse without a trace."""
        self._refuse(event)
        self.coverage.refused(self.oracle.machine.broken(self.state, event))

    def probe_nonsense(self, event: Mapping[str, Json]) -> None:
        """Something that is no event of the game, which the engine must refuse likewise."""
        self._refuse(event)
        self.coverage.refused(())

    def try_event(self, event: Happening | Mapping[str, Json]) -> None:
        """Any event, whatever the spec says of it."""
        if isinstance(event, Mapping):
            self.probe_nonsense(event)
        elif (now := self.oracle.machine.tried(self.state, event)) is not None:
            self.accept(event, now)
        else:
            self.probe(event)

    def play(self, event: Happening) -> None:
        """Plays a legal event, which the engine must accept and carry out."""
        self.accept(event, self.oracle.machine.apply(self.state, event))

    def _accepting(self) -> Callable[[Happening, State], None]:
        """What has the engine accept an event that leads to a state."""

        def accept(event: Happening, now: State) -> None:
            self.oracle.hold_order(self.state, event)
            self.now = now
            self._hold(((event, now),))

        return accept

    def _refuse(self, event: Happening | Mapping[str, Json]) -> None:
        """Has the engine refuse an event."""
        self._hold(((event, None),))

    def _answers(self) -> Mapping[str, Answer]:
        """What asks the engine to apply an event, and how things stand."""
        apply, state = self.engine.apply, self.engine.state
        return {"apply": lambda write, event: apply(write(event)), "state": lambda *_: state()}

    def _hold(self, due: Iterable[Due]) -> None:
        """Holds the engine to what is due, one event after the other. All events of all games come
        through here."""
        answers, asks_for_state = self._answers(), self._asks_for_state
        apply, state, writers = answers["apply"], answers["state"], self.oracle.event_writers
        kinds, notes = self.coverage.kinds(self.oracle), self.oracle.notes_at
        seen, played, was, expected = kinds.seen, self.played, self.held, self.expected
        for event, now in due:
            if now is None:
                self._is_refused(event, answers)
                continue
            number = event[0]
            try:
                reported = apply(writers[number], event)
            except EngineRefusal as refusal:
                raise Divergence("refused", self.game(event), refusal.why) from None
            except EngineFault:
                self.trying = event
                raise
            try:
                kind = seen[number][now[notes]]
            except KeyError:
                kind = kinds.add(number, now[notes])
            kind.times += 1
            write = kind.write
            write(now, was, expected)
            was = now
            played.append(event)
            try:
                otherwise = reported != expected
            except Exception:  # an object of the engine that cannot be compared
                otherwise = True
            if otherwise:
                self._compare(reported)
            if asks_for_state:
                reported = state(writers[number], event)
                self._compare(reported)
            self.reported = reported or {}
        self.held = was

    def compare_legal(self) -> None:
        """Whether the engine lists the legal moves, if it lists any."""
        if "legal" not in self.engine.can or self.oracle.machine.is_final(self.state):
            return
        legal = self.oracle.machine.legal(self.state) if self.oracle.lists_all(self.state) else []
        known, listed = set(legal), set()
        for move in self.engine.legal():
            parsed = self.oracle.parse(move) if isinstance(move, Mapping) else None
            if parsed is None:
                be_json(move, "listed")
                raise Divergence("listed", self.game(move if isinstance(move, Mapping) else {}))
            if parsed not in known and not self.oracle.allows(self.state, parsed):
                raise Divergence("listed", self.game(parsed))
            if parsed in listed:
                raise Divergence("listed", self.game(parsed), LISTED_TWICE)
            listed.add(parsed)
        order = self.oracle.order
        waiting = None if order is None else order.waiting(self.state, legal)
        for event in legal:
            if event not in listed and waiting in (None, event[1]):
                raise Divergence("unlisted", self.game(event))

    def compare_scores(self) -> None:
        """Whether the engine has the scores and winners of the spec, if it has any."""
        if "score" not in self.engine.can:
            return
        said = self.engine.score()
        scores = self.oracle.machine.scores(self.state)
        found: list[StateMismatch] = []
        if scores is not None and "scores" in said:
            expected = [list(each) for each in scores.items()]
            if as_pairs(said["scores"]) != expected:
                said_so = said["scores"]
                found.append(StateMismatch("score", str(expected), str(said_so), None, said_so))
        winners = self.oracle.machine.winners(self.state)
        final = self.oracle.machine.is_final(self.state)
        if final and winners is not None and said.get("winners", winners) != winners:
            said_so = said["winners"]
            found.append(StateMismatch("wins", str(winners), str(said_so), None, said_so))
        self.coverage.scored(self.oracle.instance.spec)
        if found:
            raise Divergence("score", self.game(), mismatches=found)

    def _compare(self, reported: Mapping[str, Json] | None) -> None:
        """Whether an engine says that things stand as they do, if it says so."""
        if reported is None:
            self.coverage.unreported += not self._asks_for_state
        elif found := self._mismatches(reported):
            raise Divergence("state", self.game(), mismatches=found)

    def _is_refused(
        self, event: Happening | Mapping[str, Json], answers: Mapping[str, Answer]
    ) -> None:
        """The engine refuses an event, and that leaves everything as it was."""
        write = copied if isinstance(event, Mapping) else self.oracle.event_json
        self.trying = event
        try:
            answers["apply"](write, event)
        except EngineRefusal:
            pass
        else:
            raise Divergence("accepted", self.game(event))
        if "state" in self.engine.can:
            found = self._mismatches(answers["state"](write, event))
            if found:
                raise Divergence("state", self.game(event), "refused, and yet changed", found)
        self.trying = None

    def _mismatches(self, reported: Mapping[str, Json] | None) -> list[StateMismatch]:
        """What an engine reports otherwise than it is. What is not word for word as expected may
        still mean the same."""
        expected = self.expected
        try:
            otherwise = {
                name: value
                for name, value in (reported or {}).items()
                if name not in expected or expected[name] != value
            }
        except Exception as error:  # an object of the engine that cannot be compared
            raise EngineFault(f"reported a state that cannot be read: {words(error)}") from error
        if not otherwise:
            return []
        be_json(otherwise, "reported")
        known = {name: expected[name] for name in otherwise if name in expected}
        position = decode_variables(known, self.oracle.instance)
        return self.oracle.mismatches(position, otherwise)


def replay(game: EngineGame, engine: Engine) -> Divergence | EngineFault | None:
    """How spec and engine part when they play a game; events that the spec refuses on the way
    are left out, the last is tried in any case."""
    pair = EngineLockstep(game.oracle, engine, Coverage())
    try:
        pair.begin(game.begin, game.loaded)
        for event in game.events:
            if (now := game.oracle.machine.tried(pair.state, event)) is not None:
                pair.accept(event, now)
        if game.last is not None:
            pair.try_event(game.last)
        pair.compare_legal()
        pair.compare_scores()
    except Divergence as parted:
        return parted
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        return fault
    return None


def copied(value: Mapping[str, Json]) -> dict[str, Json]:
    """JSON that whoever gets it may keep and change."""
    return json.loads(json.dumps(value))  # type: ignore[no-any-return]


def as_pairs(scores: Json) -> Json:
    """Scores as pairs of player and points; a list without players is taken by seat."""
    if isinstance(scores, dict) and all(str(player).isdecimal() for player in scores):
        return sorted(([int(player), each] for player, each in scores.items()), key=itemgetter(0))
    if isinstance(scores, list) and all(isinstance(each, int) for each in scores):
        return [[seat, each] for seat, each in enumerate(scores, start=1)]
    return scores

"""Plays a game with the spec and an engine together and stops where they part.

Both begin the same game and are told the same events. A legal event must be accepted and lead to
the same state; an illegal one must be refused and change nothing; the legal moves listed and the
scores at the end must be the same. Where they part, `Parted` says how; whose fault a broken
protocol is, `EngineFault` says. What it means in terms of the rulebook is worked out in `blame`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from checker.conform.coverage import Coverage
from checker.conform.engine import (
    Answer,
    Engine,
    EngineFault,
    Json,
    Refusal,
    be_json,
    words,
)
from checker.conform.referee import Mismatch, Referee
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.play.encoding import decode_variables
from checker.syntax.node import Node

Due: TypeAlias = "tuple[Any, State | None]"
"""An event that the engine must accept, with the state that the spec then has, notes and all; or
one that it must refuse, or JSON that is no event, and None."""


class Game(Node):
    """A game to play side by side: where it begins (`loaded` if that is no beginning but a
    position to be loaded), its events, and last an event that need not be legal: as the compiled
    player has it, or JSON that is no event of the game at all."""

    referee: Referee
    begin: tuple[object, ...]
    loaded: bool
    events: tuple[Happening, ...]
    last: Happening | Mapping[str, Json] | None = None


class Parted(Exception):  # noqa: N818 - a finding, no error
    """Spec and engine disagree. `kind` is one of

    setup      the engine refuses to begin, or to load a position
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
        game: Game,
        why: str | None = None,
        mismatches: Sequence[Mismatch] = (),
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.game = game
        self.why = why
        self.mismatches = tuple(mismatches)


class Pair:
    """The spec and an engine at one table; `played` is what both have carried out so far."""

    def __init__(self, referee: Referee, engine: Engine, coverage: Coverage) -> None:
        self.referee = referee
        self.engine = engine
        self.coverage = coverage
        self.state: State = []
        self.held: State = []
        """The state that the engine was last held to."""
        self.expected: dict[str, Json] = {}
        """That state as engines write it."""
        self.first: State = []
        self.loaded = False
        self.played: list[Happening] = []
        self.trying: Happening | Mapping[str, Json] | None = None
        """The event that the engine was last asked to apply and has not answered for."""
        self._asks_for_state = False

    def begin(self, state: State, load: bool = False) -> None:
        """Begins a game in a state, or goes to a state that is not a beginning."""
        self.state, self.held, self.first = state[:], state[:], state[:]
        self.expected = self.referee.state_json(state)
        self.loaded = load
        self.played = []
        self.trying = None
        try:
            reported = self.engine.new(
                self.referee.setup_json(self.referee.first if load else state)
            )
            self._asks_for_state = reported is None and "state" in self.engine.can
            if load:
                reported = self.engine.load(copied(self.expected))
        except Refusal as refusal:
            raise Parted("setup", self.game(), refusal.why) from None
        if reported is None and "state" in self.engine.can:
            reported = self.engine.state()
        self._compare(reported)
        self.play = self._playing()

    def game(self, last: Happening | Mapping[str, Json] | None = None) -> Game:
        """The game so far."""
        return Game(self.referee, tuple(self.first), self.loaded, tuple(self.played), last)

    def probe(self, event: Happening) -> None:
        """An illegal event, which the engine must refuse without a trace."""
        self._refuse(event)
        self.coverage.refused(self.referee.machine.broken(self.state, event))

    def probe_nonsense(self, event: Mapping[str, Json]) -> None:
        """Something that is no event of the game, which the engine must refuse likewise."""
        self._refuse(event)
        self.coverage.refused(())

    def try_event(self, event: Happening | Mapping[str, Json]) -> None:
        """Any event, whatever the spec says of it."""
        if isinstance(event, Mapping):
            self.probe_nonsense(event)
        elif self.referee.allows(self.state, event):
            self.play(event)
        else:
            self.probe(event)

    def _playing(self) -> Callable[[Happening], None]:
        """What plays a legal event, which the engine must accept and carry out."""
        referee, state = self.referee, self.state
        takes, notes, nothing = referee.takes, referee.done, referee.nothing_done

        def play(event: Happening) -> None:
            takes[event[0]](state, event)
            now = state[:]
            state[notes] = nothing
            self._hold(((event, now),))

        return play

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
        apply, state, writers = answers["apply"], answers["state"], self.referee.event_writers
        kinds, notes = self.coverage.kinds(self.referee), self.referee.done
        seen, played, was, expected = kinds.seen, self.played, self.held, self.expected
        for event, now in due:
            if now is None:
                self._is_refused(event, answers)
                continue
            number = event[0]
            try:
                reported = apply(writers[number], event)
            except Refusal as refusal:
                raise Parted("refused", self.game(event), refusal.why) from None
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
                self._compare(state(writers[number], event))
        self.held = was

    def compare_legal(self) -> None:
        """Whether the engine lists the legal moves, if it lists any."""
        if "legal" not in self.engine.can or self.referee.machine.is_final(self.state):
            return
        listed: dict[Happening, None] = {}
        for move in self.engine.legal():
            parsed = self.referee.parse(move) if isinstance(move, Mapping) else None
            if parsed is None:
                be_json(move, "listed")
                raise Parted("listed", self.game(move if isinstance(move, Mapping) else {}))
            if not self.referee.allows(self.state, parsed):
                raise Parted("listed", self.game(parsed))
            listed[_key(parsed)] = None
        if self.referee.lists_all(self.state):
            for event in self.referee.machine.legal(self.state):
                if _key(event) not in listed:
                    raise Parted("unlisted", self.game(event))

    def compare_scores(self) -> None:
        """Whether the engine has the scores and winners of the spec, if it has any."""
        if "score" not in self.engine.can:
            return
        said = self.engine.score()
        scores = self.referee.machine.scores(self.state)
        found: list[Mismatch] = []
        if scores is not None and "scores" in said:
            expected = [list(each) for each in scores.items()]
            if _pairs(said["scores"]) != expected:
                found.append(Mismatch("score", str(expected), str(said["scores"]), None))
        winners = self.referee.machine.winners(self.state)
        final = self.referee.machine.is_final(self.state)
        if final and winners is not None and said.get("winners", winners) != winners:
            found.append(Mismatch("wins", str(winners), str(said["winners"]), None))
        self.coverage.scored(self.referee.instance.spec)
        if found:
            raise Parted("score", self.game(), mismatches=found)

    def _compare(self, reported: Mapping[str, Json] | None) -> None:
        """Whether an engine says that things stand as they do, if it says so."""
        if reported is None:
            self.coverage.unreported += not self._asks_for_state
        elif found := self._mismatches(reported):
            raise Parted("state", self.game(), mismatches=found)

    def _is_refused(
        self, event: Happening | Mapping[str, Json], answers: Mapping[str, Answer]
    ) -> None:
        """The engine refuses an event, and that leaves everything as it was."""
        write = copied if isinstance(event, Mapping) else self.referee.event_json
        self.trying = event
        try:
            answers["apply"](write, event)
        except Refusal:
            pass
        else:
            raise Parted("accepted", self.game(event))
        if "state" in self.engine.can:
            found = self._mismatches(answers["state"](write, event))
            if found:
                raise Parted("state", self.game(event), "refused, and yet changed", found)
        self.trying = None

    def _mismatches(self, reported: Mapping[str, Json] | None) -> list[Mismatch]:
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
        position = decode_variables(known, self.referee.instance)
        return self.referee.mismatches(position, otherwise)


def replay(game: Game, engine: Engine) -> Parted | EngineFault | None:
    """How spec and engine part when they play a game; events that the spec refuses on the way
    are left out, the last is tried in any case."""
    pair = Pair(game.referee, engine, Coverage())
    try:
        pair.begin(list(game.begin), game.loaded)
        for event in game.events:
            if game.referee.allows(pair.state, event):
                pair.play(event)
        if game.last is not None:
            pair.try_event(game.last)
        pair.compare_legal()
        pair.compare_scores()
    except Parted as parted:
        return parted
    except EngineFault as fault:
        fault.game = pair.game(pair.trying)
        return fault
    return None


def copied(value: Mapping[str, Json]) -> dict[str, Json]:
    """JSON that whoever gets it may keep and change."""
    return json.loads(json.dumps(value))  # type: ignore[no-any-return]


def _key(event: Happening) -> Happening:
    """Something that is the same for the same event, and hashable."""
    return tuple(tuple(sorted(each.items())) if isinstance(each, dict) else each for each in event)


def _pairs(scores: Json) -> Json:
    """Scores as pairs of player and points; a list without players is taken by seat."""
    if isinstance(scores, dict) and all(str(player).isdecimal() for player in scores):
        return sorted(([int(player), each] for player, each in scores.items()), key=itemgetter(0))
    if isinstance(scores, list) and all(isinstance(each, int) for each in scores):
        return [[seat, each] for seat, each in enumerate(scores, start=1)]
    return scores

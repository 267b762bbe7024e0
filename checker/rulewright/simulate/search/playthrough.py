"""One game played by a policy and watched by an observer: the loop that all random games share."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.search.policies import Policy

SEEN = "seen"
"""The observer has seen enough."""
NOTHING = "nothing"
"""The policy chose nothing: the game is over, or stuck, or the policy has no more to say."""
NO_VALUE = "no value"
"""An event asks for something that has no value."""
UNCHOSEN = "unchosen"
"""Choosing asks for something that has no value."""
LONG = "long"
"""So many events have happened."""


class Observer:
    """Is told what happens in a game. Here it does not care."""

    def chosen(self, state: State, event: Happening) -> None:
        """An event is about to happen."""

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        """A transition took place: an event, or a step it sets off. Whether that is enough."""
        return False

    def settled(self, event: Happening, state: State) -> None:
        """An event has happened, with all its steps."""


class Playthrough:
    """A game so far: where it began, what has happened, where it is."""

    def __init__(self, game: CompiledGame, start: State) -> None:
        self.game = game
        self.start = self.state = start
        self.events: list[Happening] = []
        self.error: EvaluationError | None = None

    def play(self, policy: Policy, observer: Observer, longest: int) -> str:
        """Plays on until the observer has seen enough, or for so many events; says why it ended."""
        game = self.game
        while len(self.events) < longest:
            try:
                event = policy(game, self.state)
            except EvaluationError as error:
                self.error = error
                return UNCHOSEN
            if event is None:
                return NOTHING
            observer.chosen(self.state, event)
            self.events.append(event)
            try:
                for transition, after in game.steps(self.state, event):
                    before, self.state = self.state, after
                    if observer.passed(transition, before, after):
                        return SEEN
            except EvaluationError as error:
                self.error = error
                return NO_VALUE
            observer.settled(event, self.state)
        return LONG

"""A game on the page: drawn, played by clicks or at random, gone back in. What is legal and what
happens is said by the compiled game, which the browser runs itself; why something is refused, by
the evaluator.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from rulewright.frontend import LoadedSpec
from rulewright.play.explain.why import describe, why
from rulewright.play.io.notation import write_event, write_line
from rulewright.play.io.parse_notation import read_arguments
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.move import IllegalMove
from rulewright.simulate.game import Rules
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts

MOST_MOVES = 200
"""So many legal moves are offered; any other can be written."""
MOST_STEPS = 100_000


class Board:
    """One game of a spec that can be used."""

    def __init__(self, checked: LoadedSpec, players: int | None, seed: int) -> None:
        self._game = Rules(checked).game(players, seed=seed)
        self._picture = Book(checked, Verdicts()).scene(self._game.instance)

    def view(self) -> dict[str, Any]:
        """What the page shows. The picture is HTML, in which no word of a spec is markup; all else
        is plain text."""
        game = self._game
        legal = [] if game.finished else game.legal()
        position = game.position
        return {
            "players": game.players,
            "phase": game.phase,
            "finished": game.finished,
            "scores": game.scores,
            "winners": game.winners if game.finished else None,
            "picture": self._picture.show(position, near=True),
            "words": "" if self._picture.show(position) else str(game.save()),
            "moves": [
                {"by": each.by, "text": write_event(each.event, game.instance)}
                for each in islice(legal, MOST_MOVES)
            ],
            "more": max(0, len(legal) - MOST_MOVES),
            "chance": not game.finished and game.chance_decides,
            "history": [write_line(each.event, game.instance) for each in game.history],
        }

    def play(self, move: str, by: int | None) -> str | None:
        """Makes a move, or a chance event; says why if the rules refuse it."""
        try:
            self._game.play(move, by)
        except IllegalMove as refused:
            return str(refused)
        return None

    def chance(self) -> None:
        """Lets chance decide."""
        self._game.chance()

    def step(self, most: int) -> int:
        """Goes on at random for so many events at most; says how many there were."""
        done = 0
        while done < min(most, MOST_STEPS) and not self._game.finished:
            if self._game.step() is None:
                break
            done += 1
        return done

    def undo(self) -> None:
        """Takes the last event back."""
        self._game.undo()

    def why(self, move: str, by: int | None) -> list[str]:
        """Why a move is refused here, or what it will change."""
        game = self._game
        name, arguments = read_arguments(move, game.instance, by)
        if by is None and game.instance.transitions[name].kind == "move":
            raise UsageError(f"`{name}` is made by a player", "say which")
        answer = why(game.instance, game.position, name, by, arguments)
        return list(describe(answer, game.instance))

"""What a page asks, answered: JSON in, JSON out.

A request is `{"ask": …}` with what belongs to it; the answer is an object. What cannot be done is
answered by `{"refused": …, "help": …}`, in the words of the program.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulewright.diagnostics import Messages, TooManyError
from rulewright.fixes import mend
from rulewright.frontend import FRAMES, LoadedSpec, check_text, check_variants, empty, look_closer
from rulewright.lsp import game_view
from rulewright.meaning.core import Spec
from rulewright.meaning.elaborate import elaborate
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.playground import commands
from rulewright.playground.board import Board
from rulewright.report.json import diagnostic_as_object
from rulewright.resources import bundled_specs
from rulewright.site.model.verdicts import Verdicts, verdicts_in
from rulewright.syntax import tree
from rulewright.syntax.parsing.incremental import IncrementalParser
from rulewright.syntax.printing.formatter import format_text
from rulewright.system.limits import most

FILE, OLD = "game.rules", "before.rules"
BEGIN = "pig"
"""The game that is shown first."""


class Session:
    """One page: what is known of its text, and the game that is played on it."""

    def __init__(self, tell: commands.Tell) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        self._tell = tell
        self._parser = IncrementalParser(FILE)
        self._board: Board | None = None

    def answer(self, request: str) -> str:
        """Answers a request."""
        given = json.loads(request)
        ask: Callable[[dict[str, Any]], dict[str, Any]] | None
        ask = getattr(self, f"ask_{given['ask']}", None)
        try:
            found = {"refused": "nobody knows how", "help": None} if ask is None else ask(given)
        except (UsageError, EvaluationError) as error:
            found = {"refused": error.message, "help": getattr(error, "help", None)}
        except KeyboardInterrupt:  # somebody stopped it where no command was at work
            found = {"refused": "it was stopped", "help": None}
        return json.dumps(found)

    # ---- the text

    def ask_games(self, given: dict[str, Any]) -> dict[str, Any]:
        """The texts of all games that come with the program."""
        found = {name: path.read_text("utf-8") for name, path in bundled_specs().items()}
        return {"games": found, "first": BEGIN}

    def ask_check(self, given: dict[str, Any]) -> dict[str, Any]:
        """What is wrong with a text. Of a text that was checked before, only what has changed is
        read again."""
        content = str(given["text"]).replace("\r\n", "\n")
        if len(content.encode("utf-8", "replace")) > most("bytes"):
            return {"refused": "the text is too large to be a spec", "help": None}
        syntax, messages = self._parser.parse(content)
        spec = None
        with suppress(TooManyError):
            spec = _looked_at(content, syntax, messages)
        return {
            "usable": spec is not None and not messages.failed,
            "diagnostics": [diagnostic_as_object(each) for each in messages.sorted()],
            "players": None if spec is None else [spec.least, spec.most],
            "properties": [] if spec is None else [each.name for each in spec.properties],
        }

    def ask_mend(self, given: dict[str, Any]) -> dict[str, Any]:
        """The text with all fixes made that mend something."""
        text, count, _ = mend(FILE, str(given["text"]))
        return {"text": text, "count": count}

    def ask_format(self, given: dict[str, Any]) -> dict[str, Any]:
        """The text in its canonical layout."""
        text, found = format_text(str(given["text"]), FILE)
        if text is None:
            raise UsageError("a text that cannot be read has no layout", found[0].message)
        return {"text": text}

    # ---- the board

    def ask_begin(self, given: dict[str, Any]) -> dict[str, Any]:
        """A new game."""
        self._board = Board(_checked(given), given.get("players"), int(given["seed"]))
        return self._board.view()

    def ask_play(self, given: dict[str, Any]) -> dict[str, Any]:
        """A move that is clicked or written."""
        said = self._playing.play(str(given["move"]), given.get("by"))
        return {**self._playing.view(), "note": said}

    def ask_chance(self, given: dict[str, Any]) -> dict[str, Any]:
        """What chance decides."""
        self._playing.chance()
        return self._playing.view()

    def ask_random(self, given: dict[str, Any]) -> dict[str, Any]:
        """A game that goes on at random."""
        self._playing.step(int(given["events"]))
        return self._playing.view()

    def ask_undo(self, given: dict[str, Any]) -> dict[str, Any]:
        """The last event taken back."""
        self._playing.undo()
        return self._playing.view()

    def ask_why(self, given: dict[str, Any]) -> dict[str, Any]:
        """Why a move is refused, or what it will change."""
        return {"lines": self._playing.why(str(given["move"]), given.get("by"))}

    @property
    def _playing(self) -> Board:
        if self._board is None:
            raise UsageError("no game has begun", "begin one")
        return self._board

    # ---- commands of the program

    def ask_run(self, given: dict[str, Any]) -> dict[str, Any]:
        """Many games at random."""
        asked = ["run", FILE, "--games", str(int(given["games"])), *_players(given)]
        return commands.in_words(asked, {FILE: str(given["text"])}, self._tell)

    def ask_test(self, given: dict[str, Any]) -> dict[str, Any]:
        """The worked examples, played."""
        return commands.in_words(["test", FILE], {FILE: str(given["text"])}, self._tell)

    def ask_perft(self, given: dict[str, Any]) -> dict[str, Any]:
        """The lines of play, counted."""
        asked = ["perft", FILE, "--depth", str(int(given["depth"])), *_players(given)]
        return commands.in_words(asked, {FILE: str(given["text"])}, self._tell)

    def ask_diff(self, given: dict[str, Any]) -> dict[str, Any]:
        """What is different from the version that somebody began with."""
        files = {OLD: str(given["old"]), FILE: str(given["text"])}
        return commands.in_words(["diff", OLD, FILE, "--quick"], files, self._tell)

    def ask_prove(self, given: dict[str, Any]) -> dict[str, Any]:
        """What always holds, with a game for each claim that does not."""
        asked = ["prove", FILE, "--defaults", *_players(given)]
        found = commands.as_report(asked, {FILE: str(given["text"])}, self._tell)
        report = found["report"]
        if report is None:
            return found
        book = Verdicts(verdicts_in(report))
        shown = {each["name"] for each in report["results"] if each["trace"]}
        games: dict[str, str | None] = {}
        with suppress(KeyboardInterrupt):  # what is proved is told, whatever is drawn of it
            for name in sorted(shown):
                games[name] = game_view.verdict_page(FILE, str(given["text"]), book, name)
        return {**found, "games": games}


def _checked(given: dict[str, Any]) -> LoadedSpec:
    return check_text(FILE, str(given["text"]))


def _players(given: dict[str, Any]) -> list[str]:
    number = given.get("players")
    return [] if number is None else ["--players", str(int(number))]


def _looked_at(content: str, syntax: tree.Spec, messages: Messages) -> Spec | None:
    """The core of a text, whatever is wrong with it."""
    if not content.strip():
        empty(messages)
        return None
    elaborated = elaborate(syntax, messages)
    check_variants(syntax, messages)
    look_closer(elaborated, syntax, messages)
    return elaborated.spec

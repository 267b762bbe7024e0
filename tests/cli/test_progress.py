"""Progress is for whoever watches, and for nobody else."""

from __future__ import annotations

from io import StringIO

from rulewright.cli.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def working_on(stream: StringIO) -> str:
    with Progress(stream) as progress:
        progress.say("proving qwixx: 12 of 80")
        progress.say("proving qwixx: 13 of 80")
    return stream.getvalue()


def test_a_terminal_has_one_line_that_is_wiped_away_in_the_end():
    first, second, last = working_on(Terminal()).split("\r\x1b[K")[1:]
    assert (first, second, last) == ("proving qwixx: 12 of 80", "proving qwixx: 13 of 80", "")


def test_a_log_has_none_of_it():
    assert working_on(StringIO()) == ""

"""What a change must not do for the job to pass: `--allow` and `--forbid` of `diff`.

A gate that nothing would be looked at for is refused, since it would let everything through.
"""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence

from rulewright.change.output.text import ChangeReport, lost
from rulewright.cli.errors import RefusalError
from rulewright.cli.inputs.git_versions import SpecVersion
from rulewright.diagnostics import Diagnostic

VERDICTS = ("equal", "stricter", "looser", "incomparable", "changed")
FORBIDDEN = ("property-lost", "example-broken", "game-broken")


def verdicts(text: str) -> tuple[str, ...]:
    """The verdicts that `--allow` names."""
    return _words(text, VERDICTS, "verdict")


def forbidden(text: str) -> tuple[str, ...]:
    """What `--forbid` names."""
    return _words(text, FORBIDDEN, "thing to forbid")


def _words(text: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    words = tuple(each.strip() for each in text.split(",") if each.strip())
    for word in words:
        if word not in known:
            raise ArgumentTypeError(f"`{word}` is no {what}: there are {', '.join(known)}")
    return words


def check_gates(options: Namespace) -> None:
    """Refuses a gate that nothing would be looked at for: it would let everything through."""
    if "property-lost" in options.forbid and options.quick:
        raise RefusalError(
            "`--forbid property-lost` needs proofs, which `--quick` leaves out",
            "leave out one of the two",
        )
    if "game-broken" in options.forbid and not options.games:
        raise RefusalError(
            "`--forbid game-broken` has no games to look at", "name some with `--games FILE...`"
        )


def violations(change: ChangeReport, new: SpecVersion, options: Namespace) -> Iterator[Diagnostic]:
    """Whatever shows up that somebody did not want."""
    file = new.checked.file
    if options.allow is not None:
        for verdict in change.compared.verdicts:
            if verdict.verdict not in options.allow:
                message = f"`{verdict.subject.name}` is {verdict.verdict}"
                help = f"allowed are {', '.join(options.allow)}"
                yield Diagnostic(file, *_place(new, verdict.subject.new), "RW320", "error", message,
                                 help)  # fmt: skip
    if "property-lost" in options.forbid:
        for fate in lost(change):
            message = f"the property `{fate.name}` is lost: {fate.prose or 'a game breaks it'}"
            place = _place(new, _property(new, fate.name))
            help = "keep the property, or say that it no longer holds"
            yield Diagnostic(file, *place, "RW321", "error", message, help)
    if "example-broken" in options.forbid:
        for each in change.examples:
            if each.what == "broken":
                message = f"the example `{each.name}` does not play any more: {each.message}"
                yield Diagnostic(file, 1, 1, 1, 1, "RW322", "error", message, None)
    if "game-broken" in options.forbid:
        for game in change.games or ():
            if game.fate != "same":
                message = f"a recorded game is {game.fate}: {game.message}"
                yield Diagnostic(game.file, game.line, 1, game.line, 1, "RW323", "error", message)


def _place(new: SpecVersion, node: object) -> tuple[int, int, int, int]:
    """The line and column of the first line of something in the new file."""
    span = getattr(node, "span", None)
    if span is None or new.checked.text is None:
        return 1, 1, 1, 1
    line, column = new.checked.text.place(span.start)
    return line, column, line, len(new.checked.text.line(line)) + 1


def _property(new: SpecVersion, name: str) -> object:
    return next((each for each in new.core.properties if each.name == name), None)

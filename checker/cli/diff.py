"""Says what a rule change does: OLD and NEW are files, bundled games, or REV:PATH of git.

Any of them can be followed by `@VARIANT`. First the story of the text; then, proved for all
positions, what is stricter, looser or different; then properties, worked examples, recorded
games, and random play by both rules.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from checker import __version__
from checker.change.aside import Aside
from checker.change.breaking import breaking, breaking_these
from checker.change.compare import Comparison
from checker.change.effect import rows, sample
from checker.change.examples import Affected, affected
from checker.change.objects import fate_object, play_object, verdict_object
from checker.change.properties import Prover
from checker.change.reaching import Budget
from checker.change.recorded import Retold, retold
from checker.change.renaming import with_state_names
from checker.change.standing import NOT_ASKED, OPEN, Fate
from checker.change.story import as_object, renames, story
from checker.change.telling import Change, Play, in_short, lost, told
from checker.change.touch import touch
from checker.cli.exits import FAILS, HOLDS, UNDECIDED
from checker.cli.gates import VERDICTS, check_gates, forbidden, verdicts, violations
from checker.cli.options import (
    add_format,
    add_limit,
    add_players,
    add_readings,
    add_timeout,
    add_variant,
)
from checker.cli.outcome import STATUS, counted
from checker.cli.progress import Progress
from checker.cli.refusal import RefusalError
from checker.cli.versions import Version, read_version
from checker.cli.ways import not_shared, settings_of
from checker.message import Diagnostic
from checker.play.errors import UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.prove.cache import Cache
from checker.prove.lemmas import Lemmas
from checker.report.emit import emit
from checker.report.record import Report, Result
from checker.resources import cache_directory
from checker.stopping import StoppedError
from checker.vc.context import Setting

Played: TypeAlias = "tuple[tuple[Affected, ...], int, tuple[Retold, ...] | None, Play | None]"
"""What becomes of the worked examples, how many were played, recorded games, random play."""
Games: TypeAlias = dict[str, tuple[Event, ...]]
"""Games that break a property, by its name."""
RANDOM_GAMES = 40
"""Played in search of one that breaks a property."""


def configure(parser: ArgumentParser) -> None:
    """The arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="a file, a bundled game, or REV:PATH of git")
    parser.add_argument("new", metavar="NEW", help="the same; NAME@VARIANT for a variant")
    add_players(parser)
    add_readings(parser)
    add_variant(parser)
    parser.add_argument(
        "--allow", type=verdicts, metavar="VERDICT,...",
        help="exit 1 if a verdict is none of these: equal, stricter, looser, incomparable, changed",
    )  # fmt: skip
    parser.add_argument(
        "--forbid", type=forbidden, default=(), metavar="WHAT,...",
        help="exit 1 on property-lost, example-broken or game-broken",
    )  # fmt: skip
    parser.add_argument(
        "--games", nargs="+", default=[], metavar="FILE", help="recorded games to play by both"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with all of it")
    parser.add_argument(
        "--random-games", type=_number, default=200, metavar="N",
        help="random games by either rules (default: 200; 0 for none)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="for random play (0)")
    parser.add_argument(
        "--quick", action="store_true", help="text, verdicts and examples only: no proofs, no play"
    )
    parser.add_argument(
        "--thorough", action="store_true", help="prove both versions as `prove` does"
    )
    add_timeout(parser, 10.0, "for a question")
    parser.add_argument("--jobs", type=_number, metavar="N", help="on so many processes")
    parser.add_argument("--no-cache", action="store_true", help="ask everything anew")
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Compares, reports, and judges by what is allowed."""
    check_gates(options)
    old, new = (
        read_version(options.old, options.variant),
        read_version(options.new, options.variant),
    )
    try:
        with Progress(sys.stderr) as progress:
            change = change_of(old, new, options, progress.say)
    except UsageError as error:
        raise RefusalError(error.message, error.help or "see `rulewright diff --help`") from error
    except OSError as error:
        message = f"`{error.filename}` cannot be read: {str(error.strerror).lower()}"
        raise RefusalError(message, "`--games` takes files that `rulewright run` writes") from error
    found = list(violations(change, new, options))
    results = _results(change, found)
    undecided = any(each.proof == "unknown" for each in change.compared.verdicts)
    undecided = undecided or change.stopped is not None
    if "property-lost" in options.forbid:
        undecided = undecided or any(each.fate == OPEN for each in change.properties or ())
    exit_code = FAILS if found else UNDECIDED if undecided else HOLDS
    if options.html is not None:
        from checker.change.page import page

        options.html.write_text(page(change), encoding="utf-8")
    report = Report(
        command="diff",
        version=__version__,
        spec=new.checked.file,
        spec_hash=new.checked.hash,
        results=tuple(results),
        diagnostics=tuple(found),
        summary=_summary(change, found),
        exit=exit_code,
        texts=(new.checked.text,) if new.checked.text is not None else (),
        closing=_closing(change, found),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def change_of(old: Version, new: Version, options: Namespace, say: Callable[[str], None]) -> Change:
    """Everything there is to say of a change. What asks no solver is done aside."""
    folder = None if options.no_cache else cache_directory() / "proofs"
    ways = settings_of(old, new, options)
    first = ways[0]
    played = Aside(lambda: _played_by_both(old, new, first, options))
    lemmas = Lemmas(options.timeout, folder, options.jobs)
    budget = Budget(options.timeout, search=2 * options.timeout, seed=options.seed)
    renamed = renames(old.tree, new.tree)
    before = with_state_names(old.core, renamed)
    comparison = Comparison(before, new.core, ways, lemmas, Cache(folder, "change"), budget, say)
    compared = comparison.run(renamed)
    stopped = comparison.stopped
    missing = ["some of the rules"] if stopped is not None else []
    properties: tuple[Fate, ...] | None = None
    numbers = [each for each in ways if each.readings == first.readings]
    if not options.quick:
        complete = "property-lost" in options.forbid
        prover = Prover(options.timeout, folder, options.jobs, say, options.thorough, complete)

        def broken(instance: Instance) -> Games:
            say("looking for games that break a property")
            return breaking(instance, compared.verdicts, RANDOM_GAMES, options.seed)

        def broken_anyhow(instance: Instance, names: Collection[str]) -> Games:
            say("looking for games that break what is not proved any more")
            return breaking_these(instance, names, options.seed)

        touched = touch(before, new.core, compared.verdicts)
        try:
            if stopped is None:
                properties = tuple(
                    prover.fates(before, new.core, numbers, touched, broken, broken_anyhow)
                )
        except StoppedError as end:
            stopped = end.why
        missing += ["properties"] if properties is None else []
    say("playing by both")
    (examples, count, games, play), stopped = _done_aside(played, stopped)
    missing += ["worked examples", "recorded games", "random play"] if not count and stopped else []
    return Change(
        old.shown, new.shown, tuple(story(old.tree, new.tree)), compared, properties,
        tuple(numbers), examples, count, games, play, tuple(not_shared(old, new)),
        stopped, tuple(missing),
    )  # fmt: skip


def _done_aside(played: Aside[Played], stopped: str | None) -> tuple[Played, str | None]:
    """What was done aside, and why that is nothing if the run is ended before it is done."""
    try:
        if stopped is None or played.is_done:
            return played.result(), stopped
    except StoppedError as end:
        stopped = end.why
    played.end()
    return ((), 0, None, None), stopped


def _played_by_both(old: Version, new: Version, setting: Setting, options: Namespace) -> Played:
    """The worked examples, recorded games and games at random."""
    examples, count = affected(old.core, new.core, (old.checked.variant, new.checked.variant))
    games: tuple[Retold, ...] | None = None
    if options.games:
        games = tuple(each for file in options.games for each in retold(file, old.core, new.core))
    return tuple(examples), count, games, _at_random(old, new, setting, options)


def _at_random(old: Version, new: Version, setting: Setting, options: Namespace) -> Play | None:
    if options.quick or not options.random_games:
        return None
    one, other = (
        sample(
            Instance(version.core, setting.players, dict(setting.readings)),
            options.random_games,
            options.seed,
        )
        for version in (old, new)
    )
    return Play(setting.players, options.seed, one, other, tuple(rows(one, other)))


# ---- what is reported


def _results(change: Change, found: Sequence[Diagnostic]) -> list[Result]:
    """One result for the story, then one for each verdict, property, example and game."""
    story = {"story": [as_object(each) for each in change.story]}
    results = [Result("diff", STATUS[HOLDS], story, tuple(told(change)))]

    def add(
        name: str, data: Mapping[str, object], own: Iterable[Diagnostic], otherwise: int
    ) -> None:
        about = tuple(own)
        results.append(Result(name, STATUS[FAILS if about else otherwise], data, (), about))

    for verdict in change.compared.verdicts:
        said = f"`{verdict.subject.name}` is {verdict.verdict}"
        otherwise = UNDECIDED if verdict.proof == "unknown" else HOLDS
        own = (each for each in found if each.message == said)
        add(verdict.subject.name, verdict_object(verdict), own, otherwise)
    for fate in change.properties or ():
        own = (d for d in found if d.code == "RW321" and f"`{fate.name}`" in d.message)
        add(fate.name, fate_object(fate), own, HOLDS)
    for each in change.examples:
        own = (d for d in found if d.code == "RW322" and f"`{each.name}`" in d.message)
        data = {"example": each.name, "what": each.what, "message": each.message}
        add(each.name, data, own, HOLDS)
    for game in change.games or ():
        own = (d for d in found if (d.file, d.line) == (game.file, game.line))
        shown = {"game": game.file, "line": game.line, "fate": game.fate, "message": game.message}
        add(game.file, shown, own, HOLDS)
    if change.play is not None:
        results.append(Result("play", STATUS[HOLDS], {"play": play_object(change.play)}))
    return results


def _summary(change: Change, found: Sequence[Diagnostic]) -> dict[str, object]:
    counts = dict.fromkeys(VERDICTS, 0)
    for verdict in change.compared.verdicts:
        counts[verdict.verdict] += 1
    ended: dict[str, object] = {}
    if change.stopped is not None:
        ended = {"stopped": change.stopped, "missing": list(change.missing)}
    return {
        **counts,
        "unknown": sum(each.proof == "unknown" for each in change.compared.verdicts),
        "properties_lost": len(lost(change)),
        "properties_not_asked": [
            each.name for each in change.properties or () if each.fate == NOT_ASKED
        ],
        "examples_broken": sum(each.what == "broken" for each in change.examples),
        "violations": len(found),
        "not_compared": [each.variable for each in change.compared.mismatches],
        "ways_not_compared": list(change.apart),
        **ended,
    }


def _closing(change: Change, found: Sequence[Diagnostic]) -> str:
    verdict = f"; {counted(len(found), 'violation')}" if found else ""
    ended = ""
    if change.stopped is not None:
        ended = f"\nnot everything was asked: {change.stopped}"
        ended += f"; nothing is known of {', '.join(change.missing)}" if change.missing else ""
    return f"compared: {in_short(change)}{verdict}{ended}"


def _number(text: str) -> int:
    if not text.isdigit():
        raise ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)

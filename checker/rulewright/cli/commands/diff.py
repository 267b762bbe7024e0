"""Says what a rule change does. OLD and NEW are files, bundled games, or REV:PATH of git.

Each can be followed by `@VARIANT`. The report has the differences of the text; what is stricter,
looser or different, proved for all positions; and the effects on properties, worked examples,
recorded games and random play.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rulewright import __version__
from rulewright.change.games.background import BackgroundTask
from rulewright.change.games.reachability import SearchBudget
from rulewright.change.impact.affected_proofs import affected_proofs
from rulewright.change.impact.examples import AffectedExample, affected_examples
from rulewright.change.impact.play_statistics import GAMES, sample_games, statistics_rows
from rulewright.change.impact.properties import ChangeProver
from rulewright.change.impact.property_status import NOT_ASKED, OPEN, PropertyDiff
from rulewright.change.impact.recorded_games import ReplayedGame, replay_recorded
from rulewright.change.impact.violations import find_these_violations, find_violations
from rulewright.change.output.json import fate_object, play_object, verdict_object
from rulewright.change.output.text import ChangeReport, PlayComparison, change_lines, in_short, lost
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.text.renaming import with_state_names
from rulewright.change.text.text_diff import as_object, renames, text_diffs
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS, counted
from rulewright.cli.inputs.git_versions import SpecVersion, read_version
from rulewright.cli.inputs.reading_language import told_in
from rulewright.cli.inputs.shared_configurations import not_shared, settings_of
from rulewright.cli.options import (
    add_distribution,
    add_format,
    add_language,
    add_limit,
    add_players,
    add_readings,
    add_timeout,
    add_variant,
)
from rulewright.cli.output.diff_gates import VERDICTS, check_gates, forbidden, verdicts, violations
from rulewright.cli.output.named_files import write_output
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas
from rulewright.report.emit import emit
from rulewright.report.model import Report, Result
from rulewright.resources import cache_directory
from rulewright.system.interrupts import StoppedError

if TYPE_CHECKING:
    from rulewright.site.model.book import Book

Played: TypeAlias = (
    "tuple[tuple[AffectedExample, ...], int, "
    "tuple[ReplayedGame, ...] | None, PlayComparison | None]"
)
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
        "--whats-new", type=Path, metavar="FILE",
        help="write a page for readers: what is new in this edition, in sentences and pictures",
    )  # fmt: skip
    add_language(parser)
    parser.add_argument(
        "--random-games", type=_number, metavar="N",
        help=f"random games by either rules (default: up to {GAMES:,}, fewer if they take long; "
        "0 for none)",
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
    add_distribution(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Compares, reports, and judges by what is allowed."""
    check_gates(options)
    old, new = (
        read_version(options.old, options.variant),
        read_version(options.new, options.variant),
    )
    paged = options.html is not None or options.whats_new is not None
    books = [_book(each, options.language) for each in (old, new)] if paged else []
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
    emit(report, options.format, sys.stdout, sys.stderr)
    if books:  # what was found is told, whether the pages can be written or not
        _write_pages(change, books, renames(old.tree, new.tree), options)
    return exit_code


def _book(version: SpecVersion, language: str) -> Book:
    """A version as it is told to readers of a language."""
    from rulewright.site.model.book import Book
    from rulewright.site.model.verdicts import Verdicts

    told, wording, _ = told_in(version.checked, language)
    book = Book(told, Verdicts(), wording)
    if version.variant is not None:
        book.spec = told.variant(version.variant)
    return book


def _write_pages(
    change: ChangeReport, books: Sequence[Book], renamed: Mapping[tuple[str, str], str],
    options: Namespace,
) -> None:  # fmt: skip
    """The report for editors and the page for readers, as far as they are asked for."""
    from rulewright.change.output.html import page
    from rulewright.site.rulebook.edition import whats_new
    from rulewright.site.rulebook.edition_page import edition_page, edition_part

    old, new = books
    sections = whats_new(change, old, new, renamed)
    if options.html is not None:
        write_output(options.html, page(change, edition_part(sections, new.wording)))
    if options.whats_new is not None:
        shown = edition_page(new.spec.title, sections, new.wording)
        write_output(options.whats_new, shown)


def change_of(
    old: SpecVersion, new: SpecVersion, options: Namespace, say: Callable[[str], None]
) -> ChangeReport:
    """Everything there is to say of a change. What asks no solver is done aside."""
    folder = None if options.no_cache else cache_directory() / "proofs"
    ways = settings_of(old, new, options)
    first = ways[0]
    played = BackgroundTask(lambda: _played_by_both(old, new, first, options))
    lemmas = Lemmas(options.timeout, folder, options.jobs)
    budget = SearchBudget(options.timeout, search=2 * options.timeout, seed=options.seed)
    renamed = renames(old.tree, new.tree)
    before = with_state_names(old.core, renamed)
    comparison = SpecComparison(before, new.core, ways, lemmas, Cache(folder), budget, say)
    compared = comparison.run(renamed)
    stopped = comparison.stopped
    missing = ["some of the rules"] if stopped is not None else []
    properties: tuple[PropertyDiff, ...] | None = None
    numbers = [each for each in ways if each.readings == first.readings]
    if not options.quick:
        complete = "property-lost" in options.forbid
        prover = ChangeProver(
            options.timeout, folder, options.jobs, say, options.thorough, complete
        )

        def broken(instance: Instance) -> Games:
            say("looking for games that break a property")
            return find_violations(instance, compared.verdicts, RANDOM_GAMES, options.seed)

        def broken_anyhow(instance: Instance, names: Collection[str]) -> Games:
            say("looking for games that break what is not proved any more")
            return find_these_violations(instance, names, options.seed)

        touched = affected_proofs(before, new.core, compared.verdicts)
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
    return ChangeReport(
        old.shown, new.shown, tuple(text_diffs(old.tree, new.tree)), compared, properties,
        tuple(numbers), examples, count, games, play, tuple(not_shared(old, new)),
        stopped, tuple(missing),
    )  # fmt: skip


def _done_aside(played: BackgroundTask[Played], stopped: str | None) -> tuple[Played, str | None]:
    """What was done aside, and why that is nothing if the run is ended before it is done."""
    try:
        if stopped is None or played.is_done:
            return played.result(), stopped
    except StoppedError as end:
        stopped = end.why
    played.end()
    return ((), 0, None, None), stopped


def _played_by_both(
    old: SpecVersion, new: SpecVersion, configuration: Configuration, options: Namespace
) -> Played:
    """The worked examples, recorded games and games at random."""
    examples, count = affected_examples(
        old.core, new.core, (old.checked.variant, new.checked.variant)
    )
    games: tuple[ReplayedGame, ...] | None = None
    if options.games:
        games = tuple(
            each for file in options.games for each in replay_recorded(file, old.core, new.core)
        )
    return tuple(examples), count, games, _at_random(old, new, configuration, options)


def _at_random(
    old: SpecVersion, new: SpecVersion, configuration: Configuration, options: Namespace
) -> PlayComparison | None:
    if options.quick or options.random_games == 0:
        return None
    first, second = (
        Instance(version.core, configuration.players, dict(configuration.readings))
        for version in (old, new)
    )
    one, other = sample_games(first, second, options.random_games, options.seed)
    return PlayComparison(
        configuration.players, options.seed, one, other, tuple(statistics_rows(one, other))
    )


# ---- what is reported


def _results(change: ChangeReport, found: Sequence[Diagnostic]) -> list[Result]:
    """One result for the story, then one for each verdict, property, example and game."""
    story = {"story": [as_object(each) for each in change.story]}
    results = [Result("diff", STATUS[HOLDS], story, tuple(change_lines(change)))]

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


def _summary(change: ChangeReport, found: Sequence[Diagnostic]) -> dict[str, object]:
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


def _closing(change: ChangeReport, found: Sequence[Diagnostic]) -> str:
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

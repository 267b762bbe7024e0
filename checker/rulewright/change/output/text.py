"""Text report of a whole change, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.change.impact.examples import BROKEN, MENDED, OTHERWISE, AffectedExample
from rulewright.change.impact.play_statistics import GameSample, StatisticsRow
from rulewright.change.impact.property_status import (
    LOST,
    NOT_ASKED,
    OPEN,
    SAME,
    SHAKY,
    PropertyDiff,
    PropertyStatus,
)
from rulewright.change.impact.recorded_games import SAME as GOES_ON
from rulewright.change.impact.recorded_games import ReplayedGame
from rulewright.change.output.difference_view import LONGEST_GAME, shown
from rulewright.change.semantic.verdict import (
    UNTOUCHED,
    ComparisonResult,
    ComparisonVerdict,
    Difference,
)
from rulewright.change.text.text_diff import TextDiff
from rulewright.kernel.comparison import EQUAL
from rulewright.play.explain.game_view import event_lines
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration
from rulewright.report.text_width import counted
from rulewright.syntax.node import Node

MEANS = {
    "stricter": "the old rules allow what the new ones refuse",
    "looser": "the new rules allow what the old ones refuse",
    "changed": "it does something else",
}


class PlayComparison(Node):
    """Random games by both rules: how they were played, what they came to."""

    players: int
    seed: int
    old: GameSample
    new: GameSample
    rows: tuple[StatisticsRow, ...]


class ChangeReport(Node):
    """All that is known of what a change does. None stands for what was not asked."""

    old: str
    new: str
    story: tuple[TextDiff, ...]
    compared: ComparisonResult
    properties: tuple[PropertyDiff, ...] | None
    property_settings: tuple[Configuration, ...]
    examples: tuple[AffectedExample, ...]
    examples_played: int
    games: tuple[ReplayedGame, ...] | None
    play: PlayComparison | None
    apart: tuple[str, ...] = ()
    """Ways to play that only one version knows."""
    stopped: str | None = None
    """Why not everything was asked, if the run was ended."""
    missing: tuple[str, ...] = ()
    """What nothing is known of then."""


def change_lines(change: ChangeReport) -> Iterator[str]:
    """The change in words."""
    yield f"{change.old} -> {change.new}"
    yield from _section("the text", _story(change.story))
    yield from _section(rules_title(change.compared), [*_verdicts(change.compared), *aside(change)])
    for verdict in change.compared.verdicts:
        for difference in verdict.differences:
            yield from _section(headline(verdict, difference), list(shown(difference)))
    if change.properties is not None:
        yield from _section(properties_title(change), list(_properties(change)))
    yield from _section("worked examples", _examples(change))
    if change.games is not None:
        yield from _section("recorded games", _games(change.games))
    if change.play is not None:
        yield from _section(play_title(change.play), _play(change.play))


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from (f"  {line}".rstrip() for line in lines)


def _story(chapters: Sequence[TextDiff]) -> list[str]:
    if not chapters:
        return ["nothing but layout"]
    return [line for chapter in chapters for line in chapter.lines()]


def rules_title(compared: ComparisonResult) -> str:
    """What the rules were compared for."""
    ways = {each.readings for each in compared.settings}
    readings = ", every reading" if len(ways) > 1 else ""
    return f"the rules, in every position ({_players(compared.settings)}{readings})"


def _players(settings: Sequence[Configuration]) -> str:
    """`2 to 5 players`."""
    numbers = sorted({each.players for each in settings})
    many = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
    return f"{many} {'player' if numbers == [1] else 'players'}"


def properties_title(change: ChangeReport) -> str:
    """What the properties were asked for."""
    return f"properties that the change can touch ({_players(change.property_settings)})"


def _verdicts(compared: ComparisonResult) -> list[str]:
    """A line for each subject that is not equal, one for all that are."""
    listed, equal = by_verdict(compared)
    room = max((len(_name(each)) for each in listed), default=0)
    lines = []
    for each in listed:
        lines.append(f"{_name(each):<{room}}  {each.verdict:<12}  {each.proof}")
        lines += [f"    {note}" for note in each.notes]
    if equal:
        lines.append(f"equal, proved: {', '.join(equal)}")
    return lines


def aside(change: ChangeReport) -> list[str]:
    """What is not compared."""
    return [*(each.shown() for each in change.compared.mismatches), *change.apart]


def by_verdict(compared: ComparisonResult) -> tuple[list[ComparisonVerdict], list[str]]:
    """The verdicts there is something to say of, and the names of what is equal."""
    listed = [
        each for each in compared.verdicts
        if each.verdict != EQUAL or (each.notes and each.notes != (UNTOUCHED,))
    ]  # fmt: skip
    return listed, [_name(each) for each in compared.verdicts if each not in listed]


def _name(verdict: ComparisonVerdict) -> str:
    return verdict.subject.name


def headline(verdict: ComparisonVerdict, difference: Difference) -> str:
    """`cross_sum: the new rules allow what the old ones refuse`."""
    subject = verdict.subject
    means = MEANS[difference.way]
    if subject.kind == "result":
        means = "a finished game has another result"
    elif subject.kind == "start":
        means = "a game can begin like this only by the " + (
            "old rules" if difference.way == "stricter" else "new rules"
        )
    return f"{subject.name}: {means}"


def _properties(change: ChangeReport) -> Iterator[str]:
    sorted_out = sort_out(change.properties or ())
    if not change.properties:
        yield "none"
    room = max((len(each.name) for each in sorted_out.listed), default=0)
    told_games: list[tuple[Event, ...]] = []
    for each in sorted_out.listed:
        prose = f"  ({each.prose})" if each.prose else ""
        yield f"{each.name:<{room}}  {verdict_in(each.old)} -> {verdict_in(each.new)}{prose}"
        if each.new is None or not each.new.note:
            continue
        events = each.new.events
        told_before = events is not None and events in told_games
        yield f"    {'the same game' if told_before else each.new.note}{length(each)}"
        if events is not None and each.new.instance is not None and not told_before:
            told_games.append(events)
            listed = event_lines(each.new.instance, events, LONGEST_GAME)
            yield from (f"      {line}" for line in listed)
    for title, names in sorted_out.gathered:
        yield f"{title}: {', '.join(names)}"
    if any(each.fate == OPEN for each in change.properties or ()):
        yield "`rulewright prove --only NAME` says more of what is not proved any more"


class PropertyGroups(Node):
    """Properties by what there is to say of them: each by itself, or many in a line."""

    listed: tuple[PropertyDiff, ...]
    gathered: tuple[tuple[str, tuple[str, ...]], ...]


def sort_out(fates: Sequence[PropertyDiff]) -> PropertyGroups:
    """What is as it was takes a line, what is not a paragraph."""
    same = [each for each in fates if each.fate == SAME]
    groups = {
        "not proved any more, for their proofs lean on those": [
            each for each in fates if each.new is not None and each.new.note == SHAKY
        ],
        "still proved": [each for each in same if verdict_in(each.new) == "proved"],
        "not asked without --thorough": [each for each in fates if each.fate == NOT_ASKED],
    }
    names = {each.name for group in groups.values() for each in group}
    return PropertyGroups(
        tuple(each for each in fates if each.name not in names),
        tuple((title, tuple(e.name for e in group)) for title, group in groups.items() if group),
    )


def verdict_in(status: PropertyStatus | None) -> str:
    """A verdict, a dash where the property is not there."""
    return "-" if status is None else status.verdict


def length(fate: PropertyDiff) -> str:
    """` in 12 events with 2 players`, of the game that breaks a property."""
    if fate.new is None or fate.new.events is None or fate.new.instance is None:
        return ""
    return f" in {counted(len(fate.new.events), 'event')} with {fate.new.instance.players} players"


def _examples(change: ChangeReport) -> list[str]:
    """A line for each example that is broken, mended, new or gone; of those that are only not meant
    for a variant, the names."""
    lines = [
        f"{each.what} `{each.name}`"
        + (f" [{', '.join(each.clauses)}]" if each.clauses else "")
        + (f": {each.message}" if each.message else "")
        for each in change.examples
        if each.what != OTHERWISE
    ]
    return [*lines, *examples_rest(change)]


def examples_rest(change: ChangeReport) -> list[str]:
    """How many examples nothing happens to, and which are not meant to play by both rules."""
    affected = sum(each.what in (BROKEN, MENDED, OTHERWISE) for each in change.examples)
    lines = [f"{change.examples_played - affected} of {change.examples_played} go as before"]
    otherwise = [each.name for each in change.examples if each.what == OTHERWISE]
    if otherwise:
        lines.append(
            f"{len(otherwise)} go another way, being written for one of the two only: "
            + ", ".join(otherwise)
        )
    return lines


def _games(games: Sequence[ReplayedGame]) -> list[str]:
    parted = [each for each in games if each.fate != GOES_ON]
    lines = [f"{each.file}:{each.line}: {each.fate}: {each.message}" for each in parted]
    return [*lines, f"{len(games) - len(parted)} of {len(games)} go as before"]


def play_title(play: PlayComparison) -> str:
    """What was played."""
    noun = "player" if play.players == 1 else "players"
    return f"random play ({play.old.games:,} games each, {play.players} {noun}, seed {play.seed})"


def _play(play: PlayComparison) -> list[str]:
    room = max(len(row.name) for row in play.rows) if play.rows else 0
    cells = [(row.old.shown(row.percent), row.new.shown(row.percent)) for row in play.rows]
    wide = max((len(cell) for pair in cells for cell in pair), default=3)
    lines = [f"{'':<{room}}  {'old':>{wide}}  {'new':>{wide}}"]
    for row, (one, other) in zip(play.rows, cells):
        mark = "" if row.clear else "  no clear difference"
        lines.append(f"{row.name:<{room}}  {one:>{wide}}  {other:>{wide}}{mark}")
    return lines


def lost(change: ChangeReport) -> list[PropertyDiff]:
    """The properties that were proved and are so no longer."""
    return [each for each in change.properties or () if each.fate == LOST]


def in_short(change: ChangeReport) -> str:
    """The change in a line."""
    differing = [each for each in change.compared.verdicts if each.verdict != EQUAL]
    parts = [f"{each.subject.name} {each.verdict}" for each in differing] or ["all equal"]
    broken = sum(each.what == BROKEN for each in change.examples)
    for count, one, several in (
        (len(lost(change)), "property lost", "properties lost"),
        (broken, "worked example broken", "worked examples broken"),
    ):
        if count:
            parts.append(f"{count} {one if count == 1 else several}")
    return ", ".join(parts)

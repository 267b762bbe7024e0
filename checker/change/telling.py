"""A whole change put together, and told to a person line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.change.effect import Row, Sample
from checker.change.examples import Affected
from checker.change.properties import AS_BEFORE, LOST, SAME, SHAKY, Fate, Standing
from checker.change.recorded import SAME as GOES_ON
from checker.change.recorded import Retold
from checker.change.story import Chapter
from checker.change.verdict import EQUAL, Compared, Difference, Verdict
from checker.change.witness import says
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.notation import write_line
from checker.play.picture import picture
from checker.prove.ground import Setting
from checker.syntax.node import Node

MEANS = {
    "stricter": "the old rules allow what the new ones refuse",
    "looser": "the new rules allow what the old ones refuse",
    "changed": "it does something else",
}
LONGEST_GAME = 30
"""Events that are listed; of a longer game only the last ones."""


class Play(Node):
    """Random games by both rules: how they were played, what they came to."""

    players: int
    seed: int
    old: Sample
    new: Sample
    rows: tuple[Row, ...]


class Change(Node):
    """All that is known of what a change does. None stands for what was not asked."""

    old: str
    new: str
    story: tuple[Chapter, ...]
    compared: Compared
    properties: tuple[Fate, ...] | None
    property_settings: tuple[Setting, ...]
    examples: tuple[Affected, ...]
    examples_played: int
    games: tuple[Retold, ...] | None
    play: Play | None


def told(change: Change) -> Iterator[str]:
    """The change in words."""
    yield f"{change.old} -> {change.new}"
    yield from _section("the text", _story(change.story))
    yield from _section(_rules_title(change.compared), _verdicts(change.compared))
    for verdict in change.compared.verdicts:
        for difference in verdict.differences:
            yield from _section(headline(verdict, difference), list(shown(difference)))
    if change.properties is not None:
        title = f"properties that the change can touch ({_players(change.property_settings)})"
        yield from _section(title, _properties(change.properties))
    yield from _section("worked examples", _examples(change))
    if change.games is not None:
        yield from _section("recorded games", _games(change.games))
    if change.play is not None:
        yield from _section(play_title(change.play), _play(change.play))


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from (f"  {line}".rstrip() for line in lines)


def _story(chapters: Sequence[Chapter]) -> list[str]:
    if not chapters:
        return ["nothing but layout"]
    return [line for chapter in chapters for line in chapter.lines()]


def _rules_title(compared: Compared) -> str:
    ways = {each.readings for each in compared.settings}
    readings = ", every reading" if len(ways) > 1 else ""
    return f"the rules, in every position ({_players(compared.settings)}{readings})"


def _players(settings: Sequence[Setting]) -> str:
    """`2 to 5 players`."""
    numbers = sorted({each.players for each in settings})
    many = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
    return f"{many} {'player' if numbers == [1] else 'players'}"


def _verdicts(compared: Compared) -> list[str]:
    """A line for each subject that is not equal, one for all that are."""
    differing = [each for each in compared.verdicts if each.verdict != EQUAL or each.notes]
    listed = [each for each in differing if each.notes != ("not touched by the change",)]
    room = max((len(_name(each)) for each in listed), default=0)
    lines = []
    for each in listed:
        lines.append(f"{_name(each):<{room}}  {each.verdict:<12}  {each.proof}")
        lines += [f"    {note}" for note in each.notes]
    equal = [_name(each) for each in compared.verdicts if each not in listed]
    if equal:
        lines.append(f"equal, proved: {', '.join(equal)}")
    lines += [each.shown() for each in compared.mismatches]
    return lines


def _name(verdict: Verdict) -> str:
    return verdict.subject.name


def headline(verdict: Verdict, difference: Difference) -> str:
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


def shown(difference: Difference, sides: tuple[str, str] = ("old", "new")) -> Iterator[str]:
    """A difference for a person: the position, the event, what either side says, the game."""
    witness = difference.witness
    instance = witness.instances[1]
    yield f"with {difference.setting.shown()}, in this position"
    yield from (f"  {line}" for line in picture(instance, dict(witness.positions[1])))
    if witness.event is not None:
        yield f"{write_line(witness.event, instance)}"
    for side, word in enumerate(sides):
        first, *rest = says(witness, side)
        yield f"  {word}: {first}"
        yield from (f"  {'':{len(word)}}  {line.strip()}" for line in rest)
    yield from _game(difference)


def _game(difference: Difference) -> Iterator[str]:
    game = difference.game
    if difference.example is not None:
        yield f"this is a position of the worked example `{difference.example}`"
    if game is None:
        looked = f"within {difference.turns} turns" if difference.turns else "by playing at random"
        yield f"no game was found that gets there, {looked}"
        return
    if not game.events:
        return
    where = "there" if game.witness is difference.witness else "to another position of this kind"
    yield f"a game gets {where} in {_many(game.events)}:"
    yield from _events(game.events, game.witness.instances[0])


def _many(events: Sequence[Event]) -> str:
    return "1 event" if len(events) == 1 else f"{len(events)} events"


def _events(events: Sequence[Event], instance: Instance) -> Iterator[str]:
    hidden = max(0, len(events) - LONGEST_GAME)
    if hidden:
        yield f"  … {hidden} events"
    yield from (f"  {write_line(event, instance)}" for event in events[hidden:])


def _properties(fates: Sequence[Fate]) -> list[str]:
    if not fates:
        return ["none"]
    same = [each for each in fates if each.fate == SAME]
    kept = [each for each in same if _verdict(each.new) == "proved"]
    before = [each for each in same if _verdict(each.new) == AS_BEFORE]
    leaning = [each for each in fates if each.new is not None and each.new.note == SHAKY]
    listed = [each for each in fates if each not in (*kept, *before, *leaning)]
    room = max((len(each.name) for each in listed), default=0)
    lines = []
    told_games: list[tuple[Event, ...]] = []
    for each in listed:
        prose = f"  ({each.prose})" if each.prose else ""
        verdicts = f"{_verdict(each.old)} -> {_verdict(each.new)}"
        lines.append(f"{each.name:<{room}}  {verdicts}{prose}")
        if each.new is not None and each.new.note:
            events = each.new.events
            told_before = events is not None and events in told_games
            lines.append(f"    {'the same game' if told_before else each.new.note}{_length(each)}")
            if events is not None and each.new.instance is not None and not told_before:
                told_games.append(events)
                lines += [f"    {line}" for line in _events(events, each.new.instance)]
    if leaning:
        names = ", ".join(each.name for each in leaning)
        lines.append(f"not proved any more, for their proofs lean on those: {names}")
    if kept:
        lines.append(f"still proved: {', '.join(each.name for each in kept)}")
    if before:
        names = ", ".join(each.name for each in before)
        lines.append(f"as before, by all that the change can touch of their proofs: {names}")
    return lines


def _verdict(standing: Standing | None) -> str:
    return "-" if standing is None else standing.verdict


def _length(fate: Fate) -> str:
    if fate.new is None or fate.new.events is None or fate.new.instance is None:
        return ""
    return f" in {_many(fate.new.events)} with {fate.new.instance.players} players"


def _examples(change: Change) -> list[str]:
    lines = [
        f"{each.what} `{each.name}`"
        + (f" [{', '.join(each.clauses)}]" if each.clauses else "")
        + (f": {each.message}" if each.message else "")
        for each in change.examples
    ]
    rest = change.examples_played - sum(
        each.what in ("broken", "mended") for each in change.examples
    )
    return [*lines, f"{rest} of {change.examples_played} go as before"]


def _games(games: Sequence[Retold]) -> list[str]:
    parted = [each for each in games if each.fate != GOES_ON]
    lines = [f"{each.file}:{each.line}: {each.fate}: {each.message}" for each in parted]
    return [*lines, f"{len(games) - len(parted)} of {len(games)} go as before"]


def play_title(play: Play) -> str:
    """What was played."""
    noun = "player" if play.players == 1 else "players"
    return f"random play ({play.old.games} games each, {play.players} {noun}, seed {play.seed})"


def _play(play: Play) -> list[str]:
    room = max(len(row.name) for row in play.rows) if play.rows else 0
    cells = [(row.old.shown(row.percent), row.new.shown(row.percent)) for row in play.rows]
    wide = max((len(cell) for pair in cells for cell in pair), default=3)
    lines = [f"{'':<{room}}  {'old':>{wide}}  {'new':>{wide}}"]
    for row, (one, other) in zip(play.rows, cells):
        mark = "" if row.clear else "  no clear difference"
        lines.append(f"{row.name:<{room}}  {one:>{wide}}  {other:>{wide}}{mark}")
    return lines


def lost(change: Change) -> list[Fate]:
    """The properties that were proved and are so no longer."""
    return [each for each in change.properties or () if each.fate == LOST]

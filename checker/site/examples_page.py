"""The worked examples of a rulebook, step by step, each step as a picture of what it changed."""

from __future__ import annotations

from collections.abc import Iterator

from checker.meaning import core as c
from checker.play import evaluate as evaluation
from checker.play.beginning import initial_position
from checker.play.event import Event
from checker.play.examples import Played
from checker.play.instance import Instance
from checker.play.rules import Happened
from checker.play.values import Position
from checker.site.book import Book
from checker.site.expected import expected
from checker.site.markdown import anchor, code, heading, link, plain, sentence, spoken
from checker.site.places import answer, called
from checker.site.scene import Scene
from checker.site.wording import arguments, player, told
from checker.syntax.node import Node


class Step(Node):
    """One line of an example, the position before it, and what happened by it (nothing, if it is
    no event)."""

    line: c.Event | c.Refusal | c.Expectation
    before: Position
    happened: tuple[Happened, ...]


def examples_page(book: Book) -> str:
    """Every example of the game."""
    lines = [f"# Worked examples of {plain(book.spec.title)}", ""]
    lines += ["Each of these is played by the rules whenever the pages are made. A step shows what "
              "it changed; ✗ marks what the rules refuse, with the reason; ✓ what is expected of "
              "the position, and is so. Some are told by the rulebook; the others are ours and "
              "show what its text comes to.", ""]  # fmt: skip
    for played in book.played:
        lines += example(book, played)
    return "\n".join(lines).rstrip("\n") + "\n"


def example(book: Book, played: Played) -> list[str]:
    """One example from the position it is given to its end."""
    shown = played.example
    lines = [f"## {anchor(f'example-{shown.name}')}{heading(shown.prose, shown.name)}", ""]
    verdict = "▶&nbsp;played" if played.passed else "✗&nbsp;fails"
    look = "good" if played.passed else "bad"
    cites = ", ".join(link(code(each), "rules.md", f"clause-{each}") for each in shown.clauses)
    whose = "told&nbsp;by&nbsp;the&nbsp;rulebook" if book.is_told(shown) else "our&nbsp;own"
    lines += [f'<span class="rw-mark rw-{look}">{verdict}</span> '
              f'<span class="rw-mark rw-quiet">{whose}</span> {called(shown.name)} {cites}',
              "", *_context(book, shown)]  # fmt: skip
    if played.failure is not None:
        lines += [f"**{sentence(played.failure.message)}**", ""]
    scene = book.scene(played.instance, shown.seats)
    lines += [scene.show_given(given(played), initial_position(played.instance)), ""]
    for number, step in enumerate(steps(played), 1):
        lines += _step(book, played, scene, step, number)
    return lines


def steps(played: Played) -> Iterator[Step]:
    """The lines of an example, each event with the transitions it set off."""
    happened = list(played.happened)
    position = given(played)
    for line in played.example.lines:
        mine: list[Happened] = []
        before = position
        if isinstance(line, c.Event):
            if not happened:
                return
            mine.append(happened.pop(0))
            while happened and happened[0].event is None:
                mine.append(happened.pop(0))
            position = mine[-1].after
        yield Step(line, before, tuple(mine))


def given(played: Played) -> Position:
    """The position an example begins with."""
    if played.happened:
        return played.happened[0].before
    assert played.position is not None
    return played.position


def position_after(played: Played, number: int) -> Position:
    """The position after so many lines of an example; 0 is what is given."""
    position = given(played)
    for step in list(steps(played))[:number]:
        if step.happened:
            position = step.happened[-1].after
    return position


def _step(book: Book, played: Played, scene: Scene, step: Step, number: int) -> list[str]:
    line = step.line
    match line:
        case c.Event():
            first, last = step.happened[0], step.happened[-1]
            assert first.event is not None
            drawn = scene.show_chance(first.event) if line.by is None else ""
            what = told(first.event, played.instance, played.example.seats, bool(drawn))
            lines = [f"**{number}.** {what}"]
            for more in step.happened[1:]:
                lines.append(f"⟳ {plain(more.transition.prose or spoken(more.transition.name))}.")
            drawn = drawn or scene.show(last.after, first.before, near=True)
            return [" ".join(lines), "", *([drawn, ""] if drawn else [])]
        case c.Refusal():
            event = tried(line.event, played.instance, step.before)
            dice = scene.show_chance(event) if event.by is None else ""
            drawn = scene.show_tried(event, step.before) or dice
            said_no = _refusal(line, event, played, bool(drawn))
            return [f"**{number}.** {said_no}", "", *([drawn, ""] if drawn else [])]
        case c.Expectation():
            seats = played.example.seats
            said = expected(line.condition, played.instance, step.before, seats)
            said = said or code(book.written(line.condition.span))
            seen = evaluation.Scene(played.instance, step.before)
            holds = evaluation.evaluate(line.condition, seen)
            return [f"**{number}.** {'✓' if holds else '✗ not so:'} {said}", ""]


def tried(line: c.Event, instance: Instance, position: Position) -> Event:
    """An event of an example with its arguments worked out in a position."""
    scene = evaluation.Scene(instance, position)
    params = instance.transitions[line.transition].params
    values = {
        param.name: evaluation.evaluate(argument, scene)
        for param, argument in zip(params, line.arguments)
    }
    return Event(line.transition, line.by, values)


def _refusal(line: c.Refusal, event: Event, played: Played, drawn: bool) -> str:
    """What may not be done, and what it would need."""
    transition = played.instance.transitions[event.name]
    what = transition.prose or spoken(transition.name)
    said = [] if drawn else arguments(transition, event.arguments, played.instance)
    details = f" ({plain(', '.join(said))})" if said else ""
    needed = {each.label: each for each in transition.requirements}
    reasons = [needed[label].prose or label for label in line.because if label in needed]
    because = f" Needed: {plain('; '.join(reasons))}." if reasons else ""
    if event.by is None:
        return f"✗ This cannot come about: {plain(what)}{details}.{because}"
    who = plain(player(event.by, played.example.seats))
    return f"✗ *{who}* may not {plain(what)}{details}.{because}"


def _context(book: Book, shown: c.Example) -> list[str]:
    """By which variant an example is played, and how it answers open questions."""
    lines: list[str] = []
    for variant in book.spec.variants:
        if variant.name == shown.variant:
            where = link(heading(variant.prose, variant.name), "variants.md",
                         f"variant-{variant.name}")  # fmt: skip
            lines += [f"Played by the variant {where}.", ""]
    for reading, option in shown.readings:
        lines += [f"Played so that {answer(book.spec, reading, option)}.", ""]
    return lines

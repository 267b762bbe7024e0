"""The worked examples of a rulebook, step by step, each step as a picture of what it changed."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.semantics import evaluate as evaluation
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.site.draw.position import PositionPicture
from rulewright.site.model.book import Book
from rulewright.site.model.example_steps import ExampleStep, given, steps, tried
from rulewright.site.words.event_text import arguments, event_sentence, player
from rulewright.site.words.expectation_text import expectation_text
from rulewright.site.words.links import answer, called
from rulewright.site.words.markdown import anchor, code, heading, link, plain, sentence, spoken


def examples_page(book: Book) -> str:
    """Every example of the game."""
    lines = [f"# Worked examples of {plain(book.spec.title)}", ""]
    lines += ["The program plays these examples whenever the pages are made. Each step shows what "
              "changed. ✗ marks a refused move, with the reason; ✓ marks an expectation that "
              "holds. Some examples are from the rulebook; the others are ours and show what the "
              "text implies.", ""]  # fmt: skip
    for played in book.played:
        lines += example(book, played)
    return "\n".join(lines).rstrip("\n") + "\n"


def example(book: Book, played: PlayedExample) -> list[str]:
    """One example from the position it is given to its end."""
    shown = played.example
    lines = [f"## {anchor(f'example-{shown.name}')}{heading(shown.prose, shown.name)}", ""]
    verdict = "▶&nbsp;played" if played.passed else "✗&nbsp;fails"
    look = "good" if played.passed else "bad"
    cites = ", ".join(link(code(each), "rules.md", f"clause-{each}") for each in shown.clauses)
    whose = "told&nbsp;by&nbsp;the&nbsp;rulebook" if book.is_told(shown) else "our&nbsp;own"
    if book.is_filled_in(shown):
        whose += ", with&nbsp;data&nbsp;of&nbsp;our&nbsp;own"
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


def _step(
    book: Book, played: PlayedExample, scene: PositionPicture, step: ExampleStep, number: int
) -> list[str]:
    line = step.line
    match line:
        case c.ExampleEvent():
            first, last = step.happened[0], step.happened[-1]
            assert first.event is not None
            drawn = scene.show_chance(first.event) if line.by is None else ""
            what = event_sentence(first.event, played.instance, played.example.seats, bool(drawn))
            lines = [f"**{number}.** {what}"]
            for more in step.happened[1:]:
                lines.append(f"⟳ {plain(more.transition.prose or spoken(more.transition.name))}.")
            drawn = drawn or scene.show(last.after, first.before, near=True)
            return [" ".join(lines), "", *([drawn, ""] if drawn else [])]
        case c.ExpectedRefusal():
            event = tried(line.event, played.instance, step.before)
            dice = scene.show_chance(event) if event.by is None else ""
            drawn = scene.show_tried(event, step.before) or dice
            said_no = _refusal(line, event, played, bool(drawn))
            return [f"**{number}.** {said_no}", "", *([drawn, ""] if drawn else [])]
        case c.Expectation():
            seats = played.example.seats
            said = expectation_text(line.condition, played.instance, step.before, seats)
            said = said or code(book.written(line.condition.span))
            seen = evaluation.Environment(played.instance, step.before)
            holds = evaluation.evaluate(line.condition, seen)
            return [f"**{number}.** {'✓' if holds else '✗ not so:'} {said}", ""]


def _refusal(line: c.ExpectedRefusal, event: Event, played: PlayedExample, drawn: bool) -> str:
    """What may not be done, and what it would need."""
    transition = played.instance.transitions[event.name]
    what = transition.prose or spoken(transition.name)
    said = [] if drawn else arguments(transition, event.arguments, played.instance)
    details = f" ({plain(', '.join(said))})" if said else ""
    needed = {each.label: each for each in transition.requirements}
    reasons = [needed[label].prose or label for label in line.because if label in needed]
    because = f" Needed: {plain('; '.join(reasons))}." if reasons else ""
    if event.by is None:
        return f"✗ This cannot happen: {plain(what)}{details}.{because}"
    who = plain(player(event.by, played.example.seats))
    return f"✗ *{who}* may not {plain(what)}{details}.{because}"


def _context(book: Book, shown: c.Example) -> list[str]:
    """By which variant an example is played, and how it answers open questions."""
    lines: list[str] = []
    for variant in book.spec.variants:
        if variant.name == shown.variant:
            where = link(heading(variant.prose, variant.name), "variants.md",
                         f"variant-{variant.name}")  # fmt: skip
            lines += [f"Played in the variant {where}.", ""]
    for reading, option in shown.readings:
        lines += [f"Played so that {answer(book.spec, reading, option)}.", ""]
    return lines

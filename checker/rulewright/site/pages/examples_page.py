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
from rulewright.site.pages.languages import in_their_language
from rulewright.site.words.event_text import arguments, event_sentence, player
from rulewright.site.words.expectation_text import expectation_text
from rulewright.site.words.links import answer, called, example_pages, to_example, translated_file
from rulewright.site.words.markdown import anchor, code, heading, link, plain, sentence
from rulewright.translate.wording import Wording


def examples_page(book: Book, file: str) -> str:
    """One page of the examples, in the language of the book. The first says where all others are,
    so that a link to it leads to any of them."""
    wording, spec = book.wording, book.spec
    pages = example_pages(spec)
    number = list(pages).index(file) + 1
    lines = [plain(wording("examples_how")), ""] if number == 1 else []
    if len(pages) > 1:
        lines += [_other_pages(list(pages), number, wording), ""]
    for place, shown in enumerate(pages.values(), 1) if number == 1 and len(pages) > 1 else ():
        lines += [f"**{wording('page', page=place)}**", ""]
        lines += [f"- {_listed(spec, each, place, wording.language)}" for each in shown]
        lines.append("")
    names = {each.name for each in pages[file]}
    for played in book.played:
        if played.example.name in names:
            lines += example(book, played)
    title = wording("examples_of", title=plain(spec.title))
    if number > 1:
        title += f": {wording('page', page=number)}"
    return in_their_language(title, lines, file, book.languages, wording)


def _other_pages(files: list[str], number: int, wording: Wording) -> str:
    """Links to the other pages of examples."""
    shown = [
        f"**{at}**" if at == number else link(str(at), translated_file(file, wording.language))
        for at, file in enumerate(files, 1)
    ]
    return f"{wording('pages')}: {' · '.join(shown)}"


def _listed(spec: c.Spec, shown: c.Example, place: int, language: str) -> str:
    """An example in the list, where links to it are led on from if it is on another page."""
    here = anchor(f"example-{shown.name}") if place > 1 else ""
    return f"{here}{to_example(spec, shown.name, language)}"


def example(book: Book, played: PlayedExample) -> list[str]:
    """One example from the position it is given to its end."""
    shown, wording = played.example, book.wording
    lines = [f"## {anchor(f'example-{shown.name}')}{heading(shown.prose, shown.name)}", ""]
    verdict = f"▶&nbsp;{wording('played')}" if played.passed else f"✗&nbsp;{wording('fails')}"
    look = "good" if played.passed else "bad"
    cites = ", ".join(link(code(each), "rules.md", f"clause-{each}") for each in shown.clauses)
    whose = wording("of_the_rulebook") if book.is_told(shown) else wording("our_own")
    if book.is_filled_in(shown):
        whose += wording("own_data")
    whose = whose.replace(" ", "&nbsp;")
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
            seats = played.example.seats
            what = event_sentence(first.event, played.instance, seats, bool(drawn), book.wording)
            lines = [f"**{number}.** {what}"]
            for more in step.happened[1:]:
                then = more.transition.prose or book.wording.name(more.transition.name)
                lines.append(f"⟳ {plain(then)}.")
            drawn = drawn or scene.show(last.after, first.before, near=True)
            return [" ".join(lines), "", *([drawn, ""] if drawn else [])]
        case c.ExpectedRefusal():
            event = tried(line.event, played.instance, step.before)
            dice = scene.show_chance(event) if event.by is None else ""
            drawn = scene.show_tried(event, step.before) or dice
            said_no = _refusal(line, event, played, bool(drawn), book.wording)
            return [f"**{number}.** {said_no}", "", *([drawn, ""] if drawn else [])]
        case c.Expectation():
            seats = played.example.seats
            said = expectation_text(
                line.condition, played.instance, step.before, seats, book.wording
            )
            said = said or code(book.written(line.condition.span))
            seen = evaluation.Environment(played.instance, step.before)
            holds = evaluation.evaluate(line.condition, seen)
            sign = "✓" if holds else f"✗ {book.wording('not_so')}"
            return [f"**{number}.** {sign} {said}", ""]


def _refusal(
    line: c.ExpectedRefusal, event: Event, played: PlayedExample, drawn: bool, wording: Wording
) -> str:
    """What may not be done, and what it would need."""
    transition = played.instance.transitions[event.name]
    what = transition.prose or wording.name(transition.name)
    said = (
        []
        if drawn
        else arguments(transition, event.arguments, played.instance, wording, played.example.seats)
    )
    what = plain(f"{what} ({', '.join(said)})" if said else what)
    needed = {each.label: each for each in transition.requirements}
    reasons = [needed[label].prose or label for label in line.because if label in needed]
    because = f" {wording('needed', reason=plain('; '.join(reasons)))}" if reasons else ""
    if event.by is None:
        return f"✗ {wording('cannot', what=what)}{because}"
    who = f"*{plain(player(event.by, played.example.seats, wording))}*"
    return f"✗ {wording('may_not', who=who, what=what)}{because}"


def _context(book: Book, shown: c.Example) -> list[str]:
    """By which variant an example is played, and how it answers open questions."""
    lines: list[str] = []
    for variant in book.spec.variants:
        if variant.name == shown.variant:
            where = link(heading(variant.prose, variant.name), "variants.md",
                         f"variant-{variant.name}")  # fmt: skip
            lines += [book.wording("in_variant", variant=where), ""]
    for reading, option in shown.readings:
        said = answer(book.spec, reading, option, book.wording)
        lines += [book.wording("played_so", answer=said), ""]
    return lines

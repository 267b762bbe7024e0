"""Links to the places of a game by what they say: an example by its title, an open question by its
words, a property by its sentence. Their names in the spec stay the anchors."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.site.model.book import claims_of
from rulewright.site.words.markdown import code, heading, link, plain
from rulewright.translate.wording import SOURCE, Wording

ENGLISH = Wording()
LINES_ON_A_PAGE = 51
"""Lines of examples, with two more for the head of each; there is a picture to most of them."""


def to_example(spec: c.Spec, name: str, language: str = SOURCE) -> str:
    """A link to a worked example."""
    example = next(each for each in spec.examples if each.name == name)
    file = translated_file(example_file(spec, name), language)
    return link(heading(example.prose, name), file, f"example-{name}")


def example_pages(spec: c.Spec) -> dict[str, list[c.Example]]:
    """The examples in their order, on as many pages as it takes to keep each of them short."""
    pages: list[list[c.Example]] = [[]]
    taken = 0
    for each in spec.examples:
        length = len(each.lines) + 2
        if pages[-1] and taken + length > LINES_ON_A_PAGE:
            pages.append([])
            taken = 0
        pages[-1].append(each)
        taken += length
    return {
        "examples.md" if number == 1 else f"examples-{number}.md": found
        for number, found in enumerate(pages, 1)
    }


def example_file(spec: c.Spec, name: str) -> str:
    """The page on which a worked example stands."""
    return next(
        file
        for file, shown in example_pages(spec).items()
        if any(each.name == name for each in shown)
    )


def translated_file(file: str, language: str) -> str:
    """What a page is called in a language: `play.is.md`."""
    return file if language == SOURCE else f"{file.removesuffix('.md')}.{language}.md"


def to_question(reading: c.Reading) -> str:
    """A link to an open question."""
    return link(heading(reading.prose, reading.name), "questions.md", f"reading-{reading.name}")


def to_property(claim: c.Property | c.Ends) -> str:
    """A link to what holds."""
    return link(heading(claim.prose, claim.name), "holds.md", f"property-{claim.name}")


def to_hole(spec: c.Spec, name: str) -> str:
    """A link to what one would expect and that fails."""
    return link(heading(expectation(spec, name), name), "holes.md", f"hole-{name}")


def expectation(spec: c.Spec, name: str, wording: Wording = ENGLISH) -> str:
    """The sentence of a property, also of one that every game owes."""
    claims = {each.name: each.prose for each in claims_of(spec)}
    own = wording(f"claim_{name}") if name in OBLIGATIONS else None
    return claims.get(name) or own or wording.name(name)


def answer(spec: c.Spec, reading: str, option: str, wording: Wording = ENGLISH) -> str:
    """That an open question is answered in some way."""
    asked = next(each for each in spec.readings if each.name == reading)
    given = next(each for each in asked.options if each.name == option)
    said = f"*{plain(given.prose)}*"
    return wording("answered", question=to_question(asked), answer=said)


def called(name: str) -> str:
    """What something is called in the spec, for those who look it up there."""
    return f"<small>{code(name)}</small>"


def pointing(words: str, links: Sequence[str]) -> list[str]:
    """Words that lead to one place, or to several one a line."""
    if len(links) == 1:
        return [f"{words} {links[0]}.", ""]
    return [f"{words}:", "", *(f"- {each}" for each in links), ""]

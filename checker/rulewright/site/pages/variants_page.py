"""The variants of a game, its tables, and its words beside those of the rulebooks."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.site.model.book import Book, claims_of
from rulewright.site.words.links import pointing, to_example, to_property
from rulewright.site.words.markdown import anchor, listed, page, plain, spoken, table


def variants_page(book: Book) -> str:
    """The variants, each with its own sheet or tables."""
    lines = [f"# Variants of {plain(book.spec.title)}", ""]
    for variant in book.spec.variants:
        core = book.checked.variant(variant.name)
        lines += [f"## {anchor(f'variant-{variant.name}')}{plain(variant.prose)}", ""]
        instance, position = book.beginning(variant.name)
        drawn = book.scene(instance).show_sheet(position)
        if drawn:
            lines += [drawn, ""]
        lines += _differences(book.spec, core, not drawn)
        played = [each.name for each in book.spec.examples if each.variant == variant.name]
        if played:
            lines += pointing("Played in", [to_example(book.spec, each) for each in played])
    return page(lines)


def _differences(own: c.Spec, core: c.Spec, tables: bool) -> list[str]:
    """What a variant replaces or drops, and the tables unless a picture has them."""
    old_tables = {each.name: each.data for each in own.tables}
    changed = [each for each in core.tables if old_tables.get(each.name) != each.data]
    kept = {each.name for each in claims_of(core)}
    dropped = [each for each in claims_of(own) if each.name not in kept]
    lines: list[str] = []
    if changed:
        said = [f"*{plain(each.prose or spoken(each.name))}*" for each in changed]
        lines += [f"Different here: {listed(said)}.", ""]
    for data in changed if tables else ():
        lines += table_of(data)
    if dropped:
        lines += pointing("Does not apply here", [to_property(each) for each in dropped])
    return lines


def table_of(data: c.TableData) -> list[str]:
    """A table of the spec with one or two indices; others are too wide for a page."""
    match data.type:
        case y.Map(y.Grid(), _):
            return []
        case y.Map(_, y.Map(y.Grid(), _) | y.Map(_, y.Map())):
            return []
        case y.Map(_, y.Map()):
            rows: dict[y.Value, dict[y.Value, y.Value]] = data.data  # type: ignore[assignment]
            first = next(iter(rows.values()))
            cells = [[f"**{_cell(row)}**", *map(_cell, line.values())]
                     for row, line in rows.items()]  # fmt: skip
            return table(["", *map(_cell, first)], cells)
        case _:
            values = [_cell(each) for each in data.data.values()]  # type: ignore[arg-type]
            return table([_cell(each) for each in data.data], [values])


def _cell(value: y.Value) -> str:
    return plain(y.value_name(value))


def glossary_page(book: Book) -> str:
    """The words of the game, beside those of the rulebooks."""
    spec = book.spec
    languages = list(dict.fromkeys(source for term in spec.terms for source, _ in term.words))
    titles = {each.name: each.title for each in spec.sources}
    rows = []
    for term in sorted(spec.terms, key=lambda each: each.name):
        words = dict(term.words)
        own = [plain(words.get(each, "")) for each in languages]
        rows.append([f"**{plain(spoken(term.name))}**", plain(term.meaning), *own])
    heads = [plain(titles.get(each, each)) for each in languages]
    return page([f"# Glossary of {plain(spec.title)}", *table(["word", "meaning", *heads], rows)])

"""The pages that say what is known of a game: what always holds, what is open, where it fails,
its variants, and which evidence every sentence of the rulebook has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.names import OBLIGATIONS
from checker.site.book import Book, claims_of
from checker.site.markdown import (
    anchor,
    code,
    link,
    listed,
    plain,
    ranged,
    sentence,
    spoken,
    table,
    title,
)
from checker.site.marks import SIGNS, mark_of
from checker.site.parting import shown_parting
from checker.site.verdicts import NOT_YET, PARTLY, REFUTED, STALE, UNKNOWN, Standing
from checker.site.witness import shown_game

KINDS = {
    "invariant": ("In every position", "These hold in every position of every game."),
    "always": ("From each position to the next", "These hold of every single change."),
    "possible": ("What can come about", "For each of these there is a game in which it happens."),
    "theorem": ("Of the data", "These hold of the tables and numbers, whatever is played."),
    "ends": ("The end", "Why a game cannot go on for ever: a number that falls from turn to turn."),
}


def holds_page(book: Book) -> str:
    """Every property with its verdict."""
    lines = [f"# What always holds in {plain(book.spec.title)}", ""]
    lines += [f"Verdicts of the spec with the hash {code(book.hash)}. *Proved* means: in every "
              "position of every game, however long, with every number of players, and every open "
              "question read by its default.", ""]  # fmt: skip
    lines += _overview(book)
    for kind, (heading, meaning) in KINDS.items():
        claims = [each for each in book.claims.values() if _kind(each) == kind]
        if claims:
            lines += [f"## {heading}", "", meaning, ""]
        for claim in claims:
            lines += _claim(book, claim)
    return _page([*lines, *_owed(book)])


def questions_page(book: Book) -> str:
    """What the text leaves open, and how it is read."""
    lines = [f"# Open questions of {plain(book.spec.title)}", ""]
    lines += ["What the rulebook does not say. Each question has its answers; ◉ marks how these "
              "pages read it. Below stands where another answer makes a difference.",
              ""]  # fmt: skip
    for reading in book.spec.readings:
        heading = f"{anchor(f'reading-{reading.name}')}{title(reading.name)}"
        lines += [f"## {heading}", "", sentence(reading.prose), ""]
        for option in reading.options:
            sign = "**◉" if option.name == reading.default else "○"
            close = "** (as read here)" if option.name == reading.default else ""
            name = plain(spoken(option.name))
            lines.append(f"- {sign} {name}{close}: {plain(option.prose)}")
        lines += ["", f"Asked of {_clauses(reading.clauses)}.", ""]
        played = [
            each.example.name
            for each in book.played
            if any(name == reading.name for name, _ in each.example.readings)
        ]
        if played:
            links = [link(title(each), "examples.md", f"example-{each}") for each in played]
            lines += [f"Played in {listed(links)}.", ""]
        lines += shown_parting(book, reading)
        lines += _failing_under(book, reading.name)
    return _page(lines)


def holes_page(book: Book) -> str:
    """Properties that the text does not give, each with the reason."""
    lines = [f"# Holes found in {plain(book.spec.title)}", ""]
    lines += ["What one would expect of the game and what fails under some reading of the text: "
              "why, what the prover says of it in this version, and the example that plays it.",
              ""]  # fmt: skip
    for each in holes(book):
        lines += [f"## {anchor(f'hole-{each.subject}')}{title(each.subject)}", ""]
        claim = book.claims.get(each.subject)
        expected = claim.prose if claim is not None else OBLIGATIONS.get(each.subject)
        if expected:
            lines += [f"Expected: {plain(expected)}.", ""]
        readings = {} if each.under is None else {each.under[0]: each.under[1]}
        if each.under is not None:
            where = link(plain(spoken(each.under[0])), "questions.md", f"reading-{each.under[0]}")
            lines += [f"Fails where {where} is read as *{plain(spoken(each.under[1]))}*: "
                      f"{plain(each.reason)}.", ""]  # fmt: skip
        else:
            lines += [f"Fails: {plain(each.reason)}.", ""]
        standing = book.standing(each.subject, readings)
        game = shown_game(book, standing)
        lines += [f"{SIGNS[standing.word]} {_hole_word(standing)}", "", *game]
        lines += _played_under(book, each.under, drawn=not game)
    return _page(lines)


def _hole_word(standing: Standing) -> str:
    """What is known of a hole, in words."""
    if standing.word == REFUTED:
        return "refuted by the prover, with a game that shows it:"
    reasons = sorted({each.reason for each in standing.verdicts if each.reason})
    why = f" ({plain('; '.join(reasons))})" if reasons and standing.word == UNKNOWN else ""
    return f"the prover has not found a game for it: {standing.word}{why}."


def _played_under(book: Book, under: tuple[str, str] | None, drawn: bool) -> list[str]:
    """The worked examples that are played under a reading, the end of the first one drawn."""
    found = [each for each in book.played if each.passed and under in each.example.readings]
    if not found:
        return []
    links = [link(title(each.example.name), "examples.md", f"example-{each.example.name}")
             for each in found]  # fmt: skip
    lines = [f"▶ Played by the rules in {listed(links)}.", ""]
    first = found[0]
    if drawn and first.position is not None:
        lines += [book.scene(first.instance, first.example.seats).show(first.position, near=True)]
    return [*lines, ""]


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
            links = [link(title(each), "examples.md", f"example-{each}") for each in played]
            lines += [f"Played in {listed(links)}.", ""]
    return _page(lines)


def trace_page(book: Book) -> str:
    """Which evidence each clause has, and where there is none."""
    lines = [f"# Traceability of {plain(book.spec.title)}", ""]
    lines += [
        "For each sentence of the rulebook: what carries it out, which properties state it, how "
        "many proofs needed it, which examples play it, and how many steps of the reference "
        "engine made use of it. The last column says what is missing."
    ]
    coverage = book.verdicts.coverage(book.hash)
    rows = []
    for clause in book.spec.clauses:
        name = clause.name
        shown = link(code(name), "rules.md", f"clause-{name}")
        rows.append(
            [
                f"{anchor(f'trace-{name}')}{shown}<br><small>{clause.kind}</small>",
                _names(book.cited_by(name, "rule", "move")),
                _claimed(book, name),
                _using(book.used_in_proofs(name)),
                _examples(book, name),
                _engine(clause, coverage),
                gap(book, clause),
            ]
        )
    headings = ["clause", "carried out by", "stated by", "proofs", "examples", "engine", "gap"]
    if coverage is None:
        headings.remove("engine")
        rows = [[*row[:5], row[6]] for row in rows]
    open_ones = sum(bool(row[-1]) for row in rows)
    said = f"{open_ones} of {len(rows)} sentences have a gap." if open_ones else "There is no gap."
    return _page([*lines, "", said, *table(headings, rows)])


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
    return _page([f"# Glossary of {plain(spec.title)}", *table(["word", "meaning", *heads], rows)])


def holes(book: Book) -> list[c.Acceptance]:
    """The accepted refutations."""
    return [each for each in book.spec.acceptances if each.finding == "refuted"]


def _owed(book: Book) -> list[str]:
    """What every spec owes without being asked, as far as there are verdicts on it."""
    rows = []
    for name, prose in OBLIGATIONS.items():
        standing = book.standing(name)
        if standing.word != NOT_YET:
            mark = mark_of(name, standing)
            shown = f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span>'
            who = f"with {ranged(standing.players)} players" if standing.players else ""
            rows.append((f"{anchor(f'property-{name}')}{plain(prose)}", shown, who))
    return (
        ["## What every game owes", *table(("what", "verdict", "for whom"), rows)] if rows else []
    )


def _claim(book: Book, claim: c.Property | c.Ends) -> list[str]:
    standing = book.standing(claim.name)
    mark = mark_of(claim.name, standing, claim)
    here = f"{anchor(f'property-{claim.name}')}{title(claim.name)}"
    lines = [f"### {here}", "", f"{sentence(claim.prose or spoken(claim.name))} "
             f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span>',
             ""]  # fmt: skip
    facts = _by_players(standing)
    if claim.clauses:
        facts.append(f"states {_clauses(claim.clauses)}")
    if standing.uses:
        facts.append(_needed(book, standing))
    if standing.word == STALE:
        old = {each.spec_hash or "unknown" for each in standing.verdicts}
        facts.append(f"proved of another version of the spec ({listed(sorted(old))})")
    lines += [f"- {each}" for each in facts] + ([""] if facts else [])
    claimed = claim.claim if isinstance(claim, c.Property) else None
    if claimed is not None:
        lines += ["```rules-expression", *book.excerpt(claimed.span), "```", ""]
    return lines + shown_game(book, standing)


def _overview(book: Book) -> list[str]:
    """How many properties stand how, by kind."""
    words = [book.standing(name).word for name in book.claims]
    present = [word for word in SIGNS if word in words]
    rows = []
    for kind, (heading, _) in KINDS.items():
        mine = [book.standing(each.name).word for each in book.claims.values()
                if _kind(each) == kind]  # fmt: skip
        if mine:
            rows.append([heading, *(str(mine.count(word) or "") for word in present)])
    return table(["", *(f"{SIGNS[word]}&nbsp;{word}" for word in present)], rows)


def _needed(book: Book, standing: Standing) -> str:
    """The sentences that a proof made use of, and what it is built from."""
    clauses = dict.fromkeys(
        clause for label in standing.uses for clause in book.clauses_of.get(label, [])
    )
    sentences = f"the proof needed {_clauses(list(clauses))}" if clauses else "the proof"
    return f"{sentences} {_folded('and is built from', _names(standing.uses))}"


def _folded(words: str, inside: str) -> str:
    """Something long, folded away until somebody wants it."""
    return f'<details class="rw-fold"><summary>{words}</summary> {inside}</details>'


def _by_players(standing: Standing) -> list[str]:
    """What is known with how many players, and why no more."""
    if standing.word == STALE:
        return []
    found: dict[tuple[str, str], list[int]] = {}
    for each in standing.verdicts:
        if each.players is not None:
            reason = each.reason or "" if each.verdict in ("unknown", "bounded") else ""
            found.setdefault((each.verdict, reason), []).append(each.players)
    if not found and standing.players:
        return [f"with {ranged(standing.players)} players"]
    several = len({verdict for verdict, _ in found}) > 1 or standing.word == PARTLY
    lines = []
    for (verdict, reason), players in found.items():
        word = f"{verdict} " if several else ""
        why = f": {plain(reason)}" if reason else ""
        lines.append(f"{word}with {ranged(sorted(set(players)))} players{why}")
    return lines


def _differences(own: c.Spec, core: c.Spec, tables: bool) -> list[str]:
    """What a variant replaces or drops, by name, and the tables unless a picture has them."""
    old_tables = {each.name: each.data for each in own.tables}
    changed = [each.name for each in core.tables if old_tables.get(each.name) != each.data]
    kept = {each.name for each in claims_of(core)}
    dropped = [each.name for each in claims_of(own) if each.name not in kept]
    lines = []
    if changed:
        lines += [f"Other tables: {_names(changed)}.", ""]
    for data in core.tables:
        if tables and data.name in changed:
            lines += table_of(data)
    if dropped:
        lines += [f"Does not apply here: {_names(dropped)}.", ""]
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
            cells = [[f"**{y.value_name(row)}**", *map(y.value_name, line.values())]
                     for row, line in rows.items()]  # fmt: skip
            return table(["", *map(y.value_name, first)], cells)
        case _:
            values = [y.value_name(each) for each in data.data.values()]  # type: ignore[arg-type]
            return table([y.value_name(each) for each in data.data], [values])


def _failing_under(book: Book, reading: str) -> list[str]:
    found = [each for each in holes(book) if each.under is not None and each.under[0] == reading]
    if not found:
        return []
    links = [link(title(each.subject), "holes.md", f"hole-{each.subject}") for each in found]
    return [f"What fails under another answer: {listed(links)}.", ""]


def _clauses(names: Sequence[str]) -> str:
    return listed([link(code(each), "rules.md", f"clause-{each}") for each in names])


def _names(names: Sequence[str]) -> str:
    return ", ".join(_breakable(each) for each in names)


def _breakable(name: str) -> str:
    """A name that may go on in the next line after a dot or an underscore."""
    return code(name).replace(".", ".<wbr>").replace("_", "_<wbr>")


def _engine(clause: c.Clause, coverage: Mapping[str, int] | None) -> str:
    """How many steps of an engine made use of a clause that bears on play."""
    if coverage is None or clause.kind in ("aside", "example"):
        return ""
    steps = coverage.get(clause.name, 0)
    return str(steps) if steps else "**△&nbsp;0**"


def _using(names: Sequence[str]) -> str:
    """The proofs that used something: their number, and their names when asked for."""
    if not names:
        return ""
    links = [link(code(each), "holds.md", f"property-{each}") for each in names]
    return _folded(str(len(names)), ", ".join(links))


def _claimed(book: Book, clause: str) -> str:
    links = []
    for name in book.cited_by(clause, "property", "possible"):
        sign = SIGNS[book.standing(name).word]
        links.append(f"{sign}&nbsp;{link(_breakable(name), 'holds.md', f'property-{name}')}")
    return ", ".join(links)


def _examples(book: Book, clause: str) -> str:
    """The examples that cite a clause, then how many more make use of it."""
    cited = book.cited_by(clause, "example")
    links = [link(_breakable(each), "examples.md", f"example-{each}") for each in cited]
    more = [each for each in book.exercised.get(clause, []) if each not in cited]
    if more:
        links.append(f"used by {len(more)}{' more' if cited else ''}")
    return ", ".join(links)


def gap(book: Book, clause: c.Clause) -> str:
    """What the kind of a clause asks for and nothing gives."""
    if clause.kind == "aside":
        return ""
    gaps: list[str] = []
    claims = book.cited_by(clause.name, "property", "possible")
    proved = any(book.standing(name).holds for name in claims)
    if clause.kind in ("must", "never", "can"):
        if not claims:
            gaps.append("no property")
        elif not proved:
            gaps.append("nothing proved")
    if clause.kind == "may" and not proved and not book.exercised.get(clause.name):
        gaps.append("never seen used")
    if clause.kind == "example" and not book.cited_by(clause.name, "example"):
        gaps.append("not played")
    return f"**△&nbsp;{', '.join(gaps)}**" if gaps else ""


def _kind(claim: c.Property | c.Ends) -> str:
    return claim.kind if isinstance(claim, c.Property) else "ends"


def _page(lines: list[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"

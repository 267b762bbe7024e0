"""What always holds in a game: every property with its verdict, for whom it holds, and which
sentences its proof needed."""

from __future__ import annotations

from checker.meaning import core as c
from checker.meaning.names import OBLIGATIONS
from checker.site.book import Book
from checker.site.markdown import (
    anchor,
    cited,
    code,
    fenced,
    folded,
    heading,
    listed,
    named,
    page,
    plain,
    ranged,
    table,
)
from checker.site.marks import SIGNS, mark_of
from checker.site.places import called
from checker.site.verdicts import PARTLY, STALE, Standing
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
    for kind, (head, meaning) in KINDS.items():
        claims = [each for each in book.claims.values() if _kind(each) == kind]
        if claims:
            lines += [f"## {head}", "", meaning, ""]
        for claim in claims:
            lines += _claim(book, claim)
    return page([*lines, *_owed(book)])


def _overview(book: Book) -> list[str]:
    """How many properties stand how, by kind."""
    words = [book.standing(name).word for name in book.claims]
    present = [word for word in SIGNS if word in words]
    rows = []
    for kind, (head, _) in KINDS.items():
        mine = [book.standing(each.name).word for each in book.claims.values()
                if _kind(each) == kind]  # fmt: skip
        if mine:
            rows.append([head, *(str(mine.count(word) or "") for word in present)])
    return table(["", *(f"{SIGNS[word]}&nbsp;{word}" for word in present)], rows)


def _claim(book: Book, claim: c.Property | c.Ends) -> list[str]:
    standing = book.standing(claim.name)
    mark = mark_of(claim.name, standing, claim)
    here = f"{anchor(f'property-{claim.name}')}{heading(claim.prose, claim.name)}"
    lines = [f"### {here}", "",
             f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span> '
             f"{called(claim.name)}", ""]  # fmt: skip
    facts = _by_players(standing)
    if claim.clauses:
        facts.append(f"states {cited(claim.clauses)}")
    if standing.uses:
        facts.append(_needed(book, standing))
    if standing.idle:
        facts.append(f"says nothing here: {plain(standing.idle)}")
    if standing.word == STALE:
        old = {each.spec_hash or "unknown" for each in standing.verdicts}
        facts.append(f"proved of another version of the spec ({plain(listed(sorted(old)))})")
    lines += [f"- {each}" for each in facts] + ([""] if facts else [])
    claimed = claim.claim if isinstance(claim, c.Property) else None
    if claimed is not None:
        lines += [*fenced("rules-expression", book.excerpt(claimed.span)), ""]
    return lines + shown_game(book, standing)


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
        word = f"{plain(verdict)} " if several else ""
        why = f": {plain(reason)}" if reason else ""
        lines.append(f"{word}with {ranged(sorted(set(players)))} players{why}")
    return lines


def _needed(book: Book, standing: Standing) -> str:
    """The sentences that a proof made use of, and what it is built from."""
    clauses = dict.fromkeys(
        clause for label in standing.uses for clause in book.clauses_of.get(label, [])
    )
    sentences = f"the proof needed {cited(list(clauses))}" if clauses else "the proof"
    return f"{sentences} {folded('(all it is built from)', named(standing.uses))}"


def _owed(book: Book) -> list[str]:
    """What every spec owes without being asked, but for what this one has nothing of."""
    steps = [each for each in book.spec.transitions if each.kind == "step"]
    at_once = [each for each in book.spec.phases if each.simultaneous]
    about = {"one_step": steps, "steps_stop": steps, "order": at_once}
    rows = []
    for name, prose in OBLIGATIONS.items():
        if not about.get(name, [prose]):
            continue
        standing = book.standing(name)
        mark = mark_of(name, standing)
        shown = f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span>'
        who = f"with {ranged(standing.players)} players" if standing.players else ""
        rows.append((f"{anchor(f'property-{name}')}{plain(prose)}", shown, who))
    return ["## What every game owes", *table(("what", "verdict", "for whom"), rows)]


def _kind(claim: c.Property | c.Ends) -> str:
    return claim.kind if isinstance(claim, c.Property) else "ends"

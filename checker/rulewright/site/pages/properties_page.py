"""What always holds in a game: every property with its verdict, for whom it holds, and which
sentences its proof needed."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.meaning.twin_games import SECRET
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import EMPTY, PARTLY, STALE, PublishedStatus
from rulewright.site.model.witness import shown_game
from rulewright.site.pages.evidence_marks import SIGNS, mark_of
from rulewright.site.words.links import called
from rulewright.site.words.markdown import (
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

KINDS = {
    "invariant": ("In every position", "Claims about every position of every game."),
    "always": ("From each position to the next", "Claims about every single transition."),
    "possible": ("What can happen", "Claims that some game leads there, with such a game."),
    "theorem": ("About the data", "Claims about the tables and constants of the spec."),
    "secret": (
        "What players do not see",
        "Claims that what a player sees tells nothing of what is hidden, but by what is shown.",
    ),
    "ends": ("The end", "The claim that every game ends: a number falls from turn to turn."),
}


def properties_page(book: Book) -> str:
    """Every property with its verdict."""
    lines = [f"# What always holds in {plain(book.spec.title)}", ""]
    lines += [f"Verdicts of the spec with the hash {code(book.hash)}. *Proved* means: in every "
              "position of every game of any length, with every number of players and the default "
              "answer to every open question.", ""]  # fmt: skip
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
    words = [book.status(name).word for name in book.claims]
    present = [word for word in SIGNS if word in words]
    rows = []
    for kind, (head, _) in KINDS.items():
        mine = [book.status(each.name).word for each in book.claims.values()
                if _kind(each) == kind]  # fmt: skip
        if mine:
            rows.append([head, *(str(mine.count(word) or "") for word in present)])
    return table(["", *(f"{SIGNS[word]}&nbsp;{word}" for word in present)], rows)


def _claim(book: Book, claim: c.Property | c.Ends) -> list[str]:
    status = book.status(claim.name)
    mark = mark_of(claim.name, status, claim)
    here = f"{anchor(f'property-{claim.name}')}{heading(claim.prose, claim.name)}"
    lines = [f"### {here}", "",
             f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span> '
             f"{called(claim.name)}", ""]  # fmt: skip
    facts = _by_players(status)
    if claim.clauses:
        facts.append(f"states {cited(claim.clauses)}")
    if status.uses:
        facts.append(_needed(book, status))
    if status.idle:
        facts.append(
            f"{'says nothing' if status.word == EMPTY else 'vacuous'}: {plain(status.idle)}"
        )
    if status.word == STALE:
        old = {each.spec_hash or "unknown" for each in status.verdicts}
        facts.append(f"proved of another version of the spec ({plain(listed(sorted(old)))})")
    lines += [f"- {each}" for each in facts] + ([""] if facts else [])
    said = isinstance(claim, c.Property) and claim.kind != SECRET
    claimed = claim.claim if isinstance(claim, c.Property) and said else None
    if claimed is not None:
        lines += [*fenced("rules-expression", book.excerpt(claimed.span)), ""]
    return lines + shown_game(book, status)


def _by_players(status: PublishedStatus) -> list[str]:
    """What is known with how many players, and why no more."""
    if status.word == STALE:
        return []
    found: dict[tuple[str, str], list[int]] = {}
    for each in status.verdicts:
        if each.players is not None:
            reason = each.reason or "" if each.verdict in ("unknown", "bounded") else ""
            found.setdefault((each.verdict, reason), []).append(each.players)
    if not found and status.players:
        return [f"with {ranged(status.players)} players"]
    several = len({verdict for verdict, _ in found}) > 1 or status.word == PARTLY
    lines = []
    for (verdict, reason), players in found.items():
        word = f"{plain(verdict)} " if several else ""
        why = f": {plain(reason)}" if reason else ""
        lines.append(f"{word}with {ranged(sorted(set(players)))} players{why}")
    return lines


def _needed(book: Book, status: PublishedStatus) -> str:
    """The sentences that a proof made use of, and what it is built from."""
    clauses = dict.fromkeys(
        clause for label in status.uses for clause in book.clauses_of.get(label, [])
    )
    sentences = f"the proof uses {cited(list(clauses))}" if clauses else "the proof"
    return f"{sentences} {folded('(everything it uses)', named(status.uses))}"


def _owed(book: Book) -> list[str]:
    """What every spec owes without being asked, but for what this one has nothing of."""
    steps = [each for each in book.spec.transitions if each.kind == "step"]
    at_once = [each for each in book.spec.phases if each.simultaneous]
    about = {"one_step": steps, "steps_stop": steps, "order": at_once}
    rows = []
    for name, prose in OBLIGATIONS.items():
        if not about.get(name, [prose]):
            continue
        status = book.status(name)
        mark = mark_of(name, status)
        shown = f'<span class="rw-mark rw-{mark.look}">{mark.sign}&nbsp;{mark.word}</span>'
        who = f"with {ranged(status.players)} players" if status.players else ""
        rows.append((f"{anchor(f'property-{name}')}{plain(prose)}", shown, who))
    return ["## Obligations of every game", *table(("claim", "verdict", "players"), rows)]


def _kind(claim: c.Property | c.Ends) -> str:
    return claim.kind if isinstance(claim, c.Property) else "ends"

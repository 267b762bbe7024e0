"""The pictures of the README, made from what the program says: a sheet of a worked example, the
verdicts on a small game, the report on a rule change. `make pictures` writes them.

The report is taken from a page whose commands the tests run, so that it is what is printed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.frontend import LoadedSpec, read
from rulewright.resources import bundled_specs
from rulewright.site.draw.svg import Drawing, as_file
from rulewright.site.model.book import Book
from rulewright.site.model.evidence_runs import EvidenceBudget, ask
from rulewright.site.model.verdicts import Verdicts, files_in, read_verdicts
from rulewright.site.pages.evidence_marks import SIGNS
from rulewright.site.words.markdown import ranged

LINE = 17
LETTER = 7.3
"""How wide a letter is in a report."""
WIDEST = 104
HEAD, TAIL = 32, 13
"""Lines of a report that are shown from its beginning and from its end."""
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pictures(docs: Path) -> dict[str, str]:
    """Every picture by the name of its file."""
    page = (docs / "howto" / "rule-change.md").read_text("utf-8")
    return {
        "sheet.svg": sheet_picture("qwixx", "laura_score"),
        "proofs.svg": proof_picture("pig"),
        "difference.svg": report_picture(_CONSOLE.findall(page)[0].splitlines()),
    }


def sheet_picture(game: str, example: str) -> str:
    """The fullest sheet at the end of a worked example."""
    book = Book(_spec(game), Verdicts())
    played = next(each for each in book.played if each.example.name == example)
    assert played.position is not None
    shown = book.scene(played.instance, played.example.seats).show_best(played.position)
    found = re.search(r"<svg.*?</svg>", shown)
    assert found is not None
    return as_file(found[0])


def proof_picture(game: str) -> str:
    """The properties of a game with their verdicts, proved now."""
    checked = _spec(game)
    with TemporaryDirectory() as folder:
        ask(checked, Path(checked.file), Path(folder), EvidenceBudget(30, 300), lambda _: None)
        book = Book(checked, read_verdicts(files_in(Path(folder))))
    rows = []
    for name, claim in book.claims.items():
        status = book.status(name)
        who = f"{ranged(status.players)} players" if status.players else ""
        rows.append((claim.prose or name, f"{SIGNS[status.word]} {status.word}", who))
    width = 7.2 * max(len(prose) for prose, _, _ in rows) + 220
    drawing = Drawing(width, 22 + 26 * len(rows))
    for at, (prose, verdict, who) in enumerate(rows):
        base = 26 + 26 * at
        drawing.text(12, base, prose, anchor="start")
        drawing.text(width - 205, base, verdict, anchor="start", bold=True)
        drawing.text(width - 12, base, who, anchor="end", faint=True)
        if at:
            drawing.path(f"M8 {base - 18}H{width - 8:.0f}", width=0.5, faint=True)
    said = "; ".join(f"{prose}: {verdict}, {who}" for prose, verdict, who in rows)
    return as_file(drawing.done(f"what is proved of {book.spec.title}: {said}"))


def report_picture(lines: Sequence[str]) -> str:
    """What a command prints, the middle of it left out."""
    shown = [*lines[:HEAD], "…", "", *lines[-TAIL:]] if len(lines) > HEAD + TAIL else list(lines)
    drawing = Drawing(24 + LETTER * WIDEST, 20 + LINE * len(shown))
    for at, line in enumerate(shown):
        words = line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"
        drawing.line(12, 22 + LINE * at, words, bold=line.startswith("$"))
    return as_file(drawing.done(f"what is printed by {lines[0].removeprefix('$ ')}"))


def _spec(name: str) -> LoadedSpec:
    return read(bundled_specs()[name])


def write(docs: Path) -> None:
    """Writes the pictures beside the pages."""
    folder = docs / "assets"
    folder.mkdir(exist_ok=True)
    for name, picture in pictures(docs).items():
        (folder / name).write_text(picture, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))

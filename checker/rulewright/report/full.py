"""What a person reads: each diagnostic with the line it is about, then results, then a table."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, Text
from rulewright.hidden_characters import in_line, plain, without_old_commands
from rulewright.report.excerpt import Excerpt, excerpts
from rulewright.report.model import Cell, Report, Table
from rulewright.report.text_width import width

_COLOURS = {
    "error": "1;31",
    "warning": "1;33",
    "strong": "1",
    "faint": "2",
    "help": "36",
    "holds": "32",
    "fails": "31",
    "undecided": "33",
    "unusable": "31",
    "bug": "1;31",
}


class Paint:
    """Puts colour on words, or leaves them as they are."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, role: str | None, text: str) -> str:
        if not self.colour or role not in _COLOURS or not text:
            return text
        return f"\x1b[{_COLOURS[role]}m{text}\x1b[0m"


def render(report: Report, colour: bool = False) -> str:
    """The report in words; an empty line after each diagnostic sets it apart."""
    paint = Paint(colour)
    texts = {text.file: text for text in report.texts}
    shown = [
        _diagnostic(found, texts.get(found.file), paint) + "\n" for found in report.diagnostics
    ]
    shown += [plain(line) for result in report.results for line in result.lines]
    if report.table is not None:
        shown.append(_table(report.table, paint))
    return "".join(f"{part}\n" for part in shown)


def _diagnostic(found: Diagnostic, text: Text | None, paint: Paint) -> str:
    """The finding, where it is, the line itself with the place underlined, and what to do."""
    shown = excerpts(text, found) if text is not None else ()
    gutter = max((len(str(each.number)) for each in shown), default=1)
    place = plain(in_line(found.file)) + (f":{found.line}:{found.column}" if shown else "")
    lines = [
        paint(found.severity, f"{found.severity} {found.code}")
        + paint("strong", f": {plain(found.message)}"),
        " " * gutter + paint("faint", "--> ") + place,
    ]
    if shown:
        lines.append(" " * gutter + paint("faint", " |"))
    for each in shown:
        lines.extend(_source(each, gutter, found.severity, paint))
    if found.help is not None:
        first, *more = plain(found.help).split("\n")
        lines.append(paint("help", "help:") + f" {first}")
        lines.extend(f"      {line}" for line in more)
    return "\n".join(lines)


def _source(line: Excerpt, gutter: int, severity: str, paint: Paint) -> list[str]:
    skipped = [paint("faint", "...")] if line.skips else []
    shown = without_old_commands(line.shown)
    return [
        *skipped,
        f"{paint('faint', f'{line.number:>{gutter}} |')} {shown}".rstrip(),
        " " * gutter + paint("faint", " | ") + _painted_carets(line.carets, severity, paint),
    ]


def _painted_carets(carets: str, severity: str, paint: Paint) -> str:
    room = len(carets) - len(carets.lstrip())
    return " " * room + paint(severity, carets[room:])


def _table(table: Table, paint: Paint) -> str:
    """Columns as wide as their widest cell; numbers to the right, words to the left."""
    columns = list(zip(*table.rows)) or [()] * len(table.headings)
    widths = [
        max(width(heading), *(width(cell.text) for cell in column), 0)
        for heading, column in zip(table.headings, columns)
    ]
    to_the_right = [bool(column) and all(map(_is_number, column)) for column in columns]
    heading_row = tuple(Cell(heading, "faint") for heading in table.headings)
    return "\n".join(
        "  ".join(
            _padded(cell, room, right, paint)
            for cell, room, right in zip(row, widths, to_the_right)
        ).rstrip()
        for row in (heading_row, *table.rows)
    )


def _is_number(cell: Cell) -> bool:
    return cell.text.replace(",", "").isdigit() or cell.text == "-"


def _padded(cell: Cell, room: int, right: bool, paint: Paint) -> str:
    padding = " " * (room - width(cell.text))
    painted = paint(cell.status, in_line(cell.text))
    return padding + painted if right else painted + padding

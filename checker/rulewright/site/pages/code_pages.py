"""The reference pages of the diagnostic codes, made from the registry: `python -m
rulewright.site.pages.code_pages DIRECTORY` writes them. Each shows what its example really
prints."""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.codes import BASE, REGISTRY, DiagnosticCode
from rulewright.frontend import LoadedSpec, check_text
from rulewright.report import full
from rulewright.report.model import Report

GROUPS = {
    "0": "Syntax",
    "1": "Names",
    "2": "Types",
    "3": "Proof",
    "4": "Conformance",
    "5": "Evidence and documentation",
}
WIDEST = 100


def pages() -> dict[str, str]:
    """Every page by its file name: an index, and one page for each code."""
    return {"index.md": index()} | {f"{code}.md": page(each) for code, each in REGISTRY.items()}


def index() -> str:
    """All codes by group, each with a link to its page."""
    lines = [
        "# Diagnostic codes",
        "",
        "Every message has a code. The page of a code says what it means and how to correct it.",
    ]
    for digit, title in GROUPS.items():
        codes = [each for each in REGISTRY.values() if each.code[2] == digit]
        if codes:
            lines += ["", f"## {title}", "", "| code | |", "|---|---|"]
            lines += [f"| [{each.code}]({each.code}.md) | {each.title} |" for each in codes]
    return "\n".join(lines) + "\n"


def page(code: DiagnosticCode) -> str:
    """What a code means, a spec that triggers it, what is said of it, and the fix."""
    lines = [f"# {code.code}: {code.title}", "", code.meaning]
    if code.example:
        found = check(code)
        lines += ["", "## Example", "", *_fenced(code.example, "rules")]
        lines += ["", "`rulewright check` says:", "", *_fenced(_shown(code, found), "text")]
        lines += ["", "## Fix", "", *_fenced(code.fix, "rules")]
    return "\n".join(lines) + "\n"


def check(code: DiagnosticCode, fixed: bool = False) -> LoadedSpec:
    """What the checker finds in a code's example, or in its fix."""
    written = code.fix if fixed else code.example
    return check_text("game.rules", written if code.whole else f"{BASE}\n{written}")


def _shown(code: DiagnosticCode, found: LoadedSpec) -> str:
    """The code's own diagnostic as a person sees it, with lines counted in the example."""
    own = next(each for each in found.diagnostics if each.code == code.code)
    texts = (found.text,) if found.text is not None else ()
    report = Report("check", "", None, None, (), (own,), {}, 1, texts)
    return full.render(report)


def _fenced(text: str, language: str) -> list[str]:
    shown = [
        line if len(line) <= WIDEST else f"{line[: WIDEST - 4]} ..."
        for line in text.strip("\n").split("\n")
    ]
    return [f"```{language}", *shown, "```"]


def main(arguments: list[str]) -> int:
    """Writes the pages into a directory."""
    directory = Path(arguments[0])
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (directory / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

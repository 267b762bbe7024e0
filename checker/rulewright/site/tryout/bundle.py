"""Puts ES modules that import each other by name into one script, for a page that loads nothing.

Reads modules of our own only, in the style that they are written in: imports and exports begin a
line, and what is imported is named.
"""

from __future__ import annotations

import re
from pathlib import Path

_IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)'\n", re.MULTILINE)
_PASSED_ON = re.compile(r"^export (\*|\{[^}]*\}) from '([^']+)'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
_NOTE = re.compile(r"^[ \t]*/\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)
_AS = re.compile(r"(\w+) as (\w+)")


def bundle(entry: Path) -> str:
    """One script that does what a module does, with everything that it imports."""
    found = _Bundle()
    found.add(entry.resolve(), ())
    return "const modules = []\n" + "".join(found.written)


class _Bundle:
    def __init__(self) -> None:
        self.written: list[str] = []
        self._places: dict[Path, str] = {}

    def add(self, path: Path, above: tuple[Path, ...]) -> None:
        """Writes a module after all that it imports."""
        if path in above:
            raise ValueError(f"{path.name} imports itself by way of others")
        if path in self._places:
            return
        text = _NOTE.sub("", path.read_text("utf-8"))
        for pattern in (_IMPORT, _PASSED_ON):
            for each in pattern.finditer(text):
                self.add((path.parent / each[2]).resolve(), (*above, path))
        given = [self._passed_on(path, each) for each in _PASSED_ON.finditer(text)]
        given += [each[2] for each in _EXPORT.finditer(text)]
        text = _IMPORT.sub(lambda each: self._imported(path, each), text)
        text = _EXPORT.sub(r"\1", _PASSED_ON.sub("", text)).replace("export {}\n", "")
        place = self._places[path] = f"modules[{len(self.written)}]"
        whole = f"{text.strip()}\nreturn {{ {', '.join(given)} }}"
        self.written.append(f"{place} = (() => {{\n{whole}\n}})()\n")

    def _place(self, path: Path, imported: str) -> str:
        return self._places[(path.parent / imported).resolve()]

    def _imported(self, path: Path, found: re.Match[str]) -> str:
        names = _AS.sub(r"\1: \2", found[1])
        return f"const {{{names}}} = {self._place(path, found[2])}\n"

    def _passed_on(self, path: Path, found: re.Match[str]) -> str:
        place = self._place(path, found[2])
        if found[1] == "*":
            return f"...{place}"
        names = [each.strip() for each in found[1].strip("{} ").split(",") if each.strip()]
        return ", ".join(f"{each}: {place}.{each}" for each in names)

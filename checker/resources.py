"""Finds what comes with the program: the grammar, the bundled games, the cache folder.

In a checkout `grammar/` and `spec/` lie beside the package; in an installed program they lie
inside it, under `_data/`. Nobody else needs to know which of the two it is.
"""

from __future__ import annotations

import os
from pathlib import Path

SUFFIX = ".rules"
ENGINES = {
    "kubbar": "python:engines.kubbar:Kubbar",
    "matte_kryss": "python:engines.matte_kryss:MatteKryss",
    "qwixx": "python:engines.qwixx:Qwixx",
    "twenty_one": "python:engines.twenty_one:TwentyOne",
}
"""The reference engines of the bundled games."""


def grammar_path() -> Path:
    """The grammar of the language."""
    return _data() / "grammar" / "rules.lark"


def bundled_games() -> dict[str, Path]:
    """The games that come with the program, by name."""
    return _specs_in(_data() / "spec")


def bundled_specs() -> dict[str, Path]:
    """The games and the small specs of the tutorial, by name."""
    return bundled_games() | _specs_in(_data() / "spec" / "tutorial")


def reference_engine(game: str, spec: Path) -> str | None:
    """The engine that comes with a bundled game; somebody's own spec of the game has none."""
    bundled = bundled_games().get(game)
    own = bundled is None or bundled.resolve() != spec.resolve()
    return None if own else ENGINES.get(game)


def find_spec(argument: str) -> Path:
    """The file somebody means by a path or by the bare name of a bundled game.

    A file of that name comes first; what is neither is taken as a path, for reading it will say
    best what is wrong with it.
    """
    path = Path(argument)
    if path.is_file() or path.name != argument:
        return path
    return bundled_specs().get(argument, path)


def cache_directory() -> Path:
    """Where what is dear to compute may be kept; whoever writes there must cope if they can't."""
    chosen = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if chosen.startswith("~"):  # nobody's home: a place that can never be written
        chosen = os.devnull
    return Path(chosen) / "rulewright"


def _data() -> Path:
    package = Path(__file__).parent
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent


def _specs_in(folder: Path) -> dict[str, Path]:
    return {path.stem: _shown_from_here(path) for path in sorted(folder.glob(f"*{SUFFIX}"))}


def _shown_from_here(path: Path) -> Path:
    """The path as one would type it from the working folder, if it lies in there."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):  # elsewhere, or the working folder is gone
        return path

"""Finds what comes with the program: the grammar, the bundled games, its own sources, the cache
folder.

In a checkout `grammar/` and `spec/` lie two folders above the package; in an installed program
they lie inside it, under `_data/`. Nobody else needs to know which of the two it is.

What every start of the program needs is a path in plain text: loading `pathlib` takes a twentieth
of what a `check` takes.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".rules"
ENGINES = {
    "kubbar": "python:rulewright_engines.kubbar:Kubbar",
    "matte_kryss": "python:rulewright_engines.matte_kryss:MatteKryss",
    "qwixx": "python:rulewright_engines.qwixx:Qwixx",
    "twenty_one": "python:rulewright_engines.twenty_one:TwentyOne",
}
"""The reference engines of the bundled games."""


def grammar_path() -> str:
    """The grammar of the language."""
    return os.path.join(_data(), "grammar", "rules.lark")


def bundled_games() -> dict[str, Path]:
    """The games that come with the program, by name."""
    return _specs_in(os.path.join(_data(), "spec"))


def bundled_specs() -> dict[str, Path]:
    """The games and the small specs of the tutorial, by name."""
    return bundled_games() | _specs_in(os.path.join(_data(), "spec", "tutorial"))


def library_games() -> dict[str, Path]:
    """The library: well-known games by other authors, by name."""
    return _specs_in(os.path.join(_data(), "spec", "library"))


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
    from pathlib import Path

    path = Path(argument)
    if path.is_file() or path.name != argument:
        return path
    return (library_games() | bundled_specs()).get(argument, path)


def cache_directory() -> Path:
    """Where what is dear to compute may be kept; whoever writes there must cope if they can't."""
    from pathlib import Path

    return Path(cache_path())


def cache_path(*names: str) -> str:
    """The same folder, or what is in it, in plain text."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(chosen):  # such a place would come with the working folder
        chosen = os.path.expanduser("~/.cache")
    if chosen.startswith("~"):  # nobody's home: a place that can never be written
        chosen = os.devnull
    return os.path.join(chosen, "rulewright", *names)


def program_path() -> str:
    """The folder with the program's own sources."""
    return os.path.dirname(__file__)


def engines_path() -> str:
    """The folder with the reference engines, beside the program."""
    package = program_path()
    installed = os.path.join(os.path.dirname(package), "rulewright_engines")
    checkout = os.path.join(
        os.path.dirname(os.path.dirname(package)), "engines", "rulewright_engines"
    )
    return installed if os.path.isdir(installed) else checkout


def _data() -> str:
    package = program_path()
    installed = os.path.join(package, "_data")
    checkout = os.path.dirname(os.path.dirname(package))
    return installed if os.path.isdir(installed) else checkout


def _specs_in(folder: str) -> dict[str, Path]:
    from pathlib import Path

    found = sorted(Path(folder).glob(f"*{SUFFIX}"))
    return {path.stem: _shown_from_here(path) for path in found}


def _shown_from_here(path: Path) -> Path:
    """The path as one would type it from the working folder, if it lies in there."""
    try:
        return path.relative_to(os.getcwd())
    except (ValueError, OSError):  # elsewhere, or the working folder is gone
        return path

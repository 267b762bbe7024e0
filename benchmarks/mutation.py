"""How many of all small mistakes in a reference engine `conform` finds.

`python benchmarks/mutation.py [ENGINE...] [--sample N] [--stages A,B] [--games N]`. Every
comparison, number, truth, `and`, `or`, `not`, sum, return value and statement of an engine is
changed, one at a time; the engine with the mistake is then held to the spec: examples, vectors,
random games, perft, until the first difference. What survives is listed with its line. The players
(`sensible`, `roll`) and the words of refusals are left out, since no rule is in them.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from checker.conform.engine import EngineFault
from checker.conform.objects import ObjectEngine
from checker.conform.run import STAGES, Check, Plan
from checker.conform.setups import Rulebook
from checker.conform.side_by_side import Parted
from checker.conform.vector_stage import vector_lines
from checker.front import read
from checker.play.errors import UsageError

ROOT = Path(__file__).parent.parent
ENGINES = {
    "qwixx": ("Qwixx", ["qwixx"]),
    "twenty_one": ("TwentyOne", ["twenty_one"]),
    "matte_kryss": ("MatteKryss", ["matte_kryss_board", "matte_kryss"]),
    "kubbar": ("Kubbar", ["kubbar_table", "kubbar_laying", "kubbar_proposals", "kubbar"]),
}
"""The class of each engine and its modules, each after those that it imports."""
NO_RULES = {"sensible", "roll", "excerpt"}
COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
CALCULATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
TIMEOUT = 1.0
"""Seconds for an answer of an engine that may well hang."""
MEMORY = 3 << 30
"""Bytes; some mistakes never stop growing."""


# ---- mistakes


def mistakes(source: str) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Every mistake that can be made in a module: the line, what it is, and its number."""
    for place, (node, _) in enumerate(_places(ast.parse(source))):
        for choice, (what, _) in enumerate(_changes(node)):
            yield getattr(node, "lineno", 0), f"{what}: {_excerpt(node)}", (place, choice)


def mistaken(source: str, number: tuple[int, int]) -> ast.Module:
    """The module with one mistake made."""
    tree = ast.parse(source)
    node, parent = list(_places(tree))[number[0]]
    _, change = list(_changes(node))[number[1]]
    change(node, parent)
    return ast.fix_missing_locations(tree)


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every part that may be mistaken, with what it stands in."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(each, tree) for each in reversed(tree.body)]
    while waiting:
        node, parent = waiting.pop()
        if getattr(node, "name", None) in NO_RULES or _is_beside_the_rules(node):
            continue
        yield node, parent
        inside = [each for each in ast.iter_child_nodes(node) if not _is_type(each, node)]
        waiting += [(each, node) for each in reversed(inside)]


def _is_beside_the_rules(node: ast.AST) -> bool:
    """Imports, docstrings, the words of a refusal, and what runs a module as a program."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case _:
            return False


def _is_type(node: ast.AST, parent: ast.AST) -> bool:
    return node in (getattr(parent, "annotation", None), getattr(parent, "returns", None))


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """What can be mistaken about one part; each change is made on a copy of it."""
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARED.get(type(operator), ()):
                yield other.__name__, lambda it, _, other=other: it.ops.__setitem__(0, other())
        case ast.BoolOp(op=operator):
            joined = ast.Or if isinstance(operator, ast.And) else ast.And
            yield joined.__name__, lambda it, _: setattr(it, "op", joined())
        case ast.UnaryOp(op=ast.Not()):
            yield "no not", lambda it, parent: _replace(parent, it, it.operand)
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in CALCULATED:
            calculated = CALCULATED[type(operator)]
            yield calculated.__name__, lambda it, _: setattr(it, "op", calculated())
        case ast.Constant(value=bool() as value):
            yield "the opposite", lambda it, _: setattr(it, "value", not value)
        case ast.Constant(value=int() as value):
            for other_value in (value + 1, value - 1):
                yield f"{other_value}", lambda it, _, v=other_value: setattr(it, "value", v)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            nothing = ast.Constant(value=None)
            yield "return nothing", lambda it, _: setattr(it, "value", nothing)
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield "left out", lambda it, parent: _replace(parent, it, ast.Pass())
        case ast.Continue() | ast.Break():
            yield "left out", lambda it, parent: _replace(parent, it, ast.Pass())


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _replace(parent: ast.AST, node: ast.AST, other: ast.AST) -> None:
    for field, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, field, other)
        elif isinstance(value, list) and any(each is node for each in value):
            setattr(parent, field, [other if each is node else each for each in value])


def _excerpt(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:59] + "…"


# ---- engines with a mistake


class Mutant:
    """A module of an engine with a mistake in it."""

    def __init__(
        self, game: str, module: str, line: int, what: str, number: tuple[int, int]
    ) -> None:
        self.game = game
        self.module = module
        self.line = line
        self.what = what
        self.number = number

    def __str__(self) -> str:
        return f"engines/{self.module}.py:{self.line}: {self.what}"

    def engine(self) -> Any:
        """The class of the engine, with the mistake."""
        name, modules = ENGINES[self.game]
        kept = {each: sys.modules.pop(f"engines.{each}", None) for each in modules}
        try:
            for each in modules:
                if each != self.module:
                    import_module(f"engines.{each}")
                    continue
                made = ModuleType(f"engines.{each}")
                sys.modules[made.__name__] = made
                tree = mistaken(_source(each), self.number)
                exec(compile(tree, f"engines/{each}.py", "exec"), vars(made))
            return getattr(sys.modules[f"engines.{modules[-1]}"], name)
        finally:
            for each, module in kept.items():
                sys.modules.pop(f"engines.{each}", None)
                if module is not None:
                    sys.modules[f"engines.{each}"] = module


def mutants_of(game: str) -> list[Mutant]:
    """Every mutant of an engine, in the order of its files."""
    found = []
    for module in ENGINES[game][1]:
        found += [Mutant(game, module, *mistake) for mistake in mistakes(_source(module))]
    return found


def _source(module: str) -> str:
    return (ROOT / "engines" / f"{module}.py").read_text(encoding="utf-8")


def killed_by(
    mutant: Mutant, rulebook: Rulebook, games: int, stages: Sequence[str] = STAGES
) -> str | None:
    """The stage that finds a mistake; None if it survives."""
    try:
        engine = ObjectEngine.of(mutant.engine(), TIMEOUT)
    except Exception:  # it does not even come to be
        return "start"
    with engine:
        check = Check(rulebook, engine, Plan(games=games, seed=1))
        for stage in stages:
            check.only = range(games) if stage == "games" else None
            try:
                for _ in getattr(check, stage)():
                    pass
            except (Parted, EngineFault, UsageError, MemoryError):
                return stage
    return None


# ---- on all cores

_work: dict[str, Any] = {}


def _judge(number: int) -> tuple[int, str | None, float]:
    """The stage that finds a mutant, if any does, and the seconds of the processor it took."""
    began = time.process_time()
    mutant = _work["mutants"][number]
    stage = killed_by(mutant, _work["rulebook"], _work["games"], _work["stages"])
    return number, stage, time.process_time() - began


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("engines", nargs="*", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen at random")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--stages", default=",".join(STAGES))
    options = parser.parse_args()
    stages = options.stages.split(",")
    for game in options.engines:
        rulebook = Rulebook(read(ROOT / "spec" / f"{game}.rules"))
        if "vectors" in stages:
            vector_lines(rulebook, 0)  # found once, then kept
        every = mutants_of(game)
        chosen = sorted(Random(0).sample(range(len(every)), min(options.sample, len(every))))
        numbers = chosen if options.sample else list(range(len(every)))
        _work.update(mutants=every, rulebook=rulebook, games=options.games, stages=stages)
        right = ObjectEngine.of(getattr(import_module(f"engines.{game}"), ENGINES[game][0]))
        with right as engine:  # the referees that all of them need, and a sanity check
            check = Check(rulebook, engine, Plan(games=options.games, seed=1))
            check.only = range(options.games)
            found = check.stage("games").finding
            assert found is None, f"the engine itself differs: {found}"
        finders: dict[str, int] = {}
        spent = 0.0
        with multiprocessing.get_context("fork").Pool(options.jobs, _limit) as pool:
            for number, stage, seconds in pool.imap(_judge, numbers):
                spent += seconds
                if stage is None:
                    print(f"survives  {every[number]}", flush=True)
                else:
                    finders[stage] = finders.get(stage, 0) + 1
        killed = sum(finders.values())
        by = ", ".join(f"{stage} {count}" for stage, count in sorted(finders.items()))
        print(
            f"{game}: {killed} of {len(numbers)} mutants killed ({killed / len(numbers):.1%}), of "
            f"{len(every)} there are; by {by}; {spent:.0f} s of the processor",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How many of all small mistakes in a reference engine `conform` finds.

`python benchmarks/mutation.py [ENGINE...] [--sample N] [--stages A,B] [--games N]`. Every
comparison, number, truth, `and`, `or`, `not`, sum, return value and statement of an engine is
changed, one at a time; the engine with the mistake is then held to the spec: examples, vectors,
random games, until the first difference. What survives is listed with its line. The players
(`sensible`, `roll`) and the words of refusals are left out, since no rule is in them; so are lists
of moves that are not complete, which `conform` does not ask for.
"""

from __future__ import annotations

import argparse
import ast
import gc
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from benchmarks.harness.recorded import Record, Recorder, answers_alike
from rulewright.conform.engine.protocol import EngineFault
from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.stages.conformance import STAGES, Plan
from rulewright.conform.stages.lockstep import Divergence
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.frontend import read
from rulewright.play.semantics.errors import UsageError

ROOT = Path(__file__).parent.parent
ENGINES = {
    "qwixx": ("Qwixx", ["qwixx"]),
    "twenty_one": ("TwentyOne", ["twenty_one"]),
    "matte_kryss": ("MatteKryss", ["matte_kryss_board", "matte_kryss"]),
    "kubbar": ("Kubbar", ["kubbar_table", "kubbar_laying", "kubbar"]),
}
"""The class of each engine and its modules, each after those that it imports."""
NO_RULES = {"sensible", "roll", "excerpt"}
LISTING = {"kubbar": {"legal", "_layings", "_givings", "_beside", "line_through"}}
"""What lists moves in an engine that lists only some of them."""
COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
CALCULATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
TIMEOUT = 3.0
"""Seconds for an answer of an engine that may well hang."""
SECONDS = 300
"""Of the processor, for all that is asked of a mutant."""
MEMORY = 3 << 30
"""Bytes; some mistakes never stop growing."""
FORK = multiprocessing.get_context("fork")


# ---- mistakes


def mistakes(
    source: str, left_out: Collection[str] = ()
) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Every mistake that can be made in a module: the line, what it is, and its number; none in
    the functions that are left out."""
    tree = ast.parse(source)
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    beside = {inside for each in functions if each.name in left_out for inside in ast.walk(each)}
    for place, (node, _) in enumerate(_places(tree)):
        if node in beside:
            continue
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
        return f"engines/rulewright_engines/{self.module}.py:{self.line}: {self.what}"

    def engine(self) -> Any:
        """The class of the engine, with the mistake."""
        name, modules = ENGINES[self.game]
        kept = {each: sys.modules.pop(f"rulewright_engines.{each}", None) for each in modules}
        try:
            for each in modules:
                if each != self.module:
                    import_module(f"rulewright_engines.{each}")
                    continue
                made = ModuleType(f"rulewright_engines.{each}")
                sys.modules[made.__name__] = made
                tree = mistaken(_source(each), self.number)
                exec(compile(tree, f"engines/rulewright_engines/{each}.py", "exec"), vars(made))
            return getattr(sys.modules[f"rulewright_engines.{modules[-1]}"], name)
        finally:
            for each, module in kept.items():
                sys.modules.pop(f"rulewright_engines.{each}", None)
                if module is not None:
                    sys.modules[f"rulewright_engines.{each}"] = module


def mutants_of(game: str) -> list[Mutant]:
    """Every mutant of an engine, in the order of its files."""
    found = []
    for module in ENGINES[game][1]:
        made = mistakes(_source(module), LISTING.get(game, ()))
        found += [Mutant(game, module, *mistake) for mistake in made]
    return found


def _source(module: str) -> str:
    return (ROOT / "engines" / "rulewright_engines" / f"{module}.py").read_text(encoding="utf-8")


def killed_by(
    mutant: Mutant,
    oracles: Oracles,
    games: int,
    stages: Sequence[str] = STAGES,
    recorded: Mapping[str, Record] | None = None,
) -> tuple[str, str] | None:
    """The stage that finds a mistake, and how it shows; None if it survives. A stage in which it
    answers as was `recorded` of the engine without a mistake cannot find it."""
    try:
        engine = PythonEngine.of(mutant.engine(), TIMEOUT)
    except Exception as error:  # it does not even come to be
        return "start", repr(error)
    with engine:
        check = ConformanceRun(oracles, engine, Plan(games=games, seed=1, first=True))
        for stage in stages:
            if recorded is not None and answers_alike(engine, recorded[stage]):
                continue
            check.only = range(games) if stage == "games" else None
            try:
                for _, unit in getattr(check, stage)():
                    unit()
            except (Divergence, EngineFault, UsageError, MemoryError) as found:
                return stage, str(found)
            for cause in check.differences:  # a game that begins otherwise
                return stage, cause.kind
            if check.left_out:
                return "set-ups", check.left_out[0]
    return None


# ---- a process for each


class Verdict(NamedTuple):
    """What became of a mutant: the stage that found it (None if it survives), how it showed, and
    the seconds of the processor that it took."""

    stage: str | None
    how: str
    seconds: float


def judged(mutant: Mutant, judge: Callable[[Mutant], tuple[str, str] | None]) -> Verdict:
    """Judges a mutant in a process of its own, a copy of this one: nothing has to be read or
    compiled again, and whatever a mistake does to its process ends with it."""
    answers, mine = FORK.Pipe(duplex=False)

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        began = time.process_time()
        stage, how = judge(mutant) or (None, "")
        mine.send(Verdict(stage, how, time.process_time() - began))

    process = FORK.Process(target=work)
    process.start()
    mine.close()
    try:
        verdict: Verdict = answers.recv()
    except EOFError:
        process.join()
        verdict = Verdict("fault", f"its process ended with {process.exitcode}", 0.0)
    finally:
        answers.close()
    process.join()
    return verdict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("engines", nargs="*", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen at random")
    parser.add_argument("--only", action="append", help="only those whose line has this in it")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--stages", default=",".join(STAGES))
    parser.add_argument("--verbose", action="store_true", help="list those that are found, too")
    options = parser.parse_args()
    for game in options.engines:
        run(game, options)
    return 0


def run(game: str, options: argparse.Namespace) -> None:
    """Judges the mutants of an engine, and says what became of them."""
    stages = options.stages.split(",")
    oracles = Oracles(read(ROOT / "spec" / f"{game}.rules"))
    right = getattr(import_module(f"rulewright_engines.{game}"), ENGINES[game][0])
    recorded: dict[str, Record] = {}
    with PythonEngine.of(right) as engine:  # what all of them need, and a sanity check
        recorder = Recorder(engine)
        check = ConformanceRun(oracles, recorder, Plan(games=options.games, seed=1))
        for stage in stages:
            check.only = range(options.games) if stage == "games" else None
            found = check.stage(stage)
            recorded[stage] = recorder.record()
            assert found.finding is None, f"the engine itself differs: {found.finding}"
    gc.freeze()  # what is recorded stays where it is, in every process
    every = mutants_of(game)
    number = min(options.sample or len(every), len(every))
    chosen = [every[each] for each in sorted(Random(0).sample(range(len(every)), number))]
    only = options.only or [""]
    chosen = [each for each in chosen if any(text in str(each) for text in only)]
    finders: Counter[str] = Counter()
    spent = 0.0
    for mutant in chosen:
        verdict = judged(mutant, lambda it: killed_by(it, oracles, options.games, stages, recorded))
        spent += verdict.seconds
        finders[verdict.stage or "nothing"] += 1
        if verdict.stage is None:
            print(f"survives  {mutant}  ({verdict.seconds:.1f} s)", flush=True)
        elif options.verbose:
            print(
                f"{verdict.stage:9} {mutant}  ({verdict.how}, {verdict.seconds:.2f} s)", flush=True
            )
    killed = len(chosen) - finders["nothing"]
    by = ", ".join(f"{stage} {count}" for stage, count in finders.most_common())
    print(
        f"{game}: {killed} of {len(chosen)} mutants found, of {len(every)} there are; by {by}; "
        f"{spent:.0f} s of the processor",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())

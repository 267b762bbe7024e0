"""From a solver's model back to positions and moves of the evaluator.

A model gives numbers for unknowns; everything else follows by computing terms. Keys of a board of
which the model says nothing have the plainest value there is: nothing. Nobody sees what is decoded
here before the evaluator has replayed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.values import BagValue, make_map
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    TypeDomains,
)
from rulewright.smt.solver.model_values import UnreadableError
from rulewright.smt.terms.term import BOOL, DEEP, Term, folded


class Model:
    """Values for unknowns, by term: what `smtlib` named and a solver answered."""

    def __init__(self, names: Mapping[Term, str], values: Mapping[str, int]) -> None:
        self._known: dict[Term, int] = {}
        for term, name in names.items():
            if name in values:
                self._known[term] = _in_bounds(term, values[name])
        self.cells: dict[str, dict[int, int]] = {}
        for term, value in list(self._known.items()):
            if term.op == "apply":
                key = self.compute(term.args[0])
                self.cells.setdefault(term.value, {})[key] = value

    def compute(self, term: Term) -> int:
        """The value of a term; truths are 0 and 1."""
        return folded(term, self._known, _unsaid, self._computed)

    def _computed(self, term: Term, args: tuple[int, ...]) -> int:
        match term.op:
            case "true":
                return 1
            case "false":
                return 0
            case "int":
                return int(term.value)
            case "variable":  # nothing was said of it
                low = 0 if term.low is None else term.low
                return 0 if term.sort == BOOL or term.low is None else low
            case "apply":
                return self.cells.get(term.value, {}).get(args[0], term.low or 0)
            case "and":
                return int(all(args))
            case "or":
                return int(any(args))
            case "not":
                return 1 - args[0]
            case "ite":
                return args[1] if args[0] else args[2]
            case "=":
                return int(args[0] == args[1])
            case "<=":
                return int(args[0] <= args[1])
            case "held":
                return args[0]
            case "sum":
                constant, *factors = term.value
                return int(constant + sum(k * each for k, each in zip(factors, args)))
            case "*":
                return args[0] * args[1]
            case "table":
                first, values = term.value
                inside = 0 <= args[0] - first < len(values)
                return int(values[args[0] - first]) if inside else int(term.low or 0)
            case "at_least":
                return int(sum(args) >= term.value)
            case "div" | "mod":
                if args[1] == 0:
                    return 0
                rest = args[0] % abs(args[1])
                return rest if term.op == "mod" else (args[0] - rest) // args[1]
            case op:
                raise AssertionError(op)


def _unsaid(term: Term) -> int | None:
    """The value of what a model does not say anything of, however it is computed."""
    return term.low or 0 if term.op in DEEP else None


def _in_bounds(term: Term, value: int) -> int:
    """What a solver says of an unknown that nothing depends on may lie anywhere."""
    if term.low is not None and value < term.low:
        return term.low
    return term.high if term.high is not None and value > term.high else value


def _plain(domains: TypeDomains, code: int, type: y.Type) -> Any:
    """The plain value of a code; one that is not in its type is none that a game can have."""
    if isinstance(type, y.Int):
        low, high = type.low, type.high
        inside = (low is None or low <= code) and (high is None or code <= high)
    else:
        inside = code in domains.codes(type)
    if not inside:
        raise UnreadableError(f"a solver's position has a value that is not in {y.show(type)}")
    return domains.plain(code, type)


def decode(value: Sym, type: y.Type, model: Model, domains: TypeDomains) -> Any:
    """The evaluator's value of a symbolic one."""
    match type, value:
        case y.Option(inner), _:
            if isinstance(value, SymbolicOption):
                there = value.value is not None and model.compute(value.there)
                return decode(value.value, inner, model, domains) if there else None  # type: ignore[arg-type]
            return decode(value, inner, model, domains)
        case y.Set(element), SymbolicSet(flags=flags):
            codes = [code for code, flag in flags.items() if model.compute(flag)]
            return frozenset(_plain(domains, code, element) for code in codes)
        case y.Bag(element), SymbolicBag(numbers=numbers):
            held = {code: model.compute(number) for code, number in numbers.items()}
            return BagValue.counted({_plain(domains, code, element): n for code, n in held.items()})
        case y.Set(element), b.UnknownArray() | b.ListedArray():
            cells = _cells(value, model)
            return frozenset(_plain(domains, code, element) for code, n in cells.items() if n > 0)
        case y.Bag(element), b.UnknownArray() | b.ListedArray():
            cells = _cells(value, model)
            return BagValue.counted(
                {_plain(domains, code, element): n for code, n in cells.items()}
            )
        case y.Map(key, inner), SymbolicMap(values=values):
            instance = domains.instance
            return make_map(
                type, instance,
                lambda each: decode(values[domains.code(each, key)], inner, model, domains),
            )  # fmt: skip
        case y.Map(key, inner), b.UnknownArray() | b.ListedArray():
            return _decode_board(value, type, model, domains)
        case _, Term():
            return _plain(domains, model.compute(value), type)
        case _:
            raise UnreadableError(f"a {y.show(type)} cannot be read back from a model")


def _cells(board: b.UnknownArray | b.ListedArray, model: Model) -> dict[int, int]:
    """The values at those keys of which something is known."""
    if isinstance(board, b.UnknownArray):
        said = model.cells.get(board.name, {})
        return {key: board.code(value) for key, value in said.items()}
    known = {code: board.values.get(code, board.default) for code in board.keys}
    return {code: model.compute(value) for code, value in known.items()}


def _decode_board(
    board: b.UnknownArray | b.ListedArray, type: y.Map, model: Model, domains: TypeDomains
) -> Any:
    cells = _cells(board, model)
    optional = isinstance(type.value, y.Option)
    plain = type.value.inner if isinstance(type.value, y.Option) else type.value
    usual = b.NONE if optional else domains.codes(plain).start

    def at(key: Any) -> Any:
        code = cells.get(domains.code(key, type.key), usual)
        return None if optional and code == b.NONE else _plain(domains, code, plain)

    return make_map(type, domains.instance, at)

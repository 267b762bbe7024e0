"""Slips of programs: mistakes that engines make, and that nobody makes who only writes rules.

A limit is tested for the one value instead of from there on; what is to be done at once is done
with the next event; a step beyond the edge of a board comes in again a row further down, as in a
program that numbers its squares; groups touch at a corner, too. The evidence of a spec does not ask
about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from rulewright.conform.mutation.dependencies import DependencyGraph, shared_name
from rulewright.conform.mutation.moved_statements import touched
from rulewright.conform.mutation.mutants import Mutant, adds, governed, mutants
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.retyping import retyped, retyped_block
from rulewright.meaning.traversal import rebuilt, walk
from rulewright.syntax.node import replace

LATE = "with the next event, not at once"
EXACTLY = {"less_equal": "equal", "greater_equal": "equal"}
LARGEST_BOARD = 512
"""Squares of a board of which play meets the edge."""
Label: TypeAlias = "tuple[str, tuple[str, ...]]"
"""A label with its clauses."""


def engine_mistakes(spec: c.Spec) -> list[Mutant]:
    """Every mistake that an engine is tested for: those in the rules, then the slips."""
    return [*mutants(spec), *slips(spec)]


def slips(spec: c.Spec) -> list[Mutant]:
    """The slips of programs that play leans on."""
    dependencies = DependencyGraph(spec)
    shared: tuple[c.Effect | c.Function, ...] = (*spec.effects, *spec.functions)
    return [
        *(each for one in spec.transitions for each in _of_transition(spec, one)),
        *(each for one in spec.transitions for each in _of_time(spec, one)),
        *(
            each
            for one in shared
            if dependencies.is_used(shared_name(one))
            for each in _of_shared(spec, one)
        ),
    ]


def _of_transition(spec: c.Spec, transition: c.Transition) -> Iterator[Mutant]:
    for at, requirement in enumerate(transition.requirements):
        own = requirement.label, requirement.clauses or transition.clauses
        for what, changed in _changed_once(requirement.condition):
            condition = retyped(changed)
            wrong = replace(requirement, condition=condition)
            needed = (*transition.requirements[:at], wrong, *transition.requirements[at + 1 :])
            mistaken = _with(spec, replace(transition, requirements=needed))
            yield Mutant(transition.name, *own, what, mistaken, at, condition)
    own = transition.name, transition.clauses
    for label, what, body in _in_body(transition.body, own):
        mistaken = _with(spec, replace(transition, body=retyped_block(body)))
        yield Mutant(transition.name, *label, what, mistaken)


def _of_shared(spec: c.Spec, shared: c.Effect | c.Function) -> Iterator[Mutant]:
    own = shared.name, shared.clauses
    if isinstance(shared, c.Function):
        for what, changed in _changed_once(shared.body):
            function = replace(shared, body=retyped(changed))
            functions = tuple(function if e.name == shared.name else e for e in spec.functions)
            mistaken = replace(spec, functions=functions)
            yield Mutant(None, *own, what, mistaken, shared=shared_name(shared))
        return
    for label, what, body in _in_body(shared.body, own):
        effect = replace(shared, body=retyped_block(body))
        effects = tuple(effect if e.name == shared.name else e for e in spec.effects)
        mistaken = replace(spec, effects=effects)
        yield Mutant(None, *label, what, mistaken, shared=shared_name(shared))


def _with(spec: c.Spec, *changed: c.Transition) -> c.Spec:
    named = {each.name: each for each in changed}
    return replace(spec, transitions=tuple(named.get(each.name, each) for each in spec.transitions))


# ---- expressions


def _changed_once(expression: c.Expr) -> Iterator[tuple[str, c.Expr]]:
    """An expression with one slip, anywhere in it, and what that is."""
    for target in walk(expression):
        for what, other in _slip(target):
            yield what, rebuilt(expression, _only(target, other))
    if any(map(_counts_groups, walk(expression))):
        yield "corners touch, too", rebuilt(expression, _with_corners)


def _counts_groups(node: c.Core) -> bool:
    match node:
        case c.Builtin(name="components", arguments=(board,)):
            keys = board.type.key if isinstance(board.type, y.Map) else None
            return isinstance(keys, y.Grid) and not keys.hex
        case _:
            return False


def _with_corners(node: Any) -> Any:
    return replace(node, along=y.WAY) if _counts_groups(node) else None


def _only(target: c.Core, other: c.Core) -> Callable[[Any], Any]:
    return lambda node: other if node is target else None


def _in_body(
    body: tuple[c.Statement, ...], own: Label
) -> Iterator[tuple[Label, str, tuple[c.Statement, ...]]]:
    """Statements with one slip, with the label of the statement that is mistaken."""
    for at, statement in enumerate(body):
        label = own
        if isinstance(statement, c.Labelled):
            label = statement.label, statement.clauses or own[1]
        inside: list[tuple[Label, str, c.Statement]] = []
        match statement:
            case c.If(condition=condition, then=then, otherwise=otherwise):
                depending = governed(statement, *label)
                for what, changed in _changed_once(condition):
                    inside.append((depending, what, replace(statement, condition=changed)))
                for one, what, block in _in_body(then, label):
                    inside.append((one, what, replace(statement, then=block)))
                for one, what, block in _in_body(otherwise, label):
                    inside.append((one, what, replace(statement, otherwise=block)))
            case c.For(body=block) | c.Labelled(body=block):
                for one, what, changed_block in _in_body(block, label):
                    inside.append((one, what, replace(statement, body=changed_block)))
            case c.Assign(value=value):
                for what, changed in _changed_once(value):
                    inside.append((label, what, replace(statement, value=changed)))
        for one, what, changed_statement in inside:
            yield one, what, (*body[:at], changed_statement, *body[at + 1 :])


def _slip(expression: Any) -> Iterator[tuple[str, c.Expr]]:
    """The slips in the outermost operation of an expression."""
    match expression:
        case c.Binary(operator=operator, left=left) if operator in EXACTLY:
            if isinstance(left.type, y.Int):
                other = EXACTLY[operator]
                yield f"only exactly: {other} for {operator}", replace(expression, operator=other)
        case c.Builtin(
            name="step",
            type=y.Option(y.Grid(hex=False) as grid),
            arguments=(square, way, steps),
        ) if way.type == y.DIRECTION and grid.width * grid.height <= LARGEST_BOARD:
            yield (
                "over the edge into the next row",
                _over_the_edge(expression, grid, square, way, steps),
            )


def _over_the_edge(
    step: c.Builtin, grid: y.Grid, square: c.Expr, way: c.Expr, steps: c.Expr
) -> c.Expr:
    """Where a step leads if squares are numbered row by row, and nobody minds the edge: from the
    end of a row to the beginning of the next, and back."""
    span = step.span

    def number(value: int) -> c.Expr:
        return c.Literal(span, y.Int(value, value), value)

    def both(operator: str, left: c.Expr, right: c.Expr, type: y.Type = y.BOOL) -> c.Expr:
        return c.Binary(span, type, operator, left, right)

    column = c.Builtin(span, y.Int(1, grid.width), "column", (square,))
    row = c.Builtin(span, y.Int(1, grid.height), "row", (square,))
    found: c.Expr = step
    for name, along, down in (("right", "add", "add"), ("left", "subtract", "subtract")):
        back = "subtract" if along == "add" else "add"
        far = both(along, column, steps, y.Int(None, None))
        is_way = both("equal", way, c.Literal(span, y.DIRECTION, name))
        is_over = (
            both("greater", far, number(grid.width))
            if along == "add"
            else both("less", far, number(1))
        )
        last = number(grid.height if down == "add" else 1)
        place = (
            both(back, far, number(grid.width), y.Int(None, None)),
            both(down, row, number(1), y.Int(None, None)),
        )
        beyond = c.Builtin(span, grid, "square", place)
        condition = both("and", is_way, both("and", is_over, both("unequal", row, last)))
        found = c.Choose(span, step.type, condition, beyond, found)
    return found


# ---- time


def _of_time(spec: c.Spec, transition: c.Transition) -> Iterator[Mutant]:
    """What an event or a step does is done only with what happens in the phase after it."""
    after = _phases_after(spec, transition)
    takers = [
        each
        for each in spec.transitions
        if each.kind != "step" and after & set(each.phases)
        and not set(each.phases) & set(transition.phases)
    ]  # fmt: skip
    if not takers:
        return
    for at, statement in enumerate(transition.body):
        if not _can_wait(spec, statement):
            continue
        label: Label = transition.name, transition.clauses
        inside = [each for each in walk(statement) if isinstance(each, c.Labelled)]
        if inside:
            label = inside[0].label, inside[0].clauses or label[1]
        elif isinstance(statement, c.Perform):
            done = next(each for each in spec.effects if each.name == statement.effect)
            label = f"{label[0]}.{done.name}", (*label[1], *done.clauses)
        early = replace(transition, body=transition.body[:at] + transition.body[at + 1 :])
        late = [replace(each, body=(statement, *each.body)) for each in takers]
        yield Mutant(transition.name, *label, LATE, _with(spec, early, *late))


def _phases_after(spec: c.Spec, transition: c.Transition) -> set[str]:
    """The phases that what happens may lead to by itself."""
    found: set[str] = set()
    waiting: list[c.Core] = [*transition.body]
    known: set[str] = set()
    while waiting:
        for node in walk(waiting.pop()):
            match node:
                case c.Assign(variable="phase", value=value):
                    found.update(
                        str(e.value) for e in walk(value) if isinstance(e, c.Literal)
                    )  # fmt: skip
                case c.Perform(effect=name) if name not in known:
                    known.add(name)
                    waiting += [s for e in spec.effects if e.name == name for s in e.body]
    return found - set(transition.phases)


def _can_wait(spec: c.Spec, statement: c.Statement) -> bool:
    """Whether a statement says the same in another place, and done twice the same as once."""
    bound = {binder.name for node in walk(statement) for binder in getattr(node, "binders", ())} | {
        node.name for node in walk(statement) if isinstance(node, c.Let | c.MapEach)
    }
    free = {node.name for node in walk(statement) if isinstance(node, c.Local)} - bound
    _, writes = touched(spec, statement)
    return (
        not isinstance(statement, c.Bind)
        and not free
        and bool(writes)
        and not writes & {"phase", "answered"}
        and not adds(statement, spec)
    )

"""In which order the arguments of an event are gone through, where the order of what is found does
not matter.

The order with the least choices to try is looked for, estimated from how much conditions leave: one
value where they name it, few where they compare it with something, half of them otherwise. A
condition that tables alone decide also counts before all it needs is chosen, if it names the value.
Where a condition can fail, the order stays as it is written.
"""

from __future__ import annotations

from itertools import permutations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import Node
from rulewright.wasm.analysis.condition_inlining import unfolded
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.codegen.compilation_unit import Catch, CodeContext
from rulewright.wasm.moves.choices import ChoiceLeaf, Choices, ChoiceTask, Key, Test

MOST_LEAVES = 5
MANY = 32
"""Choices to try; with fewer, all is soon done."""
WORTH = 0.6
"""Another order is taken if it needs no more than this part of the choices."""
COMPARED, TESTED, FORESEEN = 0.15, 0.5, 0.3
"""What conditions leave of the values."""


class Estimate(Node):
    """How many choices there are about to try, and how many events are found among them."""

    effort: float
    found: float


def in_good_order(choices: Choices, task: ChoiceTask, here: CodeContext) -> ChoiceTask:
    """A task with its leaves in an order that needs few choices; where there are many, conditions
    are taken apart."""
    if task.maps or not 1 <= len(task.leaves) <= MOST_LEAVES:
        return task
    plain = estimated(choices, task).effort
    many = plain >= MANY
    apart = unfolded(choices, task) if many else task
    orders = {order: _estimate(choices, order, apart.tests).effort
              for order in permutations(task.leaves)}  # fmt: skip
    best = min(orders, key=lambda order: orders[order])
    if (not many and orders[best] > WORTH * plain) or can_fail(choices, task, here):
        return task
    return ChoiceTask(best, task.maps, apart.tests)


def estimated(choices: Choices, task: ChoiceTask) -> Estimate:
    """What there is to try in the order of a task."""
    return _estimate(choices, task.leaves, task.tests)


def _estimate(choices: Choices, order: tuple[ChoiceLeaf, ...], tests: tuple[Test, ...]) -> Estimate:
    reached, found, effort = 1.0, 1.0, 0.0
    bound, spent = frozenset[Key](), set[int]()
    for leaf in order:
        tried = passed = _size(choices, leaf)
        for test in tests:
            if leaf.key not in test.leaves or test.order in spent:
                continue
            if test.leaves <= bound | {leaf.key}:
                part, beforehand = _left(choices, test.condition, leaf, tried)
                passed *= part
                small = choices.narrowing.size(leaf.type) is not None
                tried *= part if beforehand and (small or _names(test.condition, leaf)) else 1.0
            elif test.leaves & bound and _names(test.condition, leaf) and (
                choices.narrowing.is_foreseen(test.condition)
            ):  # fmt: skip
                tried, passed = tried * FORESEEN, passed * FORESEEN
                spent.add(test.order)
        effort += reached * max(tried, 1.0)
        reached *= max(passed, 0.5)
        found *= passed
        bound |= {leaf.key}
    return Estimate(effort, found)


def _size(choices: Choices, leaf: ChoiceLeaf) -> float:
    inner = leaf.type.inner if isinstance(leaf.type, y.Option) else leaf.type
    try:
        return max(1.0, float(choices.layout.universe(inner)[1]))
    except Unsupported:
        return 1000.0


def _left(choices: Choices, e: c.Expr, leaf: ChoiceLeaf, size: float) -> tuple[float, bool]:
    """Which part of the values of a leaf a condition leaves, by its looks, and whether the others
    need not be tried."""
    match e:
        case c.Binary(operator="equal", left=left, right=right):
            if _names(e, leaf):
                return 1 / size, True
            mine = [side for side in (left, right) if choices.narrowing.is_about(side, leaf.key[0])]
            return COMPARED, len(mine) == 1 and choices.narrowing.is_foreseen(mine[0])
        case c.Quantify(kind="some", body=body):
            part, beforehand = _left(choices, body, leaf, size)
            return max(part, COMPARED), beforehand
        case c.Quantify(binders=(c.Binder(low=drawn, high=None),)) if drawn is not None:
            return TESTED, True
        case c.Call() | c.Quantify():
            return TESTED, False
        case _:
            return TESTED, True


def _names(e: c.Expr, leaf: ChoiceLeaf) -> bool:
    """Whether a condition says what the value of a leaf is."""
    return isinstance(e, c.Binary) and e.operator == "equal" and any(
        isinstance(side, c.Local) and side.name == leaf.key[0] for side in (e.left, e.right)
    )  # fmt: skip


def can_fail(choices: Choices, task: ChoiceTask, here: CodeContext) -> bool:
    """Whether some condition can have no value; found out by compiling it once for nothing."""
    catch = Catch()
    for leaf in task.leaves:
        variable = here.function.local(choices.register(leaf.type))
        here = here.bind(leaf.key[0], variable.value, leaf.type)
    with choices.unit.module.for_nothing():
        for test in task.tests:
            choices.ask(test, here.catching(catch))
    return catch.used

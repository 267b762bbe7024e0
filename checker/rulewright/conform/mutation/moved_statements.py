"""Mistakes of time: what happens too early or too late in a turn.

A statement of a step, which waits until something is over, is carried out at once with each move
that may lead to it; or two statements that bear on each other change places. Engines are wrong in
this way more often than in any other: a row is closed for everybody before all have answered, a
game ends before the last row is closed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.syntax.node import replace

EARLY = "at once with each move, not when the step is due"
EXCHANGED = "before what should come first"


def moved_earlier(
    spec: c.Spec, step: c.Transition
) -> Iterator[tuple[c.Statement, tuple[c.Transition, ...]]]:
    """Each statement of a step that can be carried out at once with the moves of its phases, and
    all transitions of the spec with that mistake. What says which phase it is stays."""
    moves = [
        each for each in spec.transitions
        if each.kind == "move" and set(each.phases) & set(step.phases)
    ]  # fmt: skip
    if step.kind != "step" or not moves:
        return
    for at, statement in enumerate(step.body):
        _, writes = touched(spec, statement)
        if isinstance(statement, c.Bind) or not writes or "phase" in writes:
            continue
        late = replace(step, body=step.body[:at] + step.body[at + 1 :])
        changed = {late.name: late}
        changed.update({each.name: replace(each, body=(*each.body, statement)) for each in moves})
        yield statement, tuple(changed.get(each.name, each) for each in spec.transitions)


def is_order_matter(spec: c.Spec, first: c.Statement, second: c.Statement) -> bool:
    """Whether two statements bear on each other, so that their order may matter."""
    if isinstance(first, c.Bind) or isinstance(second, c.Bind):
        return False
    reads, writes = touched(spec, first)
    others_reads, others_writes = touched(spec, second)
    return bool(writes & (others_reads | others_writes) or others_writes & reads)


def touched(spec: c.Spec, statement: c.Statement) -> tuple[set[str], set[str]]:
    """The variables that a statement reads, and those that it writes, at any depth."""
    reads: set[str] = set()
    writes: set[str] = set()
    waiting: list[c.Core] = [statement]
    known: set[tuple[str, str]] = set()
    while waiting:
        for node in walk(waiting.pop()):
            match node:
                case c.Assign(variable=name):
                    writes.add(name)
                    reads.update((name,) if node.keys else ())
                case c.StateVar(name=name):
                    reads.add(name)
                case c.Perform(effect=name) if ("effect", name) not in known:
                    known.add(("effect", name))
                    waiting += [one for each in spec.effects if each.name == name
                                for one in each.body]  # fmt: skip
                case c.Call(function=name) if ("function", name) not in known:
                    known.add(("function", name))
                    waiting += [each.body for each in spec.functions if each.name == name]
    return reads, writes

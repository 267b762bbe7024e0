"""Rules, effects and what happens in play, as lines of code.

The tree does not say whether a body stood beside its head or below it, nor whether requirements
were named one by one or in a block: that is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, assert_never

from rulewright.syntax import tree as t
from rulewright.syntax.printing.line_writer import (
    HEAD_INDENT,
    Writer,
    labelled,
    listed,
    parameters,
    quoted,
)
from rulewright.syntax.printing.pretty import (
    INDENT,
    SPACE,
    Concat,
    Doc,
    Group,
    Nest,
    bracketed,
    concat,
    hanging,
    spaced,
    width_of,
)
from rulewright.syntax.printing.print_expr import (
    ADD,
    after,
    arguments,
    binders,
    condition,
    expression,
)
from rulewright.syntax.printing.trivia import Manuscript

Statements = tuple[t.Statement, ...]


# ---- rules and effects


def _rule(w: Writer, d: t.Rule, level: int) -> None:
    w.line(level, d, labelled(concat(f"rule {d.name.text}", parameters(d.params)), d))
    w.block(d.items, level + 1)


def _effect(w: Writer, d: t.Effect, level: int) -> None:
    w.line(level, d, labelled(concat(f"effect {d.name.text}", parameters(d.params)), d))
    w.block(d.body, level + 1)


def _requirement(item: t.Requirement | t.Include) -> Doc:
    if isinstance(item, t.Include):
        return concat(item.rule.text, arguments(item.arguments))
    return concat(labelled(item.name.text, item), ":", after(item.condition))


def _requirement_line(w: Writer, d: t.Requirement | t.Include, level: int) -> None:
    w.line(level, d, _requirement(d))


def _simple(statement: t.Assign | t.Perform | t.Bind) -> Doc:
    """A statement that has no others under it."""
    match statement:
        case t.Assign(target=place, operator=operator, value=value):
            return concat(target(place), f" {operator}", after(value))
        case t.Perform(effect=effect, arguments=given):
            return concat(effect.text, arguments(given))
        case t.Bind(name=name, value=value):
            return concat(f"let {name.text} =", after(value))
        case _:
            assert_never(statement)


def _asked(w: Writer, keyword: str, item: t.Requirement | t.Include, level: int) -> None:
    """A requirement after `needs` or `when`."""
    start = w.manuscript.keyword_before(item.span.start, keyword)
    w.line(level, start, f"{keyword} ", _requirement(item))


def _simple_line(w: Writer, d: t.Assign | t.Perform | t.Bind, level: int) -> None:
    w.line(level, d, _simple(d))


def target(place: t.Target) -> Doc:
    """The place an assignment writes to."""
    return concat(place.name.text, *(bracketed("[", [expression(key)], "]") for key in place.keys))


def _if(w: Writer, d: t.If, level: int) -> None:
    for position, branch in enumerate(d.branches):
        w.line(level, branch, "elif " if position else "if ", condition(branch.condition), ":")
        w.block(branch.body, level + 1)
    if d.otherwise:
        colon = w.manuscript.keyword_before(d.otherwise[0].span.start, ":")
        w.line(level, w.manuscript.keyword_before(colon, "else"), "else:")
        w.block(d.otherwise, level + 1)


def _for(w: Writer, d: t.For, level: int) -> None:
    w.line(level, d, "for ", Nest(binders(d.binders), HEAD_INDENT), ":")
    w.block(d.body, level + 1)


def _labelled_body(w: Writer, d: t.Labelled, level: int) -> None:
    _headed(w, level, d.span.start, concat(labelled(d.name.text, d), ":"), d.body)


def _headed(w: Writer, level: int, start: int, head: Doc, body: Statements) -> None:
    """A head with its statements: a single short one beside it, others below."""
    short = _short(w, level, head, body)
    if short is None:
        w.line(level, start, head)
        w.block(body, level + 1)
    else:
        w.line(level, start, head, " ", short)


def _short(w: Writer, level: int, head: Doc, body: Statements) -> Doc | None:
    """A body that is one simple statement and fits beside its head, if no comment parts them or
    closes the block. Those inside either do not count: they go in front and are outside next
    time."""
    if len(body) != 1 or not isinstance(body[0], t.Assign | t.Perform | t.Bind):
        return None
    here, span = w.manuscript, body[0].span
    if here.has_comment(here.code_before(span.start), span.start):
        return None
    if here.comment_closes(span.start, span.end):
        return None
    doc = _simple(body[0])
    return doc if INDENT * level + width_of(head) + 1 + width_of(doc) <= w.width else None


# ---- what happens in play


def _does(w: Writer, body: Statements, level: int) -> None:
    start = w.manuscript.keyword_before(body[0].span.start, "does")
    _headed(w, level, start, "does", body)


def _move(w: Writer, d: t.Move, level: int) -> None:
    params = parameters(d.params) if d.params else ""
    rest = f"by {d.mover.text} in {listed(d.phases)}"
    w.line(level, d, labelled(_play_head(f"move {d.name.text}", params, rest), d))
    _play_items(w, (d.needs, d.shows, d.body, d.proposals), level + 1)


def _chance(w: Writer, d: t.Chance, level: int) -> None:
    params = parameters(d.params) if d.params else ""
    rest = f"in {listed(d.phases)}"
    w.line(level, d, labelled(_play_head(f"chance {d.name.text}", params, rest), d))
    weight = () if d.weight is None else (d.weight,)
    _play_items(w, (d.needs, d.shows, weight, d.body), level + 1)


def _deal(w: Writer, d: t.Deal, level: int) -> None:
    count = expression(d.count, ADD, last=False)
    to = f"to each {d.target.text}" if d.each else f"to {d.target.text}"
    parts = concat(f"deal {d.name.text} ", count, f" from {d.source.text} {to}")
    head = Nest(parts, HEAD_INDENT)
    w.line(level, d, labelled(_play_head(head, "", f"in {listed(d.phases)}"), d))
    _does(w, d.body, level + 1)


def _step(w: Writer, d: t.Step, level: int) -> None:
    head = _play_head(f"step {d.name.text}", "", f"in {listed(d.phases)}")
    w.line(level, d, labelled(head, d))
    for _, item in _merged((d.when, d.shows)):
        if isinstance(item, t.Shows):
            w.write(item, level + 1)
        else:
            assert isinstance(item, t.Requirement | t.Include)
            _asked(w, "when", item, level + 1)
    _does(w, d.body, level + 1)


def _play_head(named: Doc, params: Doc, rest: str) -> Doc:
    """A head that is broken within its parameters, or without any before `by` or `in`."""
    if params:
        return concat(named, params, " ", rest)
    return concat(named, Group(Nest(Concat((SPACE, rest)), HEAD_INDENT)))


def _play_items(w: Writer, kinds: Sequence[Sequence[t.Tree]], level: int) -> None:
    """The lines of a move or chance event, in the order they were written in."""
    for _, nodes in groupby(_merged(kinds), key=lambda item: item[0]):
        items: list[Any] = [node for _, node in nodes]
        if isinstance(items[0], _STATEMENTS):
            _does(w, tuple(items), level)
            continue
        for item in items:
            if isinstance(item, t.Requirement | t.Include):
                _asked(w, "needs", item, level)
            elif isinstance(item, t.Propose | t.Shows):
                w.write(item, level)
            else:
                w.line(level, _before_weight(w.manuscript, item), "weight", after(item))


def _merged(kinds: Sequence[Sequence[t.Tree]]) -> list[tuple[int, t.Tree]]:
    """Nodes of several kinds by where they stand in the text, never out of order within a kind."""
    merged: list[tuple[int, t.Tree]] = []
    waiting = [(kind, list(reversed(nodes))) for kind, nodes in enumerate(kinds) if nodes]
    while waiting:
        kind, nodes = min(waiting, key=lambda each: each[1][-1].span.start)
        merged.append((kind, nodes.pop()))
        waiting = [each for each in waiting if each[1]]
    return merged


def _before_weight(manuscript: Manuscript, weight: t.Tree) -> int:
    """Where the line of a weight begins; its expression may stand in parentheses."""
    start = weight.span.start
    while (opening := manuscript.keyword_before(start, "(")) != start:
        start = opening
    return manuscript.keyword_before(start, "weight")


def _shows(w: Writer, d: t.Shows, level: int) -> None:
    to = "" if d.to is None else concat(" to", after(d.to))
    if d.seat is not None:
        to = f" to each {d.seat.text}"
    w.line(level, d, concat("shows", after(d.value), to))


def _propose(w: Writer, d: t.Propose, level: int) -> None:
    head = spaced((f"propose {d.name.text}", quoted(d.prose)))
    if d.binders is not None:
        head = concat(head, hanging(concat("for ", Nest(binders(d.binders)))))
    w.line(level, d, head, ":", after(d.value))


_STATEMENTS = (t.Assign, t.Perform, t.Bind, t.If, t.For, t.Labelled)

PLAY: dict[type, Callable[[Writer, Any, int], None]] = {
    t.Rule: _rule,
    t.Effect: _effect,
    t.Requirement: _requirement_line,
    t.Include: _requirement_line,
    t.Assign: _simple_line,
    t.Perform: _simple_line,
    t.Bind: _simple_line,
    t.If: _if,
    t.For: _for,
    t.Labelled: _labelled_body,
    t.Move: _move,
    t.Chance: _chance,
    t.Deal: _deal,
    t.Step: _step,
    t.Propose: _propose,
    t.Shows: _shows,
}

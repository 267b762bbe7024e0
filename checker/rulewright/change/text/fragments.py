"""A spec in pieces that can be compared one by one: each clause, requirement, table, move.

A requirement is a piece of its own, apart from the rule or move it stands in, so that a story can
speak of it by its label. What a piece means and what it says in words are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.syntax import tree as t
from rulewright.syntax.node import Node, replace
from rulewright.syntax.printing.formatter import format_declaration, format_expr, format_type


class Fragment(Node):
    """One named thing. Two pieces with equal `meaning` do the same; `words` are its prose, and
    `text` what a person reads of it, line by line."""

    kind: str
    name: str
    meaning: tuple[Any, ...]
    words: tuple[str, ...]
    text: tuple[str, ...]

    @property
    def shown(self) -> str:
        """`the requirement may_cross.five_first`."""
        return f"{self.kind} `{self.name}`"


def fragments(spec: t.Spec) -> list[Fragment]:
    """The pieces of a spec, in the order of the text."""
    return [piece for declaration in spec.declarations for piece in _pieces(declaration)]


def _pieces(d: t.Declaration) -> Iterator[Fragment]:
    meaning: tuple[Any, ...]
    match d:
        case t.Game():
            yield Fragment("game", d.name.text, (d.least, d.most), (d.title.text,), _lines(d))
        case t.Source():
            yield Fragment("source", d.name.text, (d.document,), (d.title.text,), _lines(d))
        case t.Term():
            yield Fragment("term", d.name.text, (), (d.meaning.text, repr(d.words)), _lines(d))
        case t.Clause():
            yield Fragment("clause", d.name.text, (d.kind, d.places), (d.prose.text,), _lines(d))
        case t.Assumption():
            words = (d.confidence.text, d.prose.text, *_cited(d))
            yield Fragment("assumption", d.name.text, (), words, _lines(d))
        case t.TypeDef():
            text = (f"type {d.name.text} = {format_type(d.body)}",)
            yield Fragment("type", d.name.text, (d.body,), (), text)
        case t.Phases():
            for phase in d.phases:
                marks = tuple(mark.text for mark in phase.marks)
                shown = (" ".join((phase.name.text, *marks)),)
                yield Fragment("phase", phase.name.text, marks, _prose(phase), shown)
        case t.Table():
            meaning = (d.declarator.indices, d.declarator.type, d.legend, d.rows)
            words = (*_prose(d), *_cited(d))
            yield Fragment("table", d.declarator.name.text, meaning, words, _lines(d))
        case t.Const():
            yield Fragment("constant", d.name.text, (d.type, d.value), _said(d), _lines(d))
        case t.State():
            yield from _variables(d)
        case t.Start():
            yield from _requirements("start", d.requirements)
        case t.Fun():
            yield Fragment("function", d.name.text, (d.params, d.type, d.body), _said(d), _lines(d))
        case t.Rule():
            includes = _includes(d.items)
            bare = replace(d, items=includes)
            yield Fragment("rule", d.name.text, (d.params, includes), _said(d), _lines(bare))
            yield from _requirements(d.name.text, d.items)
        case t.Effect():
            yield Fragment("effect", d.name.text, (d.params, d.body), _said(d), _lines(d))
        case t.Move():
            meaning = (d.params, d.mover, d.phases, _includes(d.needs), d.body, d.proposals)
            yield Fragment("move", d.name.text, meaning, _said(d), _without(d, "needs"))
            yield from _requirements(d.name.text, d.needs)
        case t.Chance():
            meaning = (d.params, d.phases, _includes(d.needs), d.weight, d.body)
            yield Fragment("chance event", d.name.text, meaning, _said(d), _without(d, "needs"))
            yield from _requirements(d.name.text, d.needs)
        case t.Deal():
            meaning = (d.count, d.source.text, d.each, d.target.text, d.phases, d.body)
            yield Fragment("deal", d.name.text, meaning, _said(d), _lines(d))
        case t.Step():
            meaning = (d.phases, _includes(d.when), d.body)
            yield Fragment("step", d.name.text, meaning, _said(d), _without(d, "when"))
            yield from _requirements(d.name.text, d.when)
        case t.Property():
            yield Fragment(d.kind, d.name.text, (d.claim,), _said(d), _lines(d))
        case t.Ends():
            yield Fragment("ends", d.name.text, (d.measure, d.at), _said(d), _lines(d))
        case t.Reading():
            options = tuple((each.name.text, each.default) for each in d.options)
            words = (d.prose.text, *_cited(d), *(each.prose.text for each in d.options))
            yield Fragment("reading", d.name.text, options, words, _lines(d))
        case t.Variant():
            words = (d.prose.text, *_cited(d))
            yield Fragment("variant", d.name.text, (d.items,), words, _lines(d))
        case t.Example():
            yield Fragment("example", d.name.text, (d.lines,), _said(d), _lines(d))
        case t.Section():
            yield Fragment("section", d.name.text, (), tuple(_lines(d)), _lines(d))
        case t.View():
            yield Fragment("view", d.subject.text, (), tuple(_lines(d)), _lines(d))
        case t.Accept():
            name = f"{d.finding.text} {d.subject.text}"
            yield Fragment("acceptance", name, (d.under,), (d.reason.text,), _lines(d))


def _variables(state: t.State) -> Iterator[Fragment]:
    for item in state.items:
        owner = item.owner.text if isinstance(item, t.Each) else None
        for each in item.variables if isinstance(item, t.Each) else (item,):
            declared = each.declarator
            meaning = (owner, declared.indices, declared.type, each.hidden, each.initial)
            text = _lines(t.State(state.span, (each,)))[1:]
            name = declared.name.text
            shown = tuple(line.strip() for line in text)
            yield Fragment("state variable", name, meaning, _prose(each), shown)


def _requirements(owner: str, items: tuple[t.Requirement | t.Include, ...]) -> Iterator[Fragment]:
    for item in items:
        if isinstance(item, t.Requirement):
            name = f"{owner}.{item.name.text}"
            text = (format_expr(item.condition),)
            yield Fragment("requirement", name, (item.condition,), _said(item), text)


def _includes(items: tuple[t.Requirement | t.Include, ...]) -> tuple[t.Include, ...]:
    return tuple(item for item in items if isinstance(item, t.Include))


def _without(declaration: Any, field: str) -> tuple[str, ...]:
    """The lines of a move without its own requirements."""
    kept = _includes(getattr(declaration, field))
    return _lines(replace(declaration, **{field: kept}))


def _lines(declaration: Any) -> tuple[str, ...]:
    return tuple(format_declaration(declaration).rstrip("\n").split("\n"))


def _prose(node: Any) -> tuple[str, ...]:
    return () if node.prose is None else (node.prose.text,)


def _cited(node: Any) -> tuple[str, ...]:
    return tuple(path.text for path in node.cites)


def _said(node: Any) -> tuple[str, ...]:
    return (*_prose(node), *_cited(node))


def with_names(node: Any, names: Mapping[str, str]) -> Any:
    """A tree, or a tuple of trees, with some names replaced."""
    if isinstance(node, tuple):
        return tuple(with_names(each, names) for each in node)
    if isinstance(node, t.Ident | t.Name) and node.text in names:
        return replace(node, text=names[node.text])
    if isinstance(node, t.Path) and node.parts[0] in names:
        return replace(node, parts=(names[node.parts[0]], *node.parts[1:]))
    if not isinstance(node, t.Tree):
        return node
    fields = {field: with_names(getattr(node, field), names) for field in node._fields[1:]}
    return replace(node, **fields)

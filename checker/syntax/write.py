"""Declarations to lines of code: what stands on which line, and how deep it is indented.

One function per construct, in the order of the grammar. Where the tree says less than the text
(a body beside its head or below it, `needs` one by one or in a block), the layout is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from checker.syntax import columns
from checker.syntax import tree as t
from checker.syntax.layout import (
    INDENT,
    SOFT,
    SPACE,
    Concat,
    Doc,
    Group,
    Nest,
    bracketed,
    concat,
    hanging,
    separated,
    spaced,
    width_of,
)
from checker.syntax.manuscript import Manuscript
from checker.syntax.phrase import (
    after,
    arguments,
    binders,
    condition,
    declarator,
    expression,
    format_type,
    type_body,
)
from checker.syntax.weave import Line

HEAD_INDENT = 2 * INDENT
"""How deep a head goes on that is broken before a block, so that the two can be told apart."""

Statements = tuple[t.Statement, ...]


def write(
    declarations: Iterable[t.Declaration], manuscript: Manuscript, width: int
) -> list[Line]:
    """The lines of declarations, one after another."""
    writer = _Writer(manuscript, width)
    for declaration in declarations:
        first = len(writer.lines)
        writer.write(declaration, 0)
        writer.lines[first].opens = True
        writer.lines[first].kind = type(declaration).__name__
    return writer.lines


class _Writer:
    """Collects lines. What begins where is taken from the manuscript, so that `weave` knows
    which comments stood before, in and after each line."""

    def __init__(self, manuscript: Manuscript, width: int) -> None:
        self.manuscript = manuscript
        self.width = width
        self.lines: list[Line] = []

    def write(self, node: t.Tree, level: int) -> None:
        """Adds the lines of anything that begins a line."""
        _WRITERS[type(node)](self, node, level)

    def block(self, nodes: Sequence[t.Tree], level: int) -> None:
        """Adds the lines of a block."""
        for node in nodes:
            self.write(node, level)

    def line(self, level: int, node: t.Tree | int, *parts: Doc) -> None:
        """Adds a line that begins where a node does, or at an offset."""
        start = node if isinstance(node, int) else node.span.start
        self.lines.append(Line(level, start, concat(*parts)))

    def columned(
        self, level: int, node: t.Tree, heading: tuple[str, ...], rest: Doc, gap: str = columns.GAP
    ) -> None:
        """Adds a line that is set in columns with its neighbours of the same kind."""
        kind = type(node).__name__
        self.lines.append(Line(level, node.span.start, rest, kind, heading, gap))

    def requirement(self, keyword: str, item: t.Requirement | t.Include, level: int) -> None:
        """Adds a requirement after `needs` or `when`."""
        start = self.manuscript.keyword_before(item.span.start, keyword)
        self.line(level, start, f"{keyword} ", _requirement(item))

    def does(self, body: Statements, level: int) -> None:
        """Adds `does` and its statements."""
        start = self.manuscript.keyword_before(body[0].span.start, "does")
        self.headed(level, start, "does", body)

    def headed(self, level: int, start: int, head: Doc, body: Statements) -> None:
        """Adds a head with its statements: a single short one beside it, others below."""
        if self.is_short(level, start, head, body):
            self.line(level, start, head, " ", _simple(body[0]))
        else:
            self.line(level, start, head)
            self.block(body, level + 1)

    def is_short(self, level: int, start: int, head: Doc, body: Statements) -> bool:
        """Whether a body is one simple statement that fits beside its head, without comments."""
        if len(body) != 1 or not isinstance(body[0], t.Assign | t.Perform | t.Bind):
            return False
        end = body[0].span.end
        if self.manuscript.has_comment(start, end) or self.manuscript.comment_closes(start, end):
            return False
        return INDENT * level + width_of(head) + 1 + width_of(_simple(body[0])) <= self.width


def _quoted(prose: t.Text | None) -> str:
    return "" if prose is None else f'"{prose.text}"'


def _cites(cites: tuple[t.Path, ...]) -> Doc:
    """Clauses in their brackets; where they break, what comes below must still stand out."""
    if not cites:
        return ""
    inner = Concat((SOFT, separated([path.text for path in cites])))
    return Group(Concat(("[", Nest(inner, HEAD_INDENT), "]")))


def _names(names: Iterable[t.Ident]) -> str:
    return ", ".join(name.text for name in names)


def _labelled(head: Doc, node: Any) -> Doc:
    """A head with the prose and the clauses that most things can carry."""
    return spaced((head, _quoted(node.prose), _cites(node.cites)))


def _named(word: str, node: Any) -> Doc:
    return _labelled(f"{word} {node.name.text}", node)


# ---- the game and its rulebook


def _game(w: _Writer, d: t.Game, level: int) -> None:
    w.line(level, d, f"game {d.name.text} {_quoted(d.title)}")
    players = w.manuscript.code_after(d.title.span.end)
    w.line(level + 1, players, f"players {d.least}..{d.most}")


def _source(w: _Writer, d: t.Source, level: int) -> None:
    document = "" if d.document is None else hanging(f"document {_quoted(d.document)}")
    w.columned(level, d, (f"source {d.name.text}", _quoted(d.title)), document)


def _term(w: _Writer, d: t.Term, level: int) -> None:
    words = separated([f"{word.language.text} {_quoted(word.text)}" for word in d.words])
    w.columned(level, d, (f"term {d.name.text}", _quoted(d.meaning)), hanging(words))


def _clause(w: _Writer, d: t.Clause, level: int) -> None:
    places = " ".join(
        f"{place.source.text}:{'.'.join(map(str, place.numbers))}" for place in d.places
    )
    heading = (f"clause {d.name.text}", d.kind.text, places)
    w.columned(level, d, heading, hanging(_quoted(d.prose)))


def _assumption(w: _Writer, d: t.Assumption, level: int) -> None:
    heading = (f"assumption {d.name.text}", d.confidence.text)
    cites = Group(Concat((SPACE, _cites(d.cites)))) if d.cites else ""
    w.columned(level, d, heading, hanging(concat(_quoted(d.prose), cites)))


def _accept(w: _Writer, d: t.Accept, level: int) -> None:
    under = "" if d.under is None else f"under {d.under.reading.text} = {d.under.option.text}"
    heading = (f"accept {d.finding.text}", d.subject.text, under)
    w.columned(level, d, heading, hanging(_quoted(d.reason)))


# ---- types and data


def _type_def(w: _Writer, d: t.TypeDef, level: int) -> None:
    w.columned(level, d, (f"type {d.name.text}",), concat(" =", type_body(d.body)), gap="")


def _phases(w: _Writer, d: t.Phases, level: int) -> None:
    phases = [
        spaced((phase.name.text, *(mark.text for mark in phase.marks), _quoted(phase.prose)))
        for phase in d.phases
    ]
    plain = all(phase.prose is None for phase in d.phases)
    w.line(level, d, "phase ", Nest(separated(phases, pack=plain)))


def _table(w: _Writer, d: t.Table, level: int) -> None:
    w.line(level, d, _labelled(f"table {declarator(d.declarator)}", d))
    if d.legend:
        legend = columns.legend([cell.text for cell in d.legend])
        w.line(level + 1, w.manuscript.keyword_before(d.legend[0].span.start, "legend"), legend)
    texts = columns.rows([[cell.text for cell in row.cells] for row in d.rows])
    for row, text in zip(d.rows, texts):
        w.line(level + 1, row, text)


def _const(w: _Writer, d: t.Const, level: int) -> None:
    typed = "" if d.type is None else f": {format_type(d.type)}"
    w.line(level, d, _labelled(f"const {d.name.text}{typed}", d), " =", after(d.value))


def _state(w: _Writer, d: t.State, level: int) -> None:
    w.line(level, d, "state")
    w.block(d.items, level + 1)


def _each(w: _Writer, d: t.Each, level: int) -> None:
    w.line(level, d, f"each {d.owner.text}")
    w.block(d.variables, level + 1)


def _variable(w: _Writer, d: t.Variable, level: int) -> None:
    head = declarator(d.declarator) + (" hidden" if d.hidden else "")
    if d.initial is None:
        w.line(level, d, spaced((head, _quoted(d.prose))))
    else:
        prose = "" if d.prose is None else hanging(_quoted(d.prose))
        w.line(level, d, head, " =", after(d.initial), prose)


def _start(w: _Writer, d: t.Start, level: int) -> None:
    w.line(level, d, "start")
    w.block(d.requirements, level + 1)


# ---- functions, rules and effects


def _fun(w: _Writer, d: t.Fun, level: int) -> None:
    typed = "" if d.type is None else f": {format_type(d.type)}"
    head = concat(f"fun {d.name.text}", _params(d.params), typed)
    w.line(level, d, _labelled(head, d), " =", after(d.body))


def _rule(w: _Writer, d: t.Rule, level: int) -> None:
    w.line(level, d, _labelled(concat(f"rule {d.name.text}", _params(d.params)), d))
    w.block(d.items, level + 1)


def _effect(w: _Writer, d: t.Effect, level: int) -> None:
    w.line(level, d, _labelled(concat(f"effect {d.name.text}", _params(d.params)), d))
    w.block(d.body, level + 1)


def _params(params: tuple[t.Declarator, ...]) -> Doc:
    """Parameters in their parentheses; where they break, the block below must still stand out."""
    if not params:
        return "()"
    inner = Concat((SOFT, separated([declarator(param) for param in params])))
    return Group(Concat(("(", Nest(inner, HEAD_INDENT), Nest(SOFT), ")")))


def _requirement(item: t.Requirement | t.Include) -> Doc:
    if isinstance(item, t.Include):
        return concat(item.rule.text, arguments(item.arguments))
    return concat(_labelled(item.name.text, item), ":", after(item.condition))


def _requirement_line(w: _Writer, d: t.Requirement | t.Include, level: int) -> None:
    w.line(level, d, _requirement(d))


def _simple(statement: t.Statement) -> Doc:
    """A statement that has no others under it."""
    match statement:
        case t.Assign(target=target, operator=operator, value=value):
            return concat(_target(target), f" {operator}", after(value))
        case t.Perform(effect=effect, arguments=given):
            return concat(effect.text, arguments(given))
        case t.Bind(name=name, value=value):
            return concat(f"let {name.text} =", after(value))
        case _:
            raise TypeError(statement)


def _simple_line(w: _Writer, d: t.Statement, level: int) -> None:
    w.line(level, d, _simple(d))


def _target(target: t.Target) -> Doc:
    return concat(
        target.name.text, *(bracketed("[", [expression(key)], "]") for key in target.keys)
    )


def _if(w: _Writer, d: t.If, level: int) -> None:
    for position, branch in enumerate(d.branches):
        w.line(level, branch, "elif " if position else "if ", condition(branch.condition), ":")
        w.block(branch.body, level + 1)
    if d.otherwise:
        colon = w.manuscript.keyword_before(d.otherwise[0].span.start, ":")
        w.line(level, w.manuscript.keyword_before(colon, "else"), "else:")
        w.block(d.otherwise, level + 1)


def _for(w: _Writer, d: t.For, level: int) -> None:
    w.line(level, d, "for ", Nest(binders(d.binders), HEAD_INDENT), ":")
    w.block(d.body, level + 1)


def _labelled_body(w: _Writer, d: t.Labelled, level: int) -> None:
    w.headed(level, d.span.start, concat(_labelled(d.name.text, d), ":"), d.body)


# ---- what happens in play


def _move(w: _Writer, d: t.Move, level: int) -> None:
    params = _params(d.params) if d.params else ""
    rest = f"by {d.mover.text} in {_names(d.phases)}"
    w.line(level, d, _labelled(_play_head(f"move {d.name.text}", params, rest), d))
    _play_items(w, (d.needs, d.body, d.proposals), level + 1)


def _chance(w: _Writer, d: t.Chance, level: int) -> None:
    params = _params(d.params) if d.params else ""
    rest = f"in {_names(d.phases)}"
    w.line(level, d, _labelled(_play_head(f"chance {d.name.text}", params, rest), d))
    weight = () if d.weight is None else (d.weight,)
    _play_items(w, (d.needs, weight, d.body), level + 1)


def _step(w: _Writer, d: t.Step, level: int) -> None:
    head = _play_head(f"step {d.name.text}", "", f"in {_names(d.phases)}")
    w.line(level, d, _labelled(head, d))
    for item in d.when:
        w.requirement("when", item, level + 1)
    w.does(d.body, level + 1)


def _play_head(named: str, params: Doc, rest: str) -> Doc:
    """A head that is broken within its parameters, or without any before `by` or `in`."""
    if params:
        return concat(named, params, " ", rest)
    return concat(named, Group(Nest(Concat((SPACE, rest)), HEAD_INDENT)))


def _play_items(w: _Writer, kinds: Sequence[Sequence[t.Tree]], level: int) -> None:
    """The lines of a move or chance event, in the order they were written in."""
    for kind, nodes in groupby(_merged(kinds), key=lambda item: item[0]):
        items: list[Any] = [node for _, node in nodes]
        if isinstance(items[0], _STATEMENTS):
            w.does(tuple(items), level)
            continue
        for item in items:
            if isinstance(item, t.Requirement | t.Include):
                w.requirement("needs", item, level)
            elif isinstance(item, t.Propose):
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


def _propose(w: _Writer, d: t.Propose, level: int) -> None:
    head = spaced((f"propose {d.name.text}", _quoted(d.prose)))
    if d.binders is not None:
        head = concat(head, hanging(concat("for ", Nest(binders(d.binders)))))
    w.line(level, d, head, ":", after(d.value))


# ---- what must hold


def _property(w: _Writer, d: t.Property, level: int) -> None:
    w.line(level, d, _named(d.kind, d), ":", after(d.claim))


def _ends(w: _Writer, d: t.Ends, level: int) -> None:
    measure = bracketed("(", [expression(part) for part in d.measure], ")")
    w.line(level, d, _named("ends", d), " by ", measure, f" at {d.at.text}")


# ---- open questions, variants, worked examples


def _reading(w: _Writer, d: t.Reading, level: int) -> None:
    w.line(level, d, _named("reading", d))
    w.block(d.options, level + 1)


def _option(w: _Writer, d: t.Option, level: int) -> None:
    default = " default" if d.default else ""
    w.columned(level, d, (d.name.text,), hanging(_quoted(d.prose) + default))


def _variant(w: _Writer, d: t.Variant, level: int) -> None:
    w.line(level, d, _named("variant", d))
    w.block(d.items, level + 1)


def _change(w: _Writer, d: t.Replace | t.Add, level: int) -> None:
    word = "replace" if isinstance(d, t.Replace) else "add"
    w.line(level, d, _labelled(f"{word} {d.path.text}", d), ":", after(d.condition))


def _drop(w: _Writer, d: t.Drop, level: int) -> None:
    w.line(level, d, f"drop {d.path.text}")


def _example(w: _Writer, d: t.Example, level: int) -> None:
    w.line(level, d, _named("example", d))
    w.block(d.lines, level + 1)


def _seats(w: _Writer, d: t.Seats, level: int) -> None:
    names = separated([name.text for name in d.names]) if d.names else str(d.count)
    w.line(level, d, "players ", Nest(names))


def _under(w: _Writer, d: t.Under, level: int) -> None:
    w.line(level, d, f"reading {d.reading.text} = {d.option.text}")


def _under_variant(w: _Writer, d: t.UnderVariant, level: int) -> None:
    w.line(level, d, f"variant {d.variant.text}")


def _given(w: _Writer, d: t.Given, level: int) -> None:
    if len(d.facts) == 1:
        w.line(level, d, "given ", _fact(d.facts[0]))
    else:
        w.line(level, d, "given")
        w.block(d.facts, level + 1)


def _fact(fact: t.Fact) -> Doc:
    return concat(_target(fact.target), " =", after(fact.value))


def _throw(w: _Writer, d: t.Throw, level: int) -> None:
    w.line(level, d, f"chance {d.chance.text}", _given_arguments(d))


def _play(w: _Writer, d: t.Play, level: int) -> None:
    w.line(level, d, f"{_seat(d.seat)} plays {d.move.text}", _given_arguments(d))


def _refuse(w: _Writer, d: t.Refuse, level: int) -> None:
    because: Doc = ""
    if d.because:
        paths = separated([path.text for path in d.because])
        because = hanging(concat("because ", Nest(paths)))
    who = "chance" if d.seat is None else _seat(d.seat)
    w.line(level, d, f"{who} cannot {d.move.text}", _given_arguments(d), because)


def _expect(w: _Writer, d: t.Expect, level: int) -> None:
    w.line(level, d, "expect", after(d.condition))


def _given_arguments(d: t.Throw | t.Play | t.Refuse) -> Doc:
    return arguments(d.arguments) if d.arguments else ""


def _seat(seat: t.Seat) -> str:
    return seat.text if isinstance(seat, t.Ident) else str(seat.value)


_STATEMENTS = (t.Assign, t.Perform, t.Bind, t.If, t.For, t.Labelled)

_WRITERS: dict[type, Callable[[_Writer, Any, int], None]] = {
    t.Game: _game,
    t.Source: _source,
    t.Term: _term,
    t.Clause: _clause,
    t.Assumption: _assumption,
    t.Accept: _accept,
    t.TypeDef: _type_def,
    t.Phases: _phases,
    t.Table: _table,
    t.Const: _const,
    t.State: _state,
    t.Each: _each,
    t.Variable: _variable,
    t.Start: _start,
    t.Fun: _fun,
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
    t.Step: _step,
    t.Propose: _propose,
    t.Property: _property,
    t.Ends: _ends,
    t.Reading: _reading,
    t.Option: _option,
    t.Variant: _variant,
    t.Replace: _change,
    t.Add: _change,
    t.Drop: _drop,
    t.Example: _example,
    t.Seats: _seats,
    t.Under: _under,
    t.UnderVariant: _under_variant,
    t.Given: _given,
    t.Fact: lambda w, d, level: w.line(level, d, _fact(d)),
    t.Throw: _throw,
    t.Play: _play,
    t.Refuse: _refuse,
    t.Expect: _expect,
}

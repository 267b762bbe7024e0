"""Declarations to lines of code: what stands on which line, and how deep it is indented.

One function per construct, in the order of the grammar; rules, effects and what happens in play
are in `print_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.syntax import tree as t
from rulewright.syntax.printing import alignment
from rulewright.syntax.printing.comments import Line
from rulewright.syntax.printing.line_writer import (
    Writer,
    citation,
    labelled,
    named,
    parameters,
    quoted,
)
from rulewright.syntax.printing.pretty import (
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
)
from rulewright.syntax.printing.print_expr import (
    ATOM,
    after,
    arguments,
    declarator,
    expression,
    format_type,
    type_body,
)
from rulewright.syntax.printing.print_rules import PLAY, target
from rulewright.syntax.printing.trivia import Manuscript


def write(declarations: Iterable[t.Declaration], manuscript: Manuscript, width: int) -> list[Line]:
    """The lines of declarations, one after another."""
    writer = Writer(manuscript, width, _CONSTRUCTS)
    for declaration in declarations:
        writer.declaration(declaration)
    return writer.lines


# ---- the game and its rulebook


def _game(w: Writer, d: t.Game, level: int) -> None:
    w.line(level, d, f"game {d.name.text} {quoted(d.title)}")
    players = w.manuscript.code_after(d.title.span.end)
    numbers = f"{d.least}" if d.exact else f"{d.least}..{d.most}"
    w.line(level + 1, players, f"players {numbers}")


def _source(w: Writer, d: t.Source, level: int) -> None:
    document = "" if d.document is None else hanging(f"document {quoted(d.document)}")
    w.columned(level, d, (f"source {d.name.text}", quoted(d.title)), document)


def _term(w: Writer, d: t.Term, level: int) -> None:
    words = separated([f"{word.language.text} {quoted(word.text)}" for word in d.words])
    w.columned(level, d, (f"term {d.name.text}", quoted(d.meaning)), hanging(words))


def _clause(w: Writer, d: t.Clause, level: int) -> None:
    places = " ".join(
        f"{place.source.text}:{'.'.join(map(str, place.numbers))}" for place in d.places
    )
    heading = (f"clause {d.name.text}", d.kind.text, places)
    w.columned(level, d, heading, hanging(quoted(d.prose)))


def _assumption(w: Writer, d: t.Assumption, level: int) -> None:
    heading = (f"assumption {d.name.text}", d.confidence.text)
    cites = Group(Concat((SPACE, citation(d.cites)))) if d.cites else ""
    w.columned(level, d, heading, hanging(concat(quoted(d.prose), cites)))


def _accept(w: Writer, d: t.Accept, level: int) -> None:
    under = "" if d.under is None else f"under {d.under.reading.text} = {d.under.option.text}"
    heading = (f"accept {d.finding.text}", d.subject.text, under)
    w.columned(level, d, heading, hanging(quoted(d.reason)))


def _section(w: Writer, d: t.Section, level: int) -> None:
    w.line(level, d, f"section {d.name.text} {quoted(d.heading)}")
    for each in d.paragraphs:
        clauses = separated([path.text for path in each.clauses], pack=True)
        if each.title is None:
            w.line(level + 1, each, Nest(clauses))
        else:
            names = ", ".join(phase.text for phase in each.title.phases)
            where = f" in {names}" if names else ""
            w.line(level + 1, each, f"{quoted(each.title.words)}{where}:", hanging(clauses))


def _view(w: Writer, d: t.View, level: int) -> None:
    w.line(level, d, spaced((f"view {d.subject.text} as {d.shape.text}", quoted(d.label))))
    for each in d.faces:
        first, *others = (expression(value, ATOM) for value in each.values)
        values = concat(first, *(concat(" or ", other) for other in others))
        colour = each.colour.text if each.colour else ""
        w.line(level + 1, each, spaced((values, quoted(each.label), colour)))


# ---- types and data


def _type_def(w: Writer, d: t.TypeDef, level: int) -> None:
    w.columned(level, d, (f"type {d.name.text}",), concat(" =", type_body(d.body)), gap="")


def _phases(w: Writer, d: t.Phases, level: int) -> None:
    phases = [
        spaced((phase.name.text, *(mark.text for mark in phase.marks), quoted(phase.prose)))
        for phase in d.phases
    ]
    plain = all(phase.prose is None for phase in d.phases)
    w.line(level, d, "phase ", Nest(separated(phases, pack=plain)))


def _table(w: Writer, d: t.Table, level: int) -> None:
    w.line(level, d, labelled(f"table {declarator(d.declarator)}", d))
    for line in d.legends:
        w.line(level + 1, line, alignment.legend([cell.text for cell in line.cells]))
    texts = alignment.rows([[cell.text for cell in row.cells] for row in d.rows])
    for row, text in zip(d.rows, texts):
        w.line(level + 1, row, text)


def _const(w: Writer, d: t.Const, level: int) -> None:
    typed = "" if d.type is None else f": {format_type(d.type)}"
    w.line(level, d, labelled(f"const {d.name.text}{typed}", d), " =", after(d.value))


def _state(w: Writer, d: t.State, level: int) -> None:
    w.line(level, d, "state")
    w.block(d.items, level + 1)


def _each(w: Writer, d: t.Each, level: int) -> None:
    w.line(level, d, f"each {d.owner.text}")
    w.block(d.variables, level + 1)


def _variable(w: Writer, d: t.Variable, level: int) -> None:
    hidden = " hidden from owner" if d.from_owner else " hidden" if d.hidden else ""
    head = declarator(d.declarator) + hidden
    if d.initial is None:
        w.line(level, d, labelled(head, d))
    else:
        prose = "" if d.prose is None else hanging(labelled("", d))
        w.line(level, d, head, " =", after(d.initial), prose)


def _start(w: Writer, d: t.Start, level: int) -> None:
    w.line(level, d, "start")
    w.block(d.requirements, level + 1)


def _fun(w: Writer, d: t.Fun, level: int) -> None:
    typed = "" if d.type is None else f": {format_type(d.type)}"
    head = concat(f"fun {d.name.text}", parameters(d.params), typed)
    w.line(level, d, labelled(head, d), " =", after(d.body))


# ---- what must hold


def _property(w: Writer, d: t.Property, level: int) -> None:
    if d.kind == "secret":
        w.line(level, d, named(d.kind, d))
    else:
        w.line(level, d, named(d.kind, d), ":", after(d.claim))


def _ends(w: Writer, d: t.Ends, level: int) -> None:
    measure = bracketed("(", [expression(part) for part in d.measure], ")")
    w.line(level, d, named("ends", d), hanging(concat("by ", measure, f" at {d.at.text}")))


# ---- open questions, variants, worked examples


def _reading(w: Writer, d: t.Reading, level: int) -> None:
    w.line(level, d, named("reading", d))
    w.block(d.options, level + 1)


def _option(w: Writer, d: t.Option, level: int) -> None:
    default = " default" if d.default else ""
    w.columned(level, d, (d.name.text,), hanging(quoted(d.prose) + default))


def _variant(w: Writer, d: t.Variant, level: int) -> None:
    w.line(level, d, named("variant", d))
    w.block(d.items, level + 1)


def _change(w: Writer, d: t.Replace | t.Add, level: int) -> None:
    word = "replace" if isinstance(d, t.Replace) else "add"
    w.line(level, d, labelled(f"{word} {d.path.text}", d), ":", after(d.condition))


def _drop(w: Writer, d: t.Drop, level: int) -> None:
    w.line(level, d, f"drop {d.path.text}")


def _example(w: Writer, d: t.Example, level: int) -> None:
    w.line(level, d, named("example", d))
    w.block(d.lines, level + 1)


def _seats(w: Writer, d: t.Seats, level: int) -> None:
    names = separated([name.text for name in d.names]) if d.names else str(d.count)
    w.line(level, d, "players ", Nest(names))


def _under(w: Writer, d: t.Under, level: int) -> None:
    w.line(level, d, f"reading {d.reading.text} = {d.option.text}")


def _under_variant(w: Writer, d: t.UnderVariant, level: int) -> None:
    w.line(level, d, f"variant {d.variant.text}")


def _given(w: Writer, d: t.Given, level: int) -> None:
    if len(d.facts) == 1:
        w.line(level, d, "given ", _fact(d.facts[0]))
    else:
        w.line(level, d, "given")
        w.block(d.facts, level + 1)


def _fact(fact: t.Fact) -> Doc:
    return concat(target(fact.target), " =", after(fact.value))


def _throw(w: Writer, d: t.Throw, level: int) -> None:
    w.line(level, d, f"chance {d.chance.text}", _given_arguments(d))


def _play(w: Writer, d: t.Play, level: int) -> None:
    w.line(level, d, f"{_seat(d.seat)} plays {d.move.text}", _given_arguments(d))


def _refuse(w: Writer, d: t.Refuse, level: int) -> None:
    because: Doc = ""
    if d.because:
        paths = separated([path.text for path in d.because])
        because = hanging(concat("because ", Nest(paths)))
    who = "chance" if d.seat is None else _seat(d.seat)
    w.line(level, d, f"{who} cannot {d.move.text}", _given_arguments(d), because)


def _expect(w: Writer, d: t.Expect, level: int) -> None:
    w.line(level, d, "expect", after(d.condition))


def _given_arguments(d: t.Throw | t.Play | t.Refuse) -> Doc:
    return arguments(d.arguments) if d.arguments else ""


def _seat(seat: t.Seat) -> str:
    return seat.text if isinstance(seat, t.Ident) else str(seat.value)


_CONSTRUCTS: dict[type, Callable[[Writer, Any, int], None]] = {
    **PLAY,
    t.Game: _game,
    t.Source: _source,
    t.Term: _term,
    t.Clause: _clause,
    t.Assumption: _assumption,
    t.Accept: _accept,
    t.Section: _section,
    t.View: _view,
    t.TypeDef: _type_def,
    t.Phases: _phases,
    t.Table: _table,
    t.Const: _const,
    t.State: _state,
    t.Each: _each,
    t.Variable: _variable,
    t.Start: _start,
    t.Fun: _fun,
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

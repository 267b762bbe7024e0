"""Tree nodes from reductions: one action per rule or alias of grammar/rules.lark.

An action gets the span and the children in the grammar's order, absent optional parts as None;
children are tokens, nodes, or None.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.syntax import tree as t
from rulewright.syntax.node import Span
from rulewright.syntax.parsing.lexer import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Children = list[Any]


def _ident(token: Token) -> t.Ident:
    return t.Ident(token.span, token.text)


def _idents(tokens: Children) -> tuple[t.Ident, ...]:
    return tuple(_ident(token) for token in tokens if token is not None)


def _quoted(token: Token) -> t.Text:
    return t.Text(token.span, token.text[1:-1])


def _text(token: Token | None) -> t.Text | None:
    return None if token is None else _quoted(token)


def _present(children: Children) -> tuple[Any, ...]:
    return tuple(child for child in children if child is not None)


def _only(span: Span, children: Children) -> Any:
    return children[0]


def _list(span: Span, children: Children) -> tuple[Any, ...]:
    return _present(children)


def _binary(operator: str) -> Callable[[Span, Children], t.Binary]:
    return lambda span, c: t.Binary(span, operator, c[0], c[1])


def _operator(span: Span, c: Children) -> t.Binary:
    return t.Binary(span, c[1].text, c[0], c[2])


def _game(span: Span, c: Children) -> t.Game:
    least, most = c[2], c[3] or c[2]
    return t.Game(span, _ident(c[0]), _quoted(c[1]), int(least.text), int(most.text), c[3] is None)


def _clause(span: Span, c: Children) -> t.Clause:
    return t.Clause(span, c[0], _ident(c[1]), tuple(c[2:-1]), _quoted(c[-1]))


def _assumption(span: Span, c: Children) -> t.Assumption:
    return t.Assumption(span, _ident(c[0]), _ident(c[1]), _quoted(c[2]), c[3] or ())


def _assign(span: Span, c: Children) -> t.Assign:
    operator = c[1].text if len(c) == 3 else "="
    return t.Assign(span, c[0], operator, c[-1])


def _if(span: Span, c: Children) -> t.If:
    first = t.Branch(Span(span.start, span.end), c[0], c[1])
    return t.If(span, (first, *c[2:-1]), c[-1] or ())


def _items(children: Children) -> dict[type, list[Any]]:
    """The lines of a move, chance or step, by what they are."""
    found: dict[type, list[Any]] = {
        t.Requirement: [], Does: [], Weight: [], t.Propose: [], t.Shows: [],
    }  # fmt: skip
    for child in children:
        if isinstance(child, tuple):
            found[t.Requirement].extend(child)
        elif child is not None:
            found[type(child)].append(child)
    return found


class Does(t.Tree):
    body: tuple[t.Statement, ...]


class Weight(t.Tree):
    value: t.Expr


def _statements(found: dict[type, list[Any]]) -> tuple[t.Statement, ...]:
    return tuple(statement for does in found[Does] for statement in does.body)


def _move(span: Span, c: Children) -> t.Move:
    name, params, mover, phases, prose, cites, *rest = c
    found = _items(rest)
    return t.Move(
        span, _ident(name), params or (), _ident(mover), phases, _text(prose), cites or (),
        tuple(found[t.Requirement]), _statements(found), tuple(found[t.Propose]),
        tuple(found[t.Shows]),
    )  # fmt: skip


def _chance(span: Span, c: Children) -> t.Chance:
    name, params, phases, prose, cites, *rest = c
    found = _items(rest)
    weight = found[Weight][-1].value if found[Weight] else None
    return t.Chance(
        span, _ident(name), params or (), phases, _text(prose), cites or (),
        tuple(found[t.Requirement]), weight, _statements(found), tuple(found[t.Shows]),
    )  # fmt: skip


def _deal(span: Span, c: Children) -> t.Deal:
    name, count, source, each, target, phases, prose, cites, does = c
    return t.Deal(
        span, _ident(name), count, _ident(source), each is not None, _ident(target), phases,
        _text(prose), cites or (), does.body,
    )  # fmt: skip


def _step(span: Span, c: Children) -> t.Step:
    name, phases, prose, cites, *rest = c
    found = _items(rest)
    return t.Step(
        span, _ident(name), phases, _text(prose), cites or (),
        tuple(found[t.Requirement]), _statements(found), tuple(found[t.Shows]),
    )  # fmt: skip


def _seats(span: Span, c: Children) -> t.Seats:
    if c[0].type == "INT":
        return t.Seats(span, int(c[0].text), ())
    return t.Seats(span, None, _idents(c))


def _seat(span: Span, c: Children) -> t.Seat:
    return t.Number(span, int(c[0].text)) if c[0].type == "INT" else _ident(c[0])


def _table(span: Span, c: Children) -> t.Table:
    declarator, prose, cites, *lines = c
    legends = tuple(line for line in lines if isinstance(line, t.Legend))
    rows = tuple(line for line in lines if isinstance(line, t.Row))
    return t.Table(span, declarator, _text(prose), cites or (), legends, rows)


def _fun(span: Span, c: Children) -> t.Fun:
    name, *params, type_, prose, cites, body = c
    return t.Fun(span, _ident(name), _present(params), type_, _text(prose), cites or (), body)


def _headed(node: type) -> Callable[[Span, Children], Any]:
    """`rule` and `effect`: a name, parameters, prose, citations, then lines."""

    def build(span: Span, c: Children) -> Any:
        params = tuple(child for child in c if isinstance(child, t.Declarator))
        prose, cites, *lines = c[1 + max(len(params), 1) :]
        return node(span, _ident(c[0]), params, _text(prose), cites or (), tuple(lines))

    return build


def _cells(tokens: Children) -> tuple[t.Cell, ...]:
    return tuple(t.Cell(token.span, token.text) for token in tokens)


def _collection(span: Span, c: Children) -> t.CollectionType:
    return t.CollectionType(span, c[0].text, c[1])


def _variable(span: Span, c: Children) -> t.Variable:
    hidden, owner = c[1] or (False, False)
    return t.Variable(span, c[0], hidden, c[2], _text(c[3]), c[4] or (), owner)


def _param(span: Span, c: Children) -> t.Declarator:
    d = c[0]
    return d if c[1] is None else t.Declarator(span, d.name, d.indices, d.type, True)


def _secret(span: Span, c: Children) -> t.Property:
    here = Span(c[0].span.end, c[0].span.end)
    claim = t.Name(here, "true")
    return t.Property(span, "secret", _ident(c[0]), _text(c[1]), c[2] or (), claim)


def _claim(node: type) -> Callable[[Span, Children], Any]:
    """`replace` and `add`: a path, prose, citations, a condition."""
    return lambda span, c: node(span, c[0], _text(c[1]), c[2] or (), c[3])


def _requirement(span: Span, c: Children) -> t.Requirement:
    return t.Requirement(span, _ident(c[0]), _text(c[1]), c[2] or (), c[3])


def _property(span: Span, c: Children) -> t.Property:
    return t.Property(span, c[0].text, _ident(c[1]), _text(c[2]), c[3] or (), c[4])


def _ends(span: Span, c: Children) -> t.Ends:
    return t.Ends(span, _ident(c[0]), _text(c[1]), c[2] or (), tuple(c[3:-1]), _ident(c[-1]))


def _example(span: Span, c: Children) -> t.Example:
    return t.Example(span, _ident(c[0]), _text(c[1]), c[2] or (), tuple(c[3:]))


def _reading(span: Span, c: Children) -> t.Reading:
    return t.Reading(span, _ident(c[0]), _quoted(c[1]), c[2] or (), tuple(c[3:]))


def _variant(span: Span, c: Children) -> t.Variant:
    return t.Variant(span, _ident(c[0]), _quoted(c[1]), c[2] or (), tuple(c[3:]))


def _refuse(span: Span, c: Children) -> t.Refuse:
    return t.Refuse(span, c[0], _ident(c[1]), c[2] or (), _present(c[3:]))


def _view(span: Span, c: Children) -> t.View:
    return t.View(span, _ident(c[0]), _ident(c[1]), _text(c[2]), _present(c[3:]))


def _face(span: Span, c: Children) -> t.Face:
    *values, label, colour = c
    return t.Face(span, tuple(values), _text(label), _ident(colour) if colour else None)


def _propose(span: Span, c: Children) -> t.Propose:
    return t.Propose(span, _ident(c[0]), _text(c[1]), c[2], c[3])


ACTIONS: dict[str, Callable[[Span, Children], Any]] = {
    "declaration": _only,
    "game": _game,
    "source": lambda s, c: t.Source(s, _ident(c[0]), _quoted(c[1]), _text(c[2])),
    "term": lambda s, c: t.Term(s, _ident(c[0]), _quoted(c[1]), tuple(c[2:])),
    "word": lambda s, c: t.Word(s, _ident(c[0]), _quoted(c[1])),
    "clause": _clause,
    "place": lambda s, c: t.Place(s, _ident(c[0]), tuple(int(n.text) for n in c[1:])),
    "assumption": _assumption,
    "accept": lambda s, c: t.Accept(s, _ident(c[0]), c[1], c[2], _quoted(c[3])),
    "section": lambda s, c: t.Section(s, _ident(c[0]), _quoted(c[1]), tuple(c[2:])),
    "paragraph": lambda s, c: t.Paragraph(s, c[0], tuple(c[1:])),
    "title": lambda s, c: t.Title(s, _quoted(c[0]), c[1] or ()),
    "under": lambda s, c: t.Under(s, _ident(c[0]), _ident(c[1])),
    "path": lambda s, c: t.Path(s, tuple(part.text for part in c)),
    "cites": _list,
    "type_def": lambda s, c: t.TypeDef(s, _ident(c[0]), c[1]),
    "grid": lambda s, c: t.GridType(s, int(c[1].text), int(c[2].text), c[0].text == "hexes"),
    "cases": lambda s, c: t.CasesType(s, tuple(c)),
    "case": lambda s, c: t.Case(s, _ident(c[0]), _present(c[1:])),
    "field": lambda s, c: t.CaseField(s, _ident(c[0]), c[1]),
    "optional": lambda s, c: t.OptionalType(s, c[0]),
    "named": lambda s, c: t.NamedType(s, _ident(c[0])),
    "range": lambda s, c: t.RangeType(s, c[0], c[1]),
    "collection": _collection,
    "list_type": lambda s, c: t.ListType(s, c[0], c[1]),
    "declarator": lambda s, c: t.Declarator(s, _ident(c[0]), _present(c[1:-1]), c[-1]),
    "param": _param,
    "parameters": _list,
    "phases": lambda s, c: t.Phases(s, tuple(c)),
    "phase": lambda s, c: t.Phase(s, _ident(c[0]), _idents(c[1:-1]), _text(c[-1])),
    "table": _table,
    "legend": lambda s, c: t.Legend(s, _cells(c)),
    "row": lambda s, c: t.Row(s, _cells(c)),
    "const": lambda s, c: t.Const(s, _ident(c[0]), c[1], _text(c[2]), c[3] or (), c[4]),
    "state": lambda s, c: t.State(s, tuple(c)),
    "each": lambda s, c: t.Each(s, _ident(c[0]), tuple(c[1:])),
    "variable": _variable,
    "hidden": lambda s, c: (True, c[1] is not None),
    "start": lambda s, c: t.Start(s, tuple(c)),
    "fun": _fun,
    "rule": _headed(t.Rule),
    "effect": _headed(t.Effect),
    "requirement": _requirement,
    "include": lambda s, c: t.Include(s, _ident(c[0]), _present(c[1:])),
    "assign": _assign,
    "target": lambda s, c: t.Target(s, _ident(c[0]), tuple(c[1:])),
    "perform": lambda s, c: t.Perform(s, _ident(c[0]), _present(c[1:])),
    "bind": lambda s, c: t.Bind(s, _ident(c[0]), c[1]),
    "if": _if,
    "elif": lambda s, c: t.Branch(s, c[0], c[1]),
    "for": lambda s, c: t.For(s, c[0], c[1]),
    "labelled": lambda s, c: t.Labelled(s, _ident(c[0]), _quoted(c[1]), c[2] or (), c[3]),
    "body": _list,
    "move": _move,
    "chance": _chance,
    "deal": _deal,
    "step": _step,
    "phase_names": lambda s, c: _idents(c),
    "needs": _list,
    "when": _list,
    "does": lambda s, c: Does(s, c[0]),
    "weight": lambda s, c: Weight(s, c[0]),
    "propose": _propose,
    "shows": lambda s, c: t.Shows(s, c[0], c[1]),
    "shows_each": lambda s, c: t.Shows(s, c[0], None, _ident(c[2])),
    "prop": _property,
    "secret": _secret,
    "ends": _ends,
    "reading": _reading,
    "option": lambda s, c: t.Option(s, _ident(c[0]), _quoted(c[1]), c[2] is not None),
    "variant": _variant,
    "replace": _claim(t.Replace),
    "add": _claim(t.Add),
    "drop": lambda s, c: t.Drop(s, c[0]),
    "example": _example,
    "view": _view,
    "face": _face,
    "seats": _seats,
    "under_reading": lambda s, c: t.Under(s, _ident(c[0]), _ident(c[1])),
    "under_variant": lambda s, c: t.UnderVariant(s, _ident(c[0])),
    "given": lambda s, c: t.Given(s, tuple(c)),
    "fact": lambda s, c: t.Fact(s, c[0], c[1]),
    "throw": lambda s, c: t.Throw(s, _ident(c[0]), c[1] or ()),
    "play": lambda s, c: t.Play(s, c[0], _ident(c[1]), c[2] or ()),
    "refuse": _refuse,
    "no_throw": lambda s, c: _refuse(s, [None, *c]),
    "expect": lambda s, c: t.Expect(s, c[0]),
    "seat": _seat,
    "call_arguments": _list,
    "choose": lambda s, c: t.Choose(s, c[0], c[1], c[2]),
    "implies": _binary("implies"),
    "either": _binary("or"),
    "both": _binary("and"),
    "negate": lambda s, c: t.Unary(s, "not", c[0]),
    "compare": _operator,
    "member": _binary("in"),
    "not_member": _binary("not in"),
    "between": lambda s, c: t.Between(s, c[0], c[1], c[2], False),
    "not_between": lambda s, c: t.Between(s, c[0], c[1], c[2], True),
    "arithmetic": _operator,
    "subtract": _binary("-"),
    "minus": lambda s, c: t.Unary(s, "-", _number(c[0])),
    "quantify": lambda s, c: t.Quantify(s, c[0].text, c[1], c[2]),
    "let_in": lambda s, c: t.Let(s, tuple(c[:-1]), c[-1]),
    "next_seat": lambda s, c: t.NextSeat(s, _ident(c[0]), c[1], c[2]),
    "match": lambda s, c: t.Match(s, c[0], tuple(c[1:-1]), c[-1]),
    "arm": lambda s, c: t.Arm(s, tuple(c[:-1]), c[-1]),
    "binding": lambda s, c: t.Binding(s, _ident(c[0]), c[1]),
    "otherwise": lambda s, c: t.Otherwise(s, c[0], c[1]),
    "updated": lambda s, c: t.Updated(s, c[0], tuple(c[1:-1]), c[-1]),
    "index": lambda s, c: t.Index(s, c[0], tuple(c[1:])),
    "member_of": lambda s, c: t.Member(s, c[0], _ident(c[1])),
    "name": lambda s, c: t.Name(s, c[0].text),
    "number": lambda s, c: t.Number(s, int(c[0].text)),
    "call": lambda s, c: t.Call(s, _ident(c[0]), _present(c[1:])),
    "set_of": lambda s, c: t.SetOf(s, _present(c)),
    "set_each": lambda s, c: t.SetEach(s, c[0], c[1]),
    "list_of": lambda s, c: t.ListOf(s, _present(c)),
    "map_of": lambda s, c: t.MapOf(s, tuple(c[:-1]), c[-1]),
    "map_each": lambda s, c: t.MapEach(s, c[0], c[1]),
    "entry": lambda s, c: t.Entry(s, c[0], c[1]),
    "keyword": lambda s, c: t.Keyword(s, _ident(c[0]), c[1]),
    "binders": lambda s, c: t.Binders(s, tuple(c[:-1]), c[-1]),
    "typed": lambda s, c: t.TypedBinder(s, _idents(c[:-1]), c[-1]),
    "drawn": lambda s, c: t.DrawnBinder(s, _ident(c[0]), c[-1], _idents(c[1:-1])),
    "domain": lambda s, c: t.Domain(s, c[0], c[1] if len(c) > 1 else None),
}


def _number(child: Any) -> t.Expr:
    """The operand of a minus: in a type's bound it is still a token."""
    return t.Number(child.span, int(child.text)) if isinstance(child, Token) else child

"""Random trees of everything the grammar can express, for laws about the syntax.

`expressions` and `declarations` are whole strategies; `DECLARATIONS` has one per class. Names are
ordinary words, words of other scripts, and keywords wherever a keyword can be a name.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as some
from hypothesis.strategies import SearchStrategy

from rulewright.syntax import tree as t
from rulewright.syntax.node import NOWHERE
from rulewright.syntax.parsing.parse_tables import load_tables

Some = SearchStrategy[Any]


def _reserved() -> set[str]:
    """Keywords that the grammar accepts somewhere in the place of a name."""
    tables = load_tables()
    return {
        word
        for accepted in tables.actions
        if "NAME" in accepted
        for word, terminal in tables.words.items()
        if terminal in accepted
    }


def node(kind: type, *values: Some) -> Some:
    """Nodes of a class, from strategies for its values."""
    return some.tuples(*values).map(lambda drawn: kind(NOWHERE, *drawn))


def many(values: Some, least: int = 0, most: int = 3) -> Some:
    """Tuples of a few."""
    return some.lists(values, min_size=least, max_size=most).map(tuple)


def maybe(values: Some) -> Some:
    """A value or None."""
    return some.none() | values


KEYWORDS = sorted(set(load_tables().words) - _reserved())
words = some.sampled_from(["p", "q", "row", "x1", "first_action", "größe", "字", "A1", *KEYWORDS])
idents = node(t.Ident, words)
naturals = some.integers(0, 10**15 - 1)
paths = node(t.Path, many(words, 1))
cites = many(paths)
sentences = some.sampled_from(
    ["", "the row is not closed", "# no comment", "a \\ b [c]", "ætt – “x”", "x" * 70, "y" * 99]
)
prose = node(t.Text, sentences)


# ---- expressions

atoms = node(t.Name, words) | node(t.Number, naturals)
bounds = atoms | node(t.Unary, some.just("-"), node(t.Number, naturals))
ranges = node(t.RangeType, bounds, bounds)
ARITHMETIC = ["+", "-", "&", "*", "/", "%"]
LOGIC = ["and", "or", "implies", "==", "!=", "<", "<=", ">", ">=", "in", "not in"]
QUANTIFIERS = ["all", "some", "count", "sum", "min", "max", "first", "largest", "smallest"]


def _collections(inner: Some) -> Some:
    return node(t.CollectionType, some.sampled_from(["Set", "Bag"]), inner) | node(
        t.ListType, inner, bounds
    )


def _plain_types(inner: Some) -> Some:
    return node(t.NamedType, idents) | ranges | _collections(inner)


def _larger_types(inner: Some) -> Some:
    return _plain_types(inner) | node(t.OptionalType, _plain_types(inner))


types = some.recursive(node(t.NamedType, idents) | ranges, _larger_types, max_leaves=3)
declarators = node(t.Declarator, idents, many(types, most=2), types)


def binders_over(expr: Some) -> Some:
    """Binders whose domains and condition are these expressions."""
    typed = node(t.TypedBinder, many(idents, 1), types)
    drawn = node(t.DrawnBinder, idents, node(t.Domain, expr, maybe(expr)), many(idents))
    return node(t.Binders, many(typed | drawn, 1), maybe(expr))


def arguments_of(expr: Some) -> Some:
    """Arguments, by place and by name."""
    return many(expr | node(t.Keyword, idents, expr))


def _larger_expressions(e: Some) -> Some:
    binders = binders_over(e)
    functions = node(t.Ident, words | some.sampled_from(QUANTIFIERS))
    return some.one_of(
        node(t.Unary, some.sampled_from(["-", "not"]), e),
        node(t.Binary, some.sampled_from(ARITHMETIC), e, e),
        node(t.Binary, some.sampled_from(LOGIC), e, e),
        node(t.Between, e, e, e, some.booleans()),
        node(t.Choose, e, e, e),
        node(t.NextSeat, idents, e, e),
        node(t.Match, e, many(node(t.Arm, many(e, 1), e), 1), maybe(e)),
        node(t.Quantify, some.sampled_from(QUANTIFIERS), binders, e),
        node(t.Let, many(node(t.Binding, idents, e), 1), e),
        node(t.Otherwise, e, e),
        node(t.Updated, e, many(e, 1), e),
        node(t.Index, e, many(e, 1)),
        node(t.Member, e, idents),
        node(t.Call, functions, arguments_of(e)),
        node(t.SetOf, many(e)),
        node(t.SetEach, binders, maybe(e)),
        node(t.ListOf, many(e)),
        node(t.MapOf, many(node(t.Entry, e, e), 1), maybe(e)),
        node(t.MapEach, binders, e),
    )


expressions = some.recursive(atoms, _larger_expressions, max_leaves=10)
short_expressions = some.recursive(atoms, _larger_expressions, max_leaves=3)
"""For what has many: they make a law quick to check."""
binders = binders_over(short_expressions)
arguments = arguments_of(short_expressions)


# ---- lines and statements

requirements = node(t.Requirement, idents, maybe(prose), cites, short_expressions)
includes = node(t.Include, idents, arguments)
conditions = many(requirements | includes)
targets = node(t.Target, idents, many(short_expressions, most=2))
simple_statements = some.one_of(
    node(t.Assign, targets, some.sampled_from(["=", "+=", "-="]), short_expressions),
    node(t.Perform, idents, arguments),
    node(t.Bind, idents, short_expressions),
)


def _larger_statements(inner: Some) -> Some:
    body = many(inner, 1, 2)
    return some.one_of(
        node(t.If, many(node(t.Branch, short_expressions, body), 1, 2), some.just(()) | body),
        node(t.For, binders, body),
        node(t.Labelled, idents, prose, cites, body),
    )


statements = some.recursive(simple_statements, _larger_statements, max_leaves=3)
bodies = many(statements, 1, 2)


# ---- declarations

params = many(declarators | node(t.Declarator, idents, many(types, most=2), types, some.just(True)))
shown = many(
    node(t.Shows, short_expressions, maybe(short_expressions))
    | node(t.Shows, short_expressions, some.none(), idents),
    most=2,
)
phase_names = many(idents, 1)
numbers_of_players = some.integers(1, 12)
CELLS = ["1", "-20", "14", ".", "+", "T", '"', "\\", "tile(red,5)", "legend", "true", "a..b", "→"]
cells = node(t.Cell, some.sampled_from(CELLS))


def _readable(table: t.Table) -> bool:
    """Whether no row would be taken for a legend."""
    return table.rows[0].cells[0].text != "legend"


legends = node(
    t.Legend,
    many(some.tuples(cells, cells), 1).map(lambda pairs: tuple(c for pair in pairs for c in pair)),
)
rows = node(t.Row, many(cells, 1, 5))
tables = node(t.Table, declarators, maybe(prose), cites, many(legends), many(rows, 1, 4)).filter(
    _readable
)
consts = node(t.Const, idents, maybe(types), maybe(prose), cites, expressions)
funs = node(t.Fun, idents, params, maybe(types), maybe(prose), cites, expressions)
cases = many(node(t.Case, idents, many(node(t.CaseField, idents, types))), 1, 4)
type_bodies = some.one_of(
    ranges,
    node(t.GridType, naturals, naturals, some.booleans()),
    node(t.CasesType, cases),
    _collections(types),
)
variables = node(
    t.Variable, declarators, some.booleans(), maybe(short_expressions), maybe(prose), cites,
    some.booleans(),
).filter(
    lambda each: (each.prose is not None or not each.cites)
    and (each.hidden or not each.from_owner)
)  # fmt: skip
titles = node(t.Title, prose, many(idents))
paragraphs = node(t.Paragraph, maybe(titles), many(paths, 1))
unders = node(t.Under, idents, idents)
words_of_languages = node(t.Word, idents, prose)
places = node(t.Place, idents, many(naturals, 1))
phases = node(t.Phase, idents, many(idents, most=2), maybe(prose))
eaches = node(t.Each, idents, many(variables, 1))
options = node(t.Option, idents, prose, some.booleans())
proposals = many(node(t.Propose, idents, maybe(prose), maybe(binders), short_expressions), most=2)
kinds = some.sampled_from(["invariant", "always", "possible", "theorem", "initially"])
changes = some.one_of(
    tables,
    consts,
    funs,
    node(t.Replace, paths, maybe(prose), cites, short_expressions),
    node(t.Add, paths, maybe(prose), cites, short_expressions),
    node(t.Drop, paths),
)
seats = idents | node(t.Number, numbers_of_players)
example_lines = some.one_of(
    node(t.Seats, numbers_of_players, some.just(())),
    node(t.Seats, some.none(), many(idents, 1)),
    unders,
    node(t.UnderVariant, idents),
    node(t.Given, many(node(t.Fact, targets, short_expressions), 1)),
    node(t.Throw, idents, arguments),
    node(t.Play, seats, idents, arguments),
    node(t.Refuse, some.none() | seats, idents, arguments, many(paths)),
    node(t.Expect, expressions),
)

faces = node(t.Face, many(short_expressions, 1), maybe(prose), maybe(idents))

DECLARATIONS: dict[type, Some] = {
    t.Game: node(t.Game, idents, prose, numbers_of_players, numbers_of_players, some.just(False))
    | numbers_of_players.flatmap(
        lambda n: node(t.Game, idents, prose, some.just(n), some.just(n), some.just(True))
    ),
    t.Source: node(t.Source, idents, prose, maybe(prose)),
    t.Term: node(t.Term, idents, prose, many(words_of_languages, 1)),
    t.Clause: node(t.Clause, paths, idents, many(places), prose),
    t.Assumption: node(t.Assumption, idents, idents, prose, cites),
    t.Accept: node(t.Accept, idents, paths, maybe(unders), prose),
    t.Section: node(t.Section, idents, prose, many(paragraphs, 1)),
    t.TypeDef: node(t.TypeDef, idents, type_bodies),
    t.Phases: node(t.Phases, many(phases, 1, 4)),
    t.Table: tables,
    t.Const: consts,
    t.State: node(t.State, many(variables | eaches, 1)),
    t.Start: node(t.Start, many(requirements, 1)),
    t.Fun: funs,
    t.Rule: node(t.Rule, idents, params, maybe(prose), cites, many(requirements | includes, 1)),
    t.Effect: node(t.Effect, idents, params, maybe(prose), cites, bodies),
    t.Move: node(
        t.Move, idents, params, idents, phase_names, maybe(prose), cites,
        conditions, some.just(()) | bodies, proposals, shown,
    ),
    t.Chance: node(
        t.Chance, idents, params, phase_names, maybe(prose), cites,
        conditions, maybe(short_expressions), some.just(()) | bodies, shown,
    ),
    t.Deal: node(
        t.Deal, idents, short_expressions, idents, some.booleans(), idents, phase_names,
        maybe(prose), cites, bodies,
    ),
    t.Step: node(t.Step, idents, phase_names, maybe(prose), cites, conditions, bodies, shown),
    t.Property: node(t.Property, kinds, idents, maybe(prose), cites, expressions)
    | node(
        t.Property, some.just("secret"), idents, maybe(prose), cites,
        node(t.Name, some.just("true")),
    ),
    t.Ends: node(t.Ends, idents, maybe(prose), cites, many(short_expressions, 1), idents),
    t.Reading: node(t.Reading, idents, prose, cites, many(options, 1)),
    t.Variant: node(t.Variant, idents, prose, cites, many(changes, 1)),
    t.Example: node(t.Example, idents, maybe(prose), cites, many(example_lines, 1, 4)),
    t.View: node(t.View, idents, idents, maybe(prose), many(faces)),
}  # fmt: skip
declarations = some.one_of(*DECLARATIONS.values())
specs = node(t.Spec, many(declarations, most=4))

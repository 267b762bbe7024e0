"""The tree of a `.rules` file, as written: nothing resolved, nothing typed.

One class per construct of grammar/rules.lark, in its order. Built by `tree_builder`, laid out again
by `formatter`, read by `meaning`.
"""

from __future__ import annotations

from rulewright.syntax.node import Node, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class Tree(Node):
    span: Span


class Ident(Tree):
    """A name at the place where it is declared or referred to."""

    text: str


class Path(Tree):
    """A dotted name: a clause (`close.five`) or a requirement (`may_cross.five_first`)."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return ".".join(self.parts)


class Text(Tree):
    """Prose in quotes."""

    text: str


# ---- the game and its rulebook


class Game(Tree):
    name: Ident
    title: Text
    least: int
    most: int
    exact: bool = False
    """Whether one number of players is written, and not two."""


class Source(Tree):
    name: Ident
    title: Text
    document: Text | None


class Word(Tree):
    language: Ident
    text: Text


class Term(Tree):
    name: Ident
    meaning: Text
    words: tuple[Word, ...]


class Place(Tree):
    source: Ident
    numbers: tuple[int, ...]


class Clause(Tree):
    name: Path
    kind: Ident
    places: tuple[Place, ...]
    prose: Text


class Assumption(Tree):
    name: Ident
    confidence: Ident
    prose: Text
    cites: tuple[Path, ...]


class Title(Tree):
    """What a paragraph is called, and the phases in which what it tells happens."""

    words: Text
    phases: tuple[Ident, ...]


class Paragraph(Tree):
    """Clauses that are read one after another; a path of one part stands for a whole group."""

    title: Title | None
    clauses: tuple[Path, ...]


class Section(Tree):
    """A section of the rulebook people play from."""

    name: Ident
    heading: Text
    paragraphs: tuple[Paragraph, ...]


class Under(Tree):
    reading: Ident
    option: Ident


class Accept(Tree):
    finding: Ident
    subject: Path
    under: Under | None
    reason: Text


# ---- types and data


class NamedType(Tree):
    name: Ident


class RangeType(Tree):
    low: Expr
    high: Expr


class OptionalType(Tree):
    inner: TypeExpr


class CollectionType(Tree):
    """`Set[T]` or `Bag[T]`."""

    kind: str
    element: TypeExpr


class ListType(Tree):
    """`List[T, 12]`."""

    element: TypeExpr
    most: Expr


class GridType(Tree):
    """A board of squares, or with `hex` of cells with six sides."""

    width: int
    height: int
    hex: bool


class CaseField(Tree):
    name: Ident
    type: TypeExpr


class Case(Tree):
    name: Ident
    fields: tuple[CaseField, ...]


class CasesType(Tree):
    cases: tuple[Case, ...]


TypeExpr: TypeAlias = NamedType | RangeType | OptionalType | CollectionType | ListType
TypeBody: TypeAlias = TypeExpr | GridType | CasesType


class TypeDef(Tree):
    name: Ident
    body: TypeBody


class Declarator(Tree):
    """`name[Index, ...]: Type`; a parameter can be `hidden`."""

    name: Ident
    indices: tuple[TypeExpr, ...]
    type: TypeExpr
    hidden: bool = False


class Phase(Tree):
    name: Ident
    marks: tuple[Ident, ...]
    prose: Text | None


class Phases(Tree):
    phases: tuple[Phase, ...]


class Cell(Tree):
    text: str


class Row(Tree):
    cells: tuple[Cell, ...]


class Legend(Tree):
    """Signs and what they stand for, in turn."""

    cells: tuple[Cell, ...]


class Table(Tree):
    declarator: Declarator
    prose: Text | None
    cites: tuple[Path, ...]
    legends: tuple[Legend, ...]
    rows: tuple[Row, ...]

    @property
    def legend(self) -> tuple[Cell, ...]:
        """All signs and what they stand for, in turn."""
        return tuple(cell for line in self.legends for cell in line.cells)


class Const(Tree):
    name: Ident
    type: TypeExpr | None
    prose: Text | None
    cites: tuple[Path, ...]
    value: Expr


class Variable(Tree):
    declarator: Declarator
    hidden: bool
    initial: Expr | None
    prose: Text | None
    cites: tuple[Path, ...] = ()
    from_owner: bool = False


class Each(Tree):
    owner: Ident
    variables: tuple[Variable, ...]


class State(Tree):
    items: tuple[Variable | Each, ...]


class Requirement(Tree):
    name: Ident
    prose: Text | None
    cites: tuple[Path, ...]
    condition: Expr


class Include(Tree):
    """All requirements of a rule, for these arguments."""

    rule: Ident
    arguments: tuple[Argument, ...]


class Start(Tree):
    requirements: tuple[Requirement, ...]


# ---- functions, rules and effects


class Fun(Tree):
    name: Ident
    params: tuple[Declarator, ...]
    type: TypeExpr | None
    prose: Text | None
    cites: tuple[Path, ...]
    body: Expr


class Rule(Tree):
    name: Ident
    params: tuple[Declarator, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    items: tuple[Requirement | Include, ...]


class Effect(Tree):
    name: Ident
    params: tuple[Declarator, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    body: tuple[Statement, ...]


class Target(Tree):
    """`name[key][key]`, the place an assignment writes to."""

    name: Ident
    keys: tuple[Expr, ...]


class Assign(Tree):
    target: Target
    operator: str
    value: Expr


class Perform(Tree):
    effect: Ident
    arguments: tuple[Argument, ...]


class Bind(Tree):
    name: Ident
    value: Expr


class If(Tree):
    """The branches in order, each with its condition; then what `else` says."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Statement, ...]


class Branch(Tree):
    condition: Expr
    body: tuple[Statement, ...]


class For(Tree):
    binders: Binders
    body: tuple[Statement, ...]


class Labelled(Tree):
    name: Ident
    prose: Text
    cites: tuple[Path, ...]
    body: tuple[Statement, ...]


Statement: TypeAlias = Assign | Perform | Bind | If | For | Labelled


# ---- what happens in play


class Propose(Tree):
    """Candidates for a move with too many possible parameters to list."""

    name: Ident
    prose: Text | None
    binders: Binders | None
    value: Expr


class Shows(Tree):
    """`shows value to player`, or to some; without a player it is shown to all. With a `seat` it is
    shown `to each` player what the value is for them."""

    value: Expr
    to: Expr | None
    seat: Ident | None = None


class Move(Tree):
    name: Ident
    params: tuple[Declarator, ...]
    mover: Ident
    phases: tuple[Ident, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    needs: tuple[Requirement | Include, ...]
    body: tuple[Statement, ...]
    proposals: tuple[Propose, ...]
    shows: tuple[Shows, ...] = ()


class Chance(Tree):
    name: Ident
    params: tuple[Declarator, ...]
    phases: tuple[Ident, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    needs: tuple[Requirement | Include, ...]
    weight: Expr | None
    body: tuple[Statement, ...]
    shows: tuple[Shows, ...] = ()


class Deal(Tree):
    """`deal name count from source to [each] target`; `body` is what follows when all is dealt."""

    name: Ident
    count: Expr
    source: Ident
    each: bool
    target: Ident
    phases: tuple[Ident, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    body: tuple[Statement, ...]


class Step(Tree):
    name: Ident
    phases: tuple[Ident, ...]
    prose: Text | None
    cites: tuple[Path, ...]
    when: tuple[Requirement | Include, ...]
    body: tuple[Statement, ...]
    shows: tuple[Shows, ...] = ()


# ---- what must hold


class Property(Tree):
    """`kind` is invariant, always, possible, theorem, initially or secret; the last claims nothing
    of a single position, and stands as `true`."""

    kind: str
    name: Ident
    prose: Text | None
    cites: tuple[Path, ...]
    claim: Expr


class Ends(Tree):
    name: Ident
    prose: Text | None
    cites: tuple[Path, ...]
    measure: tuple[Expr, ...]
    at: Ident


# ---- open questions, variants, worked examples


class Option(Tree):
    name: Ident
    prose: Text
    default: bool


class Reading(Tree):
    name: Ident
    prose: Text
    cites: tuple[Path, ...]
    options: tuple[Option, ...]


class Replace(Tree):
    path: Path
    prose: Text | None
    cites: tuple[Path, ...]
    condition: Expr


class Add(Tree):
    path: Path
    prose: Text | None
    cites: tuple[Path, ...]
    condition: Expr


class Drop(Tree):
    path: Path


VariantItem: TypeAlias = Table | Const | Fun | Replace | Add | Drop


class Variant(Tree):
    name: Ident
    prose: Text
    cites: tuple[Path, ...]
    items: tuple[VariantItem, ...]


class Seats(Tree):
    """How many players, or their names in seat order."""

    count: int | None
    names: tuple[Ident, ...]


class UnderVariant(Tree):
    variant: Ident


class Fact(Tree):
    target: Target
    value: Expr


class Given(Tree):
    facts: tuple[Fact, ...]


class Throw(Tree):
    chance: Ident
    arguments: tuple[Argument, ...]


class Play(Tree):
    seat: Seat
    move: Ident
    arguments: tuple[Argument, ...]


class Refuse(Tree):
    """A move, or with no seat a chance event, that the rules must not allow."""

    seat: Seat | None
    move: Ident
    arguments: tuple[Argument, ...]
    because: tuple[Path, ...]


class Expect(Tree):
    condition: Expr


ExampleLine: TypeAlias = Seats | Under | UnderVariant | Given | Throw | Play | Refuse | Expect


class Example(Tree):
    name: Ident
    prose: Text | None
    cites: tuple[Path, ...]
    lines: tuple[ExampleLine, ...]


# ---- pictures


class Face(Tree):
    """What some values look like: what stands there, and in which colour."""

    values: tuple[Expr, ...]
    label: Text | None
    colour: Ident | None


class View(Tree):
    """What a variable or a table is drawn as, and what it is called there."""

    subject: Ident
    shape: Ident
    label: Text | None
    faces: tuple[Face, ...]


# ---- expressions


class Name(Tree):
    text: str


class Number(Tree):
    value: int


class Unary(Tree):
    """`-x` or `not x`."""

    operator: str
    operand: Expr


class Binary(Tree):
    """Arithmetic, comparison, `in`, `not in`, `and`, `or`, `implies`."""

    operator: str
    left: Expr
    right: Expr


class Between(Tree):
    """`value in low..high`, or `not in` where it is `outside`."""

    value: Expr
    low: Expr
    high: Expr
    outside: bool


class Arm(Tree):
    """What a `match` comes to for some values."""

    values: tuple[Expr, ...]
    result: Expr


class Match(Tree):
    """What a value comes to, by which it is; `default` for those that no arm names."""

    subject: Expr
    arms: tuple[Arm, ...]
    default: Expr | None


class Choose(Tree):
    """`then if condition else otherwise`."""

    then: Expr
    condition: Expr
    otherwise: Expr


class TypedBinder(Tree):
    names: tuple[Ident, ...]
    type: TypeExpr


class Domain(Tree):
    """A collection, or with `high` the whole numbers from `low` to it."""

    low: Expr
    high: Expr | None


class DrawnBinder(Tree):
    """A name and what it ranges over, and `others` that range over the same."""

    name: Ident
    domain: Domain
    others: tuple[Ident, ...] = ()

    @property
    def names(self) -> tuple[Ident, ...]:
        return (self.name, *self.others)


class Binders(Tree):
    binders: tuple[TypedBinder | DrawnBinder, ...]
    where: Expr | None


class Quantify(Tree):
    """`kind` is all, some, count, sum, min, max, first, largest or smallest."""

    kind: str
    binders: Binders
    body: Expr


class Binding(Tree):
    name: Ident
    value: Expr


class NextSeat(Tree):
    """`next q after p where c`."""

    name: Ident
    after: Expr
    where: Expr


class Let(Tree):
    bindings: tuple[Binding, ...]
    body: Expr


class Otherwise(Tree):
    """The value of an optional, or another value where it is empty."""

    value: Expr
    default: Expr


class Updated(Tree):
    """A map with one place changed."""

    map: Expr
    keys: tuple[Expr, ...]
    value: Expr


class Index(Tree):
    map: Expr
    keys: tuple[Expr, ...]


class Member(Tree):
    """A field of a record."""

    record: Expr
    field: Ident


class Keyword(Tree):
    name: Ident
    value: Expr


class Call(Tree):
    function: Ident
    arguments: tuple[Argument, ...]


class SetOf(Tree):
    """A set, or where a bag is expected a bag, written out."""

    elements: tuple[Expr, ...]


class SetEach(Tree):
    binders: Binders
    element: Expr | None


class ListOf(Tree):
    """A map written out in the order of its keys."""

    values: tuple[Expr, ...]


class Entry(Tree):
    key: Expr
    value: Expr


class MapOf(Tree):
    entries: tuple[Entry, ...]
    default: Expr | None


class MapEach(Tree):
    binders: Binders
    value: Expr


Expr: TypeAlias = (
    Name | Number | Unary | Binary | Between | Choose | Match | Quantify | Let | Otherwise | Updated
    | Index | Member | Call | SetOf | SetEach | ListOf | MapOf | MapEach
)  # fmt: skip
Argument: TypeAlias = "Expr | Keyword"
Seat: TypeAlias = Ident | Number

Declaration: TypeAlias = (
    Game | Source | Term | Clause | Assumption | TypeDef | Phases | Table | Const | State | Start
    | Fun | Rule | Effect | Move | Chance | Deal | Step | Property | Ends | Reading | Variant
    | Example | Accept | Section | View
)  # fmt: skip


class Spec(Tree):
    """A whole file: its declarations in order."""

    declarations: tuple[Declaration, ...]

"""The core: what a spec means, typed and resolved. Everything after `meaning` reads this only.

Rules are unfolded into the requirements of each move, constants and seat names are replaced by
their values, `+=` is written out, and the phase and `answered` bookkeeping is made explicit.
Functions and effects stay calls. Bound names are unique within their scope, so that a reader
never has to think about shadowing.
"""

from __future__ import annotations

from rulewright.meaning.types import Enum, Type, Value
from rulewright.syntax.node import Node, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class Core(Node):
    span: Span


# ---- expressions


class Typed(Core):
    type: Type


class Literal(Typed):
    """A plain value; `none` is None."""

    value: Value


class Local(Typed):
    """A parameter, the mover, or a name bound by a quantifier, `let` or `for`."""

    name: str


class StateVar(Typed):
    """A state variable, whole; `old` is its value before the transition."""

    name: str
    old: bool


class TableRef(Typed):
    """A table, whole: a constant map."""

    name: str


class ReadingRef(Typed):
    """The option chosen for a reading."""

    name: str


class PlayerCount(Typed):
    pass


class Unary(Typed):
    """`not` or `negative`."""

    operator: str
    operand: Expr


class Binary(Typed):
    """Operators, by what they work on:

    truths   and or implies (the right side is looked at only where it matters)
    numbers  add subtract multiply divide remainder
    ordered  less less_equal greater greater_equal (numbers, players, enumerations as declared)
    any      equal unequal
    sets     union difference common subset proper_subset
    bags     bag_union bag_difference bag_common sub_bag proper_sub_bag
    in       member (of a set), bag_member
    """

    operator: str
    left: Expr
    right: Expr


class Choose(Typed):
    condition: Expr
    then: Expr
    otherwise: Expr


class Let(Typed):
    name: str
    value: Expr
    body: Expr


class Binder(Core):
    """A bound name and what it ranges over: its whole type (both None), the numbers from `low`
    to `high`, or with only `low` the elements of a set or bag or the value of an optional."""

    name: str
    type: Type
    low: Expr | None
    high: Expr | None


class Quantify(Typed):
    """`kind` is all, some, count, sum, bag_sum, min, max or first. min and max of type `T?` are
    `none` over nothing. `first` has one binder, and is its first value for which the body holds."""

    kind: str
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr


class Lookup(Typed):
    """A map's value at a key. A key that is `none` (only in maps of optionals) finds `none`."""

    map: Expr
    key: Expr


class BagCount(Typed):
    bag: Expr
    element: Expr


class FieldOf(Typed):
    record: Expr
    field: str


class SetOf(Typed):
    elements: tuple[Expr, ...]


class BagOf(Typed):
    elements: tuple[Expr, ...]


class SetEach(Typed):
    """A set (or by its type a bag) of the element for each choice of the binders."""

    binders: tuple[Binder, ...]
    where: Expr | None
    element: Expr


class MapOf(Typed):
    """Values by key; every other key has the default (None if all keys are written)."""

    keys: tuple[Value, ...]
    values: tuple[Expr, ...]
    default: Expr | None


class MapEach(Typed):
    name: str
    value: Expr


class Updated(Typed):
    """A map with the value at one key changed."""

    map: Expr
    key: Expr
    value: Expr


class Otherwise(Typed):
    value: Expr
    default: Expr


class Call(Typed):
    """A declared function; `old` evaluates it in the state before the transition."""

    function: str
    arguments: tuple[Expr, ...]
    old: bool


class Builtin(Typed):
    """left_of right_of size min max abs step column row square occupied tally components.

    `reach` (from, inside): what of one set is reached from another without leaving it. `connected`
    (from, to, inside): whether something of a second set is. What lies beside what is said by
    the directions `along`, or by a table as the last argument. Of `components` only
    an engine that is mistaken has such directions; else what shares a side lies beside."""

    name: str
    arguments: tuple[Expr, ...]
    along: Type | None = None


Expr: TypeAlias = (
    Literal | Local | StateVar | TableRef | ReadingRef | PlayerCount | Unary | Binary | Choose | Let
    | Quantify | Lookup | BagCount | FieldOf | SetOf | BagOf | SetEach | MapOf | MapEach | Updated
    | Otherwise | Call | Builtin
)  # fmt: skip


# ---- statements


class Assign(Core):
    """Writes `value` to a state variable at the keys, checked against `type`."""

    variable: str
    keys: tuple[Expr, ...]
    value: Expr
    type: Type


class If(Core):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


class For(Core):
    """Runs the body for each choice, in the order of the domain."""

    binders: tuple[Binder, ...]
    where: Expr | None
    body: tuple[Statement, ...]


class Bind(Core):
    """A name for the rest of the block."""

    name: str
    value: Expr


class Perform(Core):
    effect: str
    arguments: tuple[Expr, ...]


class Labelled(Core):
    label: str
    prose: str
    clauses: tuple[str, ...]
    body: tuple[Statement, ...]


Statement: TypeAlias = Assign | If | For | Bind | Perform | Labelled


# ---- declarations


class Param(Core):
    """`hidden` ones are seen by the mover only, if there is one."""

    name: str
    type: Type
    hidden: bool = False


class Function(Core):
    name: str
    params: tuple[Param, ...]
    type: Type
    body: Expr
    prose: str | None
    clauses: tuple[str, ...]


class Effect(Core):
    name: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]
    prose: str | None
    clauses: tuple[str, ...]


class TableData(Core):
    """A constant map, `data` nested by its indices."""

    name: str
    type: Type
    data: dict[Value, object]
    prose: str | None
    clauses: tuple[str, ...]


class Constant(Core):
    """A named value, for the record: uses of it are already replaced by the value."""

    name: str
    value: Expr
    prose: str | None
    clauses: tuple[str, ...]


class Variable(Core):
    """A state variable. Without `initial` it may begin with any value; `owned` ones have one copy
    per player as their first index."""

    name: str
    type: Type
    initial: Expr | None
    hidden: bool
    owned: bool
    prose: str | None
    clauses: tuple[str, ...] = ()
    from_owner: bool = False
    """Of what is hidden: that all see it but its owner, not its owner alone."""


class Fill(Core):
    """What a name in braces stands for."""

    name: str
    value: Expr


class Template(Core):
    """A sentence with places for values, `name {t} and guess {guess}`, for where an event is known.
    Without one its prose is read, which has the names themselves."""

    text: str
    fills: tuple[Fill, ...]


class Phase(Core):
    name: str
    simultaneous: bool
    final: bool
    prose: str | None


class Requirement(Core):
    """A labelled condition. `label` is `rule.name` for one that comes from a rule, else
    `move.name`."""

    label: str
    prose: str | None
    clauses: tuple[str, ...]
    condition: Expr
    template: Template | None = None


class Proposal(Core):
    name: str
    prose: str | None
    binders: tuple[Binder, ...]
    where: Expr | None
    value: Expr


class Shown(Core):
    """What is shown when a transition happens, as it is before: to one player (if there is one), to
    some, or to all. With a `seat` each is shown what the value is where that is their name."""

    value: Expr
    to: Expr | None
    seat: str | None = None


class Transition(Core):
    """`kind` is move, chance or step. The first requirement of each says which phases it belongs
    to (`NAME.phase`); of a move in a simultaneous phase the second says that its player has not
    acted yet (`NAME.once`)."""

    kind: str
    name: str
    params: tuple[Param, ...]
    mover: str | None
    phases: tuple[str, ...]
    prose: str | None
    clauses: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    weight: Expr | None
    body: tuple[Statement, ...]
    proposals: tuple[Proposal, ...]
    shows: tuple[Shown, ...] = ()
    template: Template | None = None


class Property(Core):
    """`kind` is invariant, always, possible, theorem or secret. What is claimed `initially` is a
    theorem about the values that a game begins with. What is `secret` claims nothing of single
    positions but compares games (`twin_games`); its claim is `true`."""

    kind: str
    name: str
    prose: str | None
    clauses: tuple[str, ...]
    claim: Expr


class Ends(Core):
    name: str
    prose: str | None
    clauses: tuple[str, ...]
    measure: tuple[Expr, ...]
    at: str


class ReadingOption(Core):
    name: str
    prose: str


class Reading(Core):
    name: str
    prose: str
    clauses: tuple[str, ...]
    options: tuple[ReadingOption, ...]
    default: str


class VariantNote(Core):
    name: str
    prose: str
    clauses: tuple[str, ...]


class Source(Core):
    name: str
    title: str
    document: str | None


class Clause(Core):
    """`places` are source and place, like ("en", "4.1")."""

    name: str
    kind: str
    places: tuple[tuple[str, str], ...]
    prose: str


class Term(Core):
    name: str
    meaning: str
    words: tuple[tuple[str, str], ...]


class Assumption(Core):
    name: str
    confidence: str
    prose: str
    clauses: tuple[str, ...]


class Paragraph(Core):
    """Sentences that are read together, by the names of their clauses; `phases` are those in which
    what they tell happens."""

    title: str | None
    phases: tuple[str, ...]
    clauses: tuple[str, ...]


class Section(Core):
    """A section of the rulebook people play from."""

    name: str
    heading: str
    paragraphs: tuple[Paragraph, ...]


class Acceptance(Core):
    """A finding that is known and has a reason; `under` is a reading and its option."""

    finding: str
    subject: str
    under: tuple[str, str] | None
    reason: str


class Face(Core):
    """What stands for a value in a picture, and in which colour it is painted."""

    value: Value
    type: Type
    label: str | None
    colour: str | None


class View(Core):
    """What a variable or a table (its `subject`) is drawn as."""

    subject: str
    shape: str
    label: str | None
    faces: tuple[Face, ...]


# ---- worked examples


class ExampleEvent(Core):
    """A move (`by` a player) or chance event (`by` None) with its arguments in parameter order."""

    transition: str
    by: int | None
    arguments: tuple[Expr, ...]


class ExpectedRefusal(Core):
    """An event that must be refused, by at least these requirements."""

    event: ExampleEvent
    because: tuple[str, ...]


class Expectation(Core):
    condition: Expr


class Example(Core):
    """`given` is run on the initial position; then the lines in order."""

    name: str
    prose: str | None
    clauses: tuple[str, ...]
    players: int
    seats: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    variant: str | None
    given: tuple[Assign, ...]
    lines: tuple[ExampleEvent | ExpectedRefusal | Expectation, ...]


class Spec(Core):
    """A whole game. `variant` names the variant this core was made with, None for the game
    itself. The variables begin with `phase`, and `answered` where a phase is simultaneous."""

    name: str
    title: str
    least: int
    most: int
    variant: str | None
    sources: tuple[Source, ...]
    clauses: tuple[Clause, ...]
    terms: tuple[Term, ...]
    assumptions: tuple[Assumption, ...]
    sections: tuple[Section, ...]
    enums: tuple[Enum, ...]
    phases: tuple[Phase, ...]
    tables: tuple[TableData, ...]
    constants: tuple[Constant, ...]
    variables: tuple[Variable, ...]
    start: tuple[Requirement, ...]
    functions: tuple[Function, ...]
    effects: tuple[Effect, ...]
    transitions: tuple[Transition, ...]
    properties: tuple[Property, ...]
    ends: tuple[Ends, ...]
    readings: tuple[Reading, ...]
    variants: tuple[VariantNote, ...]
    examples: tuple[Example, ...]
    acceptances: tuple[Acceptance, ...]
    views: tuple[View, ...] = ()

    def function(self, name: str) -> Function | None:
        return next((each for each in self.functions if each.name == name), None)

    def transition(self, name: str) -> Transition | None:
        return next((each for each in self.transitions if each.name == name), None)

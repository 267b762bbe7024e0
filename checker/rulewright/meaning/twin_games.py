"""Two games side by side, seen by one player: a spec whose games are pairs of games.

What is hidden stays secret if no two games that look alike to a player ever come to differ in what
that player sees. So everything is there twice, the second time as its *twin*: state, functions,
effects. One player, the viewer, looks on, whoever that is. Each event happens in both games at
once. What its parameters are is the same in both, but for hidden ones that the viewer does not see;
what is shown to the viewer is the same, for else the two games are told apart rightly. Steps run in
both or in none; where what a step shows differs, or that it is due at all, the pair is not followed
any further. The games part when the viewer may make a move in one that is refused in the other, or
a step that shows nothing is due in only one.

That the games look alike is then an invariant of the pair, to be proved or broken like any other
(Rule SECRET).
What can happen with two games swapped can happen as they are, so it is enough to look for what only
the first allows.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import reads_state, with_parts
from rulewright.syntax.node import NOWHERE, Span, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

TWIN = " twin"
"""How the names of what belongs to the second game end; nobody can write such a name."""
VIEWER, PARTED, TOLD = "the viewer", "the games part", "the games are told apart"
PARTS = " in one game only"
"""How transitions are called by which the games part."""
SECRET = "secret"


def has_secrets(spec: c.Spec) -> bool:
    return any(each.kind == SECRET for each in spec.properties)


def can_differ(spec: c.Spec) -> bool:
    """Whether two games can differ in anything at all that a player does not see."""
    chosen = any(each.hidden and each.initial is None for each in spec.variables)
    return chosen or any(param.hidden for each in spec.transitions for param in each.params)


def twin_games(spec: c.Spec) -> c.Spec:
    """The spec of pairs of games. What it claims to be secret are invariants of it, and so are the
    invariants of both games."""
    return _Twins(spec).all()


def seen_alike(spec: c.Spec) -> dict[str, list[c.Expr]]:
    """By variable of a spec: what holds of a pair of positions that look alike to the viewer."""
    return _Twins(spec).seen_alike(NOWHERE)


class _Twins:
    def __init__(self, spec: c.Spec) -> None:
        self.spec = spec
        self.player = y.Player(spec.least, spec.most)
        self.functions = {each.name: each for each in spec.functions}
        self.double = {
            each.name for each in spec.functions if reads_state(each.body, self.functions)
        }
        self.viewer: c.Expr = c.StateVar(NOWHERE, self.player, VIEWER, False)
        self.parted: c.Expr = c.StateVar(NOWHERE, y.BOOL, PARTED, False)
        self.told: c.Expr | None = None
        if any(each.kind == "step" and each.shows for each in spec.transitions):
            self.told = c.StateVar(NOWHERE, y.BOOL, TOLD, False)

    def all(self) -> c.Spec:
        spec = self.spec
        span = NOWHERE
        variables = [
            *spec.variables,
            *(replace(each, name=each.name + TWIN) for each in spec.variables),
            c.Variable(span, VIEWER, self.player, None, False, False, None),
            c.Variable(span, PARTED, y.BOOL, _truth(span, False), False, False, None),
        ]
        if self.told is not None:
            no = _truth(span, False)
            variables.append(c.Variable(span, TOLD, y.BOOL, no, False, False, None))
        start = [*spec.start, *(self._twin_of(each, frozenset()) for each in spec.start)]
        start.append(c.Requirement(span, "the games look alike", None, (), self._alike(span)))
        functions = [
            self._twin_function(each) for each in spec.functions if each.name in self.double
        ]
        effects = [self._twin_effect(each) for each in spec.effects]
        transitions = [made for each in spec.transitions for made in self._transitions(each)]
        acceptances = [each for each in spec.acceptances if each.finding == "refuted"]
        acceptances += [replace(each, subject=each.subject + TWIN) for each in acceptances]
        changed: c.Spec = replace(
            spec, variables=tuple(variables), start=tuple(start),
            functions=(*spec.functions, *functions), effects=(*spec.effects, *effects),
            transitions=tuple(transitions), properties=tuple(self._properties()), ends=(),
            examples=(), acceptances=tuple(acceptances),
        )  # fmt: skip
        return changed

    # ---- what is claimed

    def _properties(self) -> Iterable[c.Property]:
        for each in self.spec.properties:
            if each.kind == "invariant":
                yield each
                yield self._twin_of(each, frozenset(), name=each.name + TWIN)
            elif each.kind == SECRET:
                claim = _both(_not(self.parted), self._alike(each.span))
                if self.told is not None:
                    claim = c.Binary(each.span, y.BOOL, "or", self.told, claim)
                yield replace(each, kind="invariant", claim=claim)

    def _alike(self, span: Span) -> c.Expr:
        """That the viewer sees the same in both games."""
        found: c.Expr = _truth(span, True)
        for parts in self.seen_alike(span).values():
            for part in parts:
                found = _both(found, part)
        return found

    def seen_alike(self, span: Span) -> dict[str, list[c.Expr]]:
        """By variable: that the viewer sees the same of it in both games."""
        found = {}
        for each in self.spec.variables:
            here: c.Expr = c.StateVar(span, each.type, each.name, False)
            there: c.Expr = c.StateVar(span, each.type, each.name + TWIN, False)
            found[each.name] = list(self._seen_alike(each, here, there))
        return found

    def _seen_alike(self, variable: c.Variable, here: c.Expr, there: c.Expr) -> Iterable[c.Expr]:
        if not variable.hidden:
            yield _same(here, there)
            return
        if _is_counted(variable.type):
            yield _same_number(here, there)
        if not variable.owned or not isinstance(variable.type, y.Map):
            return
        span, name = here.span, f"{variable.name} owner"
        owner: c.Expr = c.Local(span, self.player, name)
        inside = variable.type.value
        of_one = _same(c.Lookup(span, inside, here, owner), c.Lookup(span, inside, there, owner))
        if variable.from_owner:
            others = c.Binary(span, y.BOOL, "unequal", owner, self.viewer)
            yield _all(span, name, self.player, of_one, others)
        else:
            yield _same(
                c.Lookup(span, inside, here, self.viewer),
                c.Lookup(span, inside, there, self.viewer),
            )

    # ---- the twin of what is there

    def _twin_of(self, node: Any, shared: frozenset[str], **changes: Any) -> Any:
        """The same of the second game; names of parameters that are `shared` stay."""
        return replace(self._twin(node, shared), **changes)

    def _twin(self, node: Any, shared: frozenset[str]) -> Any:
        node = with_parts(node, lambda part: self._twin(part, shared))
        changes: dict[str, Any] = {}
        match node:
            case c.StateVar(name=name):
                changes["name"] = name + TWIN
            case c.Assign(variable=name):
                changes["variable"] = name + TWIN
            case c.Local() | c.Binder() | c.Let() | c.MapEach() | c.Bind() | c.Param():
                if node.name not in shared:
                    changes["name"] = node.name + TWIN
            case c.Call(function=name) if name in self.double:
                changes["function"] = name + TWIN
            case c.Perform(effect=name):
                changes["effect"] = name + TWIN
            case c.Requirement(label=label) | c.Labelled(label=label):
                changes["label"] = label + TWIN
        return replace(node, **changes) if changes else node

    def _twin_function(self, function: c.Function) -> c.Function:
        twin: c.Function = self._twin_of(function, frozenset(), name=function.name + TWIN)
        return twin

    def _twin_effect(self, effect: c.Effect) -> c.Effect:
        twin: c.Effect = self._twin_of(effect, frozenset(), name=effect.name + TWIN)
        return twin

    # ---- what happens

    def _transitions(self, each: c.Transition) -> Iterable[c.Transition]:
        if each.kind == "move":
            yield self._refused(each)
        elif each.kind == "step":
            yield self._due_in_one(each)
        yield self._together(each)

    def _mover_sees(self, each: c.Transition) -> c.Expr:
        mover = c.Local(each.span, self.player, str(each.mover))
        return c.Binary(each.span, y.BOOL, "equal", mover, self.viewer)

    def _going_on(self, each: c.Transition) -> c.Requirement:
        going = _not(self.parted)
        if self.told is not None:
            going = _both(going, _not(self.told))
        return c.Requirement(each.span, f"{each.name}.{PARTED}", None, (), going)

    def _due_in_one(self, each: c.Transition) -> c.Transition:
        """A step that is due in only one game. The viewer sees that if it shows something."""
        span = each.span
        first, *others = each.requirements
        due: c.Expr = _truth(span, True)
        for need in others:
            due = _both(due, need.condition)
        twin = self._twin(due, frozenset())
        one = c.Requirement(
            span, f"{each.name}.due", None, (), c.Binary(span, y.BOOL, "unequal", due, twin)
        )
        parts = c.Assign(span, PARTED, (), _truth(span, True), y.BOOL)
        tells = c.Assign(span, TOLD, (), _truth(span, True), y.BOOL)
        body: c.Statement = parts
        for shown in each.shows:
            if shown.to is None:
                body = tells
                break
            to_first, to_second = map(
                self._heard, (shown.to, self._twin(shown.to, frozenset()))
            )  # fmt: skip
            heard = c.Choose(span, y.BOOL, due, to_first, to_second)
            body = c.If(span, heard, (tells,), (body,))
        made: c.Transition = replace(
            each, name=each.name + PARTS, body=(body,), shows=(),
            requirements=(first, self._going_on(each), one),
        )  # fmt: skip
        return made

    def _refused(self, each: c.Transition) -> c.Transition:
        """A move that the viewer may make in the first game and not in the second."""
        span = each.span
        shared = frozenset({str(each.mover), *(param.name for param in each.params)})
        asked: c.Expr = _truth(span, True)
        for need in each.requirements:
            asked = _both(asked, self._twin(need.condition, shared))
        refused = _not(asked)
        first, *others = each.requirements
        mine = c.Requirement(span, f"{each.name}.viewer", None, (), self._mover_sees(each))
        last = c.Requirement(span, f"{each.name}{TWIN}.refused", None, (), refused)
        part = c.Assign(span, PARTED, (), _truth(span, True), y.BOOL)
        made: c.Transition = replace(
            each, name=each.name + PARTS, body=(part,), shows=(),
            requirements=(first, self._going_on(each), mine, *others, last),
        )  # fmt: skip
        return made

    def _together(self, each: c.Transition) -> c.Transition:
        """The same event in both games."""
        span = each.span
        apart = [param for param in each.params if param.hidden]
        shared = frozenset(
            {str(each.mover), *(param.name for param in each.params if not param.hidden)}
        )
        first, *others = [*each.requirements, *self._has_a_chance(each)]
        twins = [self._twin(need, shared) for need in (first, *others)]
        shown = list(self._shown(each, apart, shared))
        body: tuple[c.Statement, ...] = each.body
        body = (*body, *(self._twin(one, shared) for one in each.body))
        alike = [
            c.Requirement(span, f"{each.name}.shown {number}", None, (), condition)
            for number, condition in enumerate(shown, 1)
        ]
        if each.kind == "step" and shown:
            alike = []
            same: c.Expr = _truth(span, True)
            for condition in shown:
                same = _both(same, condition)
            tells = c.Assign(span, TOLD, (), _truth(span, True), y.BOOL)
            body = (c.If(span, same, body, (tells,)),)
        made: c.Transition = replace(
            each,
            params=(*each.params, *(self._twin(param, shared) for param in apart)),
            requirements=(first, self._going_on(each), *others, *twins, *alike),
            weight=None,
            body=body,
            shows=(),
            proposals=() if apart and each.params[0].hidden else each.proposals,
        )
        return made

    def _has_a_chance(self, each: c.Transition) -> list[c.Requirement]:
        if each.weight is None:
            return []
        nothing = c.Literal(each.span, y.Int(0, 0), 0)
        some = c.Binary(each.span, y.BOOL, "greater", each.weight, nothing)
        return [c.Requirement(each.span, f"{each.name}.weight", None, (), some)]

    def _shown(
        self, each: c.Transition, apart: list[c.Param], shared: frozenset[str]
    ) -> Iterable[c.Expr]:
        """What the viewer sees of the event is the same in both games."""
        if each.mover is not None:
            for param in apart:
                mine = c.Local(param.span, param.type, param.name)
                same = _same(mine, self._twin(mine, shared))
                yield _implies(self._mover_sees(each), same)
        for shown in each.shows:
            same = self._told_alike(shown, shared)
            if shown.to is None:
                yield same
                continue
            here, there = map(self._heard, (shown.to, self._twin(shown.to, shared)))
            either = c.Binary(shown.span, y.BOOL, "or", here, there)
            yield _implies(either, _both(_both(here, there), same))

    def _told_alike(self, shown: c.Shown, shared: frozenset[str]) -> c.Expr:
        """That what is shown is the same in both games, or where each is shown something else,
        what the viewer is shown."""
        if shown.seat is None:
            return _same(shown.value, self._twin(shown.value, shared))
        span, value = shown.span, shown.value
        twin = self._twin(value, shared | {shown.seat})
        mine, its = (
            c.Let(span, value.type, shown.seat, self.viewer, one) for one in (value, twin)
        )  # fmt: skip
        return _same(mine, its)

    def _heard(self, to: c.Expr) -> c.Expr:
        """Whether the viewer is the one, or one of those, who are shown something."""
        if isinstance(to.type, y.Set):
            return c.Binary(to.span, y.BOOL, "member", self.viewer, to)
        return c.Binary(to.span, y.BOOL, "equal", to, self.viewer)


# ---- expressions


def _truth(span: Span, value: bool) -> c.Expr:
    return c.Literal(span, y.BOOL, value)


def _both(left: c.Expr, right: c.Expr) -> c.Expr:
    if isinstance(left, c.Literal) and left.value is True:
        return right
    return c.Binary(right.span, y.BOOL, "and", left, right)


def _not(condition: c.Expr) -> c.Expr:
    return c.Unary(condition.span, y.BOOL, "not", condition)


def _implies(left: c.Expr, right: c.Expr) -> c.Expr:
    return c.Binary(left.span, y.BOOL, "implies", left, right)


def _all(span: Span, name: str, type: y.Type, body: c.Expr, where: c.Expr | None = None) -> c.Expr:
    return c.Quantify(span, y.BOOL, "all", (c.Binder(span, name, type, None, None),), where, body)


def _same(here: c.Expr, there: c.Expr, depth: int = 0) -> c.Expr:
    """That two values are the same; of maps, that they are at each key."""
    if isinstance(here.type, y.Map):
        return _at_each(here, there, depth, lambda a, b: _same(a, b, depth + 1))
    return c.Binary(here.span, y.BOOL, "equal", here, there)


def _is_counted(type: y.Type) -> bool:
    """Whether a value has elements, whose number all see."""
    inner = type.value if isinstance(type, y.Map) else type
    return _is_counted(inner) if isinstance(inner, y.Map) else isinstance(inner, _COUNTED)


_COUNTED = (y.Set, y.Bag, y.Option)


def _same_number(here: c.Expr, there: c.Expr, depth: int = 0) -> c.Expr:
    """That there are as many elements; of maps, at each key."""
    span = here.span
    sides: list[c.Expr]
    match here.type:
        case y.Map():
            return _at_each(here, there, depth, lambda a, b: _same_number(a, b, depth + 1))
        case y.Option():
            nothing = c.Literal(span, y.NOTHING, None)
            sides = [c.Binary(span, y.BOOL, "equal", each, nothing) for each in (here, there)]
        case y.Set(element):
            many = y.Int(0, y.most_values(element))
            sides = [c.Builtin(span, many, "size", (each,)) for each in (here, there)]
        case _:
            sides = [c.Builtin(span, y.Int(0, None), "size", (each,)) for each in (here, there)]
    return c.Binary(span, y.BOOL, "equal", *sides)


def _at_each(
    here: c.Expr, there: c.Expr, depth: int, of: Callable[[c.Expr, c.Expr], c.Expr]
) -> c.Expr:
    assert isinstance(here.type, y.Map)
    span, key, value = here.span, here.type.key, here.type.value
    name = f"alike {depth}"
    at = c.Local(span, key, name)
    return _all(span, name, key, of(*(c.Lookup(span, value, each, at) for each in (here, there))))

"""Dealing: so many from a bag, to each player or to one place, written as one declaration.

It is played card by card, each drawn from what is left, so a deal is a chance event that goes on
until everybody has enough, and what follows then. While it goes on somebody lacks something and
nobody has too much: the spec claims so, for proofs need it. What is dealt to where it is hidden is
hidden, and shown to whoever sees what lies there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Messages
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.syntax import tree as t
from rulewright.syntax.node import replace

CARD = "card"
"""The parameter of the chance event: what is dealt."""
SEAT = "dealt to"
"""The player who is dealt to. Nobody can write that name, so it hides none."""
OTHER = "looking on"
"""A player who is not."""


def dealt(spec: t.Spec, messages: Messages) -> t.Spec:
    """The same spec, each deal as the chance event that it is."""
    if not any(isinstance(each, t.Deal) for each in spec.declarations):
        return spec
    variables = _variables(spec)
    declarations: list[t.Declaration] = []
    for each in spec.declarations:
        if isinstance(each, t.Deal):
            declarations += _Dealing(each, variables, messages).written_out()
        else:
            declarations.append(each)
    return replace(spec, declarations=tuple(declarations))


def _variables(spec: t.Spec) -> dict[str, tuple[t.Variable, bool]]:
    """The state variables, and whether each player has one."""
    found = {}
    for state in spec.declarations:
        for item in state.items if isinstance(state, t.State) else ():
            owned = isinstance(item, t.Each) and item.owner.text == "Player"
            for each in item.variables if isinstance(item, t.Each) else (item,):
                found[each.declarator.name.text] = (each, owned)
    return found


class _Dealing:
    """One deal, written out. What nobody wrote stands where its name does."""

    def __init__(
        self, deal: t.Deal, variables: dict[str, tuple[t.Variable, bool]], messages: Messages
    ) -> None:
        self.deal = deal
        self.span = deal.name.span
        self.variables = variables
        self.messages = messages

    def written_out(self) -> list[t.Declaration]:
        """The chance event, and what holds while it goes on; nothing where a fault is reported."""
        deal, span = self.deal, self.span
        source_variable, _ = self._variable(deal.source)
        target_variable, owned = self._variable(deal.target)
        if source_variable is None or target_variable is None:
            return []
        source, target = source_variable.declarator, target_variable.declarator
        if not isinstance(source.type, t.CollectionType) or source.type.kind != "Bag":
            self._refuse(deal.source, "is not a bag", "what is dealt from is a `Bag[T]`")
            return []
        if owned != deal.each:
            help = "write `to each`" if owned else "put it under `each Player`, or leave out `each`"
            said = "belongs to each player" if owned else "is not a player's own"
            self._refuse(deal.target, said, help)
            return []
        if source.indices or target.indices or not isinstance(
            target.type, t.CollectionType | t.ListType | t.OptionalType
        ):  # fmt: skip
            help = "deal to a `Bag[T]`, a `List[T, 5]` or a `T?`, from a bag that has no index"
            self._refuse(deal.target, "cannot be dealt to", help)
            return []
        hidden = target_variable.hidden
        card = t.Declarator(span, t.Ident(span, CARD), (), source.type.element, hidden)
        left = t.Requirement(
            span, t.Ident(span, "left"), t.Text(span, "it is not dealt yet"), (),
            t.Binary(span, "in", self._name(CARD), self._name(deal.source)),
        )  # fmt: skip
        weight = t.Index(span, self._name(deal.source), (self._name(CARD),))
        return [
            t.Chance(
                deal.span, deal.name, (card,), deal.phases, deal.prose, deal.cites, (left,), weight,
                self._body(target), tuple(self._shown(target_variable)),
            ),
            self._meanwhile(target),
        ]  # fmt: skip

    def _shown(self, target: t.Variable) -> Iterator[t.Shows]:
        """Who sees a card that is dealt to where it is hidden: its owner, or all others."""
        if not self.deal.each or not target.hidden:
            return
        span, to = self.span, self._next_one(target.declarator)
        if target.from_owner:
            player = t.NamedType(span, t.Ident(span, "Player"))
            looking = t.TypedBinder(span, (t.Ident(span, OTHER),), player)
            apart = t.Binary(span, "!=", self._name(OTHER), to)
            to = t.SetEach(span, t.Binders(span, (looking,), apart), None)
        yield t.Shows(span, self._name(CARD), to)

    def _next_one(self, target: t.Declarator) -> t.Expr:
        """Who is dealt to next, if somebody is."""
        return t.Quantify(self.span, "first", self._everybody(), self._lacks(target))

    def _body(self, target: t.Declarator) -> tuple[t.Statement, ...]:
        deal, span = self.deal, self.span
        card = t.SetOf(span, (self._name(CARD),))
        taken = t.Assign(span, t.Target(deal.source.span, deal.source, ()), "-=", card)
        keys = (self._name(SEAT),) if deal.each else ()
        place = t.Target(deal.target.span, deal.target, keys)
        given: t.Statement = t.Assign(span, place, "+=", card)
        if isinstance(target.type, t.OptionalType):
            given = t.Assign(span, place, "=", self._name(CARD))
        if isinstance(target.type, t.ListType):
            given = t.Assign(span, place, "=", self._call("append", self._held(), self._name(CARD)))
        if deal.each:
            domain = t.Domain(span, self._next_one(target), None)
            drawn = t.DrawnBinder(span, t.Ident(span, SEAT), domain)
            given = t.For(span, t.Binders(span, (drawn,), None), (given,))
        done: t.Expr = t.Unary(span, "not", self._lacks(target))
        if deal.each:
            done = t.Quantify(span, "all", self._everybody(), done)
        return (taken, given, t.If(span, (t.Branch(span, done, deal.body),), ()))

    def _meanwhile(self, target: t.Declarator) -> t.Property:
        """While it is dealt somebody lacks something, and nobody has too much."""
        span = self.span
        lacking, enough = self._lacks(target), self._enough(target)
        if self.deal.each:
            lacking = t.Quantify(span, "some", self._everybody(), lacking)
            enough = t.Quantify(span, "all", self._everybody(), enough)
        phases = t.SetOf(span, tuple(t.Name(each.span, each.text) for each in self.deal.phases))
        dealing = t.Binary(span, "in", self._name("phase"), phases)
        claim = t.Binary(span, "implies", dealing, t.Binary(span, "and", lacking, enough))
        name = t.Ident(span, f"{self.deal.name.text}_deals")
        prose = t.Text(span, "it is dealt until all have enough")
        return t.Property(span, "invariant", name, prose, (), claim)

    def _lacks(self, target: t.Declarator) -> t.Expr:
        return t.Binary(self.span, "<", self._many(target), self.deal.count)

    def _enough(self, target: t.Declarator) -> t.Expr:
        return t.Binary(self.span, "<=", self._many(target), self.deal.count)

    def _many(self, target: t.Declarator) -> t.Expr:
        """How many are there already."""
        match target.type:
            case t.ListType():
                return self._call("length", self._held())
            case t.OptionalType():
                empty = t.Binary(self.span, "==", self._held(), self._name("none"))
                zero, one = t.Number(self.span, 0), t.Number(self.span, 1)
                return t.Choose(self.span, zero, empty, one)
            case _:
                return self._call("size", self._held())

    def _held(self) -> t.Expr:
        target = self._name(self.deal.target)
        return t.Index(self.span, target, (self._name(SEAT),)) if self.deal.each else target

    def _everybody(self) -> t.Binders:
        span = self.span
        player = t.NamedType(span, t.Ident(span, "Player"))
        return t.Binders(span, (t.TypedBinder(span, (t.Ident(span, SEAT),), player),), None)

    def _name(self, name: t.Ident | str) -> t.Expr:
        if isinstance(name, t.Ident):
            return t.Name(name.span, name.text)
        return t.Name(self.span, name)

    def _call(self, function: str, *arguments: t.Expr) -> t.Expr:
        return t.Call(self.span, t.Ident(self.span, function), arguments)

    def _variable(self, name: t.Ident) -> tuple[t.Variable | None, bool]:
        found = self.variables.get(name.text)
        if found is None:
            self.messages.error(
                "RW115", name.span, f"there is no state variable `{name.text}`",
                suggestion(name.text, self.variables, "declare it under `state`"),
            )  # fmt: skip
        return found or (None, False)

    def _refuse(self, name: t.Ident, said: str, help: str) -> None:
        self.messages.error("RW201", name.span, f"`{name.text}` {said}", help)

"""Worked examples as written to those of the core."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.meaning.typing import calls
from rulewright.meaning.typing.statements import StatementElaborator, clauses_of, prose_of
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span


class ExampleElaborator:
    """Elaborates examples against the transitions of a spec."""

    def __init__(
        self, statements: StatementElaborator, transitions: dict[str, c.Transition]
    ) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.names = statements.names
        self.messages = statements.messages
        self.player = statements.declared.types.player
        self.transitions = transitions

    def one(self, example: t.Example) -> c.Example:
        seats: tuple[t.Ident, ...] = ()
        players = self.player.least
        readings: list[tuple[str, str]] = []
        variant: str | None = None
        for line in example.lines:
            match line:
                case t.Seats(span, count, names):
                    seats = names
                    players = count if count is not None else len(names)
                    if not self.player.least <= players <= self.player.most:
                        self.messages.error(
                            "RW205", span, f"{players} players are not "
                            f"{self.player.least}..{self.player.most}",
                            "the number of players is declared under `game`",
                        )  # fmt: skip
                case t.Under():
                    chosen = self.option(line)
                    readings += [chosen] if chosen else []
                case t.UnderVariant(_, ident):
                    if self.names.require("variant", ident, "RW113") is not None:
                        variant = ident.text
                case _:
                    pass
        for named in seats:
            self.names.references.bind("seat", named, named.span)
        scope = Scope(
            {
                named.text: c.Literal(named.span, self.player, number)
                for number, named in enumerate(seats, 1)
            }
        )
        given: list[c.Assign] = []
        lines: list[c.ExampleEvent | c.ExpectedRefusal | c.Expectation] = []
        for line in example.lines:
            match line:
                case t.Given(_, facts):
                    for fact in facts:
                        given += self._fact(fact, scope)
                case t.Throw(span, ident, arguments):
                    event = self._event(span, ident, None, arguments, scope, "chance")
                    lines += [event] if event else []
                case t.Play(span, seat, ident, arguments):
                    by = self._seat(seat, scope, players)
                    event = self._event(span, ident, by, arguments, scope, "move")
                    lines += [event] if event else []
                case t.Refuse(span, seat, ident, arguments, because):
                    who = None if seat is None else self._seat(seat, scope, players)
                    kind = "chance" if seat is None else "move"
                    event = self._event(span, ident, who, arguments, scope, kind)
                    if event is not None:
                        labels = tuple(self._label(path, event.transition) for path in because)
                        lines.append(c.ExpectedRefusal(span, event, labels))
                case t.Expect(span, condition):
                    checked = self.expressions.condition(condition, scope, "what is expected")
                    lines.append(c.Expectation(span, checked))
                case _:
                    pass
        return c.Example(
            example.span, example.name.text, prose_of(example.prose), clauses_of(example.cites),
            players, tuple(seat.text for seat in seats), tuple(readings), variant, tuple(given),
            tuple(lines),
        )  # fmt: skip

    def option(self, under: t.Under) -> tuple[str, str] | None:
        """A reading and one of its options."""
        reading: t.Reading | None = self.names.require("reading", under.reading, "RW113")
        if reading is None:
            return None
        options = [option.name.text for option in reading.options]
        if under.option.text not in options:
            self.messages.error(
                "RW113", under.option.span,
                f"the reading `{reading.name.text}` has no option `{under.option.text}`",
                suggestion(under.option.text, options, f"it has {', '.join(options)}"),
            )  # fmt: skip
            return None
        full = f"{reading.name.text}.{under.option.text}"
        self.names.references.use(under.option.span, "option", full)
        return reading.name.text, under.option.text

    def _fact(self, fact: t.Fact, scope: Scope) -> list[c.Assign]:
        written = t.Assign(fact.span, fact.target, "=", fact.value)
        found = self.statements.assign(written, scope)
        return [each for each in found if isinstance(each, c.Assign)]

    def _seat(self, seat: t.Seat, scope: Scope, players: int) -> int:
        if isinstance(seat, t.Number):
            if not 1 <= seat.value <= players:
                self.messages.error(
                    "RW205", seat.span, f"there is no player {seat.value}",
                    f"players are numbered 1 to {players}",
                )  # fmt: skip
            return seat.value
        bound = scope.bound.get(seat.text)
        if isinstance(bound, c.Literal) and isinstance(bound.value, int):
            self.names.references.use_bound(seat.span, bound.span.start)
            return bound.value
        self.messages.error(
            "RW101", seat.span, f"nobody called `{seat.text}` sits at this table",
            suggestion(seat.text, scope.bound, "name the seats: `players max, emma`"),
        )  # fmt: skip
        return 1

    def _event(
        self,
        span: Span,
        ident: t.Ident,
        by: int | None,
        arguments: tuple[t.Argument, ...],
        scope: Scope,
        kind: str,
    ) -> c.ExampleEvent | None:
        transition = self.transitions.get(ident.text)
        what = "move" if kind == "move" else "chance event"
        if transition is None or transition.kind != kind:
            known = [name for name, each in self.transitions.items() if each.kind == kind]
            self.messages.error(
                "RW101", ident.span, f"there is no {what} `{ident.text}`",
                suggestion(ident.text, known, f"declare it with `{kind}`"),
            )  # fmt: skip
            return None
        self.names.refer(what, ident.text, ident.span)
        values = calls.arguments(
            self.expressions, span, ident.text, transition.params, arguments, scope
        )
        return None if values is None else c.ExampleEvent(span, ident.text, by, values)

    def _label(self, path: t.Path, transition: str) -> str:
        """The full label of a requirement of a move, given whole or by its last part."""
        labels = [each.label for each in self.transitions[transition].requirements]
        for label in labels:
            if label == path.text or label.split(".")[-1] == path.text:
                self.names.references.use_label(path, label)
                if len(path.parts) > 1:
                    owner = path.parts[0]
                    start = path.span.start
                    self.names.owner(owner, Span(start, start + len(owner)))
                return label
        self.messages.error(
            "RW113", path.span, f"`{transition}` has no requirement `{path.text}`",
            suggestion(
                path.text, [*labels, *(label.split(".")[-1] for label in labels)],
                f"it has {', '.join(labels)}",
            ),
        )  # fmt: skip
        return path.text

"""Requirements and effects as written to those of the core.

Rules are unfolded here: a move asks for each requirement of a rule under the rule's own label.
`+=` is written out, and a change of phase empties `answered`.
"""

from __future__ import annotations

from rulewright.diagnostics import Suggestion
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.names.sentences import plain
from rulewright.meaning.names.symbol_table import suggestion
from rulewright.meaning.typing import calls, containers, lists, templates
from rulewright.meaning.typing.expressions import ExpressionElaborator
from rulewright.meaning.typing.operators import binary
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span


def clauses_of(cites: tuple[t.Path, ...]) -> tuple[str, ...]:
    return tuple(path.text for path in cites)


def prose_of(prose: t.Text | None) -> str | None:
    return plain(prose.text) if prose else None


class RequirementElaborator:
    """Unfolds what a move, chance event, step or rule asks for."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self.expressions = expressions
        self.declared = expressions.declared
        self.names = expressions.names
        self.messages = expressions.messages
        self._busy: list[str] = []

    def of(
        self, owner: str, items: tuple[t.Requirement | t.Include, ...], scope: Scope
    ) -> list[c.Requirement]:
        """The requirements of an owner, those of rules included, in order."""
        found: list[c.Requirement] = []
        labels: set[str] = set()
        for item in items:
            if isinstance(item, t.Include):
                found += self._include(item, scope)
                continue
            if item.name.text in labels:
                self.messages.error(
                    "RW102", item.name.span,
                    f"`{owner}` has two requirements `{item.name.text}`", "rename one of them",
                )  # fmt: skip
            labels.add(item.name.text)
            found.append(self.one(owner, item, scope))
        return found

    def one(self, owner: str, item: t.Requirement, scope: Scope) -> c.Requirement:
        condition = self.expressions.condition(item.condition, scope, "a requirement")
        said = templates.template(self.expressions, item.prose, scope)
        return c.Requirement(
            item.span, f"{owner}.{item.name.text}", prose_of(item.prose), clauses_of(item.cites),
            condition, said,
        )  # fmt: skip

    def _include(self, item: t.Include, scope: Scope) -> list[c.Requirement]:
        rule: t.Rule | None = self.names.require(
            "rule", item.rule, help="declare it with `rule`, or label a condition: `name: ...`"
        )
        if rule is None:
            return []
        name = item.rule.text
        if name in self._busy:
            self.messages.error(
                "RW107", item.span, f"the rule `{name}` asks for itself", "remove it here",
                (self.messages.text.whole_lines(item.span), ""),
            )  # fmt: skip
            return []
        params = self.declared.params(name, rule.params)
        values = calls.arguments(self.expressions, item.span, name, params, item.arguments, scope)
        if values is None:
            return []
        self._busy.append(name)
        self.names.references.unfold(begins=True)
        inside = scope.given({param.name: value for param, value in zip(params, values)})
        found = self.of(name, rule.items, inside)
        self.names.references.unfold(begins=False)
        self._busy.pop()
        return found

    def check_rule(self, rule: t.Rule) -> None:
        """A rule on its own, so that one nobody asks for is checked too."""
        params = self.declared.params(rule.name.text, rule.params)
        scope = self.declared.scope_of(params, rule.params, Scope())
        self._busy.append(rule.name.text)
        self.of(rule.name.text, rule.items, scope)
        self._busy.pop()


class StatementElaborator:
    """Elaborates the bodies of effects, moves, chance events and steps."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self.expressions = expressions
        self.declared = expressions.declared
        self.names = expressions.names
        self.messages = expressions.messages
        self.calls: dict[str, set[str]] = {}
        self._owner = ""

    def of(
        self, owner: str, statements: tuple[t.Statement, ...], scope: Scope
    ) -> tuple[c.Statement, ...]:
        """A body; which effects it performs is noted under its owner."""
        self._owner = owner
        return self._block(statements, scope)

    def _block(self, statements: tuple[t.Statement, ...], scope: Scope) -> tuple[c.Statement, ...]:
        result: list[c.Statement] = []
        for statement in statements:
            match statement:
                case t.Bind(span, ident, value):
                    found = self.expressions.infer(value, scope)
                    self.declared.bind(ident, scope, span)
                    name, scope = scope.bind(ident.text, found.type, ident.span)
                    result.append(c.Bind(span, name, found))
                case t.Assign():
                    result += self.assign(statement, scope)
                case t.Perform():
                    performed = self._perform(statement, scope)
                    result += [performed] if performed else []
                case t.If(span, branches, otherwise):
                    result.append(self._if(span, list(branches), otherwise, scope))
                case t.For(span, binders, body):
                    bound, inner = self.expressions.binders(binders, scope)
                    whole = c.For(span, bound.all, bound.where, self._block(body, inner))
                    result += lists.held_while_gone_through(whole, inner)
                case t.Labelled(span, name, prose, cites, body):
                    self.names.references.define("label", name, span, self._owner)
                    result.append(
                        c.Labelled(
                            span, f"{self._owner}.{name.text}", prose.text, clauses_of(cites),
                            self._block(body, scope),
                        )
                    )  # fmt: skip
        return tuple(result)

    def _if(
        self,
        span: Span,
        branches: list[t.Branch],
        otherwise: tuple[t.Statement, ...],
        scope: Scope,
    ) -> c.If:
        first, *rest = branches
        condition = self.expressions.condition(first.condition, scope, "what follows `if`")
        then = self._block(first.body, scope)
        if rest:
            return c.If(span, condition, then, (self._if(span, rest, otherwise, scope),))
        return c.If(span, condition, then, self._block(otherwise, scope))

    def assign(self, statement: t.Assign, scope: Scope) -> list[c.Statement]:
        """An assignment with `+=` written out; a phase change also empties `answered`."""
        target = statement.target
        name = target.name.text
        type_ = self.declared.variable_type(name)
        if type_ is None or name in scope.bound:
            self._not_state(target, scope)
            return []
        self.names.refer("state variable", name, target.name.span)
        place: c.Expr = c.StateVar(target.span, type_, name, False)
        keys: list[c.Expr] = []
        for key in target.keys:
            if isinstance(place.type, y.Bag):
                self.messages.error(
                    "RW203", target.span, "the count of a bag cannot be assigned",
                    "add to it or take from it: `bag += {x}`",
                )  # fmt: skip
                return []
            if isinstance(place.type, y.Seq):
                self.messages.error(
                    "RW203", target.span, "a single place of a list cannot be assigned",
                    lists.OPERATIONS,
                )  # fmt: skip
                return []
            place = containers.lookup(self.expressions, place, key, scope, target.span)
            if not isinstance(place, c.Lookup):
                return []
            keys.append(place.key)
        wanted = place.type
        hint = y.INT if isinstance(wanted, y.Int) and statement.operator != "=" else wanted
        value = self.expressions.infer(statement.value, scope, hint)
        if statement.operator != "=":
            if isinstance(wanted, y.Seq):
                self.messages.error(
                    "RW201", statement.span, f"`{statement.operator}` does not work on a list",
                    lists.OPERATIONS,
                )  # fmt: skip
                return []
            value = binary(statement.span, statement.operator[0], place, value, self.messages)
        value = self.expressions.fit(value, wanted, f"`{name}`")
        result: list[c.Statement] = [c.Assign(statement.span, name, tuple(keys), value, wanted)]
        if name == "phase" and self.declared.simultaneous:
            everyone = y.Set(self.declared.types.player)
            empty = c.SetOf(statement.span, everyone, ())
            result.append(c.Assign(statement.span, "answered", (), empty, everyone))
        return result

    def _not_state(self, target: t.Target, scope: Scope) -> None:
        name = target.name.text
        known = [*self.names.of("state variable"), "phase"]
        if name in scope.bound or name in self.names.values:
            message = f"`{name}` is not a state variable and cannot be assigned"
            help: Suggestion | str | None = "use `let` to name a value"
        else:
            message = f"there is no state variable `{name}`"
            help = suggestion(name, known, "declare it under `state`")
        self.messages.error("RW115", target.name.span, message, help)

    def _perform(self, statement: t.Perform, scope: Scope) -> c.Perform | None:
        name = statement.effect.text
        effect: t.Effect | None = self.names.require(
            "effect", statement.effect, help="declare it with `effect`"
        )
        if effect is None:
            return None
        self.calls.setdefault(self._owner, set()).add(name)
        params = self.declared.params(name, effect.params)
        values = calls.arguments(
            self.expressions, statement.span, name, params, statement.arguments, scope
        )
        return None if values is None else c.Perform(statement.span, name, values)

"""The types of everything declared, worked out on first use.

Functions and constants may stand in any order in the file; each is elaborated when first asked
for, and one that needs itself is reported.
"""

from __future__ import annotations

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.names.symbol_table import SymbolTable
from rulewright.meaning.names.type_syntax import TypeResolver
from rulewright.syntax import tree as t
from rulewright.syntax.node import Node, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.typing.expressions import ExpressionElaborator


class Signature(Node):
    params: tuple[c.Param, ...]
    type: y.Type


class Declarations:
    """Looks up what a declared name is; `expressions` is set right after both are made."""

    expressions: ExpressionElaborator

    def __init__(self, names: SymbolTable, types: TypeResolver, messages: Messages) -> None:
        self.names = names
        self.types = types
        self.messages = messages
        self.phase = y.Enum("phase", tuple(names.of("phase")))
        self.simultaneous = any(
            mark.text == "simultaneous" for phase in names.of("phase").values()
            for mark in phase.marks
        )  # fmt: skip
        self.functions: dict[str, c.Function] = {}
        self._variables: dict[str, y.Type] = {}
        self._constants: dict[str, c.Expr] = {}
        self._tables: dict[str, y.Type] = {}
        self._params: dict[str, tuple[c.Param, ...]] = {}
        self._busy: set[str] = set()

    # ---- types of names

    def variable_type(self, name: str) -> y.Type | None:
        """The type of a state variable, None if there is none of that name."""
        if name == "phase" and self.phase.members:
            return self.phase
        if name == "answered" and self.simultaneous:
            return y.Set(self.types.player)
        if name not in self._variables:
            variable = self.names.of("state variable").get(name)
            if variable is None:
                return None
            type_ = self.types.declarator(variable.declarator)
            if name in self.names.kept_for and type_ != y.BROKEN:
                type_ = self.types.kept_for(self.names.kept_for[name], type_)
            self._variables[name] = type_
        return self._variables[name]

    def table_type(self, name: str) -> y.Type:
        if name not in self._tables:
            self._tables[name] = self.types.declarator(self.names.of("table")[name].declarator)
        return self._tables[name]

    def reading_type(self, name: str) -> y.Enum:
        options = self.names.of("reading")[name].options
        return y.Enum(f"reading {name}", tuple(option.name.text for option in options))

    def enums_with(self, member: str) -> list[y.Enum]:
        """The enumerations that have a member of this name: types, phases, readings."""
        found = list(self.types.members.get(member, ()))
        if member in self.phase.members:
            found.append(self.phase)
        found += [
            self.reading_type(name)
            for name, reading in self.names.of("reading").items()
            if any(option.name.text == member for option in reading.options)
        ]
        return found

    def note_member(self, enum: y.Enum, member: str, span: Span) -> None:
        """A value of an enumeration is named: one of a type, a phase, an option of a reading."""
        if enum.name == "phase":
            self.names.references.use(span, "phase", member)
        elif enum.name.startswith("reading "):
            reading = enum.name.removeprefix("reading ")
            self.names.references.use(span, "option", f"{reading}.{member}")
        else:
            self.names.find("type", enum.name)
            self.names.references.use(span, "value", f"{enum.name}.{member}")

    def bind(self, ident: t.Ident, scope: Scope, whole: Span, kind: str = "name") -> None:
        """Notes that a name is bound, and warns where it hides another."""
        text = ident.text
        self.names.references.bind(kind, ident, whole)
        if text in scope.bound:
            hidden = "another name bound here"
        elif text in self.names.values:
            hidden = f"the {self.names.values[text]} of that name"
        elif text in ("phase", "answered", "players", "true", "false", "none"):
            hidden = "the built-in of that name"
        else:
            return
        self.messages.warning(
            "RW103", ident.span, f"`{text}` hides {hidden}", "choose another name"
        )

    # ---- constants and functions

    def constant(self, name: str) -> c.Expr:
        """The value of a constant."""
        if name in self._constants:
            return self._constants[name]
        declaration: t.Const = self.names.of("constant")[name]
        if not self._enter(name, declaration.span, "constant"):
            return self.expressions.broken(declaration.span)
        if declaration.type is not None:
            wanted = self.types.of(declaration.type)
            value = self.expressions.check(declaration.value, Scope(), wanted, f"`{name}`")
            if value.type != y.BROKEN and not y.within(value.type, wanted):
                self.messages.error(
                    "RW205", value.span,
                    f"`{name}` lies in {y.show(wanted)}, but this can be outside it",
                    "correct the value, or widen the declared range",
                )  # fmt: skip
        else:
            value = self.expressions.infer(declaration.value, Scope())
        self._busy.discard(name)
        self._constants[name] = value
        return value

    def no_hidden(self, what: str, declarators: tuple[t.Declarator, ...]) -> None:
        """Reports parameters that are hidden where nobody would see them anyway."""
        for each in declarators:
            if each.hidden:
                self.messages.error(
                    "RW216", each.span, f"a parameter of {what} cannot be hidden",
                    "hide the parameter of the move or chance event instead",
                )  # fmt: skip

    def params(self, name: str, declarators: tuple[t.Declarator, ...]) -> tuple[c.Param, ...]:
        """The parameters of something, each name once."""
        result: list[c.Param] = []
        for declarator in declarators:
            ident = declarator.name
            if ident.text in (param.name for param in result):
                self.messages.error(
                    "RW102", ident.span, f"`{name}` has two parameters `{ident.text}`",
                    "rename one of them",
                )  # fmt: skip
            type = self.types.declarator(declarator)
            result.append(c.Param(declarator.span, ident.text, type, declarator.hidden))
        return tuple(result)

    def scope_of(
        self, params: tuple[c.Param, ...], declarators: tuple[t.Declarator, ...], scope: Scope
    ) -> Scope:
        """The scope inside something with these parameters."""
        for param, declarator in zip(params, declarators):
            self.bind(declarator.name, scope, declarator.span, "parameter")
            _, scope = scope.bind(param.name, param.type, param.span)
        return scope

    def signature(self, name: str) -> Signature:
        """What a function takes and gives. A declared result needs no look inside."""
        declaration: t.Fun = self.names.of("function")[name]
        if name not in self._params:
            self._params[name] = self.params(name, declaration.params)
        if name in self._busy:
            self.messages.error(
                "RW107", declaration.name.span, f"the function `{name}` calls itself",
                "functions may not be recursive: use `all`, `sum`, ... over a finite type",
            )  # fmt: skip
            return Signature(self._params[name], y.BROKEN)
        return Signature(self._params[name], self.function(name).type)

    def function(self, name: str) -> c.Function:
        """A function, elaborated."""
        if name in self.functions:
            return self.functions[name]
        declaration: t.Fun = self.names.of("function")[name]
        if name not in self._params:
            self._params[name] = self.params(name, declaration.params)
        params = self._params[name]
        self._busy.add(name)
        depth, self.expressions.depth = self.expressions.depth, 0
        scope = self.scope_of(params, declaration.params, Scope())
        if declaration.type is not None:
            type_ = self.types.of(declaration.type)
            body = self.expressions.check(declaration.body, scope, type_, f"`{name}`")
        else:
            body = self.expressions.infer(declaration.body, scope)
            type_ = body.type
        self.expressions.depth = depth
        self._busy.discard(name)
        self.functions[name] = c.Function(
            declaration.span, name, params, type_, body,
            declaration.prose.text if declaration.prose else None,
            tuple(path.text for path in declaration.cites),
        )  # fmt: skip
        return self.functions[name]

    def _enter(self, name: str, span: Span, kind: str) -> bool:
        if name in self._busy:
            self.messages.error(
                "RW107", span, f"the {kind} `{name}` is defined by itself", "give it a value"
            )
            return False
        self._busy.add(name)
        return True

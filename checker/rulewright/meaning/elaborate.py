"""A whole tree to a whole core: the one entry of `meaning`.

Declarations are taken kind by kind, so that they may stand in any order in the file. The core is
returned even where errors were reported; it is fit for use only if there were none.
"""

from __future__ import annotations

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.beginnings import UnlistedError, about_beginnings
from rulewright.meaning.checks.size_limits import choosable, listable
from rulewright.meaning.names.citations import cited
from rulewright.meaning.names.dealing import dealt
from rulewright.meaning.names.declarations import Declarations
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.names.sections import SectionElaborator
from rulewright.meaning.names.symbol_table import OF_USE, SymbolTable, suggestion
from rulewright.meaning.names.type_syntax import TypeResolver
from rulewright.meaning.names.views import ViewElaborator
from rulewright.meaning.traversal import reads_state
from rulewright.meaning.typing import lists, templates
from rulewright.meaning.typing.examples import ExampleElaborator
from rulewright.meaning.typing.expressions import ExpressionElaborator
from rulewright.meaning.typing.statements import (
    RequirementElaborator,
    StatementElaborator,
    clauses_of,
    prose_of,
)
from rulewright.meaning.typing.tables import table
from rulewright.meaning.variants import check_variant
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span
from rulewright.system.limits import how_to_raise, most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

CLAUSE_KINDS = ("must", "never", "may", "can", "example", "aside")
CONFIDENCES = ("high", "medium", "low")
PHASE_MARKS = ("simultaneous", "final")
FINDINGS = ("refuted", "vacuous", "redundant", "unused", "untested")
_KIND = {"move": "move", "chance": "chance event", "step": "step"}


def elaborate(spec: t.Spec, messages: Messages, variant: str | None = None) -> Elaborated:
    """The core of a spec, and the names it declares."""
    return _Elaborator(spec, messages, variant).run()


class Elaborated:
    """A core with the table of its names, which the lints look at."""

    def __init__(self, spec: c.Spec, names: SymbolTable) -> None:
        self.spec = spec
        self.names = names


class _Elaborator:
    def __init__(self, spec: t.Spec, messages: Messages, variant: str | None) -> None:
        self.messages = messages
        self.tree = spec = dealt(spec, messages)
        self.variant = variant
        self.names = SymbolTable(spec, messages)
        self.game = self._game()
        self.types = TypeResolver(self.names, self.game, messages)
        self.types.declare_all()
        self.declared = Declarations(self.names, self.types, messages)
        self.expressions = self.declared.expressions = ExpressionElaborator(self.declared)
        self.requirements = RequirementElaborator(self.expressions)
        self.statements = StatementElaborator(self.expressions)

    def all(self, kind: type[T]) -> list[T]:
        return [each for each in self.tree.declarations if isinstance(each, kind)]

    def run(self) -> Elaborated:
        names, declared = self.names, self.declared
        phases = self._phases()
        tables = [table(declared, each) for each in names.of("table").values()]
        constants = [self._constant(each) for each in names.of("constant").values()]
        functions = [declared.function(name) for name in names.of("function")]
        variables = self._variables()
        start = [
            self.requirements.one("start", each, Scope())
            for block in self.all(t.Start)
            for each in block.requirements
        ]
        for kind in ("function", "rule", "effect"):
            for each in names.of(kind).values():
                declared.no_hidden(f"a {kind}" if kind != "effect" else "an effect", each.params)
        for rule in names.of("rule").values():
            self.requirements.check_rule(rule)
        effects = [self._effect(each) for each in names.of("effect").values()]
        self._no_endless_effects()
        transitions = self._transitions()
        properties = [
            *self._in_order(variables, start),
            *(self._property(each, variables, start) for each in self.all(t.Property)),
        ]
        ends = [self._ends(each) for each in self.all(t.Ends)]
        readings = [self._reading(each) for each in names.of("reading").values()]
        for each in self.all(t.Variant):
            self._variant(each)
        examples = ExampleElaborator(self.statements, {each.name: each for each in transitions})
        worked = [examples.one(each) for each in names.of("example").values()]
        acceptances = [self._acceptance(each, examples) for each in self.all(t.Accept)]
        drawn = ViewElaborator(declared)
        views = [view for each in self.all(t.View) if (view := drawn.one(each)) is not None]
        for path in cited(self.tree):
            names.references.use(path.span, "clause", path.text)
        game = self.game
        spec = c.Spec(
            self.tree.span,
            game.name.text if game else "",
            game.title.text if game else "",
            self.types.player.least,
            self.types.player.most,
            self.variant,
            tuple(
                c.Source(each.span, each.name.text, each.title.text, prose_of(each.document))
                for each in self.all(t.Source)
            ),
            tuple(self._clause(each) for each in names.of("clause").values()),
            tuple(self._term(each) for each in names.of("term").values()),
            tuple(self._assumption(each) for each in names.of("assumption").values()),
            tuple(SectionElaborator(names).all()),
            tuple(each for each in self.types.declared.values() if isinstance(each, y.Enum)),
            tuple(phases),
            tuple(each for each in tables if each is not None),
            tuple(constants),
            tuple(variables),
            tuple(start),
            tuple(functions),
            tuple(effects),
            tuple(transitions),
            tuple(properties),
            tuple(ends),
            tuple(readings),
            tuple(
                c.VariantNote(each.span, each.name.text, each.prose.text, clauses_of(each.cites))
                for each in self.all(t.Variant)
            ),
            tuple(worked),
            tuple(acceptances),
            tuple(views),
        )
        return Elaborated(spec, names)

    # ---- the game and its rulebook

    def _game(self) -> t.Game | None:
        games = self.all(t.Game)
        if not games:
            self.messages.error(
                "RW114", Span(0, 0), "this file declares no game",
                'begin it with `game name "Title"` and `players 2..4` indented below',
            )  # fmt: skip
            return None
        for extra in games[1:]:
            self.messages.error(
                "RW114", extra.span, "a file describes one game", "remove the second `game`",
                (self.messages.text.whole_lines(extra.span), ""),
            )  # fmt: skip
        game = games[0]
        if not 1 <= game.least <= game.most <= most("players"):
            self.messages.error(
                "RW207", game.span, f"{game.least}..{game.most} players are not possible",
                "give the least, from 1 on, and the most; " + how_to_raise("players"),
            )  # fmt: skip
            return None
        return game

    def _clause(self, clause: t.Clause) -> c.Clause:
        self._one_of(clause.kind, CLAUSE_KINDS, "kind of clause")
        for place in clause.places:
            self.names.require("source", place.source, "RW111")
        places = tuple(
            (place.source.text, ".".join(map(str, place.numbers))) for place in clause.places
        )
        return c.Clause(clause.span, clause.name.text, clause.kind.text, places, clause.prose.text)

    def _term(self, term: t.Term) -> c.Term:
        words = tuple((word.language.text, word.text.text) for word in term.words)
        for word in term.words:
            if word.language.text in self.names.of("source"):
                self.names.references.use(word.language.span, "source", word.language.text)
        return c.Term(term.span, term.name.text, term.meaning.text, words)

    def _assumption(self, each: t.Assumption) -> c.Assumption:
        self._one_of(each.confidence, CONFIDENCES, "confidence")
        return c.Assumption(
            each.span, each.name.text, each.confidence.text, each.prose.text,
            clauses_of(each.cites),
        )  # fmt: skip

    def _acceptance(self, each: t.Accept, examples: ExampleElaborator) -> c.Acceptance:
        self._one_of(each.finding, FINDINGS, "finding")
        under = examples.option(each.under) if each.under else None
        self._subject(each.subject)
        return c.Acceptance(
            each.span, each.finding.text, each.subject.text, under, each.reason.text
        )

    def _subject(self, path: t.Path) -> None:
        """Notes what an acceptance is about: a requirement, a clause, or whatever has that name."""
        if len(path.parts) > 1:
            owner = Span(path.span.start, path.span.start + len(path.parts[0]))
            if self.names.owner(path.parts[0], owner) is None and path.text in self.names.of(
                "clause"
            ):
                self.names.references.use(path.span, "clause", path.text)
            else:
                self.names.references.use_label(path, path.text)
            return
        for kind in ("property", "move", *OF_USE):
            if path.text in self.names.of(kind):
                self.names.references.use(path.span, kind, path.text)
                return

    def _one_of(self, ident: t.Ident, known: tuple[str, ...], what: str) -> None:
        if ident.text not in known:
            self.messages.error(
                "RW110", ident.span, f"`{ident.text}` is not a {what}",
                suggestion(ident.text, known) or f"it is one of {', '.join(known)}",
            )  # fmt: skip

    # ---- state

    def _phases(self) -> list[c.Phase]:
        result = []
        for phase in self.names.of("phase").values():
            marks = [mark.text for mark in phase.marks]
            for mark in phase.marks:
                self._one_of(mark, PHASE_MARKS, "mark of a phase")
            result.append(
                c.Phase(
                    phase.span, phase.name.text, "simultaneous" in marks, "final" in marks,
                    prose_of(phase.prose),
                )
            )  # fmt: skip
        if not result and self.all(t.State):
            self.messages.error(
                "RW114", self.all(t.State)[0].span, "the game has no phases",
                "declare them: `phase play, over final`",
            )  # fmt: skip
        return result

    def _variables(self) -> list[c.Variable]:
        span = Span(0, 0)
        result = []
        if self.declared.phase.members:
            first = c.Literal(span, self.declared.phase, self.declared.phase.members[0])
            result.append(c.Variable(span, "phase", self.declared.phase, first, False, False, None))
        if self.declared.simultaneous:
            everyone = y.Set(self.types.player)
            nobody = c.SetOf(span, everyone, ())
            result.append(c.Variable(span, "answered", everyone, nobody, False, False, None))
        for name, variable in self.names.of("state variable").items():
            type_ = self.declared.variable_type(name) or y.BROKEN
            initial = None
            if variable.from_owner and name not in self.names.owned:
                self.messages.error(
                    "RW216", variable.span, f"`{name}` has no owner to be hidden from",
                    "put it under `each Player`, or leave out `from owner`",
                )  # fmt: skip
            if variable.initial is not None:
                initial = self._initial(name, variable.initial, type_)
            result.append(
                c.Variable(
                    variable.span, name, type_, initial, variable.hidden,
                    name in self.names.owned, prose_of(variable.prose), clauses_of(variable.cites),
                    variable.from_owner,
                )
            )  # fmt: skip
        return result

    def _initial(self, name: str, written: t.Expr, type_: y.Type) -> c.Expr:
        """An initial value as a value of the whole variable: one given for the inside of a map
        counts for each key."""
        inside: y.Type = type_
        keys: list[y.Type] = []
        by_key = isinstance(written, t.ListOf | t.MapOf | t.MapEach)
        if isinstance(written, t.ListOf) and lists.holds_list(type_):
            by_key = any(isinstance(each, t.ListOf) for each in written.values)
        while isinstance(inside, y.Map) and not isinstance(inside, y.Seq) and not by_key:
            keys.append(inside.key)
            inside = inside.value
        if by_key and name in self.names.kept_for and isinstance(type_, y.Map):
            keys, inside = [type_.key], type_.value
        value = self.expressions.infer(written, Scope(), inside)
        if reads_state(value, self.declared.functions):
            self.messages.error(
                "RW209", value.span, "an initial value cannot depend on the state",
                "give a value of the data alone",
            )  # fmt: skip
        if isinstance(value.type, y.Map) and y.fits(value.type, type_):
            return value
        while keys and isinstance(value.type, y.Map) and not isinstance(value.type, y.Seq):
            if y.fits(value.type, inside):
                break
            inside = y.Map(keys.pop(), inside)
        value = self.expressions.fit(value, inside, f"`{name}`")
        for key in reversed(keys):
            whole = y.Map(key, value.type)
            value = c.MapOf(value.span, whole, (), (), value)
        return value

    def _constant(self, each: t.Const) -> c.Constant:
        return c.Constant(
            each.span, each.name.text, self.declared.constant(each.name.text),
            prose_of(each.prose), clauses_of(each.cites),
        )  # fmt: skip

    # ---- effects and transitions

    def _effect(self, effect: t.Effect) -> c.Effect:
        name = effect.name.text
        params = self.declared.params(name, effect.params)
        scope = self.declared.scope_of(params, effect.params, Scope())
        body = self.statements.of(name, effect.body, scope)
        return c.Effect(
            effect.span, name, params, body, prose_of(effect.prose), clauses_of(effect.cites)
        )

    def _no_endless_effects(self) -> None:
        """Reports effects that perform themselves, directly or through others."""
        calls = self.statements.calls
        for name, effect in self.names.of("effect").items():
            reached: set[str] = set()
            waiting = list(calls.get(name, ()))
            while waiting:
                called = waiting.pop()
                if called not in reached:
                    reached.add(called)
                    waiting += calls.get(called, ())
            if name in reached:
                self.messages.error(
                    "RW107", effect.name.span, f"the effect `{name}` performs itself",
                    "effects may not be recursive: use `for`",
                )  # fmt: skip

    def _transitions(self) -> list[c.Transition]:
        found: list[c.Transition] = []
        taken: dict[str, str] = {}
        for kind in ("move", "chance event", "step"):
            for name, each in self.names.of(kind).items():
                if name in taken:
                    self.messages.error(
                        "RW102", each.name.span, f"`{name}` is already a {taken[name]}",
                        f"give the {kind} another name",
                    )  # fmt: skip
                    continue
                taken[name] = kind
                found.append(self._transition(kind.split()[0], each))
        order = {id(each): position for position, each in enumerate(self.tree.declarations)}
        return sorted(found, key=lambda each: order[id(self.names.of(_KIND[each.kind])[each.name])])

    def _transition(self, kind: str, each: Any) -> c.Transition:
        name = each.name.text
        declarators = getattr(each, "params", ())
        params = self.declared.params(name, declarators)
        for param in params:
            listable(param.type, param.span, self.messages)
        if kind == "move" and not each.proposals:
            choosable(params, each.name.span, self.messages)
        scope = self.declared.scope_of(params, declarators, Scope())
        mover = None
        if kind == "move":
            self.declared.bind(each.mover, scope, each.mover.span)
            mover, scope = scope.bind(each.mover.text, self.types.player, each.mover.span)
        phases = tuple(
            ident.text
            for ident in each.phases
            if self.names.require("phase", ident, "RW109") is not None
        )
        written = each.when if kind == "step" else each.needs
        needed = [*self._layout(name, each, params, phases, mover)]
        needed += self.requirements.of(name, written, scope)
        weight = None
        if kind == "chance" and each.weight is not None:
            weight = self.expressions.check(each.weight, scope, y.INT, "a weight")
        body = self.statements.of(name, each.body, scope)
        if mover is not None:
            body = (*self._answer(each, phases, mover), *body)
        return c.Transition(
            each.span, kind, name, params, mover, phases, prose_of(each.prose),
            clauses_of(each.cites), tuple(needed), weight, body,
            tuple(self._proposal(p, params, scope) for p in getattr(each, "proposals", ())),
            tuple(self._shown(shown, scope) for shown in each.shows),
            templates.template(self.expressions, each.prose, scope),
        )  # fmt: skip

    def _shown(self, each: t.Shows, scope: Scope) -> c.Shown:
        to, seat = None, None
        if each.seat is not None:
            player = self.types.player
            self.declared.bind(each.seat, scope, each.span)
            seat, scope = scope.bind(each.seat.text, player, each.seat.span)
        if each.to is not None:
            someone = y.Option(self.types.player)
            to = self.expressions.infer(each.to, scope, someone)
            told = y.Set(self.types.player) if isinstance(to.type, y.Set) else someone
            to = self.expressions.fit(to, told, "who is shown something")
        return c.Shown(each.span, self.expressions.infer(each.value, scope), to, seat)

    def _layout(
        self,
        name: str,
        each: Any,
        params: tuple[c.Param, ...],
        phases: tuple[str, ...],
        mover: str | None,
    ) -> list[c.Requirement]:
        """What every transition asks for: its phase, lists that are some, and once per player where
        all act at once."""
        span = each.name.span
        enum = self.declared.phase
        here = c.StateVar(span, enum, "phase", False)
        if len(phases) == 1:
            there: c.Expr = c.Literal(span, enum, phases[0])
            condition: c.Expr = c.Binary(span, y.BOOL, "equal", here, there)
        else:
            there = c.SetOf(
                span, y.Set(enum), tuple(c.Literal(span, enum, phase) for phase in phases)
            )
            condition = c.Binary(span, y.BOOL, "member", here, there)
        prose = f"it belongs to the phase {' or '.join(phases)}"
        result = [c.Requirement(span, f"{name}.phase", prose, (), condition)]
        for param in params:
            if lists.holds_list(param.type):
                listed = lists.in_order(span, c.Local(param.span, param.type, param.name), Scope())
                prose = "a list has its values first"
                result.append(c.Requirement(span, f"{name}.in_order", prose, (), listed))
        together = [p for p in phases if self._simultaneous(p)]
        if mover is not None and together:
            acted = c.Binary(
                span, y.BOOL, "member", c.Local(span, self.types.player, mover),
                c.StateVar(span, y.Set(self.types.player), "answered", False),
            )  # fmt: skip
            condition = c.Unary(span, y.BOOL, "not", acted)
            if len(together) < len(phases):
                condition = c.Binary(
                    span, y.BOOL, "implies", self._in_phases(span, together), condition
                )
            prose = "each player acts once"
            result.append(c.Requirement(span, f"{name}.once", prose, (), condition))
        return result

    def _in_phases(self, span: Span, phases: list[str]) -> c.Expr:
        enum = self.declared.phase
        members = tuple(c.Literal(span, enum, phase) for phase in phases)
        here = c.StateVar(span, enum, "phase", False)
        return c.Binary(span, y.BOOL, "member", here, c.SetOf(span, y.Set(enum), members))

    def _simultaneous(self, phase: str) -> bool:
        return any(mark.text == "simultaneous" for mark in self.names.of("phase")[phase].marks)

    def _answer(self, each: Any, phases: tuple[str, ...], mover: str) -> tuple[c.Statement, ...]:
        """Acting in a simultaneous phase adds the mover to `answered`."""
        together = [phase for phase in phases if self._simultaneous(phase)]
        if not together:
            return ()
        span = each.name.span
        everyone = y.Set(self.types.player)
        mine = c.SetOf(span, everyone, (c.Local(span, self.types.player, mover),))
        answered = c.StateVar(span, everyone, "answered", False)
        added = c.Binary(span, everyone, "union", answered, mine)
        assign = c.Assign(span, "answered", (), added, everyone)
        if len(together) == len(phases):
            return (assign,)
        return (c.If(span, self._in_phases(span, together), (assign,), ()),)

    def _proposal(self, each: t.Propose, params: tuple[c.Param, ...], scope: Scope) -> c.Proposal:
        binders: tuple[c.Binder, ...] = ()
        where = None
        if each.binders is not None:
            bound, scope = self.expressions.binders(each.binders, scope)
            binders, where = bound.all, bound.where
        if params:
            value = self.expressions.check(each.value, scope, params[0].type, "a proposal")
        else:
            self.messages.error(
                "RW202", each.span, "a move without parameters needs no proposals", "remove it",
                (self.messages.text.whole_lines(each.span), ""),
            )  # fmt: skip
            value = self.expressions.broken(each.span)
        return c.Proposal(each.span, each.name.text, prose_of(each.prose), binders, where, value)

    # ---- properties, readings, variants

    def _in_order(
        self, variables: list[c.Variable], start: list[c.Requirement]
    ) -> list[c.Property]:
        """What lists are by themselves: claimed of each variable that holds some, and asked for
        where it may begin with anything."""
        claims = []
        for each in variables:
            if not lists.holds_list(each.type):
                continue
            whole = c.StateVar(each.span, each.type, each.name, False)
            claim = lists.in_order(each.span, whole, Scope())
            name, prose = f"{each.name}_in_order", "a list has its values first"
            if name in self.names.of("property"):
                self.messages.error(
                    "RW102", self.names.of("property")[name].name.span,
                    f"`{name}` is what the list `{each.name}` is known for", "choose another name",
                )  # fmt: skip
            claims.append(c.Property(each.span, "invariant", name, prose, (), claim))
            if each.initial is None:
                start.append(c.Requirement(each.span, f"start.{name}", prose, (), claim))
        return claims

    def _property(
        self, each: t.Property, variables: list[c.Variable], start: list[c.Requirement]
    ) -> c.Property:
        scope = Scope(may_old=each.kind == "always")
        claim = self.expressions.condition(each.claim, scope, "a property")
        if each.kind == "initially":
            claim = self._beginning(each, claim, variables, start)
        elif each.kind == "theorem" and reads_state(claim, self.declared.functions):
            self.messages.error(
                "RW209", each.claim.span, "a theorem is about the data alone, this reads the state",
                "use `invariant` for what holds in every position",
                (Span(each.span.start, each.span.start + len(each.kind)), "invariant"),
            )  # fmt: skip
        kind = "theorem" if each.kind == "initially" else each.kind
        return c.Property(
            each.span, kind, each.name.text, prose_of(each.prose), clauses_of(each.cites), claim
        )

    def _beginning(
        self,
        each: t.Property,
        claim: c.Expr,
        variables: list[c.Variable],
        start: list[c.Requirement],
    ) -> c.Expr:
        """A claim about the beginning, as one about the data."""
        if any(message.severity == "error" for message in self.messages.all):
            return claim
        try:
            return about_beginnings(claim, variables, start, self.declared.functions)
        except UnlistedError as error:
            name = error.variable.name
            self.messages.error(
                "RW209", each.claim.span,
                f"`{name}` may begin with more values than can be gone through",
                f"give `{name}` an initial value, or use `invariant` with the first phase: "
                "`phase == ... implies ...`",
            )  # fmt: skip
            return self.expressions.broken(each.claim.span)

    def _ends(self, each: t.Ends) -> c.Ends:
        self.names.require("phase", each.at, "RW109")
        measure = tuple(
            self.expressions.check(part, Scope(), y.INT, "a measure") for part in each.measure
        )
        return c.Ends(
            each.span, each.name.text, prose_of(each.prose), clauses_of(each.cites), measure,
            each.at.text,
        )  # fmt: skip

    def _reading(self, each: t.Reading) -> c.Reading:
        defaults = [option.name.text for option in each.options if option.default]
        names = [option.name.text for option in each.options]
        if len(defaults) != 1 or len(set(names)) != len(names) or len(names) < 2:
            self.messages.error(
                "RW113", each.name.span,
                f"the reading `{each.name.text}` needs two or more different options, "
                "exactly one of them the default",
                "put `default` behind the option that holds unless another is asked for",
            )  # fmt: skip
        options = tuple(
            c.ReadingOption(option.span, option.name.text, option.prose.text)
            for option in each.options
        )
        default = defaults[0] if defaults else names[0]
        return c.Reading(
            each.span, each.name.text, each.prose.text, clauses_of(each.cites), options, default
        )

    def _variant(self, variant: t.Variant) -> None:
        """Checks what a variant brings, each piece where it will stand."""
        check_variant(variant, self.names, self.messages)
        for item in variant.items:
            match item:
                case t.Table():
                    table(self.declared, item)
                case t.Const():
                    self.expressions.infer(item.value, Scope())
                case t.Fun():
                    params = self.declared.params(item.name.text, item.params)
                    scope = self.declared.scope_of(params, item.params, Scope())
                    self.expressions.infer(item.body, scope)
                case t.Replace(_, path, _, _, condition) | t.Add(_, path, _, _, condition):
                    self.expressions.condition(condition, self._inside(path.parts[0]))
                case t.Drop():
                    pass

    def _inside(self, owner: str) -> Scope:
        """The scope inside a rule, move, chance event or step."""
        for kind in ("rule", "move", "chance event", "step"):
            found = self.names.of(kind).get(owner)
            if found is None:
                continue
            declarators = getattr(found, "params", ())
            params = self.declared.params(owner, declarators)
            scope = self.declared.scope_of(params, declarators, Scope())
            if kind == "move":
                _, scope = scope.bind(found.mover.text, self.types.player, found.mover.span)
            return scope
        return Scope()

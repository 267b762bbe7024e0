"""Statements as Python that changes the state in place.

Effects are written out where they are performed unless they are long. Labels and prose are left
out: nothing that somebody wrote into a spec stands in generated text.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, SUM, Block, Code, Here, Names
from checker.play.compile.expressions import Expressions
from checker.play.values import text

HEAVIEST_INLINE = 120
"""Nodes; effects with more become functions."""
IN_PLACE = {"union": "|=", "add": "+=", "subtract": "-=", "common": "&="}


class Effects:
    """Compiles statements."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self.lookups = expressions.lookups
        self._functions: dict[str, tuple[str, bool]] = {}

    def run(self, statements: Sequence[c.Statement], here: Here) -> None:
        """Puts statements into the block, one after the other."""
        for statement in statements:
            match statement:
                case c.Assign():
                    self._assign(statement, here)
                case c.If():
                    self._if(statement, here)
                case c.For():
                    self._for(statement, here)
                case c.Bind(name=name, value=value):
                    held = here.hold(self.expressions.value(value, here))
                    here = here.bind(name, held)
                case c.Perform():
                    self._perform(statement, here)
                case c.Labelled(body=body):
                    self.run(body, here)

    def _if(self, statement: c.If, here: Here) -> None:
        condition = self.expressions.truth(statement.condition, here)
        if condition.is_known:
            self.run(statement.then if condition.known else statement.otherwise, here)
            return
        with here.block.inside(f"if {condition.at(CHOICE)}:"):
            self.run(statement.then, here)
        if statement.otherwise:
            with here.block.inside("else:"):
                self.run(statement.otherwise, here)

    def _for(self, statement: c.For, here: Here) -> None:
        """Each turn sees what those before it wrote, `where` included."""
        domains = self.expressions.quantifiers.domains
        weight = sum(self.unit.facts.of(each).weight for each in statement.body)
        choices = domains.unrolled(statement.binders, weight, here)
        if choices is None:
            domains.each(
                statement.binders, statement.where, here, True,
                lambda at: self.run(statement.body, at),
            )  # fmt: skip
            return
        for choice in choices:
            domains.each((), statement.where, choice, True, lambda at: self.run(statement.body, at))

    def _perform(self, statement: c.Perform, here: Here) -> None:
        effect = self.unit.instance.effects[statement.effect]
        given: list[Code] = []
        for param, argument in zip(effect.params, statement.arguments):
            what = f"`{param.name}` of `{effect.name}`"
            code = self.checks.value(
                self.expressions.value(argument, here), argument.type, param.type, what,
                argument.span, here,
            )  # fmt: skip
            given.append(here.hold(code))
        if sum(self.unit.facts.of(each).weight for each in effect.body) <= HEAVIEST_INLINE:
            env = {param.name: code for param, code in zip(effect.params, given)}
            self.run(effect.body, here.alone(env))
            return
        name, fails = self._function(effect)
        here.names.fails |= fails
        here.block.add(f"{name}({', '.join([here.state, *(each.text for each in given)])})")

    def _function(self, effect: c.Effect) -> tuple[str, bool]:
        if effect.name not in self._functions:
            names = Names()
            params = [names.fresh() for _ in effect.params]
            env = {each.name: Code(name) for each, name in zip(effect.params, params)}
            here = Here(Block(), names, env)
            python = self.unit.name("effect", effect)
            with here.block.inside(f"def {python}({', '.join(['s', *params])}):"):
                self.run(effect.body, here)
            self.unit.write(here.block)
            self._functions[effect.name] = (python, names.fails)
        return self._functions[effect.name]

    # ---- assignments

    def _assign(self, statement: c.Assign, here: Here) -> None:
        """Keys, then the value, then the checks: first of the value, then of the keys."""
        if self._in_place(statement, here):
            return
        keys = [
            here.hold(self.expressions.value(key, here)) if not _is_simple(key)
            else self.expressions.value(key, here)
            for key in statement.keys
        ]  # fmt: skip
        value = self.expressions.value(statement.value, here)
        decoders = [self.layout.decoder(key.type) for key in statement.keys]

        def what(*values: object) -> str:
            shown = (f"[{text(decode(v))}]" for decode, v in zip(decoders, values))
            return f"`{statement.variable}{''.join(shown)}`"

        value = self.checks.value(
            value, statement.value.type, statement.type, what, statement.span, here, keys
        )
        type = self.unit.instance.variables[statement.variable].type
        for number, (key, code) in enumerate(zip(statement.keys, keys)):
            assert isinstance(type, y.Map)
            keys[number] = self.checks.key(
                code, key.type, type.key, statement.variable, statement.span, here
            )
            type = type.value
        self._write(statement, keys, value, here)

    def _in_place(self, statement: c.Assign, here: Here) -> bool:
        """`x += e` as it is written, where nothing has to be checked."""
        value = statement.value
        slots = self.layout.slots[statement.variable]
        if (
            not isinstance(value, c.Binary)
            or value.operator not in IN_PLACE
            or len(statement.keys) != len(slots.keys)
            or not self.checks.fits(value.type, statement.type)
            or not _is_place(value.left, statement)
            or not (isinstance(statement.type, y.Int) or _is_bits(statement.type, self.layout))
        ):
            return False
        trial = here.trial()
        place = self.expressions.value(value.left, trial)
        added = self.expressions.value_as(value.right, statement.type, trial)
        if trial.names.fails or place.fails or added.fails:
            return False
        here.keep(trial)
        here.block.add(f"{place.text} {IN_PLACE[value.operator]} {added.at(CHOICE)}")
        return True

    def _write(self, statement: c.Assign, keys: list[Code], value: Code, here: Here) -> None:
        name, state = statement.variable, here.state
        slots = self.layout.slots[name]
        depth = len(slots.keys)
        slot = self.lookups.slot(name, keys[:depth])
        if len(keys) == depth:
            here.block.add(f"{state}[{slot.at(CHOICE)}] = {value.at(CHOICE)}")
        elif len(keys) > depth:
            slot = here.hold(slot)
            inside = self._changed(
                Code(f"{state}[{slot.text}]"), slots.inner, keys[depth:], value, here
            )
            here.block.add(f"{state}[{slot.text}] = {inside.at(CHOICE)}")
        else:
            rest = depth - len(keys)
            width = slots.strides[len(keys) - 1] if keys else slots.count
            slot = here.hold(slot) if not slot.text.isdigit() else slot
            stop = (
                str(int(slot.text) + width) if slot.text.isdigit() else f"{slot.at(SUM)} + {width}"
            )
            flat = value.at(CHOICE) if rest == 1 else f"flat({value.at(CHOICE)}, {rest})"
            here.block.add(f"{state}[{slot.text}:{stop}] = {flat}")

    def _changed(self, map: Code, type: y.Type, keys: list[Code], value: Code, here: Here) -> Code:
        """A map in one slot with another value at some keys."""
        assert isinstance(type, y.Map)
        first, *rest = keys
        map = here.hold(map)
        if rest:
            inner = self.lookups.in_map(map, first, type, False, here)
            value = self._changed(inner, type.value, rest, value, here)
        optional = not rest and isinstance(type.value, y.Option)
        return self.expressions.maps.changed(map, first, value, type, optional, here)


def _is_simple(key: c.Expr) -> bool:
    return isinstance(key, c.Local | c.Literal)


def _is_bits(type: y.Type, layout: object) -> bool:
    return isinstance(type, y.Set) and layout.is_bits(type.element)  # type: ignore[attr-defined]


def _is_place(e: c.Expr, statement: c.Assign) -> bool:
    """Whether an expression is the place that a statement writes to."""
    keys: list[c.Expr] = []
    while isinstance(e, c.Lookup):
        keys.insert(0, e.key)
        e = e.map
    return (
        isinstance(e, c.StateVar) and e.name == statement.variable and tuple(keys) == statement.keys
    )

"""Maps made or changed in an expression, and the fields of cases."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import ATOM, CHOICE, SUM, Code, Here
from checker.play.operations import place
from checker.play.values import text

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_PARTS = 32
"""Maps with no more keys are put together key by key."""
HEAVIEST = 300
"""Nodes, all keys together."""


class Maps:
    """Compiles maps that are values of their own."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks

    def value(self, e: c.FieldOf | c.MapOf | c.MapEach | c.Updated, here: Here) -> Code:
        match e:
            case c.FieldOf():
                return self._field(e, here)
            case c.MapOf():
                return self._map_of(e, here)
            case c.MapEach():
                return self._map_each(e, here)
            case c.Updated():
                return self._updated(e, here)

    def together(self, parts: list[Code]) -> Code:
        """A map from the values at its keys, in order."""
        written = ", ".join(part.at(CHOICE) for part in parts)
        fails = any(part.fails for part in parts)
        whole = f"({written},)" if len(parts) == 1 else f"({written})"
        return Code(whole, fails=fails, parts=tuple(parts))

    def _field(self, e: c.FieldOf, here: Here) -> Code:
        enum = e.record.type
        assert isinstance(enum, y.Enum)
        field = enum.field(e.field)
        assert field is not None
        record = self.expressions.value(e.record, here)
        values = tuple(self.layout.encode(each, field.type) for each in field.values)
        table = self.unit.constant(values)
        return Code(f"{table}[{record.at(CHOICE)}]", fails=record.fails)

    # ---- written maps

    def _map_of(self, e: c.MapOf, here: Here) -> Code:
        type = e.type
        assert isinstance(type, y.Map)
        given: list[Code] = []
        for value in e.values:
            self.expressions.then(given, partial(self._checked, value, type, here), here)
        known = self.unit.instance.order(type.key)
        stray = next((key for key in e.keys if key not in known), None)
        if stray is not None:
            self._fail(f"`this map` has no key `{text(stray)}`, only {y.show(type.key)}", e, here)
        default = None
        if e.default is not None:
            self.expressions.then(given, partial(self._checked, e.default, type, here), here)
            default = here.hold(given.pop())
        else:
            missing = next((key for key in known if key not in e.keys), None)
            if missing is not None:
                self._fail(f"this map has no value for `{text(missing)}`", e, here)
                default = Code("None")
        by_key = dict(zip(e.keys, given))
        if self.layout.is_sparse(type):
            return self._sparse(type, by_key, default)
        if len(known) > MOST_PARTS and default is not None:
            return self._mostly(type, by_key, default)
        return self.together([by_key.get(key) or default or Code("None") for key in known])

    def _checked(self, value: c.Expr, type: y.Map, here: Here) -> Code:
        code = self.expressions.value(value, here)
        what = "a value of this map"
        return self.checks.value(code, value.type, type.value, what, value.span, here)

    def _fail(self, message: str, e: c.MapOf, here: Here) -> None:
        number = self.unit.failure(e.span, lambda: message)
        here.names.fails = True
        here.block.add(f"raise fail({number})")

    def _sparse(self, type: y.Map, by_key: dict[Any, Code], default: Code | None) -> Code:
        encode = self.layout.encoder(type.key)
        written = [f"{encode(key)}: {code.at(CHOICE)}" for key, code in by_key.items()]
        if default is not None and not (default.is_known and default.known is None):
            keys = self.unit.constant(tuple(self.layout.values(type.key)))
            written.insert(0, f"**dict.fromkeys({keys}, {default.at(CHOICE)})")
        fails = any(code.fails for code in by_key.values())
        return Code(f"sparse({{{', '.join(written)}}})", fails=fails)

    def _mostly(self, type: y.Map, by_key: dict[Any, Code], default: Code) -> Code:
        """One value nearly everywhere."""
        runs: list[str] = []
        usual = 0
        for key in self.unit.instance.order(type.key):
            if key in by_key:
                runs += [f"({default.text},) * {usual}"] if usual else []
                runs.append(f"({by_key[key].at(CHOICE)},)")
                usual = 0
            else:
                usual += 1
        runs += [f"({default.text},) * {usual}"] if usual else []
        fails = any(code.fails for code in by_key.values())
        return Code(" + ".join(runs), SUM, fails)

    # ---- maps by rule

    def _map_each(self, e: c.MapEach, here: Here) -> Code:
        type = e.type
        assert isinstance(type, y.Map)
        keys = self.layout.values(type.key)
        weight = self.unit.facts.of(e.value).weight
        if (
            len(keys) <= MOST_PARTS
            and weight * len(keys) <= HEAVIEST
            and not self.layout.is_sparse(type)
        ):
            parts: list[Code] = []
            for key in keys:
                known = self.unit.known(self.layout.decode(key, type.key), type.key)
                inside = here.bind(e.name, known)
                self.expressions.then(parts, partial(self.expressions.value, e.value, inside), here)
            return self.together(parts)
        return self._looped(e, type, here)

    def _looped(self, e: c.MapEach, type: y.Map, here: Here) -> Code:
        sparse = self.layout.is_sparse(type)
        made, key = here.names.fresh(), here.names.fresh()
        here.block.add(f"{made} = {{}}" if sparse else f"{made} = []")
        first, size = self.layout.first(type.key), self.layout.size(type.key)
        assert size is not None
        domain = (
            "(False, True)" if isinstance(type.key, y.Bool) else f"range({first}, {first + size})"
        )
        with here.block.inside(f"for {key} in {domain}:"):
            value = self.expressions.value(e.value, here.bind(e.name, Code(key)))
            if sparse:
                value = here.hold(value)
                with here.block.inside(f"if {value.text} is not None:"):
                    here.block.add(f"{made}[{key}] = {value.text}")
            else:
                here.block.add(f"{made}.append({value.at(CHOICE)})")
        return Code(made) if sparse else Code(f"tuple({made})")

    def _updated(self, e: c.Updated, here: Here) -> Code:
        type = e.type
        assert isinstance(type, y.Map)
        map, key, value = self.expressions.sequence((e.map, e.key, e.value), here)
        map = self.checks.as_type(map, e.map.type, type)
        key = self.checks.key(key, e.key.type, type.key, place(e.map), e.span, here)
        decode = self.layout.decoder(e.key.type)

        def what(at: Any) -> str:
            return f"`{place(e.map)}[{text(decode(at))}]`"

        if not self.checks.fits(e.value.type, type.value):
            key = here.hold(key)
        value = self.checks.value(value, e.value.type, type.value, what, e.span, here, [key])
        return self.changed(map, key, value, type, isinstance(e.value.type, y.Option), here)

    def changed(
        self, map: Code, key: Code, value: Code, type: y.Map, optional: bool, here: Here
    ) -> Code:
        """A map with another value at one key; `optional` if the value may be `none`."""
        fails = map.fails or key.fails or value.fails
        if self.layout.is_sparse(type):
            if optional:
                written = ", ".join(each.at(CHOICE) for each in (map, key, value))
                return Code(f"put({written})", fails=fails)
            return Code(f"{{**{map.at(ATOM)}, {key.at(CHOICE)}: {value.at(CHOICE)}}}", fails=fails)
        if key.is_known and map.parts is not None:
            parts = list(map.parts)
            parts[int(self.expressions.lookups.index(key, type.key).text)] = value
            return self.together(parts)
        map = here.hold(map)
        index = here.hold(self.expressions.lookups.index(key, type.key))
        changed = (
            f"{map.text}[:{index.text}] + ({value.at(CHOICE)},) + {map.text}[{index.text} + 1:]"
        )
        return Code(changed, SUM, value.fails)

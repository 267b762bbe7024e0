"""Looking into maps: slots of the state, tables, and maps that are values of their own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import ATOM, CHOICE, OR, PRODUCT, SUM, Code, Here
from checker.play.operations import place

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions


class Lookups:
    """Compiles lookups and whole maps of the state."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self._tables: dict[str, str] = {}

    def value(self, e: c.Expr, here: Here) -> Code:
        """The value of a state variable, a table, or a lookup in a map."""
        root, lookups = _chain(e)
        if isinstance(root, c.StateVar):
            return self._in_state(root, lookups, here)
        if isinstance(root, c.TableRef):
            if e.type and not isinstance(e.type, y.Map):
                return self._in_table(root, lookups, here)
            if not lookups:
                return self.unit.known(self.unit.instance.tables[root.name], root.type)
        assert isinstance(e, c.Lookup)
        return self._in_value(e, here)

    def key(self, e: c.Lookup, here: Here) -> Code:
        """The key of a lookup, checked."""
        key = self.expressions.value(e.key, here)
        assert isinstance(e.map.type, y.Map)
        keys, name = e.map.type.key, place(e.map)
        return self.checks.key(key, e.key.type, keys, name, e.span, here, none=True)

    def index(self, key: Code, type: y.Type) -> Code:
        """The place of a key in a tuple or among slots, from 0."""
        first = self.layout.first(type)
        if key.is_known:
            return Code(str(int(self.layout.encode(key.known, type)) - first))
        if first == 0:
            return key
        operator = "-" if first > 0 else "+"
        return Code(f"{key.at(SUM)} {operator} {abs(first)}", SUM, key.fails)

    def slot(self, name: str, keys: list[Code]) -> Code:
        """The number of the slot of a variable at some keys, or of the first of several."""
        slots = self.layout.slots[name]
        fixed, terms = slots.base, []
        for key, type, stride in zip(keys, slots.keys, slots.strides):
            if key.is_known:
                fixed += (
                    int(self.layout.encode(key.known, type)) - self.layout.first(type)
                ) * stride
                continue
            fixed -= self.layout.first(type) * stride
            terms.append(key.at(SUM) if stride == 1 else f"{stride} * {key.at(PRODUCT)}")
        if not terms:
            return Code(str(fixed))
        if fixed:
            terms.append(str(fixed) if fixed > 0 else f"({fixed})")
        return Code(" + ".join(terms), SUM if len(terms) > 1 else ATOM)

    def in_slot(self, name: str, keys: list[Code], state: str) -> Code:
        """What is in the slots of a variable at some keys, a map of several slots as a tuple."""
        slots = self.layout.slots[name]
        slot = self.slot(name, keys)
        rest = slots.keys[len(keys) :]
        if not rest:
            return Code(f"{state}[{slot.at(CHOICE)}]")
        width = slots.strides[len(keys) - 1] if keys else slots.count
        if slot.text.isdigit():
            part = f"{slot.text}:{int(slot.text) + width}"
        else:
            part = f"{slot.at(CHOICE)}:{slot.at(SUM)} + {width}"
        if len(rest) == 1:
            return Code(f"tuple({state}[{part}])")
        return Code(f"nested({state}[{part}], {slots.strides[len(keys) : -1]!r})")

    def in_map(self, map: Code, key: Code, type: y.Map, optional: bool, here: Here) -> Code:
        """The value of a map at a key, which may be `none` if `optional`."""
        if self.layout.is_sparse(type):
            return Code(f"{map.at(ATOM)}.get({key.at(CHOICE)})", fails=map.fails or key.fails)
        if key.is_known and key.known is None:
            return Code("None", known=None)
        if key.is_known and map.parts is not None:
            return map.parts[int(self.index(key, type.key).text)]
        if not optional or key.is_known:
            index = self.index(key, type.key)
            return Code(f"{map.at(ATOM)}[{index.at(CHOICE)}]", fails=map.fails or key.fails)
        held = here.hold(key)
        index = self.index(held, type.key)
        found = f"None if {held.text} is None else {map.at(ATOM)}[{index.at(CHOICE)}]"
        return Code(found, CHOICE, map.fails)

    def _in_state(self, root: c.StateVar, lookups: list[c.Lookup], here: Here) -> Code:
        slots = self.layout.slots[root.name]
        state = here.before if root.old else here.state
        assert state is not None
        depth = min(len(lookups), len(slots.keys))
        keys: list[Code] = []
        for each in lookups[:depth]:
            self.expressions.then(keys, partial(self.key, each, here), here)
        optional = bool(keys) and isinstance(lookups[depth - 1].key.type, y.Option)
        if optional and keys[-1].is_known and keys[-1].known is None:
            return Code("None", known=None)
        if optional and not keys[-1].is_known:
            keys[-1] = here.hold(keys[-1])
            found = self.in_slot(root.name, keys, state)
            return Code(f"None if {keys[-1].text} is None else {found.at(OR)}", CHOICE)
        found = self.in_slot(root.name, keys, state)
        found = found._replace(fails=any(key.fails for key in keys))
        for each in lookups[depth:]:
            found = self._step(found, each, here)
        return found

    def _step(self, map: Code, lookup: c.Lookup, here: Here) -> Code:
        """One more lookup in a map that is already worked out."""
        found = [map]
        self.expressions.then(found, partial(self.key, lookup, here), here)
        type = lookup.map.type
        assert isinstance(type, y.Map)
        optional = isinstance(lookup.key.type, y.Option)
        return self.in_map(found[0], found[1], type, optional, here)

    def _in_value(self, e: c.Lookup, here: Here) -> Code:
        return self._step(self.expressions.value(e.map, here), e, here)

    # ---- tables

    def _in_table(self, root: c.TableRef, lookups: list[c.Lookup], here: Here) -> Code:
        """A plain value of a table: a constant tuple in tuples, indexed by the keys as they are."""
        keys: list[Code] = []
        for each in lookups:
            self.expressions.then(keys, partial(self.key, each, here), here)
        types = [each.map.type.key for each in lookups if isinstance(each.map.type, y.Map)]
        text, fails = self._table(root), any(key.fails for key in keys)
        optional = isinstance(lookups[-1].key.type, y.Option) and not keys[-1].is_known
        if optional:
            keys[-1] = here.hold(keys[-1])
        elif keys[-1].is_known and keys[-1].known is None:
            return Code("None", known=None)
        for key, type in zip(keys, types):
            padded = self.layout.padding(type) is not None
            if key.is_known:
                key = Code(str(int(self.layout.encode(key.known, type))))
            index = key if padded else self.index(key, type)
            text += f"[{index.at(CHOICE)}]"
        if optional:
            return Code(f"None if {keys[-1].text} is None else {text}", CHOICE, fails)
        return Code(text, fails=fails)

    def _table(self, root: c.TableRef) -> str:
        if root.name not in self._tables:
            data = self.unit.instance.tables[root.name]
            value = self._padded(self.layout.encode(data, root.type), root.type)
            self._tables[root.name] = self.unit.constant(value)
        return self._tables[root.name]

    def _padded(self, value: Any, type: y.Type) -> Any:
        """A table with unused places in front of each index that does not begin with 0."""
        if not isinstance(type, y.Map):
            return value
        if self.layout.is_sparse(type):
            keys = self.layout.values(type.key)
            value = tuple(value.get(key) for key in keys)
        padding = (None,) * (self.layout.padding(type.key) or 0)
        return padding + tuple(self._padded(each, type.value) for each in value)


def _chain(e: c.Expr) -> tuple[c.Expr, list[c.Lookup]]:
    """What is looked into, and the lookups from the first to the last."""
    lookups: list[c.Lookup] = []
    while isinstance(e, c.Lookup):
        lookups.insert(0, e)
        e = e.map
    return e, lookups

"""A game for players outside Python: its WebAssembly module, and a manifest that describes it.

The manifest is JSON: names and sentences of the spec as plain text, how values lie in memory, where
things are, what the module's errors say. `browser/game.js` reads it. Both depend on the spec, the
number of players, the readings and the variant, and on nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.io.json_codec import encode, encode_position
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.initial_states import initial_position, open_variables
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import MOST_STEPS, requirements, results
from rulewright.syntax.node import Node, Span
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.codegen.compilation_unit import (
    FAILED_WITH,
    NO_MEMORY,
    NO_WORK,
    NOT_COMPILED,
    STATE,
    STOP,
    TOO_LARGE,
)
from rulewright.wasm.codegen.data_layout import (
    CountArray,
    Layout,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    WordSet,
)
from rulewright.wasm.codegen.failures import RuntimeFailure, template
from rulewright.wasm.moves.events import HEAD
from rulewright.wasm.runtime.link import MOST_BEGINNINGS, CompiledModule
from rulewright.wasm.runtime.loaded_module import Trap
from rulewright.wasm.runtime.queries import LimitError, stopped

ABI = 1
"""The version of manifests and of what modules export; the runtime refuses others."""
RUNTIME = Path(__file__).parent.parent / "browser"
"""The JavaScript that plays what is exported; it is used as it is."""
PARTS = frozenset(("judge", "start", "list", "choose", "results", "invariants", "play"))
EXACT = (1 << 53) - 1
"""JavaScript reads whole numbers up to this one exactly; larger ones are written as text."""


class Exported(Node):
    """A game as two files."""

    manifest: dict[str, Any]
    module: bytes

    @property
    def text(self) -> str:
        """The manifest as a file has it. It may also stand in a page: no word of a spec can end the
        element it stands in."""
        written = json.dumps(self.manifest, ensure_ascii=False, separators=(",", ":"))
        return written.replace("<", "\\u003c") + "\n"


def export(
    checked: LoadedSpec,
    players: int | None = None,
    readings: Mapping[str, str] | None = None,
    variant: str | None = None,
) -> Exported:
    """The game of a spec that can be used, for so many players under these readings. Raises a
    UsageError if there is no such game or it cannot begin, `Unsupported` if it is too big."""
    if checked.spec is None or checked.text is None:
        raise UsageError(f"`{checked.file}` cannot be used", "`rulewright check` says why")
    if variant is not None and variant not in [each.name for each in checked.spec.variants]:
        raise UsageError(f"`{checked.spec.name}` has no variant `{variant}`")
    spec = checked.spec if variant is None else checked.variant(variant)
    instance = Instance(spec, players, readings)
    compiled = CompiledModule(instance, parts=PARTS)
    module = compiled.binary(memory=0)  # it has all it needs from the beginning, and cannot grow
    return Exported(_Manifest(checked, instance, compiled).written(module), module)


class _Manifest:
    def __init__(self, checked: LoadedSpec, instance: Instance, compiled: CompiledModule) -> None:
        self.checked = checked
        self.instance = instance
        self.compiled = compiled
        self.layout = compiled.unit.layout
        self.types = _Types(self.layout)

    def written(self, module: bytes) -> dict[str, Any]:
        """The whole manifest; types are numbers in its list of them."""
        spec, instance = self.instance.spec, self.instance
        found: dict[str, Any] = {
            "abi": ABI,
            "module": {"bytes": len(module), "crc32": crc32(module)},
            "spec": spec.name,
            "title": spec.title,
            "spec_hash": self.checked.hash,
            "players": instance.players,
            "readings": instance.readings,
            "variant": spec.variant,
            "questions": [_reading(each) for each in spec.readings],
            "variants": [{"name": each.name, "prose": each.prose} for each in spec.variants],
            "clauses": {each.name: each.prose for each in spec.clauses},
            "phases": [_phase(each) for each in spec.phases],
            "variables": [self._variable(each) for each in instance.variables.values()],
            "transitions": [self._transition(each) for each in spec.transitions],
            "start": [_requirement(each) for each in spec.start],
            "results": [each.name for each in results(instance)],
            "invariants": self._invariants(),
            "first": encode_position(initial_position(instance), instance),
            "beginnings": self._beginnings(),
            "failures": [self._failure(each) for each in self.compiled.unit.failures],
            "stops": {str(code): _stop(code) for code in (
                0, NO_WORK, NO_MEMORY, TOO_LARGE, NOT_COMPILED)},
            "most_steps": MOST_STEPS,
            "memory": self._memory(),
        }  # fmt: skip
        return {**found, "types": self.types.written}

    def _variable(self, variable: c.Variable) -> dict[str, Any]:
        return {
            "name": variable.name,
            "prose": variable.prose,
            "type": self.types.number(variable.type),
            "at": self.layout.places[variable.name].offset,
            "open": variable.initial is None,
            "owned": variable.owned,
            "hidden": variable.hidden,
        }

    def _transition(self, transition: c.Transition) -> dict[str, Any]:
        aside = self.compiled.events.values.get(transition.name, ())
        return {
            "kind": transition.kind,
            "name": transition.name,
            "prose": transition.prose,
            "clauses": transition.clauses,
            "phases": transition.phases,
            "params": [
                {"name": param.name, "type": self.types.number(param.type), "at": at}
                for param, at in zip(transition.params, aside)
            ],
            "requirements": [_requirement(each) for each in requirements(transition)],
            "place": self._place(transition.span),
        }

    def _invariants(self) -> list[dict[str, Any]]:
        """What must hold in every position, each with where it is marked if it does not."""
        properties = self.compiled.properties
        return [
            {"name": each.name, "prose": each.prose, "clauses": each.clauses, "mark": mark}
            for mark, each in enumerate(properties.watched, properties.marks)
            if each.kind == "invariant"
        ]

    def _beginnings(self) -> dict[str, Any]:
        """The choices that games at random begin with; all there are if they are `complete`."""
        types, positions = open_variables(self.instance), self.compiled.beginnings
        return {
            "complete": len(positions) < MOST_BEGINNINGS,
            "values": [
                [encode(position[name], type, self.instance) for name, type in types.items()]
                for position in positions
            ],
        }

    def _failure(self, failure: RuntimeFailure) -> dict[str, Any]:
        if failure.refusal is not None:
            return {"refusal": failure.refusal.message, "help": failure.refusal.help}
        return {
            "says": template(failure),
            "carries": [self.types.number(each) for each in failure.types],
            "wanted": None if failure.wanted is None else self.types.number(failure.wanted),
            "place": self._place(failure.span),
        }

    def _place(self, span: Span) -> tuple[int, int]:
        """The line and column where something begins."""
        assert self.checked.text is not None
        return self.checked.text.place(span.start)

    def _memory(self) -> dict[str, int]:
        """Where things are."""
        compiled, events = self.compiled, self.compiled.events
        return {
            "state": STATE,
            "size": self.layout.size,
            "starts": compiled.playing.starts,
            "chosen": events.chosen,
            "list": events.list,
            "end_of_list": compiled.end_of_list,
            "event": events.size,
            "head": HEAD,
            "weight": events.weight,
            "answer": compiled.answer,
            "marks": compiled.transitions.marks,
            "failed_with": FAILED_WITH,
            "stop": STOP,
        }


class _Types:
    """The types that a manifest speaks of, each with how its values are kept."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.written: list[dict[str, Any]] = []
        self._numbers: dict[y.Type, int] = {}

    def number(self, type: y.Type) -> int:
        """The place of a type in the list."""
        if type not in self._numbers:
            described = {"shown": y.show(type), **self._described(type), **self._kept(type)}
            self._numbers[type] = len(self.written)
            self.written.append(described)
        return self._numbers[type]

    def _described(self, type: y.Type) -> dict[str, Any]:
        match type:
            case y.Bool():
                return {"kind": "bool"}
            case y.Int(low, high):
                return {"kind": "number", "low": _exact(low), "high": _exact(high)}
            case y.Player():
                return {"kind": "player"}
            case y.Enum(name, members, fields, written):
                values = {each.name: each.values for each in fields}
                return {"kind": "enum", "name": name, "members": members,
                        "written": written or members, "fields": values}  # fmt: skip
            case y.Grid(name, width, height):
                return {"kind": "grid", "name": name, "width": width, "height": height}
            case y.Option(inner):
                return {"kind": "option", "of": self.number(inner)}
            case y.Set(element):
                return {"kind": "set", "of": self.number(element)}
            case y.Bag(element):
                return {"kind": "bag", "of": self.number(element)}
            case y.Map(key, value):
                return {"kind": "map", "key": self.number(key), "of": self.number(value)}
            case _:
                return {"kind": "never"}

    def _kept(self, type: y.Type) -> dict[str, Any]:
        """How values are kept, of types of which any are."""
        try:
            kept = self.layout.kept(type)
        except Unsupported:
            return {}
        match kept:
            case Scalar(_, size, sign, none):
                return {"size": size, "signed": sign, "none": _exact(none)}
            case Mask(base, size):
                return {"size": size, "base": base, "in_memory": False}
            case WordSet(base, _, size) | CountArray(base, _, size):
                return {"size": size, "base": base, "in_memory": True}
            case ValueArray(first, count, _, stride, size):
                return {"size": size, "first": first, "count": count, "stride": stride,
                        "board": None, "in_memory": True}  # fmt: skip
            case SparseArray(first, count, inner, _, values, size):
                return {"size": size, "first": first, "count": count, "stride": inner.size,
                        "board": values, "in_memory": True}  # fmt: skip


def _reading(reading: c.Reading) -> dict[str, Any]:
    options = [{"name": each.name, "prose": each.prose} for each in reading.options]
    return {"name": reading.name, "prose": reading.prose, "clauses": reading.clauses,
            "options": options, "default": reading.default}  # fmt: skip


def _phase(phase: c.Phase) -> dict[str, Any]:
    return {"name": phase.name, "prose": phase.prose, "final": phase.final,
            "simultaneous": phase.simultaneous}  # fmt: skip


def _requirement(requirement: c.Requirement) -> dict[str, Any]:
    return {"label": requirement.label, "prose": requirement.prose, "clauses": requirement.clauses}


def _stop(code: int) -> dict[str, Any]:
    """What is said where a module stops: for a reason it leaves behind, or because calls are nested
    too deeply (0)."""
    memory = bytearray(STOP + 1)
    memory[STOP] = code
    error = stopped(memoryview(memory), Trap("call stack exhausted"))
    kind = "limit" if isinstance(error, LimitError) else "unsupported"
    return {"kind": kind, "message": str(error), "help": getattr(error, "help", None)}


def _exact(number: int | None) -> int | str | None:
    return number if number is None or abs(number) <= EXACT else str(number)

"""The compiler: from an instance to Python functions that play it fast.

`generate` writes a Python module for one spec, number of players, choice of readings and variant,
and runs it once. What it must agree with is `evaluate`; the tests hold it to that. With the
environment variable RULEWRIGHT_DUMP set to a folder, the text of each module is put there, and
beside it what its names stand for: nothing of a spec is in the text itself.

    layout      how values and states are kept         tables      conditions as tables
    code        pieces of Python text                  masks       conditions as sets of bits
    host        the one place where text becomes code
    unit        the module being written               quantifiers, domains    loops
    runtime     what the module calls                  nearby, memory  what is not asked again
    facts, rewrite  what the core says, put otherwise  conditions, sources, subsets, plan
    expressions, functions, operators, lookups, maps, builtins, checks    loops over parameters
    effects, transitions, listing, chances, choosing, properties   the functions of the module
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checker.meaning.core import Transition
from checker.message import Text
from checker.play.compile.chances import Chances
from checker.play.compile.choosing import Choosing
from checker.play.compile.expressions import Expressions
from checker.play.compile.layout import Layout
from checker.play.compile.listing import Listing
from checker.play.compile.properties import Properties
from checker.play.compile.transitions import Transitions
from checker.play.compile.unit import Unit
from checker.play.instance import Instance


class Generated:
    """A generated module: its functions by name, and how it keeps states."""

    def __init__(self, unit: Unit, properties: Properties) -> None:
        self.instance = unit.instance
        self.layout: Layout = unit.layout
        self.functions: dict[str, Any] = unit.load()
        self.properties = properties
        self._unit = unit

    @property
    def source(self) -> str:
        """The text of the module."""
        return self._unit.source()

    @property
    def legend(self) -> dict[str, str]:
        """What the names in the text stand for."""
        return self._unit.legend()

    def function(self, kind: str, name: str) -> Callable[..., Any] | None:
        """`do_…`, `moves_…` and the like for a name of the spec; None if there is none."""
        return self.functions.get(f"{kind}_{self._unit.number(name)}")

    def proposals(self, move: Transition) -> list[Callable[..., Any]]:
        """What goes through the values of each proposal of a move."""
        number = self._unit.number(move.name)
        return [self.functions[f"propose_{number}_{n}"] for n in range(len(move.proposals))]


class Judging:
    """A module that judges and carries out events but has none to offer. It is written as it is
    asked, one function after another, and so is ready at once."""

    def __init__(self, instance: Instance) -> None:
        self._unit = Unit(instance, None)
        expressions = Expressions(self._unit)
        self._transitions = Transitions(expressions)
        self.properties = Properties(expressions)
        self._allows: dict[str, Callable[..., Any]] = {}
        self._does: dict[str, Callable[..., Any]] = {}

    def allows(self, transition: Transition) -> Callable[..., Any]:
        """Whether an event of this kind is allowed."""
        name = transition.name
        if name not in self._allows:
            self._transitions.judge(transition)
            self._allows[name] = self._unit.load()[f"allows_{self._unit.number(name)}"]
        return self._allows[name]

    def do(self, transition: Transition) -> Callable[..., Any]:
        """What makes an event of this kind happen, with what follows by itself."""
        name = transition.name
        if name not in self._does:
            if not self._does:
                self._transitions.follow()
            self._transitions.carry_out(transition)
            self._does[name] = self._unit.load()[f"do_{self._unit.number(name)}"]
        return self._does[name]


def generate(instance: Instance, text: Text | None = None) -> Generated:
    """Writes and runs the module for an instance; `text` lets it name lines of the spec."""
    unit = Unit(instance, text)
    expressions = Expressions(unit)
    transitions = Transitions(expressions)
    transitions.all()
    listing = Listing(transitions)
    listing.all()
    Chances(listing).all()
    Choosing(listing).all()
    generated = Generated(unit, Properties(expressions))
    folder = os.environ.get("RULEWRIGHT_DUMP")
    if folder:
        _dump(generated, Path(folder))
    return generated


def _dump(generated: Generated, folder: Path) -> None:
    instance = generated.instance
    parts = [instance.spec.name, instance.spec.variant, str(instance.players)]
    parts += instance.readings.values()
    folder.mkdir(parents=True, exist_ok=True)
    name = "_".join(part for part in parts if part)
    (folder / f"{name}.py").write_text(generated.source, encoding="ascii")
    legend = json.dumps(generated.legend, indent=1)
    (folder / f"{name}.names.json").write_text(legend, encoding="ascii")

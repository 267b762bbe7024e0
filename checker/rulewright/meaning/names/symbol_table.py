"""What is declared where: one table of a spec's names, filled before anything is resolved.

Reports names declared twice and offers near misses for misspelt ones. Which names were used is
noted as they are looked up, so that `lint` can say which never were.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rulewright.diagnostics import Messages, Suggestion
from rulewright.meaning.names.references import References
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUILTIN_TYPES = ("Bool", "Player", "Direction", "Int")
DIRECTION_TYPES = ("Diagonal", "Way", "HexWay")
"""Built-in types that give way to a declared type of the same name."""
BUILTIN_FUNCTIONS = (
    "left_of", "right_of", "seat", "size", "min", "max", "abs", "step", "column", "row", "occupied",
    "tally", "components", "neighbours", "ray", "reach", "connected", "length", "last", "append",
    "take", "drop", "old",
)  # fmt: skip
OBLIGATIONS = {
    "begins": "a game can begin",
    "safe": "nothing leaves its range, every lookup finds something",
    "one_step": "it never matters which step is taken",
    "steps_stop": "steps come to an end",
    "order": "in simultaneous phases the order does not matter",
    "goes_on": "short of the end somebody can always do something",
    "assumptions": "the invariants do not contradict each other",
}
"""What every spec is asked without asking for it: properties that are built in."""
OF_USE = (
    "type", "table", "constant", "function", "rule", "effect", "reading", "state variable",
)  # fmt: skip
"""Kinds of what is declared to be used."""
WITH_REQUIREMENTS = ("rule", "move", "chance event", "step")
"""Kinds of what has requirements."""
RESULTS = ("score", "wins")
"""The functions that a finished game is reported by."""
BUILTIN_VALUES = ("true", "false", "none", "players", "phase", "answered")


MOST_NEAR = 2_000
"""Of more names than that a near one is not looked for."""
FEW = 6
"""So many names are listed where none is near."""


def near(word: str, known: Iterable[str]) -> str | None:
    """A known word that the given one was probably meant to be."""
    candidates = list(islice(known, MOST_NEAR))
    lowered = {each.lower(): each for each in candidates}
    if word.lower() in lowered:
        return lowered[word.lower()]
    from difflib import get_close_matches

    found = get_close_matches(word, candidates, n=1, cutoff=0.7)
    return found[0] if found else None


def suggestion(
    word: str, known: Iterable[str], otherwise: str | None = None, within: str = "{}"
) -> Suggestion | str | None:
    """The help line for an unknown word, with what to write instead of the place it stands in:
    the near one, within what stands around it (`rule.{}`)."""
    candidate = near(word, known)
    if candidate is None:
        return otherwise
    return Suggestion(f"did you mean `{candidate}`?", within.replace("{}", candidate))


class SymbolTable:
    """The declarations of a spec by kind and name."""

    KINDS: dict[type, str] = {
        t.TypeDef: "type",
        t.Table: "table",
        t.Const: "constant",
        t.Fun: "function",
        t.Rule: "rule",
        t.Effect: "effect",
        t.Move: "move",
        t.Chance: "chance event",
        t.Step: "step",
        t.Property: "property",
        t.Ends: "property",
        t.Reading: "reading",
        t.Variant: "variant",
        t.Example: "example",
        t.Source: "source",
        t.Clause: "clause",
        t.Term: "term",
        t.Assumption: "assumption",
        t.Section: "section",
        t.Variable: "state variable",
        t.Phase: "phase",
    }
    VALUES = ("constant", "function", "reading", "state variable", "table")
    """Kinds that stand in expressions: a name may be used for only one of them."""

    def __init__(self, spec: t.Spec, messages: Messages) -> None:
        self.messages = messages
        self.by_kind: dict[str, dict[str, Any]] = {kind: {} for kind in self.KINDS.values()}
        self.used: set[tuple[str, str]] = set()
        self.values: dict[str, str] = {}
        self.owned: set[str] = set()
        """State variables of which each player has one."""
        self.kept_for: dict[str, t.Ident] = {}
        """Those below an `each`, by the name of the type that it is for."""
        self.references = References()
        for declaration in spec.declarations:
            self._declare(declaration)

    def _declare(self, declaration: t.Declaration) -> None:
        match declaration:
            case t.Phases(_, phases):
                for phase in phases:
                    self._add("phase", phase.name, phase)
            case t.State(_, items):
                for item in items:
                    variables = item.variables if isinstance(item, t.Each) else (item,)
                    for variable in variables:
                        self._add("state variable", variable.declarator.name, variable)
                        if isinstance(item, t.Each):
                            self.kept_for[variable.declarator.name.text] = item.owner
                            if item.owner.text == "Player":
                                self.owned.add(variable.declarator.name.text)
            case t.Table():
                self._add("table", declaration.declarator.name, declaration)
            case t.Clause():
                self._add("clause", declaration.name, declaration)
            case t.Game():
                self.references.define("game", declaration.name, declaration.span)
            case t.Start():
                self._labels("start", declaration.requirements)
            case t.Accept() | t.View():
                pass
            case _:
                self._add(self.KINDS[type(declaration)], declaration.name, declaration)
                self._parts(declaration)

    def _parts(self, declaration: t.Declaration) -> None:
        """Notes what belongs to a declaration and has a name of its own."""
        match declaration:
            case t.Rule(name=name, items=items):
                self._labels(name.text, items)
            case t.Move(name=name, needs=needs) | t.Chance(name=name, needs=needs):
                self._labels(name.text, needs)
            case t.Step(name=name, when=when):
                self._labels(name.text, when)
            case t.Reading(name=name, options=options):
                for option in options:
                    self.references.define("option", option.name, option.span, name.text)
            case _:
                pass

    def _labels(self, owner: str, items: tuple[t.Requirement | t.Include, ...]) -> None:
        for item in items:
            if isinstance(item, t.Requirement):
                self.references.define("requirement", item.name, item.span, owner)

    def _add(self, kind: str, name: t.Ident | t.Path, declaration: t.Tree) -> None:
        text = name.text
        known = self.by_kind[kind]
        other = self.values.get(text) if kind in self.VALUES else None
        if text in known:
            line, _ = self.messages.text.place(known[text].span.start)
            self.messages.error(
                "RW102", name.span, f"the {kind} `{text}` is declared twice",
                f"it is first declared in line {line}; rename or remove one",
            )  # fmt: skip
            return
        if other is not None or (kind in self.VALUES and text in BUILTIN_VALUES):
            what = f"a {other}" if other else "built in"
            self.messages.error(
                "RW102", name.span, f"`{text}` is already {what}", f"give the {kind} another name"
            )
            return
        built_in = {"type": BUILTIN_TYPES, "property": OBLIGATIONS}.get(kind, ())
        if text in built_in:
            self.messages.error(
                "RW102", name.span, f"the {kind} `{text}` is built in", "choose another name"
            )
            return
        if kind in self.VALUES:
            self.values[text] = kind
        known[text] = declaration
        self.references.define(kind, name, declaration.span)

    def of(self, kind: str) -> dict[str, Any]:
        """All declarations of one kind, in order."""
        return self.by_kind[kind]

    def find(self, kind: str, text: str) -> Any | None:
        """The declaration of this kind and name, noted as used; None if there is none."""
        found = self.by_kind[kind].get(text)
        if found is not None:
            self.used.add((kind, text))
        return found

    def refer(self, kind: str, text: str, span: Span) -> Any | None:
        """The same, noted as referred to at a place."""
        found = self.find(kind, text)
        if found is not None:
            self.references.use(span, kind, text)
        return found

    def owner(self, text: str, span: Span) -> Any | None:
        """What has requirements and this name, which is referred to at a place."""
        for kind in WITH_REQUIREMENTS:
            found = self.refer(kind, text, span)
            if found is not None:
                return found
        return None

    def require(
        self, kind: str, name: t.Ident | t.Path, code: str = "RW101", help: str | None = None
    ) -> Any | None:
        """The same for a name in the text, reporting an unknown one."""
        found = self.refer(kind, name.text, name.span)
        if found is None:
            self.messages.error(
                code, name.span, f"there is no {kind} `{name.text}`",
                suggestion(name.text, self.by_kind[kind], help or self._declared(kind)),
            )  # fmt: skip
        return found

    def _declared(self, kind: str) -> str:
        """What there is of a kind, in a few words."""
        known = [f"`{each}`" for each in self.by_kind[kind]]
        if not known:
            return f"no {kind} is declared"
        more = f" and {len(known) - FEW} more" if len(known) > FEW else ""
        return f"declared: {', '.join(known[:FEW])}{more}"

"""The parse tables of grammar/rules.lark: made by Lark, loaded without Lark.

Importing Lark and building the tables takes a third of a second; a copy in JSON loads in two
milliseconds. A wheel brings the tables along, made when it was built; Lark is then not needed. In a
checkout they are kept in the cache. A copy is named by what it was made from (the grammar and this
file, in the cache also Lark and Python), so that a stale one is never read; one that is damaged, or
not there, is built anew.
"""

from __future__ import annotations

import json
import os

from rulewright.resources import cache_path, grammar_path
from rulewright.system.store import Store, digest
from rulewright.system.toolchain import toolchain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from lark.grammar import Rule

LAYOUT_TERMINALS = ("_NL", "_BLOCK", "_END")
PATTERN_TERMINALS = ("NAME", "INT", "STRING", "CELL")


class Production:
    """One rule of the grammar: what a reduction pops, what it keeps, what it is called.

    `keep` lists the children to keep: position, whether to splice its children in, and how many
    absent optional parts (None) stand before it. `inline` results are spliced into their parent;
    `collapse` ones stand for their only child. `plain` are the positions alone, where that says it
    all; `whole` means all of them.
    """

    __slots__ = (
        "collapse", "inline", "keep", "length", "name", "origin", "plain", "trailing", "whole",
    )  # fmt: skip

    def __init__(self, packed: list[Any]) -> None:
        (self.origin, self.name, self.length, keep, self.trailing, self.collapse,
         self.inline) = packed  # fmt: skip
        self.keep = [(position, splice, nones) for position, splice, nones in keep]
        plain = not self.trailing and not any(splice or nones for _, splice, nones in self.keep)
        self.plain = [position for position, _, _ in self.keep] if plain else None
        self.whole = self.plain == list(range(self.length))

    def children(self, popped: list[Any]) -> list[Any]:
        """What a reduction keeps of the values it pops, absent optional parts as None."""
        if self.plain is not None:
            return [popped[position] for position in self.plain]
        keep = self.keep
        children: list[Any] = []
        if keep and keep[0] == (0, True, 0):
            # A list that grows by one: nobody else holds it, so it need not be copied.
            children, keep = popped[0], keep[1:]
        for position, splice, nones in keep:
            if nones:
                children += (None,) * nones
            if splice:
                children += popped[position]
            else:
                children.append(popped[position])
        if self.trailing:
            children += (None,) * self.trailing
        return children


class Tables:
    """`actions[state][terminal]` is a state to shift to, or for a reduction -1 - production;
    `gotos[state][origin]` is the state after a reduction."""

    def __init__(self, packed: dict[str, Any]) -> None:
        self.start: int = packed["start"]
        self.end: int = packed["end"]
        self.actions: list[dict[str, int]] = packed["actions"]
        self.gotos: list[dict[str, int]] = packed["gotos"]
        self.productions = [Production(each) for each in packed["productions"]]
        self._units = [
            each.origin if each.collapse and each.length == 1 else None for each in self.productions
        ]
        self.settled: dict[tuple[int, str, str], int] = {}
        self.words: dict[str, str] = packed["words"]
        self.symbols: dict[str, str] = packed["symbols"]

    def accepts(self, states: list[int], terminal: str) -> bool:
        """Whether a terminal really fits: follows the reductions it would cause. The actions of
        the last state alone can promise more, for LALR(1) shares states between contexts."""
        stack = list(states)
        while True:
            action = self.actions[stack[-1]].get(terminal)
            if action is None or action >= 0:
                return action is not None
            production = self.productions[~action]
            if production.length:
                del stack[-production.length :]
            stack.append(self.gotos[stack[-1]][production.origin])

    def settle(self, key: tuple[int, str, str]) -> int:
        """The state after a reduction, given the state below it, its origin and what follows;
        and after the reductions that only rename what it is: an expression goes through a dozen
        levels of precedence like this. Noted in `settled`, for few keys occur."""
        state, origin, terminal = key
        found = self.gotos[state][origin]
        while True:
            action = self.actions[found].get(terminal, 0)
            unit = self._units[~action] if action < 0 else None
            if unit is None:
                break
            found = self.gotos[state][unit]
        self.settled[key] = found
        return found


def load_tables() -> Tables:
    """The tables of the bundled grammar: those that came with it, or from the cache."""
    shipped = _shipped()
    if shipped is not None:
        return shipped
    store = Store(cache_path("grammar"))
    key = f"tables {toolchain('syntax/parsing/parse_tables.py')}"
    found: Tables | None = store.load(key, Tables)
    if found is None:
        with open(grammar_path(), encoding="utf-8") as opened:
            packed = build_tables(opened.read())
        store.save(key, packed)
        found = Tables(packed)
    return found


def shipped_tables(grammar: str) -> dict[str, Any]:
    """The tables for a wheel, with the name of what they are made from."""
    return {"made_from": _made_from(grammar), "tables": build_tables(grammar)}


def _shipped() -> Tables | None:
    """The tables that came with the grammar; None if there are none, or the grammar is newer."""
    path = grammar_path()
    try:
        with open(os.path.join(os.path.dirname(path), "tables.json"), "rb") as opened:
            found = json.loads(opened.read())
        with open(path, encoding="utf-8") as opened_text:
            grammar = opened_text.read()
        return Tables(found["tables"]) if found["made_from"] == _made_from(grammar) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _made_from(grammar: str) -> str:
    """Names what tables are made from: the grammar, and the code that makes them."""
    with open(__file__, "rb") as opened:
        return digest(grammar.encode() + b"\0" + opened.read())


def build_tables(grammar: str) -> dict[str, Any]:
    """Lets Lark read the grammar and packs its LALR(1) tables into plain containers."""
    from lark import Lark
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    parser = Lark(grammar, parser="lalr", lexer="basic", start="declaration")
    table = parser.parser.parser._parse_table
    rules: list[Rule] = list(parser.rules)
    number = {rule: index for index, rule in enumerate(rules)}
    terminals = {terminal.name for terminal in parser.terminals} | set(LAYOUT_TERMINALS) | {"$END"}

    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in range(len(table.states)):
        actions.append({})
        gotos.append({})
        for symbol, (kind, argument) in table.states[state].items():
            if symbol not in terminals:
                gotos[-1][symbol] = argument
            else:
                actions[-1][symbol] = argument if kind is Shift else -1 - number[argument]

    words: dict[str, str] = {}
    symbols: dict[str, str] = {}
    for terminal in parser.terminals:
        if terminal.name in PATTERN_TERMINALS:
            continue
        pattern = terminal.pattern
        if isinstance(pattern, PatternStr):
            texts = [pattern.value]
        else:
            texts = pattern.value.removeprefix("(?:").removesuffix(")").replace("\\", "").split("|")
        for text in texts:
            (words if text.isidentifier() else symbols)[text] = terminal.name

    return {
        "start": table.start_states["declaration"],
        "end": table.end_states["declaration"],
        "actions": actions,
        "gotos": gotos,
        "productions": [_pack(rule) for rule in rules],
        "words": words,
        "symbols": symbols,
    }


def _pack(rule: Rule) -> list[Any]:
    """What reducing by this rule does, following Lark's own tree shaping."""
    origin = str(rule.origin.name)
    absent = rule.options.empty_indices or [False] * len(rule.expansion)
    keep: list[list[int | bool]] = []
    position = nones = 0
    for missing in absent:
        if missing:
            nones += 1
            continue
        symbol = rule.expansion[position]
        if not (symbol.is_term and symbol.filter_out):  # type: ignore[attr-defined]
            splice = not symbol.is_term and symbol.name.startswith("_")
            keep.append([position, splice, nones])
            nones = 0
        position += 1
    collapse = bool(rule.options.expand1) and rule.alias is None
    return [
        origin, rule.alias or origin, len(rule.expansion), keep, nones, collapse,
        origin.startswith("_"),
    ]  # fmt: skip

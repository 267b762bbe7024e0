"""Memory: what was asked about the mistakes in a carrier is not asked again.

A question is whether one example, one game or some properties notice one mistake. Its answer is
kept under the meaning of the rules and of what was asked, so a change of an example or a property
has that one asked again, and a change of words has nothing asked again. A change of the rules has
everything asked again: any rule may bear on any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.meaning import core as c
from rulewright.prove.cache.fingerprint import fingerprint, meaning_of
from rulewright.resources import cache_path
from rulewright.syntax.node import Node, replace
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain


class Memory:
    """The answers about one spec, carrier by carrier."""

    def __init__(self, spec: c.Spec) -> None:
        accepted = tuple(each for each in spec.acceptances if each.finding != "untested")
        rules = replace(spec, properties=(), ends=(), acceptances=accepted)
        self._key = f"evidence {fingerprint(rules)} {toolchain()}"
        self._store = Store(cache_path("evidence"))
        self._known: dict[str, list[str]] = {}
        self._asked: dict[str, list[str]] = {}
        self._names: dict[int, tuple[Node, str]] = {}

    @contextmanager
    def about(self, carrier: str) -> Iterator[None]:
        """What is asked in here is about mistakes in this carrier."""
        key = f"{self._key} {carrier}"
        self._known = self._store.load(key, _read) or {}
        self._asked = {}
        yield
        if self._asked != self._known:
            self._store.save(key, self._asked)

    def ask(self, question: str, answer: Callable[[], list[str]]) -> list[str]:
        """The answer to a question, from memory if it is there."""
        found = self._known.get(question)
        if found is None:
            found = answer()
        self._asked[question] = found
        return found

    def name(self, node: Node) -> str:
        """What a node means, in short."""
        found = self._names.get(id(node))
        if found is None:
            found = self._names[id(node)] = node, meaning_of(node)
        return found[1]


def _read(kept: Any) -> dict[str, list[str]]:
    if not all(type(name) is str for found in kept.values() for name in found):
        raise ValueError("these are no names")
    return dict(kept)

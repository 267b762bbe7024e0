"""Stamps: small pictures that a page puts where something lies. Each is drawn here, by what draws
the pictures of all other pages, and kept once however often it is used."""

from __future__ import annotations

import json

from rulewright.site.draw.svg import Drawing
from rulewright.site.tryout.svg_nodes import SvgNode, inside


class Stamps:
    """All stamps of a game."""

    def __init__(self) -> None:
        self.drawn: list[list[SvgNode]] = []
        self._numbers: dict[str, int] = {}

    def number(self, drawing: Drawing) -> int:
        """The number of a stamp among them all."""
        return self.number_of(drawing.done(""))

    def number_of(self, svg: str) -> int:
        """The same of a whole picture."""
        nodes = inside(svg)
        key = json.dumps(nodes)
        if key not in self._numbers:
            self._numbers[key] = len(self.drawn)
            self.drawn.append(nodes)
        return self._numbers[key]

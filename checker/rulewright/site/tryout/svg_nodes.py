"""Pictures as data: SVG that was drawn here, as lists that a page builds elements from without
reading markup: `[tag, {attribute: value}, [child, ...]]`, with words as plain text."""

from __future__ import annotations

from typing import Any, TypeAlias
from xml.etree import ElementTree

SvgNode: TypeAlias = list[Any]


def inside(svg: str) -> list[SvgNode]:
    """What is in a picture."""
    return _inside(ElementTree.fromstring(svg))


def _inside(element: ElementTree.Element) -> list[Any]:
    words = [element.text] if element.text else []
    return [*words, *(_node(each) for each in element)]


def _node(element: ElementTree.Element) -> SvgNode:
    return [element.tag, dict(element.attrib), _inside(element)]

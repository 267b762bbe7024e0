"""A picture with the words that stand around it, for pages and for print."""

from __future__ import annotations

from rulewright.site.words.markdown import in_html
from rulewright.syntax.node import Node


class Picture(Node):
    """An SVG, what it shows, and what its letters stand for."""

    caption: str
    svg: str
    key: str = ""
    only_boxes: bool = False
    """Whether it shows no row of a sheet, only the boxes below."""

    @property
    def is_board(self) -> bool:
        return 'class="rw-picture rw-board"' in self.svg

    @property
    def is_sheet(self) -> bool:
        return 'class="rw-picture rw-sheet"' in self.svg

    def html(self) -> str:
        """The picture within a page."""
        label = f'<p class="rw-name">{in_html(self.caption)}</p>' if self.caption else ""
        key = f'<p class="rw-key">{in_html(self.key)}</p>' if self.key else ""
        return f'<div class="rw-part">{label}{self.svg}{key}</div>'

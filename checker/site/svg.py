"""Builds a picture as SVG text that stands inside a page.

Lines and letters are drawn in the colour of the text around them and fills are tints, so that a
picture is readable on light and dark pages without a style sheet. Every picture has a title, which
is what somebody hears who cannot see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

USUAL = 14
"""The size of letters where nothing else is said."""
LETTER = 0.6
"""About how wide a letter is, measured in font sizes."""


class Drawing:
    """A picture in the making; coordinates are pixels from the top left."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def boxes(
        self, corners: Sequence[tuple[float, float]], width: float, height: float,
        fill: str = "none", opacity: float = 1, round: float = 3, dashed: bool = False,
    ) -> None:  # fmt: skip
        """Boxes of one size and look."""
        if not corners:
            return
        dashes = ' stroke-dasharray="3 3"' if dashed else ""
        flat = f"h{_n(width - 2 * round)}", f"v{_n(height - 2 * round)}"
        back = f"h{_n(2 * round - width)}", f"v{_n(2 * round - height)}"
        arc = f"a{_n(round)} {_n(round)} 0 0 1 "
        r = _n(round)
        once = (f"{flat[0]}{arc}{r} {r}{flat[1]}{arc}-{r} {r}{back[0]}{arc}-{r} -{r}{back[1]}"
                f"{arc}{r} -{r}z")  # fmt: skip
        outline = "".join(f"M{_n(x + round)} {_n(y)}{once}" for x, y in corners)
        strength = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
        self._parts.append(
            f'<path d="{outline}" fill="{fill}"{strength} stroke="currentColor"'
            f' stroke-opacity=".45"{dashes}/>'
        )

    def text(
        self, x: float, y: float, words: str, size: float = USUAL, anchor: str = "middle",
        bold: bool = False, faint: bool = False,
    ) -> None:  # fmt: skip
        """Words with their base line at `y`."""
        look = ' font-weight="700"' if bold else ""
        look += ' opacity=".65"' if faint else ""
        look += f' text-anchor="{anchor}"' if anchor != "middle" else ""
        look += f' font-size="{_n(size)}"' if size != USUAL else ""
        self._parts.append(f'<text x="{_n(x)}" y="{_n(y)}"{look}>{escape(words)}</text>')

    def crosses(self, centres: Sequence[tuple[float, float]], reach: float) -> None:
        """A cross over each of these points."""
        strokes = "".join(
            f"M{_n(x - reach)} {_n(y - reach)}l{_n(2 * reach)} {_n(2 * reach)}"
            f"m0 {_n(-2 * reach)}l{_n(-2 * reach)} {_n(2 * reach)}"
            for x, y in centres
        )
        if strokes:
            self.path(strokes, width=2.2)

    def circle(
        self, x: float, y: float, radius: float, fill: str = "none", stroke: str = "currentColor"
    ) -> None:
        self._parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{stroke}"'
            ' stroke-width="1.6"/>'
        )

    def path(
        self, strokes: str, width: float = 1.5, fill: str = "none", faint: bool = False
    ) -> None:
        """A line, in the words of SVG."""
        look = ' opacity=".65"' if faint else ""
        self._parts.append(
            f'<path d="{strokes}" fill="{fill}" stroke="currentColor" stroke-width="{_n(width)}"'
            f' stroke-linecap="round"{look}/>'
        )

    def arrow_head(self, x: float, y: float, way: str) -> None:
        """The tip of an arrow that points right, left or down."""
        back, side = 8, 4.5
        corners = {
            "right": ((-back, -side), (-back, side)),
            "left": ((back, -side), (back, side)),
            "down": ((-side, -back), (side, -back)),
        }[way]
        rest = "".join(f"L{_n(x + dx)} {_n(y + dy)}" for dx, dy in corners)
        self.path(f"M{_n(x)} {_n(y)}{rest}z", width=1, fill="currentColor")

    def done(self, title: str, kind: str = "") -> str:
        """The picture, with what it shows in words."""
        said = escape(title)
        return (
            f'<svg class="rw-picture {kind}" xmlns="http://www.w3.org/2000/svg" role="img"'
            f' aria-label="{escape(title, quote=True)}"'
            f' viewBox="0 0 {_n(self.width)} {_n(self.height)}" width="{_n(self.width)}"'
            f' style="max-width:100%;height:auto" font-size="{USUAL}" text-anchor="middle"'
            ' fill="currentColor">'
            f"<title>{said}</title>{''.join(self._parts)}</svg>"
        )


def width_of(words: str, size: float = 13) -> float:
    """About how wide some words are."""
    return len(words) * size * LETTER


def _n(number: float) -> str:
    """A number in as few characters as it takes."""
    return f"{number:.1f}".removesuffix(".0")

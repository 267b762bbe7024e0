"""Builds a picture as SVG text that stands inside a page.

Lines and letters are drawn in the colour of the text around them and fills are tints, so that a
picture is readable on light and dark pages without a style sheet. Every picture has a label, which
is what somebody hears who cannot see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rulewright.site.words.markdown import in_html

USUAL = 14
"""The size of letters where nothing else is said."""
LETTER = 0.6
"""About how wide a letter is, measured in font sizes."""
WIDE = 520
SMALLEST = 0.65
"""What is wide shrinks on a narrow page to so much of its size, so that it can be read; the rest is
for scrolling."""


LOOK = (
    "<style>svg{color:#222;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#ddd;background:#161b22}}</style>"
)


class Drawing:
    """A picture in the making; coordinates are pixels from the top left."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []
        self._words: dict[str, list[tuple[str, str, str]]] = {}

    def boxes(
        self, corners: Sequence[tuple[float, float]], width: float, height: float,
        fill: str = "none", opacity: float = 1, round: float = 3, dashed: bool = False,
    ) -> None:  # fmt: skip
        """Boxes of one size and look."""
        if not corners:
            return
        dashes = ' stroke-dasharray="3 3"' if dashed else ""
        strength = "" if opacity == 1 else f' fill-opacity="{_share(opacity)}"'
        self._add(
            f'<path d="{_outlines(corners, width, height, round)}" fill="{fill}"{strength}'
            f' stroke="currentColor" stroke-opacity=".45"{dashes}/>'
        )

    def hexagons(
        self, corners: Sequence[tuple[float, float]], width: float, height: float,
        fill: str = "none", opacity: float = 1,
    ) -> None:  # fmt: skip
        """Hexagons with a point above and below, as wide as boxes would be; rows that are moved by
        half a width fit into each other."""
        if not corners:
            return
        half, sixth = width / 2, height / 6
        once = (f"l{_n(half)} {_n(2 * sixth)}v{_n(4 * sixth)}l{_n(-half)} {_n(2 * sixth)}"
                f"l{_n(-half)} {_n(-2 * sixth)}v{_n(-4 * sixth)}z")  # fmt: skip
        said = "".join(f"M{_n(x + half - 1)} {_n(y - sixth)}{once}" for x, y in corners)
        strength = "" if opacity == 1 else f' fill-opacity="{_share(opacity)}"'
        self._add(
            f'<path d="{said}" fill="{fill}"{strength} stroke="currentColor" stroke-opacity=".45"/>'
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
        self._words.setdefault(look, []).append((_n(x), _n(y), words))

    def line(self, x: float, y: float, words: str, bold: bool = False) -> None:
        """A line of a report, its letters one below the other's."""
        look = ' font-weight="700"' if bold else ""
        self._add(
            f'<text x="{_n(x)}" y="{_n(y)}" font-family="monospace" font-size="12"'
            f' text-anchor="start" xml:space="preserve"{look}>{in_html(words)}</text>'
        )

    def crosses(
        self, centres: Sequence[tuple[float, float]], reach: float, faint: bool = False
    ) -> None:
        """A cross over each of these points; a faint one lets what is below be read."""
        strokes = "".join(
            f"M{_n(x - reach)} {_n(y - reach)}l{_n(2 * reach)} {_n(2 * reach)}"
            f"m0{_n(-2 * reach)}l{_n(-2 * reach)} {_n(2 * reach)}"
            for x, y in centres
        )
        if strokes:
            self.path(strokes, width=2.2, faint=faint)

    def circle(
        self, x: float, y: float, radius: float, fill: str = "none", stroke: str = "currentColor"
    ) -> None:
        self._add(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{stroke}"'
            ' stroke-width="1.6"/>'
        )

    def disc(self, x: float, y: float, radius: float, fill: str, opacity: float) -> None:
        """A round field."""
        self._add(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}"'
            f' fill-opacity="{_share(opacity)}" stroke="currentColor" stroke-opacity=".45"/>'
        )

    def dots(self, centres: Sequence[tuple[float, float]], radius: float) -> None:
        """A dot on each of these points: lines of almost no length with round ends."""
        if centres:
            self.path("".join(f"M{_n(x)} {_n(y)}h.1" for x, y in centres), width=2 * radius)

    def underlines(self, begins: Sequence[tuple[float, float]], length: float) -> None:
        """A thick line to the right of each of these points."""
        if begins:
            self.path("".join(f"M{_n(x)} {_n(y)}h{_n(length)}" for x, y in begins), 2.6)

    def path(
        self, strokes: str, width: float = 1.5, fill: str = "none", faint: bool = False
    ) -> None:
        """A line, in the words of SVG."""
        look = ' opacity=".5"' if faint else ""
        self._add(
            f'<path d="{strokes}" fill="{fill}" stroke="currentColor" stroke-width="{_n(width)}"'
            f' stroke-linecap="round"{look}/>'
        )

    def done(self, title: str, kind: str = "") -> str:
        """The picture to stand inside a page, with what it shows in words."""
        self._write()
        least = f' style="min-width:{self.width * SMALLEST:.0f}px"' if self.width > WIDE else ""
        return (
            f'<svg class="rw-picture {kind}" role="img" aria-label="{in_html(title)}"'
            f' viewBox="0 0 {_n(self.width)} {_n(self.height)}" width="{_n(self.width)}"{least}'
            f' font-size="{USUAL}" text-anchor="middle" fill="currentColor">'
            f"{''.join(self._parts)}</svg>"
        )

    def _add(self, part: str) -> None:
        """Draws over all that is there."""
        self._write()
        self._parts.append(part)

    def _write(self) -> None:
        """Writes down the words that wait to be drawn."""
        for look, words in self._words.items():
            texts = list(_texts(words))
            if look and len(texts) == 1:
                texts = [texts[0].replace("<text", f"<text{look}", 1)]
            elif look:
                texts = [f"<g{look}>", *texts, "</g>"]
            self._parts += texts
        self._words = {}


def as_file(picture: str) -> str:
    """A picture as a file of its own, which follows the reader's choice of light or dark, and is as
    small as the place where it is shown."""
    inside = picture.replace('<svg class="', '<svg xmlns="http://www.w3.org/2000/svg" class="', 1)
    begin, end, rest = inside.partition(">")
    begin = re.sub(' style="min-width:[^"]*"', "", begin)
    return f'{begin} font-family="sans-serif"{end}{LOOK}{rest}\n'


def width_of(words: str, size: float = 13) -> float:
    """About how wide some words are."""
    return len(words) * size * LETTER


def _texts(words: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Words at their places; single signs, as most on tiles and sheets are, stand in one element
    with a place for each."""
    for single, group in groupby(words, lambda each: len(each[2]) == 1):
        found = list(group)
        for run in [found] if single else [[each] for each in found]:
            across, down, signs = zip(*run)
            level = down if len(set(down)) > 1 else down[:1]
            where = f'x="{" ".join(across)}" y="{" ".join(level)}"'
            yield f"<text {where}>{in_html(''.join(signs))}</text>"


def _outlines(
    corners: Sequence[tuple[float, float]], width: float, height: float, round: float
) -> str:
    """Boxes as one path: each begins where the one before it did, moved by so much."""
    r = _n(round)
    once = f"h{_n(width)}v{_n(height)}h{_n(-width)}z"
    if round:
        across, down = width - 2 * round, height - 2 * round
        once = (f"q0-{r} {r}-{r}h{_n(across)}q{r} 0 {r} {r}v{_n(down)}"
                f"q0 {r}-{r} {r}h{_n(-across)}q-{r} 0-{r}-{r}z")  # fmt: skip
    said = ""
    last: tuple[float, float] | None = None
    for x, y in corners:
        dx, dy = (x, y + round) if last is None else (x - last[0], y - last[1])
        said += f"{'M' if last is None else 'm'}{_n(dx)} {_n(dy)}{once}"
        last = (x, y)
    return said


def _share(part: float) -> str:
    """How much of something, from 0 to 1."""
    return f"{part:.2f}".removeprefix("0")


def _n(number: float) -> str:
    """A number in as few characters as it takes."""
    return f"{number:.1f}".removesuffix(".0")

"""Text diff of two specs: what was added, removed, reworded, renamed, moved or changed.

Tells of the text only; whether the rules still mean the same is asked elsewhere. A piece that has
disappeared and one that is new are taken for one piece under another name if they mean the same,
and what only follows from such a new name is no change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from rulewright.change.text.fragments import Fragment, fragments, with_names
from rulewright.syntax import tree as t
from rulewright.syntax.node import Node

KINDS = ("added", "removed", "changed", "renamed", "moved", "reworded")
HAPPENING = ("move", "chance event", "step")
_TRIVIAL: tuple[tuple[object, ...], ...] = ((), (None,))
"""Meanings too slight to recognise a piece by."""


class TextDiff(Node):
    """One thing that happened to the text; `was` is what the piece was called before. `removed`
    and `added` are the lines that differ."""

    what: str
    kind: str
    name: str
    was: str | None
    removed: tuple[str, ...]
    added: tuple[str, ...]

    def headline(self) -> str:
        """`changed requirement may_cross.five_first`."""
        old = f" (was `{self.was}`)" if self.was is not None else ""
        return f"{self.what} {self.kind} `{self.name}`{old}"

    def lines(self) -> list[str]:
        """The headline and the lines that differ, as a diff shows them."""
        shown = [self.headline()]
        if self.what in ("added", "removed", "changed", "reworded"):
            shown += [f"  - {line}" for line in self.removed]
            shown += [f"  + {line}" for line in self.added]
        return shown


def text_diffs(old: t.Spec, new: t.Spec) -> list[TextDiff]:
    """What happened to the text between two specs, in the order of the new one."""
    before = {(each.kind, each.name): each for each in fragments(old)}
    after = {(each.kind, each.name): each for each in fragments(new)}
    names = renamed(list(before.values()), list(after.values()))
    plain = {
        was: now for (kind, was), (_, now) in names.items() if kind not in ("clause", "requirement")
    }
    chapters: list[TextDiff] = []
    for key, piece in after.items():
        origin = next((was for was, now in names.items() if now == key), key)
        chapters += _chapters(before.get(origin), piece, plain)
    gone = [piece for key, piece in before.items() if key not in after and key not in names]
    return [*chapters, *(TextDiff("removed", p.kind, p.name, None, p.text, ()) for p in gone)]


def renames(old: t.Spec, new: t.Spec) -> dict[tuple[str, str], str]:
    """The pieces of the old spec, by kind and name, that have another name in the new one."""
    found = renamed(fragments(old), fragments(new))
    return {was: now for was, (_, now) in found.items()}


def renamed(
    before: Sequence[Fragment], after: Sequence[Fragment]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Which pieces are there under another name. A name changed in one piece shows in others, so
    it is looked again until nothing more is found."""
    names: dict[tuple[str, str], tuple[str, str]] = {}
    known = {(each.kind, each.name) for each in before}
    remaining = {(each.kind, each.name) for each in after}
    while True:
        plain = {was: now for (_, was), (_, now) in names.items()}
        gone = [p for p in before if (p.kind, p.name) not in remaining | names.keys()]
        fresh = [
            p
            for p in after
            if (p.kind, p.name) not in known and (p.kind, p.name) not in names.values()
        ]
        found = {}
        for piece in gone:
            meaning = with_names(piece.meaning, plain)
            match = next((p for p in fresh if _alike(piece, meaning, p)), None)
            if match is not None:
                found[piece.kind, piece.name] = (match.kind, match.name)
                fresh.remove(match)
        if not found:
            found = _by_words(gone, fresh)
        if not found:
            return names
        names |= found


def _by_words(
    gone: Sequence[Fragment], fresh: Sequence[Fragment]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Moves and the like that have another name and do something else, but are told in the very
    same words, as nothing else is."""
    found = {}
    for piece in gone:
        same = [[p for p in side if p.kind == piece.kind and p.words == piece.words]
                for side in (gone, fresh)]  # fmt: skip
        if piece.kind in HAPPENING and piece.words and [len(each) for each in same] == [1, 1]:
            found[piece.kind, piece.name] = (piece.kind, same[1][0].name)
    return found


def _alike(piece: Fragment, meaning: tuple[object, ...], other: Fragment) -> bool:
    if piece.kind != other.kind:
        return False
    if meaning in _TRIVIAL or piece.kind in ("clause", "phase", "state variable", "game"):
        return bool(piece.words) and piece.words == other.words and meaning == other.meaning
    return meaning == other.meaning


def _chapters(
    before: Fragment | None, after: Fragment, names: Mapping[str, str]
) -> Iterator[TextDiff]:
    """What happened to one piece that is there now."""
    if before is None:
        yield TextDiff("added", after.kind, after.name, None, (), after.text)
        return
    removed, added = _different(before.text, after.text)
    owner, _, label = before.name.rpartition(".")
    follows = bool(owner) and f"{names.get(owner, owner)}.{label}" == after.name
    if before.name != after.name and not follows:
        moved = before.kind == "requirement" and label == after.name.rpartition(".")[2]
        what = "moved" if moved else "renamed"
        yield TextDiff(what, after.kind, after.name, before.name, removed, added)
    if with_names(before.meaning, names) != after.meaning:
        yield TextDiff("changed", after.kind, after.name, None, removed, added)
    elif before.words != after.words:
        gone, come = _different(before.words, after.words)
        yield TextDiff("reworded", after.kind, after.name, None, gone, come)


def _different(
    before: Sequence[str], after: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that are only in one of two texts."""
    removed: list[str] = []
    added: list[str] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, left, left_end, right, right_end in matcher.get_opcodes():
        if tag != "equal":
            removed += before[left:left_end]
            added += after[right:right_end]
    return tuple(removed), tuple(added)


def as_object(chapter: TextDiff) -> dict[str, object]:
    """A chapter for programs."""
    return {"change": chapter.what, "kind": chapter.kind, "name": chapter.name,
            "was": chapter.was, "removed": list(chapter.removed),
            "added": list(chapter.added)}  # fmt: skip

"""The mistakes a spec is tried with: everything that carries out a clause, broken on purpose.

To the mutants that test vectors are made from come three kinds that only evidence asks about: a
move that is never allowed, a constant one too high or too low, and a demand on the beginning that
is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax import tree
from rulewright.syntax.node import Node, replace

NEVER = "never allowed"
SLIGHT = ("one more", "one less", "weaker", "stricter")


class Mistake(Node):
    """A spec with one mistake: in what (`carrier`, a label or a name), which clauses that carries
    out, what is wrong with it. If test vectors know the mistake, too, `mutant` is there, and its
    `number` in their catalogue."""

    carrier: str
    clauses: tuple[str, ...]
    what: str
    spec: c.Spec
    mutant: Mutant | None = None
    number: int = 0

    @property
    def named(self) -> str:
        return f"{self.carrier}: {self.what}"

    @property
    def is_slight(self) -> bool:
        """Whether it is a number one too high or too low, or a condition a little off."""
        return self.what.startswith(SLIGHT)


def mistakes(checked: LoadedSpec) -> list[Mistake]:
    """Every mistake that is tried, in the order of the spec."""
    spec = checked.spec
    assert spec is not None
    return [
        *(
            Mistake(each.label, each.clauses, each.what, each.spec, each, number)
            for number, each in enumerate(mutants(spec), start=1)
        ),
        *_moves_never_allowed(spec),
        *_starts_left_out(spec),
        *_constants(checked),
    ]


def carriers(everything: Sequence[Mistake]) -> list[list[Mistake]]:
    """The mistakes in each carrier."""
    found: dict[str, list[Mistake]] = {}
    for each in everything:
        found.setdefault(each.carrier, []).append(each)
    return list(found.values())


def _moves_never_allowed(spec: c.Spec) -> Iterator[Mistake]:
    for move in spec.transitions:
        if move.kind != "move" or not move.clauses:
            continue
        never = c.Requirement(
            move.span, f"{move.name}.never", None, (), c.Literal(move.span, y.BOOL, False)
        )
        wrong = replace(move, requirements=(*move.requirements, never))
        transitions = tuple(wrong if each is move else each for each in spec.transitions)
        yield Mistake(move.name, move.clauses, NEVER, replace(spec, transitions=transitions))


def _starts_left_out(spec: c.Spec) -> Iterator[Mistake]:
    for needed in spec.start:
        start = tuple(each for each in spec.start if each is not needed)
        yield Mistake(needed.label, needed.clauses, "left out", replace(spec, start=start))


def _constants(checked: LoadedSpec) -> Iterator[Mistake]:
    """Constants are written into the places that use them, so the text is changed and read anew."""
    assert checked.spec is not None and checked.text is not None and checked.tree is not None
    text = checked.text.text
    clauses = {each.name: each.clauses for each in checked.spec.constants}
    for each in checked.tree.declarations:
        if not isinstance(each, tree.Const):
            continue
        name, span = each.name.text, each.value.span
        for how, sign in (("more", "+"), ("less", "-")):
            value = f"({text[span.start : span.end]}) {sign} 1"
            changed = check_text(checked.file, text[: span.start] + value + text[span.end :]).spec
            if changed is not None:
                yield Mistake(name, clauses.get(name, ()), f"one {how}", changed)

"""The mistakes a spec is tried with: everything that carries out a clause, broken on purpose.

To the mutants that test vectors are made from come some kinds that only evidence asks about: a
move that is never allowed, a constant one too high or too low, a demand on the beginning that is
left out, and what too many see or too few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.meaning.twin_games import has_secrets
from rulewright.syntax import tree
from rulewright.syntax.node import Node, replace

NEVER, ALL_SEE, NOT_SHOWN = "never allowed", "seen by all", "not shown"
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
        *_permissions_taken_away(spec),
        *_starts_left_out(spec),
        *_constants(checked),
        *_seen_by_others(spec),
    ]


def carriers(everything: Sequence[Mistake]) -> list[list[Mistake]]:
    """The mistakes in each carrier."""
    found: dict[str, list[Mistake]] = {}
    for each in everything:
        found.setdefault(each.carrier, []).append(each)
    return list(found.values())


def _moves_never_allowed(spec: c.Spec) -> Iterator[Mistake]:
    for move in spec.transitions:
        if move.kind == "move" and move.clauses:
            yield Mistake(move.name, move.clauses, NEVER, _never(spec, move))


def _permissions_taken_away(spec: c.Spec) -> Iterator[Mistake]:
    """Where several moves make use of a permission, none of them is ever allowed."""
    using: dict[tuple[str, ...], list[str]] = {}
    for clause in spec.clauses:
        moves = [e for e in spec.transitions if e.kind == "move" and clause.name in e.clauses]
        if clause.kind == "may" and len(moves) > 1:
            using.setdefault(tuple(each.name for each in moves), []).append(clause.name)
    for names, clauses in using.items():
        wrong = spec
        for each in spec.transitions:
            if each.name in names:
                wrong = _never(wrong, each)
        yield Mistake(" and ".join(names), tuple(clauses), NEVER, wrong)


def _never(spec: c.Spec, move: c.Transition) -> c.Spec:
    """A spec in which a move is never allowed."""
    no = c.Literal(move.span, y.BOOL, False)
    never = c.Requirement(move.span, f"{move.name}.never", None, (), no)
    return _with(spec, move, requirements=(*move.requirements, never))


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


def _seen_by_others(spec: c.Spec) -> Iterator[Mistake]:
    """Something hidden is seen by all; something shown is not shown, or to all. What is hidden and
    cites no clause belongs to those that what writes it carries out: it is written unseen."""
    secret = has_secrets(spec)
    for variable in spec.variables:
        if variable.hidden:
            clauses = variable.clauses or tuple(dict.fromkeys(_written_by(spec, variable.name)))
            seen = replace(variable, hidden=False, from_owner=False)
            variables = tuple(seen if each is variable else each for each in spec.variables)
            wrong = replace(spec, variables=variables)
            yield Mistake(variable.name, clauses, ALL_SEE, wrong)
    for one in spec.transitions if secret else ():
        for at, param in enumerate(one.params):
            if param.hidden:
                known = (*one.params[:at], replace(param, hidden=False), *one.params[at + 1 :])
                what = f"{ALL_SEE}: {param.name}"
                yield Mistake(one.name, one.clauses, what, _with(spec, one, params=known))
        for at, shown in enumerate(one.shows):
            before, after = one.shows[:at], one.shows[at + 1 :]
            wrong = _with(spec, one, shows=(*before, *after))
            yield Mistake(one.name, one.clauses, f"{NOT_SHOWN}, {at + 1}", wrong)
            if shown.to is not None:
                to_all = (*before, replace(shown, to=None), *after)
                what = f"shown to all, {at + 1}"
                yield Mistake(one.name, one.clauses, what, _with(spec, one, shows=to_all))


def _with(spec: c.Spec, one: c.Transition, **changes: Any) -> c.Spec:
    """A spec with a transition changed."""
    wrong = replace(one, **changes)
    transitions = tuple(wrong if each is one else each for each in spec.transitions)
    return replace(spec, transitions=transitions)


def _written_by(spec: c.Spec, variable: str) -> Iterator[str]:
    """The clauses that something carries out which writes a variable, itself or by an effect."""
    writes: set[str] = set()

    def is_written(part: c.Core) -> bool:
        return any(
            (isinstance(node, c.Assign) and node.variable == variable)
            or (isinstance(node, c.Perform) and node.effect in writes)
            for node in walk(part)
        )

    while more := {e.name for e in spec.effects if e.name not in writes and is_written(e)}:
        writes |= more
    for part in (*spec.transitions, *spec.effects):
        for node in walk(part):
            if isinstance(node, c.Transition | c.Effect | c.Labelled) and is_written(node):
                yield from node.clauses

"""The turn as a diagram of the few steps that players think in: a box for each, arrows to what can
follow it.

The steps are the titled paragraphs of the sections that name phases; a phase that none of them
names is a step of its own. A paragraph beside them that names none is a step if there are moves
which carry out its sentences and those of no other: what one may do in a phase. A step leads to
another if something that can happen in one of its phases, or one of its moves, leads to one of the
other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.meaning import core as c
from rulewright.site.draw.step_boxes import draw_steps
from rulewright.site.model.phase_graph import phase_transitions
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node
from rulewright.translate.wording import Wording


class Step(Node):
    """Something that players do, the phases or the moves that it is, and whether the game is over
    with it."""

    title: str
    phases: tuple[str, ...]
    final: bool
    moves: tuple[str, ...] = ()


def turn_diagram(spec: c.Spec, wording: Wording) -> str:
    """The steps as an SVG; empty if there is only one."""
    steps = turn_steps(spec)
    if len(steps) < 2:
        return ""
    boxes = [(each.title, each.final) for each in steps]
    return draw_steps(boxes, step_arrows(spec, steps), spec.title, wording)


def turn_steps(spec: c.Spec) -> list[Step]:
    """The steps in the order in which their first phases are declared, moves after the phases that
    they are made in."""
    order = {each.name: at for at, each in enumerate(spec.phases)}
    named = list(_named(spec))
    taken = {phase for step in named for phase in step.phases}
    rest = [
        Step(_capital(each.prose or spoken(each.name)), (each.name,), each.final)
        for each in spec.phases
        if each.name not in taken
    ]
    made_in = {each.name: [order[phase] for phase in each.phases] for each in spec.transitions}

    def place(step: Step) -> tuple[int, bool]:
        moves = [at for name in step.moves for at in made_in[name]]
        return min([*(order[name] for name in step.phases), *moves]), bool(step.moves)

    return sorted([*named, *rest], key=place)


def _named(spec: c.Spec) -> Iterator[Step]:
    for section in spec.sections:
        if any(each.phases for each in section.paragraphs):
            for paragraph in section.paragraphs:
                moves = () if paragraph.phases else tuple(_moves_of(spec, section, paragraph))
                if paragraph.title is not None and (paragraph.phases or moves):
                    yield Step(paragraph.title, paragraph.phases, False, moves)


def _moves_of(spec: c.Spec, section: c.Section, paragraph: c.Paragraph) -> Iterator[str]:
    """The moves that carry out sentences of a paragraph and of no other in its section."""
    others = {name for each in section.paragraphs if each is not paragraph for name in each.clauses}
    for each in spec.transitions:
        clauses = set(each.clauses)
        own = not clauses.isdisjoint(paragraph.clauses) and clauses.isdisjoint(others)
        if own and each.kind == "move" and each.phases:
            yield each.name


def step_arrows(spec: c.Spec, steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Which step can lead to which, by their places."""
    at = {phase: place for place, step in enumerate(steps) for phase in step.phases}
    own = {move: place for place, step in enumerate(steps) for move in step.moves}
    found: dict[tuple[int, int], None] = {}
    for phase, ways in phase_transitions(spec).items():
        for way in ways:
            through = own.get(way.transition.name, at[phase])
            leads = [at[target] for target in way.targets]
            if through != at[phase]:
                found[at[phase], through] = None
                leads = leads or [at[phase]]
            found |= {(through, place): None for place in leads if through != place}
    return list(found)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]

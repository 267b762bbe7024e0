"""The turn as a diagram of the few steps that players think in: a box for each, arrows to what can
follow it.

The steps are the titled paragraphs of the sections that name phases; a phase that none of them
names is a step of its own. A step leads to another if something that can happen in one of its
phases leads to one of the other's.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.site.draw.step_boxes import draw_steps
from rulewright.site.model.phase_graph import phase_transitions
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node
from rulewright.translate.wording import Wording


class Step(Node):
    """Something that players do, the phases it takes, and whether the game is over with it."""

    title: str
    phases: tuple[str, ...]
    final: bool


def turn_diagram(spec: c.Spec, wording: Wording) -> str:
    """The steps as an SVG; empty if there is only one."""
    steps = turn_steps(spec)
    if len(steps) < 2:
        return ""
    boxes = [(each.title, each.final) for each in steps]
    return draw_steps(boxes, step_arrows(spec, steps), spec.title, wording)


def turn_steps(spec: c.Spec) -> list[Step]:
    """The steps in the order in which their first phases are declared."""
    order = {each.name: at for at, each in enumerate(spec.phases)}
    named = [
        Step(paragraph.title, paragraph.phases, False)
        for section in spec.sections
        for paragraph in section.paragraphs
        if paragraph.title is not None and paragraph.phases
    ]
    taken = {phase for step in named for phase in step.phases}
    rest = [
        Step(_capital(each.prose or spoken(each.name)), (each.name,), each.final)
        for each in spec.phases
        if each.name not in taken
    ]
    return sorted([*named, *rest], key=lambda each: min(order[name] for name in each.phases))


def step_arrows(spec: c.Spec, steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Which step can lead to which, by their places."""
    at = {phase: place for place, step in enumerate(steps) for phase in step.phases}
    found = {
        (at[phase], at[target]): None
        for phase, ways in phase_transitions(spec).items()
        for way in ways
        for target in way.targets
        if at[phase] != at[target]
    }
    return list(found)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]

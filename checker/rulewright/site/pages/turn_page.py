"""The page that says how a game is set up and how a turn goes: its phases, what can be done in each
of them, what that needs and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.site.model.book import Book
from rulewright.site.model.phase_graph import (
    KINDS,
    SIGNS,
    PhaseTransition,
    phase_diagram,
    phase_transitions,
)
from rulewright.site.model.reading_effects import ReadingEffects, effects_of
from rulewright.site.words.markdown import (
    code,
    link,
    listed,
    page,
    plain,
    sentence,
    spoken,
    table,
    title,
)

NEEDED = {"move": "Needed", "chance": "Needed", "step": "When"}


def turn_page(book: Book) -> str:
    """Setup, phases and what can be done in each."""
    spec = book.spec
    instance, position = book.beginning()
    lines = [f"# Setup and turn of {plain(spec.title)}", "", "## Setup", ""]
    lines += [f"- {sentence(each.prose or each.label)}" for each in spec.start]
    lines += [f"- {sentence(each)}" for each in _open_choices(spec)]
    drawn = book.scene(instance).show_sheet(position)
    if drawn:
        lines += ["", drawn, ""]
    kinds = ", ".join(f"{SIGNS[kind]} {words}" for kind, words in KINDS.items())
    lines += ["", "## The phases", ""]
    lines += [f'<div class="rw-scroll">{phase_diagram(spec)}</div>', ""]
    lines += [f"*{kinds}. An arrow shows where an event can lead.*"]
    asked = ReadingEffects(spec)
    for phase in spec.phases:
        lines += ["", f"### {title(phase.name)}", ""]
        if phase.prose:
            lines += [sentence(phase.prose), ""]
        for way in phase_transitions(spec)[phase.name]:
            lines += _event(spec, way, asked)
    lines += ["", "## What makes up a position", *_glossed_state(spec)]
    return page(lines)


def _event(spec: c.Spec, way: PhaseTransition, asked: ReadingEffects) -> list[str]:
    """One thing that can happen in a phase: what it needs, what it does, where it leads."""
    transition = way.transition
    prose = f": {plain(transition.prose)}" if transition.prose else ""
    sign = SIGNS[transition.kind]
    first = f"**{sign} {plain(spoken(transition.name))}** ({KINDS[transition.kind]}){prose}"
    if way.targets:
        leads = listed([f"*{plain(spoken(each))}*" for each in way.targets])
        first += f" → {leads.replace(' and ', ' or ')}"
    needs = [each for each in transition.requirements if each.prose]
    shown = [
        each for each in needs if each.label.rpartition(".")[2] not in ("phase", "once", "in_order")
    ]
    needed = [
        f"{plain(each.prose or '')}{_cites(each.clauses)}{asked.of_requirement(each)}"
        for each in shown
    ]
    effects = effects_of(spec, transition)
    done = [
        f"{plain(each.effect.prose)}{_cites(each.effect.clauses)}{asked.of_effect(each)}"
        for each in effects
    ]
    then = "Then, depending on the case" if any(each.conditions for each in effects) else "Then"
    return [first + asked.of_transition(transition), "",
            *_list(NEEDED[transition.kind], needed), *_list(then, done)]  # fmt: skip


def _list(head: str, lines: Sequence[str]) -> list[str]:
    return [f"{head}:", "", *(f"- {each}" for each in dict.fromkeys(lines)), ""] if lines else []


def _cites(clauses: Sequence[str]) -> str:
    if not clauses:
        return ""
    links = ", ".join(link(code(each), "rules.md", f"clause-{each}") for each in clauses)
    return f" ({links})"


def _open_choices(spec: c.Spec) -> list[str]:
    """What is different from game to game when it begins, and is fixed by nothing else."""
    fixed = set(_fixed(spec))
    return [
        f"{each.prose or spoken(each.name)}: {_settled(spec, each)}"
        for each in spec.variables
        if each.initial is None and each.name not in fixed
    ]


def _settled(spec: c.Spec, variable: c.Variable) -> str:
    """How something is settled that no rule says. A player whom a rule of the start goes by, such
    as the youngest, is nobody's choice."""
    read = {
        node.name
        for each in spec.start
        for node in walk(each.condition)
        if isinstance(node, c.StateVar)
    }
    known = isinstance(variable.type, y.Player) and variable.name in read
    return "depends on who plays" if known else "settled before the game begins"


def _fixed(spec: c.Spec) -> Iterator[str]:
    """The variables that a rule of the start says the value of: a whole one, by others."""
    waiting = [each.condition for each in spec.start]
    told_by: set[str] = set()
    while waiting:
        match waiting.pop(0):
            case c.Binary(operator="and", left=left, right=right):
                waiting = [left, right, *waiting]
            case c.Binary(operator="equal", left=c.StateVar(name=name), right=value):
                read = {each.name for each in walk(value) if isinstance(each, c.StateVar)}
                if name not in read | told_by:
                    told_by |= read
                    yield name
            case _:
                pass


def _glossed_state(spec: c.Spec) -> list[str]:
    """What there is to know of a position, in words."""
    rows = [
        (plain(spoken(each.name)), plain(each.prose or ""), _whose(each))
        for each in spec.variables
        if each.prose
    ]
    return table(("what", "meaning", "whose"), rows)


def _whose(variable: c.Variable) -> str:
    """Whose something is, and who sees it if not everybody does."""
    if variable.owned:
        return "each player, unseen by the others" if variable.hidden else "each player"
    return "seen by nobody" if variable.hidden else "all"

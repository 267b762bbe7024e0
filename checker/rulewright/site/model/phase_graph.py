"""How a game goes from phase to phase, told from what its events assign to `phase`, and the
diagram of it: a box for each phase with what can happen in it, an arrow to where that leads.

Conditions are left aside: an arrow says that an event can lead there, not when.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node

ROW = 20
HEAD = 38
GAP = 26
LANE = 13
NARROWEST = 230
SIGNS = {"move": "▸", "chance": "⚄", "step": "⟳"}
KINDS = {"move": "a move", "chance": "chance", "step": "by itself"}


class PhaseTransition(Node):
    """An event that can happen in a phase, and the phases it can lead to (none: it stays)."""

    transition: c.Transition
    targets: tuple[str, ...]


def phase_transitions(spec: c.Spec) -> dict[str, list[PhaseTransition]]:
    """What can happen in each phase and where it leads."""
    effects = {each.name: each for each in spec.effects}
    found: dict[str, list[PhaseTransition]] = {each.name: [] for each in spec.phases}
    for transition in spec.transitions:
        targets = tuple(dict.fromkeys(_targets(transition.body, effects)))
        for phase in transition.phases or tuple(found):
            found[phase].append(
                PhaseTransition(transition, tuple(t for t in targets if t != phase))
            )
    return found


def phase_diagram(spec: c.Spec) -> str:
    """The phases as an SVG."""
    return _Diagram(spec).draw()


def _targets(
    body: tuple[c.Statement, ...], effects: dict[str, c.Effect], seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    for statement in body:
        for node in walk(statement):
            match node:
                case c.Assign(variable="phase"):
                    for part in walk(node.value):
                        if isinstance(part, c.Literal) and isinstance(part.value, str):
                            yield part.value
                case c.Perform(effect=name) if name not in seen:
                    yield from _targets(effects[name].body, effects, seen | {name})
                case _:
                    pass


class _Box(Node):
    """A phase in the diagram: where it begins and ends from top to bottom, and its rows."""

    phase: c.Phase
    top: float
    bottom: float
    ways: tuple[PhaseTransition, ...]

    def row(self, at: int) -> float:
        """The middle of one of its rows."""
        return self.top + HEAD + ROW * at + ROW / 2 - 4


class _Diagram:
    def __init__(self, spec: c.Spec) -> None:
        self.spec = spec
        self.boxes: dict[str, _Box] = {}
        top = 6.0
        for phase, found in zip(spec.phases, phase_transitions(spec).values()):
            bottom = top + HEAD + ROW * len(found) + (4 if found else -4)
            self.boxes[phase.name] = _Box(phase, top, bottom, tuple(found))
            top = bottom + GAP
        self.height = top - GAP + 6
        self.room = max([NARROWEST, *(width_of(each, 12) + 40 for each in self._labels())])
        self.right = self._lanes(forward=True)
        self.left = self._lanes(forward=False)
        self.begin = LANE * (max(self.left.values(), default=-1) + 2)

    def draw(self) -> str:
        lanes = max(self.right.values(), default=-1) + 2
        drawing = Drawing(self.begin + self.room + LANE * lanes, self.height)
        for box in self.boxes.values():
            self._box(drawing, box)
        for name, box in self.boxes.items():
            for at, way in enumerate(box.ways):
                for target in way.targets:
                    self._arrow(drawing, name, target, box.row(at))
        for forward, lanes_by_target in ((True, self.right), (False, self.left)):
            for target in lanes_by_target:
                self._entry(drawing, target, forward)
        return drawing.done(self._said(), "rw-flow")

    def _labels(self) -> Iterator[str]:
        for box in self.boxes.values():
            yield _heading(box.phase)
            for way in box.ways:
                yield f"{spoken(way.transition.name)}    "

    def _box(self, drawing: Drawing, box: _Box) -> None:
        round = 16 if box.phase.final else 6
        height = box.bottom - box.top
        drawing.boxes([(self.begin, box.top)], self.room, height, "currentColor", 0.04, round)
        if box.phase.final:
            inset = (self.begin + 3, box.top + 3)
            drawing.boxes([inset], self.room - 6, height - 6, round=13)
        drawing.text(self.begin + 12, box.top + 22, _heading(box.phase), 14, "start", bold=True)
        for at, way in enumerate(box.ways):
            line = box.row(at) + 4
            drawing.text(self.begin + 20, line, SIGNS[way.transition.kind], 13)
            drawing.text(self.begin + 34, line, spoken(way.transition.name), 12, "start")

    def _lanes(self, forward: bool) -> dict[str, int]:
        """A lane for each phase that arrows lead to on this side, the shortest innermost; lanes
        that do not meet share one."""
        order = list(self.boxes)
        spans: dict[str, tuple[int, int]] = {}
        for source, box in self.boxes.items():
            for target in (each for way in box.ways for each in way.targets):
                here, there = order.index(source), order.index(target)
                if (there > here) == forward:
                    low, high = spans.get(target, (there, there))
                    spans[target] = (min(low, here), max(high, here))
        lanes: dict[str, int] = {}
        for target, (low, high) in sorted(spans.items(), key=lambda item: item[1][1] - item[1][0]):
            taken = {
                lanes[other]
                for other in lanes
                if spans[other][0] <= high and low <= spans[other][1]
            }
            lanes[target] = next(lane for lane in range(len(spans)) if lane not in taken)
        return lanes

    def _arrow(self, drawing: Drawing, source: str, target: str, at: float) -> None:
        """From a row into the lane of the phase it leads to, and along it."""
        order = list(self.boxes)
        forward = order.index(target) > order.index(source)
        lane, edge = self._lane(target, forward)
        drawing.path(f"M{edge:.1f} {at:.1f}H{lane:.1f}V{self._entrance(target, forward):.1f}", 1.3)
        drawing.circle(edge, at, 2, "currentColor")

    def _entry(self, drawing: Drawing, target: str, forward: bool) -> None:
        """From the lane of a phase into its box."""
        lane, edge = self._lane(target, forward)
        y = self._entrance(target, forward)
        drawing.path(f"M{lane:.1f} {y:.1f}H{edge:.1f}", 1.3)
        drawing.arrow_head(edge, y, "left" if forward else "right")

    def _lane(self, target: str, forward: bool) -> tuple[float, float]:
        if forward:
            edge = self.begin + self.room
            return edge + LANE * (self.right[target] + 1), edge
        return self.begin - LANE * (self.left[target] + 1), self.begin

    def _entrance(self, target: str, forward: bool) -> float:
        return self.boxes[target].top + 16

    def _said(self) -> str:
        parts = []
        for name, box in self.boxes.items():
            events = []
            for way in box.ways:
                leads = " or ".join(spoken(each) for each in way.targets)
                events.append(spoken(way.transition.name) + (f" leads to {leads}" if leads else ""))
            parts.append(f"{spoken(name)}: {', '.join(events) or 'the end'}")
        return f"the phases of {self.spec.title}. " + ". ".join(parts)


def _heading(phase: c.Phase) -> str:
    more = " (all at once)" if phase.simultaneous else " (the end)" if phase.final else ""
    return spoken(phase.name) + more

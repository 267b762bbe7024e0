"""Moves, chance events and steps as Python functions.

For each move and chance event: `check_…` says which requirements refuse it, `allows_…` only
whether any does, `do_…` makes it happen, with the steps it sets off. An event is a tuple: the
number of its transition, the mover (None for chance), the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.meaning import core as c
from checker.play.compile.code import CHOICE, TRUE, Block, Code, Here, Names, negation
from checker.play.compile.effects import Effects
from checker.play.compile.expressions import Expressions
from checker.play.rules import MOST_STEPS, requirements


class Transitions:
    """Compiles what happens in a game."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.effects = Effects(expressions)
        self.unit = expressions.unit
        self.instance = expressions.unit.instance
        self.numbers = {
            each.name: number for number, each in enumerate(self.instance.spec.transitions)
        }
        self.steps = self.instance.of_kind("step")
        self._phases = [phase.name for phase in self.instance.spec.phases]
        self._stepping = {phase for step in self.steps for phase in step.phases}

    def all(self) -> None:
        """Writes the functions of all transitions."""
        self.follow()
        for transition in self.instance.spec.transitions:
            if transition.kind != "step":
                self._check(transition)
                self.judge(transition)
                self.carry_out(transition)

    def follow(self) -> None:
        """Writes what follows an event by itself."""
        if self.steps:
            self._steps()

    def unpacked(self, transition: c.Transition, here: Here) -> Here:
        """The parts of an event, by name."""
        names = ["_"]
        env = {}
        mover = [transition.mover] if transition.mover is not None else []
        for name in (*mover, *(param.name for param in transition.params)):
            names.append(here.names.fresh())
            env[name] = Code(names[-1])
        if transition.mover is None:
            names.insert(1, "_")
        if len(names) > 2 or mover:
            here.block.add(f"{', '.join(names)} = event")
        return here.alone(env)

    # ---- asking

    def _check(self, transition: c.Transition) -> None:
        """All requirements that refuse an event. One without a value is passed over if another
        before it refuses."""
        here = Here(Block(), Names())
        with here.block.inside(f"def check_{self.unit.number(transition.name)}(s, event):"):
            inside = self.unpacked(transition, here)
            here.block.add("found = []")
            for number, requirement in enumerate(requirements(transition)):
                lines = Block()
                trial = Here(lines, Names(here.names.count), inside.env)
                truth = negation(self.expressions.truth(requirement.condition, trial))
                here.names.count = trial.names.count
                if truth.is_known and not truth.known and not lines:
                    continue
                if trial.names.fails or truth.fails:
                    self._guarded(lines, truth, number, here.block)
                else:
                    here.block.splice(lines)
                    with here.block.inside(f"if {truth.at(CHOICE)}:"):
                        here.block.add(f"found.append({number})")
            here.block.add("return found")
        self.unit.write(here.block)

    def _guarded(self, lines: Block, refused: Code, number: int, block: Block) -> None:
        with block.inside("try:"):
            block.splice(lines)
            with block.inside(f"if {refused.at(CHOICE)}:"):
                block.add(f"found.append({number})")
        with block.inside("except EvaluationError:"), block.inside("if not found:"):
            block.add("raise")

    def judge(self, transition: c.Transition) -> None:
        """Writes whether nothing refuses an event."""
        here = Here(Block(), Names())
        with here.block.inside(f"def allows_{self.unit.number(transition.name)}(s, event):"):
            inside = self.unpacked(transition, here)
            for requirement in requirements(transition):
                truth = negation(self.expressions.truth(requirement.condition, inside))
                if truth.is_known and not truth.known:
                    continue
                with here.block.inside(f"if {truth.at(CHOICE)}:"):
                    here.block.add("return False")
            here.block.add("return True")
        self.unit.write(here.block)

    # ---- doing

    def carry_out(self, transition: c.Transition) -> None:
        """Writes what an event does."""
        here = Here(Block(), Names())
        settles = self._phases_after(transition.body, set(transition.phases)) & self._stepping
        after = ", settle=settle" if settles else ", settle=None"
        with here.block.inside(f"def do_{self.unit.number(transition.name)}(s, event{after}):"):
            self.effects.run(transition.body, self.unpacked(transition, here))
            if settles:
                here.block.add("step = due_step(s)")
                with here.block.inside("if step is not None:"):
                    here.block.add("settle(s, step)")
        self.unit.write(here.block)

    def _phases_after(self, statements: Iterable[c.Statement], before: set[str]) -> set[str]:
        """The phases the game may be in after statements."""
        now = before
        for statement in statements:
            match statement:
                case c.Assign(variable="phase", value=c.Literal(value=str() as phase)):
                    now = {phase}
                case c.Assign(variable="phase"):
                    now = set(self._phases)
                case c.If(then=then, otherwise=otherwise):
                    now = self._phases_after(then, now) | self._phases_after(otherwise, now)
                case c.For(body=body):
                    now = now | self._phases_after(body, now)
                case c.Perform(effect=effect):
                    now = self._phases_after(self.instance.effects[effect].body, now)
                case c.Labelled(body=body):
                    now = self._phases_after(body, now)
        return now

    def _steps(self) -> None:
        """The steps: which one is due, and running them for as long as one is."""
        for step in self.steps:
            here = Here(Block(), Names())
            with here.block.inside(f"def step_{self.unit.number(step.name)}(s):"):
                self.effects.run(step.body, here)
            self.unit.write(here.block)
        here = Here(Block(), Names())
        with here.block.inside("def due_step(s):"):
            for number, phase in enumerate(self._phases):
                if phase in self._stepping:
                    with here.block.inside(f"if s[0] == {number}:"):
                        for place, step in enumerate(self.steps):
                            if phase in step.phases:
                                self._due(step, place, here)
                        here.block.add("return None")
            here.block.add("return None")
        here.block.add("")
        functions = "".join(f"step_{self.unit.number(step.name)}, " for step in self.steps).rstrip()
        here.block.add(f"STEPS = ({functions})")
        here.block.add(f"ENDLESS = {tuple(map(self._endless, self.steps))}")
        here.block.add("")
        with here.block.inside("def settle(s, step):"):
            with here.block.inside(f"for count in range({MOST_STEPS}):"):
                here.block.add("STEPS[step](s)")
                here.block.add("step = due_step(s)")
                with here.block.inside("if step is None:"):
                    here.block.add("return")
            here.block.add("raise fail(ENDLESS[step])")
        self.unit.write(here.block)

    def _endless(self, step: c.Transition) -> int:
        message = f"the steps do not stop, among them `{step.name}`"
        return self.unit.failure(step.span, lambda: message)

    def _due(self, step: c.Transition, place: int, here: Here) -> None:
        """Answers with a step if its conditions hold; each may lean on those before it."""
        due = TRUE
        for requirement in step.requirements[1:]:  # the first is the phase

            def ask(at: Here, condition: c.Expr = requirement.condition) -> Code:
                return self.expressions.truth(condition, at)

            due = self.expressions.both(due, "and", ask, here)
        with here.block.inside(f"if {due.at(CHOICE)}:"):
            here.block.add(f"return {place}")

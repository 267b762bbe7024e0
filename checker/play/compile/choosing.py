"""Functions that begin a game and that choose a move at random.

`begin(s, random)` goes through the initial states; `choose_PHASE(s, random)` picks a player who
can move, and then one of that player's moves, each equally likely. Whose move it is is told from
the requirements where they say it; where all act at once, anybody who has not acted yet may.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, Block, Here, Names
from checker.play.compile.listing import Listing
from checker.play.compile.plan import Plan
from checker.play.compile.rewrite import rebuilt
from checker.syntax.node import NOWHERE, Node, replace


class Movers(Node):
    """Who may move in a phase: the one that an expression says, or those of a set."""

    only: c.Expr | None
    waiting: bool


class Choosing:
    """Compiles choices that a random player makes."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.expressions = listing.expressions
        self.unit = listing.unit
        self.layout = listing.unit.layout
        self.instance = listing.instance

    def all(self) -> None:
        self._begin()
        for phase in self.instance.spec.phases:
            moves = self.listing.of_phase("move", phase.name)
            if moves:
                self._movers(phase, moves)
                if not any(move.proposals for move in moves):
                    self._choose(phase)

    # ---- moves

    def _movers(self, phase: c.Phase, moves: Sequence[c.Transition]) -> None:
        """`movers_PHASE(s)`: the players who may be able to move."""
        here = Here(Block(), Names())
        found = self._who(phase, moves)
        with here.block.inside(f"def movers_{self.unit.number(phase.name)}(s):"):
            if found.only is not None:
                player = self.expressions.value(found.only, here)
                here.block.add(f"return ({player.at(CHOICE)},)")
            elif found.waiting:
                everybody = self.layout.all_bits(self._player())
                answered = self.expressions.lookups.in_slot("answered", [], "s")
                here.block.add(f"return ELEMENTS[{everybody} & ~{answered.text}]")
            else:
                here.block.add(f"return {tuple(range(1, self.instance.players + 1))}")
        self.unit.write(here.block)

    def _player(self) -> y.Player:
        return y.Player(self.instance.spec.least, self.instance.spec.most)

    def _who(self, phase: c.Phase, moves: Sequence[c.Transition]) -> Movers:
        says = [self._only(move) for move in moves]
        if says[0] is not None and all(each == says[0] for each in says):
            return Movers(says[0], False)
        return Movers(None, phase.simultaneous)

    def _only(self, move: c.Transition) -> c.Expr | None:
        """The player that a requirement like `p == active` says."""
        for requirement in move.requirements:
            for part in self.unit.rewriter.conjuncts(requirement.condition):
                match part:
                    case c.Binary(operator="equal", left=left, right=right):
                        for one, other in ((left, right), (right, left)):
                            is_mover = isinstance(one, c.Local) and one.name == move.mover
                            if is_mover and not self.unit.facts.of(other).names:
                                return other if self._is_safe(other) else None
        return None

    def _is_safe(self, e: c.Expr) -> bool:
        here = Here(Block(), Names())
        code = self.expressions.value(e, here)
        return not code.fails and not here.names.fails and isinstance(e.type, y.Player)

    def _choose(self, phase: c.Phase) -> None:
        number = self.unit.number(phase.name)
        block = Block()
        with block.inside(f"def choose_{number}(s, random):"):
            block.add(f"players = movers_{number}(s)")
            with block.inside("while players:"):
                block.add("p = players[int(random() * len(players))]")
                block.add("out = []")
                block.add(f"moves_{number}(s, p, out)")
                with block.inside("if out:"):
                    block.add("return out[int(random() * len(out))]")
                block.add("players = tuple(other for other in players if other != p)")
            block.add("return None")
        self.unit.write(block)

    # ---- the beginning

    def _begin(self) -> None:
        """`begin(s, random)`: the states a game can begin with; `s` has what is given."""
        open_types = {
            name: variable.type
            for name, variable in self.instance.variables.items()
            if variable.initial is None
        }
        here = Here(Block(), Names())
        needed = [self._localised(each, open_types) for each in self.instance.spec.start]
        with here.block.inside("def begin(s, random=None):"):
            here.block.add("yield from ()")
            inside = here.alone({})
            known = [each for each in needed if each is not None]
            task = self.listing.conditions.task(open_types, known, inside)
            plan = Plan(self.expressions, task, inside, shuffled=True)
            plan.run(inside, lambda at: self._found(at, open_types))
        self.unit.write(here.block)

    def _found(self, at: Here, open_types: dict[str, y.Type]) -> None:
        at.block.add("state = s[:]")
        for name in open_types:
            slots = self.layout.slots[name]
            if not slots.keys:
                at.block.add(f"state[{slots.base}] = {at.env[name].at(CHOICE)}")
                continue
            depth, stop = len(slots.keys), slots.base + slots.count
            value = at.env[name].at(CHOICE)
            value = value if depth == 1 else f"flat({value}, {depth})"
            at.block.add(f"state[{slots.base}:{stop}] = {value}")
        whole = at.alone({}, "state")
        with ExitStack() as inside:
            for requirement in self.instance.spec.start:
                truth = self.expressions.truth(requirement.condition, whole)
                if not truth.is_known or not truth.known:
                    inside.enter_context(at.block.inside(f"if {truth.at(CHOICE)}:"))
            at.block.add("yield state")

    def _localised(
        self, requirement: c.Requirement, open_types: dict[str, y.Type]
    ) -> c.Requirement | None:
        """A requirement on variables as one on local names; None if it asks functions that read
        the state."""

        def change(node: Any) -> Any:
            if isinstance(node, c.StateVar) and node.name in open_types:
                return c.Local(NOWHERE, node.type, node.name)
            return None

        condition = rebuilt(self.unit.rewriter.expanded(requirement.condition), change)
        if self.unit.facts.of(condition).state:
            return None
        return replace(requirement, condition=condition)  # type: ignore[no-any-return]

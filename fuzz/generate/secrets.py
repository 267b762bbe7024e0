"""Random small games in which something is hidden, with the claim that it stays secret.

Something is dealt or chosen that not all players see; events tell it to some, or to all, or use it
where that may show. What is claimed holds of about half of them.
"""

from __future__ import annotations

from random import Random

from fuzz.generate.atoms import Named, Scope
from fuzz.generate.expressions import Writer
from fuzz.generate.types import Bag, Bool, Enum, Int, Kind, Map, Option, Player, Set, written

CLAIM = "kept"
"""What the claim is called."""


def secretive(seed: int) -> str:
    """The game with this number, as text."""
    return _Secretive(Random(f"secret {seed}")).text()


class _Secretive:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.players = random.choice((2, 2, 2, 3))
        self.card: Kind = random.choice((Int(1, 2), Int(0, 2), Enum("Card", ("red", "blue"))))
        self.writer = Writer(random, self.players)
        self.writer.literal_players = random.random() < 0.4
        self.from_owner = random.random() < 0.3
        self.hand: Kind = random.choice(
            (Option(self.card), Option(self.card), Bag(self.card), Set(self.card), self.card)
        )
        self.deck: Kind = random.choice((Bag(self.card), Set(self.card), Option(self.card)))
        self.open: list[Named] = [
            Named("active", Player(), state=True), Named("n", Int(0, 3), state=True),
            Named("flag", Bool(), state=True), Named("table", Option(self.card), state=True),
            Named("said", Map(Player(), Bool()), state=True),
        ]  # fmt: skip
        self.hidden: list[Named] = [
            Named("deck", self.deck, state=True),
            Named("hand", Map(Player(), self.hand), state=True),
        ]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self) -> str:
        parts = [self._head(), self._deal(), *self._moves(), *self._steps()]
        return "\n".join([*parts, f'secret {CLAIM} "nobody learns it"', ""])

    def _head(self) -> str:
        simultaneous = " simultaneous" if self.chance(0.15) else ""
        lines = ['game g "g"', f"    players {self.players}"]
        if isinstance(self.card, Enum):
            lines.append(f"type Card = {' | '.join(self.card.members)}")
        drawn = written(self.card)
        hand = "hand: " + (drawn if self.hand == self.card else written(self.hand))
        deck: dict[type, str] = {
            Bag: f"{{each c: {drawn}}} + {{each c: {drawn}}}",
            Set: f"{{each c: {drawn}}}",
        }
        begun = deck.get(type(self.deck))
        lines += [
            f"phase deal, play{simultaneous}, over final",
            "state",
            "    active: Player" + (" = 1" if self.chance(0.8) else ""),
            "    n: 0..3 = 0",
            "    flag: Bool = false",
            f"    table: {drawn}? = none",
            f"    deck: {written(self.deck)} hidden" + (f" = {begun}" if begun else ""),
            "    each Player",
            "        said: Bool = false",
            f"        {hand} hidden" + (" from owner" if self.from_owner else "")
            + (f" = {self._nothing()}" if self.hand != self.card or self.chance(0.5) else ""),
        ]  # fmt: skip
        return "\n".join(lines)

    def _nothing(self) -> str:
        match self.hand:
            case Option():
                return "none"
            case Bag() | Set():
                return "{}"
            case _:
                return self.writer.literal(self.card)

    # ---- what happens

    def _deal(self) -> str:
        """Something is drawn that not all see, and put into a hand."""
        hidden = " hidden" if self.chance(0.85) else ""
        lines = [f'chance draw(k: {written(self.card)}{hidden}) in deal "dealt"']
        match self.deck:
            case Option():
                lines.append('    needs g0 "g0": deck == none or k == deck')
            case _:
                lines.append('    needs g0 "g0": k in deck')
        lines += self._shown("k", 0.75)
        lines.append("    does")
        if not isinstance(self.deck, Option) and self.chance(0.9):
            lines.append("        deck -= {k}")
        lines.append(f"        {self._put('active', 'k')}")
        lines += self._leak(("k",), 0.15)
        lines.append("        active = left_of(active)")
        lines += ["        n = min(3, n + 1)", f"        if n >= {self.players}:",
                  "            phase = play"]  # fmt: skip
        return "\n".join(lines)

    def _put(self, whose: str, what: str) -> str:
        if isinstance(self.hand, Bag | Set):
            return f"hand[{whose}] += {{{what}}}"
        return f"hand[{whose}] = {what}"

    def _shown(self, what: str, share: float) -> list[str]:
        """To whom it is shown: to who gets it, to somebody else, to all, to nobody."""
        if not self.chance(share):
            return []
        to = self.random.choices(
            (" to active", " to left_of(active)", "", f" to {self._player()}"), (6, 2, 1, 1)
        )[0]
        return [f"    shows {what}{to}"]

    def _player(self) -> str:
        return self.writer.leaf(Player(), Scope((self.open[0],)))

    def _scope(self, *bound: tuple[str, Kind], hidden: bool) -> Scope:
        names = (*self.open, *(self.hidden if hidden else ()))
        scope = Scope(names, keys=(Player(),))
        for name, kind in bound:
            scope = scope.bind(name, kind)
        return scope

    def _leak(self, named: tuple[str, ...], share: float) -> list[str]:
        """Perhaps a statement about something that all see."""
        if not self.chance(share):
            return []
        scope = self._scope(*((name, self.card) for name in named), hidden=True)
        target, kind = self.random.choice((("flag", Bool()), ("table", Option(self.card)),
                                           (f"said[{self._player()}]", Bool())))  # fmt: skip
        return [f"        {target} = {self.writer.any_of(kind, scope, 2, 12)}"]

    def _moves(self) -> list[str]:
        made = [self._lay()]
        made += [self._move(number) for number in range(self.random.choice((0, 1, 1, 2)))]
        made.append('move pass by p in play "pass"\n    does phase = over')
        return made

    def _lay(self) -> str:
        """A player lays what is in the own hand; one that does not see it lays whatever it is."""
        if self.from_owner or (not isinstance(self.hand, Bag | Set) and self.chance(0.3)):
            lines = ['move lay by p in play "lay"']
            what = self._own("p")
            own = f"size({what}) > 0" if isinstance(self.hand, Bag | Set) else f"{what} != none"
            lines += [f'    needs own "own": {own}'] if self.hand != self.card else []
            value = self._any_of_hand()
            if self.chance(0.5):
                lines.append(f"    shows {value}" + self.random.choice(("", "", " to p")))
            return "\n".join([*lines, "    does", f"        table = {value}", *self._leak((), 0.2)])
        hidden = " hidden" if self.chance(0.1) else ""
        lines = [f'move lay(k: {written(self.card)}{hidden}) by p in play "lay"']
        held = "k in hand[p]" if isinstance(self.hand, Bag | Set) else "hand[p] == k"
        lines.append(f'    needs own "own": {held}')
        if self.chance(0.6):
            lines.append('    needs turn "turn": p == active')
        lines += self._shown("hand[left_of(p)] == hand[p]", 0.15)
        lines += ["    does", "        table = k"]
        if self.hand != self.card and self.chance(0.8):
            taken = "hand[p] -= {k}" if isinstance(self.hand, Bag | Set) else "hand[p] = none"
            lines.append(f"        {taken}")
        return "\n".join([*lines, *self._leak(("k",), 0.2), "        active = left_of(active)"])

    def _own(self, who: str) -> str:
        return f"hand[{who}]"

    def _any_of_hand(self) -> str:
        if isinstance(self.hand, Bag | Set):
            return f"(first x: {written(self.card)}: x in hand[p])"
        return "hand[p]"

    def _move(self, number: int) -> str:
        """A move that asks for what all see, and does anything."""
        lines = [f'move m{number}(q: Player) by p in play "m{number}"']
        scope = self._scope(("p", Player()), ("q", Player()), hidden=False)
        lines.append(f'    needs n0 "n0": {self.writer.any_of(Bool(), scope, 2, 12)}')
        if self.chance(0.3):
            lines.append(f"    shows hand[q] to {self.random.choice(('p', 'q', 'left_of(p)'))}")
        lines += ["    does", "        said[p] = not said[p]", *self._leak((), 0.4)]
        if self.chance(0.25):
            lines.append("        let kept = hand[p]")
            lines += ["        hand[p] = hand[q]", "        hand[q] = kept"]
        return "\n".join(lines)

    def _steps(self) -> list[str]:
        if not self.chance(0.4):
            return []
        scope = self._scope(hidden=self.chance(0.6))
        condition = self.writer.any_of(Bool(), scope, 2, 12)
        lines = ['step after in play "after"', f'    when s0 "s0": n > 0 and {condition}']
        if self.chance(0.4):
            told = self.writer.any_of(Bool(), self._scope(hidden=True), 1, 12)
            lines.append(f"    shows {told}" + self.random.choice(("", " to active")))
        lines += ["    does", "        n = 0", *self._leak((), 0.3)]
        return ["\n".join(lines)]

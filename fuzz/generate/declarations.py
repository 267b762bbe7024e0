"""The first half of a random spec: types, phases, data, state, and what of it can be named.

Boards and ranges are chosen below and above the sizes at which the encoding changes.
"""

from __future__ import annotations

from random import Random

from fuzz.generate.atoms import DIRECTION, Function, Named, Scope
from fuzz.generate.boards import AHEAD, LINE, POINT
from fuzz.generate.expressions import Writer
from fuzz.generate.types import (  # fmt: skip
    Bag,
    Bool,
    Enum,
    Grid,
    Int,
    Kind,
    Map,
    Option,
    Player,
    Seq,
    Set,
    plain,
    size,
    written,
)

GRIDS = (((2, 2), 30), ((3, 1), 8), ((5, 6), 10), ((8, 4), 4), ((3, 11), 12), ((6, 6), 25),
         ((7, 7), 10), ((17, 16), 2))  # fmt: skip
"""Boards below and above the sizes at which the encoding changes, and how often each is used."""
LENGTHS = (2, 2, 3, 3, 4, 33)
"""How long lists can be: below and above the size at which they are boards."""
WIDE_RANGES = ((1, 4), (0, 31), (1, 33))
"""Ranges of numbers that are used as keys of maps."""


class Declaring:
    """Declares what a game consists of."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.least = random.choice((2, 2, 2, 1, 3))
        self.most = self.least + (random.random() < 0.12)
        self.writer = Writer(random, self.most)
        self.seats = random.random() < 0.5
        if not self.seats:
            self.writer.literal_players = False
        self.lines: list[str] = []
        self.plain: list[Kind] = [Bool(), Player(), Int(0, 2), Int(-1, 1)]
        self.keys: list[Kind] = [Player()]
        self.variables: list[Named] = []
        self.hidden: set[str] = set()
        self.unlisted: set[str] = set()
        """What begins in more ways than a claim about the beginning goes through."""
        self.tables: list[Named] = []
        self.others: list[Named] = []
        self.functions: list[Function] = []
        self.effects: list[tuple[str, tuple[Kind, ...]]] = []
        self.dealt: str | None = None
        """From where to where something can be dealt."""
        self.rules: list[tuple[str, tuple[Kind, ...]]] = []
        self.wide = 4

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def add(self, *lines: str) -> None:
        self.lines += lines

    # ---- types, phases, data

    def _types(self) -> None:
        random = self.random
        self.add('game g "g"', f"    players {self.least}..{self.most}", "")
        if self.chance(0.6):
            members = ("red", "blue", "green")[: random.choice((2, 3))]
            colour = Enum("Colour", members)
            self.add(f"type Colour = {' | '.join(members)}")
            self.plain.append(colour)
            self.keys.append(colour)
            if self.chance(0.3):
                every = tuple(f"card({m}, {n})" for m in members[:2] for n in (1, 2))
                fields: tuple[tuple[str, Kind], ...] = (("suit", colour), ("rank", Int(1, 2)))
                named, more = random.choice((("Card", ""), ("Tile", " | joker")))
                if len(members) == 3:
                    every = tuple(f"card({m}, {n})" for m in members for n in (1, 2))
                self.add(f"type {named} = card(suit: Colour, rank: 1..2){more}")
                card = Enum(named, every + (("joker",) if more else ()), fields)
                self.plain.append(card)
                if self.chance(0.4):
                    self.keys.append(card)
        if self.chance(0.2):
            self.add("type Small = 0..2")
            self.plain.append(Int(0, 2))
        self.grid: Grid | None = None
        if self.chance(0.5):
            sizes, weights = zip(*GRIDS)
            width, height = random.choices(sizes, weights)[0]
            hexes = self.chance(0.2)
            self.grid = Grid("Square", width, height, hexes, self.chance(0.15))
            self.add(f"type Square = {'hexes' if hexes else 'grid'} {width} x {height}")
            self.add(*([f"type {AHEAD}"] if self.grid.ahead else []))
            self.keys.append(self.grid)
            if not hexes and self.chance(0.15):
                self.plain.append(DIRECTION)
            self.wide = max(self.wide, width * height)
        elif self.chance(0.35):
            low, high = random.choice(WIDE_RANGES)
            self.keys.append(Int(low, high))
            self.wide = max(self.wide, high - low + 1)
        elif self.chance(0.3):
            self.add(f"type Point = {' | '.join(POINT.members)}")
            self.add(f"type Line = {' | '.join(LINE.members)}")
            self.keys.append(POINT)
            self.plain.append(POINT)

    def _phases(self) -> None:
        count = self.random.choice((1, 2, 2, 3))
        self.phases = [f"p{number}" for number in range(count)]
        self.simultaneous = {p for p in self.phases if self.chance(0.18)}
        told = [p + (" simultaneous" if p in self.simultaneous else "") for p in self.phases]
        self.add(f"phase {', '.join(told)}, over final", "")

    def _points(self) -> None:
        """What lies beside each point: by lines, or for each two of them."""
        if POINT not in self.keys:
            return
        lines = self.chance(0.6)
        index, value = (LINE, "Point?") if lines else (POINT, "Bool")
        cells: tuple[str, ...] = (*POINT.members, "none") if lines else ("true", "false", "false")
        self.add(f"table beside[Point, {index.name}]: {value}")
        for each in POINT.members:
            row = (self.random.choice(cells) for _ in index.members)
            self.add(f"    {each} {' '.join(row)}")
        inner: Kind = Option(POINT) if lines else Bool()
        self.tables.append(Named("beside", Map(POINT, Map(index, inner)), table=True))

    def _data(self) -> None:
        random = self.random
        self._points()
        if self.chance(0.3):
            self.add(f"const most = {random.randint(1, 3)}")
            self.others.append(Named("most", Int(1, 3), table=True))
        for number in range(random.choice((0, 0, 1, 1, 2))):
            drawn = [k for k in self.keys if not (isinstance(k, Grid) and k.hex)]
            keys = [k for k in drawn if not isinstance(k, Player) and size(k) <= 36]
            if not keys:
                continue
            key = random.choice(keys)
            value: Kind = Bool() if self.chance(0.2) else Int(0, 3)
            name = f"t{number}"
            self.add(f"table {name}[{written(key)}]: {written(value)}")
            cells = [self.writer.literal(value) for _ in range(size(key))]
            if isinstance(key, Grid):
                columns = " ".join(chr(65 + x) for x in range(key.width))
                self.add(f"      {columns}")
                for row in range(key.height):
                    line = cells[row * key.width : (row + 1) * key.width]
                    self.add(f"    {row + 1} {' '.join(line)}")
            else:
                self.add(f"    {' '.join(cells)}")
            self.tables.append(Named(name, Map(key, value), table=True))

    # ---- state

    def _state(self) -> None:
        random = self.random
        shared: list[str] = []
        owned: list[str] = []
        teams: list[str] = []
        colours = [k for k in self.keys if isinstance(k, Enum) and k.name == "Colour"]
        for number in range(random.choice((2, 3, 3, 4))):
            name, kind = f"{'abcdefg'[number]}", self._variable_kind()
            own = self.chance(0.3) and size(kind) < 100
            team = not own and colours and self.chance(0.08) and size(kind) < 100
            hidden = self.chance(0.05)
            if hidden:
                self.hidden.add(name)
            declared = self._declared(name, kind) + (" hidden" if hidden else "")
            initial = self._initial(kind)
            if initial is not None:
                declared += f" = {initial}"
            elif not plain(kind):
                self.unlisted.add(name)
            (owned if own else teams if team else shared).append(declared)
            whole: Kind = Map(Player(), kind) if own else Map(colours[0], kind) if team else kind
            self.variables.append(Named(name, whole, state=True))
        if self.chance(0.08):
            self._deck(shared, owned)
        self.add("state")
        self.add(*(f"    {each}" for each in shared))
        if owned:
            self.add("    each Player", *(f"        {each}" for each in owned))
        if teams:
            self.add("    each Colour", *(f"        {each}" for each in teams))
        self.add("")
        if any(" = " not in line for line in (*shared, *owned, *teams)) and self.chance(0.4):
            scope = Scope(tuple(self.variables), keys=tuple(self._small_keys()))
            claim = self.writer.any_of(Bool(), scope, 2, 20)
            self.add("start", f'    s0 "s0": {claim}', "")

    def _deck(self, shared: list[str], owned: list[str]) -> None:
        """A bag, and what can be dealt to from it."""
        cards: list[Kind] = [k for k in self.plain if isinstance(k, Enum) and k.name != "Direction"]
        card = self.random.choice([*cards, Int(1, 2)])
        there = ", ".join(self.writer.literal(card) for _ in range(self.random.randint(2, 4)))
        hidden = " hidden" if self.chance(0.3) else ""
        shared.append(f"deck: Bag[{written(card)}]{hidden} = {{{there}}}")
        if hidden:
            self.hidden.add("deck")
        self.variables.append(Named("deck", Bag(card), state=True))
        kind = self.random.choice((Bag(card), Seq(card, 2), Option(card)))
        each = self.chance(0.6)
        nothing = "{}" if isinstance(kind, Bag) else "[]" if isinstance(kind, Seq) else "none"
        (owned if each else shared).append(f"hand: {written(kind)} = {nothing}")
        self.variables.append(Named("hand", Map(Player(), kind) if each else kind, state=True))
        many = 1 if isinstance(kind, Option) else self.random.choice((1, 1, 2))
        self.dealt = f"{many} from deck to {'each ' if each else ''}hand"

    def _variable_kind(self) -> Kind:
        random = self.random
        single = random.choice(self.plain)
        numbers = Int(*random.choice(((0, 2), (0, 3), (0, 5), (-1, 1), (0, 9))))
        inside: Kind = random.choice((Bool(), Int(0, 2), Int(0, 1), single))
        key = random.choice(self.keys)
        match self.writer.pick(
            number=6,
            flag=2,
            single=2,
            option=2,
            set=3,
            bag=2,
            map=4,
            board=4,
            nested=1,
            square=1,
            listed=2,
            lists=1,
        ):
            case "number":
                return numbers
            case "flag":
                return Bool()
            case "option":
                return Option(random.choice((single, Int(0, 2))) if not isinstance(single, Bool)
                              else Int(0, 2))  # fmt: skip
            case "set":
                return Set(key if self.chance(0.6) else single)
            case "bag":
                return Bag(single if size(single) <= 8 else Int(0, 2))
            case "map":
                return Map(key, inside)
            case "board":
                of = random.choice((Int(0, 2), Option(Int(0, 1)), Option(single), Bool()))
                if isinstance(of, Option) and isinstance(of.inner, Bool):
                    of = Option(Player())
                return Map(self.grid or key, of)
            case "nested":
                small = [k for k in self.keys if size(k) <= 4]
                return Map(random.choice(small), Map(random.choice(small), inside))
            case "square" if self.grid is not None:
                return Option(self.grid)
            case "listed":
                return Seq(single, random.choice(LENGTHS))
            case "lists":
                small = [k for k in self.keys if size(k) <= 4]
                return Map(random.choice(small), Seq(single, 2))
            case _:
                return single

    def _declared(self, name: str, kind: Kind) -> str:
        keys = []
        while isinstance(kind, Map):
            keys.append(written(kind.key))
            kind = kind.value
        index = f"[{', '.join(keys)}]" if keys else ""
        return f"{name}{index}: {written(kind)}"

    def _initial(self, kind: Kind) -> str | None:
        """An initial value; None for one that is open, if there are few."""
        inner, count = kind, 1
        while isinstance(inner, Map):
            count *= size(inner.key, self.most)
            inner = inner.value
        values = size(inner, self.most)
        if not isinstance(inner, Bag) and values ** min(count, 9) <= 4 and self.chance(0.35):
            return None
        match inner:
            case Option():
                return "none" if self.chance(0.8) else self.writer.literal(inner)
            case Set() | Bag():
                return "{}" if self.chance(0.6) else self.writer.literal(inner)
            case Seq():
                return "[]" if self.chance(0.6) else self.writer.literal(inner)
            case Int(low, high):
                return (
                    str(min(max(0, low), high)) if self.chance(0.7) else self.writer.literal(inner)
                )
            case _:
                return self.writer.literal(inner)

    def _readings(self) -> None:
        self.reading = self.chance(0.08)
        if self.reading:
            self.add('reading how "how"', '    one "one" default', '    two "two"', "")
            self.others.append(Named("(how == one)", Bool()))

    def _small_keys(self) -> list[Kind]:
        return [*self.keys, Int(0, 2), *([DIRECTION] if self.chance(0.2) else [])]

    def _scope(self, hidden: bool = True, old: bool = False) -> Scope:
        """Everything that can be named; without what is hidden, for players."""
        names = [n for n in self.variables if hidden or n.text not in self.hidden]
        phases = [Named(f"(phase == {p})", Bool()) for p in (*self.phases, "over")]
        if old:
            phases += [Named(f"(old(phase) == {p})", Bool()) for p in self.phases]
        chosen = self.random.sample(phases, self.random.choice((0, 0, 1, 1, 2)))
        everything = (*names, *names, *self.tables, *self.others, *chosen)
        return Scope(everything, tuple(self.functions), old=old, keys=tuple(self._small_keys()))

"""Specs grown from the grammar: expressions are made for the type they are wanted of, so that most
specs pass the checker and are played and proved.
"""

from __future__ import annotations

from random import Random

from fuzz.inputs.books import book
from fuzz.inputs.words import HUGE, NAMES, NUMBERS, prose

INT, BOOL, COLOUR, PLAYER, SET, BAG, MAYBE, SQUARE, CELLS, POINT = (
    "0..9", "Bool", "Colour", "Player", "Set[Colour]", "Bag[Colour]", "Colour?", "Square",
    "Set[Square]", "Point",
)  # fmt: skip
TYPES = (INT, BOOL, COLOUR, PLAYER, SET, BAG, MAYBE, SQUARE, CELLS, POINT)
FIRST = {INT: "0", BOOL: "false", COLOUR: "red", PLAYER: "1", SET: "{}", BAG: "{}",
         MAYBE: "none", SQUARE: "A1", CELLS: "{}", POINT: "here"}  # fmt: skip
KEYS = ("Player", "Colour", "1..3", "Square", "Point")
COLOURS, POINTS = ("red", "green", "blue"), ("here", "there", "far")
WAYS = {"grid": ("up", "down", "left", "right"),
        "hexes": ("up_right", "right", "down_right", "down_left", "left", "up_left")}  # fmt: skip


class Grower:
    """Grows one spec from a source of chance."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = iter(random.sample(NAMES, len(NAMES)))
        self.variables: dict[str, str] = {}
        self.maps: dict[str, tuple[str, str]] = {}
        self.functions: dict[str, str] = {}
        self.local: dict[str, str] = {}
        self.fresh = 0
        self.asked = False
        self.width = self.height = 2
        self.board = "grid"

    def spec(self) -> str:
        """The text of a spec."""
        random = self.random
        self.width, self.height = random.choice(((2, 2), (3, 3), (3, 2), (1, 4)))
        self.board = random.choice(("grid", "grid", "hexes"))
        lines = [
            f'game grown "{prose(random)}"',
            f"    players {random.choice(('1..2', '2..2', '2..3', '1..1'))}",
            "type Colour = red | green | blue",
            f"type Square = {self.board} {self.width} x {self.height}",
            "type Point = here | there | far",
            "type Line = along | back",
            *self._tables(),
            f'phase play{random.choice(("", " simultaneous"))} "{prose(random)}", late, over final',
            "state",
        ]
        lines += self._state()
        lines += self._readings()
        for _ in range(random.randint(0, 2)):
            lines += self._function()
        for number in range(random.randint(1, 3)):
            lines += self._move(number)
        if random.random() < 0.5:
            lines += self._chance()
        if random.random() < 0.4:
            lines += self._step()
        for number in range(random.randint(0, 3)):
            lines += self._property(number)
        if random.random() < 0.4:
            lines += self._example()
        if random.random() < 0.3:
            lines += book(random)
        return "\n".join(lines) + "\n"

    # ---- declarations

    def _tables(self) -> list[str]:
        """What the colours are worth, and which points lie beside each other."""
        random = self.random
        lines = [f'table worth[Colour]: 0..9 "{prose(random)}"',
                 f"    {' '.join(str(random.randint(0, 9)) for _ in COLOURS)}",
                 "table beside[Point, Line]: Point?"]  # fmt: skip
        places = (*POINTS, "none", "none")
        rows = (f"    {each} {random.choice(places)} {random.choice(places)}" for each in POINTS)
        return [*lines, *rows]

    def _state(self) -> list[str]:
        lines = []
        for number in range(self.random.randint(1, 4)):
            type, name = self.random.choice(TYPES), f"s{number}"
            if self.random.random() < 0.4:
                key = self.random.choice(KEYS)
                self.maps[name] = (key, type)
                lines.append(f"    {name}[{key}]: {type} = {FIRST[type]}")
            else:
                self.variables[name] = type
                first = "" if self.random.random() < 0.1 else f" = {FIRST[type]}"
                hidden = self.random.choice(("", "", " hidden"))
                lines.append(f"    {name}: {type}{hidden}{first}")
        return lines

    def _readings(self) -> list[str]:
        self.asked = self.random.random() < 0.3
        if not self.asked:
            return []
        return [f'reading open "{prose(self.random)}"', f'    one "{prose(self.random)}" default',
                f'    other "{prose(self.random)}"']  # fmt: skip

    def _function(self) -> list[str]:
        name, type = f"f{len(self.functions)}", self.random.choice((INT, BOOL, COLOUR, SET))
        body = self._fitting(type)
        self.functions[name] = type
        return [f'fun {name}(): {type} "{prose(self.random)}" = {body}']

    def _move(self, number: int) -> list[str]:
        name = next(self.names, f"m{number}")
        kind = self.random.choice((INT, COLOUR, BOOL, SQUARE, "1..3", SET))
        given = f"(x: {kind})" if self.random.random() < 0.6 else ""
        self.local = {"p": PLAYER} | ({"x": INT if kind == "1..3" else kind} if given else {})
        phases = self.random.choice(("play", "late", "play, late"))
        lines = [f'move {name}{given} by p in {phases} "{prose(self.random)}"']
        for place in range(self.random.randint(0, 2)):
            lines.append(f'    needs n{place} "{prose(self.random)}": {self.of(BOOL, 3)}')
        return [*lines, *self._does()]

    def _chance(self) -> list[str]:
        self.local = {"x": INT}
        lines = [f'chance throw(x: 1..{self.random.choice((2, 6))}) in late "{prose(self.random)}"']
        if self.random.random() < 0.4:
            lines.append(f'    needs n "{prose(self.random)}": {self.of(BOOL, 2)}')
        if self.random.random() < 0.4:
            lines.append(f"    weight {self.of(INT, 2)}")
        return [*lines, *self._does()]

    def _step(self) -> list[str]:
        self.local = {}
        lines = [f'step by_itself in play "{prose(self.random)}"']
        lines.append(f'    when w "{prose(self.random)}": {self.of(BOOL, 2)}')
        return lines + self._does()

    def _does(self) -> list[str]:
        lines = ["    does"]
        for _ in range(self.random.randint(1, 3)):
            lines += [f"        {line}" for line in self._statement(2)]
        if self.random.random() < 0.5:
            lines.append(f"        phase = {self.random.choice(('play', 'late', 'over'))}")
        return lines

    def _statement(self, depth: int) -> list[str]:
        random = self.random
        if depth and random.random() < 0.3:
            inside = [f"    {line}" for line in self._statement(depth - 1)]
            if random.random() < 0.5:
                return [f"if {self.of(BOOL, 2)}:", *inside]
            return [f'label{random.randint(0, 99)} "{prose(random)}":', *inside]
        targets = [*self.variables, *self.maps]
        name = random.choice(targets)
        if name in self.maps:
            key, type = self.maps[name]
            return [f"{name}[{self.key(key, 1)}] = {self._fitting(type)}"]
        return [f"{name} = {self._fitting(self.variables[name])}"]

    def _fitting(self, type: str) -> str:
        value = self.of(type, 3)
        if type == INT and self.random.random() < 0.9:
            return f"max(0, min(9, {value}))"
        return value

    def _property(self, number: int) -> list[str]:
        self.local = {}
        kind = self.random.choice(
            ("invariant", "always", "possible", "initially", "theorem", "ends")
        )
        name, words = f"q{number}", prose(self.random)
        if kind == "ends":
            return [f'ends {name} "{words}" by ({self.of(INT, 2)}) at play']
        if kind == "theorem":
            saved, self.variables, self.maps = (self.variables, self.maps), {}, {}
            functions, self.functions = self.functions, {}
            claim = self.of(BOOL, 3)
            (self.variables, self.maps), self.functions = saved, functions
            return [f'theorem {name} "{words}": {claim}']
        return [f'{kind} {name} "{words}": {self.of(BOOL, 3)}']

    def _example(self) -> list[str]:
        self.local = {}
        lines = [f'example shown "{prose(self.random)}"', "    players 2"]
        names = [each for each, type in self.variables.items() if type == INT]
        if names:
            lines.append(f"    given {self.random.choice(names)} = {self.random.randint(0, 9)}")
        lines.append(f"    expect {self.of(BOOL, 2)}")
        return lines

    # ---- expressions

    def number(self) -> str:
        return str(self.random.choice(NUMBERS if self.random.random() < 0.99 else HUGE))

    def key(self, kind: str, depth: int) -> str:
        if kind == "1..3":
            return self.random.choice(("1", "2", "3"))
        wanted = {"Player": PLAYER, "Colour": COLOUR, "Square": SQUARE, "Point": POINT}[kind]
        named = [name for name, each in (self.variables | self.local).items() if each == wanted]
        if not depth:
            return self.random.choice([*named, FIRST[wanted]])
        return self.of(wanted, depth)

    def of(self, type: str, depth: int) -> str:
        """An expression of a type, at most so deep."""
        random = self.random
        ways = [lambda: self.simple(type)]
        if depth > 0:
            ways += [lambda: self.compound(type, depth - 1)] * 3
            ways += [lambda: f"({self.of(type, depth - 1)} if {self.of(BOOL, depth - 1)} else "
                             f"{self.of(type, depth - 1)})"]  # fmt: skip
            ways += [lambda: self._bound("let", type, depth - 1)]
            ways += [lambda: self._match(type, depth - 1)]
        return random.choice(ways)()

    def simple(self, type: str) -> str:
        """A name or a value of a type."""
        named = self._named(type)
        if named and self.random.random() < 0.7:
            return self.random.choice(named)
        values = {
            INT: (self.number(),), BOOL: ("true", "false"), COLOUR: ("red", "green", "blue"),
            PLAYER: ("1", "active") if "active" in self.variables else ("1",),
            SET: ("{red, blue}", "{red}"), BAG: ("{red, red, blue}", "{green}"),
            MAYBE: ("none", "red"), SQUARE: ("A1", "A2" if self.height > 1 else "A1"),
            CELLS: ("{A1}",), POINT: POINTS,
        }  # fmt: skip
        return self.random.choice(values[type])

    def _named(self, type: str) -> list[str]:
        """What has a name and a type: variables, places of maps, functions."""
        named = [name for name, each in (self.variables | self.local).items() if each == type]
        named += [f"{name}[{self.key(key, 0)}]" for name, (key, value) in self.maps.items()
                  if value == type]  # fmt: skip
        return named + [f"{name}()" for name, each in self.functions.items() if each == type]

    def compound(self, type: str, depth: int) -> str:
        """Something put together from smaller things."""
        random = self.random
        if type == INT:
            return random.choice((
                lambda: f"({self.of(INT, depth)} {random.choice('+-*/%')} {self.of(INT, depth)})",
                lambda: f"{random.choice(('min', 'max'))}({self.of(INT, depth)}, "
                        f"{self.of(INT, depth)})",
                lambda: f"size({self.of(SET, depth)})",
                lambda: f"size({self.of(BAG, depth)})",
                lambda: f"abs({self.of(INT, depth)})",
                lambda: f"(-{self.of(INT, depth)})",
                lambda: f"worth[{self.of(COLOUR, depth)}]",
                lambda: f"size({self.of(CELLS, depth)})",
                lambda: f"{random.choice(('column', 'row'))}({self.of(SQUARE, depth)})",
                lambda: self._bound(random.choice(("min", "max")), INT, depth),
                lambda: self._bound("count", BOOL, depth),
                lambda: self._bound("sum", INT, depth),
                lambda: f"{random.choice(self._named(BAG) or ['{red}'])}[{self.of(COLOUR, 0)}]"
                        if self._named(BAG) else self.number(),
            ))()  # fmt: skip
        if type == BOOL:
            other = random.choice(TYPES)
            return random.choice((
                lambda: f"({self.of(INT, depth)} {random.choice(('<', '<=', '>', '==', '!='))} "
                        f"{self.of(INT, depth)})",
                lambda: f"({self.of(other, depth)} == {self.of(other, depth)})",
                lambda: f"({self.of(BOOL, depth)} {random.choice(('and', 'or', 'implies'))} "
                        f"{self.of(BOOL, depth)})",
                lambda: f"(not {self.of(BOOL, depth)})",
                lambda: f"({self.of(COLOUR, depth)} in {self.of(SET, depth)})",
                lambda: self._bound(random.choice(("all", "some")), BOOL, depth),
                lambda: "(open == one)" if self.asked else "true",
                lambda: f"({self.of(INT, depth)} {random.choice(('in', 'not in'))} 2..7)",
                lambda: f"({self.of(SQUARE, depth)} in {self.of(CELLS, depth)})",
                lambda: f"connected({self.of(SQUARE, depth)}, {self.of(CELLS, depth)}, "
                        f"{self.of(CELLS, depth)})",
                lambda: f"connected({self.of(POINT, depth)}, {self.of(POINT, depth)}, {{each o: "
                        f"Point where {self._with('o', POINT, BOOL, depth)}}}, beside)",
            ))()  # fmt: skip
        if type in (SET, BAG):
            sign = random.choice("+-&" if type == SET else "+&")
            if type == SET and random.random() < 0.3:
                return f"{{each c: Colour where {self._with('c', COLOUR, BOOL, depth)}}}"
            return f"({self.of(type, depth)} {sign} {self.of(type, depth)})"
        if type == CELLS:
            return random.choice((
                lambda: f"neighbours({self.of(SQUARE, depth)})",
                lambda: f"ray({self.of(SQUARE, depth)}, {random.choice(WAYS[self.board])})",
                lambda: f"reach({self.of(SQUARE, depth)}, {self.of(CELLS, depth)})",
                lambda: f"({self.of(CELLS, depth)} {random.choice('+-&')} {self.of(CELLS, depth)})",
                lambda: f"{{each q: Square where {self._with('q', SQUARE, BOOL, depth)}}}",
            ))()  # fmt: skip
        if type == POINT:
            way = random.choice(("along", "back"))
            return f"(beside[{self.of(POINT, depth)}, {way}] otherwise {self.of(POINT, 0)})"
        if type == COLOUR and random.random() < 0.5:
            if random.random() < 0.5:
                return f"(first c: Colour: {self._with('c', COLOUR, BOOL, depth)}) otherwise red"
            word = random.choice(("largest", "smallest"))
            return f"({word} c: Colour: {self._with('c', COLOUR, INT, depth)})"
        if type == COLOUR:
            maybe = self._named(MAYBE)
            if not maybe:
                return self.simple(COLOUR)
            return f"({random.choice(maybe)} otherwise {self.of(COLOUR, depth)})"
        if type == PLAYER:
            players = self._named(PLAYER)
            if not players:
                return "1"
            return f"{random.choice(('left_of', 'right_of'))}({random.choice(players)})"
        if type == SQUARE:
            way = random.choice(WAYS[self.board])
            if not self._named(SQUARE):
                return "A1"
            square = random.choice(self._named(SQUARE))
            return f"(step({square}, {way}, {random.choice((1, 2))}) otherwise A1)"
        return self.simple(type)

    def _match(self, type: str, depth: int) -> str:
        """One of several values by a colour, or by what an optional holds."""
        random, last = self.random, "else" if self.random.random() < 0.5 else "blue"
        arms = ["red", "green", last]
        of = self.of(COLOUR, depth)
        if self._named(MAYBE) and random.random() < 0.5:
            of, arms = random.choice(self._named(MAYBE)), ["none", "red or green", last]
        given = ", ".join(f"{each}: {self.of(type, depth)}" for each in arms)
        return f"(match {of} {{{given}}})"

    def _bound(self, word: str, type: str, depth: int) -> str:
        self.fresh += 1
        name = f"k{self.fresh}"
        if word == "let":
            kind = self.random.choice((INT, BOOL, COLOUR))
            value = self.of(kind, depth)
            return f"(let {name} = {value}: {self._with(name, kind, type, depth)})"
        kind = self.random.choice((COLOUR, PLAYER, "1..3", SQUARE, POINT))
        seen = INT if kind == "1..3" else kind
        return f"({word} {name}: {kind}: {self._with(name, seen, type, depth)})"

    def _with(self, name: str, kind: str, type: str, depth: int) -> str:
        saved = self.local
        self.local = {**saved, name: kind}
        made = self.of(type, depth)
        self.local = saved
        return made

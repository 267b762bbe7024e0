"""What is asked of boards and of points that lie beside each other, as text.

Boards are of squares or of hexagons, and what lies beside what is a type of directions: one that is
built in or one of the spec's own. Points are an enumeration with a table.
"""

from __future__ import annotations

from fuzz.generate.atoms import Atoms, Scope
from fuzz.generate.types import Bool, Enum, Grid, Kind, Map, Option, Set

WAYS = ("up", "right", "down", "left", "up_right", "down_right", "down_left", "up_left")
HEX_WAYS = ("up_right", "right", "down_right", "down_left", "left", "up_left")
AROUND = ("", "", ", Diagonal", ", Way")
HEX_AROUND = ("", "", ", HexWay")
"""Which squares lie beside each other, as the last of what is given."""
AHEAD = "Ahead = up_left | up_right"
"""A type of directions of a spec's own."""
POINT = Enum("Point", ("pa", "pb", "pc", "pd"))
LINE = Enum("Line", ("onward", "aside"))


class BoardWriter(Atoms):
    """Writes what is asked of boards."""

    def way(self, grid: Grid) -> str:
        """A direction on a board."""
        return self.random.choice(HEX_WAYS if grid.hex else WAYS)

    def beside(self, kind: Kind, scope: Scope) -> str | None:
        """What says what lies beside what, as the last of what is given; None if nothing does."""
        if isinstance(kind, Grid):
            ways = HEX_AROUND if kind.hex else AROUND
            found: str = self.random.choice((*ways, *([", Ahead"] if kind.ahead else [])))
            return found
        tables = [each.text for each in scope.names if each.table and leads(each.kind, kind)]
        return f", {self.random.choice(tables)}" if tables else None

    def lying(self, kind: Grid | Enum, inside: str, scope: Scope) -> str | None:
        """Squares or points that lie somewhere, None if nothing says where they lie."""
        beside = self.beside(kind, scope)
        if beside is None:
            return None
        here = self.known(kind, scope)
        match self.pick(neighbours=1, ray=1, reach=3):
            case "ray" if isinstance(kind, Grid):
                return f"ray({here}, {self.way(kind)})"
            case "reach":
                start = here if self.chance(0.5) else self.known(Set(kind), scope)
                if "{}" in start + inside:  # nothing says of which board it is
                    return inside
                return f"reach({start}, {inside}{beside})"
            case _:
                return f"neighbours({here}{beside})"

    def linked(self, scope: Scope, inside: str, kind: Grid | Enum) -> str | None:
        """Whether two things are connected, None if nothing says what lies beside what."""
        beside = self.beside(kind, scope)
        ends = [
            self.known(kind, scope) if self.chance(0.6) else self.known(Set(kind), scope)
            for _ in range(2)
        ]
        if beside is None or "{}" in "".join((*ends, inside)):
            return None
        return f"connected({', '.join(ends)}, {inside}{beside})"

    def board_number(self, scope: Scope) -> str | None:
        """A number of a map of optionals: how many are there, in how many parts, of one value."""
        maps = [
            each for each in scope.names
            if isinstance(each.kind, Map) and isinstance(each.kind.value, Option)
        ]  # fmt: skip
        if not maps:
            return None
        named = self.random.choice(maps)
        text, kind = self.seen(named, scope), named.kind
        assert isinstance(kind, Map) and isinstance(kind.value, Option)
        ways = [f"size(occupied({text}))", f"size(tally({text}))"]
        ways.append(f"tally({text})[{self.leaf(kind.value.inner, scope)}]")
        if isinstance(kind.key, Grid):
            ways.append(f"components({text})")
        if isinstance(kind.key, Grid | Enum):
            lying = self.lying(kind.key, f"occupied({text})", scope)
            ways += [f"size({lying})"] if lying is not None else []
        return self.random.choice(ways)


def leads(table: Kind, points: Kind) -> bool:
    """Whether a table says what lies beside each point."""
    match table:
        case Map(start, Map(end, Bool())):
            return start == points == end
        case Map(start, Map(_, Option(end))):
            return start == points == end
        case _:
            return False

"""Random well-typed expressions, as text.

`Writer` makes expressions of a wanted kind from what is in scope. What they range over is counted
(`cost`), so that no expression takes long to evaluate.
"""

from __future__ import annotations

from fuzz.generate.atoms import DIRECTION, DIRECTIONS, Named, Scope
from fuzz.generate.boards import BoardWriter
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
    same,
    size,
    written,
)


class Writer(BoardWriter):
    """Writes expressions."""

    def any_of(self, kind: Kind, scope: Scope, depth: int, cost: int = 60) -> str:
        """An expression of a kind, at most so deep, that goes through at most `cost` things."""
        if depth <= 0:
            return self.leaf(kind, scope)
        match kind:
            case Bool():
                return self._bool(scope, depth, cost)
            case Int():
                return self._int(kind, scope, depth, cost)
            case Player():
                return self._player(scope, depth, cost)
            case Enum() | Grid():
                return self._plain(kind, scope, depth, cost)
            case Option():
                return self._option(kind, scope, depth, cost)
            case Set():
                return self._set(kind, scope, depth, cost)
            case Bag():
                return self._bag(kind, scope, depth, cost)
            case Seq():
                return self._list(kind, scope, depth, cost)
            case Map():
                return self._map(kind, scope, depth, cost)

    # ---- truths

    def _bool(self, scope: Scope, depth: int, cost: int) -> str:
        def part(kind: Kind, less: int = 1) -> str:
            return self.any_of(kind, scope, depth - less, cost)

        match self.pick(
            leaf=2, compare=6, equal=4, both=3, either=3, implies=2, negate=2, some=4, every=4,
            member=3, contained=2, call=2, choose=1, let=1, opened=1, before=1, ordered=1,
            between=1, matched=1, linked=3, listed=2,
        ):  # fmt: skip
            case "leaf":
                return self.leaf(Bool(), scope)
            case "compare":
                sign = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
                left, right = (self.number(scope, depth - 1, cost) for _ in range(2))
                return f"({left} {sign} {right})"
            case "equal":
                kind = self._some_kind(scope)
                left, right = part(kind), self.leaf(kind, scope)
                if isinstance(kind, Player) and left.isdigit():
                    left, right = self.known(kind, scope), left
                    if left.isdigit():
                        return self.leaf(Bool(), scope)
                return f"({left} {self.random.choice(('==', '!='))} {right})"
            case "both":
                return f"({part(Bool())} and {part(Bool())})"
            case "either":
                return f"({part(Bool())} or {part(Bool())})"
            case "implies":
                return f"({part(Bool())} implies {part(Bool())})"
            case "negate":
                return f"(not {part(Bool())})"
            case "some":
                return self._quantified("some", Bool(), scope, depth, cost)
            case "every":
                return self._quantified("all", Bool(), scope, depth, cost)
            case "member":
                collection = self._collection(scope)
                if collection is None:
                    return self.leaf(Bool(), scope)
                word = self.random.choice(("in", "not in"))
                return f"({self.leaf(collection.element, scope)} {word} {part(collection)})"
            case "contained":
                collection = self._collection(scope)
                if collection is None:
                    return self.leaf(Bool(), scope)
                sign = self.random.choice(("<=", "<", ">=", "=="))
                return f"({part(collection)} {sign} {self.leaf(collection, scope)})"
            case "call":
                return self._call(Bool(), scope, depth, cost) or self.leaf(Bool(), scope)
            case "choose":
                return f"({part(Bool())} if {part(Bool())} else {part(Bool())})"
            case "let":
                return self._let(Bool(), scope, depth, cost)
            case "opened":
                options = [n for n in scope.names if isinstance(n.kind, Option)]
                listed = self._some_list(scope)
                if listed is not None and (not options or self.chance(0.5)):
                    name = self.fresh(scope)
                    text = self.any_of(Bool(), scope.bind(name, listed[1]), depth - 1, cost)
                    return f"(some {name} in last({listed[0]}): {text})"
                if not options:
                    return self.leaf(Bool(), scope)
                named = self.random.choice(options)
                assert isinstance(named.kind, Option)
                name = self.fresh(scope)
                inside = scope.bind(name, named.kind.inner)
                text = self.any_of(Bool(), inside, depth - 1, cost)
                return f"(some {name} in {self.seen(named, scope)}: {text})"
            case "between":
                low, high = (self.leaf(Int(0, 4), scope) for _ in range(2))
                word = self.random.choice(("in", "not in"))
                return f"({self.number(scope, depth - 1, cost)} {word} {low}..{high})"
            case "matched":
                return self._matched(Bool(), scope, depth, cost)
            case "linked":
                return self._linked(scope, depth, cost) or self.leaf(Bool(), scope)
            case "listed":
                listed = self._some_list(scope)
                if listed is None:
                    return self.leaf(Bool(), scope)
                word = self.random.choice(("in", "not in"))
                return f"({self.leaf(listed[1], scope)} {word} {listed[0]})"
            case "before":
                if not scope.old:
                    return self.leaf(Bool(), scope)
                kind = self._some_kind(scope, state=True)
                held = [n for n in scope.names if n.state and same(n.kind, kind)]
                if not held:
                    return self.leaf(Bool(), scope)
                text = self.random.choice(held).text
                ordered = isinstance(kind, Int | Set | Bag)
                sign = self.random.choice(("==", "!=", "<=", ">=") if ordered else ("==", "!="))
                return f"(old({text}) {sign} {text})"
            case _:
                kinds = [n.kind for n in scope.names if isinstance(n.kind, Enum | Player)]
                kind = self.random.choice(kinds) if kinds else Player()
                sign = self.random.choice(("<", "<=", ">", ">="))
                left, right = self.leaf(kind, scope), self.known(kind, scope)
                if (
                    left.isdigit()
                    or right.isdigit()
                    or (left in DIRECTIONS and right in DIRECTIONS)
                ):
                    return self.leaf(Bool(), scope)
                return f"({left} {sign} {right})"

    def _linked(self, scope: Scope, depth: int, cost: int) -> str | None:
        """Whether something is connected, None where there is nothing that could be."""
        held = [n.kind.element for n in scope.names if isinstance(n.kind, Set)]
        kinds = [k for k in (*held, *scope.keys) if isinstance(k, Grid | Enum)]
        kinds = [k for k in kinds if self.beside(k, scope) is not None]
        if not kinds:
            return None
        kind = self.random.choice(kinds)
        return self.linked(scope, self.any_of(Set(kind), scope, max(1, depth - 1), cost), kind)

    def _some_kind(self, scope: Scope, state: bool = False) -> Kind:
        kinds = [n.kind for n in scope.names if n.state or not state]
        kinds = [k for k in kinds if not isinstance(k, Map) or self.chance(0.15)]
        return self.random.choice(kinds) if kinds else Int(0, 3)

    def _collection(self, scope: Scope) -> Set | Bag | None:
        kinds = [n.kind for n in scope.names if isinstance(n.kind, Set | Bag)]
        return self.random.choice(kinds) if kinds else None

    # ---- numbers

    def number(self, scope: Scope, depth: int, cost: int) -> str:
        return self.any_of(Int(-1, 4), scope, depth, cost)

    def _int(self, kind: Int, scope: Scope, depth: int, cost: int) -> str:
        def part(less: int = 1) -> str:
            return self.any_of(kind, scope, depth - less, cost)

        match self.pick(
            leaf=4, add=3, subtract=2, multiply=1, divide=1, negate=1, choose=2, count=5, sum=5,
            least=2, size=3, least_of=2, call=3, let=1, otherwise=1, held=1, field=1, place=1,
            parts=2, players=1, matched=1, listed=2, seat=1,
        ):  # fmt: skip
            case "add":
                return f"({part()} + {part()})"
            case "subtract":
                return f"({part()} - {part()})"
            case "multiply":
                return f"({part()} * {self.leaf(Int(0, 2), scope)})"
            case "divide":
                by = self.random.choice(("2", "3")) if self.chance(0.7) else part(2)
                by = "2" if by == "0" else by
                return f"({part()} {self.random.choice('/%')} {by})"
            case "negate":
                return f"(-{part()})"
            case "choose":
                condition = self.any_of(Bool(), scope, depth - 1, cost)
                return f"({part()} if {condition} else {part()})"
            case "count":
                return self._quantified("count", Bool(), scope, depth, cost)
            case "sum":
                return self._quantified("sum", kind, scope, depth, cost)
            case "least":
                return self._least(kind, scope, depth, cost)
            case "size":
                collection = self._collection(scope)
                if collection is None:
                    return self.board_number(scope) or self.leaf(Int(0, 3), scope)
                text = self.any_of(collection, scope, depth - 1, cost)
                return f"size({text})" if text != "{}" else "0"
            case "least_of":
                name = self.random.choice(("min", "max"))
                return f"{name}({part()}, {part()})" if self.chance(0.8) else f"abs({part()})"
            case "call":
                return self._call(kind, scope, depth, cost) or self.leaf(kind, scope)
            case "let":
                return self._let(kind, scope, depth, cost)
            case "otherwise":
                options = [n for n in scope.names if _optional_number(n)]
                if not options:
                    return self.leaf(kind, scope)
                return f"({self.seen(self.random.choice(options), scope)} otherwise {part()})"
            case "held":
                bags = [n for n in scope.names if isinstance(n.kind, Bag)]
                if not bags:
                    return self.leaf(kind, scope)
                bag = self.random.choice(bags)
                assert isinstance(bag.kind, Bag)
                return f"{self.seen(bag, scope)}[{self.leaf(bag.kind.element, scope)}]"
            case "field":
                return self._field(kind, scope) or self.leaf(kind, scope)
            case "place":
                grids = [n for n in scope.names if isinstance(n.kind, Grid)]
                if not grids:
                    return self.leaf(kind, scope)
                square = self.random.choice(grids).text
                return f"{self.random.choice(('column', 'row'))}({square})"
            case "parts":
                return self.board_number(scope) or self.leaf(Int(0, 3), scope)
            case "players":
                return "players"
            case "listed":
                found = self._some_list(scope)
                return f"length({found[0]})" if found is not None else self.leaf(kind, scope)
            case "seat":
                player = self.known(Player(), scope)
                return player if player.isdigit() else f"seat({player})"
            case "matched":
                return self._matched(kind, scope, depth, cost)
            case _:
                return self.leaf(kind, scope)

    def _least(self, kind: Int, scope: Scope, depth: int, cost: int) -> str:
        which = self.random.choice(("min", "max"))
        drawn = self.chance(0.4)
        text = self._quantified(which, kind, scope, depth, cost, drawn=drawn)
        if not text.startswith(f"({which} "):
            return text
        return f"({text} otherwise {self.leaf(kind, scope)})" if drawn else text

    def _field(self, kind: Kind, scope: Scope) -> str | None:
        ways = [
            (n, field) for n in scope.names if isinstance(n.kind, Enum)
            for field, of in n.kind.fields if same(of, kind)
        ]  # fmt: skip
        if not ways:
            return None
        named, field = self.random.choice(ways)
        assert isinstance(named.kind, Enum)
        text = f"{named.text}.{field}"
        return text if named.kind.name == "Card" else f"({text} otherwise {self.leaf(kind, scope)})"

    # ---- players, names, squares

    def _player(self, scope: Scope, depth: int, cost: int) -> str:
        inner = self.any_of(Player(), scope, depth - 1, cost)
        if inner.isdigit():
            return inner
        match self.pick(leaf=3, left=2, right=1, choose=1, first=1, best=1, onward=2):
            case "onward":
                name = self.fresh(scope)
                rest = max(1, cost // self.players)
                holds = self.any_of(Bool(), scope.bind(name, Player()), depth - 1, rest)
                return f"(next {name} after {inner} where {holds})"
            case "first":
                return f"({self._first(Player(), scope, depth, cost)} otherwise {inner})"
            case "best":
                return self._best(Player(), scope, depth, cost)
            case "left":
                return f"left_of({inner})"
            case "right":
                return f"right_of({inner})"
            case "choose":
                condition = self.any_of(Bool(), scope, depth - 1, cost)
                return f"({inner} if {condition} else {self.known(Player(), scope)})"
            case _:
                return self.leaf(Player(), scope)

    def _plain(self, kind: Enum | Grid, scope: Scope, depth: int, cost: int) -> str:
        if self.chance(0.7):
            return self.leaf(kind, scope)
        if size(kind, self.players) <= cost and self.chance(0.4):
            if self.chance(0.4):
                return self._best(kind, scope, depth, cost)
            found = self._first(kind, scope, depth, cost)
            return f"({found} otherwise {self.leaf(kind, scope)})"
        if isinstance(kind, Grid) and self.chance(0.25):
            column = self.any_of(Int(1, kind.width), scope, depth - 1, cost)
            at = column if self.chance(0.5) else str(self.random.randint(1, kind.width))
            return f"{kind.name}({at}, {self.random.randint(1, kind.height)})"
        if isinstance(kind, Grid) and self.chance(0.5):
            square = self.known(kind, scope)
            there = f"step({square}, {self._way(kind, scope)}, {self.random.randint(1, 2)})"
            return f"({there} otherwise {self.leaf(kind, scope)})"
        condition = self.any_of(Bool(), scope, depth - 1, cost)
        return f"({self.known(kind, scope)} if {condition} else {self.leaf(kind, scope)})"

    def _way(self, grid: Grid, scope: Scope) -> str:
        """A direction, by its name or by that of something that has one."""
        named = [each for each in scope.names if each.kind == DIRECTION]
        if named and not grid.hex and self.chance(0.6):
            return self.seen(self.random.choice(named), scope)
        return self.way(grid)

    # ---- optionals, collections, maps

    def _option(self, kind: Option, scope: Scope, depth: int, cost: int) -> str:
        if isinstance(kind.inner, Grid) and self.chance(0.4):
            way = self._way(kind.inner, scope)
            return f"step({self.known(kind.inner, scope)}, {way}, 1)"
        if self.chance(0.25):
            condition = self.any_of(Bool(), scope, depth - 1, cost)
            return f"({self.known(kind, scope)} if {condition} else none)"
        if self.chance(0.4) and (found := self._some_list(scope, kind.inner)) is not None:
            name = self.fresh(scope)
            inside = scope.bind(name, kind.inner)
            holds = self.any_of(Bool(), inside, depth - 1, max(1, cost // 4))
            return self.random.choice(
                (f"last({found[0]})", f"{found[0]}[1]", f"(first {name} in {found[0]}: {holds})")
            )
        return self.leaf(kind, scope) if self.chance(0.6) else self.leaf(kind.inner, scope)

    def _set(self, kind: Set, scope: Scope, depth: int, cost: int) -> str:
        def named() -> str:
            return self.known(kind, scope)

        element = kind.element
        match self.pick(
            leaf=3, union=2, difference=2, common=1, each=3, drawn=1, occupied=2, of=1, squares=4
        ):
            case "squares" if isinstance(element, Grid | Enum):
                among = self.any_of(kind, scope, depth - 1, cost)
                return self.lying(element, among, scope) or among
            case "union":
                return f"({named()} + {self.any_of(kind, scope, depth - 1, cost)})"
            case "difference":
                return f"({named()} - {self.any_of(kind, scope, depth - 1, cost)})"
            case "common":
                return f"({named()} & {self.any_of(kind, scope, depth - 1, cost)})"
            case "each":
                if size(element, self.players) > cost:
                    return self.leaf(kind, scope)
                name = self.fresh(scope)
                inside = scope.bind(name, element)
                rest = max(1, cost // size(element, self.players))
                condition = self.any_of(Bool(), inside, depth - 1, rest)
                return "{" + f"each {name}: {written(element)} where {condition}" + "}"
            case "drawn":
                name = self.fresh(scope)
                source = named()
                if source.startswith("{"):
                    return self.leaf(kind, scope)
                inside = scope.bind(name, element)
                rest = max(1, cost // 4)
                return (
                    "{" + f"each {name} in {source}: {self.leaf(element, inside)}" + "}"
                    if rest
                    else source
                )
            case "occupied":
                maps = [n for n in scope.names if isinstance(n.kind, Map)
                        and n.kind.key == element and type(n.kind.key) is type(element)
                        and isinstance(n.kind.value, Option)]  # fmt: skip
                if not maps:
                    return self.leaf(kind, scope)
                return f"occupied({self.seen(self.random.choice(maps), scope)})"
            case "of":
                each = {self.leaf(element, scope) for _ in range(self.random.randint(1, 2))}
                return "{" + ", ".join(sorted(each)) + "}"
            case _:
                return self.leaf(kind, scope)

    def _bag(self, kind: Bag, scope: Scope, depth: int, cost: int) -> str:
        named = self.known(kind, scope)
        match self.pick(leaf=3, union=2, difference=1, common=1, tally=1, sum=1):
            case "union":
                return f"({named} + {self.any_of(kind, scope, depth - 1, cost)})"
            case "difference":
                return f"({named} - {self.leaf(kind, scope)})"
            case "common":
                return f"({named} & {self.leaf(kind, scope)})"
            case "sum":
                kinds = [k for k in scope.keys if size(k, self.players) <= min(cost, 3)]
                if not kinds or named.startswith("{"):
                    return named
                over = self.random.choice(kinds)
                return f"(sum {self.fresh(scope)}: {written(over)}: {named})"
            case "tally":
                maps = [n for n in scope.names if isinstance(n.kind, Map)
                        and isinstance(n.kind.value, Option)
                        and same(n.kind.value.inner, kind.element)]  # fmt: skip
                found = self._some_list(scope, kind.element)
                if found is not None and (not maps or self.chance(0.5)):
                    return f"tally({found[0]})"
                if not maps:
                    return named
                return f"tally({self.seen(self.random.choice(maps), scope)})"
            case _:
                return self.leaf(kind, scope)

    def _list(self, kind: Seq, scope: Scope, depth: int, cost: int) -> str:
        named = self.known(kind, scope)
        if named.startswith("["):  # nothing says how many it can hold
            return named
        match self.pick(leaf=3, append=3, take=2, drop=2, choose=1, written=1):
            case "append":
                held = named if self.chance(0.3) else f"take({named}, {kind.most - 1})"
                return f"append({held}, {self.leaf(kind.element, scope)})"
            case "take" | "drop" as word:
                return f"{word}({named}, {self.any_of(Int(0, 2), scope, depth - 1, cost)})"
            case "choose":
                condition = self.any_of(Bool(), scope, depth - 1, cost)
                return f"({named} if {condition} else {self.known(kind, scope)})"
            case "written":
                return self.literal(kind)
            case _:
                return named

    def _some_list(self, scope: Scope, element: Kind | None = None) -> tuple[str, Kind] | None:
        """A list that has a name, and what it is of, if there is one."""
        lists = [
            each for each in scope.names if isinstance(each.kind, Seq)
            and (element is None or same(each.kind.element, element))
        ]  # fmt: skip
        if not lists:
            return None
        named = self.random.choice(lists)
        assert isinstance(named.kind, Seq)
        return self.seen(named, scope), named.kind.element

    def _map(self, kind: Map, scope: Scope, depth: int, cost: int) -> str:
        named = [n.text for n in scope.names if same(n.kind, kind)]
        if isinstance(kind.value, Map):
            return self.random.choice(named) if named else self.literal(kind)
        if named and self.chance(0.4):
            base = self.random.choice(named)
            value = self.any_of(kind.value, scope, depth - 1, cost)
            if self.chance(0.5):
                return base
            return f"({base} with [{self.key(kind.key, scope)}] = ({value}))"
        width = size(kind.key, self.players)
        if isinstance(kind.key, Enum) and width <= 4 and self.chance(0.3):
            values = [self.any_of(kind.value, scope, depth - 1, cost) for _ in range(width)]
            if self.chance(0.5):
                return f"[{kind.key.members[0]}: {values[0]}, else: {values[1]}]"
            return f"[{', '.join(values)}]"
        if width > cost:
            return self.random.choice(named) if named else self.literal(kind)
        name = self.fresh(scope)
        inside = scope.bind(name, kind.key)
        value = self.any_of(kind.value, inside, depth - 1, max(1, cost // width))
        return f"[each {name}: {written(kind.key)}: {value}]"

    # ---- what binds names

    def _quantified(
        self, word: str, kind: Kind, scope: Scope, depth: int, cost: int, drawn: bool | None = None
    ) -> str:
        """`word` over one or two bound names; a leaf where nothing small enough can be gone
        through."""
        binder = self._binder(scope, cost, drawn)
        if binder is None:
            return self.leaf(kind, scope) if word not in ("count",) else self.leaf(Int(0, 3), scope)
        binders, inside, rest = binder
        where = ""
        if self.chance(0.25):
            where = f" where {self.any_of(Bool(), inside, min(1, depth - 1), rest)}"
            if word in ("min", "max") and drawn is False:
                where = ""
        body = self.any_of(kind, inside, depth - 1, rest)
        return f"({word} {binders}{where}: {body})"

    def _binder(self, scope: Scope, cost: int, drawn: bool | None) -> tuple[str, Scope, int] | None:
        """What is gone through, the scope inside, and what may be gone through there."""
        name = self.fresh(scope)
        collections = [n for n in scope.names if isinstance(n.kind, Set | Bag | Seq)]
        if drawn is not False and collections and (drawn or self.chance(0.3)):
            named = self.random.choice(collections)
            assert isinstance(named.kind, Set | Bag | Seq)
            element = named.kind.element
            width = named.kind.most if isinstance(named.kind, Seq) else size(element, self.players)
            rest = max(1, cost // min(8, width))
            return f"{name} in {self.seen(named, scope)}", scope.bind(name, element), rest
        if drawn:
            low, high = self.random.randint(0, 1), self.random.randint(1, 2)
            to = self.leaf(Int(0, 2), scope) if self.chance(0.3) else str(high)
            inside = scope.bind(name, Int(low, high))
            return f"{name} in {low}..{to}", inside, max(1, cost // 4)
        kinds = [k for k in scope.keys if size(k, self.players) <= cost]
        if not kinds:
            return None
        kind = self.random.choice(kinds)
        width = size(kind, self.players)
        inside = scope.bind(name, kind)
        if width * width <= cost and self.chance(0.2):
            other = self.fresh(inside)
            text = f"{name}, {other}: {written(kind)}"
            if isinstance(kind, Int) and drawn is None and self.chance(0.5):
                text = f"{name}, {other} in {kind.low}..{kind.high}"
            return text, inside.bind(other, kind), max(1, cost // (width * width))
        if isinstance(kind, Int) and drawn is None and self.chance(0.3):
            return f"{name} in {kind.low}..{kind.high}", inside, max(1, cost // width)
        return f"{name}: {written(kind)}", inside, max(1, cost // width)

    def _first(self, kind: Kind, scope: Scope, depth: int, cost: int) -> str:
        """The first of a kind for which something holds."""
        name = self.fresh(scope)
        rest = max(1, cost // size(kind, self.players))
        body = self.any_of(Bool(), scope.bind(name, kind), depth - 1, rest)
        return f"(first {name}: {written(kind)}: {body})"

    def _best(self, kind: Kind, scope: Scope, depth: int, cost: int) -> str:
        """The one of a kind with the largest or smallest number."""
        name = self.fresh(scope)
        rest = max(1, cost // size(kind, self.players))
        body = self.any_of(Int(-1, 4), scope.bind(name, kind), depth - 1, rest)
        word = self.random.choice(("largest", "smallest"))
        return f"({word} {name}: {written(kind)}: {body})"

    def _matched(self, kind: Kind, scope: Scope, depth: int, cost: int) -> str:
        """Something by which number another is, or by which name: then all are named."""
        names = [n for n in scope.names if isinstance(n.kind, Enum) and not n.kind.fields]
        if names and self.chance(0.4):
            named = self.random.choice(names)
            assert isinstance(named.kind, Enum)
            first, *others = named.kind.members
            arms = [f"{first}: {self.any_of(kind, scope, depth - 1, cost)}"]
            arms.append(f"{' or '.join(others)}: {self.any_of(kind, scope, depth - 2, cost)}")
            return f"(match {self.seen(named, scope)} {{{', '.join(arms)}}})"
        open = [n for n in scope.names if isinstance(n.kind, Option) and plain(n.kind.inner)]
        if open and self.chance(0.4):
            named = self.random.choice(open)
            assert isinstance(named.kind, Option)
            one = self.literal(named.kind.inner)
            if not (one.isdigit() and isinstance(named.kind.inner, Player)):
                arms = [f"none: {self.any_of(kind, scope, depth - 1, cost)}"]
                arms.append(f"{one}: {self.any_of(kind, scope, depth - 2, cost)}")
                arms.append(f"else: {self.leaf(kind, scope)}")
                return f"(match {self.seen(named, scope)} {{{', '.join(arms)}}})"
        low = self.random.randint(0, 2)
        arms = [f"{low} or {low + 1}: {self.any_of(kind, scope, depth - 1, cost)}"]
        if self.chance(0.5):
            arms.append(f"{low + 2}: {self.any_of(kind, scope, depth - 2, cost)}")
        arms.append(f"else: {self.leaf(kind, scope)}")
        subject = self.number(scope, depth - 1, cost)
        return f"(match (({subject} - 99) % 5) {{{', '.join(arms)}}})"

    def _let(self, kind: Kind, scope: Scope, depth: int, cost: int) -> str:
        name = self.fresh(scope)
        bound = self._some_kind(scope)
        if isinstance(bound, Map | Option | Set | Bag | Seq | Player | Int):
            bound = Int(-1, 4)
        value = self.known(bound, scope) if not isinstance(bound, Int) else self.any_of(
            bound, scope, depth - 1, cost
        )  # fmt: skip
        return (
            f"(let {name} = {value}: {self.any_of(kind, scope.bind(name, bound), depth - 1, cost)})"
        )

    def _call(self, kind: Kind, scope: Scope, depth: int, cost: int) -> str | None:
        ways = [f for f in scope.functions if same(f.result, kind) and f.cost <= cost]
        if not ways:
            return None
        function = self.random.choice(ways)
        given = [self.key(each, scope) for each in function.params]
        text = f"{function.name}({', '.join(given)})"
        return f"old({text})" if scope.old and self.chance(0.4) and not scope.bound else text


def _optional_number(named: Named) -> bool:
    return isinstance(named.kind, Option) and isinstance(named.kind.inner, Int)

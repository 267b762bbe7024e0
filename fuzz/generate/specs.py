"""Random small specs, as text, that together use the whole language.

A spec is made in two parts: the game (types, state, moves, chance, steps) and many candidates for
its properties. `fuzz.generate.properties` then keeps those candidates that ask something of the
prover. The same seed makes the same spec."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from fuzz.generate.atoms import Function, Scope
from fuzz.generate.declarations import Declaring
from fuzz.generate.types import (  # fmt: skip
    Bag,
    Bool,
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
    squares,
    written,
)

INVARIANTS, ALWAYS, POSSIBLE = 9, 4, 3
"""Candidates for properties."""


class Draft(NamedTuple):
    """A spec without its properties, and candidates for these: kind, name and claim."""

    game: str
    claims: tuple[tuple[str, str, str], ...]
    closing: str
    wide: int
    """How many things the widest type has that is gone through."""

    def text(self, claims: tuple[tuple[str, str, str], ...] | None = None) -> str:
        lines = [
            f'{kind} {name} "{name}": {claim}'
            for kind, name, claim in (self.claims if claims is None else claims)
        ]
        return "\n".join([self.game, *lines, self.closing]) + "\n"


def draft(seed: int) -> Draft:
    """The spec with this number."""
    return _Making(Random(seed)).draft()


class _Transition:
    """A move, chance event or step while it is being written."""

    def __init__(self, kind: str, name: str, phases: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.phases = phases
        self.params: list[tuple[str, Kind]] = []
        self.needs: list[str] = []
        self.guards: list[str] = []
        """What keeps its statements in range, unlike the needs, which are anything."""
        self.body: list[str] = []
        self.weight: str | None = None
        self.proposal: str | None = None


class _Making(Declaring):
    # ---- the whole

    def draft(self) -> Draft:
        self._types()
        self._phases()
        self._data()
        self._state()
        self._readings()
        self._functions()
        self._rules_and_effects()
        self._play()
        claims = tuple(self._claims())
        game = "\n".join(self.lines)
        return Draft(game, claims, "\n".join(self._closing()), self.wide)

    # ---- functions, rules, effects

    def _functions(self) -> None:
        random = self.random
        functions = []
        for number in range(random.choice((0, 0, 1, 1, 2))):
            params = [random.choice([k for k in self.keys if plain(k)])
                      for _ in range(random.choice((0, 1, 1, 2)))]  # fmt: skip
            names = random.sample(("x", "y", "z"), len(params))
            scope = self._scope(hidden=False)
            for name, kind in zip(names, params):
                scope = scope.bind(name, kind)
            result: Kind = Bool() if self.chance(0.4) else Int(0, 4)
            body = self.writer.any_of(result, scope, random.choice((1, 2, 2)), 40)
            name = f"f{number}"
            listed = ", ".join(f"{n}: {written(k)}" for n, k in zip(names, params))
            told = ""
            if isinstance(result, Bool) or self.chance(0.25):
                told = (
                    f": {'Bool' if isinstance(result, Bool) else random.choice(('0..3', '-4..9'))}"
                )
            self.add(f"fun {name}({listed}){told} = {body}")
            functions.append(Function(name, tuple(params), result, 40))
            self.functions = list(functions)
        if self.chance(0.2):
            scope = self._scope(hidden=False).bind("p", Player())
            self.add(f"fun score(p: Player) = {self.writer.any_of(Int(0, 4), scope, 2, 40)}")
        if self.chance(0.1):
            scope = self._scope(hidden=False).bind("p", Player())
            self.add(f"fun wins(p: Player): Bool = {self.writer.any_of(Bool(), scope, 2, 40)}")
        self.add("")

    def _rules_and_effects(self) -> None:
        if self.chance(0.25):
            scope = self._scope(hidden=False).bind("x", Player())
            claims = [self.writer.any_of(Bool(), scope, 2, 40) for _ in range(2)]
            self.add(
                "rule may(x: Player)", *(f'    r{n} "r{n}": {t}' for n, t in enumerate(claims))
            )
            self.add("")
            self.rules.append(("may", (Player(),)))
        if self.chance(0.25):
            made = _Transition("effect", "happen", [])
            self._statements(made, self._scope(hidden=False).bind("x", Player()), inline=True)
            body = ("    " + each.replace("\n", "\n    ") for each in made.body)
            self.add("effect happen(x: Player)", *body, "")
            self.effects.append(("happen", (Player(),)))

    # ---- moves, chance, steps

    def _play(self) -> None:
        self.number = 0
        transitions: list[_Transition] = []
        for at, phase in enumerate(self.phases):
            onward = [*self.phases[at + 1 :], "over"]
            for _ in range(self.random.choice((1, 2, 2))):
                if self.chance(0.2) and phase not in self.simultaneous:
                    transitions.append(self._chance(phase, onward))
                else:
                    transitions.append(self._move(phase, onward))
            if phase in self.simultaneous:
                step = _Transition("step", self._name("s"), [phase])
                step.guards.append("all q: Player: q in answered")
                step.body.append(f"phase = {self.random.choice(onward)}")
                transitions.append(step)
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2, 3))):
            transitions.append(self._step())
        if self.dealt is not None:
            at = self.random.randrange(len(self.phases))
            name, onward = self._name("d"), [*self.phases[at + 1 :], "over"]
            self.add(f'deal {name} {self.dealt} in {self.phases[at]} "{name}"')
            told = self.random.choice(onward) if self.chance(0.9) else self.phases[at]
            self.add(f"    does phase = {told}", "")
        self.random.shuffle(transitions)
        for each in transitions:
            self._write(each)

    def _name(self, letter: str) -> str:
        self.number += 1
        return f"{letter}{self.number}"

    def _move(self, phase: str, onward: list[str]) -> _Transition:
        phases = [phase]
        if self.chance(0.15):
            others = [p for p in self.phases if p != phase]
            phases += self.random.sample(others, min(1, len(others)))
        made = _Transition("move", self._name("m"), phases)
        scope = self._scope(hidden=False).bind("p", Player())
        players = [n.text for n in self.variables if isinstance(n.kind, Player)]
        if players and self.chance(0.4) and phase not in self.simultaneous:
            made.needs.append(f"p == {players[0]}")
        scope = self._parameters(made, scope)
        if self.rules and self.chance(0.3):
            made.needs.append("may(p)")
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            made.needs.append(self.writer.any_of(Bool(), scope, self.random.choice((1, 2)), 40))
        self._statements(made, scope)
        self._leave(made, onward)
        return made

    def _parameters(self, made: _Transition, scope: Scope) -> Scope:
        random = self.random
        count = random.choice((0, 0, 0, 1, 1, 2))
        for name in ("i", "j")[:count]:
            kinds: list[Kind] = [k for k in [*self.plain, *self.keys] if not isinstance(k, Bool)]
            kind = random.choice(kinds)
            if self.chance(0.12):
                small = [k for k in self.keys if size(k, self.most) <= 4] or [Int(0, 2)]
                kind = random.choice((Set(random.choice(small)), Option(random.choice(small)),
                                      Map(random.choice(small), Int(0, 1)),
                                      Seq(random.choice(small), 2)))  # fmt: skip
            made.params.append((name, kind))
            scope = scope.bind(name, kind)
            if isinstance(kind, Grid) and self.chance(0.75):
                made.guards.append(random.choice((
                    f"row({name}) == 1 and column({name}) <= 2",
                    f"{name} in {{{', '.join(random.sample(squares(kind), 2))}}}",
                    f"{name} == {random.choice(squares(kind))}",
                )))  # fmt: skip
            elif isinstance(kind, Int) and size(kind) > 8 and self.chance(0.7):
                made.guards.append(f"{name} <= {kind.low + 1}")
        if made.kind == "move" and made.params and self.chance(0.08):
            kind = made.params[0][1]
            if not isinstance(kind, Map):
                made.proposal = self.writer.any_of(kind, self._scope(hidden=False), 1, 10)
        return scope

    def _chance(self, phase: str, onward: list[str]) -> _Transition:
        made = _Transition("chance", self._name("c"), [phase])
        scope = self._scope()
        kind = self.random.choice([k for k in [*self.plain, *self.keys] if size(k) <= 6])
        if self.chance(0.8):
            made.params.append(("i", kind))
            scope = scope.bind("i", kind)
        if self.chance(0.3):
            made.needs.append(self.writer.any_of(Bool(), scope, 2, 40))
        bags = [n for n in self.variables if isinstance(n.kind, Bag) and n.kind.element == kind
                and made.params and type(n.kind.element) is type(kind)]  # fmt: skip
        if bags:
            made.weight = f"{bags[0].text}[i]"
            made.body.append(f"{bags[0].text} -= {{i}}")
        elif self.chance(0.25):
            made.weight = self.random.choice(("2", "max(0, {})", "abs({})")).format(
                self.writer.any_of(Int(0, 2), scope, 1, 20)
            )
        self._statements(made, scope)
        self._leave(made, onward)
        return made

    def _step(self) -> _Transition:
        phases = self.random.sample(self.phases, 1 + (self.chance(0.2) and len(self.phases) > 1))
        made = _Transition("step", self._name("s"), phases)
        scope = self._scope()
        if self.chance(0.75):
            made.needs.append(self.writer.any_of(Bool(), scope, self.random.choice((1, 2)), 40))
        onward = [p for p in [*self.phases, "over"] if p not in phases] or ["over"]
        self._statements(made, scope, most=1)
        if self.chance(0.6) or not made.needs + made.guards:
            made.body.append(f"phase = {self.random.choice(onward)}")
        return made

    def _leave(self, made: _Transition, onward: list[str]) -> None:
        """Lets a transition change the phase, mostly onward."""
        if self.chance(0.55):
            target = self.random.choice(onward)
            if self.chance(0.15):
                target = self.random.choice(self.phases)
            if self.chance(0.25):
                condition = self.writer.any_of(Bool(), self._scope(hidden=False), 1, 20)
                made.body.append(f"if {condition}:\n    phase = {target}")
            else:
                made.body.append(f"phase = {target}")

    def _statements(
        self, made: _Transition, scope: Scope, most: int = 2, inline: bool = False
    ) -> None:
        if self.chance(0.08):
            name = self.writer.fresh(scope)
            made.body.append(f"let {name} = {self.writer.any_of(Int(0, 4), scope, 1, 20)}")
            scope = scope.bind(name, Int(0, 4))
        for _ in range(self.random.choice((1, 1, 2)) if most > 1 else 1):
            if self.effects and self.chance(0.2):
                made.body.append(f"happen({self.writer.key(Player(), scope)})")
                continue
            guard, statement = self._statement(scope)
            if guard is not None and (inline or self.chance(0.15)):
                made.body.append(f"if {guard}:\n    {statement}")
                if self.chance(0.3):
                    other, one = self._statement(scope)
                    word = "else" if other is None else f"elif {other}"
                    made.body[-1] += f"\n{word}:\n    {one}"
            else:
                if guard is not None and self.chance(0.94):
                    made.guards.append(guard)
                made.body.append(statement)
        if self.chance(0.08):
            key = self.random.choice([k for k in self.keys if size(k) <= 6])
            name = self.writer.fresh(scope)
            bound = scope.bind(name, key)
            guard, statement = self._statement(bound)
            inside = f"if {guard}:\n        {statement}" if guard else statement
            where = f" where {self.writer.any_of(Bool(), bound, 1, 10)}" if self.chance(0.3) else ""
            made.body.append(f"for {name}: {written(key)}{where}:\n    {inside}")
        lists = [n for n in scope.names if isinstance(n.kind, Seq)]
        if lists and self.chance(0.15):
            held = self.random.choice(lists)
            assert isinstance(held.kind, Seq)
            name = self.writer.fresh(scope)
            guard, statement = self._statement(scope.bind(name, held.kind.element))
            inside = f"if {guard}:\n        {statement}" if guard else statement
            made.body.append(f"for {name} in {held.text}:\n    {inside}")
        if self.chance(0.05):
            condition = self.writer.any_of(Bool(), scope, 1, 20)
            _, one = self._statement(scope)
            made.body.append(f'l{self.random.randint(0, 9)} "l": {one}' if "\n" not in one else one)
            made.needs.append(condition)

    def _statement(self, scope: Scope) -> tuple[str | None, str]:
        """What must hold for it to be safe, and an assignment."""
        random, writer = self.random, self.writer
        named = random.choice(self.variables)
        target, kind = named.text, named.kind
        while isinstance(kind, Map) and (isinstance(kind.value, Map) or self.chance(0.92)):
            target += f"[{writer.key(kind.key, scope)}]"
            kind = kind.value
        match kind:
            case Int(low, high):
                return self._number(target, low, high, scope)
            case Set(element):
                sign = random.choice(("+=", "+=", "-=", "="))
                if sign == "=":
                    return None, f"{target} = {writer.any_of(kind, scope, 2, 20)}"
                return None, f"{target} {sign} {{{writer.leaf(element, scope)}}}"
            case Bag(element):
                each = writer.leaf(element, scope)
                if self.chance(0.1):
                    name = writer.fresh(scope)
                    inside = scope.bind(name, element)
                    condition = writer.any_of(Bool(), inside, 1, 10)
                    whole = f"each {name}: {written(element)} where {condition}"
                    return None, f"{target} = {{{whole}}}"
                if self.chance(0.6):
                    return f"size({target}) < 2", f"{target} += {{{each}}}"
                return f"{each} in {target}", f"{target} -= {{{each}}}"
            case Seq(element, most):
                if self.chance(0.5):
                    return f"length({target}) < {most}", (
                        f"{target} = append({target}, {writer.leaf(element, scope)})"
                    )
                if self.chance(0.6):
                    word = random.choice((f"drop({target}, 1)", f"take({target}, 1)"))
                    return f"length({target}) > 0", f"{target} = {word}"
                return None, f"{target} = {writer.any_of(kind, scope, 2, 20)}"
            case Option(inner):
                value = "none" if self.chance(0.25) else writer.any_of(inner, scope, 1, 20)
                if self.chance(0.4):
                    return f"{target} == none", f"{target} = {value}"
                return None, f"{target} = {value}"
            case Map():
                return None, f"{target} = {writer.any_of(kind, scope, 2, 40)}"
            case Bool() if self.chance(0.4):
                return f"not {target}", f"{target} = true"
            case _:
                return None, f"{target} = {writer.any_of(kind, scope, random.choice((1, 2)), 20)}"

    def _number(self, target: str, low: int, high: int, scope: Scope) -> tuple[str | None, str]:
        writer = self.writer
        match writer.pick(up=6, least=2, wrap=1, clamp=3, down=2, by=1, literal=2, free=1):
            case "up":
                return f"{target} < {high}", f"{target} += 1"
            case "least":
                return None, f"{target} = min({target} + 1, {high})"
            case "wrap" if low == 0:
                return None, f"{target} = ({target} + 1) % {high + 1}"
            case "down":
                return f"{target} > {low}", f"{target} -= 1"
            case "by" if high - low > 1:
                return f"{target} + 2 <= {high}", f"{target} += 2"
            case "literal":
                return None, f"{target} = {writer.literal(Int(low, high))}"
            case "free":
                return None, f"{target} = {writer.any_of(Int(low, high), scope, 1, 20)}"
            case _:
                value = writer.any_of(Int(low, high), scope, 2, 40)
                return None, f"{target} = max({low}, min({high}, {value}))"

    def _write(self, made: _Transition) -> None:
        listed = ", ".join(self._declared(n, k) for n, k in made.params)
        params = f"({listed})" if made.params else ""
        by = " by p" if made.kind == "move" else ""
        self.add(f'{made.kind} {made.name}{params}{by} in {", ".join(made.phases)} "{made.name}"')
        word = "when" if made.kind == "step" else "needs"
        for number, need in enumerate(made.needs):
            told = need if need == "may(p)" else f'n{number} "n{number}": {need}'
            self.add(f"    {word} {told}")
        for number, guard in enumerate(made.guards):
            self.add(f'    {word} g{number} "g{number}": {guard}')
        if made.proposal is not None:
            self.add(f"    propose q0: {made.proposal}")
        if made.weight is not None:
            self.add(f"    weight {made.weight}")
        if made.body:
            self.add("    does")
            self.add(*("        " + line.replace("\n", "\n        ") for line in made.body))
        self.add("")

    # ---- properties and the rest

    def _claims(self) -> list[tuple[str, str, str]]:
        writer, random = self.writer, self.random
        found = []
        cost = random.choice((20, 60, 60, 1500 if self.wide <= 36 else 60))
        for number in range(INVARIANTS):
            claim = writer.any_of(Bool(), self._scope(), random.choice((1, 2, 2, 3)), cost)
            found.append(("invariant", f"i{number}", claim))
        for number in range(ALWAYS):
            claim = writer.any_of(Bool(), self._scope(old=True), random.choice((1, 2, 2)), cost)
            found.append(("always", f"w{number}", claim))
        if self.tables and self.chance(0.15):
            scope = Scope((*self.tables, *self.tables), keys=tuple(self._small_keys()))
            found.append(("theorem", "t", writer.any_of(Bool(), scope, 2, 60)))
        if self.chance(0.2):
            scope = self._scope()
            listed = [n for n in scope.names if n.text not in self.unlisted]
            scope = scope._replace(names=tuple(listed), functions=())
            found.append(("initially", "b", writer.any_of(Bool(), scope, 2, 20)))
        return found

    def _closing(self) -> list[str]:
        random, lines = self.random, []
        numbers = [n for n in self.variables if isinstance(n.kind, Int)]
        if self.chance(0.3):
            parts = []
            for named in random.sample(numbers, min(len(numbers), random.choice((1, 1, 2)))):
                assert isinstance(named.kind, Int)
                parts.append(random.choice((f"{named.kind.high} - {named.text}", named.text)))
            if not parts or self.chance(0.25):
                parts.append(self.writer.any_of(Int(0, 4), self._scope(), 2, 40))
            at = random.choice(self.phases)
            lines.append(f'ends e "e" by ({", ".join(parts)}) at {at}')
        if self.chance(0.05):
            name = random.choice(("i0", "goes_on", "safe", "order", "w0"))
            under = " under how = two" if self.reading and self.chance(0.5) else ""
            lines.append(f'accept refuted {name}{under} "known"')
        if self.chance(0.06):
            changes = []
            if any("const most" in each for each in self.lines):
                changes.append(f"    const most = {random.randint(1, 3)}")
            if self.rules:
                changes.append("    drop may.r1")
            asked = [at for at, line in enumerate(self.lines) if line.startswith("    needs g0 ")]
            if asked and self.chance(0.5):
                above = reversed(self.lines[: random.choice(asked)])
                header = next(each for each in above if each[:1] not in ("", " "))
                label = f"{header.split()[1].partition('(')[0]}.g0"
                claim = self.writer.any_of(Bool(), self._scope(hidden=False), 1, 20)
                other = f'    replace {label} "r": {claim}'
                changes.append(random.choice((f"    drop {label}", other)))
            moves = [line for line in self.lines if line.startswith("move ")]
            if moves:
                name = moves[0].split()[1].partition("(")[0]
                claim = self.writer.any_of(Bool(), self._scope(hidden=False), 1, 20)
                changes.append(f'    add {name}.more "more": {claim}')
            lines += ['variant v "v"', *changes] if changes else []
        return lines

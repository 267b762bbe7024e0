"""What is being compiled: the module, where things are in its memory, how it fails and stops.

A failure is an error of the rules: it has a number, leaves the values its message needs in memory,
and goes back from function to function to whoever waits for it. What a spec cannot help (its time
or memory is used up, a number too large for 64 bits) stops everything at once with a trap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.spec_memo import once_per_spec
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import NOWHERE, Node, Span
from rulewright.wasm.analysis.expression_facts import Facts
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    NEVER,
    NOTHING,
    UNREACHABLE,
    Instruction,
    Label,
    Unsupported,
    block,
    branch,
    choose,
    const,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import fill, store
from rulewright.wasm.assembler.module import PAGE, UNCOUNTED, Module, WasmFunction, WasmVariable
from rulewright.wasm.codegen.data_layout import Layout, in_memory, register
from rulewright.wasm.codegen.failures import RuntimeFailure, error_of

STOP = 16
"""Where the reason of a trap is kept."""
FAILED_WITH = 64
"""Where the values of a failure are kept, eight bytes each."""
STATE = 1024
"""Where the state is that is played on."""
NO_WORK, NO_MEMORY, TOO_LARGE, NOT_COMPILED = 1, 2, 3, 4
"""Why a module stops: its work or memory is used up, a number leaves 62 bits, it has come to
something that is not compiled."""
WORK = 1 << 26
"""Turns of loops that one call, or one event of a game at random, is given."""


class Catch:
    """Where failures go; `used` if there are any."""

    __slots__ = ("label", "used")

    def __init__(self) -> None:
        self.label = Label()
        self.used = False


class Hoisted(Node):
    """Something that is worked out once in a loop: whether it has been, and the variable or the
    address that has its value."""

    node: Any
    done: WasmVariable
    value: WasmVariable | None
    at: int | None


class CodeContext:
    """Where code stands: in which function, what names mean, which state is meant, where failures
    go, what is worked out only once."""

    __slots__ = ("before", "catch", "env", "function", "hoisted", "now")

    def __init__(
        self,
        function: WasmFunction,
        env: Mapping[str, tuple[Instruction, y.Type]],
        now: int,
        before: int,
        catch: Catch,
        hoisted: Mapping[int, Hoisted] | None = None,
    ) -> None:
        self.function = function
        self.env = env
        self.now = now
        self.before = before
        self.catch = catch
        self.hoisted = {} if hoisted is None else hoisted

    def bind(self, name: str, code: Instruction, type: y.Type) -> CodeContext:
        """The same place with one more name, whose code costs nothing to repeat."""
        env = {**self.env, name: (code, type)}
        return CodeContext(self.function, env, self.now, self.before, self.catch, self.hoisted)

    def alone(self, env: Mapping[str, tuple[Instruction, y.Type]]) -> CodeContext:
        """The same place with only these names."""
        return CodeContext(self.function, env, self.now, self.before, self.catch)

    def catching(self, catch: Catch) -> CodeContext:
        """The same place with failures going elsewhere."""
        return CodeContext(self.function, self.env, self.now, self.before, catch, self.hoisted)

    def hoisting(self, hoisted: Mapping[int, Hoisted]) -> CodeContext:
        """The same place inside a loop that works some things out only once."""
        return CodeContext(self.function, self.env, self.now, self.before, self.catch, hoisted)

    def hold(self, code: Instruction) -> tuple[Instruction, Instruction]:
        """Code that keeps a value, and code that gives it as often as it is wanted."""
        if code.known is not None or code.tail == b"\x20":
            return NOTHING, code
        if code.type == NEVER:
            return code, UNREACHABLE
        assert code.type is not None
        variable = self.function.local(code.type)
        return variable.set(code), variable.value


class CompilationUnit:
    """A module in the making, for one instance of a spec."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.layout = Layout(instance)
        self.facts = Facts(instance)
        self.looking_back: dict[str, bool] = {}
        """Whether functions look at the state before the transition, as far as that is known."""
        self.module = Module()
        self.failures: list[RuntimeFailure] = []
        self.before = STATE + self.layout.size
        """Where the state before a transition is kept."""
        self.free = self.before + self.layout.size
        """Where the next piece of data goes."""
        self._data: dict[bytes, int] = {}
        self.failed = self.module.variable(I32)
        self.top = self.module.variable(I32)
        self.work = self.module.variable(I64, WORK)
        self.given = self.module.variable(I64, WORK)
        """The work that is left, and what each call from outside is given."""
        self.limit = self.module.variable(I32)
        self.base = self.module.variable(I32)
        self.end = self.module.variable(I32)
        self.allocations = 0
        """How much code there is so far that takes memory; compared before and after."""
        self.turns = 0
        """How many turns the loops in the code so far can take; compared before and after."""
        self.chain = 0
        """How many calls of functions the code so far leads to that are not counted as work."""
        self.players_in_range = not _stray_players(instance)
        self.refused: dict[str, str] = {}
        """The functions that are not compiled, and why."""
        self._allocate: WasmFunction | None = None
        self._shared: dict[str, WasmFunction] = {}

    # ---- memory

    def reserve(self, size: int) -> int:
        """The address of so many bytes of memory."""
        at = self.free
        self.free += size + -size % 8
        return at

    def data(self, content: bytes) -> int:
        """The address of constant bytes."""
        if content not in self._data:
            at = self._data[content] = self.reserve(len(content))
            self.module.data.append((at, content))
        return self._data[content]

    def constant(self, value: Any, type: y.Type) -> int:
        """The address of a constant value."""
        kept = self.layout.kept(type)
        content = bytearray(kept.size)
        self.layout.encode(value, type, memoryview(content), 0)
        return self.data(bytes(content))

    def allocate(
        self, size: int, here: CodeContext, zero: bool = False
    ) -> tuple[Instruction, Instruction]:
        """Code that takes so many bytes for a while, and their address."""
        self.allocations += 1
        take, address = here.hold(self._taking()(size + -size % 8))
        return (sequence(take, fill(address, 0, size)) if zero else take), address

    def _taking(self) -> WasmFunction:
        if self._allocate is None:
            function = self._allocate = self.module.function("allocate", [I32], I32)
            size, at = function.params[0], function.local(I32)
            function.define(sequence(
                at.set(self.top.value),
                self.top.set(at.value + size.value),
                choose(self.limit.value.below(self.top.value), self.stop(NO_MEMORY)),
                at.value,
            ))  # fmt: skip
        return self._allocate

    def keep(self, size: int, here: CodeContext) -> tuple[Instruction, Instruction]:
        """Code that takes so many bytes that stay when others are given back (they are taken from
        the other end), and their address."""
        take = sequence(
            self.limit.set(self.limit.value - (size + -size % 8)),
            choose(self.limit.value.below(self.top.value), self.stop(NO_MEMORY)),
        )
        hold, address = here.hold(self.limit.value)
        return sequence(take, hold), address

    def free_all(self) -> Instruction:
        """Gives back all memory that was taken."""
        return sequence(self.top.set(self.base.value), self.limit.set(self.end.value))

    def shared(self, name: str, make: Callable[[str], WasmFunction]) -> WasmFunction:
        """A function of the module that is made when it is first needed."""
        if name not in self._shared:
            self._shared[name] = make(name)
        return self._shared[name]

    # ---- stopping and failing

    def stop(self, why: int) -> Instruction:
        """Ends everything."""
        return sequence(store(const(why), const(STOP)), UNREACHABLE)

    def tick(self, pieces: int = 1) -> Instruction:
        """Counts some pieces of work."""
        return sequence(
            self.work.set(self.work.value - pieces),
            choose(self.work.value.lt(0), self.stop(NO_WORK)),
        )

    def repeated(
        self, most: int | None, body: Callable[[], Instruction]
    ) -> tuple[Instruction, Instruction]:
        """The body of a loop that takes so many turns at most, and code to count each of them,
        unless they are few with all there is inside."""
        outside, self.turns = self.turns, 1
        inside = body()
        total = UNCOUNTED + 1 if most is None else most * self.turns
        self.turns = outside + total
        return (self.tick() if total > UNCOUNTED else NOTHING), inside

    def called(self, function: WasmFunction) -> None:
        """Notes a call. Functions that each call the one before twice lead to any number of calls
        without a loop: those are counted, too."""
        self.turns += function.turns
        self.chain += function.chain + 1

    def fail(
        self,
        here: CodeContext,
        span: Span,
        describe: Callable[..., str],
        carried: Sequence[tuple[Instruction, y.Type]] = (),
        endless: bool = False,
        wanted: y.Type | None = None,
    ) -> Instruction:
        """Fails with values, of which the message is made; `wanted` is the type that the first of
        them leaves."""
        types = tuple(type for _, type in carried)
        self.failures.append(RuntimeFailure(describe, types, span, wanted, None, endless))
        here.catch.used = True
        kept = [
            store(wide(code), const(FAILED_WITH + 8 * number))
            for number, (code, _) in enumerate(carried)
        ]
        return sequence(*kept, self.failed.set(len(self.failures)), branch(here.catch.label))

    def passing_on(self, here: CodeContext) -> Instruction:
        """Goes where failures go if a function that was called has failed."""
        here.catch.used = True
        return choose(self.failed.value, branch(here.catch.label))

    def guarded(
        self,
        here: CodeContext,
        attempt: Callable[[CodeContext], Instruction],
        otherwise: Instruction,
    ) -> Instruction:
        """Runs `attempt`; if it fails, forgets the failure and runs `otherwise`."""
        catch, out = Catch(), Label()
        body = attempt(here.catching(catch))
        if not catch.used:
            return body
        if body.type is not None and body.type != NEVER:
            raise AssertionError("what is guarded has no value of its own")
        mark = here.function.local(I32)
        return block(out, sequence(
            mark.set(self.top.value),
            block(catch.label, sequence(body, branch(out))),
            self.failed.set(0),
            self.top.set(mark.value),
            otherwise,
        ))  # fmt: skip

    def define(
        self,
        function: WasmFunction,
        env: Mapping[str, tuple[Instruction, y.Type]],
        now: int,
        before: int,
        body: Callable[[CodeContext], Instruction],
    ) -> None:
        """Gives a function its body; if that fails, it returns at once, and zero. One that cannot
        be compiled stops everything when it is called."""
        catch = Catch()
        here = CodeContext(function, env, now, before, catch)
        outside, self.turns = self.turns, 0
        before_it, self.chain = self.chain, 0
        try:
            with self.module.for_use():
                code = body(here)
        except Unsupported as why:
            self.refused[function.name] = str(why)
            code = self.stop(NOT_COMPILED)
        except UsageError as error:
            code = self._refusal(here, error)
        function.fails = catch.used
        function.turns, self.turns = self.turns, outside
        if self.chain > UNCOUNTED:
            code, self.chain = sequence(self.tick(UNCOUNTED), code), 0
        function.chain, self.chain = self.chain, before_it
        if not catch.used:
            function.define(code)
        elif function.result is None:
            function.define(block(catch.label, code))
        else:
            inside = code if code.type == NEVER else function.leave(code)
            function.define(sequence(block(catch.label, inside), const(0, function.result)))

    def entry(
        self,
        name: str,
        params: Sequence[str],
        body: Callable[[CodeContext], Instruction],
        before: int | None = None,
    ) -> WasmFunction:
        """A function to be called from outside, which begins with all memory free. It returns the
        number of a failure, or 0."""
        inner = self.module.function(f"{name} inside", params)
        self.define(inner, {}, STATE, STATE if before is None else before, body)
        outer = self.module.function(name, params, I32, export=True)
        outer.define(sequence(
            self.failed.set(0),
            self.work.set(self.given.value),
            self.free_all(),
            inner(*(each.value for each in outer.params)),
            self.failed.value,
        ))  # fmt: skip
        return outer

    def _refusal(self, here: CodeContext, error: UsageError) -> Instruction:
        """Fails because something cannot be done as it is asked, such as listing a move."""
        code = self.fail(here, NOWHERE, str)
        self.failures[-1] = RuntimeFailure(str, (), NOWHERE, refusal=error)
        return code

    def error(self, memory: memoryview, number: int) -> Exception:
        """The error that a failure stands for."""
        failure = self.failures[number - 1]
        values = [
            self.carried(memory, FAILED_WITH + 8 * place, type)
            for place, type in enumerate(failure.types)
        ]
        return error_of(failure, values, self.instance)

    def carried(self, memory: memoryview, at: int, type: y.Type) -> Any:
        """A value that stands in eight bytes of memory, as it would in a register."""
        raw = int.from_bytes(memory[at : at + 8], "little", signed=True)
        kept = self.layout.kept(type)
        if in_memory(kept):
            return self.layout.decode(type, memory, raw & 0xFFFFFFFF)
        if register(kept) == I64 and isinstance(type, y.Set):
            content = (raw & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
            return self.layout.decode(type, memoryview(content), 0)
        return self.layout.plain(raw, type)

    def finish(self, arena: int, most: int) -> bytes:
        """The module as a file, with so much memory for a while and no more than `most` bytes."""
        base = self.free
        self.module.globals[self.top.index] = (self.top, base)
        self.module.globals[self.base.index] = (self.base, base)
        self.module.globals[self.limit.index] = (self.limit, base + arena)
        self.module.globals[self.end.index] = (self.end, base + arena)
        self.module.pages = (base + arena + PAGE - 1) // PAGE
        self.module.most_pages = max(self.module.pages, most // PAGE)
        return self.module.binary()


def _stray_players(instance: Instance) -> bool:
    """Whether a player is named who does not play: seat 5 among three."""
    return instance.players < instance.spec.most and _highest_seat(instance.spec) > instance.players


@once_per_spec
def _highest_seat(spec: c.Spec) -> int:
    """The highest number of a player that a spec names, 0 if it names none."""
    roots: Sequence[c.Core] = (
        *spec.functions, *spec.effects, *spec.transitions, *spec.start, *spec.properties
    )  # fmt: skip
    seats = (
        node.value
        for root in roots
        for node in walk(root)
        if isinstance(node, c.Literal) and isinstance(node.type, y.Player)
    )
    return max((each for each in seats if isinstance(each, int)), default=0)

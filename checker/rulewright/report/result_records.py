"""The shape of every result in JSON, as types for Python programs.

Each class describes the objects that one command puts into `results`. The same shapes are
published as JSON schemas in `docs/schemas`; a test compares the two. Members may be added, so
programs must ignore those they do not know."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Json: TypeAlias = Any
"""What the standard library's json reads and writes."""
Status: TypeAlias = Literal["holds", "fails", "undecided", "unusable", "bug"]
Event: TypeAlias = dict[str, Json]
"""A move or a chance event: `{"move", "by", "args"}` or `{"chance", "args"}`."""
Position: TypeAlias = dict[str, Json]
"""The value of each state variable."""


class FixObject(TypedDict):
    """A change of a file: from the first place up to the second, `text` is put instead."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class DiagnosticObject(TypedDict):
    """One message about a place in a file. Lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: Literal["error", "warning"]
    message: str
    help: str | None
    fix: FixObject | None


class CheckResult(TypedDict):
    """One spec, checked."""

    spec: str
    spec_hash: str | None
    verdict: Status
    errors: int
    warnings: int


class VerifyResult(TypedDict):
    """One spec, verified: an object for each column of the table."""

    spec: str
    spec_hash: str | None
    verdict: Status
    check: NotRequired[dict[str, Json]]
    clauses: NotRequired[dict[str, Json]]
    examples: NotRequired[dict[str, Json]]
    proofs: NotRequired[dict[str, Json]]
    engine: NotRequired[dict[str, Json]]


class ExampleResult(TypedDict):
    """One worked example, played."""

    name: str
    spec: str
    verdict: Literal["passed", "failed"]
    clauses: list[str]
    expected: str | None
    got: str | None


class GameObject(TypedDict):
    """One game that witnesses or refutes a property."""

    start: Position
    trace: list[Event]
    position: Position
    loop: int | None
    shortest: bool


class OpenPlaceObject(TypedDict):
    """A place of the spec at which something may have no value."""

    line: int
    column: int
    what: str
    verdict: Literal["unknown", "not preserved"]
    position: Position | None


class ProveResult(TypedDict):
    """One property with one number of players, under one choice of readings."""

    name: str
    kind: str
    players: int
    readings: dict[str, str]
    variant: str | None
    verdict: Literal["proved", "bounded", "refuted", "unknown"]
    depth: int | None
    seconds: float
    clauses: list[str]
    uses: list[str]
    helpers: list[str]
    start: Position | None
    trace: list[Event] | None
    position: Position | None
    loop: int | None
    shortest: bool | None
    reason: str | None
    note: str
    accepted: str | None
    more: list[GameObject]
    waits_for: str | None
    places: list[OpenPlaceObject]
    certified: NotRequired[bool | None]
    not_certified: NotRequired[str]


class CertificateResult(TypedDict):
    """One claim of a certificate, checked."""

    name: str
    kind: str
    players: int
    readings: dict[str, str]
    variant: str | None
    verdict: Literal["proved", "unknown"]
    depth: int | None
    certified: bool
    reason: str | None
    rests_on: list[str]
    obligations: int
    accepted: None


class RunResult(TypedDict):
    """Random games with one number of players."""

    spec: str
    players: int
    readings: dict[str, str]
    variant: str | None
    games: int
    finished: int
    length: dict[str, float]
    scores: dict[str, dict[str, float]] | None
    wins: dict[str, int] | None
    events: dict[str, int]
    proposed: dict[str, int]
    decided: dict[str, int]
    faults: list[dict[str, Json]]


class ReplayResult(TypedDict):
    """One recorded game that is not legal, or cannot be read. Legal games are only counted."""

    file: str
    game: int
    players: int | None
    verdict: Literal["illegal", "differs", "error", "unreadable", "undecided"]
    line: int
    events: int
    message: str
    requirements: list[str]
    clauses: list[str]
    event: Event | None


class WhyResult(TypedDict):
    """Why a move is refused, or what it changes."""

    verdict: Literal["allowed", "refused", "open"]
    failing: NotRequired[list[dict[str, Json]]]
    blocking: NotRequired[list[list[str]]]
    moves: NotRequired[list[Event]]
    move: NotRequired[Event]
    steps: NotRequired[list[str]]
    changes: NotRequired[list[str]]


class PerftResult(TypedDict):
    """The lines of play of one length."""

    depth: int
    lines: int
    finished: int
    stuck: int
    events: dict[str, int]


class RuleChange(TypedDict):
    """What a change does to one move, chance event, step or result function."""

    move: str
    kind: str
    verdict: Literal["equal", "stricter", "looser", "incomparable", "changed"]
    proof: Literal["proved", "bounded", "unknown"]
    notes: list[str]
    witness: dict[str, Json] | None
    witnesses: list[dict[str, Json]]


class PropertyChange(TypedDict):
    """What a change does to one property."""

    property: str
    kind: str
    old: str | None
    new: str | None
    fate: Literal["same", "lost", "gained", "open", "not asked"]
    note: str | None
    players: int | None
    trace: list[Event] | None


class ExampleChange(TypedDict):
    """What a change does to one worked example."""

    example: str
    what: Literal["broken", "mended", "added", "removed", "otherwise"]
    message: str


class GameChange(TypedDict):
    """What a change does to one recorded game."""

    game: str
    line: int
    fate: str
    message: str


class TextChange(TypedDict):
    """How the text of the two specs differs."""

    story: list[dict[str, Json]]


class PlayChange(TypedDict):
    """How random play by the two specs differs, in numbers."""

    play: dict[str, Json]


DiffResult: TypeAlias = (
    TextChange | RuleChange | PropertyChange | ExampleChange | GameChange | PlayChange
)


class ReadingResult(TypedDict):
    """One option of an open question, compared with the default."""

    reading: str
    option: str
    default: str
    clauses: list[str]
    outcome: Literal["parts", "never", "not found", "unknown"]
    differences: list[RuleChange]


class Holdings(TypedDict):
    """What is proved with one number of players, by way to play and name of the property."""

    players: int
    properties: dict[str, dict[str, str]]


class Difference(TypedDict):
    """Where an engine and the spec differ."""

    kind: str
    clauses: list[str]
    requirement: str | None
    message: str
    trace: list[dict[str, Json]]
    expected: str
    got: str
    one_of: list[str]
    guess: bool
    shown_by: str | None
    times: int


class ConformResult(TypedDict):
    """One stage of the comparison of an engine with a spec."""

    stage: Literal["examples", "games", "vectors"]
    checked: int
    verdict: Literal["conforms", "differs", "unknown"]
    difference: Difference | None
    differences: list[Difference]
    left_out: list[str]
    seconds: float


class MistakeObject(TypedDict):
    """One rule, broken on purpose, and who noticed."""

    carrier: str
    what: str
    state: Literal["noticed", "equivalent", "accepted", "gap"]
    noticed_by: list[str]


class EvidenceResult(TypedDict):
    """One clause with the mistakes in what carries it out; the last result may have those that
    belong to no clause."""

    clause: str | None
    kind: str | None
    evidence: Literal["tested", "tested in part", "untested", "only cited"] | None
    accepted: str | None
    mistake: str | None
    noticed_by: str | None
    not_shown: list[str]
    unnoticed: list[str]
    mistakes: list[MistakeObject]


class VectorsResult(TypedDict):
    """The test vectors that were written to a file."""

    file: str
    vectors: int
    mutants: int
    shown: int
    equivalent: list[dict[str, Json]]
    undecided: list[dict[str, Json]]

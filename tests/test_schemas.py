"""The published JSON schemas describe what the program really reads and writes.

Every command is run on several games and its output validated; then the output is damaged, and the
schema has to notice. Members that a later version may add have to be accepted.
"""

from __future__ import annotations

import copy
import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from jsonschema import Draft202012Validator, ValidationError

from rulewright.cli.registry import summaries
from rulewright.report import result_records as types
from tests.conftest import ROOT
from tests.schemas import FOLDER, SCHEMAS, errors

PIG = str(ROOT / "spec" / "tutorial" / "pig.rules")
ENGINE = "python:rulewright_engines.qwixx:Qwixx"
WRONG = "python:tests.conform.stages.wrong_engines:FourAreEnough"
TEE = """
import json, sys
from rulewright_engines.protocol import respond
from rulewright_engines.qwixx import Qwixx
engine, log = Qwixx(), open(sys.argv[1], "a")
for line in sys.stdin.buffer:
    answer = respond(engine, line)
    log.write(json.dumps([json.loads(line), answer]) + "\\n")
    log.flush()
    print(json.dumps(answer), flush=True)
"""
Run = Callable[..., Any]


@pytest.fixture
def printed(rulewright: Run) -> Callable[..., dict[str, Any]]:
    """What a command prints with `--format json`, known to fit the schemas."""

    def run(*arguments: str, exit: int = 0) -> dict[str, Any]:
        ran = rulewright(*arguments, "--format", "json")
        assert ran.exit == exit, ran.err
        report: dict[str, Any] = json.loads(ran.out)
        assert errors("report", report) == []
        assert errors(arguments[0], report) == []
        return report

    return run


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one(name: str):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMAS[name]["title"] and SCHEMAS[name]["description"]


def test_every_command_has_a_schema():
    silent = {"new.schema.json", "lsp.schema.json"}
    assert {f"{name}.schema.json" for name in summaries()} - set(SCHEMAS) == silent


def test_the_page_lists_every_schema():
    page = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
    assert [name for name in SCHEMAS if f"(../schemas/{name})" not in page] == []


def test_the_page_shows_how_to_validate(printed: Run, tmp_path: Path):
    page = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    shutil.copytree(FOLDER, tmp_path / "schemas")
    report = printed("check", "qwixx")
    (tmp_path / "output.json").write_text(json.dumps(report))
    exec(program, {})
    (tmp_path / "output.json").write_text(json.dumps({**report, "exit": 7}))
    with pytest.raises(ValidationError):
        exec(program, {})


def test_unknown_members_are_accepted_everywhere():
    """Later versions add members, so no schema may forbid them."""
    closed = [name for name, schema in SCHEMAS.items() if '"additionalProperties": false' in
              json.dumps(schema) or "unevaluatedProperties" in json.dumps(schema)]  # fmt: skip
    assert closed == []


# ---- what commands print

OUTPUTS: list[tuple[int, tuple[str, ...]]] = [
    (0, ("check", "qwixx")),
    (0, ("check", "qwixx", "kubbar", "matte_kryss", "twenty_one", PIG)),
    (2, ("check", "no_such_game")),
    (0, ("verify", "qwixx", "--no-prove")),
    (0, ("verify", PIG)),
    (0, ("test", "qwixx", "kubbar", "matte_kryss", "twenty_one")),
    (0, ("run", "qwixx", "--games", "2", "--players", "2", "--seed", "1")),
    (0, ("run", "kubbar", "--games", "1", "--players", "2", "--seed", "1")),
    (2, ("run", "qwixx", "--variant", "no_such_variant")),
    (1, ("why", "qwixx", "--move", "cross_sum(row=red, at=11)", "--by", "1")),
    (0, ("why", PIG, "--move", "roll", "--by", "1")),
    (1, ("why", "twenty_one", "--move", "stop", "--by", "1")),
    (0, ("perft", "qwixx", "--depth", "2")),
    (0, ("perft", PIG, "--depth", "3", "--every-outcome")),
    (0, ("prove", PIG, "--players", "2")),
    (0, ("prove", PIG, "--players", "2", "--only", "twenty", "--count", "2")),
    (0, ("prove", "qwixx", "--players", "2", "--defaults", "--only", "lock_with_last")),
    (0, ("conform", "qwixx", ENGINE, "--stages", "examples,games", "--games", "2")),
    (1, ("conform", "qwixx", WRONG, "--stages", "examples,games", "--games", "2")),
    (0, ("readings", "qwixx", "--players", "2")),
    (0, ("docs", PIG, "--out", "pages", "--no-prove")),
    (0, ("rulebook", PIG, "--pdf", "--out", "printed")),
    (0, ("fmt", "--check", PIG)),
    (0, ("translate", "qwixx", "--check")),
    (1, ("translate", PIG, "--language", "da", "--check")),
]


@pytest.mark.parametrize(("exit", "arguments"), OUTPUTS, ids=lambda each: str(each)[:60])
def test_what_a_command_prints_fits_its_schema(
    printed: Callable[..., dict[str, Any]], exit: int, arguments: tuple[str, ...]
):
    report = printed(*arguments, exit=exit)
    for damaged, how in damages(report):
        assert errors("report", damaged), how
    assert errors("report", grown(report)) == []


def damages(report: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The report with one thing wrong at a time."""
    for key in ("command", "version", "spec", "spec_hash", "results", "diagnostics", "summary"):
        yield {name: value for name, value in report.items() if name != key}, f"without {key}"
    yield {**report, "command": "nonsense"}, "another command"
    yield {**report, "exit": 5}, "another exit code"
    yield {**report, "results": {}}, "results that are no list"
    yield {**report, "diagnostics": [{"message": "?"}]}, "half a diagnostic"
    for result in report["results"][:3]:
        for key, value in result.items():
            if key in OPTIONAL:
                continue
            wrong = copy.deepcopy(report)
            at = report["results"].index(result)
            del wrong["results"][at][key]
            yield wrong, f"a result without {key}"
            wrong = copy.deepcopy(report)
            wrong["results"][at][key] = 3.5 if isinstance(value, str | list) else "nonsense"
            if key not in (
                "expected",
                "got",
                "reason",
                "accepted",
                "variant",
                "spec_hash",
                "waits_for",
            ):
                yield wrong, f"a result with a wrong {key}"


OPTIONAL = {"check", "clauses", "examples", "proofs", "engine", "certified"}
"""Members that a result of some command may lack."""


def grown(report: dict[str, Any]) -> dict[str, Any]:
    """The report as a later version might write it."""
    later = copy.deepcopy(report)
    for each in (later, later["summary"], *later["results"], *later["diagnostics"]):
        each["of_a_later_version"] = {"anything": [1, None]}
    return later


def test_a_change_is_told_as_its_schema_says(printed: Run, tmp_path: Path):
    changed = Path(PIG).read_text("utf-8").replace("1..6", "1..7")
    (tmp_path / "new.rules").write_text(changed, encoding="utf-8")
    (tmp_path / "old.rules").write_text(Path(PIG).read_text("utf-8"), encoding="utf-8")
    printed("run", "old.rules", "--games", "1", "--players", "2", "--trace", "t.jsonl")
    report = printed("diff", "old.rules", "new.rules", "--players", "2", "--games", "t.jsonl")
    told = {next(iter(each)) for each in report["results"]}
    assert told >= {"story", "move", "property", "game", "play"}
    for damaged, how in damages(report):
        assert errors("diff", damaged), how


def test_a_run_that_is_stopped_fits(printed: Run):
    report = printed("prove", "kubbar", "--no-cache", "--limit", "0.3", exit=3)
    assert report["summary"]["stopped"]


def test_a_proof_and_its_certificate(printed: Run, tmp_path: Path):
    few = ("--players", "2", "--only", "won_with_100", "--certificate", "c.json")
    printed("prove", PIG, *few, "--certify")
    certificate = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert errors("certificate", certificate) == []
    for key in certificate:
        assert errors("certificate", {k: v for k, v in certificate.items() if k != key}), key
    assert errors("certificate", {**certificate, "rulewright_certificate": 2})
    report = printed("prove", PIG, "--certificate", "c.json")
    assert all("rests_on" in each for each in report["results"])


@pytest.mark.parametrize("game", ["qwixx", "kubbar", "matte_kryss", "twenty_one"])
def test_recorded_games_and_positions_fit(printed: Run, tmp_path: Path, game: str):
    printed("run", game, "--games", "1", "--players", "2", "--seed", "1", "--trace", "t.jsonl",
            "--states")  # fmt: skip
    header, *events = map(json.loads, (tmp_path / "t.jsonl").read_text("utf-8").splitlines())
    some = (header, *events[:30:3], *events[-3:])
    assert [each for line in some for each in errors("trace", line)] == []
    assert errors("position", events[-1]["state"]) == []
    assert errors("trace", {**header, "rulewright": 2})
    assert errors("trace", {**header, "players": "two"})
    move = next(each for each in events if "move" in each)
    wrong_members: list[dict[str, Any]] = [
        {"by": 0}, {"by": "1"}, {"move": 1}, {"chance": "throw"}, {"args": []}
    ]  # fmt: skip
    for damage in wrong_members:
        assert errors("trace", {**move, **damage}), damage
    assert errors("trace", {k: v for k, v in move.items() if k != "by"})
    wrong = {**move, "by": 3 - move["by"], "args": {}}
    (tmp_path / "wrong.jsonl").write_text(f"{json.dumps(header)}\n{json.dumps(wrong)}\n")
    takes_arguments = move["args"] != {}  # without them it cannot be read
    report = printed("replay", game, "wrong.jsonl", exit=2 if takes_arguments else 1)
    for damaged, how in damages(report):
        assert errors("replay", damaged), how


def test_rows_of_replayed_games_fit(printed: Run, tmp_path: Path):
    printed("run", PIG, "--games", "2", "--players", "2", "--seed", "1", "--trace", "t.jsonl")
    lines = (tmp_path / "t.jsonl").read_text("utf-8").splitlines()
    wrong = json.dumps({**json.loads(lines[1]), "by": 2})
    (tmp_path / "wrong.jsonl").write_text("\n".join([lines[0], wrong]) + "\n")
    report = printed("replay", PIG, "t.jsonl", "wrong.jsonl", "--results", "rows.jsonl", exit=1)
    rows = [json.loads(each) for each in (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()]
    assert [each["verdict"] for each in rows] == ["legal", "legal", "illegal"]
    assert [found for each in rows for found in errors("replayed", each)] == []
    assert report["results"] == [{k: v for k, v in rows[2].items() if k != "finished"}]
    for row in rows:
        for key in row:
            assert errors("replayed", {k: v for k, v in row.items() if k != key}), key
    assert errors("replayed", {**rows[2], "line": None})
    assert errors("replayed", {**rows[0], "verdict": "fine"})


def test_games_with_parts_unknown_fit(printed: Run, tmp_path: Path):
    printed("run", PIG, "--games", "1", "--players", "2", "--seed", "1", "--trace", "t.jsonl")
    header, *events = map(json.loads, (tmp_path / "t.jsonl").read_text("utf-8").splitlines())
    told = [{**each, "args": {}} if "chance" in each else each for each in events[:6]]
    wrong = {"move": "hold", "by": 1, "args": {}}
    for name, lines in (("u.jsonl", [header, *told]), ("wrong.jsonl", [header, wrong])):
        (tmp_path / name).write_text("".join(json.dumps(each) + "\n" for each in lines))
    unknown = ("--unknown", "fall.pips", "--deal", "whole.jsonl")
    report = printed("replay", PIG, "u.jsonl", "wrong.jsonl", *unknown, exit=1)
    assert report["summary"]["unknown"] == ["fall.pips"]
    assert (report["summary"]["legal"], report["summary"]["illegal"]) == (1, 1)
    for damaged, how in damages(report):
        assert errors("replay", damaged), how
    whole = [json.loads(each) for each in (tmp_path / "whole.jsonl").read_text().splitlines()]
    assert [found for each in whole for found in errors("trace", each)] == []
    assert printed("replay", PIG, "whole.jsonl")["summary"]["legal"] == 1


def test_a_shard_and_what_is_merged_fit(printed: Run, rulewright: Run, tmp_path: Path):
    asked = ("run", PIG, "--games", "2", "--players", "2", "--seed", "1")
    ran = rulewright(*asked, "--shard", "1/1", "--format", "json")
    shard = json.loads(ran.out)
    assert errors("report", shard) == errors("shard", shard) == []
    for damaged, how in damages(shard):
        assert errors("report", damaged), how
    (tmp_path / "shard.json").write_text(ran.out, encoding="utf-8")
    assert printed("merge", "shard.json") == printed(*asked)


def test_vectors_fit(printed: Run, tmp_path: Path):
    printed("vectors", PIG, "--out", "v.jsonl")
    header, *vectors = map(json.loads, (tmp_path / "v.jsonl").read_text("utf-8").splitlines())
    assert [each for line in (header, *vectors) for each in errors("vector", line)] == []
    assert errors("vector", {**header, "rulewright_vectors": 2})
    for key in vectors[0]:
        assert errors("vector", {k: v for k, v in vectors[0].items() if k != key}), key
    legal = next(each for each in vectors if each["expected"]["legal"])
    assert errors("vector", {**legal, "expected": {"legal": True}})
    assert errors("vector", {**legal, "expected": {**legal["expected"], "legal": False}})


def test_evidence_fits(printed: Run):
    report = printed("evidence", PIG, exit=1)
    assert {each["evidence"] for each in report["results"]} == {"tested", None}


def test_the_protocol_is_spoken_as_its_schema_says(printed: Run, tmp_path: Path):
    (tmp_path / "tee.py").write_text(TEE)
    log = tmp_path / "log.jsonl"
    command = shlex.join([sys.executable, str(tmp_path / "tee.py"), str(log)])
    printed("conform", "qwixx", f"exec:{command}", "--stages", "examples,games", "--games", "1")
    seen = set()
    for line in log.read_text("utf-8").splitlines():
        request, answer = json.loads(line)
        verb = request["do"]
        if verb == "apply" and not _is_event(request):
            continue  # a near miss that is no event at all: engines have to refuse it
        seen |= {verb, f"{verb} {answer.get('ok')}"}
        assert errors("protocol", request) == [], request
        assert errors(f"protocol#/$defs/{verb}_answer", answer) == [], (request, answer)
    assert seen >= {"hello", "new", "apply True", "apply False", "state", "legal", "load", "score"}


def _is_event(request: dict[str, Any]) -> bool:
    return errors("values#/$defs/event", request) == []


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ("protocol", {"do": "undo"}),
        ("protocol", {"do": "new", "players": 0, "readings": {}, "variant": None}),
        ("protocol", {"do": "apply", "move": "pass_sum"}),
        ("protocol", {"do": "load"}),
        ("protocol#/$defs/hello_answer", {"engine": "mine", "can": []}),
        ("protocol#/$defs/apply_answer", {"state": {}}),
        ("protocol#/$defs/apply_answer", {"ok": "yes"}),
        ("protocol#/$defs/state_answer", {"state": []}),
        ("protocol#/$defs/legal_answer", {"moves": [{"chance": "throw"}]}),
        ("protocol#/$defs/score_answer", {"scores": {"1": 12}}),
    ],
)
def test_what_is_against_the_protocol_is_noticed(schema: str, instance: Any):
    assert errors(schema, instance)


# ---- the types of the Python API say the same

TYPED = {
    "CheckResult": "check#/properties/results/items",
    "VerifyResult": "verify#/properties/results/items",
    "ExampleResult": "test#/properties/results/items",
    "ProveResult": "prove#/$defs/proof",
    "CertificateResult": "prove#/$defs/certified",
    "RunResult": "run#/properties/results/items",
    "ReplayResult": "replay#/properties/results/items",
    "PerftResult": "perft#/properties/results/items",
    "RuleChange": "diff#/$defs/rule",
    "PropertyChange": "diff#/$defs/property",
    "ExampleChange": "diff#/$defs/example",
    "GameChange": "diff#/$defs/game",
    "TextChange": "diff#/$defs/text",
    "PlayChange": "diff#/$defs/play",
    "ReadingResult": "readings#/properties/results/items/else",
    "Holdings": "readings#/properties/results/items/then",
    "ConformResult": "conform#/properties/results/items",
    "Difference": "conform#/$defs/difference",
    "MistakeObject": "evidence#/$defs/mistake",
    "EvidenceResult": "evidence#/properties/results/items",
    "VectorsResult": "vectors#/properties/results/items",
    "DiagnosticObject": "envelope#/$defs/diagnostic",
}


@pytest.mark.parametrize("name", TYPED)
def test_types_and_schemas_say_the_same(name: str):
    file, _, path = TYPED[name].partition("#/")
    schema = SCHEMAS[f"{file}.schema.json"]
    for part in path.split("/"):
        schema = schema[part]
    typed = getattr(types, name)
    assert set(get_type_hints(typed)) == set(schema["properties"])
    # with postponed annotations, NotRequired is only seen when the hints are worked out
    hints = get_type_hints(typed, include_extras=True)
    needed = {key for key, hint in hints.items() if "NotRequired" not in str(hint)}
    assert needed == set(schema["required"])

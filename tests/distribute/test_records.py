"""Records travel as text and come back the same; no text becomes anything but a record."""

from __future__ import annotations

import json

import pytest

from rulewright.distribute.records import from_text, to_text
from rulewright.frontend import read
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.fingerprint import fingerprint
from rulewright.resources import find_spec
from rulewright.syntax.node import Span


@pytest.mark.parametrize("game", ["pig", "qwixx", "kubbar"])
def test_a_spec_comes_back_as_it_was(game: str) -> None:
    spec = read(find_spec(game)).spec
    assert spec is not None
    found = from_text(to_text(spec))
    assert found == spec and fingerprint(found) == fingerprint(spec)
    assert found.transitions[0].span == spec.transitions[0].span


def test_values_of_all_kinds() -> None:
    value = {
        None: (1, 2.5, "a", True), "set": frozenset({("x", 1), ("y", 2)}), "range": range(2, 5),
        "span": Span(3, 4), "list": [Configuration(2, (("r", "o"),), None)],
    }  # fmt: skip
    found = from_text(to_text(value))
    assert found == value and isinstance(found["span"], Span)


def test_a_record_in_two_places_is_written_once() -> None:
    one = Configuration(2, (), None)
    assert len(json.loads(to_text((one, one)))["records"]) == 1
    first, second = from_text(to_text((one, one)))
    assert first is second


@pytest.mark.parametrize(
    "written",
    [
        "",
        "[]",
        "{}",
        '{"records": [], "root": {"record": 0}}',
        '{"records": [], "root": {"record": -1}}',
        '{"records": [["os:system", "true"]], "root": null}',
        '{"records": [["system.processes:ChildProcess", ["true"]]], "root": null}',
        '{"records": [["system.processes:os.system", "true"]], "root": null}',
        '{"records": [["..os:system", "true"]], "root": null}',
        '{"records": [["play.semantics.instance:Configuration", 2]], "root": null}',
        '{"records": [["diagnostics:Node"]], "root": null}',
        '{"records": [], "root": {"code": "1"}}',
        '{"records": [], "root": {"tuple": [], "set": []}}',
    ],
)
def test_what_is_no_record_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_text(written)

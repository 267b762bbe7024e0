"""What comes from elsewhere has the form that it is read by, or is nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from rulewright.distribute.annotations import as_annotated
from rulewright.distribute.records import from_text, to_text
from rulewright.distribute.shape import Either, Row, fits, read_json
from rulewright.meaning.core import Source
from rulewright.syntax.node import Node

FORM = {"line": int, "names": [str], "many": {str: int}, "pair": Either(Row(int, bool), None)}
GOOD = {"line": 3, "names": ["a"], "many": {"x": 1}, "pair": [1, True]}


def test_what_has_the_form_is_read() -> None:
    assert read_json(json.dumps(GOOD), FORM) == GOOD
    assert fits({**GOOD, "pair": None, "names": [], "many": {}}, FORM)


@pytest.mark.parametrize(
    "change",
    [{"line": True}, {"line": 1.0}, {"line": None}, {"names": "a"}, {"names": [1]},
     {"many": {"x": "1"}}, {"many": []}, {"pair": [1]}, {"pair": [1, 1]}, {"more": 1}],
)  # fmt: skip
def test_what_has_another_form_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="another form"):
        read_json(json.dumps({**GOOD, **change}), FORM)


@pytest.mark.parametrize("text", ["[" * 100_000, "", "{", '{"line": 1}', "NaN"])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"too deep|another form|Expecting"):
        read_json(text, FORM)


def test_numbers_are_finite() -> None:
    assert fits(1, float) and fits(0.5, float)
    assert not fits(float("inf"), float) and not fits(float("nan"), float)


class Told(Node):
    """A record of every kind of field."""

    name: str
    count: int
    words: tuple[str, ...]
    pair: tuple[int, str]
    inside: Told | None
    names: Mapping[str, int]
    some: frozenset[int]
    anything: object


TOLD = Told("a", 1, ("b",), (1, "c"), None, {"d": 2}, frozenset({3}), object())


def test_a_record_holds_what_it_should() -> None:
    assert as_annotated(TOLD)
    assert as_annotated(Told(*(getattr(TOLD, field) for field in Told._fields[:4]), TOLD, {},
                             frozenset(), None))  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", 1), ("name", None), ("count", "1"), ("words", ["b"]), ("words", (1,)),
     ("pair", (1,)), ("pair", ("c", 1)), ("inside", "x"), ("names", {"d": "2"}),
     ("some", frozenset({"3"}))],
)  # fmt: skip
def test_a_record_that_holds_something_else(field: str, value: object) -> None:
    values = [value if each == field else getattr(TOLD, each) for each in Told._fields]
    assert not as_annotated(Told(*values))


def test_a_record_with_a_number_for_a_name_does_not_arrive() -> None:
    from rulewright.syntax.node import Span

    text = to_text(Source(name="en", title="The rules", document=None, span=Span(0, 1)))
    assert isinstance(from_text(text), Source)
    with pytest.raises(ValueError, match="holds something else"):
        from_text(text.replace('"The rules"', "7"))

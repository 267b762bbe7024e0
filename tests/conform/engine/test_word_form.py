"""The protocol without JSON: what is written can be read again, and nonsense is said to be so."""

from __future__ import annotations

import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.conform.engine.protocol import EngineFault, EngineRefusal, open_engine
from rulewright.conform.engine.word_form import WordEngine, _Reader, words_of

TEXTS = st.sampled_from(
    ["red", "red 5", "", "1", "-0", "true", "{", "a:b", "a\nb", '"', "ö x", "_"]
)
VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, -7, 12]) | TEXTS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(TEXTS, VALUES, max_size=2))
def test_what_is_written_reads_the_same(value):
    written = words_of(value)
    assert "\n" not in written
    assert _Reader(written.split()[1:-1]).members(None) == value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            {"move": "cross", "by": 2, "args": {"row": "red"}},
            "{ move cross by 2 args { row red } }",
        ),
        ([[1, None], [2, True]], "[ [ 1 none ] [ 2 true ] ]"),
        ({"at": "red 5"}, "{ at red:5 }"),
        ({"by": "1", "more": "none"}, '{ by "1" more "none" }'),
        ({"a:b": ""}, '{ "a\\u003ab" "" }'),
    ],
)
def test_how_values_are_written(value, words):
    assert words_of(value) == words


PROGRAM = """
import sys
for line in sys.stdin:
    verb = line.split()[0]
    print(ANSWERS.get(verb, "no such verb"), flush=True)
"""


def engine(tmp_path, **answers):
    file = tmp_path / "engine.py"
    known = {"hello": "ok engine My:Pig game pig can [ new apply state ]", **answers}
    file.write_text(f"ANSWERS = {known!r}\n{PROGRAM}")
    return open_engine(f"words:{sys.executable} {file}")


def test_a_program_is_spoken_to_in_words(tmp_path):
    with engine(tmp_path, new="ok", apply="no  not now", state="ok state { total 4 }") as opened:
        assert isinstance(opened, WordEngine)
        assert (opened.name, opened.game) == ("My Pig", "pig")
        assert opened.new({"players": 2, "variant": None}) is None
        assert opened.state() == {"total": 4}
        with pytest.raises(EngineRefusal) as refused:
            opened.apply({"move": "roll", "by": 1, "args": {}})
        assert refused.value.why == "not now"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('{"ok": true}', "neither `ok` nor `no`"),
        ("ok state {", "a `{` is not closed"),
        ("ok state { total [ 1 }", "a `[` is not closed"),
        ("ok state { total }", "`total` has no value"),
        ("ok state { a 1 a 2 }", "`a` stands twice"),
        ("ok } 1", "`}` stands for a name"),
        ("ok state " + "[ " * 300, "too deep"),
        ("", "an empty line"),
    ],
)
def test_what_makes_no_sense_is_said_with_what_to_do(tmp_path, said, reason):
    with engine(tmp_path, new=said) as opened:
        with pytest.raises(EngineFault) as fault:
            opened.new({"players": 2})
        assert reason in fault.value.reason
        assert fault.value.help

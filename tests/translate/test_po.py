"""PO files: what is written is read again, and what is wrong is a diagnostic at its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.syntax.node import Span
from rulewright.translate.catalogue import Catalogue, catalogue_of
from rulewright.translate.po import Entry, write_po

LETTERS = st.characters(codec="utf-8", exclude_characters="\0\r")
WORDS = st.text(LETTERS, max_size=120)
ENTRY = st.builds(
    lambda context, text, said, fuzzy, before, obsolete: Entry(
        context, text, (said,), Span(0, 0), None, fuzzy, before, (), "", obsolete
    ),
    WORDS, WORDS.filter(bool), WORDS, st.booleans(), st.none() | WORDS, st.booleans(),
)  # fmt: skip


def read(text: str) -> Catalogue:
    return catalogue_of("x.is.po", "is", text)


def key(entry: Entry) -> tuple[str, str]:
    return entry.context, entry.text


@settings(max_examples=60, deadline=None)
@given(st.lists(ENTRY, max_size=4, unique_by=key))
def test_what_is_written_is_read_again(entries: list[Entry]):
    found = read(write_po(entries))
    assert found.diagnostics == ()
    assert list(found.entries) == entries


def test_plural_forms_and_comments_of_other_tools_are_read():
    (entry,) = read(
        "#  a translator\n#. extracted\n#: qwixx.rules:12\n#, fuzzy, c-format\n"
        '#| msgctxt "tiles"\n#| msgid "one tile"\n'
        'msgctxt "tiles"\nmsgid "1 tile"\nmsgid_plural "{number} tiles"\n'
        'msgstr[0] "{number} kub"\n"bur"\nmsgstr[1] "{number} kubbar"\n'
    ).entries
    assert entry.forms == ("{number} kubbur", "{number} kubbar")
    assert entry.plural == "{number} tiles" and entry.previous == "one tile"
    assert entry.fuzzy and not entry.is_done
    assert entry.notes == ("a translator",) and entry.place == "qwixx.rules:12"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('msgid "open\nmsgstr ""\n', 1, "does not end"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr "c"\n', 1, "no `msgstr`"),
        ('msgctxt "a"\nmsgstr "c"\n', 1, "no `msgid`"),
        ('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', 4, "translated twice"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', 2, "second `msgid`"),
        ("print('x')\n", 1, "no line of a PO file"),
        ('"alone"\n', 1, "belongs to nothing"),
        ('msgid "\\x"\nmsgstr ""\n', 1, "stands for nothing"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, said: str):
    (found,) = read(text).diagnostics
    assert (found.code, found.line, found.severity) == ("RW017", line, "error")
    assert said in found.message and found.help


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from('msgidtrcx#~|,:[]0 "\\\n'), max_size=80) | WORDS)
def test_no_file_raises(text: str):
    found = read(text)
    assert all(each.code in ("RW016", "RW017") for each in found.diagnostics)


def test_a_file_full_of_mistakes_ends():
    assert len(read("nonsense\n\n" * 5_000).diagnostics) < 1_000

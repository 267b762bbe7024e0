"""A text that is edited is read as it would be at once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright.diagnostics import Messages, Text
from rulewright.syntax.parsing.incremental import IncrementalParser, JournalText
from rulewright.syntax.parsing.parser import parse

SPEC = Path(__file__).parents[2] / "spec"
PIECES = ("(", "\n", '"', "x", "    ", "#", "\nfun f(): Bool = true\n", "", "", "\t")


def at_once(text: str) -> tuple[object, list[object]]:
    messages = Messages(Text("x.rules", text))
    return parse(text, messages).declarations, list(messages.sorted())


@pytest.mark.parametrize("seed", range(6))
def test_edits_lead_to_the_same_tree_and_the_same_messages(seed: int):
    random = Random(seed)
    original = text = (SPEC / "qwixx.rules").read_text("utf-8")
    parser = IncrementalParser("x.rules")
    for count in range(25):
        if count % 8 == 7:
            text = original
        start = random.randrange(len(text))
        end = start + random.choice((0, 0, 1, 3, 80))
        text = text[:start] + random.choice(PIECES) + text[end:]
        tree, messages = parser.parse(text)
        assert (tree.declarations, messages.sorted()) == at_once(text)


def test_every_span_leads_to_its_own_text():
    text = (SPEC / "qwixx.rules").read_text("utf-8")
    parser = IncrementalParser("x.rules")
    parser.parse(text)
    changed = text.replace("clause", "# a comment\nclause", 1)
    tree, messages = parser.parse(changed)
    journal = messages.text
    assert isinstance(journal, JournalText)
    for each in tree.declarations:
        start = journal.in_file(each.span.start)
        assert (
            journal.text[each.span.start : each.span.end]
            == changed[start:][: each.span.end - each.span.start]
        )
        assert journal.in_journal(start) == each.span.start


def test_only_what_changed_is_read_again():
    text = (SPEC / "qwixx.rules").read_text("utf-8")
    parser = IncrementalParser("x.rules")
    before, _ = parser.parse(text)
    after, _ = parser.parse(text.replace("move pass", "move skip", 1))
    kept = {id(each) for each in before.declarations}
    assert sum(id(each) not in kept for each in after.declarations) <= 1


def test_a_journal_does_not_grow_without_end():
    parser = IncrementalParser("x.rules")
    for count in range(3000):
        parser.parse(f'game g "{"x" * 200} {count}"\n    players 2..4\n')
    assert len(parser._journal) < 200_000

"""What `verify` has to say of a spec, one column of its table each.

To verify one thing more, write a function that judges a spec and add a column for it. A spec
that cannot be used gets no judgement from a column that needs one, and never counts as holding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from checker.cli.exits import FAILS, HOLDS
from checker.cli.outcome import exit_for, in_words, tally
from checker.front import Checked
from checker.message import Diagnostic
from checker.syntax.node import Node


class Judgement(Node):
    """What one column says of one spec."""

    text: str
    exit: int
    data: Mapping[str, object]
    found: tuple[Diagnostic, ...] = ()
    """What it found that reading the spec had not."""


class Column(Node):
    """One thing to verify. Without `needs_spec` it also speaks of specs that cannot be used."""

    name: str
    judge: Callable[[Checked], Judgement]
    needs_spec: bool = True


def check(checked: Checked) -> Judgement:
    """Whether the spec is well formed and every clause has its evidence."""
    found = checked.diagnostics
    text = in_words(found) if found else "ok"
    return Judgement(text, exit_for(found), tally(found))


def clauses(checked: Checked) -> Judgement:
    """How many clauses of the rulebook the spec accounts for."""
    assert checked.spec is not None
    number = len(checked.spec.clauses)
    return Judgement(str(number), HOLDS, {"number": number})


def examples(checked: Checked) -> Judgement:
    """Whether the worked examples of the rulebook play as they are written."""
    from checker.cli.test import no_examples, result_of
    from checker.play.examples import play_examples

    assert checked.spec is not None
    results = [result_of(checked, each) for each in play_examples(checked.spec, checked.variant)]
    found = tuple(each for result in results for each in result.diagnostics)
    if not results:
        found = (no_examples(checked),)
    failed = sum(result.status != "holds" for result in results)
    text = f"{failed} of {len(results)} fail" if failed else f"{len(results)} play"
    data = {"number": len(results), "failed": failed}
    return Judgement(text, FAILS if found else HOLDS, data, found)


COLUMNS = (
    Column("check", check, needs_spec=False),
    Column("clauses", clauses),
    Column("examples", examples),
)
"""What is verified, from left to right."""

"""The canonical layout: what it looks like, that it says the same, that nothing gets lost."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from rulewright.diagnostics import Messages, Text
from rulewright.syntax import tree as t
from rulewright.syntax.node import NOWHERE
from rulewright.syntax.parsing.parse_tables import load_tables
from rulewright.syntax.parsing.parser import parse
from rulewright.syntax.printing.formatter import (
    format_declaration,
    format_expr,
    format_spec,
    format_text,
)
from rulewright.syntax.printing.pretty import WIDTH
from rulewright.syntax.printing.trivia import Manuscript
from tests.syntax import trees
from tests.syntax.random_text import scrawl

ROOT = Path(__file__).parents[2]
CASES = sorted(path.name for path in (ROOT / "tests" / "golden" / "format").iterdir())
GAMES = sorted((ROOT / "spec").rglob("*.rules"))
TABLES = load_tables()

widths = some.sampled_from([WIDTH, 60, 30])
lawful = settings(deadline=None, suppress_health_check=list(HealthCheck))


def read(text: str) -> t.Spec:
    """The tree of a text, which must be readable."""
    messages = Messages(Text("test.rules", text))
    tree = parse(text, messages, TABLES)
    assert not messages.all, f"{messages.all[0].line}: {messages.all[0].message}\n{text}"
    return tree


def formatted(text: str, width: int = WIDTH) -> str:
    """A readable text in its canonical layout."""
    result, found = format_text(text, "test.rules", width, TABLES)
    assert result is not None, found
    return result


def comments(text: str) -> list[str]:
    """The comments of a text, in order."""
    return [comment.text for comment in Manuscript(text, read(text)).comments]


# ---- laws


@pytest.mark.parametrize("kind", trees.DECLARATIONS, ids=lambda kind: kind.__name__)
def test_a_formatted_tree_reads_back_as_the_same_tree(kind: type) -> None:
    @settings(lawful, max_examples=15)
    @given(trees.DECLARATIONS[kind], widths)
    def law(declaration: t.Declaration, width: int) -> None:
        text = format_spec(t.Spec(NOWHERE, (declaration,)), width=width)
        assert read(text).declarations == (declaration,), text
        assert formatted(text, width) == text

    law()


@settings(lawful, max_examples=150)
@given(trees.expressions)
def test_an_expression_on_one_line_reads_back_as_the_same(expr: t.Expr) -> None:
    text = format_expr(expr)
    (const,) = read(f"const it = {text}\n").declarations
    assert isinstance(const, t.Const)
    assert const.value == expr, text
    assert format_expr(const.value) == text


@settings(lawful, max_examples=30)
@given(trees.specs, widths, some.randoms(use_true_random=False))
def test_the_layout_does_not_depend_on_the_hand(spec: t.Spec, width: int, random: Random) -> None:
    text = format_spec(spec, width=width)
    scrawled, _ = scrawl(text, TABLES, random, comments=False, blanks=False)
    assert formatted(scrawled, width) == text, scrawled


@settings(lawful, max_examples=40)
@given(trees.specs, widths, some.randoms(use_true_random=False))
def test_comments_are_kept_and_a_second_time_changes_nothing(
    spec: t.Spec, width: int, random: Random
) -> None:
    scrawled, written = scrawl(format_spec(spec), TABLES, random)
    text = formatted(scrawled, width)
    assert read(text) == spec, scrawled
    assert comments(scrawled) == comments(text) == written, scrawled
    assert formatted(text, width) == text, scrawled
    assert text == "" or text.endswith("\n")
    assert not any(line != line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text


def test_the_random_trees_have_every_class_of_the_tree() -> None:
    classes = {
        name for name, each in inspect.getmembers(t, inspect.isclass) if issubclass(each, t.Tree)
    }
    source = inspect.getsource(trees)
    assert {name for name in classes - {"Tree"} if f"t.{name}," not in source} == set()


# ---- examples


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, golden: Callable[[str, str], None]) -> None:
    before = (ROOT / "tests" / "golden" / "format" / case / "input.rules").read_text("utf-8")
    after = formatted(before)
    golden(f"format/{case}/expected.rules", after)
    assert formatted(after) == after
    assert read(after) == read(before)
    assert comments(after) == comments(before)


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_a_whole_game_stays_the_same_game(game: Path) -> None:
    before = game.read_text("utf-8")
    after = formatted(before)
    assert read(after) == read(before)
    assert comments(after) == comments(before)
    assert formatted(after) == after
    wide = [line for line in after.split("\n") if len(line) > WIDTH]
    breakable = [line for line in wide if not re.search(r'"|#|^ +legend ', line)]
    assert breakable == [], "only prose, comments and legends may be too long for their line"


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("((a))+(b*c)", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c) - d", "a - (b - c) - d"),
        ("(a implies b) implies (c implies d)", "(a implies b) implies c implies d"),
        ("(a < b) == (c < d)", "(a < b) == (c < d)"),
        ("not (a in b)", "not a in b"),
        ("(not a) == b", "(not a) == b"),
        ("-(-a)", "--a"),
        ("-(a + 1)", "-(a + 1)"),
        ("(-a) * b", "-a * b"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("a if b else (c if d else e)", "a if b else c if d else e"),
        ("(a and b) or c", "(a and b) or c"),
        ("a and b or c", "(a and b) or c"),
        ("(all x: T: a) and b", "(all x: T: a) and b"),
        ("a and (all x: T: b)", "a and all x: T: b"),
        ("a and (all x: T: b) or c", "(a and all x: T: b) or c"),
        ("1 + sum x: T: x", "1 + (sum x: T: x)"),
        ("(let y = 1: y) + y", "(let y = 1: y) + y"),
        ("a if (some x: T: b) else c", "a if some x: T: b else c"),
        ("(a otherwise b) otherwise c", "(a otherwise b) otherwise c"),
        ("a otherwise (b otherwise c)", "a otherwise b otherwise c"),
        ("(m with [k] = v) with [l] = (w + 1)", "m with [k] = v with [l] = (w + 1)"),
        ("(a otherwise b)[k].f", "(a otherwise b)[k].f"),
        ("m [ p ][row] + m[p,row]", "m[p][row] + m[p, row]"),
        ("all n in 1 .. 3, m in (n+1)..(k - 1): n<m", "all n in 1..3, m in n + 1 .. k - 1: n < m"),
        ("{ each x:T where x!=y : f( x ) }", "{each x: T where x != y: f(x)}"),
        ("[ red:1,else :0 ]", "[red: 1, else: 0]"),
        ("f( x , at=3 )", "f(x, at = 3)"),
    ],
)
def test_expressions(written: str, laid_out: str) -> None:
    assert formatted(f"const it = {written}") == f"const it = {laid_out}\n"


def test_a_minus_sign_in_a_number_made_by_the_program_is_kept_apart() -> None:
    minus_two = t.Number(NOWHERE, -2)
    assert format_expr(t.Binary(NOWHERE, "-", minus_two, minus_two)) == "-2 - -2"
    assert format_expr(t.Index(NOWHERE, minus_two, (minus_two,))) == "(-2)[-2]"


def test_a_declaration_alone() -> None:
    (clause,) = read('clause a.b must en:1.2 "x"').declarations
    assert format_declaration(clause) == 'clause a.b must en:1.2 "x"\n'


def test_what_cannot_be_read_is_not_touched() -> None:
    text, found = format_text("const a = 1\nconst b = = 2\n", "test.rules")
    assert text is None
    assert [diagnostic.line for diagnostic in found] == [2]


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("", ""),
        ("\n\n", ""),
        ("  # alone", "# alone\n"),
        ("const a = 1", "const a = 1\n"),
        (
            "const a = 1\r\n\r\n\r\n# b   \r\nconst b = 2   \r\n\r\n",
            "const a = 1\n\n# b\nconst b = 2\n",
        ),
    ],
)
def test_line_ends(written: str, laid_out: str) -> None:
    assert formatted(written) == laid_out


def test_the_order_of_needs_does_and_propose_is_the_authors() -> None:
    text = (
        "move m(x: T) by p in f\n    propose a: 1\n    does x = 1\n    needs b: c\n    does y = 2\n"
    )
    assert formatted(text) == text


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        (["does", "  # why", "  x = 1"], ["does", "    # why", "    x = 1"]),
        (["does  # why", "  x = 1"], ["does  # why", "    x = 1"]),
        (["does", "  x = 1", "  # done"], ["does", "    x = 1", "    # done"]),
        (["does", "    x = 1", "  # done"], ["does x = 1", "# done"]),
        (["does x = 1  # why", "           # and why"], ["does x = 1  # why", "# and why"]),
        (["does", "  x = f(a,  # why", "    b)"], ["# why", "does x = f(a, b)"]),
        (
            ["does", '  l "first" [  # why', "    a.b]: x = 1"],
            ["does", "    # why", '    l "first" [a.b]: x = 1'],
        ),
    ],
)
def test_a_single_statement_stands_beside_its_head_unless_a_comment_parts_them(
    written: list[str], laid_out: list[str]
) -> None:
    head = "move m by p in f\n"
    after = "".join([head, *(f"    {line}\n" for line in laid_out)])
    assert formatted("".join([head, *(f"  {line}\n" for line in written)])) == after
    assert formatted(after) == after


def test_a_very_long_chain_is_laid_out() -> None:
    terms = [f"x{number}" for number in range(20_000)]
    text = formatted(f"const it = {' + '.join(terms)}\n")
    assert text.split("\n")[:3] == ["const it =", "    x0", "    + x1"]
    assert formatted(text) == text


def test_a_keyword_of_another_place_names_what_is_done():
    """`shows` begins a line of a move, and is a label like any other below `does`."""
    text = (
        'chance turn(n: 1..2) in play\n    does\n        x += n\n        shows "how many": x = 0\n'
    )
    assert formatted(text) == text

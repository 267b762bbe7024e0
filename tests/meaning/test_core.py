"""What the core says of a spec: rules unfolded, bookkeeping explicit, ranges worked out."""

import pytest

from rulewright.codes import BASE
from rulewright.frontend import check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.checks.clause_evidence import citations
from rulewright.syntax import tree
from rulewright.syntax.node import NOWHERE
from rulewright.syntax.tree_digest import tree_hash


def core(written: str) -> c.Spec:
    found = check_text("x.rules", BASE + written)
    assert found.spec is not None, found.diagnostics
    return found.spec


def result(expression: str) -> y.Type:
    function = core(f"fun f(n: 1..6, m: -2..3, p: Player) = {expression}\n").function("f")
    assert function is not None
    return function.type


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("n + m", -1, 9), ("n - m", -2, 8), ("n * m", -12, 18), ("-n", -6, -1),
        ("n / 2", 0, 3), ("m / n", -2, 3), ("n % 4", 0, 3), ("n % 10", 0, 6), ("abs(m)", 0, 3),
        ("min(n, m)", -2, 3), ("max(n, m)", 1, 6), ("n if m == 0 else 9", 1, 9),
        ("size({each s: Suit where s == hearts})", 0, 2), ("count q: Player: q == p", 0, 3),
        ("sum q: Player: n", 2, 18), ("sum s: Suit: m", -4, 6),
        ("sum q: Player where q != p: n", 0, 18), ("max s: Suit: n", 1, 6), ("players", 2, 3),
        ("count", 0, 9), ("let k = n + 1: k * k", 4, 49),
    ],
)  # fmt: skip
def test_ranges_are_worked_out(expression, low, high):
    assert result(expression) == y.Int(low, high)


def test_a_choice_from_nothing_may_be_none():
    assert result("max q: Player where q != p: n") == y.Option(y.Int(1, 6))
    assert result("(max x in {n, m}: x) otherwise 0") == y.Int(-2, 6)


def test_rules_are_unfolded_under_their_own_labels():
    spec = core(
        'rule low(n: 0..9)\n    small "small": n < 5\n'
        'rule both(n: 0..9, m: 0..9)\n    low(m)\n    differ "differ": n != m\n'
        'move pick(k: 0..9) by p in play "pick"\n    needs both(count, k)\n'
        '    needs new "new": k != 3\n'
    )
    move = spec.transition("pick")
    assert move is not None
    assert [r.label for r in move.requirements] == [
        "pick.phase", "low.small", "both.differ", "pick.new",
    ]  # fmt: skip
    small = move.requirements[1].condition
    assert isinstance(small, c.Binary) and isinstance(small.left, c.Local)
    assert small.left.name == "k", "the rule's parameter stands for the move's"


def test_unfolding_a_rule_never_captures_a_name():
    spec = core(
        'rule all_above(n: 0..9)\n    above "above": all k in {1, 2}: n > k\n'
        'move pick(k: 0..9) by p in play "pick"\n    needs all_above(k)\n'
    )
    move = spec.transition("pick")
    assert move is not None
    above = move.requirements[1].condition
    assert isinstance(above, c.Quantify)
    bound = above.binders[0].name
    assert isinstance(above.body, c.Binary)
    assert isinstance(above.body.left, c.Local) and above.body.left.name == "k"
    assert isinstance(above.body.right, c.Local) and above.body.right.name == bound != "k"


SIMULTANEOUS = """game t "T"
    players 2..3
phase ask simultaneous, talk, over final
state
    n: 0..9 = 0
move yes by p in ask, talk "yes"
    does n = 1
step go in ask "go"
    when everyone "everyone": all p: Player: p in answered
    does phase = talk
move stop by p in talk "stop"
    does phase = over
"""


def test_acting_together_is_kept_in_answered():
    spec = check_text("x.rules", SIMULTANEOUS).spec
    assert spec is not None
    assert [v.name for v in spec.variables] == ["phase", "answered", "n"]
    yes, go, _ = spec.transitions
    assert [r.label for r in yes.requirements] == ["yes.phase", "yes.once"]
    assert isinstance(yes.body[0], c.If), "only in the simultaneous phase"
    assert [s.variable for s in go.body if isinstance(s, c.Assign)] == ["phase", "answered"]


def test_plus_equals_is_written_out():
    spec = core('move m by p in play "m"\n    does count += 1\n')
    move = spec.transition("m")
    assert move is not None
    (assign,) = move.body
    assert isinstance(assign, c.Assign) and isinstance(assign.value, c.Binary)
    assert (assign.value.operator, assign.type) == ("add", y.Int(0, 9))


def test_cases_with_fields_are_one_member_per_choice():
    spec = core(
        "type Tile = tile(suit: Suit, value: 1..3) | joker\n"
        "fun high(t: Tile): Bool = some v in t.value: v == 3\n"
        "fun same(): Bool = high(tile(hearts, 3)) and high(joker)\n"
    )
    tile = next(enum for enum in spec.enums if enum.name == "Tile")
    assert tile.members[:2] == ("hearts 1", "hearts 2") and tile.members[-1] == "joker"
    value = tile.field("value")
    assert value is not None
    assert value.type == y.Option(y.Int(1, 3)) and value.values[-1] is None


def test_a_drawn_board():
    spec = core(
        "type Square = grid 3 x 2\ntable kind[Square]: Suit?\n    legend h hearts . none\n"
        "      A B C\n    1 h . .\n    2 . spades .\n"
        "fun f(): Bool = kind[A1] == hearts and kind[step(A1, right, 1)] == none\n"
    )
    data = spec.tables[0].data
    assert data["A1"] == "hearts" and data["B2"] == "spades" and data["C1"] is None


def test_initial_values_count_for_every_key():
    spec = core("state\n    each Player\n        row[Suit]: 0..3 = 2\n        seen: Bool = false\n")
    row = next(v for v in spec.variables if v.name == "row")
    assert isinstance(row.type, y.Map) and row.owned
    assert isinstance(row.initial, c.MapOf) and isinstance(row.initial.default, c.MapOf)


VARIANT = (
    "const most = 5\nfun full(): Bool = count == most\n"
    'rule low(n: 0..9)\n    small "small": n < 5\n'
    'move pick(k: 0..9) by p in play "pick"\n    needs low(k)\n'
    "invariant under_ten: count < 10\n"
    'variant quick "Quick"\n    const most = 3\n    replace low.small "smaller": n < 3\n'
    '    add pick.odd "odd": k % 2 == 1\n    drop under_ten\n'
)


def test_a_variant_replaces_adds_and_drops():
    found = check_text("x.rules", BASE + VARIANT)
    assert found.spec is not None, found.diagnostics
    quick = found.variant("quick")
    assert quick.variant == "quick" and quick.properties == ()
    move = quick.transition("pick")
    assert move is not None
    assert [r.label for r in move.requirements] == ["pick.phase", "low.small", "pick.odd"]
    assert move.requirements[1].prose == "smaller"
    full = quick.function("full")
    assert full is not None and isinstance(full.body, c.Binary)
    assert isinstance(full.body.right, c.Literal) and full.body.right.value == 3


def test_what_is_wrong_in_a_variant_is_found_without_playing_it():
    broken = VARIANT.replace("n < 3", "m < 3").replace("k % 2", "k % hearts")
    codes = [d.code for d in check_text("x.rules", BASE + broken).diagnostics]
    assert codes == ["RW101", "RW201"]


def test_the_hash_is_of_the_rules_not_of_their_layout():
    first = check_text("x.rules", BASE).hash
    assert check_text("x.rules", BASE + "\n# a comment\n").hash == first
    assert check_text("x.rules", BASE.replace("    players", "     players")).hash == first
    assert check_text("x.rules", BASE.replace("== 5", "== 6")).hash != first


def test_what_stands_under_what_counts_for_the_hash():
    """A line one step further out is another rule, though no word of it has changed."""
    move = (
        'move m by p in play "m"\n    does\n        if count < 3:\n            count += 1\n'
        "{}phase = over\n"
    )
    inside, outside = (check_text("x.rules", BASE + move.format(" " * n)) for n in (12, 8))
    assert inside.spec is not None and outside.spec is not None
    assert inside.hash != outside.hash


def test_what_looks_alike_side_by_side_has_another_hash():
    def of(*words: str) -> str:
        paths = tree.Path(NOWHERE, words), tree.Path(NOWHERE, ())
        return tree_hash(tree.Spec(NOWHERE, paths))  # type: ignore[arg-type]

    assert len({of("a", "b"), of("ab"), of("a b"), of("a 1:b"), of("a]", "b")}) == 5


def test_citations_are_found_wherever_they_stand():
    spec = core(
        'source en "E"\nclause a aside en:1.1 "A."\nclause b aside en:1.2 "B."\n'
        'const k "k" [a] = 1\nfun f(): Int "f" [b] = k\n'
        'move m by p in play "m" [a]\n    does\n        tagged "t" [b]: count = k\n'
    )
    assert {(x.clause, x.kind, x.name) for x in citations(spec)} == {
        ("a", "rule", "k"), ("b", "rule", "f"), ("a", "move", "m"), ("b", "rule", "m.tagged"),
    }  # fmt: skip


def test_bounds_may_be_constants_computed_from_constants():
    spec = core("const half = 4\nconst whole = 2 * half + 1\nfun f(n: half..whole): Int = n\n")
    function = spec.function("f")
    assert function is not None and function.body.type == y.Int(4, 9)


def test_a_deeper_line_after_a_type_continues_it():
    core(
        'move m by p in play "m"\n    does\n        for q, r: Player\n'
        "                where q != r:\n            count = 1\n"
    )

# ruff: noqa: E501
"""What people get wrong, and what they read then: the message must lead to the fix."""

import pytest

from rulewright.codes import BASE
from rulewright.frontend import check_text

CASES = {
    "seats in arithmetic": (
        "fun f(p: Player): Player = p % players + 1\n", "RW201", "`Player` cannot be divided by",
        "`left_of(p)` is who comes next",
    ),
    "a type of lists": (
        "fun f(x: Array[Player]): Bool = true\n", "RW001", "there is no type `Array[...]`",
        "a map has its index behind its name",
    ),
    "a term without a word": (
        'term tile "a thing"\n', "RW010", "by which word each source calls it", 'en "tile"',
    ),
    "otherwise behind a part": (
        "fun f(s: Set[0..9]): Int = max x in s: x otherwise 0\n", "RW201", "never `none`",
        "`(...) otherwise ...`",
    ),
    "a secret that all see coming about": (
        'secret s "nothing"\n', "RW216", "always comes about by what all see", "chance draw(t:",
    ),
    "a hidden parameter of a function": (
        "fun f(x: 0..9 hidden): Bool = true\n", "RW216", "a parameter of a function cannot be",
        "of the move or chance event",
    ),
    "hidden from nobody's owner": (
        "state\n    top: Set[0..9] hidden from owner = {}\n", "RW216", "has no owner",
        "put it under `each Player`",
    ),
    "a move that looks at what its player does not see": (
        "state\n    each Player\n        card: 0..9 hidden from owner = 0\n"
        'move peek by p in play "m"\n    needs a "a": card[p] == 1\n', "RW212",
        "`peek.a` depends on `card`", "what others have",
    ),
    "misspelt keyword": ("phse end\n", "RW009", "no declaration begins with `phse`", "`phase`"),
    "keyword of another language": (
        "def done(): Bool = true\n", "RW009", "no declaration begins with `def`", "did you mean `fun`?",
    ),
    "missing colon before a type": (
        "fun f(n 0..9): Bool = true\n", "RW007", "a colon is missing here", "put `:`",
    ),
    "missing colon after a label": (
        'rule r(n: 0..9)\n    low "low" n < 5\n', "RW007", "a colon is missing here", "put `:`",
    ),
    "missing colon after if": (
        'move m by p in play "m"\n    does\n        if count == 1\n            count = 2\n',
        "RW007", "a colon is missing here", "put `:`",
    ),
    "missing colon before a line that begins with a keyword": (
        'move m by p in play "m"\n    does\n        if count == 1\n            phase = end\n',
        "RW007", "a colon is missing here", "put `:`",
    ),
    "a requirement without its word": (
        'move m by p in play "m"\n    low "low": count < 5\n    does\n        count = 2\n',
        "RW001", "a requirement of a move begins with `needs`, not with `low`", "write `needs low ...`",
    ),
    "a board that begins as itself": (
        "state\n    laid[1..3]: 0..9 = laid\n", "RW209", "an initial value cannot depend on the state",
        "of the data alone",
    ),
    "missing type of a quantifier": (
        "fun f(): Bool = some p Player: p == p\n", "RW007", "what does `some` go through?",
        "some p: Type",
    ),
    "one equals sign": (
        "fun f(): Bool = count = 5\n", "RW008", "`=` does not compare", "use `==`",
    ),
    "deeper by mistake": (
        'rule r(n: 0..9)\n    a "a": n < 5\n      b "b": n > 1\n', "RW003",
        "this line is indented deeper, yet `b` cannot continue the last", "indent it like",
    ),
    "back to nowhere": (
        'rule r(n: 0..9)\n        a "a": n < 5\n    b "b": n > 1\n', "RW003",
        "this line is indented by an amount that fits no line above it", "indent it by 0",
    ),
    "nothing below": ("state\n", "RW010", "something must be indented below this line", "next line"),
    "unfinished line": ("fun f(): Bool = true and\n", "RW010", "this line is not finished", "an exp"),
    "chained comparison": (
        "fun f(): Bool = 1 < count < 3\n", "RW001", "comparisons cannot be chained",
        "compare twice: `... < count and count < ...`",
    ),
    "chained comparison of something long": (
        "fun f(): Bool = 1 <= size({each s: Suit where s == hearts or s != spades}) <= 3\n", "RW001",
        "comparisons cannot be chained", "with `and` in between",
    ),
    "chained comparison in brackets": (
        "fun f(): Bool = 0 == 1 and (1 >= abs(count - 1) > 0)\n", "RW001",
        "comparisons cannot be chained", "`... >= abs(count - 1) and abs(count - 1) > ...`",
    ),
    "two names on a line": (
        'move m by p in play "m"\n    does\n        let a = 1, b = 2\n        count = a\n',
        "RW001", "this `let` names one value", "on a line of its own",
    ),
    "a list without its length": (
        "fun f(x: List[Player]): Bool = true\n", "RW001", "this list has no largest length",
        "`List[T, 12]`",
    ),
    "each of too many": (
        "state\n    each Int\n        held: 0..3 = 0\n", "RW204",
        "`Int` cannot be an index", "a finite type",
    ),
    "each of nothing": (
        "state\n    each Banana\n        held: 0..3 = 0\n", "RW104",
        "there is no type `Banana`", "declare it with `type`",
    ),
    "a word for a sign": ("fun f(): Bool = players is 3\n", "RW001", "`is` cannot stand here", "use `==`"),
    "a word for a sign after a name like a quantifier": (
        'move m by p in play "m"\n    does\n        if count is 1:\n            count = 2\n',
        "RW001", "`is` cannot stand here", "use `==`",
    ),
    "prose without quotes": (
        "move m by p in play take it all\n", "RW001", "`take` cannot stand here", "in double quotes",
    ),
    "when for if": (
        'move m by p in play "m"\n    does\n        when count == 1:\n            count = 2\n',
        "RW001", "`when` does not begin a statement", "under `if ...:`",
    ),
    "one number of players": ("type Few = 2\n", "RW010", "this line is not finished", "`2..2`"),
    "square beyond the edge": (
        "type Field = grid 3 x 3\nfun f(): Field = D1\n", "RW101", "there is no square `D1`",
        "`Field` goes from A1 to C3",
    ),
    "number for a name": (
        "fun f(): Suit = 3\n", "RW201", "must be `Suit`, but this is `3..3`", "correct the value",
    ),
    "else if": (
        'move m by p in play "m"\n    does\n        if count == 1:\n            count = 2\n'
        "        else if count == 2:\n            count = 3\n",
        "RW001", "`else if` is written `elif`", "elif",
    ),
    "and as a sign": ("fun f(): Bool = true && true\n", "RW004", "`&&` is not a sign", "use `and`"),
    "curly quotes": (
        "fun f(): Bool “yes” = true\n", "RW004", "`“` is not a sign", "straight quotes",
    ),
    "misspelt keyword inside": (
        'move m by p in play "m"\n    nedes low "low": count < 3\n', "RW001", "`nedes` cannot stand", "`needs`",
    ),
    "unclosed bracket": ("fun f(): Bool = (true\n", "RW006", "`(` is never closed", "with `)`"),
    "wrong bracket": ("fun f(): Bool = (true]\n", "RW006", "`]` closes nothing", "is closed by `)`"),
    "unclosed quote": ('fun f(): Bool "x = true\n', "RW005", "no closing quote", 'end it with `"`'),
    "misspelt name": ("fun f(): Bool = cuont == 1\n", "RW101", "nothing called `cuont`", "`count`"),
    "misspelt function": (
        "fun twice(): Int = 2 * count\nfun f(): Int = twise()\n", "RW101",
        "there is no function `twise`", "`twice`",
    ),
    "wrong capital": (
        "fun f(s: suit): Bool = s == hearts\n", "RW104", "there is no type `suit`", "`Suit`",
    ),
    "function without call": (
        "fun g(): Bool = true\nfun f(): Bool = g\n", "RW203", "`g` is a function", "`g()`",
    ),
    "type as a value": (
        "fun f(): Bool = Suit == hearts\n", "RW203", "`Suit` is a type, not a value", "all x: Suit",
    ),
    "rule as a condition": (
        'rule r(n: 0..9)\n    a "a": n < 5\nfun f(): Bool = r(1)\n', "RW203", "`r` is a rule", "needs",
    ),
    "comparing apples": (
        "fun f(): Bool = count == hearts\n", "RW201", "cannot be compared with `Suit`", None,
    ),
    "arithmetic with none": (
        "fun f(n: 0..9, m[Suit]: 0..9?): Int = n + m[hearts]\n", "RW201", "cannot be added to",
        "open it",
    ),
    "member of a number": ("fun f(): Bool = 1 in count\n", "RW201", "has no members", "a set or a bag"),
    "argument of the wrong type": (
        "fun g(n: 0..9): Bool = n == 1\nfun f(): Bool = g(hearts)\n", "RW201",
        "`n` must be `0..9`, but this is `Suit`", None,
    ),
    "too few values": (
        "fun g(n: 0..9): Bool = n == 1\nfun f(): Bool = g()\n", "RW202", "`g` also needs `n`",
        "it is `g(n: 0..9)`",
    ),
    "out of range": ("const n: 0..9 = 10\n", "RW205", "lies in 0..9, but this is 10", "widen"),
    "assigning a constant": (
        'const n = 1\nmove m by p in play "m"\n    does n = 2\n', "RW115",
        "`n` is not a state variable", "let",
    ),
    "unknown effect": (
        'move m by p in play "m"\n    does corss(p)\n', "RW101", "there is no effect `corss`", "effect",
    ),
    "old in an invariant": ("invariant i: old(count) == count\n", "RW208", "`old` has no", "always"),
    "short row": (
        "type N = 1..3\ntable t[Suit, N]: 0..9\n    hearts 1 2\n    spades 1 2 3\n", "RW206",
        "here are 2 values for 3 keys", "one value for each key",
    ),
    "missing row": (
        "type N = 1..3\ntable t[Suit, N]: 0..9\n    hearts 1 2 3\n", "RW206",
        "has no row for `spades`", "each of Suit",
    ),
    "unknown seat": (
        'example e "e"\n    players max, emma\n    maxx plays add\n', "RW101",
        "nobody called `maxx`", "`max`",
    ),
    "unknown reason": (
        'example e "e"\n    players 2\n    1 cannot add because late\n', "RW113",
        "`add` has no requirement `late`", "add.phase",
    ),
    "no default": (
        'reading r "r"\n    a "a"\n    b "b"\n', "RW113", "exactly one of them the default", "default",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_message_leads_to_the_fix(case):
    written, code, message, help = case
    found = [d for d in check_text("x.rules", BASE + written).diagnostics if d.severity == "error"]
    assert [d.code for d in found] == [code], found
    assert message in found[0].message
    assert help is None or help in (found[0].help or "")
    assert found[0].line > BASE.count("\n")


def test_all_mistakes_of_a_file_come_in_one_pass():
    text = BASE + "fun a(): Bool = (true\nfun b(): Bool = 1 < 2 < 3\nphse c\nfun d(): Bool = x =\n"
    assert len(check_text("x.rules", text).diagnostics) == 4


def test_what_follows_from_a_mistake_is_not_reported():
    text = BASE + (
        "fun a(): Int = nonsense + 1\nfun b(): Int = a() * 2\nconst c = nonsense\n"
        "fun d(): Bool = b() == c\n"
    )
    messages = [d for d in check_text("x.rules", text).diagnostics if d.severity == "error"]
    assert [d.line - BASE.count("\n") for d in messages] == [1, 3]


def test_a_newline_in_the_middle_of_an_expression_continues_it():
    text = BASE + "fun f(): Bool =\n    count == 1\n        or count == 2\n    or count == 3\n"
    assert not [d for d in check_text("x.rules", text).diagnostics if d.severity == "error"]


def test_windows_line_ends_and_a_byte_order_mark_are_fine():
    text = (BASE + "fun f(): Bool = true\n").replace("\n", "\r\n")
    assert not [d for d in check_text("x.rules", text).diagnostics if d.severity == "error"]

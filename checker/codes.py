"""Every diagnostic code: what it means, a spec that triggers it, and the fix.

The reference pages are made from this registry and a test runs every example, so a page cannot
show what does not happen. An example is a piece of a spec; it stands below `BASE`, unless it is
`whole`.
"""

from __future__ import annotations

from checker.syntax.node import Node

BASE = """game tiny "A tiny game"
    players 2..3

phase play, over final

state
    count: 0..9 = 0
    hand[Player]: Bag[Suit] hidden = {}

type Suit = hearts | spades

move add by p in play "add one"
    does
        hand[p] += {hearts}
        count = 0 if count == 9 else count + 1
        if count == 5:
            phase = over
"""


class Code(Node):
    code: str
    title: str
    meaning: str
    example: str
    fix: str
    whole: bool = False


def _game(lines: str) -> str:
    """A whole spec with these lines in it, for examples about its first lines."""
    return f'game tiny "A tiny game"\n    players 2..3\n{lines}'


_ALL = (
    # ---- syntax
    Code(
        "RW001",
        "this cannot stand here",
        "The line is read up to a point where nothing fits any more. The help says what could "
        "stand there.",
        "fun near(x: 0..9): Bool = 1 <= x <= 2\n",
        "fun near(x: 0..9): Bool = 1 <= x and x <= 2\n",
    ),
    Code(
        "RW002",
        "a tab in the indentation",
        "How wide a tab is depends on the editor, so only spaces indent.",
        _game("phase play,\n\tover final\n"),
        _game("phase play,\n    over final\n"),
        True,
    ),
    Code(
        "RW003",
        "the indentation does not fit",
        "A line is indented by an amount that belongs to no line above it, or deeper than it "
        "should be, so that it is taken to continue the line above.",
        'rule small(n: 0..9)\n    low "low": n < 5\n        even "even": n % 2 == 0\n',
        'rule small(n: 0..9)\n    low "low": n < 5\n    even "even": n % 2 == 0\n',
    ),
    Code(
        "RW004",
        "a sign the language does not have",
        "Signs of other languages, and typographic quotes or operators, are not understood.",
        "fun done(): Bool = count == 5 && true\n",
        "fun done(): Bool = count == 5 and true\n",
    ),
    Code(
        "RW005",
        "a text without its closing quote",
        "Prose stands between double quotes on one line.",
        'fun done(): Bool "whether it is over = count == 5\n',
        'fun done(): Bool "whether it is over" = count == 5\n',
    ),
    Code(
        "RW006",
        "brackets that do not match",
        "A bracket is never closed, or closed by one of another kind.",
        "fun done(): Bool = (count == 5\n",
        "fun done(): Bool = (count == 5)\n",
    ),
    Code(
        "RW007",
        "a colon is missing",
        "A colon stands between a name and its type, after a label, and after what `all`, `some`, "
        "`if` and `for` go through.",
        "fun free(): Bool = all p Player: p == p\n",
        "fun free(): Bool = all p: Player: p == p\n",
    ),
    Code(
        "RW008",
        "`=` where `==` is meant",
        "`=` gives a value; `==` asks whether two values are equal.",
        "fun done(): Bool = count = 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    Code(
        "RW009",
        "an unknown kind of declaration",
        "Lines that begin in the first column begin with a keyword.",
        "function done(): Bool = count == 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    Code(
        "RW010",
        "a line that is not finished",
        "The line ends where more must follow, or something must be indented below it.",
        "fun done(): Bool = count ==\n",
        "fun done(): Bool = count == 5\n",
    ),
    Code(
        "RW011",
        "the file cannot be read",
        "It is missing, a folder, not text, not UTF-8, or too large to be a spec.",
        "",
        "",
    ),
    Code(
        "RW012",
        "nested too deeply",
        "Nobody can read this, and neither can the checker: name the parts.",
        f"const deep = {'(' * 500}1{')' * 500}\n",
        "const deep = 1\n",
    ),
    Code("RW013", "an empty file", "There is nothing in the file.", "\n", _game(""), True),
    Code(
        "RW014",
        "the file cannot be written",
        "`rulewright fmt` could not put the new layout in the file's place; the file is as it was.",
        "",
        "",
    ),
    Code(
        "RW015",
        "a character that nobody sees",
        "Control characters (but for line ends), characters that turn the direction of writing and "
        "characters without width can make a spec read otherwise than it is, so none may stand in "
        "it, not even in prose or in a comment. Only a tab may, in a comment.",
        'term dice "what is\tthrown" one "die"\n',
        'term dice "what is thrown" one "die"\n',
    ),
    Code(
        "RW016",
        "too much is wrong",
        "A file with hundreds of mistakes is mended from the top: after so many no more of it is "
        "looked at. The reference page on limits says how to see more.",
        "",
        "",
    ),
    # ---- names
    Code(
        "RW101",
        "an unknown name",
        "Nothing of that name is declared, or it is not visible here.",
        "fun done(): Bool = cuont == 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    Code(
        "RW102",
        "declared twice",
        "A name stands for one thing of its kind; names that stand in expressions stand for one "
        "thing in all.",
        "const most = 5\nconst most = 6\n",
        "const most = 5\nconst more = 6\n",
    ),
    Code(
        "RW103",
        "a name that hides another",
        "Inside, the other one cannot be reached, and readers may take one for the other.",
        "fun same(count: 0..9): Bool = count == 5\n",
        "fun same(n: 0..9): Bool = n == 5\n",
    ),
    Code(
        "RW104",
        "an unknown type",
        "No type of that name is declared.",
        "fun red(s: Siut): Bool = s == hearts\n",
        "fun red(s: Suit): Bool = s == hearts\n",
    ),
    Code(
        "RW105",
        "a value of several types",
        "Several types have a value of this name, and nothing here tells which is meant.",
        "type Card = hearts | joker\nfun any(): Bool = hearts in {hearts}\n",
        "type Card = joker | ace\nfun any(): Bool = hearts in {hearts}\n",
    ),
    Code(
        "RW106",
        "an unknown clause",
        "What is cited must be declared with `clause`.",
        'fun done(): Bool "over" [end.five] = count == 5\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n'
        'fun done(): Bool "over" [end.five] = count == 5\n',
    ),
    Code(
        "RW107",
        "defined by itself",
        "Functions, effects, rules, types and constants may not need themselves: every one must "
        "come to an end.",
        "fun down(n: 0..9): Bool = down(n)\n",
        "fun down(n: 0..9): Bool = all m in 0..n: m <= n\n",
    ),
    Code(
        "RW108",
        "never used",
        "It is declared, but nothing refers to it.",
        "const spare = 5\n",
        'const spare = 5\naccept unused spare "for the next edition"\n',
    ),
    Code(
        "RW109",
        "an unknown phase",
        "Phases are declared with `phase`.",
        'move rest by p in plya "do nothing"\n',
        'move rest by p in play "do nothing"\n',
    ),
    Code(
        "RW110",
        "a word from a fixed list",
        "Kinds of clauses, marks of phases, confidences and findings are words of the language.",
        'clause end.five shall "Five ends it."\n',
        'clause end.five aside "Five ends it."\n',
    ),
    Code(
        "RW111",
        "an unknown source",
        "A clause has its place in a declared source.",
        'clause end.five aside en:1.1 "Five ends it."\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n',
    ),
    Code(
        "RW112",
        "a phase that is never reached",
        "No transition leads to it.",
        _game(
            'phase play, bonus, over final\nmove stop by p in play "stop"\n    does phase = over\n'
            'move rest by p in bonus "rest"\n    does phase = over\n'
        ),
        _game('phase play, over final\nmove stop by p in play "stop"\n    does phase = over\n'),
        True,
    ),
    Code(
        "RW113",
        "an unknown reading, option, variant or requirement",
        "What is chosen, replaced or named as a reason must exist.",
        'variant quick "A quick game"\n    const most = 3\n',
        "const most = 5\nfun full(): Bool = count == most\n"
        'variant quick "A quick game"\n    const most = 3\n',
    ),
    Code(
        "RW114",
        "no game, or two",
        "A file describes one game and begins with `game`.",
        "type Suit = hearts | spades\n",
        _game(""),
        True,
    ),
    Code(
        "RW115",
        "not a state variable",
        "Only what is declared under `state` changes in play.",
        'move set by p in play "set"\n    does cuont = 1\n',
        'move set by p in play "set"\n    does count = 1\n',
    ),
    Code(
        "RW116",
        "a phase in which nothing can happen",
        "It is not final, but no move, chance event or step belongs to it: play would stop there.",
        _game('phase play, over\nmove stop by p in play "stop"\n    does phase = over\n'),
        _game('phase play, over final\nmove stop by p in play "stop"\n    does phase = over\n'),
        True,
    ),
    Code(
        "RW117",
        "something accepted that is not there",
        "`accept` names a property (or one that every game has: `goes_on`, `safe`, ...), a move, "
        "the label of a requirement or a declaration, and the finding must be found.",
        'accept refuted neverending "known"\n',
        'accept refuted goes_on "known"\n',
    ),
    # ---- types
    Code(
        "RW118",
        "something accepted without a reason",
        "What is accepted is left as it is for a reason, which reports and pages show.",
        'accept refuted goes_on ""\n',
        'accept refuted goes_on "the rulebook leaves this hole"\n',
    ),
    Code(
        "RW201",
        "types that do not fit",
        "A value of one type stands where another is needed.",
        "fun done(): Bool = count == hearts\n",
        "fun done(): Bool = count == 5\n",
    ),
    Code(
        "RW202",
        "the wrong values for a call or a map",
        "Too many, too few, or under a name that is not a parameter.",
        "fun more(n: 0..9): Bool = n > count\nfun any(): Bool = more(1, 2)\n",
        "fun more(n: 0..9): Bool = n > count\nfun any(): Bool = more(1)\n",
    ),
    Code(
        "RW203",
        "not to be used like this",
        "Only functions are called, only maps and bags are looked into with `[...]`, only cases "
        "have fields.",
        "fun odd(): Bool = count[1] == 1\n",
        "fun odd(): Bool = count == 1\n",
    ),
    Code(
        "RW204",
        "not a possible type here",
        "Sets, bags and optionals hold single values; an index is a finite type of single values.",
        "fun none_of(s: Set[Set[Suit]]): Bool = true\n",
        "fun none_of(s: Set[Suit]): Bool = s == {}\n",
    ),
    Code(
        "RW205",
        "outside the range",
        "The value can be shown to lie outside the declared range, whatever happens.",
        'move set by p in play "set"\n    does count = 10\n',
        'move set by p in play "set"\n    does count = 9\n',
    ),
    Code(
        "RW206",
        "a table that is not whole",
        "A table gives one value of its type for every key.",
        "table worth[Suit]: 0..9\n    1 2 3\nfun best(): 0..9 = worth[hearts]\n",
        "table worth[Suit]: 0..9\n    1 2\nfun best(): 0..9 = worth[hearts]\n",
    ),
    Code(
        "RW207",
        "an empty range",
        "A range goes from the smaller number to the larger one.",
        "fun low(n: 9..0): Bool = n == 0\n",
        "fun low(n: 0..9): Bool = n == 0\n",
    ),
    Code(
        "RW208",
        "`old` where there is no before",
        "`old` is the value before a transition; only `always` speaks of transitions.",
        "invariant rising: old(count) <= count\n",
        "always rising: old(count) <= count or count == 0\n",
    ),
    Code(
        "RW209",
        "the data alone",
        "Theorems and initial values may not depend on the state.",
        "theorem small: count < 10\n",
        "invariant small: count < 10\n",
    ),
    Code(
        "RW210",
        "too many values",
        "Quantifiers go through finite types; a case with fields may stand for some thousand "
        "values.",
        "fun big(): Bool = some n: Int: n > 9\n",
        "fun big(): Bool = some n in 0..20: n > 9\n",
    ),
    Code(
        "RW211",
        "division by zero",
        "The divisor is zero whatever happens.",
        "fun half(): Int = count / 0\n",
        "fun half(): Int = count / 2\n",
    ),
    Code(
        "RW212",
        "a decision by what is hidden",
        "What a player may do must not depend on what that player cannot see: others' hidden "
        "things, and hidden things of the table. How many there are is open to all.",
        'move peek by p in play "peek"\n    needs seen "the left neighbour has hearts": '
        "hearts in hand[left_of(p)]\n",
        'move peek by p in play "peek"\n    needs seen "the left neighbour has something": '
        "size(hand[left_of(p)]) > 0\n",
    ),
    Code(
        "RW213",
        "not a constant",
        "Bounds of types and keys of written maps must be known from the text.",
        "fun low(n: 0..most): Bool = n == 0\n",
        "const most = 9\nfun low(n: 0..most): Bool = n == 0\n",
    ),
    Code(
        "RW214",
        "a comparison that never changes",
        "The two sides have no value in common.",
        "fun done(): Bool = count == 12\n",
        "fun done(): Bool = count == 9\n",
    ),
    Code(
        "RW215",
        "beyond a bound",
        "A number, a table, a type or the ways to choose a move would be larger than the checker "
        "works with. Each bound is on the reference page on limits, with how to raise it.",
        "const c = 9\nconst big = " + " * ".join(["999999999"] * 12) + "\n",
        "const c = 9\nconst big = 999999999 * 999999999\n",
    ),
    # ---- evidence
    # ---- proof and change
    Code(
        "RW301",
        "a property that does not hold",
        "`rulewright prove` found a game that breaks the property, or for `possible` proved that "
        "no game gets there. A hole of the rulebook itself is accepted with a reason: `accept "
        "refuted NAME`.",
        "",
        "",
    ),
    Code(
        "RW302",
        "a property that could not be decided",
        "Neither a proof nor a game that breaks it was found in the time given; a position that "
        "is shown then need not come up in any game.",
        "",
        "",
    ),
    Code(
        "RW303",
        "something that decides nothing",
        "A requirement that refuses nothing that is not refused without it, an event that cannot "
        "happen, or a property that says nothing because what it is about never comes about, in "
        "any setting that was looked at. Drop it, or accept it with a reason: `accept redundant "
        "LABEL`, `accept vacuous NAME`.",
        "",
        "",
    ),
    Code(
        "RW304",
        "something accepted that is not so",
        "The spec accepts that a property is refuted, or that something is vacuous or redundant, "
        "but it is proved or decides something, with every number of players. The line can go.",
        "",
        "",
    ),
    Code(
        "RW305",
        "a proof that is not certified",
        "`rulewright prove --certify` asks everything again with a checker that shares nothing "
        "with the prover but the meaning of the spec, and it did not confirm this: the reason says "
        "which part. The verdict is as good as the prover, and no better.",
        "",
        "",
    ),
    Code(
        "RW320",
        "a change that was not allowed",
        "`rulewright diff --allow` names the changes that may be; this is another one.",
        "",
        "",
    ),
    Code(
        "RW321",
        "a property lost by a change",
        "It held under the old rules and no longer does, or can no longer be shown to.",
        "",
        "",
    ),
    Code(
        "RW322",
        "a worked example that a change breaks",
        "It plays under the old rules and not under the new ones.",
        "",
        "",
    ),
    Code(
        "RW323",
        "a recorded game that a change breaks",
        "It is legal under the old rules; under the new ones it is not, or ends differently.",
        "",
        "",
    ),
    Code(
        "RW401",
        "an engine accepts what the rules refuse",
        "`rulewright conform` offered an event that the spec refuses, and the engine took it. The "
        "finding names the requirements that refuse it and their clauses.",
        "",
        "",
    ),
    Code(
        "RW402",
        "an engine refuses what the rules allow",
        "`rulewright conform` offered a legal event and the engine refused it. The finding names "
        "the requirement that, slightly mistaken, would explain the refusal.",
        "",
        "",
    ),
    Code(
        "RW403",
        "an engine comes to another state",
        "After the same events the engine reports another value for a variable, or one that the "
        "spec does not have. The finding names the statement that wrote it, or should not have.",
        "",
        "",
    ),
    Code(
        "RW404",
        "an engine lists other moves",
        "The engine lists a move as legal that the spec refuses, or leaves out a legal one.",
        "",
        "",
    ),
    Code(
        "RW405",
        "an engine reports another result",
        "At the end of the same game the engine reports other scores or other winners.",
        "",
        "",
    ),
    Code(
        "RW406",
        "an engine that does not keep to the protocol",
        "The engine died, gave no answer in time, answered with something that is not JSON, or "
        "spoke without being asked. What it wrote to stderr is shown.",
        "",
        "",
    ),
    Code(
        "RW407",
        "an engine that does not begin a game",
        "The engine refused a set-up that was asked for by name, or a position to load.",
        "",
        "",
    ),
    Code(
        "RW408",
        "nothing was checked",
        "No stage of `rulewright conform` found anything that it could check with this engine.",
        "",
        "",
    ),
    Code(
        "RW501",
        "a clause that nothing cites",
        "Every sentence of the rulebook is carried out somewhere, or is an `aside`.",
        'source en "The rules"\nclause end.five must en:1.1 "Five ends it."\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n',
    ),
    Code(
        "RW502",
        "a binding clause that nothing carries out",
        "A `must` or `never` needs a requirement, an effect or data that cites it.",
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'invariant stays_low "it stays low" [low]: count < 10\n',
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\n'
        'invariant stays_low "it stays low" [low]: is_low()\n',
    ),
    Code(
        "RW503",
        "a binding clause that nothing proves",
        "A `must` or `never` needs a property that cites it.",
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\ninvariant stays_low: is_low()\n',
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\n'
        'invariant stays_low "it stays low" [low]: is_low()\n',
    ),
    Code(
        "RW504",
        "a permission that no move uses",
        "A `may` needs a move that cites it.",
        'source en "The rules"\nclause rest may en:1.1 "A player may rest."\n'
        'possible rested "somebody rested" [rest]: count == 0\n',
        'source en "The rules"\nclause rest may en:1.1 "A player may rest."\n'
        'move rest by p in play "rest" [rest]\n',
    ),
    Code(
        "RW505",
        "a possibility that is not shown",
        "A `can` needs a `possible` that cites it.",
        'source en "The rules"\nclause three can en:1.1 "Three can be reached."\n'
        'invariant low "low" [three]: count < 10\n',
        'source en "The rules"\nclause three can en:1.1 "Three can be reached."\n'
        'possible three "three" [three]: count == 3\n',
    ),
    Code(
        "RW506",
        "a worked example that is not played",
        "An `example` clause needs an `example` that cites it.",
        'source en "The rules"\nclause shown example en:1.1 "Max adds one."\n'
        'invariant low "low" [shown]: count < 10\n',
        'source en "The rules"\nclause shown example en:1.1 "Max adds one."\n'
        'example shown "Max adds one" [shown]\n    players max, emma\n    max plays add\n'
        "    expect count == 1\n",
    ),
    Code(
        "RW507",
        "a requirement without prose",
        "When it refuses a move, its sentence is what the player reads.",
        'move rest by p in play "rest"\n    needs late: count > 3\n',
        'move rest by p in play "rest"\n    needs late "only after three": count > 3\n',
    ),
    Code(
        "RW508",
        "a clause without a place",
        "Where sources are declared, a clause says where it stands in them.",
        'source en "The rules"\nclause low aside en:1.1 "Low."\n'
        'clause rest may "A player may rest."\nmove rest by p in play "rest" [rest]\n',
        'source en "The rules"\nclause low aside en:1.1 "Low."\n'
        'clause rest may en:1.2 "A player may rest."\nmove rest by p in play "rest" [rest]\n',
    ),
    Code(
        "RW510",
        "a worked example that does not play",
        "`rulewright test` played an `example`, and it did not go as it is written: a move was "
        "refused or not refused, or an expectation does not hold. Either the rules are wrong or "
        "the example is. A spec without any example is reported too: nothing was tested.",
        "",
        "",
    ),
    Code(
        "RW511",
        "an illegal event in a recorded game",
        "`rulewright replay` came to an event that the rules refuse, or that leads to another "
        "position than the one recorded. The message names the requirements and the clauses they "
        "come from. The rest of that game is not checked, the other games are.",
        "",
        "",
    ),
    Code(
        "RW512",
        "a recorded game that cannot be read",
        "`rulewright replay` came to a line that is no event of this game: not JSON, cut off, of "
        "another spec or version, an unknown move, a value of the wrong type. A trace begins with "
        "a header and has one event on each line.",
        "",
        "",
    ),
    Code(
        "RW513",
        "a random game goes wrong",
        "`rulewright run` played a game at random and found a position that breaks an invariant, a "
        "transition that breaks an `always`, a value that leaves its range, or a position in which "
        "nothing can happen although the game is not over. The same seed shows it again.",
        "",
        "",
    ),
    Code(
        "RW509",
        "not in the canonical layout",
        "`rulewright fmt --check` found a file that `rulewright fmt` would lay out differently.",
        "",
        "",
    ),
)

REGISTRY: dict[str, Code] = {each.code: each for each in _ALL}

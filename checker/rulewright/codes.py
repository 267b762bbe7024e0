"""Every diagnostic code: what it means, a spec that triggers it, and the fix.

The reference pages are generated from this registry, and a test runs every example. An example is
a piece of a spec that is appended to `BASE`, or a complete one if it is `whole`.
"""

from __future__ import annotations

from rulewright.syntax.node import Node

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


class DiagnosticCode(Node):
    code: str
    title: str
    meaning: str
    example: str
    fix: str
    whole: bool = False


def _game(lines: str) -> str:
    """A whole spec with these lines in it, for examples about its first lines."""
    return f'game tiny "A tiny game"\n    players 2..3\n{lines}'


_PLACED = (
    'source en "The rules"\nclause low.aim aside en:1.1 "Stay low."\n'
    'clause low.rest may en:1.2 "A player may rest."\nmove rest by p in play "rest" [low.rest]\n'
)
"""Two clauses, for examples about the sections they stand in."""


_ALL = (
    # ---- syntax
    DiagnosticCode(
        "RW001",
        "this cannot stand here",
        "This is a syntax error: the line is correct up to the marked place. The help says what "
        "could stand there.",
        "fun near(x: 0..9): Bool = 1 <= x <= 2\n",
        "fun near(x: 0..9): Bool = 1 <= x and x <= 2\n",
    ),
    DiagnosticCode(
        "RW002",
        "a tab in the indentation",
        "Use spaces to indent. The width of a tab depends on the editor.",
        _game("phase play,\n\tover final\n"),
        _game("phase play,\n    over final\n"),
        True,
    ),
    DiagnosticCode(
        "RW003",
        "the indentation does not fit",
        "The indentation of the line matches no line above it, or the line is indented too deeply "
        "and is read as a continuation of the line above.",
        'rule small(n: 0..9)\n    low "low": n < 5\n        even "even": n % 2 == 0\n',
        'rule small(n: 0..9)\n    low "low": n < 5\n    even "even": n % 2 == 0\n',
    ),
    DiagnosticCode(
        "RW004",
        "an unknown sign",
        "The language does not have this sign. It may come from another language, or be a "
        "typographic quote or operator.",
        "fun done(): Bool = count == 5 && true\n",
        "fun done(): Bool = count == 5 and true\n",
    ),
    DiagnosticCode(
        "RW005",
        "a text without its closing quote",
        "Text is written between double quotes, on one line.",
        'fun done(): Bool "whether it is over = count == 5\n',
        'fun done(): Bool "whether it is over" = count == 5\n',
    ),
    DiagnosticCode(
        "RW006",
        "brackets that do not match",
        "A bracket is not closed, or is closed by a bracket of another kind.",
        "fun done(): Bool = (count == 5\n",
        "fun done(): Bool = (count == 5)\n",
    ),
    DiagnosticCode(
        "RW007",
        "a colon is missing",
        "There is a colon between a name and its type, after a label, and before the body of "
        "`all`, `some`, `if` and `for`.",
        "fun free(): Bool = all p Player: p == p\n",
        "fun free(): Bool = all p: Player: p == p\n",
    ),
    DiagnosticCode(
        "RW008",
        "`=` where `==` is meant",
        "`=` assigns a value; `==` compares two values.",
        "fun done(): Bool = count = 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    DiagnosticCode(
        "RW009",
        "an unknown kind of declaration",
        "A line that begins in the first column is a declaration and begins with a keyword.",
        "function done(): Bool = count == 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    DiagnosticCode(
        "RW010",
        "a line that is not finished",
        "The line ends too early, or an indented block is missing below it.",
        "fun done(): Bool = count ==\n",
        "fun done(): Bool = count == 5\n",
    ),
    DiagnosticCode(
        "RW011",
        "the file cannot be read",
        "The file does not exist, is a folder, is not UTF-8 text, or is too large.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW012",
        "nested too deeply",
        "The expression has too many levels. Give names to its parts.",
        f"const deep = {'(' * 500}1{')' * 500}\n",
        "const deep = 1\n",
    ),
    DiagnosticCode("RW013", "an empty file", "The file has no content.", "\n", _game(""), True),
    DiagnosticCode(
        "RW014",
        "the file cannot be written",
        "`rulewright fmt` could not write the file. The file is unchanged.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW015",
        "an invisible character",
        "Control characters, characters that change the direction of writing and zero-width "
        "characters can make a spec look different from what it says. They are not allowed, not "
        "even in prose or in a comment. The exceptions are line ends, and tabs in comments.",
        'term dice "what is\tthrown" one "die"\n',
        'term dice "what is thrown" one "die"\n',
    ),
    DiagnosticCode(
        "RW016",
        "too many errors",
        "The file has hundreds of errors, and the rest are not shown. Correct the first ones and "
        "check again. The reference page on limits says how to see more.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW017",
        "a catalogue that cannot be read",
        "A translation beside a spec, such as `qwixx.is.po`, is not gettext PO: a text does not "
        "end or is not in quotes, an entry has no `msgid` or `msgstr`, or a text is translated "
        "twice.",
        "",
        "",
    ),
    # ---- names
    DiagnosticCode(
        "RW101",
        "an unknown name",
        "No declaration has this name, or it is not visible here.",
        "fun done(): Bool = cuont == 5\n",
        "fun done(): Bool = count == 5\n",
    ),
    DiagnosticCode(
        "RW102",
        "declared twice",
        "Two declarations of the same kind have the same name. Names that can be used in "
        "expressions must differ even between kinds.",
        "const most = 5\nconst most = 6\n",
        "const most = 5\nconst more = 6\n",
    ),
    DiagnosticCode(
        "RW103",
        "a name that hides another",
        "A local name is the same as a name outside. The outer one cannot be used here, and "
        "readers may confuse the two.",
        "fun same(count: 0..9): Bool = count == 5\n",
        "fun same(n: 0..9): Bool = n == 5\n",
    ),
    DiagnosticCode(
        "RW104",
        "an unknown type",
        "No type of that name is declared, or it is not one that can stand here.",
        "fun red(s: Siut): Bool = s == hearts\n",
        "fun red(s: Suit): Bool = s == hearts\n",
    ),
    DiagnosticCode(
        "RW105",
        "a value of several types",
        "Several types have a value with this name, and the context does not say which is meant.",
        "type Card = hearts | joker\nfun any(): Bool = hearts in {hearts}\n",
        "type Card = joker | ace\nfun any(): Bool = hearts in {hearts}\n",
    ),
    DiagnosticCode(
        "RW106",
        "an unknown clause",
        "A cited clause must be declared with `clause`.",
        'fun done(): Bool "over" [end.five] = count == 5\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n'
        'fun done(): Bool "over" [end.five] = count == 5\n',
    ),
    DiagnosticCode(
        "RW107",
        "defined by itself",
        "Recursion is not allowed: a function, effect, rule, type or constant may not depend on "
        "itself.",
        "fun down(n: 0..9): Bool = down(n)\n",
        "fun down(n: 0..9): Bool = all m in 0..n: m <= n\n",
    ),
    DiagnosticCode(
        "RW108",
        "never used",
        "It is declared, but never used.",
        "const spare = 5\n",
        'const spare = 5\naccept unused spare "for the next edition"\n',
    ),
    DiagnosticCode(
        "RW109",
        "an unknown phase",
        "Phases are declared with `phase`.",
        'move rest by p in plya "do nothing"\n',
        'move rest by p in play "do nothing"\n',
    ),
    DiagnosticCode(
        "RW110",
        "a word from a fixed list",
        "The kinds of clauses, the marks of phases, the levels of confidence and the findings of "
        "`accept` are fixed words.",
        'clause end.five shall "Five ends it."\n',
        'clause end.five aside "Five ends it."\n',
    ),
    DiagnosticCode(
        "RW111",
        "an unknown source",
        "The source in the place of a clause must be declared with `source`.",
        'clause end.five aside en:1.1 "Five ends it."\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n',
    ),
    DiagnosticCode(
        "RW112",
        "a phase that is never reached",
        "No move, chance event or step leads to this phase.",
        _game(
            'phase play, bonus, over final\nmove stop by p in play "stop"\n    does phase = over\n'
            'move rest by p in bonus "rest"\n    does phase = over\n'
        ),
        _game('phase play, over final\nmove stop by p in play "stop"\n    does phase = over\n'),
        True,
    ),
    DiagnosticCode(
        "RW113",
        "an unknown reading, option, variant or requirement",
        "A reading, option, variant or requirement that is chosen, replaced or named as a reason "
        "must be declared.",
        'variant quick "A quick game"\n    const most = 3\n',
        "const most = 5\nfun full(): Bool = count == most\n"
        'variant quick "A quick game"\n    const most = 3\n',
    ),
    DiagnosticCode(
        "RW114",
        "no game, or two",
        "A file describes one game and begins with `game`.",
        "type Suit = hearts | spades\n",
        _game(""),
        True,
    ),
    DiagnosticCode(
        "RW115",
        "not a state variable",
        "Only variables that are declared under `state` can be assigned.",
        'move set by p in play "set"\n    does cuont = 1\n',
        'move set by p in play "set"\n    does count = 1\n',
    ),
    DiagnosticCode(
        "RW116",
        "a phase in which nothing can happen",
        "The phase is not final, but no move, chance event or step belongs to it, so the game "
        "would be stuck.",
        _game('phase play, over\nmove stop by p in play "stop"\n    does phase = over\n'),
        _game('phase play, over final\nmove stop by p in play "stop"\n    does phase = over\n'),
        True,
    ),
    DiagnosticCode(
        "RW117",
        "something accepted that does not exist",
        "`accept` must name a property (or an obligation of every game, such as `goes_on` or "
        "`safe`), a move, the label of a requirement, or a declaration.",
        'accept refuted neverending "known"\n',
        'accept refuted goes_on "known"\n',
    ),
    # ---- types
    DiagnosticCode(
        "RW118",
        "something accepted without a reason",
        "`accept` needs a reason, because reports and pages show it.",
        'accept refuted goes_on ""\n',
        'accept refuted goes_on "the rulebook leaves this hole"\n',
    ),
    DiagnosticCode(
        "RW201",
        "types that do not fit",
        "The value has another type than the one needed here.",
        "fun done(): Bool = count == hearts\n",
        "fun done(): Bool = count == 5\n",
    ),
    DiagnosticCode(
        "RW202",
        "the wrong values for a call or a map",
        "There are too many or too few arguments, or one has a name that is no parameter.",
        "fun more(n: 0..9): Bool = n > count\nfun any(): Bool = more(1, 2)\n",
        "fun more(n: 0..9): Bool = n > count\nfun any(): Bool = more(1)\n",
    ),
    DiagnosticCode(
        "RW203",
        "wrong use of a value",
        "Only functions can be called, only maps and bags can be indexed with `[...]`, and only "
        "cases have fields.",
        "fun odd(): Bool = count[1] == 1\n",
        "fun odd(): Bool = count == 1\n",
    ),
    DiagnosticCode(
        "RW204",
        "a type that is not allowed here",
        "The elements of sets, bags and optionals are simple values. An index has a finite type "
        "of simple values.",
        "fun none_of(s: Set[Set[Suit]]): Bool = true\n",
        "fun none_of(s: Set[Suit]): Bool = s == {}\n",
    ),
    DiagnosticCode(
        "RW205",
        "outside the range",
        "The value is always outside the declared range.",
        'move set by p in play "set"\n    does count = 10\n',
        'move set by p in play "set"\n    does count = 9\n',
    ),
    DiagnosticCode(
        "RW206",
        "an incomplete table",
        "A table has exactly one value for every key.",
        "table worth[Suit]: 0..9\n    1 2 3\nfun best(): 0..9 = worth[hearts]\n",
        "table worth[Suit]: 0..9\n    1 2\nfun best(): 0..9 = worth[hearts]\n",
    ),
    DiagnosticCode(
        "RW207",
        "an empty range",
        "The first number of a range must not be larger than the last.",
        "fun low(n: 9..0): Bool = n == 0\n",
        "fun low(n: 0..9): Bool = n == 0\n",
    ),
    DiagnosticCode(
        "RW208",
        "`old` where there is no before",
        "`old` is the value before a transition. It can be used only in `always`, the property of "
        "transitions.",
        "invariant rising: old(count) <= count\n",
        "always rising: old(count) <= count or count == 0\n",
    ),
    DiagnosticCode(
        "RW209",
        "depends on the state",
        "Theorems and initial values may use constants, tables and functions of them, but no state "
        "variables.",
        "theorem small: count < 10\n",
        "invariant small: count < 10\n",
    ),
    DiagnosticCode(
        "RW210",
        "too many values",
        "A quantifier needs a finite type, and a case with fields may have a few thousand values "
        "at most.",
        "fun big(): Bool = some n: Int: n > 9\n",
        "fun big(): Bool = some n in 0..20: n > 9\n",
    ),
    DiagnosticCode(
        "RW211",
        "division by zero",
        "The divisor is always zero.",
        "fun half(): Int = count / 0\n",
        "fun half(): Int = count / 2\n",
    ),
    DiagnosticCode(
        "RW212",
        "a decision that depends on hidden information",
        "Whether a move is legal must not depend on what its player cannot see: hidden variables "
        "of other players or of nobody. The number of elements is visible to all.",
        'move peek by p in play "peek"\n    needs seen "the left neighbour has hearts": '
        "hearts in hand[left_of(p)]\n",
        'move peek by p in play "peek"\n    needs seen "the left neighbour has something": '
        "size(hand[left_of(p)]) > 0\n",
    ),
    DiagnosticCode(
        "RW213",
        "not a constant",
        "Bounds of types and keys of map literals must be constants.",
        "fun low(n: 0..most): Bool = n == 0\n",
        "const most = 9\nfun low(n: 0..most): Bool = n == 0\n",
    ),
    DiagnosticCode(
        "RW214",
        "a comparison that is always false, or always true",
        "The ranges of the two sides have no value in common.",
        "fun done(): Bool = count == 12\n",
        "fun done(): Bool = count == 9\n",
    ),
    DiagnosticCode(
        "RW215",
        "beyond a bound",
        "A number, a table, a type or the number of choices of a move exceeds a bound of the "
        "checker. The reference page on limits lists the bounds and how to raise them.",
        "const c = 9\nconst big = " + " * ".join(["999999999"] * 12) + "\n",
        "const c = 9\nconst big = 999999999 * 999999999\n",
    ),
    DiagnosticCode(
        "RW216",
        "something hidden that nobody could be told, or hidden where nothing is",
        "A claim that something is `secret` needs something that players do not see: hidden "
        "variables, and parameters that are hidden when these are dealt or drawn. What players do "
        "not see are parameters of moves and chance events; what is hidden from its owner has one.",
        'secret racks "nobody learns what is on a rack"\n',
        "state\n    each Player\n        rack: Bag[1..5] hidden = {}\nchance draw(to: Player, n: "
        "1..5 hidden) in play\n    shows n to to\n    does rack[to] += {n}\n"
        'secret racks "nobody learns what is on a rack"\n',
    ),
    DiagnosticCode(
        "RW217",
        "a view that cannot be drawn",
        "A `view` says what a variable or a table is drawn as, and what its values look like. Each "
        "shape asks for a type that can be drawn so; a face is for values that occur in the "
        "picture, and has a label, a colour or both.",
        "view count as board\n",
        "view count as track\n",
    ),
    # ---- evidence
    # ---- proof and change
    DiagnosticCode(
        "RW301",
        "a property that does not hold",
        "`rulewright prove` found a game that breaks the property or, for a `possible`, proved "
        "that no game reaches it. If the rulebook itself has this hole, accept it with a reason: "
        "`accept refuted NAME`.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW302",
        "a property that could not be decided",
        "Within its budget, `rulewright prove` found neither a proof nor a game that breaks the "
        "property. If a position is shown, it need not be reachable.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW303",
        "something that has no effect",
        "A redundant requirement (every move it refuses is refused by another one, too), an event "
        "that can never happen, or a vacuous property (its condition never holds), in every "
        "setting that was examined. Remove it, or accept it with a reason: `accept redundant "
        "LABEL`, `accept vacuous NAME`.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW304",
        "something accepted that is not so",
        "The spec accepts a property as refuted, or something as vacuous or redundant, but with "
        "every number of players the property is proved or the thing has an effect. Remove the "
        "line.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW305",
        "a proof that is not certified",
        "The independent checker of `rulewright prove --certify` did not confirm this proof; the "
        "reason says which part. The verdict rests on the prover alone.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW320",
        "a change that was not allowed",
        "The verdict is none of those that `rulewright diff --allow` lists.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW321",
        "a property lost by a change",
        "The property holds under the old rules. Under the new ones it does not, or it can no "
        "longer be proved.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW322",
        "a worked example that a change breaks",
        "The example plays under the old rules, but not under the new ones.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW323",
        "a recorded game that a change breaks",
        "The game is legal under the old rules. Under the new ones it is illegal, or ends "
        "differently.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW401",
        "an engine accepts what the rules refuse",
        "The engine accepted an illegal event. The message names the requirements that refuse it "
        "and their clauses.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW402",
        "an engine refuses what the rules allow",
        "The engine refused a legal event. The message names the requirement that would refuse the "
        "event if it were slightly wrong: the probable cause.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW403",
        "an engine reaches another state",
        "After the same events the engine reports another value for a variable, or a variable that "
        "the spec does not have. The message names the statement of the spec that writes it.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW404",
        "an engine lists other moves",
        "The engine's list of legal moves has an illegal move, or lacks a legal one.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW405",
        "an engine reports another result",
        "After the same game the engine reports other scores or other winners.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW406",
        "an engine that does not keep to the protocol",
        "The engine died, did not answer in time, answered with something that is not JSON, or "
        "wrote something without being asked. The report shows its output on stderr.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW407",
        "an engine that does not start a game",
        "The engine refused a set-up that the options ask for, or a position to load.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW408",
        "nothing was checked",
        "No stage of `rulewright conform` could check anything with this engine.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW501",
        "a clause that nothing cites",
        "Every clause must be cited where it is carried out or proved, unless it is an `aside`.",
        'source en "The rules"\nclause end.five must en:1.1 "Five ends it."\n',
        'source en "The rules"\nclause end.five aside en:1.1 "Five ends it."\n',
    ),
    DiagnosticCode(
        "RW502",
        "a binding clause that nothing carries out",
        "A clause of the kind `must` or `never` needs a requirement, an effect or data that cites "
        "it.",
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'invariant stays_low "it stays low" [low]: count < 10\n',
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\n'
        'invariant stays_low "it stays low" [low]: is_low()\n',
    ),
    DiagnosticCode(
        "RW503",
        "a binding clause that nothing proves",
        "A clause of the kind `must` or `never` needs a property that cites it.",
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\ninvariant stays_low: is_low()\n',
        'source en "The rules"\nclause low must en:1.1 "It stays low."\n'
        'fun is_low(): Bool "low" [low] = count < 10\n'
        'invariant stays_low "it stays low" [low]: is_low()\n',
    ),
    DiagnosticCode(
        "RW504",
        "a permission that no move uses",
        "A clause of the kind `may` needs a move that cites it. If everybody always does what it "
        "permits, cite it in the rule that does so, and in an `assumption` that says so.",
        'source en "The rules"\nclause rest may en:1.1 "A player may rest."\n'
        'possible rested "somebody rested" [rest]: count == 0\n',
        'source en "The rules"\nclause rest may en:1.1 "A player may rest."\n'
        'move rest by p in play "rest" [rest]\n',
    ),
    DiagnosticCode(
        "RW505",
        "a possibility that is not shown",
        "A clause of the kind `can` needs a `possible` that cites it.",
        'source en "The rules"\nclause three can en:1.1 "Three can be reached."\n'
        'invariant low "low" [three]: count < 10\n',
        'source en "The rules"\nclause three can en:1.1 "Three can be reached."\n'
        'possible three "three" [three]: count == 3\n',
    ),
    DiagnosticCode(
        "RW506",
        "a worked example that is not played",
        "A clause of the kind `example` needs an `example` that cites it.",
        'source en "The rules"\nclause shown example en:1.1 "Max adds one."\n'
        'invariant low "low" [shown]: count < 10\n',
        'source en "The rules"\nclause shown example en:1.1 "Max adds one."\n'
        'example shown "Max adds one" [shown]\n    players max, emma\n    max plays add\n'
        "    expect count == 1\n",
    ),
    DiagnosticCode(
        "RW507",
        "a requirement without prose",
        "Players read the sentence of a requirement when it refuses a move, so it needs one.",
        'move rest by p in play "rest"\n    needs late: count > 3\n',
        'move rest by p in play "rest"\n    needs late "only after three": count > 3\n',
    ),
    DiagnosticCode(
        "RW508",
        "a clause without a place",
        "If sources are declared, every clause needs its place in one of them.",
        'source en "The rules"\nclause low aside en:1.1 "Low."\n'
        'clause rest may "A player may rest."\nmove rest by p in play "rest" [rest]\n',
        'source en "The rules"\nclause low aside en:1.1 "Low."\n'
        'clause rest may en:1.2 "A player may rest."\nmove rest by p in play "rest" [rest]\n',
    ),
    DiagnosticCode(
        "RW510",
        "a worked example that does not play",
        "`rulewright test` played an `example`, and it went differently: a move was refused that "
        "should be legal, a move was legal that should be refused, or an expectation is false. "
        "Either the rules or the example are wrong. A spec without examples is reported, too.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW511",
        "an illegal event in a recorded game",
        "`rulewright replay` found an event that the rules refuse, or that leads to another "
        "position than the recorded one. The message names the requirements and their clauses. "
        "The rest of that game is not checked, but the other games are.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW512",
        "a recorded game that cannot be read",
        "`rulewright replay` found a line that is not an event of this game: it is not JSON or cut "
        "off, belongs to another spec or version, or has an unknown move or a value of the wrong "
        "type. A trace begins with a header and has one event on each line.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW513",
        "a random game goes wrong",
        "A random game of `rulewright run` broke an invariant or an `always`, left the range of a "
        "value, or came to a position where nothing can happen although the game is not over. The "
        "same seed reproduces it.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW514",
        "a claim that says nothing",
        "The property holds whatever the rules say: it is a constant, it reads nothing that play "
        "can change, the types alone imply it, what is possible is so from the start, or it shares "
        "nothing with what carries out a clause that it cites. A mistake in the rules would not "
        "break it, so it earns no mark. Nor does a property or an example that fails by the rules "
        "as they are: it would fail with any mistake.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW515",
        "a clause without evidence that bites",
        "Breaking what carries out the clause is noticed by no property and no example that cites "
        "it. The clause is cited, but nothing would show if it were carried out wrongly.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW516",
        "a mistake that nobody notices",
        "A rule was broken on purpose. Every property still held, and every example still passed. "
        "The message shows an example that would notice.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW519",
        "a rule in no section",
        "The spec says with `section` in which order the rulebook is read, and no section has this "
        "clause. It is shown after the last section, under a heading of its own.",
        _PLACED + 'section turn "Your turn"\n    low.aim\n',
        _PLACED + 'section turn "Your turn"\n    low.aim, low.rest\n',
    ),
    DiagnosticCode(
        "RW520",
        "a sentence without a current translation",
        "The spec says something that the catalogue does not translate, or whose translation is of "
        "the words as they were before (a `fuzzy` entry). Readers see the words of the spec.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW521",
        "a term that is not translated as agreed",
        "A sentence has a term of the glossary, and its translation none of the forms that the "
        "entry of the term lists; or the first of those forms is not the word that the spec gives.",
        "",
        "",
    ),
    DiagnosticCode(
        "RW509",
        "not in the canonical layout",
        "`rulewright fmt` would format this file differently.",
        "",
        "",
    ),
)

REGISTRY: dict[str, DiagnosticCode] = {each.code: each for each in _ALL}

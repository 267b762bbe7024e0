"""The language server as an editor sees it: over stdio, request by request."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from rulewright.lsp.background import BackgroundRun
from tests.lsp.client import Client
from tests.patience import PATIENCE

SPEC = Path(__file__).parents[2] / "spec"

GAME = """\
game pips "Pips"
    players 2..3

clause turn.roll must "Whoever's turn it is throws the die."
clause turn.bank may "The sum of the pips may be kept."

type Colour = red | blue
type Card = ace | number(colour: Colour, pips: 1..6)
type Square = grid 3 x 3

phase play, over final

const limit: 1..20 = 20

state
    active: Player = 1
    sum: 0..100 = 0
    top: Card = ace
    on[Square]: Colour?
    each Player
        points: 0..100 = 0 "what is kept" [turn.bank]

fun is_red(c: Card): Bool "whether it is red" [turn.bank] = c.colour == red

rule own_turn(p: Player) "who may act" [turn.roll]
    is_active "it is your turn" [turn.roll]: p == active

effect keep(p: Player, n: 0..100) [turn.bank]
    points[p] += n

move bank(n: 1..6) by p in play "keeps 𝔭𝔦𝔭𝔰" [turn.bank]
    needs
        own_turn(p)
        small "not so many" [turn.bank]: n <= limit
    does
        keep(p, n)
        sum = 0
        if points[p] >= limit:
            phase = over

invariant nobody_owes "points are never negative" [turn.roll]: all p: Player: points[p] >= 0
invariant few "nobody has more than five" [turn.roll]: all p: Player: points[p] <= 5
possible red_on_a1 "a square can be taken": on[A1] == red

example first "the first one keeps three" [turn.bank]
    players ann, bo
    bo cannot bank(n = 3) because own_turn.is_active
    ann plays bank(n = 3)
    expect points[ann] == 3 and on[A1] == none
"""
LINES = GAME.split("\n")


def where(text: str, within: str = "", after: int = 0) -> tuple[int, int]:
    """The line and character of a text in the game; from another text in its line on."""
    for number, line in enumerate(LINES):
        begin = line.find(within or text)
        if begin >= 0 and text in line[begin:]:
            return number, line.index(text, begin) + after
    raise AssertionError(text)


@pytest.fixture(scope="module")
def editor() -> Iterator[Client]:
    with Client(returnsPages=True) as client:
        yield client
        assert client.close() == 0
        log = "".join(client.errors)
        assert all("RenameError" in each for each in log.split("Exception occurred")[1:]), log


@pytest.fixture
def game(editor: Client) -> str:
    return editor.open(GAME, "file:///tmp/pips.rules")


def texts(ranges: list[Any], source: str = GAME) -> list[str]:
    """What stands at some ranges, counted in UTF-16."""
    lines = source.split("\n")
    found = []
    for each in ranges:
        start, end = each["start"], each["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]].encode("utf-16-le")
        found.append(line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le"))
    return found


# ---- diagnostics


def test_a_sound_game_has_only_its_lints(editor: Client, game: str):
    codes = {each["code"] for each in editor.shown(game)}
    assert not {code for code in codes if code < "RW103"}


def test_a_syntax_error_hides_no_other_mistake(editor: Client):
    broken = GAME.replace("sum: 0..100 = 0", "sum: 0..100 = (").replace("limit:", "limit2:", 1)
    uri = editor.open(broken.replace("n <= limit", "n <= limmit"), "file:///tmp/broken.rules")
    found = {(each["code"], each["message"].split("\n")[0]) for each in editor.shown(uri)}
    assert ("RW101", "there is nothing called `limmit` here") in found
    assert any(code.startswith("RW0") for code, _ in found)
    assert not any("`sum`" in message for _, message in found), "it follows from the first"


def test_a_keystroke_is_answered_and_taken_back(editor: Client, game: str):
    before = editor.shown(game)
    line, character = where("own_turn(p)")
    editor.type(game, line, character, "x")
    found = editor.shown(game)
    assert "there is no rule `xown_turn`" in [each["message"].split("\n")[0] for each in found]
    editor.type(game, line, character, "", delete=1)
    assert editor.shown(game, settled=True) == before


def test_what_only_the_full_look_finds_stays_where_it_is(editor: Client):
    unused = GAME.replace("const limit", "fun idle(): Bool = true\n\nconst limit")
    uri = editor.open(unused, "file:///tmp/unused.rules")
    (lint,) = [each for each in editor.shown(uri) if "`idle`" in each["message"]]
    editor.type(uri, 0, 0, "# a comment\n")
    (moved,) = [each for each in editor.shown(uri) if "`idle`" in each["message"]]
    assert moved["range"]["start"]["line"] == lint["range"]["start"]["line"] + 1
    assert lint["tags"] == [1]


def test_a_fix_is_offered_and_mends(editor: Client):
    line, character = where("own_turn(p)")
    uri = editor.open(
        GAME.replace("own_turn(p)", "own_trun(p)", 1).replace(
            "rule own_trun(p: Player)", "rule own_turn(p: Player)"
        ),
        "file:///tmp/fix.rules",
    )
    editor.shown(uri)
    place = {"start": {"line": line, "character": character}}
    place["end"] = place["start"]
    (action,) = editor.about(
        uri, "textDocument/codeAction", range=place, context={"diagnostics": []}
    )
    assert action["title"] == "Change to `own_turn`"
    (edit,) = action["edit"]["documentChanges"][0]["edits"]
    editor.change(uri, {"range": edit["range"], "text": edit["newText"]})
    found = editor.shown(uri, settled=True)
    assert not [each for each in found if each["severity"] == 1 and each["code"] < "RW500"]


def test_fix_all_mends_everything_it_can(editor: Client):
    broken = GAME.replace("p == active", "p = active").replace("<= 5", "≤ 5")
    uri = editor.open(broken, "file:///tmp/all.rules")
    editor.shown(uri)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    (action,) = editor.about(
        uri, "textDocument/codeAction", range=whole,
        context={"diagnostics": [], "only": ["source.fixAll"]},
    )  # fmt: skip
    edits = action["edit"]["documentChanges"][0]["edits"]
    editor.change(uri, *({"range": e["range"], "text": e["newText"]} for e in reversed(edits)))
    assert not [each for each in editor.shown(uri) if each["code"].startswith("RW0")]


# ---- names


@pytest.mark.parametrize(
    ("text", "within", "after", "defined", "count"),
    [
        ("own_turn", "        own_turn(p)", 0, "own_turn", 3),  # a rule, also in `because`
        ("limit", "<= limit", 0, "limit", 3),
        ("ann", "ann plays", 0, "ann", 3),  # a seat
        ("A1", "possible", 1, "Square", 2),  # a square: defined by its board
        ("over", "phase = over", 0, "over", 2),  # a phase
        ("is_active", "because", 0, "is_active", 2),  # a label behind its owner
        ("colour", "c.colour", 0, "colour", 2),  # a field
        ("red", "== red", 0, "red", 3),  # a value
        ("turn.bank", "effect keep", 0, "turn.bank", 7),  # a clause
        ("n =", "ann plays", 0, "n", 5),  # a parameter, by its keyword
        ("points", "expect", 0, "points", 6),
    ],
)
def test_definition_references_and_rename_agree(
    editor: Client, game: str, text: str, within: str, after: int, defined: str, count: int
):
    line, character = where(text, within, after)
    found = editor.at(game, "textDocument/definition", line, character)
    assert texts([found["range"]]) == [defined]
    uses = editor.at(
        game, "textDocument/references", line, character, context={"includeDeclaration": True}
    )
    named = text.split()[0]
    assert texts([each["range"] for each in uses]) == [named] * count
    new = "B2" if text == "A1" else "other.name" if "." in text else "another"
    edit = editor.at(game, "textDocument/rename", line, character, newName=new)
    edits = edit["documentChanges"][0]["edits"]
    assert [each["range"] for each in edits] == [each["range"] for each in uses]


@pytest.mark.parametrize(
    ("text", "within", "new", "why"),
    [
        ("limit", "<= limit", "2nd", "is not a name"),
        ("limit", "<= limit", "sum", "wrong in line"),
        ("limit", "<= limit", "none", "built in"),
        ("n", "n <= limit", "limit", "hide"),
        ("A1", "possible", "D9", "not a square"),
        ("players", "players 2..3", "x", "no name here"),
    ],
)
def test_a_rename_that_would_break_something_is_refused(
    editor: Client, game: str, text: str, within: str, new: str, why: str
):
    answer = editor.answer(
        "textDocument/rename", editor.place(game, *where(text, within), newName=new)
    )
    assert why in answer["error"]["message"]


@pytest.mark.parametrize(
    ("text", "within", "said"),
    [
        ("sum", "sum = 0", ["state variable", "type `0..100`"]),
        ("own_turn", "        own_turn", ["rule", "Whoever's turn it is throws the die."]),
        ("turn.roll", "is_active", ["clause", "Whoever's", "evidence", "property `few`"]),
        ("n", "n <= limit", ["parameter", "type `1..6`"]),
    ],
)
def test_hover_says_what_a_name_is(
    editor: Client, game: str, text: str, within: str, said: list[str]
):
    found = editor.at(game, "textDocument/hover", *where(text, within))
    for each in said:
        assert each in found["contents"]["value"]


def test_calls_go_both_ways(editor: Client, game: str):
    (item,) = editor.at(
        game, "textDocument/prepareCallHierarchy", *where("own_turn", "rule own_turn")
    )
    callers = editor.ask("callHierarchy/incomingCalls", {"item": item})
    assert [each["from"]["name"] for each in callers] == ["bank", "first"]
    (bank,) = editor.at(game, "textDocument/prepareCallHierarchy", *where("bank", "move bank"))
    called = editor.ask("callHierarchy/outgoingCalls", {"item": bank})
    assert [each["to"]["name"] for each in called] == ["own_turn", "keep"]


# ---- completion


@pytest.mark.parametrize(
    ("typed", "offered", "missing"),
    [
        ("move m by p in ", ["play", "over"], ["limit", "bank"]),
        ('move m by p in play "x" [', ["turn.roll", "turn.bank"], ["play"]),
        ('move m by p in play "x" [turn.', ["turn.roll"], ["play"]),
        ("move m by p in play\n    needs ", ["own_turn"], ["keep", "bank"]),
        ("move m by p in play\n    does ", ["keep", "sum", "points"], ["own_turn"]),
        ("fun f(c: Card): Bool = c.", ["colour", "pips"], ["limit"]),
        ("fun f(c: Card): Bool = ", ["c", "limit", "is_red", "size", "all"], ["own_turn"]),
        ("fun f(c: ", ["Card", "Player", "Set"], ["limit"]),
        ("example e\n    players ann, bo\n    ", ["ann", "bo", "expect", "given"], ["limit"]),
        ("example e\n    1 plays ", ["bank"], ["limit", "own_turn"]),
        ("example e\n    1 cannot bank(n = 1) because ", ["own_turn.is_active"], ["turn.roll"]),
        ("cl", ["clause"], ["limit"]),
        ("clause x.y ", ["must", "may", "aside"], ["limit"]),
    ],
)
def test_completion_by_kind(editor: Client, typed: str, offered: list[str], missing: list[str]):
    text = f"{GAME}\n{typed}"
    uri = editor.open(text, "file:///tmp/complete.rules")
    lines = text.split("\n")
    found = editor.at(uri, "textDocument/completion", len(lines) - 1, len(lines[-1]))
    labels = [each["label"] for each in found["items"]]
    assert set(offered) <= set(labels)
    assert not set(missing) & set(labels)


def test_members_of_the_type_come_first(editor: Client):
    text = f"{GAME}\nfun f(c: Colour): Bool = c == "
    uri = editor.open(text, "file:///tmp/members.rules")
    lines = text.split("\n")
    items = editor.at(uri, "textDocument/completion", len(lines) - 1, len(lines[-1]))["items"]
    assert [each["label"] for each in sorted(items, key=lambda i: i["sortText"])[:2]] == [
        "blue", "red",
    ]  # fmt: skip


def test_signature_help_in_an_unfinished_call(editor: Client):
    text = f"{GAME}\neffect e(p: Player)\n    keep(p, "
    uri = editor.open(text, "file:///tmp/signature.rules")
    lines = text.split("\n")
    found = editor.at(uri, "textDocument/signatureHelp", len(lines) - 1, len(lines[-1]))
    assert found["signatures"][0]["label"] == "keep(p: Player, n: 0..100)"
    assert found["activeParameter"] == 1


# ---- shape


def test_symbols_folding_and_tokens(editor: Client, game: str):
    symbols = {each["name"]: each for each in editor.about(game, "textDocument/documentSymbol")}
    assert [each["name"] for each in symbols["own_turn"]["children"]] == ["is_active"]
    assert [each["name"] for each in symbols["Colour"]["children"]] == ["red", "blue"]
    folds = editor.about(game, "textDocument/foldingRange")
    assert any(each["startLine"] == where("move bank")[0] for each in folds)
    data = editor.about(game, "textDocument/semanticTokens/full")["data"]
    line = character = 0
    ranges = []
    for at in range(0, len(data), 5):
        line, character = line + data[at], data[at + 1] + (0 if data[at] else character)
        ranges.append({
            "start": {"line": line, "character": character},
            "end": {"line": line, "character": character + data[at + 2]},
        })  # fmt: skip
    words = texts(ranges)
    assert {"bank", "turn.bank", "limit", "ann", "A1"} <= set(words)
    assert all(word.replace(".", "").replace("_", "").isalnum() for word in words), words


def test_positions_are_counted_in_utf_16(editor: Client, game: str):
    line, _ = where("𝔭𝔦𝔭𝔰")
    units = len(LINES[line].partition("[turn")[0].encode("utf-16-le")) // 2 + 3
    found = editor.at(game, "textDocument/definition", line, units)
    assert texts([found["range"]]) == ["turn.bank"]


def test_formatting_of_all_and_of_a_range(editor: Client):
    text = 'game g "G"\n    players 2..4\n\nphase  a,b final\n\nconst   x = 1\nconst   y=2\n'
    uri = editor.open(text, "file:///tmp/format.rules")
    options = {"tabSize": 4, "insertSpaces": True}
    edits = editor.about(uri, "textDocument/formatting", options=options)
    assert {each["range"]["start"]["line"] for each in edits} == {3, 5}
    place = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 5}}
    (edit,) = editor.about(uri, "textDocument/rangeFormatting", range=place, options=options)
    assert edit["newText"] == "phase a, b final\n"


def test_symbols_of_a_workspace(tmp_path: Path):
    (tmp_path / "one.rules").write_text(GAME)
    (tmp_path / "two.rules").write_text(GAME.replace("is_red", "is_crimson"))
    with Client(tmp_path) as client:
        found = client.ask("workspace/symbol", {"query": "is_"})
        names = {(each["name"], Path(each["location"]["uri"]).name) for each in found}
        assert {("is_red", "one.rules"), ("is_crimson", "two.rules")} <= names
        assert client.close() == 0


# ---- what runs in the background


def test_lenses_examples_and_why(editor: Client, game: str):
    titles = [each["command"]["title"] for each in editor.about(game, "textDocument/codeLens")]
    assert {"▶ play", "why?", "○ not proved yet", "cited 3 times"} <= set(titles)
    played = editor.command("rulewright.playExample", game, "first")
    assert played["verdict"] == "passed"
    assert "<script" not in played["html"] and "as expected" in played["html"]
    why = editor.command("rulewright.why", game, "bank")
    assert why["answer"] == "player 1 can `bank` at the start, in 6 ways"


def test_verdicts_go_stale_and_come_back(editor: Client):
    uri = editor.open(GAME, "file:///tmp/proved.rules")
    proved = editor.command("rulewright.prove", uri, None)["verdicts"]
    assert (proved["nobody_owes"], proved["few"]) == ("proved", "refuted")

    def verdict(name: str) -> str:
        line, _ = where(name)
        lenses = editor.about(uri, "textDocument/codeLens")
        mine = [e["command"]["title"] for e in lenses if e["range"]["start"]["line"] == line]
        return str(mine[0])

    assert verdict("nobody_owes") == "✓ proved with 2 to 3 players"
    assert verdict("few").startswith("✗ refuted")
    page = editor.command("rulewright.showGame", uri, "few")["html"]
    assert "<svg" in page or "rw-game" in page
    line, character = where("= 20", "const")
    editor.type(uri, line, character + 2, "19", delete=2)
    editor.shown(uri)
    assert verdict("nobody_owes") == "↻ stale"
    editor.type(uri, line, character + 2, "20", delete=2)
    editor.shown(uri)
    assert verdict("nobody_owes") == "✓ proved with 2 to 3 players"
    again = editor.open(GAME, "file:///tmp/proved_again.rules")
    editor.shown(again)
    lenses = editor.about(again, "textDocument/codeLens")
    assert "✓ proved with 2 to 3 players" in [each["command"]["title"] for each in lenses]


def test_what_clauses_have_earned_stands_over_them(editor: Client):
    uri = editor.open(GAME, "file:///tmp/earned.rules")
    line, _ = where("turn.bank", "clause")

    def over_the_clause() -> str:
        lenses = editor.about(uri, "textDocument/codeLens")
        mine = [e["command"] for e in lenses if e["range"]["start"]["line"] == line]
        assert mine[0]["command"] == "rulewright.evidence"
        return str(mine[0]["title"])

    assert over_the_clause().startswith("cited ")
    marks = editor.command("rulewright.evidence", uri, None)["marks"]
    assert set(marks) == {"turn.roll", "turn.bank"}
    assert marks["turn.bank"].startswith("✓ tested: ")
    assert over_the_clause() == marks["turn.bank"]
    at, character = where("= 20", "const")
    editor.type(uri, at, character + 2, "19", delete=2)
    editor.shown(uri)
    assert over_the_clause() == "↻ stale"


def test_a_failing_example_is_shown_when_the_file_is_saved(editor: Client):
    wrong = GAME.replace("points[ann] == 3", "points[ann] == 4")
    uri = editor.open(wrong, "file:///tmp/failing.rules")
    editor.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    while not any(each["code"] == "RW510" for each in editor.shown(uri)):
        editor._next()
    editor.type(uri, 0, 0, "# ")
    assert not any(each["code"] == "RW510" for each in editor.shown(uri))


@pytest.mark.parametrize("name", ["qwixx", "kubbar"])
def test_the_bundled_games_are_understood_whole(editor: Client, name: str):
    """Every name in a game is known to the index, and every symbol has its place."""
    source = (SPEC / f"{name}.rules").read_text()
    uri = editor.open(source, f"file:///tmp/{name}.rules")
    assert editor.shown(uri) == []
    symbols = editor.about(uri, "textDocument/documentSymbol")
    assert len(symbols) > 150
    assert editor.about(uri, "textDocument/formatting", options={"tabSize": 4,
                        "insertSpaces": True}) == []  # fmt: skip


def test_an_editor_that_shows_no_pages_has_them_opened():
    with Client() as client:
        uri = client.open(GAME)
        client.command("rulewright.playExample", uri, "first")
        shown = client.wait("window/showDocument")["params"]
        assert shown["external"] and "as expected" in Path(shown["uri"][7:]).read_text("utf-8")
        assert client.close() == 0
        assert not Path(shown["uri"][7:]).exists(), "it goes with the server"


def test_without_its_library_the_server_says_what_to_install():
    code = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['rulewright', 'lsp'];"
        "from rulewright.cli.main import main; sys.exit(main())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert ran.returncode == 2
    assert "pip install rulewright[editor]" in ran.stderr


def test_a_server_whose_editor_is_gone_ends():
    with Client() as client:
        client.open(GAME)
        assert client.process.stdin is not None
        client.process.stdin.close()
        client.process.wait(PATIENCE)


def test_a_game_whose_name_no_file_can_have_is_checked():
    name = "n" * 300
    text = f'game {name} "X"\n    players 2..2\nphase play, over final\n'
    report = BackgroundRun(name, text, "check").answer()
    assert report is not None and report["results"][0]["verdict"] == "holds"

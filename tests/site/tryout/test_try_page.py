"""What somebody does on a try page: presses fields, tiles and squares, takes back, changes a
reading, shares a link, uses the keyboard or a phone; and what strangers may try on it."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from zlib import compress

import pytest

from rulewright.frontend import check_text
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts
from rulewright.site.tryout.bundle import bundle
from rulewright.site.tryout.page import try_page
from tests.site.hostile import Structure, hostile
from tests.site.tryout.chromium import Browser
from tests.site.tryout.pages import GAMES, page, written
from tests.wasm.hosts import needs_browser

CLICKS = (Path(__file__).parent / "clicks.js").read_text("utf-8")
FIELDS = """
const of = (player, label) => all(`section[aria-label="${player}"] [aria-label^="${label}"]`)[0]
const label = (player, start) => of(player, start).getAttribute('aria-label')
const next = () => after(() => one('.next').click())
"""


def done(tab: Browser, script: str, given: object = None) -> Any:
    return tab.run(CLICKS + FIELDS + script, given)


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_one_file_with_a_strict_policy(name: str):
    text = page(name)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(each.split(" ", 1) for each in policy.replace("&#x27;", "'").split("; "))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]+' 'wasm-unsafe-eval'", rules["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/=]+'", rules["style-src"])
    assert "connect-src" not in rules
    assert len(text.encode()) < 400_000
    assert not re.search(r"""(?:src|href)=["']""", text.partition("<script")[0])


def test_the_script_never_reads_markup():
    script = bundle(Path(__file__).parents[3] / "checker/rulewright/site/tryout/browser/main.js")
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(",
                 "import(", "fetch(", "XMLHttp", "srcdoc"):  # fmt: skip
        assert word not in script, word
    assert re.findall(r"^(?:import|export) ", script, re.MULTILINE) == []


def test_modules_that_import_each_other_are_not_bundled(tmp_path: Path):
    (tmp_path / "a.js").write_text("import { b } from './b.js'\nexport const a = b\n")
    (tmp_path / "b.js").write_text("import { a } from './a.js'\nexport const b = a\n")
    with pytest.raises(ValueError, match=r"a\.js imports itself"):
        bundle(tmp_path / "a.js")


@needs_browser
def test_a_field_is_pressed_refused_and_taken_back(tab: Browser, tmp_path: Path):
    tab.open(written("qwixx", tmp_path) + "#example-first_action")
    found = done(tab, """
        await next()
        const before = label('Emma', 'yellow 5')
        await press(of('Emma', 'yellow 5'))
        const crossed = label('Emma', 'yellow 5')
        await press(of('Max', 'red 9'))
        const { refused, clauses, said: why } = told()
        await after(() => one('.undo').click())
        const after_ = [label('Emma', 'yellow 5'), label('Max', 'red 9')]
        return [before, crossed, refused, clauses, why, ...after_]
    """)  # fmt: skip
    assert found[:2] == ["yellow 5, free", "yellow 5, crossed"]
    assert found[2] == ["cross_sum.is_sum"]
    assert found[3][0][0] == "play.sum"
    assert found[3][0][1].startswith(
        "The number of the first action is the sum of both white dice."
    )
    assert "Max: cross the sum of the white dice (red 9)" in found[4]
    assert found[5:] == ["yellow 5, free", "red 9, free"]
    assert tab.said == []


@needs_browser
def test_the_page_asks_for_nothing_but_itself(tab: Browser, tmp_path: Path):
    tab.asked_for.clear()
    address = written("qwixx", tmp_path)
    tab.open(address)
    done(tab, "await after(() => one('.roll').click())")
    assert set(tab.asked_for) - {"about:blank"} == {address}


@needs_browser
def test_what_a_reading_changes_is_said(tab: Browser, tmp_path: Path):
    tab.open(written("qwixx", tmp_path) + "#example-third_row")
    found = done(tab, """
        await after(() => one('.all').click())
        const first = shown.phase
        const select = one('select[name="reading window_end"]')
        await after(() => choose(select, (each) => each.value === 'finish_turn'))
        return [first, shown.phase, one('.status').textContent]
    """)  # fmt: skip
    assert found[:2] == ["over", "second_action"]
    assert found[2].startswith("Played again: now different are")


@needs_browser
def test_a_variant_is_played_with_its_own_sheet(tab: Browser, tmp_path: Path):
    tab.open(written("qwixx", tmp_path))
    found = done(tab, """
        const numbers = () => all('section[aria-label="Player 1"] [aria-label^="red "]')
          .map((each) => each.getAttribute('aria-label').split(/[ ,]/)[1]).slice(0, 11)
        const usual = numbers()
        const variant = one('select[name="variant"]')
        await after(() => choose(variant, (each) => each.value === 'mixed_numbers'))
        return [usual, numbers()]
    """)  # fmt: skip
    assert found[0] == [str(each) for each in range(2, 13)]
    assert sorted(found[1], key=int) == found[0] != found[1]


@needs_browser
def test_a_link_carries_the_position(tab: Browser, tmp_path: Path):
    address = written("qwixx", tmp_path)
    tab.open(f"{address}#example-first_action")
    link, before = done(tab, """
        await next()
        await next()
        await after(() => one('button.link').click())
        return [one('.link input').value, shown]
    """)  # fmt: skip
    assert link.startswith(f"{address}#") and len(link) < 2000
    tab.open(link)
    after = done(tab, "await after(() => one('.undo').click()); return [shown, label('Emma', 'y')]")
    assert after[1].startswith("yellow 2")
    assert after[0] != before
    tab.open(link)
    assert done(tab, "return label('Emma', 'yellow 5')") == "yellow 5, crossed"


@needs_browser
@pytest.mark.parametrize(
    "given",
    [
        {"players": 99},
        {"players": 2, "position": {"phase": "<img src=x onerror=alert(1)>"}},
        {"players": 2, "events": [{"move": "cross_sum", "by": 1, "args": {"row": [], "at": {}}}]},
        {"players": 2, "events": 7, "seats": [{}, 1], "readings": [1]},
        {"players": 2, "readings": {"ties": "x"}},
        [1],
        None,
        "x" * (2 << 20),
    ],
    ids=["players", "words", "events", "kinds", "readings", "list", "nothing", "long"],
)
def test_a_link_of_a_stranger_is_refused_or_opened(given: object, tab: Browser, tmp_path: Path):
    packed = urlsafe_b64encode(compress(json.dumps(given).encode())).decode().rstrip("=")
    tab.open(f"{written('qwixx', tmp_path)}#{packed}")
    assert done(tab, "return all('.place').length") == 2 * (4 * 12 + 1) + 6
    assert tab.said == []


@needs_browser
def test_a_tile_and_a_square_are_a_move(tab: Browser, tmp_path: Path):
    tab.open(written("matte_kryss", tmp_path) + "#example-two_directions")
    found = done(tab, """
        await press(of('Player 1', '4'))
        await press(all('[aria-label^="H9"]')[0])
        const refused = told().refused
        await press(all('[aria-label^="G6"]')[0])
        const meant = all('.meant button')
        if (meant.length) await after(() => meant[0].click())
        return [refused, shown.board.find(([square]) => square === 'G6')[1], told().refused]
    """)  # fmt: skip
    assert found[0]
    assert found[1:] == [4, []]


@needs_browser
def test_tiles_are_laid_one_by_one_before_the_move_is_made(tab: Browser, tmp_path: Path):
    tab.open(written("kubbar", tmp_path) + "#example-set_of_four")
    found = done(tab, """
        const put = async (tile, square) => {
          await press(of('Anna', tile))
          await press(all(`[aria-label="${square}"]`)[0])
        }
        const squares = all('.place[data-place^="b0/"]')
        const [first, second] = [24, 25].map((each) => squares[each].getAttribute('aria-label'))
        await put('red 7', first)
        await put('blue 7', second)
        const drafted = () => place(`b0/${first}`).getAttribute('aria-label').replace(first, '')
        const before = drafted()
        await after(() => one('.any form button[type="submit"]').click())
        return [before, told().refused, drafted()]
    """)  # fmt: skip
    assert found[0] == ", red 7"
    assert "sound.three_or_more" in found[1]
    assert found[2] == ", red 7", "what was laid can be mended"


@needs_browser
def test_fields_that_are_pressed_one_after_the_other_are_written_together(
    tab: Browser, tmp_path: Path
):
    tab.open(written("twenty_one", tmp_path) + "#example-sara_writes")
    found = done(tab, """
        await next()
        await next()
        await press(of('Sara', 'row 1 white'))
        const refused = told().refused
        await press(of('Sara', 'row 1 black'))
        await press(of('Sara', 'row 1 blue'))
        await after(() => one('.meant button').click())
        const fields = ['black', 'blue', 'white'].map((each) => label('Sara', `row 1 ${each}`))
        return [refused, ...fields]
    """)  # fmt: skip
    assert "write.not_higher" in found[0]
    assert [each.split(", ")[1].split()[0] for each in found[1:]] == ["written", "written", "free"]


@needs_browser
def test_all_can_be_done_with_keys_on_a_phone(tab: Browser, tmp_path: Path):
    tab.wide(390)
    tab.open(written("qwixx", tmp_path) + "#example-first_action")
    done(tab, "await next()\n of('Emma', 'red 2').focus()")
    tab.press("ArrowDown")
    for _ in range(3):
        tab.press("ArrowRight")
    assert done(tab, "return document.activeElement.getAttribute('aria-label')") == "yellow 5, free"
    tab.press("Enter")
    assert done(tab, "return document.activeElement.getAttribute('aria-label')") == (
        "yellow 5, crossed"
    )
    assert done(tab, "return document.documentElement.scrollWidth") == 390
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    pressed = {"button", "combobox", "textbox", "checkbox", "alert", "status"}
    named = [each for each in tree if each.get("role", {}).get("value") in pressed - {"alert"}]
    nameless = [each for each in named if not each.get("name", {}).get("value")
                and each["role"]["value"] != "status"]  # fmt: skip
    assert len(named) > 200
    assert nameless == []
    tab.wide(1280)


OBJECTS = """
game objects "Names that every object of a browser has"
    players 2..2
type Tile = constructor | valueOf | other
phase play, over final
reading toString "the first question" [a.b]
    watch "one" default
    isPrototypeOf "other"
clause a.b may "x"
state
    each Player
        hand: Bag[Tile] = {constructor, constructor, valueOf}
    hasOwnProperty[Tile]: 0..9 = 0
move put(__proto__: Tile) by p in play "put a tile" [a.b]
    needs held "it is in the hand" [a.b]: __proto__ in hand[p]
    needs asked "as they answer" [a.b]: toString == watch or __proto__ != constructor
    does
        hand[p] = hand[p] - {__proto__}
        hasOwnProperty[__proto__] = 1
"""


@needs_browser
def test_names_that_every_object_of_a_browser_has_are_names(tab: Browser, tmp_path: Path):
    checked = check_text("objects.rules", OBJECTS)
    assert checked.spec is not None, checked.diagnostics
    text = try_page(Book(checked, Verdicts()))
    assert text is not None
    (tmp_path / "objects.html").write_text(text, encoding="utf-8")
    tab.open((tmp_path / "objects.html").as_uri())
    found = done(tab, """
        const tiles = all('.place[data-place^="r0/1"]').map((each) => each.dataset.place)
        const put = async (tile) => {
          await attempt({ move: 'put', by: 1, args: { x: tile } })
          return [shown.hand[0][1].join(), told().refused.join()]
        }
        const first = await put('constructor')
        const select = one('select[name="reading toString"]')
        const answer = select.value
        await after(() => one('.undo').click())
        await after(() => choose(select, (each) => each.value === 'isPrototypeOf'))
        return [tiles, answer, first, await put('constructor'), await put('valueOf'),
                shown.hasOwnProperty.valueOf]
    """)  # fmt: skip
    assert found == [
        ["r0/1/constructor/1", "r0/1/constructor/2", "r0/1/valueOf/1"], "watch",
        ["constructor,valueOf", ""], ["constructor,constructor,valueOf", "put.asked"],
        ["constructor,constructor", ""], 1,
    ]  # fmt: skip
    assert tab.said == []


@needs_browser
def test_hostile_sentences_stay_text(tab: Browser, tmp_path: Path):
    checked = check_text("qwixx.rules", hostile("qwixx", 7))
    text = try_page(Book(checked, Verdicts()))
    assert text is not None
    assert list(Structure(text).wrong()) == []
    (tmp_path / "hostile.html").write_text(text, encoding="utf-8")
    tab.open((tmp_path / "hostile.html").as_uri() + "#example-first_action")
    found = done(tab, """
        await next()
        await press(all('[aria-label^="red 9"]')[0])
        await after(() => one('button.link').click())
        const markup = all('img, iframe, math, base, script:not([type]), [onload], [onerror], b')
        const owned = document.documentElement.dataset.owned ?? null
        return [owned, markup.length, told().refused, one('h1').textContent]
    """)  # fmt: skip
    assert checked.spec is not None
    assert found[:3] == [None, 0, ["cross_sum.is_sum"]]
    assert checked.spec.title.split()[0] in found[3]

"""The playground in a real browser: a broken game is mended, played and proved, as somebody does
who opens the page."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from playground.__main__ import MissingError, build
from tests.playground.browser import Page, opened
from tests.site.conftest import ROOT
from tests.wasm.hosts import needs_browser

pytestmark = [pytest.mark.slow, needs_browser]
STYLE = ROOT / "checker" / "rulewright" / "site" / "mkdocs" / "style.css"
ELSEWHERE = "https://example.org/"
BLOCKED = (ELSEWHERE, "data:text/javascript,")
"""What we ask for, and what Pyodide tries out when it starts."""
USABLE = "document.querySelector('#status').textContent === 'The rules can be used.'"
TYPE = """(() => {{
  const text = document.querySelector('#text')
  text.value = text.value.replace({old!r}, {new!r})
  text.dispatchEvent(new Event('input'))
}})()"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files with their kinds, silently."""

    extensions_map = {
        ".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css",
        ".wasm": "application/wasm", ".html": "text/html", "": "text/plain",
    }  # fmt: skip

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that shows the playground."""
    site = tmp_path_factory.mktemp("site")
    try:
        build(site)
    except MissingError as error:
        pytest.skip(f"{error}: the playground needs Pyodide and z3 from npm")
    (site / "assets").mkdir()
    shutil.copyfile(STYLE, site / "assets" / "rulewright.css")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/playground/"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page, with Pig on it."""
    with opened(address, tmp_path_factory.mktemp("profile")) as page:
        page.wait(f"self.crossOriginIsolated && {USABLE}", "an isolated page with a game on it")
        yield page
        wrong = [each for each in page.said if not any(known in each for known in BLOCKED)]
        assert not wrong, "what the policy is to block is blocked, and nothing else goes wrong"


def write(page: Page, old: str, new: str) -> None:
    """Changes the rules as somebody does who types."""
    page.run(TYPE.format(old=old, new=new))


def test_a_broken_game_is_mended_played_and_proved(page: Page):
    write(page, "total += pips", "totl += pips")
    said = page.wait(
        "document.querySelector('#problems .fix') && document.querySelector('#problems').innerText",
        "a message with a fix",
    )
    assert "54:63" in said
    assert "there is no state variable `totl`" in said
    assert page.text("#marks mark") == "totl"
    assert page.run("document.querySelector('#prove').disabled")
    page.click("#problems .fix")
    page.wait(USABLE, "rules that can be used again")
    assert "total += pips" in page.run("document.querySelector('#text').value")

    page.click("#begin")
    page.wait("document.querySelector('#standing').textContent.includes('decide')", "a game")
    page.run("document.querySelector('#move').value = 'hold'")
    page.click("#why")
    page.wait("document.querySelector('#answer').textContent.includes('hold.rolled')", "why not")
    page.click("#moves button")
    page.wait("!document.querySelector('#chance').disabled", "a die to fall")
    page.click("#chance")
    page.wait("document.querySelectorAll('#history li').length === 2", "two events")
    seen = "document.querySelector('#board').contentDocument.body.innerText"
    page.wait(f"{seen}.includes('active 1') || {seen}.includes('active 2')", "the position, drawn")
    page.click("#finish")
    page.wait("document.querySelector('#standing').textContent.includes('Won by')", "an end")

    page.click("[data-pane=proofs]")
    page.click("#prove")
    page.wait("/^14 proved$/.test(document.querySelector('#proofs-said').textContent)", "proofs")
    rows = page.run("[...document.querySelectorAll('#verdicts tbody tr')].map((e) => e.innerText)")
    assert any(each.startswith("one_winner\t2\tproved") for each in rows)


def test_a_change_is_told_and_its_proof_can_be_stopped(page: Page):
    write(page, "if pips == 1:", "if pips == 2:")
    page.wait(f"{USABLE} && !document.querySelector('#stale').hidden", "a changed rule")
    page.click("[data-pane=changes]")
    page.click("#diff")
    page.wait("document.querySelector('#changes-said').textContent.includes('compared:')", "a diff")
    said = page.text("#changes-said")
    assert "fall  changed" in said
    assert "1 worked example broken" in said
    page.click("#prove")
    page.wait("document.querySelector('#proofs-said').textContent.includes('proving')", "proving")
    page.click("#proofs .stop")
    page.wait(
        "document.querySelectorAll('.stop:disabled').length === 3"
        " && document.querySelector('#proofs-said').textContent",
        "the end",
    )
    assert "interrupted" in page.text("#proofs-said") or "stopped" in page.text("#proofs-said")


def test_a_link_carries_the_rules_and_nothing_in_them_runs(page: Page, address: str):
    hostile = '"<img src=x onerror=parent.owned=1><script>parent.owned=1</script>"'
    write(page, '"roll or hold"', hostile)
    write(page, '"Pig"', hostile)
    page.wait(USABLE, "rules that can be used")
    page.click("#link")
    link = page.wait("location.hash.startsWith('#spec=') && location.href", "a link")
    text = "document.querySelector('#text').value"
    page.run("location.hash = '#game=whist'")
    said = "There is no game `whist` here. The rules can be used."
    page.wait(f"document.querySelector('#status').textContent === {said!r}", "what is missing")
    page.run("location.hash = '#game=qwixx'")
    page.wait(f"{text}.includes('game qwixx') && {USABLE}", "a game that comes with the program")
    page.run(f"location.hash = {link.partition('#')[2]!r}")
    page.wait(f"{text}.includes('<script>parent.owned=1') && {USABLE}", "the same rules")
    page.click("[data-pane=play]")
    page.click("#begin")
    page.wait("document.querySelectorAll('#history li').length === 0", "a new game")
    page.wait("document.querySelector('#board').contentDocument.body?.innerText", "a picture")
    assert page.run("self.owned ?? null") is None
    said = page.run("fetch('" + ELSEWHERE + "').then(() => 'loaded', () => 'refused')")
    assert said == "refused"
    policy = [each for each in page.said if ELSEWHERE in each]
    assert "Content Security Policy" in policy[0], "by the policy, not for want of a net"
    sites = page.run(
        "performance.getEntriesByType('resource').map((each) => new URL(each.name).origin)"
    )
    assert set(sites) == {address.removesuffix("/playground/")}


def test_a_link_that_is_cut_or_unpacks_to_too_much_is_refused(page: Page):
    script = """(async () => {
      const links = await import(new URL('links.js', location.href))
      const refused = (error) => 'refused'
      const bomb = await links.packed('x'.repeat(5000000))
      return [
        await links.unpacked(await links.packed('æ 😀 "<"')),
        await links.unpacked(bomb).catch(refused),
        await links.unpacked((await links.packed('game pig')).slice(0, 8)).catch(refused),
        await links.read('#spec=@@').catch(refused),
      ]
    })()"""
    assert page.run(script) == ['æ 😀 "<"', "refused", "refused", "refused"]

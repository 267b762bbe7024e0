"""What readers get of the site: axe finds nothing on its pages, they are small and not too long, a
first visit loads little, and the search finds the rule first."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site.conftest import ROOT
from tests.site.mkdocs.test_site import Handler, build
from tests.site.tryout.chromium import Browser, browser
from tests.wasm.hosts import needs_browser

pytest.importorskip("mkdocs")
pytestmark = pytest.mark.slow
HTML, TALL, VISIT = 300_000, 20_000, 500_000
PHONE, DESK = 390, 1280
LOADED = """
    for (let turn = 0; turn < 45_000 && document.readyState !== 'complete'; turn++)
      await new Promise((go) => setTimeout(go, 20))
    for (let turn = 0; turn < 45_000 && document.querySelector('#tryout') && !document.body.dataset.done; turn++)
      await new Promise((go) => setTimeout(go, 20))
    await new Promise((go) => setTimeout(go, 150))
"""  # noqa: E501
SEEN = "return [document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
SCHEME = "return document.body.dataset.mdColorScheme ?? null"
SIZES = """
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    return all.reduce((sum, each) => sum + each.encodedBodySize, 0)
"""  # noqa: E501
AXE = """
    const found = await axe.run(document, { resultTypes: ['violations'] })
    return found.violations.map((each) => [each.id, each.nodes.slice(0, 3).map((one) => one.html.slice(0, 200))])
"""  # noqa: E501
SEARCH = """
    const field = document.querySelector('[data-md-component=search-query]')
    field.focus()
    field.value = given
    field.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }))
    for (let turn = 0; turn < 45_000 && !document.querySelector('.md-search-result__link'); turn++)
      await new Promise((go) => setTimeout(go, 20))
    return document.querySelector('.md-search-result__link')?.pathname
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    built = build(ROOT / "mkdocs.yml", out)
    assert built.returncode == 0, built.stdout + built.stderr
    return out


@pytest.fixture(scope="module")
def home(site: Path) -> Iterator[str]:
    """The address of the site on this machine."""
    handler = functools.partial(Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    forget = "try { localStorage.clear() } catch {}"  # the theme remembers what it was
    with browser(tmp_path_factory.mktemp("profile"), offline=False) as found:
        found.call("Page.addScriptToEvaluateOnNewDocument", source=forget)
        yield found


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker of accessibility, from npm."""
    if shutil.which("npm") is None:
        pytest.skip("axe-core comes from npm, which is not installed")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(Path(__file__).parent / "axe" / name, folder)
    installed = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True
    )
    if installed.returncode:
        pytest.skip("npm cannot install axe-core")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def address(page: Path, site: Path) -> str:
    return page.relative_to(site).as_posix().removesuffix("index.html")


def kinds(site: Path) -> list[Path]:
    """Of every kind of page the largest: of games, and of each part of the site."""
    found: dict[str, Path] = {}
    for page in sorted(site.rglob("*.html")):
        parts = page.relative_to(site).parts
        kind = "/".join(parts[2:]) if parts[0] == "games" and len(parts) > 2 else parts[0]
        if kind not in found or found[kind].stat().st_size < page.stat().st_size:
            found[kind] = page
    return list(found.values())


def visit(tab: Browser, url: str, width: int, dark: bool = False) -> Any:
    scheme = "dark" if dark else "light"
    tab.call("Emulation.setEmulatedMedia",
             features=[{"name": "prefers-color-scheme", "value": scheme}])  # fmt: skip
    tab.wide(width)
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=url)
    tab.run(LOADED)
    return tab.run(SEEN)


@needs_browser
@pytest.mark.parametrize(("width", "dark"), [(PHONE, False), (DESK, True)])
def test_axe_finds_nothing(site: Path, home: str, tab: Browser, axe: str, width: int, dark: bool):
    wrong = {}
    for page in kinds(site):
        visit(tab, home + address(page, site), width, dark)
        assert tab.run(SCHEME) in (None, "slate" if dark else "default")
        tab.call("Runtime.evaluate", expression=axe)
        found = tab.run(AXE)
        if found:
            wrong[address(page, site)] = found
    assert wrong == {}


@needs_browser
def test_no_page_of_a_game_is_large_or_endless_on_a_phone(site: Path, home: str, tab: Browser):
    for page in sorted((site / "games").rglob("*.html")):
        assert page.stat().st_size < HTML, page
        high, wide = visit(tab, home + address(page, site), PHONE)
        assert high < TALL and wide <= PHONE, f"{address(page, site)}: {wide} by {high}"


@needs_browser
@pytest.mark.parametrize("name", ["qwixx", "kubbar", "matte_kryss", "twenty_one"])
def test_a_first_visit_loads_little(home: str, tab: Browser, name: str):
    tab.call("Network.setCacheDisabled", cacheDisabled=True)
    for page in ("", "play/", "tryout.html"):
        visit(tab, f"{home}games/{name}/{page}", PHONE)
        assert 10_000 < tab.run(SIZES) < VISIT, page


@needs_browser
@pytest.mark.parametrize(
    ("words", "page"),
    [("misthrow", "/games/qwixx/play/"), ("founding a group", "/games/kubbar/play/"),
     ("extra tile", "/games/matte_kryss/play/"), ("cross out a field", "/games/twenty_one/play/"),
     ("locked", "/games/qwixx/play/")],
)  # fmt: skip
def test_the_search_finds_the_rule_first(home: str, tab: Browser, words: str, page: str):
    visit(tab, home, DESK)
    assert tab.run(SEARCH, words) == page

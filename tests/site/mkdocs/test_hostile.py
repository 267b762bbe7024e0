"""A site and a report of hostile games: no sentence becomes markup, and no script runs."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rulewright.frontend import check_text
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import Verdicts
from rulewright.site.pages.page_list import pages
from rulewright.site.words.markdown import plain
from tests.patience import PATIENCE
from tests.site.conftest import ROOT
from tests.site.hostile import PAYLOADS, Structure, hostile, verdicts

pytest.importorskip("mkdocs")
GAMES = {"qwixx": 0, "matte_kryss": 2, "twenty_one": 1}
"""With what each begins to count, so that their titles are hostile in different ways."""
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
CONFIG = """
site_name: Hostile
docs_dir: docs
theme: { name: material, font: false, features: [navigation.indexes, navigation.tabs] }
plugins:
  - search
  - rulewright:
      specs: [%s]
      prove: false
      verdicts: verdicts
      policy: %s
markdown_extensions:
  - admonition
  - attr_list
  - md_in_html
  - tables
  - toc: { permalink: true }
  - pymdownx.highlight
  - pymdownx.superfences
  - pymdownx.snippets
  - pymdownx.magiclink
  - pymdownx.details
  - pymdownx.tilde
nav:
  - Home: index.md
  - Games: games/
"""
HOME = """# Home

[[questions qwixx]]

[[assumptions qwixx]]

[[turn qwixx]]

[[sheet qwixx]]

<script>document.documentElement.setAttribute('data-own-script', 1)</script>
"""

SIGNS = ("<script", "<img", "<iframe", "{{", "{%", "{#", "](javascript", "--8<--", "{:", "<b>&{{",
         "</title>", "<svg/onload")  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Three builds: with the policy on all pages, on none, and on those of games."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("docs", "verdicts"):
        (folder / name).mkdir()
    (folder / "docs" / "index.md").write_text(HOME)
    for name in GAMES:
        text = hostile(name, GAMES[name])
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
        for file, said in verdicts(name, text).items():
            (folder / "verdicts" / file).write_text(said)
    specs = ", ".join(f"{name}.rules" for name in GAMES)
    for policy in ("all", "none", "games"):
        (folder / "mkdocs.yml").write_text(CONFIG % (specs, policy))
        built = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "-f", folder / "mkdocs.yml", "-d",
             folder / policy],
            capture_output=True, encoding="utf-8", timeout=PATIENCE, cwd=folder, check=False,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1",
                              "XDG_CACHE_HOME": str(folder / "cache")},
        )  # fmt: skip
        assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def report(site):
    """What changed between two hostile games, as a page."""
    (site / "new.rules").write_text(hostile("qwixx", 7).replace("= 5\n", "= 4\n"), encoding="utf-8")
    recorded = {"rulewright": 1, "spec": PAYLOADS[0], "players": 2}
    (site / "game.jsonl").write_text(json.dumps(recorded) + f'\n{{"move": "{PAYLOADS[1]}"}}\n')
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "rulewright",
            "diff",
            "qwixx.rules",
            "new.rules",
            "--quick",
            "--html",
            "all/report.html",
            "--games",
            "game.jsonl",
        ],
        cwd=site,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return site / "all" / "report.html"


def test_no_sentence_becomes_markup(site, report):
    looked_at = 0
    for page in [*(site / "none").rglob("*.html"), report]:
        text = page.read_text("utf-8")
        assert list(Structure(text).wrong()) == [], page
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
        run = [code for kind, code in scripts if 'type="application/json"' not in kind]
        assert not any("data-owned" in each for each in run), page
        assert "51724863" not in text, "nothing is worked out by a template"
        looked_at += 1
    assert looked_at > 25


def test_the_index_of_the_search_holds_no_markup_of_theirs(site):
    index = json.loads((site / "none" / "search" / "search_index.json").read_text("utf-8"))
    for each in index["docs"]:
        for field in ("title", "text"):
            assert list(Structure(each[field]).wrong()) == []
            assert "<script" not in each[field]


def test_sentences_are_shown_as_they_are_written(site):
    """What is escaped is there to be read, not left out."""
    from html import unescape

    text = unescape((site / "none/games/qwixx/rules/index.html").read_text("utf-8"))
    found = [each for each in PAYLOADS if each in text]
    assert len(found) > len(PAYLOADS) / 2


def test_every_page_has_a_policy_that_knows_the_scripts_of_the_theme_only(site):
    for page in (site / "all").rglob("*.html"):
        text = page.read_text("utf-8")
        (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
        assert "default-src &#x27;none&#x27;" in policy or "default-src 'none'" in policy
        if page.name.startswith("tryout."):  # WebAssembly runs on it, which no text becomes
            assert "wasm-unsafe-eval" in policy
            policy = policy.replace("wasm-unsafe-eval", "wasm")
        assert "unsafe-eval" not in policy
        script = re.search(r"script-src ([^;]*)", policy)
        assert script is None or "unsafe" not in script[1]
        assert "data-rw-theme" not in text
    for path, has_policy in (("none/index.html", False), ("none/games/qwixx/index.html", False),
                             ("games/index.html", False), ("games/404.html", False),
                             ("games/games/qwixx/index.html", True)):  # fmt: skip
        text = (site / path).read_text("utf-8")
        assert ("Content-Security-Policy" in text) == has_policy, path
        assert "data-rw-theme" not in text


def opened(folder: Path, path: str, profile: Path) -> tuple[str, str]:
    """A page as a browser has it after its scripts have run, and what it said meanwhile."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        ran = subprocess.run(
            [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}", "--virtual-time-budget=3000", "--enable-logging=stderr",
             "--dump-dom", f"http://127.0.0.1:{server.server_port}/{path}"],
            capture_output=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    finally:
        server.shutdown()
        server.server_close()
    console = [each for each in ran.stderr.decode(errors="replace").splitlines()
               if "CONSOLE" in each]  # fmt: skip
    return ran.stdout.decode(errors="replace"), "\n".join(console)


def elements(dom: str) -> str:
    """The first tag of a page, where a script of theirs would have left its mark."""
    return dom[dom.index("<html") : dom.index(">", dom.index("<html"))]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Says nothing."""


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser to open the pages in")
def test_a_browser_runs_no_script_of_theirs(site, report, tmp_path):
    """Every page of one game and the first of each other, without the policy; then with it."""
    (site / "none" / "control.html").write_text(f"<html><body>{PAYLOADS[0]}</body></html>")
    dom, _ = opened(site / "none", "control.html", tmp_path / "profile")
    assert "data-owned" in elements(dom), "this is what it looks like when one runs"
    wanted = sorted((site / "none" / "games" / "qwixx").rglob("*.html"))
    wanted += [site / "none/index.html", site / "none/games/twenty_one/index.html",
               site / "none/games/matte_kryss/turn/index.html"]  # fmt: skip
    for page in wanted:
        path = page.relative_to(site / "none").as_posix()
        dom, _ = opened(site / "none", path, tmp_path / "profile")
        assert "</html>" in dom, path
        assert "data-owned" not in elements(dom), path
    for path in ("index.html", "games/qwixx/rules/index.html", "report.html"):
        dom, console = opened(site / "all", path, tmp_path / "profile")
        assert "</html>" in dom, path
        assert "data-owned" not in elements(dom), path
        blocked = [each for each in console.splitlines() if "Content Security Policy" in each]
        if path == "index.html":
            assert "data-own-script" not in elements(dom), (
                "the policy holds for scripts of a page, too"
            )
            assert len(blocked) == 1, console
        else:
            assert blocked == [], "what the theme needs is allowed"


def test_every_sentence_of_a_game_is_escaped_wherever_it_is_written():
    """The Markdown itself, as whoever renders it gets it: no sign of a payload is left bare."""
    for name in (*GAMES, "kubbar", "pig"):
        checked = check_text(f"{name}.rules", hostile(name))
        assert checked.spec is not None
        for file, text in pages(Book(checked, Verdicts())).items():
            bare = re.sub(r"(?ms)^(`{3,})rules-expression$.*?^\1$", "", text)
            for sign in SIGNS:
                assert sign not in bare, (name, file, sign)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_plain_words_hold_no_sign_of_markup(payload):
    words = plain(payload)
    assert not re.search(r"[<>`*_\[\]{}#|\\\"]", re.sub(r"&#\d+;", "", words))
    from html import unescape

    assert unescape(words) == payload

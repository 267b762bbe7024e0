"""The whole site: built strictly, its links followed, opened in a browser if there is one."""

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
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import pytest

from tests.patience import PATIENCE
from tests.site.conftest import ROOT

pytest.importorskip("mkdocs")
pytestmark = pytest.mark.slow
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PROBE = """<!doctype html><title>probe</title><body><script>
(async () => {
  const seen = [];
  for (const [page, width, wanted] of WANTED) {
    const frame = document.createElement('iframe');
    frame.width = width; frame.height = 900; frame.src = page;
    document.body.append(frame);
    await new Promise(done => frame.onload = done);
    const inside = frame.contentDocument;
    const picture = inside.querySelector(wanted);
    const box = picture ? picture.getBoundingClientRect() : {width: 0, height: 0};
    seen.push([page, width, box.width, box.height, inside.documentElement.scrollWidth]);
    frame.remove();
  }
  await fetch('answer', {method: 'POST', body: JSON.stringify(seen)});
})();
</script></body>"""
"""Opens each page in a frame of some width and tells the server how large its picture is."""


def build(config: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config),
         "-d", str(out)],
        capture_output=True, encoding="utf-8", cwd=ROOT,
        env=os.environ | {"RULEWRIGHT_PROVE": "no", "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    built = build(ROOT / "mkdocs.yml", out)
    assert built.returncode == 0, built.stdout + built.stderr
    return out


class Page(HTMLParser):
    """The links and places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids |= {values[key] for key in ("id", "name") if values.get(key)}
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def test_every_link_of_the_site_leads_somewhere(site):
    pages = {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 50
    for path, page in pages.items():
        if path.name == "404.html":
            continue
        for link in page.links:
            parts = urlparse(link)
            if parts.scheme or parts.netloc or link.startswith(("data:", "mailto:")):
                continue
            target, place = urldefrag(urljoin(path.as_uri(), link))
            found = Path(unquote(urlparse(target).path))
            found = found / "index.html" if found.is_dir() else found
            assert found.exists(), f"{path.relative_to(site)} links to {link}"
            if (
                place and found in pages and not found.name.startswith("tryout.")
            ):  # its script reads it
                assert unquote(place) in pages[found].ids, f"{path.relative_to(site)}: {link}"


def test_rules_are_coloured(site):
    page = (site / "reference" / "language" / "index.html").read_text("utf-8")
    assert re.search(r'<span class="kd">invariant</span>', page)


def test_no_markup_is_left_over(site):
    for path in site.rglob("*.html"):
        text = re.sub(r"<code.*?</code>", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert "```" not in text and "[[" not in re.sub(r"<script.*?</script>", "", text,
                                                        flags=re.DOTALL), path  # fmt: skip


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("[[proved pig one_winner]]", "is not proved: it is not proved yet"),
        ("[[sheet nothing]]", "there is no spec `nothing`"),
        ("```rules\nstate stat\n```", "rules that cannot be read"),
    ],
)
def test_a_page_that_says_what_is_not_so_stops_the_build(tmp_path, page, reason):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Home\n\n{page}\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Test\nplugins:\n  - rulewright:\n      specs: [pig]\n      prove: false\n"
    )
    built = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert built.returncode != 0
    assert reason in built.stdout + built.stderr


def test_a_page_may_claim_what_the_build_proves(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[[proved pig one_winner]]\n")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Test\nplugins:\n  - rulewright:\n      specs: [pig]\n"
    )
    built = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert built.returncode == 0, built.stdout + built.stderr
    assert "proving pig\n" in built.stdout + built.stderr
    assert "✓&nbsp;proved" in (tmp_path / "site" / "index.html").read_text("utf-8").replace(
        "\xa0", "&nbsp;"
    )


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder, and keeps what the probe found."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.answered = threading.Event()
        self.answer: list[tuple[str, int, float, float, float]] = []


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        assert isinstance(self.server, Server)
        self.server.answer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.answered.set()

    def log_message(self, format, *args):
        pass


@pytest.mark.skipif(
    BROWSER is None, reason="no browser to open the pages in: apt-get install chromium"
)
def test_pages_open_in_a_browser_on_a_phone_and_on_a_desk(site, tmp_path):
    wanted = [
        [f"{page}/", width, picture]
        for page, picture in (
            ("games/qwixx/turn", ".rw-flow"), ("games/qwixx", ".rw-sheet"),
            ("games/qwixx/rules", ".rw-mark"), ("games/qwixx/trace", "table"),
            ("games/matte_kryss/turn", ".rw-board"), ("games/matte_kryss/examples", ".rw-rack"),
            ("games/kubbar", ".rw-board"), ("games/kubbar/holes", ".rw-scene"),
            ("games/twenty_one", ".rw-sheet"), ("reference/language", "pre"),
            ("tutorial/first-spec", "pre"), ("explanation/comparison", "table"),
        )
        for width in (390, 1280)
    ]  # fmt: skip
    (site / "probe.html").write_text(PROBE.replace("WANTED", json.dumps(wanted)))
    log = tmp_path / "browser.log"
    with Server(site) as server, log.open("w") as errors:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}",
             f"http://127.0.0.1:{server.server_port}/probe.html"],
            stdout=subprocess.DEVNULL, stderr=errors,
        )  # fmt: skip
        try:
            answered = server.answered.wait(PATIENCE)
        finally:
            browser.terminate()
            browser.wait(PATIENCE)
            server.shutdown()
            (site / "probe.html").unlink()
    said = log.read_text("utf-8", errors="replace")
    assert answered, said[-1000:]
    assert len(server.answer) == len(wanted)
    for page, width, across, down, whole in server.answer:
        assert across > 40, f"{page} at {width}: what should be seen is {across} wide"
        assert down > 10, f"{page} at {width}: what should be seen is {down} high"
        assert whole <= width, f"{page} at {width} is {whole} wide"
    assert [line for line in said.splitlines() if "CONSOLE" in line and "rror" in line] == []

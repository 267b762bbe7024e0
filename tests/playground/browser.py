"""A real browser, told what to do over the DevTools protocol, through a pipe."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from time import monotonic, sleep
from typing import Any

from tests.patience import PATIENCE
from tests.wasm.hosts import BROWSER

LOOK = 0.1


class Page:
    """One page in a browser."""

    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive = send, receive
        self._rest = b""
        self._count = 0
        self.session: str | None = None
        self.said: list[str] = []
        """What went wrong in the page, as its console has it."""

    def tell(self, method: str, **parameters: Any) -> Any:
        """A command of the protocol, and its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        until = monotonic() + PATIENCE
        while monotonic() < until:
            heard = self._hear(until)
            if heard.get("id") == self._count:
                assert "error" not in heard, heard["error"]
                return heard["result"]
            self._note(heard)
        raise AssertionError(f"{method} was not answered")

    def run(self, script: str) -> Any:
        """What an expression in the page is worth; a promise is waited for."""
        found = self.tell(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
            userGesture=True,
        )  # fmt: skip
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, script: str, what: str) -> Any:
        """Waits until an expression holds."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            try:
                found = self.run(script)
            except AssertionError:  # the page is being loaded
                found = None
            if found:
                return found
            sleep(LOOK)
        state = self.run("document.body.innerText")
        raise AssertionError(f"it never came to: {what}\n{self.said}\n{state}")

    def click(self, selector: str) -> None:
        """Clicks what can be clicked."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def text(self, selector: str) -> str:
        """What is written somewhere."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).textContent"))

    def _note(self, heard: dict[str, Any]) -> None:
        if heard.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(json.dumps(heard["params"])[:600])

    def _hear(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select([self._receive], [], [], max(0.0, until - monotonic()))
            assert ready, "the browser says nothing"
            more = os.read(self._receive, 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        return heard


@contextmanager
def opened(address: str, profile: Path) -> Iterator[Page]:
    """A browser that shows a page."""
    theirs, send = os.pipe()
    receive, back = os.pipe()

    def ends() -> None:
        """The browser hears on 3 and says on 4."""
        hear, say = os.dup(theirs), os.dup(back)
        os.dup2(hear, 3)
        os.dup2(say, 4)

    browser = subprocess.Popen(
        [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--remote-debugging-pipe", f"--user-data-dir={profile}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=ends,
    )  # fmt: skip
    os.close(theirs)
    os.close(back)
    try:
        page = Page(send, receive)
        target = page.tell("Target.createTarget", url="about:blank")["targetId"]
        page.session = page.tell("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for each in ("Runtime.enable", "Log.enable", "Page.enable"):
            page.tell(each)
        page.tell("Page.navigate", url=address)
        yield page
    finally:
        browser.terminate()
        browser.wait(PATIENCE)
        os.close(send)
        os.close(receive)

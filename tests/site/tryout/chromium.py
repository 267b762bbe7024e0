"""A real browser that opens pages from the disk, without a network, and is told what to do."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.wasm.hosts import BROWSER

OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"


class Browser:
    """A browser and its one tab, spoken to over a pipe."""

    def __init__(self, to: int, back: int) -> None:
        self._to = os.fdopen(to, "wb", buffering=0)
        self._back = os.fdopen(back, "rb", buffering=0)
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        self.said: list[str] = []
        """What the pages complained of."""
        self.asked_for: list[str] = []
        """The addresses that pages asked for."""

    def attach(self) -> None:
        """Takes hold of the tab."""
        targets = self.call("Target.getTargets")["targetInfos"]
        tab = next(each["targetId"] for each in targets if each["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)

    def _read(self) -> Any:
        while b"\0" not in self._rest:
            found = os.read(self._back.fileno(), 1 << 16)
            assert found, "the browser has ended"
            self._rest += found
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Any) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.said.append(json.dumps(params["exceptionDetails"])[:600])
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.said.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self.asked_for.append(params["request"]["url"])
            case _:
                pass

    def open(self, address: str) -> None:
        """Opens a page, and waits until it has done what it does first."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        loaded = self.run("""
            for (let turn = 0; turn < 45_000 && !document.body?.dataset.done; turn++)
              await new Promise((go) => setTimeout(go, 20))
            return document.body?.dataset.done
        """)
        assert loaded, self.said

    def run(self, script: str, given: Any = None) -> Any:
        """What a script returns that runs in the page; `given` is there under this name."""
        expression = f"(async (given) => {{ {script} }})({json.dumps(given)})"
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, json.dumps(answer["exceptionDetails"])[:2000]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key, as somebody does who has no mouse."""
        text = {"Enter": "\r", "Space": " "}.get(key)
        name = " " if key == "Space" else key
        codes = {"Tab": 9, "Enter": 13, "Space": 32, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip
        more = {} if text is None else {"text": text}
        code = codes[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=key,
                  windowsVirtualKeyCode=code, **more)  # fmt: skip
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=key,
                  windowsVirtualKeyCode=code)  # fmt: skip

    def wide(self, width: int, height: int = 900) -> None:
        """Makes the window so wide."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)  # fmt: skip


@contextmanager
def browser(profile: Path, offline: bool = True) -> Iterator[Browser]:
    """A browser; offline it cannot reach any network."""
    read_here, write_there = os.pipe()
    read_there, write_here = os.pipe()

    def pass_on() -> None:
        first, second = os.dup(read_there), os.dup(write_there)  # 3 and 4 may be in use
        os.dup2(first, 3)
        os.dup2(second, 4)

    running = subprocess.Popen(
        [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--remote-debugging-pipe", *([OFFLINE] if offline else []), f"--user-data-dir={profile}",
         "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=pass_on,
    )  # fmt: skip
    os.close(read_there)
    os.close(write_there)
    here = Browser(write_here, read_here)
    try:
        here.attach()
        here.call("Emulation.setFocusEmulationEnabled", enabled=True)  # somebody looks at it
        yield here
    finally:
        running.terminate()
        running.wait(PATIENCE)

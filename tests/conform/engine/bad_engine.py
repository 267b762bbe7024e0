"""A program that should be an engine and behaves badly, in the way that its argument says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

from rulewright_engines.protocol import respond
from rulewright_engines.qwixx import Qwixx


def main(how: str) -> None:
    engine = Qwixx()
    applied = 0
    if how == "dies at start":
        print("no such board", file=sys.stderr)
        sys.exit(3)
    if how == "never reads":
        time.sleep(600)
    if how == "starts slowly":
        time.sleep(1.5)
    if how == "has children":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    while how == "forgets what comes early" and (said := os.read(0, 1 << 16)):
        print(json.dumps(respond(engine, said.partition(b"\n")[0])), flush=True)
    for line in sys.stdin.buffer:
        answer = json.dumps(respond(engine, line))
        if how == "knows no hello":
            refusal = json.dumps({"ok": False, "why": "good day to you"})
            print(refusal if b'"hello"' in line else answer, flush=True)
            continue
        if how in ("can more", "loads nothing"):
            answer = answer.replace('"legal"', '"undo"').replace('"score"', '"scores"')
            if how == "loads nothing":
                answer = answer.replace('"load", ', "")
            print(answer, flush=True)
            continue
        applied += b'"apply"' in line
        if how.startswith("says little"):
            little = {key: each for key, each in json.loads(answer).items() if key != "state"}
            if b'"state"' in line:
                wrong = how.endswith("wrongly") and applied > 20
                print(answer.replace('"active": 1', '"active": 2') if wrong else answer, flush=True)
            else:
                print(json.dumps(little), flush=True)
            continue
        if applied < 3 or how in ("starts slowly", "has children"):
            print(answer, flush=True)
            continue
        match how:
            case "dies":
                print("a bug in row 7", file=sys.stderr)
                os._exit(1)
            case "is killed":
                os.kill(os.getpid(), 9)
            case "hangs":
                for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(each, signal.SIG_IGN)
                time.sleep(600)
            case "forgets the line break":
                print(answer, end="", flush=True)
            case "stops half way":
                print(answer[:40], end="", flush=True)
                os._exit(0)
            case "garbage":
                print("Player 1 to move>", flush=True)
            case "not an object":
                print("[1, 2]", flush=True)
            case "no ok":
                print("{}", flush=True)
            case "state is a list":
                print('{"ok": true, "state": []}', flush=True)
            case "wrong state":
                print(answer.replace('"misthrows": [[1, 0]', '"misthrows": [[1, 1]'), flush=True)
            case "twice":
                print(answer + "\n" + answer, flush=True)
            case "megabytes":
                print('{"ok": true, "why": "' + "x" * 6_000_000 + '"}', flush=True)
            case "floods":
                while True:
                    sys.stdout.write("x" * 65536)
            case "noise":
                sys.stderr.write("noise " * 20_000 + "\n")
                print(answer, flush=True)
            case how if how.startswith("says "):
                print(how.removeprefix("says "), flush=True)
            case "closes stdout":
                os.close(1)
                time.sleep(600)
            case _:
                raise AssertionError(how)


if __name__ == "__main__":
    main(sys.argv[1])

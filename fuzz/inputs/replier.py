"""An engine of Qwixx that answers as it should for a while and then as a script says.

Run as a program of its own: `replier.py SCRIPT ROOT`.
"""

from __future__ import annotations

import json
import sys


def main(script_file: str, root: str) -> None:
    """Answers each line of stdin."""
    sys.path.insert(0, root)
    from rulewright_engines.protocol import respond
    from rulewright_engines.qwixx import Qwixx

    with open(script_file, encoding="utf-8", errors="surrogatepass") as opened:
        script = json.load(opened)
    engine, answers = Qwixx(), list(script["answers"])
    sys.stdout.reconfigure(errors="surrogatepass")  # type: ignore[union-attr]
    sys.stderr.write(str(script["stderr"]))
    for number, line in enumerate(sys.stdin.buffer):
        if number < script["good"]:
            print(json.dumps(respond(engine, line)), flush=True)
        elif answers:
            print(answers.pop(0), flush=True)
        else:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])

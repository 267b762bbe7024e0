"""A process that does tasks, one after the other, for a worker of a cluster.

A worker of a cluster has threads of its own and lives long. Tasks are done in a process beside it
that has neither: it can bound its memory, be copied and be killed, and what it finds does not
depend on what else the worker does. It reads one request a line and answers each with a line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from typing import Any

from rulewright.distribute.work import LostError, perform
from rulewright.system.limits import VARIABLE
from rulewright.system.memory_limit import Bounded


def main() -> int:
    """Answers requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a task prints must not get among the answers.
    with os.fdopen(os.dup(1), "w", encoding="ascii") as told:
        os.dup2(2, 1)
        shared = "", ""
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if "shared" in request:
                shared = request["digest"], request["shared"]
            if request["digest"] != shared[0]:
                found: dict[str, Any] = {"lacks": request["digest"]}
            else:
                os.environ[VARIABLE] = request["bounds"]
                with Bounded(request["memory"]):
                    found = _found(request["kind"], shared[1], request["task"])
            told.write(json.dumps(found) + "\n")
            told.flush()
    return 0


def _found(kind: str, shared: str, task: str) -> dict[str, Any]:
    """What comes of a task: an answer, why there is none, or a bug of ours."""
    try:
        return {"answer": perform(kind, shared, task)}
    except LostError as lost:
        return {"lost": str(lost)}
    except MemoryError:
        return {"lost": "out of memory"}
    except Exception as error:
        said = "".join(traceback.format_exception(error, limit=-3)).strip()
        return {"error": said}

"""One spec from its text to what is falsely said of it.

A `Judged` is what came of it: whether it could be used at all, how many verdicts of which kind there
were, and every one that is not so. What makes the prover fall over is reported in the same way.
"""

from __future__ import annotations

from collections import Counter

from checker.front import Checked, check_text
from checker.play.errors import UsageError
from checker.play.instance import Instance
from checker.prove.ground import settings
from fuzz.compare import False_, compared
from fuzz.proving import cores_of, proved
from fuzz.truth import Truth, explored


class Judged:
    """What came of one spec."""

    def __init__(self) -> None:
        self.usable = False
        self.complete = False
        self.verdicts: Counter[tuple[str, str]] = Counter()
        """By kind and word."""
        self.false: list[False_] = []


def judged(text: str) -> Judged:
    """What is said of a spec, held against the truth."""
    return judged_checked(check_text("fuzz.rules", text))


def judged_checked(checked: Checked) -> Judged:
    result = Judged()
    if checked.spec is None:
        return result
    cores = cores_of(checked)
    ways = settings(checked.spec, None, None, None)
    truths: dict[object, Truth] = {}
    for way in ways:
        instance = Instance(cores[way.variant], way.players, dict(way.readings))
        truths[way] = explored(instance)
        if not truths[way].starts and truths[way].complete:
            return result  # nobody can play it, and the commands say so
    result.usable = True
    result.complete = all(each.complete for each in truths.values())
    try:
        _, found = proved(cores)
    except Exception as error:  # whatever it is, nobody should see it
        if isinstance(error, KeyboardInterrupt | MemoryError):
            raise
        what = f"{type(error).__name__}: {error}"
        result.false.append(False_(ways[0].shown(), "prove", "crash", "crash", what))
        return result
    for each in found:
        result.verdicts.update((verdict.kind, verdict.verdict) for verdict in each.verdicts)
    result.false += compared(cores, truths, found)  # type: ignore[arg-type]
    return result


__all__ = ["Judged", "UsageError", "judged", "judged_checked"]

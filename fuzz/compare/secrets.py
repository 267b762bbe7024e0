"""What is said of a claim of secrecy, held against all pairs of games that the evaluator finds."""

from __future__ import annotations

from collections import Counter

from fuzz.compare.changes import Said
from fuzz.compare.run_prover import proved
from fuzz.compare.verdicts import False_
from fuzz.truth.explorer import explored
from fuzz.truth.pairs import told_apart
from rulewright.frontend import LoadedSpec
from rulewright.meaning.twin_games import SECRET
from rulewright.play.semantics.instance import Instance
from rulewright.prove.verdict.verdict import PROVED, REFUTED

TIMEOUT = 0.05


def secrets_judged(checked: LoadedSpec) -> Said:
    """The verdicts on what a spec claims to be secret. Of a game that can fail nothing is said."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    spec = checked.spec
    names = [each.name for each in spec.properties if each.kind == SECRET] if spec else []
    if spec is None or not names:
        return said, false
    _, results = proved({None: spec}, TIMEOUT, tuple(names))
    for each in results:
        configuration = each.configuration
        instance = Instance(spec, configuration.players, dict(configuration.readings))
        truth = explored(instance)
        sure = ("safe", "safety") not in truth.broken and (
            "steps_stop",
            "steps",
        ) not in truth.broken
        apart = told_apart(instance) if sure else None
        for verdict in each.verdicts:
            if verdict.kind != SECRET:
                continue
            said[SECRET, verdict.verdict] += 1
            so = None
            if apart is not None and apart >= 0 and verdict.verdict == PROVED:
                so = f"two games that look alike part after {apart} events"
            if apart == -1 and verdict.verdict == REFUTED:
                so = "no two games that look alike part"
            if so is not None:
                false.append(
                    False_(configuration.shown(), verdict.name, SECRET, verdict.verdict, so)
                )
    return said, false

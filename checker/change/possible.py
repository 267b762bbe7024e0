"""What is still possible: a game that shows it by the old rules is played by the new ones, as
nearly like that as it may. The evaluator plays what comes of it, and its word is the proof. Where
no game is known, or none comes of it, nothing is said: looking for one takes as long as proving.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from checker.change.standing import NOT_ASKED, Standing
from checker.kernel.outcome import Outcome
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.guided import followed
from checker.prove.job import Job
from checker.prove.run import Run
from checker.prove.target import Target
from checker.prove.verdict import PROVED, REFUTED
from checker.smt.solver import UNSAT
from checker.vc.context import Setting


def kept_answers(setting: Setting, names: Collection[str], run: Run) -> dict[str, Outcome]:
    """The answers that are kept from proving what is possible."""
    found: dict[str, Outcome] = {}
    for name in names:
        for _, outcomes in run.known([Job(setting, "possible", name)]) or ():
            found |= {each.name: each for each in outcomes}
    return found


def as_kept(name: str, answers: Mapping[str, Outcome], instance: Instance) -> Standing:
    """What an answer that is kept says."""
    answer = answers.get(name)
    if answer is not None and answer.game is not None:
        return Standing(PROVED, events=answer.game.events, instance=instance)
    if answer is not None and answer.result == UNSAT:
        return Standing(REFUTED, "it is proved impossible")
    return Standing(NOT_ASKED)


def still_possible(
    instance: Instance, names: Collection[str], answers: Mapping[str, Outcome]
) -> dict[str, Standing]:
    """What is shown by a game like the one that is kept."""
    found = dict.fromkeys(names, Standing(NOT_ASKED))
    for each in instance.spec.properties:
        answer = answers.get(each.name)
        if each.name not in found or answer is None or answer.game is None:
            continue
        try:
            game = followed(instance, Target(each, broken=False), answer.game)
        except (EvaluationError, UsageError, LookupError, TypeError, ValueError):
            continue  # the game speaks of what these rules do not have
        if game is not None:
            found[each.name] = Standing(PROVED, events=game.events, instance=instance)
    return found

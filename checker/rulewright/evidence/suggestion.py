"""Writes an example that notices a mistake, ready to be pasted into the spec.

It is made from a situation in which the mistake shows, and it is tried before it is shown: by the
rules it passes, with the mistake it fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulewright.evidence.mistakes import Mistake
from rulewright.evidence.noticers import SETUP, passes
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.play.io.json_codec import decode_event, decode_position, decode_variables
from rulewright.play.io.notation import seat, write, write_event, write_line
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import replace


def suggested_example(
    checked: LoadedSpec, mistake: Mistake, vectors: Iterable[Mapping[str, Any]]
) -> str | None:
    """An example in which the rules say what the mistake would not; None if no situation makes
    one."""
    assert checked.text is not None and checked.spec is not None
    for vector in vectors:
        try:
            text = _example(checked.spec, mistake, vector)
        except (EvaluationError, UsageError):
            continue
        spec = check_text(checked.file, f"{checked.text.text}\n{text}").spec
        example = spec.examples[-1] if spec is not None else None
        if spec is None or example is None or example.name != _name(mistake):
            continue
        wrong = replace(mistake.spec, properties=(), examples=(*mistake.spec.examples, example))
        if passes(spec, example) and not passes(wrong, example):
            return text
    return None


def _name(mistake: Mistake) -> str:
    words = f"{mistake.carrier} {mistake.what}".lower()
    return re.sub(r"[^a-z0-9]+", "_", words).strip("_")


def _example(spec: c.Spec, mistake: Mistake, vector: Mapping[str, Any]) -> str:
    setup = vector["setup"]
    instance = Instance(spec, setup["players"], dict(setup["readings"]))
    start = {name: told for name, told in setup.items() if name not in SETUP}
    begin = initial_position(instance, decode_variables(start, instance))
    position = decode_position(vector["position"], instance, begin)
    cited = f" [{', '.join(mistake.clauses)}]" if mistake.clauses else ""
    lines = [
        f'example {_name(mistake)} "{mistake.carrier} matters"{cited}',
        f"    players {setup['players']}",
        *(f"    reading {name} = {option}" for name, option in _readings(spec, instance)),
    ]
    given = list(_differences(instance, initial_position(instance), position, "="))
    if given:
        lines += ["    given", *(f"        {each}" for each in given)]
    return (
        "\n".join([*lines, *(f"    {each}" for each in _told(instance, position, vector))]) + "\n"
    )


def _readings(spec: c.Spec, instance: Instance) -> Iterator[tuple[str, str]]:
    usual = {each.name: each.default for each in spec.readings}
    for name, option in instance.readings.items():
        if usual[name] != option:
            yield name, option


def _told(instance: Instance, position: Position, vector: Mapping[str, Any]) -> Iterator[str]:
    """The event of a situation and what comes of it, as lines of an example."""
    event, expected = decode_event(vector["event"], instance), vector["expected"]
    if not expected["legal"]:
        who = "chance" if event.by is None else seat(event.by)
        because = ", ".join(expected["refused_by"])
        yield f"{who} cannot {write_event(event, instance)} because {because}"
        return
    yield write_line(event, instance)
    after = decode_position(expected["state"], instance, position)
    for each in _differences(instance, position, after, "=="):
        yield f"expect {each}"
    for player, points in expected.get("scores", ()):
        yield f"expect score({player}) == {points}"
    for player in expected.get("winners", ()):
        yield f"expect wins({player})"


def _differences(instance: Instance, old: Position, new: Position, sign: str) -> Iterator[str]:
    """The variables that differ, with their new values."""
    for name, variable in instance.variables.items():
        if old[name] != new[name]:
            yield f"{name} {sign} {write(new[name], variable.type, instance)}"

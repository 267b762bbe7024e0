"""Acceptances: what a spec says of itself that it does not claim, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.verdict.verdict import PROVED, Verdict, changed

ACCEPTED_AS = {"requirement": "redundant", "vacuity": "vacuous", "transition": "vacuous"}
"""What the spec calls a finding that it accepts, by its kind; all others are `refuted`."""


def with_acceptance(spec: c.Spec, configuration: Configuration, verdict: Verdict) -> Verdict:
    """The verdict, with the reason for which the spec does not claim what it says. What is left out
    of the assumptions because it fails has none."""
    readings = Instance(spec, configuration.players, dict(configuration.readings)).readings
    for each in spec.acceptances:
        if each.reason and verdict.verdict != PROVED and accepts(each, verdict, readings):
            return changed(verdict, accepted=each.reason)
    return verdict


def accepts(acceptance: c.Acceptance, verdict: Verdict, readings: Mapping[str, str]) -> bool:
    """Whether something the spec accepts is what a verdict under these readings is about."""
    under = acceptance.under
    return (
        acceptance.subject == verdict.name
        and acceptance.finding == ACCEPTED_AS.get(verdict.kind, "refuted")
        and (under is None or readings.get(under[0]) == under[1])
    )

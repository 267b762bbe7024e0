"""What a job was to decide. If its worker dies, all of that becomes unknown, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.smt.solver.solver import UNKNOWN

if TYPE_CHECKING:
    from rulewright.prove.run.job import Job

OTHERS = {
    "begins": (("begins", "start"), ("safe", "safety"), ("goes_on", "flow")),
    "preserved": (("safe", "safety"),),
    "assumptions": (("assumptions", "sanity"),),
    "steps": (("one_step", "steps"), ("steps_stop", "steps")),
    "stuck": (("goes_on", "flow"), ("safe", "safety")),
    "order": (("order", "order"),),
    "strengthen": (),
    "bearing": (),
    "contradict": (),
}
"""What a job of a kind decides besides properties."""
PROPERTIES = {
    "theorems": ("theorem",),
    "begins": ("invariant",),
    "preserved": ("invariant", "always"),
}
"""Which properties a job of a kind decides."""


def decides(spec: c.Spec, job: Job) -> list[tuple[str, str]]:
    """The name and kind of each goal of a job."""
    goals = [
        (each.name, each.kind)
        for each in spec.properties
        if each.kind in PROPERTIES.get(job.kind, ())
    ]
    goals += OTHERS.get(job.kind, ())
    if job.kind not in PROPERTIES and job.kind not in OTHERS:
        goals = [
            (job.subject or job.kind, job.of if job.kind in ("refute", "everywhere") else job.kind)
        ]
    return [goal for goal in goals if not job.only or goal[0] in job.only]


def undecided_outcomes(spec: c.Spec, job: Job, reason: str) -> list[Outcome]:
    """The goals of a job, each unknown for that reason."""
    transition = job.subject if job.kind == "preserved" else None
    return [
        Outcome(name, kind, "unsat", UNKNOWN, reason, (), 0.0, "", transition)
        for name, kind in decides(spec, job)
    ]

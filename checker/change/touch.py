"""Which parts of the proofs a change can touch: only those are asked anew.

A job of the induction that is the same question on both sides has the same answer on both. It is
when its transition is proved equal and everything it takes for granted is as before: the
invariants, what begins a game, when steps are due. Claims that are new or say something else are
asked of every transition.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.change.matching import same_bases
from checker.change.verdict import EQUAL, PROVED, Verdict
from checker.meaning import core as c
from checker.prove.job import Job, jobs_for
from checker.syntax.node import Node
from checker.vc.context import Setting

FLOW_JOBS = ("order", "steps", "stuck")


class Touch(Node):
    """The transitions that are not proved equal, the claims that are not the same, and whether
    what every proof takes for granted has changed."""

    transitions: frozenset[str]
    claims: frozenset[str]
    ground: bool


def touch(old: c.Spec, new: c.Spec, verdicts: Iterable[Verdict]) -> Touch:
    """What a change can touch, by the verdicts on it."""
    names: set[str] = set()
    ground = (old.enums, old.phases) != (new.enums, new.phases)
    ground = ground or [(v.name, v.type) for v in old.variables] != [
        (v.name, v.type) for v in new.variables
    ]
    ground = ground or {_accepted(each) for each in old.acceptances} != {
        _accepted(each) for each in new.acceptances
    }
    for each in verdicts:
        if (each.verdict, each.proof) == (EQUAL, PROVED):
            continue
        shapes = (each.subject.old, each.subject.new)
        names |= {shape.name for shape in shapes if isinstance(shape, c.Transition)}
        ground = ground or each.subject.kind in ("start", "step")
    claims = changed_claims(old, new)
    taken = {each.name for each in old.properties if each.kind == "invariant"}
    return Touch(frozenset(names), claims, ground or bool(claims & taken))


def _accepted(each: c.Acceptance) -> tuple[object, ...]:
    """What is accepted where; why does not matter to a proof."""
    return each.finding, each.subject, each.under


def changed_claims(old: c.Spec, new: c.Spec) -> frozenset[str]:
    """The properties that do not claim the same on both sides, or are only on one."""
    claims = [{p.name: (p.kind, p.claim) for p in spec.properties} for spec in (old, new)]
    ends = [{each.name: each.measure for each in spec.ends} for spec in (old, new)]
    found = {
        name for name in {*claims[0], *claims[1]}
        if claims[0].get(name) != claims[1].get(name)
        or not same_bases(old, new, [claims[0][name][1]])
    }  # fmt: skip
    return frozenset(found | {n for n in {*ends[0], *ends[1]} if ends[0].get(n) != ends[1].get(n)})


def touched_jobs(spec: c.Spec, setting: Setting, touch: Touch) -> list[Job]:
    """The jobs whose answers a change can touch."""
    found = []
    for job in jobs_for(spec, setting, first=False):
        all_of_it = touch.ground or job.subject in touch.transitions
        match job.kind:
            case "preserved" if all_of_it:
                found.append(job)
            case "begins" if touch.ground:
                found.append(job)
            case "preserved" | "begins" | "theorems" if touch.claims:
                names = tuple(sorted(touch.claims))
                found.append(Job(setting, job.kind, job.subject, job.fixed, names))
            case "order" | "steps" | "stuck" | "ends" if touch.ground or touch.transitions:
                found.append(job)
            case "ends" if job.subject in touch.claims:
                found.append(job)
            case _:
                continue
    return found


def touched_possible(spec: c.Spec, touch: Touch) -> list[str]:
    """What a spec says to be possible, where a change may make it another question."""
    everything = touch.ground or touch.transitions
    return [
        each.name for each in spec.properties
        if each.kind == "possible" and (everything or each.name in touch.claims)
    ]  # fmt: skip


def other_jobs(spec: c.Spec, setting: Setting, touch: Touch) -> list[Job]:
    """The jobs whose answers are the same on both sides."""
    touched = touched_jobs(spec, setting, touch)
    kinds = {"preserved", "begins", "theorems", *FLOW_JOBS}
    return [
        job for job in jobs_for(spec, setting, first=False)
        if job.kind in kinds and job not in touched
    ]  # fmt: skip

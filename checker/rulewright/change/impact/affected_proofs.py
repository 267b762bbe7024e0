"""Which parts of the proofs a change can touch: only those are asked of both versions.

A job of the induction that is the same question on both sides has the same answer on both. It is
when its transition is proved equal and everything it takes for granted is as before: the
invariants, what begins a game, when steps are due. Claims that are new or say something else are
asked of every transition. What refuses the same on both sides may have no answer on one of them: so
that is asked anew wherever anything is written otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.change.semantic.verdict import PROVED, ComparisonVerdict
from rulewright.change.text.matching import same_bases
from rulewright.kernel.comparison import EQUAL
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import same
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run.job import Job, jobs_for
from rulewright.syntax.node import Node

FLOW_JOBS = ("order", "steps", "stuck")


class AffectedProofs(Node):
    """The transitions that are not proved equal, the claims that are not the same, and whether
    what every proof takes for granted has changed. `rewritten` are transitions that are equal, but
    not the same: where both refuse, one may have no answer. So may what says how a game ended, if
    `results` are not the same."""

    transitions: frozenset[str]
    claims: frozenset[str]
    context: bool
    rewritten: frozenset[str] = frozenset()
    results: bool = False


def affected_proofs(
    old: c.Spec, new: c.Spec, verdicts: Iterable[ComparisonVerdict]
) -> AffectedProofs:
    """What a change can touch, by the verdicts on it."""
    names: set[str] = set()
    rewritten: set[str] = set()
    results = False
    context = (old.enums, old.phases) != (new.enums, new.phases)
    context = context or [(v.name, v.type) for v in old.variables] != [
        (v.name, v.type) for v in new.variables
    ]
    context = context or {_accepted(each) for each in old.acceptances} != {
        _accepted(each) for each in new.acceptances
    }
    for each in verdicts:
        shapes = (each.subject.old, each.subject.new)
        called = {shape.name for shape in shapes if isinstance(shape, c.Transition)}
        untouched = same(old, new, each.subject)
        results = results or (each.subject.kind == "result" and not untouched)
        if (each.verdict, each.proof) == (EQUAL, PROVED) and len(called) < 2:
            rewritten |= set() if untouched else called
            context = context or (each.subject.kind == "start" and not untouched)
            continue
        names |= called
        context = context or each.subject.kind in ("start", "step")
    claims = changed_claims(old, new)
    taken = {each.name for each in old.properties if each.kind == "invariant"}
    context = context or bool(claims & taken)
    return AffectedProofs(frozenset(names), claims, context, frozenset(rewritten), results)


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


def affected_jobs(spec: c.Spec, configuration: Configuration, touch: AffectedProofs) -> list[Job]:
    """The jobs whose answers a change can touch."""
    found = []
    for job in jobs_for(spec, configuration, first=False):
        all_of_it = touch.context or job.subject in touch.transitions | touch.rewritten
        match job.kind:
            case "preserved" if all_of_it:
                found.append(job)
            case "begins" if touch.context or touch.transitions:  # whether there is a way on, too
                found.append(job)
            case "preserved" | "begins" | "theorems" if touch.claims:
                names = tuple(sorted(touch.claims))
                found.append(Job(configuration, job.kind, job.subject, job.fixed, names))
            case "order" | "steps" | "stuck" | "ends" if touch.context or touch.transitions:
                found.append(job)
            case "stuck" if touch.results:
                found.append(job)
            case "ends" if job.subject in touch.claims:
                found.append(job)
            case _:
                continue
    return found


def affected_witnesses(spec: c.Spec, touch: AffectedProofs) -> list[str]:
    """What a spec says to be possible, where a change may make it another question."""
    everything = touch.context or touch.transitions
    return [
        each.name for each in spec.properties
        if each.kind == "possible" and (everything or each.name in touch.claims)
    ]  # fmt: skip


def other_jobs(spec: c.Spec, configuration: Configuration, touch: AffectedProofs) -> list[Job]:
    """The jobs whose answers are the same on both sides."""
    touched = affected_jobs(spec, configuration, touch)
    kinds = {"preserved", "begins", "theorems", *FLOW_JOBS}
    return [
        job for job in jobs_for(spec, configuration, first=False)
        if job.kind in kinds and job not in touched
    ]  # fmt: skip

"""Certifies claims: enumerates what has to be shown for each, asks, and closes the circle.

A claim is certified if all of its obligations are confirmed and everything they rest on is
certified in the same run: the invariants that were assumed, and for what asks whether something
could be done, `safe`. An invariant that is not
confirmed throughout is withdrawn, and whatever was shown with it is asked again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.certify.claim import Certified, Claim, Hints, ShownObligation
from rulewright.certify.discharge import CertifierAnswer, CertifierGoal, Discharger
from rulewright.certify.helper_invariants import with_helpers
from rulewright.certify.obligations.commutation import Commutation
from rulewright.certify.obligations.context import WHOLE, InductionContext, beginning
from rulewright.certify.obligations.induction import Induction, ProofPart
from rulewright.certify.obligations.progress import Progress
from rulewright.certify.obligations.termination import Termination
from rulewright.certify.smt.solver import Solver
from rulewright.certify.symbolic.symbolic_values import UnsupportedError
from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.twin_games import SECRET, twin_games
from rulewright.play.semantics.instance import Configuration

BY_INDUCTION = ("invariant", "always", "theorem", "possible", "safety")
BY_FLOW = ("start", "sanity", "steps", "flow", "order")
BUILT_IN = {
    "begins": "start", "safe": "safety", "assumptions": "sanity", "one_step": "steps",
    "steps_stop": "steps", "goes_on": "flow", "order": "order",
}  # fmt: skip
"""What is claimed of every spec, with its kind."""
ON_SAFE = ("goes_on", "one_step", "order")
"""What asks whether something could be done, and so rests on its not failing."""

Report = Callable[[str], None]


def certify(
    checked: LoadedSpec,
    configuration: Configuration,
    claims: Sequence[Claim],
    hints: Hints,
    solver: Solver,
    second: Solver | None = None,
    report: Report = lambda line: None,
    over: Callable[[], bool] = lambda: False,
) -> list[Certified]:
    """What comes of each claim. Helper invariants of the hints are claims too, at the end. Where
    the time is `over`, nothing more is asked, and what is left is not certified."""
    spec, unreadable = with_helpers(checked, configuration.variant, hints.helpers)
    context = InductionContext(spec, configuration.players, dict(configuration.readings))
    known, strange = _sorted_out(spec, claims)
    secrets = [each for each in known if each.kind == SECRET]
    known = [each for each in known if each.kind != SECRET]
    run = _Run(context, known, hints, Discharger(context.ev, solver, second), report, over)
    found = run.all()
    if secrets:
        found += _secrets(spec, configuration, secrets, hints, solver, second, report, over)
    said = {each.claim.name for each in found}
    found += [Certified(each, False, "the spec claims no such thing") for each in strange
              if each.name not in unreadable]  # fmt: skip
    found += [
        Certified(Claim(name, "invariant"), False, "this helper cannot be read as an invariant")
        for name in unreadable if name not in said
    ]  # fmt: skip
    return found


def _secrets(
    spec: c.Spec, configuration: Configuration, claims: Sequence[Claim], hints: Hints,
    solver: Solver, second: Solver | None, report: Report, over: Callable[[], bool],
) -> list[Certified]:  # fmt: skip
    """What comes of claims that something stays secret: they are invariants of pairs of games."""
    context = InductionContext(
        twin_games(spec), configuration.players, dict(configuration.readings)
    )
    of_pairs = [Claim(each.name, "invariant") for each in claims]
    asker = Discharger(context.ev, solver, second)
    found = _Run(context, of_pairs, Hints((), {}), asker, report, over).all()
    names = {each.name for each in claims}
    return [
        replace(each, claim=replace(each.claim, kind=SECRET))
        for each in found if each.claim.name in names
    ]  # fmt: skip


def _sorted_out(spec: c.Spec, claims: Sequence[Claim]) -> tuple[list[Claim], list[Claim]]:
    """The claims that can be made of a spec, and the others."""
    there = {(each.name, each.kind) for each in spec.properties}
    there |= {(each.name, "ends") for each in spec.ends}
    there |= set(BUILT_IN.items())
    known = list(dict.fromkeys(each for each in claims if (each.name, each.kind) in there))
    return known, [each for each in claims if each not in known]


class _Run:
    def __init__(
        self,
        context: InductionContext,
        claims: Sequence[Claim],
        hints: Hints,
        asker: Discharger,
        report: Report,
        over: Callable[[], bool],
    ) -> None:
        self._ground = context
        self._hints = hints
        self._asker = asker
        self._report = report
        self._over = over
        self._invariants = {each.name for each in context.invariants()}
        self._claims = self._with_what_they_need(claims)
        self._withdrawn: set[str] = set()
        self._done: list[tuple[ShownObligation, CertifierGoal | None]] = []
        self._answers: dict[int, tuple[CertifierGoal, CertifierAnswer]] = {}

    def _with_what_they_need(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims, and the invariants on which they may rest; and `safe`, where one does."""
        names = {(each.name, each.kind) for each in claims}
        more = [Claim("safe", "safety")] if any(each.name in ON_SAFE for each in claims) else []
        more += [Claim(each.name, "invariant") for each in self._ground.invariants()]
        return [*claims, *(each for each in more if (each.name, each.kind) not in names)]

    def all(self) -> list[Certified]:
        names = {each.name for each in self._claims if each.kind in BY_INDUCTION}
        settled = self._begins_settled()
        induction = Induction(self._ground, settled)
        for part in self._induction(induction, names):
            self._show(part)
        wanted = {each.name for each in self._claims if each.kind in BY_FLOW}
        flow = Progress(self._ground, induction, self._confirmed, self._asker.example)
        for part in flow.parts(wanted):
            self._show(part)
        if "order" in wanted:
            for part in Commutation(self._ground, induction).parts():
                self._show(part)
        for claim in self._claims:
            if claim.kind == "ends":
                for part in Termination(self._ground, induction, self._confirmed).parts(claim):
                    self._show(part)
        while self._withdraw():
            pass
        return [self._certified(each) for each in self._claims]

    def _induction(self, induction: Induction, names: set[str]) -> Iterator[ProofPart]:
        yield from induction.theorems(names)
        yield from induction.start(names - {each.name for each in self._impossible()})
        yield from induction.transitions(names - {each.name for each in self._impossible()})
        if "safe" in names:
            yield from induction.positions()
        for each in self._impossible():
            yield from self._never(induction, each.name)

    def _impossible(self) -> list[Claim]:
        return [each for each in self._claims if each.kind == "possible"]

    def _never(self, induction: Induction, name: str) -> Iterator[ProofPart]:
        """At once from the invariants, or else by an induction of its own."""
        parts = list(induction.impossible({name}))
        if all(self._confirmed(part) for part in parts):
            yield from parts
            return
        yield from induction.start({name})
        yield from induction.transitions({name})

    def _begins_settled(self) -> bool:
        """Whether no step is due at the start, and that has a value."""
        context = self._ground
        context.ev.shapes.whole = WHOLE
        try:
            state, held, defined = beginning(context)
            asked = (context.performer.allowed(each, state, {})[1] for each in context.steps)
            goal = context.t.both(context.settled(state), *asked)
            return self._asker.decide(CertifierGoal(goal, (held, defined))).confirmed
        except UnsupportedError:
            return False
        finally:
            context.ev.shapes.whole = 0

    # ---- asking

    def _offers(self, claim: str, where: str, asked: CertifierGoal) -> list[list[str]]:
        """Which hypotheses are tried together: those of the hints, then all."""
        known = [each for each in asked.hypotheses if each not in self._withdrawn]
        hinted = self._hints.of(claim, where)
        first = [each for each in known if each == claim or (hinted and each in hinted)]
        return [first, known] if len(first) < len(known) else [known]

    def _ask_now(self, part: ProofPart) -> CertifierAnswer:
        """The answer to a part; what was asked before is not asked again."""
        assert part.asked is not None
        key = id(part.asked)
        if key not in self._answers:
            self._answers[key] = part.asked, self._answer(part, part.asked)
        return self._answers[key][1]

    def _answer(self, part: ProofPart, asked: CertifierGoal) -> CertifierAnswer:
        if self._over():
            return CertifierAnswer(False, reason="it was not asked within the time given")
        asked.offers = self._offers(part.claim, part.where, asked)
        same = asked.hypotheses.get(part.claim)
        if same is not None and same is asked.goal and part.claim not in self._withdrawn:
            return CertifierAnswer(True, (part.claim,))
        try:
            return self._asker.decide(asked)
        except UnsupportedError as error:
            return CertifierAnswer(False, reason=f"this cannot be written down: {error}")

    def _confirmed(self, part: ProofPart) -> bool:
        return part.asked is not None and self._ask_now(part).confirmed

    def _show(self, part: ProofPart) -> ShownObligation:
        """Asks about a part and keeps the answer."""
        if part.asked is None:
            found = ShownObligation(part.claim, part.where, False, reason=part.reason)
        else:
            found = _obligation(part, self._ask_now(part))
        self._done.append((found, part.asked))
        self._report(f"{part.claim}: {part.where}")
        return found

    # ---- what rests on what

    def _withdraw(self) -> bool:
        """Withdraws invariants that are not confirmed, asks again what used them; whether there
        was any such thing. Each time there is one invariant less, so this comes to an end."""
        failing = {each.claim for each, _ in self._done if not each.confirmed} & self._invariants
        new = failing - self._withdrawn
        self._withdrawn |= failing
        again = False
        for place, (each, asked) in enumerate(self._done):
            if asked is None or each.claim in self._withdrawn:
                continue
            if set(each.used) & new:
                part = ProofPart(each.claim, each.where, asked)
                del self._answers[id(asked)]
                self._done[place] = _obligation(part, self._ask_now(part)), asked
                again = True
        return again

    def _certified(self, claim: Claim) -> Certified:
        mine = [each for each, _ in self._done if each.claim == claim.name]
        rests = sorted({label for each in mine for label in each.used} - {claim.name})
        result = Certified(claim, False, "", tuple(rests), mine)
        if not mine:
            result.reason = f"this checker has no rule for it ({claim.kind})"
            return result
        for each in mine:
            if not each.confirmed:
                result.reason = f"{each.where}: {each.reason}"
                return result
        bad = [each for each in rests if each in self._withdrawn]
        bad += self._unsafe() if claim.name in ON_SAFE else []
        if bad:
            result.reason = f"it rests on `{bad[0]}`, which is not certified"
            return result
        result.certified = True
        return result

    def _unsafe(self) -> Iterable[str]:
        return ["safe"] if any(
            each.claim == "safe" and not each.confirmed for each, _ in self._done
        ) else ()  # fmt: skip


def _obligation(part: ProofPart, answer: CertifierAnswer) -> ShownObligation:
    return ShownObligation(
        part.claim, part.where, answer.confirmed, answer.used, answer.questions, answer.reason,
        answer.agreed, answer.undecided,
    )  # fmt: skip

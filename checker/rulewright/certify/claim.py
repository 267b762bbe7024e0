"""What is to be certified, what may help, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

HELPER = "helper: "
"""What the name of a helper invariant begins with; its text follows."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is said to be so. `kind` is that of the prover; a `possible` is claimed to be
    impossible. `depth` is how often at most the phase of a measure is entered."""

    name: str
    kind: str
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """What a proof used. Nothing in it is trusted: without it, or with another, there is more to
    ask, and the answers are as good. `helper_invariants` are invariants that the spec does not
    have, as they would be written there. `used` names the hypotheses of a claim, or, under the
    claim and the obligation, those of one obligation."""

    helpers: tuple[str, ...] = ()
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def of(self, claim: str, where: str) -> tuple[str, ...] | None:
        """The hypotheses that an obligation is said to need; None if nobody says."""
        found = self.parts.get((claim, where))
        return self.used.get(claim) if found is None else found


@dataclass(slots=True)
class ShownObligation:
    """One thing that had to be shown for a claim."""

    claim: str
    where: str
    confirmed: bool
    used: tuple[str, ...] = ()
    questions: int = 0
    reason: str = ""
    agreed: int = 0
    undecided: int = 0


@dataclass(slots=True)
class Certified:
    """What came of a claim: certified or not, and if not why."""

    claim: Claim
    certified: bool
    reason: str = ""
    rests_on: tuple[str, ...] = ()
    obligations: list[ShownObligation] = field(default_factory=list)

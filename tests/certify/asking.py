"""Certifies the text of a spec: everything that could be claimed of it, without any hints."""

from __future__ import annotations

from rulewright.certify.certifier import BUILT_IN, certify
from rulewright.certify.claim import Certified, Claim, Hints
from rulewright.certify.smt.solver import Z3
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration


def checked_of(text: str) -> LoadedSpec:
    checked = check_text("small.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return checked


def every_claim(spec: c.Spec) -> list[Claim]:
    """All that can be claimed of a spec; of a `possible`, that it is not."""
    found = [Claim(each.name, each.kind) for each in spec.properties]
    found += [Claim(each.name, "ends") for each in spec.ends]
    return found + [Claim(name, kind) for name, kind in BUILT_IN.items()]


def certified(
    checked: LoadedSpec, claims: list[Claim] | None = None, hints: Hints | None = None
) -> dict[str, Certified]:
    """What comes of each claim, by name."""
    assert checked.spec is not None
    wanted = every_claim(checked.spec) if claims is None else claims
    configuration = Configuration(checked.spec.least)
    found = certify(checked, configuration, wanted, hints or Hints(), Z3())
    return {each.claim.name: each for each in found}


def names(text: str) -> set[str]:
    """The names of what is certified of a text."""
    return {name for name, each in certified(checked_of(text)).items() if each.certified}

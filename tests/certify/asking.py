"""Certifies the text of a spec: everything that could be claimed of it, without any hints."""

from __future__ import annotations

from checker.certify.claim import Certified, Claim, Hints, Setting
from checker.certify.run import BUILT_IN, certify
from checker.certify.solver import Z3
from checker.front import Checked, check_text
from checker.meaning import core as c


def checked_of(text: str) -> Checked:
    checked = check_text("small.rules", text)
    assert checked.spec is not None, checked.diagnostics
    return checked


def every_claim(spec: c.Spec) -> list[Claim]:
    """All that can be claimed of a spec; of a `possible`, that it is not."""
    found = [Claim(each.name, each.kind) for each in spec.properties]
    found += [Claim(each.name, "ends") for each in spec.ends]
    return found + [Claim(name, kind) for name, kind in BUILT_IN.items()]


def certified(
    checked: Checked, claims: list[Claim] | None = None, hints: Hints | None = None
) -> dict[str, Certified]:
    """What comes of each claim, by name."""
    assert checked.spec is not None
    wanted = every_claim(checked.spec) if claims is None else claims
    setting = Setting(checked.spec.least)
    found = certify(checked, setting, wanted, hints or Hints(), Z3())
    return {each.claim.name: each for each in found}


def names(text: str) -> set[str]:
    """The names of what is certified of a text."""
    return {name for name, each in certified(checked_of(text)).items() if each.certified}

"""A certificate: a file with which somebody else can check later what was certified.

It names the spec by its hash, and for each way to play it says what is claimed, which helper
invariants there are, and what each obligation was shown from. Of all this only the hints count when
it is checked: every obligation is enumerated and asked again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rulewright.certify.claim import HELPER, Certified, Claim, Hints
from rulewright.play.semantics.instance import Configuration

VERSION = 1
LARGEST = 50_000_000
"""Bytes; far beyond what any game needs."""


class CertificateError(Exception):
    """A file that is no certificate; the message says why."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is claimed of a spec in one way to play, with hints for those who check it."""

    configuration: Configuration
    claims: tuple[Claim, ...]
    hints: Hints


def written(
    spec: str, spec_hash: str, found: Sequence[tuple[Configuration, Sequence[Certified]]]
) -> str:
    """The text of a certificate."""
    settings = [
        {
            "players": configuration.players, "readings": dict(configuration.readings),
            "variant": configuration.variant,
            "helpers": [
                each.claim.name.removeprefix(HELPER) for each in certified
                if each.claim.name.startswith(HELPER)
            ],
            "claims": [_claim(each) for each in certified],
        }
        for configuration, certified in found
    ]  # fmt: skip
    whole = {
        "rulewright_certificate": VERSION, "spec": spec, "spec_hash": spec_hash,
        "settings": settings,
    }  # fmt: skip
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _claim(each: Certified) -> dict[str, object]:
    return {
        **asdict(each.claim), "certified": each.certified, "reason": each.reason or None,
        "rests_on": list(each.rests_on),
        "obligations": [
            {"where": one.where, "confirmed": one.confirmed, "used": list(one.used),
             "questions": one.questions}
            for one in each.obligations
        ],
    }  # fmt: skip


def read(text: str) -> tuple[str, list[Certificate]]:
    """The hash of the spec that a certificate is about, and what it claims in each way to play."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CertificateError("it is not JSON") from error
    if not isinstance(whole, dict) or whole.get("rulewright_certificate") != VERSION:
        raise CertificateError(f"it does not begin with `rulewright_certificate` {VERSION}")
    settings = [_setting(each) for each in _list(whole, "settings", dict)]
    return _text(whole, "spec_hash"), settings


def _setting(each: Mapping[str, Any]) -> Certificate:
    players, readings = each.get("players"), each.get("readings")
    if not isinstance(players, int) or isinstance(players, bool):
        raise CertificateError("`players` is not a number")
    if not isinstance(readings, dict) or not all(isinstance(v, str) for v in readings.values()):
        raise CertificateError("`readings` are not names")
    variant = each.get("variant")
    if variant is not None and not isinstance(variant, str):
        raise CertificateError("`variant` is not a name")
    configuration = Configuration(players, tuple(sorted(readings.items())), variant)
    claims, parts = [], {}
    for one in _list(each, "claims", dict):
        depth = one.get("depth")
        if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
            raise CertificateError("`depth` is not a number")
        claim = Claim(_text(one, "name"), _text(one, "kind"), depth)
        claims.append(claim)
        for part in _list(one, "obligations", dict):
            parts[claim.name, _text(part, "where")] = tuple(_list(part, "used", str))
    helpers = tuple(_list(each, "helpers", str))
    return Certificate(configuration, tuple(claims), Hints(helpers, {}, parts))


def _list(whole: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    found = whole.get(name)
    if not isinstance(found, list) or not all(isinstance(each, kind) for each in found):
        raise CertificateError(f"`{name}` is not a list as it should be")
    return found


def _text(whole: Mapping[str, Any], name: str) -> str:
    found = whole.get(name)
    if not isinstance(found, str):
        raise CertificateError(f"`{name}` is not a text")
    return found

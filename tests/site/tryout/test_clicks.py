"""Every worked example of the games is clicked through on its try page in a real browser, which has
no network: it goes as the spec says, and what is refused is refused by the right clauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.meaning import core as c
from rulewright.play.io.json_codec import encode_event, encode_position
from rulewright.play.semantics.rules import failing
from rulewright.site.draw.picture_kinds import shapes
from rulewright.site.model.example_steps import given, steps, tried
from tests.site.tryout.chromium import Browser
from tests.site.tryout.pages import GAMES, opened, written
from tests.wasm.hosts import needs_browser

CLICKS = (Path(__file__).parent / "clicks.js").read_text("utf-8")
PLAY = (
    CLICKS
    + """
    const found = []
    for (const { name, steps, names, board } of given) {
      seats = names
      await begin(name)
      const told_ = [told()]
      for (const event of steps) {
        const now = shown[board] ?? []
        await attempt(event, now)
        told_.push(told())
      }
      found.push([name, told_])
    }
    return found
"""
)


def expected(name: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """For each example what to do, and what must be told after each step."""
    prose = {each.name: each.prose for each in opened(name).spec.clauses}
    for played in opened(name).played:
        assert played.passed
        instance = played.instance
        position = encode_position(given(played), instance)
        events: list[Any] = []
        told: list[dict[str, Any]] = [{"refused": [], "clauses": [], "position": position}]
        for step in steps(played):
            match step.line:
                case c.ExampleEvent():
                    event, refused = step.happened[0].event, list[c.Requirement]()
                    after = step.happened[-1].after
                case c.ExpectedRefusal():
                    event = tried(step.line.event, instance, step.before)
                    refused = list(failing(instance, step.before, event))
                    after = step.before
                    assert refused
                    assert set(step.line.because) <= {each.label for each in refused}
                case _:
                    continue
            assert event is not None
            events.append(encode_event(event, instance))
            told.append({
                "refused": [each.label for each in refused],
                "clauses": [[clause, prose[clause]] for each in refused for clause in each.clauses],
                "position": encode_position(after, instance),
            })  # fmt: skip
        boards = shapes(instance.spec, owned=False).boards
        yield {"name": played.example.name, "steps": events, "names": played.example.seats,
               "board": boards[0] if boards else ""}, told  # fmt: skip


@needs_browser
@pytest.mark.parametrize("name", GAMES)
def test_every_example_goes_as_the_spec_says(name: str, tab: Browser, tmp_path: Path):
    tab.open(written(name, tmp_path))
    wanted = list(expected(name))
    assert len(wanted) == len(opened(name).spec.examples) > 10
    found = tab.run(PLAY, [do for do, _ in wanted])
    refusals = 0
    for (do, told), (example, seen) in zip(wanted, found, strict=True):
        assert example == do["name"]
        for number, (should, did) in enumerate(zip(told, seen, strict=True)):
            where = f"{example}, {number}"
            assert did["refused"] == should["refused"], (where, did["said"])
            assert [[a, b.strip()] for a, b in did["clauses"]] == should["clauses"], where
            assert did["position"] == should["position"], where
            refusals += bool(should["refused"])
    assert refusals > 5
    assert tab.said == []

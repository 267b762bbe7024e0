"""Worked examples: green as the rulebook has them, red as soon as something is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.explain.examples import PlayedExample, play_example, play_examples
from rulewright.resources import bundled_specs
from rulewright.syntax.node import replace
from tests.play.games import bundled, usable


def played(name: str) -> list[PlayedExample]:
    checked = bundled(name)
    assert checked.spec is not None
    return list(play_examples(checked.spec, checked.variant))


@pytest.mark.parametrize("name", bundled_specs())
def test_the_examples_of_the_rulebook_play_green(name):
    found = played(name)
    assert found
    assert {each.example.name: each.failure for each in found if not each.passed} == {}


def numbers_changed(node: Any) -> list[Any]:
    """The node with one of its numbers one higher, in every way."""
    if isinstance(node, tuple):
        return [
            (*node[:at], changed, *node[at + 1 :])
            for at, each in enumerate(node)
            for changed in numbers_changed(each)
        ]
    if isinstance(node, c.Literal):
        if not isinstance(node.type, y.Int) or not isinstance(node.value, int):
            return []
        return [replace(node, value=node.value + 1, type=y.INT)]
    if not hasattr(node, "_fields"):
        return []
    return [
        replace(node, **{field: changed})
        for field in node._fields
        if field not in ("span", "type")
        for changed in numbers_changed(getattr(node, field))
    ]


def test_a_changed_number_in_what_is_expected_turns_an_example_red():
    spec = bundled("qwixx").spec
    assert spec is not None
    changed = 0
    for example in spec.examples:
        for at, line in enumerate(example.lines):
            if example.variant is not None or not isinstance(line, c.Expectation):
                continue
            for wrong in numbers_changed(line):
                lines = (*example.lines[:at], wrong, *example.lines[at + 1 :])
                found = play_example(spec, replace(example, lines=lines))
                assert not found.passed, (example.name, wrong)
                changed += 1
    assert changed > 10


GAME = """
    type Pips = 1..6
    phase play, over final
    state
        active: Player
        total: 0..12 = 0
        each Player
            points: 0..20 = 0
    chance roll(pips: Pips) in play
        does total += pips
    move keep(n: 0..12) by p in play "keep so much" [keep.own]
        needs own_turn "it is the player's turn" [keep.own]: p == active
        needs enough "so much is there" [keep.much]: n <= total
        does
            points[p] += n
            total -= n
    step full in play "enough is enough"
        when twelve: total == 12
        does phase = over
    invariant fair "nobody has more than twelve" [keep.much]: all p: Player: points[p] <= 12
    source en "Rules"
    clause keep.own must en:1.1 "Keep in your turn."
    clause keep.much must en:1.2 "Keep what is there."
"""

WRONG = [
    ("ann plays keep(3)", "`ann` cannot do this: `keep.enough` (so much is there)",
     "keep(n = 3) is allowed", "refused by keep.enough"),
    ("chance roll(6)\n        ann cannot keep(3) because enough",
     "`ann` can do this, nothing refuses it", "refused by keep.enough", "allowed"),
    ("bob cannot keep(0) because enough", "this is refused, but not by `keep.enough`",
     "refused by keep.enough", "refused by keep.own_turn"),
    ("chance roll(4)\n        expect total == 5",
     "this does not hold: expected == 5, got total == 4", "== 5", "total == 4"),
    ("chance roll(4)\n        expect total == 4 and points[ann] > total",
     "this does not hold: expected > 4, got points[1] == 0", "> 4", "points[1] == 0"),
    ("expect some p: Player: points[p] > 0", "this does not hold", None, None),
    ("given\n            points[bob] = 13", "the position given breaks the invariant `fair`",
     None, None),
    ("given\n            total = 12\n            points[ann] = 12\n        ann plays keep(1)",
     "`keep` breaks the invariant property `fair`", None, None),
    ("chance roll(6)\n        chance roll(5)\n        chance roll(6)",
     "`total` is 17, outside 0..12", None, None),
    ("chance roll(total)", "`pips` is outside 1..6", None, None),
    ("chance roll(6)\n        chance roll(6)\n        ann plays keep(1)",
     "`ann` cannot do this: `keep.phase` (it belongs to the phase play)",
     "keep(n = 1) is allowed", "refused by keep.phase"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "message", "expected", "got"), WRONG)
def test_what_is_wrong_with_an_example_is_said_by_line(lines, message, expected, got):
    text = GAME + f"    example wrong\n        players ann, bob\n        {lines}\n"
    checked = usable(text)
    assert checked.spec is not None and checked.text is not None
    (found,) = play_examples(checked.spec, checked.variant)
    assert found.failure is not None
    assert (found.failure.message, found.failure.expected, found.failure.got) == (
        message, expected, got,
    )  # fmt: skip
    assert found.position is not None
    begin = checked.text.text.index(lines.split("\n")[0])
    assert found.failure.span.start >= begin


def test_what_happened_and_what_was_refused_is_kept():
    text = GAME + (
        "    example right\n        players ann, bob\n        chance roll(4)\n"
        "        bob cannot keep(0)\n        ann cannot keep(9) because enough\n"
        "        ann plays keep(4)\n        expect points[ann] == 4\n"
    )
    checked = usable(text)
    assert checked.spec is not None
    (found,) = play_examples(checked.spec, checked.variant)
    assert found.passed
    assert [each.transition.name for each in found.happened] == ["roll", "keep"]
    assert [each.label for each in found.refusals] == ["keep.own_turn", "keep.enough"]


def test_an_example_is_played_under_its_variant_and_reading():
    names = {each.example.name: each for each in played("qwixx")}
    variants = {each.example.variant for each in names.values()}
    assert {"mixed_numbers", "mixed_colours"} <= variants
    for each in names.values():
        assert each.instance.spec.variant == each.example.variant
        assert dict(each.example.readings).items() <= each.instance.readings.items()

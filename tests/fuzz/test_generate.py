"""Random specs can be used, are the same for a seed, and together use the whole language."""

from __future__ import annotations

from functools import cache

from fuzz.__main__ import spec_of
from fuzz.generate.mutations import changed, hand_written
from fuzz.generate.properties import chosen
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk

SPECS = 240
UNUSED = {"Unary", "Local"}


@cache
def made() -> list[tuple[str, LoadedSpec]]:
    return [chosen(seed) for seed in range(SPECS)]


def usable() -> list[c.Spec]:
    written = [check_text("seed.rules", each) for each in hand_written()]
    return [each.spec for each in (*written, *(found for _, found in made())) if each.spec]


def test_the_same_seed_makes_the_same_spec():
    for seed in range(6):
        assert spec_of(seed) == spec_of(seed)


def test_most_specs_can_be_used():
    share = sum(checked.spec is not None for _, checked in made()) / SPECS
    assert share > 0.85


def test_every_game_written_by_hand_can_be_used():
    for text in hand_written():
        checked = check_text("seed.rules", text)
        assert checked.spec is not None, checked.diagnostics


def nodes() -> list[c.Core]:
    found = []
    for spec in usable():
        for part in (*spec.functions, *spec.effects, *spec.transitions, *spec.properties):
            found += list(walk(part))
        for ends in spec.ends:
            found += [node for each in ends.measure for node in walk(each)]
        for variable in spec.variables:
            found += list(walk(variable.initial)) if variable.initial is not None else []
    return found


def test_all_expressions_and_statements_are_used():
    used = {type(each).__name__ for each in nodes()}
    every = {each.__name__ for each in (*c.Expr.__args__, *c.Statement.__args__)}
    assert not every - used


def test_all_operators_quantifiers_and_functions_are_used():
    every = nodes()
    operators = {each.operator for each in every if isinstance(each, c.Binary)}
    assert operators >= {
        "and", "or", "implies", "add", "subtract", "multiply", "divide", "remainder", "less",
        "less_equal", "greater", "greater_equal", "equal", "unequal", "union", "difference",
        "common", "subset", "proper_subset", "bag_union", "bag_difference", "bag_common",
        "sub_bag", "member", "bag_member",
    }  # fmt: skip
    kinds = {each.kind for each in every if isinstance(each, c.Quantify)}
    assert kinds >= {"all", "some", "count", "sum", "min", "max", "first"}
    names = {each.name for each in every if isinstance(each, c.Builtin)}
    assert names >= {
        "left_of", "right_of", "size", "min", "max", "abs", "step", "column", "row", "occupied",
        "tally", "components", "reach", "connected",
    }  # fmt: skip
    along = {
        each.along.name if isinstance(each.along, y.Enum) else "table"
        for each in every
        if isinstance(each, c.Builtin) and each.name in ("reach", "connected")
    }
    assert along >= {"Direction", "Diagonal", "Way", "HexWay", "table"}


def test_what_is_written_out_before_the_core_is_used():
    """Lists, deals, who comes next, what belongs to a team: the core has other words for them."""
    texts = [text for text, checked in made() if checked.spec is not None]
    for part in (
        "List[", "append(", "take(", "drop(", "last(", "length(", "(next ", "seat(", "largest ",
        "\ndeal ", "\n    each Colour\n", "none: ",
    ):  # fmt: skip
        assert any(part in each for each in texts), part


def test_all_that_happens_and_is_claimed_is_used():
    specs = usable()
    assert {each.kind for spec in specs for each in spec.transitions} == {"move", "chance", "step"}
    kinds = {each.kind for spec in specs for each in spec.properties}
    assert kinds == {"invariant", "always", "possible", "theorem"}
    assert any("\ninitially " in text for text, _ in made())
    for part in ("ends", "readings", "variants", "start", "tables", "acceptances", "effects"):
        assert any(getattr(spec, part) for spec in specs), part
    assert any(each.weight is not None for spec in specs for each in spec.transitions)
    assert any(each.proposals for spec in specs for each in spec.transitions)
    assert any(each.hidden for spec in specs for each in spec.variables)
    assert any(each.initial is None for spec in specs for each in spec.variables)
    assert any(each.simultaneous for spec in specs for each in spec.phases)
    assert {spec.least for spec in specs} >= {1, 2, 3}
    assert any(
        isinstance(param.type, y.Set | y.Map | y.Option)
        for spec in specs for each in spec.transitions for param in each.params
    )  # fmt: skip


def test_boards_lie_below_and_above_the_sizes_that_matter():
    sizes = set()
    for spec in usable():
        for variable in spec.variables:
            type = variable.type
            while isinstance(type, y.Map):
                sizes.add(y.most_values(type.key))
                type = type.value
    assert sizes >= {4, 30, 33, 36, 49}
    assert any(" = hexes " in text for text, _ in made())
    assert max(size for size in sizes if size) > 256


def test_a_changed_spec_differs_and_can_be_used():
    from random import Random

    different = 0
    for number, text in enumerate(hand_written()):
        other = changed(text, Random(number))
        assert check_text("changed.rules", other).spec is not None
        different += other != text
    assert different > len(hand_written()) // 2

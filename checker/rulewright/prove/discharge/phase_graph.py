"""Which phase can follow which, read off the rules without a solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.meaning import core as c


def leads(after: Mapping[str, frozenset[str]], one: str, other: str, passing: str = "") -> bool:
    """Whether events can lead from one phase to another, without coming through a third."""
    found: set[str] = set()
    waiting = [one]
    while waiting:
        for each in after[waiting.pop()] - found - {passing}:
            found.add(each)
            waiting.append(each)
    return other in found


def following(spec: c.Spec) -> Mapping[str, frozenset[str]]:
    """For each phase those that an event or step in it can lead to. Answers in a simultaneous
    phase, which leave the phase as it is, do not count: there are only so many."""
    names = [each.name for each in spec.phases]
    effects = {each.name: each for each in spec.effects}
    together = {each.name for each in spec.phases if each.simultaneous}

    def written(statements: Sequence[c.Statement]) -> Iterator[str]:
        for statement in statements:
            match statement:
                case c.Assign(variable="phase", value=c.Literal(value=value)):
                    yield str(value)
                case c.Assign(variable="phase"):
                    yield from names
                case c.If(then=then, otherwise=otherwise):
                    yield from written(then)
                    yield from written(otherwise)
                case c.For(body=body) | c.Labelled(body=body):
                    yield from written(body)
                case c.Perform(effect=name):
                    yield from written(effects[name].body)

    found: dict[str, set[str]] = {name: set() for name in names}
    for transition in spec.transitions:
        leads = set(written(transition.body))
        for phase in transition.phases:
            found[phase] |= leads
            if phase not in together and not leads:
                found[phase].add(phase)
    return {name: frozenset(each) for name, each in found.items()}

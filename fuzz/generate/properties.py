"""Keeps those candidates for properties that ask something of the prover.

What is worth asking is known from the truth: claims that hold in every position that a game reaches
(some by induction, some not), claims that break only after several events, and what can never come
about. Claims that break at once teach little, so few of them are kept.
"""

from __future__ import annotations

import re
from random import Random

from fuzz.generate.specs import Draft, draft
from fuzz.truth.explorer import Truth, explored
from rulewright.frontend import LoadedSpec, check_text
from rulewright.play.semantics.instance import Instance
from rulewright.prove.run.configurations import proof_configurations

Claim = tuple[str, str, str]
LIVELIER = 2
"""So many times a game is made livelier."""
_HEADER = re.compile(r"(?:move|chance|step) (\w+)")
_NEED = re.compile(r" +(?:needs|when) (?:n\d|may\(p\))")
HONEST = 0.5
"""The share of specs whose invariants all hold: one that does not hides much, since every proof may
lean on it."""
LATE = 2
"""Events after which a claim breaks late."""


def chosen(seed: int) -> tuple[str, LoadedSpec]:
    """The spec with this number, with its properties chosen; its text and what is known of it."""
    random = Random(seed)
    made = draft(seed)
    text = made.text()
    checked = check_text("fuzz.rules", text)
    for _ in range(LIVELIER):
        if checked.spec is None:
            return text, checked
        configuration = proof_configurations(checked.spec, None, None, None)[0]
        truth = explored(Instance(checked.spec, configuration.players), made.wide)
        idle = {each.name for each in checked.spec.transitions} - truth.happened
        game = _livelier(made.game, idle, truth.starts == 0, random)
        if game == made.game:
            break
        made = made._replace(game=game)
        text = made.text()
        checked = check_text("fuzz.rules", text)
    else:
        if checked.spec is None:
            return text, checked
        truth = explored(Instance(checked.spec, configuration.players), made.wide)
    text = made.text(_kept(made, truth, random))
    return text, check_text("fuzz.rules", text)


def _livelier(game: str, idle: set[str], dead: bool, random: Random) -> str:
    """The game without some of what keeps transitions from happening, and games from beginning."""
    lines: list[str] = []
    here = ""
    inside_start = False
    for line in game.split("\n"):
        if match := _HEADER.match(line):
            here = match[1]
        if line and not line.startswith(" "):
            inside_start = line == "start"
        if dead and inside_start:
            continue
        if here in idle and _NEED.match(line) and random.random() < 0.75:
            continue
        lines.append(line)
    return "\n".join(lines)


def _kept(made: Draft, truth: Truth, random: Random) -> tuple[Claim, ...]:
    """Some of the claims: most that hold, some that break late, few that break at once."""
    holding: list[Claim] = []
    late: list[Claim] = []
    soon: list[Claim] = []
    for claim in made.claims:
        fewest = truth.broken.get((claim[1], claim[0]))
        if claim[0] == "theorem" or fewest is None:
            holding.append(claim)
        else:
            (late if fewest[0] >= LATE else soon).append(claim)
    random.shuffle(holding)
    random.shuffle(late)
    random.shuffle(soon)
    if random.random() < HONEST:
        late = [each for each in late if each[0] != "invariant"]
        soon = [each for each in soon if each[0] != "invariant"]
    kept = holding[: random.choice((1, 2, 3))] + late[: random.choice((0, 1, 1, 2))]
    if not kept or random.random() < 0.15:
        kept += soon[:1]
    rest = [
        each for each in (*holding, *late, *soon) if each not in kept and each[0] == "invariant"
    ]
    kept += [_as_possible(each, random) for each in rest[: random.choice((0, 0, 1, 1, 2))]]
    return tuple(
        sorted(kept, key=lambda each: made.claims.index(each) if each in made.claims else 99)
    )


def without_broken(text: str) -> str:
    """A spec without the invariants that some game breaks."""
    checked = check_text("fuzz.rules", text)
    if checked.spec is None:
        return text
    broken: set[str] = set()
    for way in proof_configurations(checked.spec, None, None, None):
        if way.variant is None:
            truth = explored(Instance(checked.spec, way.players, dict(way.readings)))
            broken |= {name for name, kind in truth.broken if kind == "invariant"}
    lines = text.split("\n")
    gone = {f"invariant {name} " for name in broken}
    return "\n".join(line for line in lines if not any(line.startswith(each) for each in gone))


def _as_possible(claim: Claim, random: Random) -> Claim:
    """What a claim denies, or says, as something that can be."""
    _, name, text = claim
    return "possible", f"p{name[1:]}", f"not {text}" if random.random() < 0.7 else text

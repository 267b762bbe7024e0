"""Builds the questions whose answers make a proof. Asking them is somebody else's work.

Every function says what *unsatisfiable* means for the goals it writes down (or *satisfiable*, for
what should be possible). Together they are an induction: what holds in every initial position, and
after every transition from a position where all invariants hold, holds in every position of every
game, however long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.once import once_per_spec
from checker.play.beginning import initial_position
from checker.play.errors import EvaluationError, UsageError
from checker.play.evaluate import Scene as PlainScene
from checker.play.evaluate import evaluate
from checker.play.rules import results
from checker.play.values import Position
from checker.prove.ground import Ground
from checker.prove.sheet import Goal, Happens, Sheet
from checker.prove.symmetry import in_every_setting
from checker.smt.scene import Hazard, Scene
from checker.smt.statement import State, Taken
from checker.smt.term import FALSE, TRUE
from checker.smt.text import Labelled
from checker.smt.value import Entries, Sym

SETTLED, EARLIER = "no step is due", "no earlier step is due"
RESULT = "the result"
"""The label of the sheet that asks whether a result has a value."""
OF_THE_LANGUAGE = ("phase", "once", "weight")
"""The last part of the labels of what transitions require without being told."""
SPLIT = 8
"""Parameters with at most so many values are worth trying one value at a time."""


def theorems(ground: Ground) -> Sheet:
    """Unsatisfiable: the theorem has a value and it is true. Nothing in it is unknown, so this is
    for the evaluator to say."""
    goals = [
        Goal(each.name, "theorem", FALSE if _holds(ground, each) else TRUE)
        for each in ground.spec.properties
        if each.kind == "theorem"
    ]
    return Sheet("theorems", [], goals, {})


def _holds(ground: Ground, theorem: c.Property) -> bool:
    known = _theorems(ground.spec)
    if theorem.name in known:
        return known[theorem.name]
    holds = _is_true(ground, theorem.claim, {})
    if in_every_setting(theorem.claim, ground.instance.functions):
        known[theorem.name] = holds
    return holds


@once_per_spec
def _theorems(spec: c.Spec) -> dict[str, bool]:
    """Which theorems hold, of those that were asked about and are the same in every setting."""
    return {}


def _is_true(ground: Ground, claim: c.Expr, position: Position) -> bool:
    try:
        return bool(evaluate(claim, PlainScene(ground.instance, position, position)))
    except EvaluationError:
        return False


def beginning(ground: Ground) -> tuple[State, list[Labelled], list[Hazard]]:
    """The initial position: given values, and unknowns that what is under `start` allows."""
    state: dict[str, Sym] = {}
    ground.world.take_hazards()
    for name, variable in ground.instance.variables.items():
        if variable.initial is None:
            state[name] = ground.ex.shapes.fresh(variable.type, f"{name} at the start")
            continue
        scene = Scene({})
        value = ground.ex.value(variable.initial, scene)
        message = f"`{name}` begins outside its range"
        ground.ex.check(value, variable.type, scene, message, variable.initial.span)
        state[name] = ground.ex.shapes.fit(_whole(value, variable.type, ground), variable.type)
    scene = Scene(state)
    asked = []
    for requirement in ground.spec.start:
        holds = ground.ex.term(requirement.condition, scene)
        asked.append(Labelled(requirement.label, holds))
        scene = scene.where(holds)
    return state, asked, ground.world.take_hazards()


def _whole(value: Sym, type: y.Type, ground: Ground) -> Sym:
    """An initial value given to a map counts for each of its keys."""
    if isinstance(type, y.Map) and isinstance(value, Entries):
        codes = ground.world.domains.codes(type.key)
        return Entries({code: value.values[code] for code in codes})
    return value


def begins(ground: Ground) -> Sheet:
    """Satisfiable, for `begins`: there is an initial position. Unsatisfiable, for an invariant: it
    holds in every initial position."""
    terms = ground.terms
    state, asked, _ = beginning(ground)
    goals = [Goal("begins", "start", TRUE, "sat")]
    goals += [
        Goal(each.label, "invariant", terms.no(each.term), note="at the start")
        for each in ground.claims("invariant", Scene(state))
    ]
    return Sheet("begins", asked, goals, state)


def begins_safely(ground: Ground) -> Sheet:
    """Unsatisfiable: the initial values are in range, and what is under `start` has a value
    whatever is tried, not only where it holds."""
    state, _, hazards = beginning(ground)
    return Sheet("begins", [], [_unharmed(ground, hazards)], state)


def begins_settled(ground: Ground) -> bool:
    """Whether it is plain that no step is due at the start of a game."""
    state, _, _ = beginning(ground)
    due = ground.step_due(state)
    ground.world.take_hazards()
    return due is FALSE


def cases(ground: Ground, transition: c.Transition) -> list[dict[str, int]]:
    """A transition is asked about once for each player who can take it."""
    if transition.mover is None:
        return [{}]
    return [{transition.mover: seat} for seat in range(1, ground.instance.players + 1)]


def split(
    ground: Ground, transition: c.Transition, fixed: Mapping[str, int]
) -> list[dict[str, int]]:
    """The cases of one that was too hard: each value of the parameters that say where something
    is written."""
    keys = written_keys(ground, transition)
    names, values = [], []
    for name, type in ground.parameter_types(transition).items():
        if name in keys and name not in fixed and y.is_scalar(type):
            codes = ground.world.domains.codes(type)
            if len(codes) <= SPLIT:
                names.append(name)
                values.append(codes)
    return [{**fixed, **dict(zip(names, each))} for each in product(*values)] if names else []


def written_keys(ground: Ground, transition: c.Transition) -> set[str]:
    """The parameters that are keys of something a transition writes to."""

    def within(statements: Sequence[c.Statement], names: Mapping[str, str]) -> set[str]:
        found: set[str] = set()
        for statement in statements:
            match statement:
                case c.Assign(keys=keys):
                    for key in keys:
                        if isinstance(key, c.Local) and key.name in names:
                            found.add(names[key.name])
                case c.If(then=then, otherwise=otherwise):
                    found |= within(then, names) | within(otherwise, names)
                case c.For(body=body) | c.Labelled(body=body):
                    found |= within(body, names)
                case c.Perform(effect=name, arguments=arguments):
                    effect = ground.instance.effects[name]
                    inner = {
                        param.name: names[argument.name]
                        for param, argument in zip(effect.params, arguments)
                        if isinstance(argument, c.Local) and argument.name in names
                    }
                    found |= within(effect.body, inner)
                case _:
                    pass
        return found

    own = ground.parameter_types(transition)
    return within(transition.body, {name: name for name in own})


def preserved(
    ground: Ground, transition: c.Transition, fixed: Mapping[str, int], settled: bool,
    wanted: Callable[[str], bool] = lambda name: True,
) -> Sheet:  # fmt: skip
    """From any position in which all invariants hold, by this transition. Unsatisfiable, for an
    invariant: it holds afterwards; for an `always`: it holds of the two positions; for `safe`:
    on the way nothing leaves its range or looks up what is not there. `settled` says that games
    begin with no step due, so that moves and chance events only happen where none is."""
    terms = ground.terms
    taken, assumed = assume(ground, transition, fixed, settled)
    happens = _happens(taken)
    if any(each.term is FALSE for each in assumed):
        return Sheet(transition.name, assumed, [], ground.state, transition, happens)
    goals = []
    before = {each.label: each.term for each in ground.invariants}
    touched = {name for name in ground.state if taken.after[name] is not ground.state[name]}
    for each in ground.claims(
        "invariant", Scene(taken.after), lambda name: wanted(name) and ground.reads(name) & touched
    ):
        if each.label in ground.instance.accepted:  # known to fail: assumed for itself alone
            (held,) = ground.claims("invariant", Scene(ground.state), each.label.__eq__)
            broken = terms.both(held.term, terms.no(each.term))
        else:
            broken = FALSE if each.term is before[each.label] else terms.no(each.term)
        if broken is not FALSE:
            goals.append(Goal(each.label, "invariant", broken, note=transition.name))
    for each in ground.claims("always", Scene(ground.state, taken.after), wanted):
        goals.append(Goal(each.label, "always", terms.no(each.term), note=transition.name))
    if wanted("safe"):
        goals.append(_unharmed(ground, taken.body_hazards))
    keys = [key for key in taken.keys if key not in taken.locals.values()]
    return Sheet(transition.name, assumed, goals, ground.state, transition, happens, keys)


def asked_safely(
    ground: Ground, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> Sheet:
    """Unsatisfiable: wherever it is asked whether this transition is allowed, each requirement
    has a value, also where it or a later one turns out not to hold."""
    taken, assumed = assume(ground, transition, fixed, settled)
    labels = {each.requirement.label for each in taken.asked}
    known = [each for each in assumed if each.label not in labels]
    goals = [_unharmed(ground, taken.hazards)]
    label = f"{transition.name} asked"
    return Sheet(label, known, goals, ground.state, transition, _happens(taken))


def counted_safely(ground: Ground) -> Iterator[Sheet]:
    """Unsatisfiable, for each phase in which the game is over: what says how it ended has a value
    for every player."""
    for phase in ground.spec.phases if any(results(ground.instance)) else ():
        if phase.final:
            here = ground.in_phase(phase.name)
            here.world.take_hazards()
            for function in results(ground.instance):
                (player,) = function.params
                for seat in range(1, ground.instance.players + 1):
                    named = {player.name: ground.terms.number(seat)}
                    ground.ex.value(function.body, Scene(here.state, locals=named))
            hazards = here.world.take_hazards()
            yield Sheet(RESULT, here.invariants, [_unharmed(ground, hazards)], here.state)


def assume(
    ground: Ground, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> tuple[Taken, list[Labelled]]:
    """A transition from the unknown position, and all that may be assumed of that position. The
    same one is written down once."""
    key = transition.name, tuple(sorted(fixed.items())), settled
    world = ground.world
    known = ground.taken.get(key)
    if known is None:
        hidden = world.hidden
        found = _assume(ground, transition, fixed, settled)
        ground.taken[key] = *found, world.hidden - hidden
        return found
    taken, assumed, hidden = known
    world.hidden += hidden  # as if it had been written down again
    return taken, assumed


def _assume(
    ground: Ground, transition: c.Transition, fixed: Mapping[str, int], settled: bool
) -> tuple[Taken, list[Labelled]]:
    terms = ground.terms
    locals = ground.parameters(transition)
    types = ground.parameter_types(transition)
    for name, code in fixed.items():
        locals[name] = ground.ex.shapes.scalar(terms.number(code), types[name])
    taken = ground.statements.take(transition, ground.state, locals)
    assumed = [
        *ground.invariants,
        *(Labelled(each.requirement.label, each.holds) for each in taken.asked),
    ]
    if transition.kind == "step":
        due = ground.step_due(ground.state, before=transition)
        assumed.append(Labelled(EARLIER, terms.no(due)))
    elif settled:
        assumed.append(Labelled(SETTLED, terms.no(ground.step_due(ground.state))))
    ground.world.take_hazards()
    return taken, assumed


def _unharmed(ground: Ground, hazards: Sequence[Hazard]) -> Goal:
    """That no hazard strikes."""
    return Goal("safe", "safety", ground.terms.no(ground.safe(hazards)), note=_messages(hazards))


def _happens(taken: Taken) -> Happens:
    return () if taken.transition.kind == "step" else ((taken.transition, taken.locals),)


def _messages(hazards: Sequence[Hazard]) -> str:
    return "; ".join(dict.fromkeys(each.message for each in hazards))


def consistent(ground: Ground) -> Sheet:
    """Satisfiable: there is a position in which all invariants hold, so that what is proved from
    them is not proved from nothing; and for each transition, one in which it can happen."""
    goal = Goal("assumptions", "sanity", TRUE, "sat")
    if _hold_at_start(ground):  # that position will do
        goal = Goal("assumptions", "sanity", FALSE, note="at the start")
    return Sheet("assumptions", ground.invariants, [goal], ground.state)


def _hold_at_start(ground: Ground) -> bool:
    """Whether the evaluator finds all invariants true in the position a game begins with."""
    try:
        start = initial_position(ground.instance)
    except (UsageError, EvaluationError):
        return False
    claims = [each.claim for each in ground.spec.properties if each.kind == "invariant"]
    return all(_is_true(ground, each, start) for each in claims)


def impossible(ground: Ground, property: c.Property) -> Sheet:
    """Unsatisfiable: no position that the invariants allow is as the property says can be."""
    holds = ground.claim(property.claim, Scene(ground.state))
    goal = Goal(property.name, "possible", holds)
    return Sheet(f"possible {property.name}", ground.invariants, [goal], ground.state)


def possible_event(ground: Ground, transition: c.Transition, settled: bool) -> Sheet:
    """Satisfiable, for the transition: some position that the invariants allow lets it happen.
    Satisfiable, for a requirement: in some such position it alone stands in the way, so that it
    decides something. Satisfiable, for an `always` of the form *if this, then that*: by this
    transition, this comes about."""
    terms = ground.terms
    taken, assumed = assume(ground, transition, {}, settled)
    happens = _happens(taken)
    labels = {each.requirement.label for each in taken.asked}
    rest = [each for each in assumed if each.label not in labels]
    asked = [each.holds for each in taken.asked]
    goals = [Goal(transition.name, "transition", terms.every(asked), "sat")]
    for each in taken.asked:
        label = each.requirement.label
        if label.rpartition(".")[2] in OF_THE_LANGUAGE:
            continue
        others = terms.every(other for other in asked if other is not each.holds)
        alone = terms.both(others, terms.no(each.holds))
        goals.append(Goal(label, "requirement", alone, "sat", transition.name))
    for property in ground.spec.properties:
        unguarded = without_then(property.claim) if property.kind == "always" else None
        if unguarded is not None:
            holds = ground.ex.term(unguarded, Scene(ground.state, taken.after))
            comes = terms.both(terms.every(asked), terms.no(holds))
            goals.append(Goal(property.name, "vacuity", comes, "sat", transition.name))
    ground.world.take_hazards()
    return Sheet(transition.name, rest, goals, ground.state, transition, happens)


def without_then(claim: c.Expr) -> c.Expr | None:
    """The claim with what follows `implies` replaced by nothing at all; None without one."""
    match claim:
        case c.Binary(span=span, type=type, operator="implies", left=left):
            return c.Binary(span, type, "implies", left, c.Literal(span, y.BOOL, False))
        case c.Quantify(span=span, type=type, kind="all", binders=binders, where=where, body=body):
            inner = without_then(body)
            return inner and c.Quantify(span, type, "all", binders, where, inner)
        case _:
            return None

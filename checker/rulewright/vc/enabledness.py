"""Whether there is a way on: that some choice of mover and parameters is allowed.

Parameters with few values are tried one by one, others stand under a quantifier. A board that
somebody lays out is looked for only among what the spec proposes; where nothing is proposed, it
counts as if it could not be laid. So what is found here is a way on, and there may be others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import Sym, leaves
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.substitute import replaced
from rulewright.smt.terms.term import BOOL, BOUND, FALSE, TRUE, Term
from rulewright.vc.context import ProofContext

LISTED = 400
"""So many choices of parameters with few values are tried one by one."""
FLAGS = 4
"""Sets of so many possible elements are tried one by one as well."""


def nothing_enabled(
    context: ProofContext, state: State, without: Sequence[c.Transition] = ()
) -> Term:
    """True where the game is not over and no move or chance event is allowed; or none but those
    that are left out. Steps are left aside."""
    terms = context.terms
    final = [each.name for each in context.spec.phases if each.final]
    going = terms.no(context.phase_is(state, final)) if final else TRUE
    silent = [
        terms.no(_somehow(context, state, transition))
        for transition in context.spec.transitions
        if transition.kind != "step" and transition not in without
    ]
    blocked = terms.every((going, *silent))
    context.world.take_hazards()
    return blocked


def _belongs(context: ProofContext, state: State, transition: c.Transition) -> bool:
    """Whether a transition can happen in the phase that a state is in, for all that is known."""
    return not transition.phases or context.phase_is(state, transition.phases) is not FALSE


def _somehow(context: ProofContext, state: State, transition: c.Transition) -> Term:
    """True only where some choice of mover and parameters is allowed. Parameters with few values
    are tried with each of them; a parameter for which something is proposed with that."""
    if not _belongs(context, state, transition):
        return FALSE
    domains = context.world.domains
    few: dict[str, y.Type] = {}
    count = 1
    for name, type in context.parameter_types(transition).items():
        if y.is_scalar(type) and not domains.is_big(type):
            count *= len(domains.codes(type))
            if count <= LISTED:
                few[name] = type
    ways = []
    for codes in product(*(domains.codes(each) for each in few.values())):
        locals: dict[str, Sym] = {
            name: context.ex.shapes.scalar(context.terms.number(code), type)
            for code, (name, type) in zip(codes, few.items())
        }
        ways.append(_for_some(context, state, transition, locals))
    return context.terms.either(ways)


def _for_some(
    context: ProofContext, state: State, transition: c.Transition, locals: Mapping[str, Sym]
) -> Term:
    """True where a transition is allowed for some values of the parameters that are not given. A
    board is not looked for."""
    terms = context.terms
    rest = {k: t for k, t in context.parameter_types(transition).items() if k not in locals}
    maps = [type for type in rest.values() if isinstance(type, y.Map)]
    if any(context.world.domains.is_board(type) for type in maps):
        return FALSE
    if transition.proposals and list(rest) == [transition.params[0].name]:
        env = SymbolicEnvironment(state, state, locals)
        proposed = (_follows(transition, each) for each in transition.proposals)
        return terms.either(context.ex.term(each, env) for each in proposed)
    keys: list[tuple[Term, ...]] = []
    for number, (name, type) in enumerate(rest.items()):
        if y.is_scalar(type):
            codes = context.world.domains.codes(type)
            key = terms.unknown(f"{BOUND}choice {number}", codes.start, codes.stop - 1)
            value: Sym = context.ex.shapes.scalar(key, type)
            keys.append((key,))
        else:
            value = context.ex.shapes.fresh(type, f"{BOUND}{name}")
            keys.append(tuple(dict.fromkeys(leaves(value))))
        locals = {**locals, name: value}
    never = terms.no(context.allowed(transition, state, locals))
    for names in reversed(keys):
        if len(names) <= FLAGS and all(each.sort == BOOL for each in names):
            never = _at_every_flag(context.terms, names, never)
        elif never is not TRUE and never is not FALSE and names:
            never = terms.make("forall", (*names, never))
    return terms.no(never)


def _at_every_flag(terms: TermBuilder, names: tuple[Term, ...], holds: Term) -> Term:
    """What holds whichever of some few flags are up, written out."""
    for name in names:
        holds = terms.every(replaced(terms, holds, name, each) for each in (TRUE, FALSE))
    return holds


def _follows(transition: c.Transition, proposal: c.Proposal) -> c.Expr:
    """That some choice of the proposal meets all requirements."""
    span = proposal.span
    met: c.Expr = c.Literal(span, y.BOOL, True)
    for each in reversed(requirements(transition)):
        met = c.Binary(span, y.BOOL, "and", each.condition, met)
    given = c.Let(span, y.BOOL, transition.params[0].name, proposal.value, met)
    if not proposal.binders:
        condition = proposal.where
        return given if condition is None else c.Binary(span, y.BOOL, "and", condition, given)
    return c.Quantify(span, y.BOOL, "some", proposal.binders, proposal.where, given)

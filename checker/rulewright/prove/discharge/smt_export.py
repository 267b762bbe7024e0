"""SMT export, and a second opinion: a file that a person and any solver can read, and a second
solver.

What is handed over is the very question that was answered, in standard SMT-LIB: a part of a goal
with the assumptions and instances that ruled it out, or all of it. A second solver that says
otherwise makes the answer worthless; one that does not decide changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from rulewright.kernel.query import Goal, Query
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import UNKNOWN, UNSAT, Cvc5, SolverAnswer
from rulewright.smt.terms.term import Term
from rulewright.syntax.node import Node
from rulewright.system.atomic_write import short_name, write_whole
from rulewright.vc.context import ProofContext


class ExportedQuestion(Node):
    """Assertions, and the switches of those that are asked about together: the last is that the
    goal fails, or some `part` of it. `facts` and products are as in `text.script`."""

    asserted: Sequence[LabelledAssertion]
    switches: Sequence[str]
    part: str = ""
    facts: Sequence[Term] | None = None
    any_product: bool = False

    def plain(self) -> str:
        """The question in the words of the standard."""
        asserted, facts = self.asserted, self.facts
        return script(asserted, plain=True, facts=facts, any_product=self.any_product).text


def export_question(
    effort: ProverOptions,
    context: ProofContext,
    query: Query,
    goal: Goal,
    question: ExportedQuestion,
    first: SolverAnswer,
) -> SolverAnswer:
    """The first answer, unless a second solver was to be asked and contradicts it."""
    if effort.smtlib is None and effort.second is None:
        return first
    text = question.plain()
    if effort.smtlib is not None:
        _write(effort.smtlib, context, query, goal, question, text)
    if effort.second is None:
        return first
    second = Cvc5(text).check(question.switches, effort.timeout)
    effort.second.asked += 1
    effort.second.undecided += second.result == UNKNOWN
    if UNKNOWN in (first.result, second.result) or first.result == second.result:
        return first
    return SolverAnswer(
        UNKNOWN, f"z3 says {first.result}, cvc5 says {second.result}: a bug of ours"
    )


def _write(
    folder: Path,
    context: ProofContext,
    query: Query,
    goal: Goal,
    question: ExportedQuestion,
    text: str,
) -> None:
    """The question as a file that says what it asks."""
    switches = question.switches
    part = f"{question.part} of " if question.part else ""
    meaning = f"{part}the goal follows" if goal.wants == UNSAT else "it is possible"
    about = " ".join([query.label, *_given(context, query)])
    head = [f"; {context.spec.name}, {context.configuration.shown()}", f"; {about}: {goal.name}"]
    if goal.note and goal.note != query.label:
        head.append(f"; {goal.note}")
    head.append(f"; {goal.wants} means: {meaning}")
    head += [
        f"; {switch} is {each.label}" for switch, each in zip(switches[:-1], question.asserted)
    ]
    head.append(f"; {switches[-1]} is that {part}the goal fails" if goal.wants == UNSAT else "")
    body = f"{text}(check-sat-assuming ({' '.join(switches)}))\n"
    shown = f"{context.configuration.shown()} {about} {goal.name} {question.part}"
    digest = sha256(body.encode()).hexdigest()[:8]  # of what looks alike, each has its file
    name = "-".join(re.findall(r"[\w.=]+", shown.replace(" = ", "=")))
    folder.mkdir(parents=True, exist_ok=True)
    content = "\n".join(each for each in head if each) + "\n" + body
    write_whole(folder / f"{short_name(name)}-{digest}.smt2", content, follow=False)


def _given(context: ProofContext, query: Query) -> list[str]:
    """What the question says of the movers and the parameters, like `p=1`."""
    if callable(query.happens):
        return []
    nothing = Model({}, {})
    return [
        f"{name}={decode(value, types[name], nothing, context.world.domains)}"
        for transition, given in query.happens
        for types in (context.parameter_types(transition),)
        for name, value in given.items()
        if isinstance(value, Term) and value.op in ("int", "true", "false")
    ]

"""Reading effects: how a requirement or an effect depends on an open question: whether it applies
only if the question is answered in some way, can never be met, or depends on the answer in another
way.

An answer is put in for the question, and what follows from that is worked out as far as truths go.
Where nothing is left to say, the requirement does not apply and the effect does not happen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk, with_parts
from rulewright.site.words.markdown import link, listed, plain, spoken
from rulewright.syntax.node import Node


class LabelledEffect(Node):
    """A labelled effect of a transition, and all that has to be so for it to happen."""

    effect: c.Labelled
    conditions: tuple[c.Expr, ...]


def effects_of(spec: c.Spec, transition: c.Transition) -> list[LabelledEffect]:
    """The labelled effects of a transition, those of the effects it performs among them."""
    return list(_effects(spec, transition.body, ()))


class ReadingEffects:
    """Says of requirements and effects of a game how they depend on its open questions."""

    def __init__(self, spec: c.Spec) -> None:
        self._readings = {each.name: each for each in spec.readings}
        self._functions = {each.name: each for each in spec.functions}
        self._acceptances = spec.acceptances
        self._named: dict[str, frozenset[str]] = {}

    def of_requirement(self, needed: c.Requirement) -> str:
        """How a requirement depends on open questions, in words; empty if it does not."""
        said = []
        for name in self._asked_by([needed.condition]):
            answers = self._answers(name)
            left = {option: answers.put_in(needed.condition, option) for option in answers.options}
            said += answers.said(left, nothing=True, refused=False)
        return _remark(said)

    def of_effect(self, done: LabelledEffect) -> str:
        """How it depends on open questions whether an effect happens, and what it does."""
        said = []
        for name in self._asked_by([*done.conditions, *done.effect.body]):
            answers = self._answers(name)
            left: dict[str, Any] = {}
            for option in answers.options:
                asked = [answers.put_in(each, option) for each in done.conditions]
                kept = tuple(each for each in asked if _truth(each) is not True)
                never = any(_truth(each) is False for each in kept)
                body = tuple(answers.put_in(each, option) for each in done.effect.body)
                left[option] = _literal(done.effect, False) if never else (kept, body)
            said += answers.said(left, nothing=False)
        return _remark(said)

    def of_transition(self, transition: c.Transition) -> str:
        """Under which answers something never happens, as far as the spec says so."""
        said = []
        for each in self._acceptances:
            if each.finding == "vacuous" and each.subject == transition.name and each.under:
                reading, option = each.under
                here = ", as here" if option == self._readings[reading].default else ""
                question = link(plain(spoken(reading)), "questions.md", f"reading-{reading}")
                said.append(f"never if {question} is read as {_as([option])}{here}")
        return _remark(said)

    def _answers(self, reading: str) -> _Answers:
        asking = {
            name: each for name, each in self._functions.items() if reading in self._named_in(name)
        }
        return _Answers(self._readings[reading], asking)

    def _asked_by(self, nodes: Sequence[c.Core]) -> list[str]:
        """The open questions that something names, here or in a function called, in their order."""
        named = [self._in(each) for each in nodes]
        return [name for name in self._readings if any(name in each for each in named)]

    def _in(self, node: c.Core) -> frozenset[str]:
        inside = list(walk(node))
        found = {each.name for each in inside if isinstance(each, c.ReadingRef)}
        called = {each.function for each in inside if isinstance(each, c.Call)}
        return frozenset(found).union(*map(self._named_in, called))

    def _named_in(self, function: str) -> frozenset[str]:
        if function not in self._named:
            self._named[function] = self._in(self._functions[function].body)
        return self._named[function]


def _effects(
    spec: c.Spec, body: Sequence[c.Statement], conditions: tuple[c.Expr, ...]
) -> Iterator[LabelledEffect]:
    for statement in body:
        match statement:
            case c.Labelled():
                yield LabelledEffect(statement, conditions)
                yield from _effects(spec, statement.body, conditions)
            case c.If(condition=asked):
                otherwise = c.Unary(asked.span, y.BOOL, "not", asked)
                yield from _effects(spec, statement.then, (*conditions, asked))
                yield from _effects(spec, statement.otherwise, (*conditions, otherwise))
            case c.For():
                where = () if statement.where is None else (statement.where,)
                yield from _effects(spec, statement.body, (*conditions, *where))
            case c.Perform(effect=name):
                performed = next(each for each in spec.effects if each.name == name)
                yield from _effects(spec, performed.body, conditions)
            case c.Assign() | c.Bind():
                pass


class _Answers:
    """Puts in the answers to one question; `asking` are the functions that depend on it."""

    def __init__(self, reading: c.Reading, asking: Mapping[str, c.Function]) -> None:
        self.reading = reading
        self.options = [each.name for each in reading.options]
        self._asking = asking

    def said(
        self, left: Mapping[str, object], nothing: bool, refused: bool | None = None
    ) -> list[str]:
        """In words, what is left under each answer: where it is `nothing` it does not apply, where
        it is `refused` it is never met."""
        if all(each == left[self.options[0]] for each in left.values()):
            return []
        question = link(plain(spoken(self.reading.name)), "questions.md",
                        f"reading-{self.reading.name}")  # fmt: skip
        without = [name for name in self.options if _truth(left[name]) is nothing]
        applies = [name for name in self.options if name not in without]
        never = [name for name in self.options if _truth(left[name]) is refused is not None]
        if self.reading.default in without:
            here = f"here it is read as {_as([self.reading.default])}"
            return [f"only if {question} is read as {_as(applies)}; {here}"]
        if without:
            return [f"not if {question} is read as {_as(without)}"]
        if never:
            return [f"never so if {question} is read as {_as(never)}"]
        return [f"depends on how {question} is read"]

    def put_in(self, node: Any, option: str) -> Any:
        """An expression or statement with the question answered, and what follows from that."""
        match node:
            case c.ReadingRef(name=self.reading.name):
                return c.Literal(node.span, node.type, option)
            case c.Call(function=name) if name in self._asking:
                body = self.put_in(self._asking[name].body, option)
                if isinstance(body, c.Literal):
                    return body
                for param, value in zip(self._asking[name].params, node.arguments):
                    inside = self.put_in(value, option)
                    body = c.Let(node.span, node.type, param.name, inside, body)
                return body
            case c.Core():
                return _followed(with_parts(node, lambda each: self.put_in(each, option)))
            case _:
                return node


def _followed(node: Any) -> Any:
    """What follows from the truths inside a node: the node itself, if nothing does."""
    match node:
        case c.Binary(operator="and" | "or" as operator, left=left, right=right):
            decided = operator == "or"
            if decided in (_truth(left), _truth(right)):
                return _literal(node, decided)
            if _truth(left) is not None:
                return right
            return node if _truth(right) is None else left
        case c.Binary(operator="implies", left=left, right=right):
            if _truth(left) is False or _truth(right) is True:
                return _literal(node, True)
            return right if _truth(left) is True else node
        case c.Binary(operator=operator, left=c.Literal(value=one), right=c.Literal(value=other)):
            if operator in ("equal", "unequal"):
                return _literal(node, (one == other) == (operator == "equal"))
        case c.Binary(operator="member", left=c.Literal(value=one), right=c.SetOf(elements=among)):
            values = [each.value for each in among if isinstance(each, c.Literal)]
            if len(values) == len(among):
                return _literal(node, one in values)
        case c.Unary(operator="not", operand=c.Literal(value=value)):
            return _literal(node, not value)
        case c.Choose(condition=c.Literal(value=value)):
            return node.then if value else node.otherwise
        case c.Quantify(kind="all" | "some" as kind, where=where, body=body):
            empty = where is not None and _truth(where) is False
            if empty or _truth(body) is (kind == "all"):
                return _literal(node, kind == "all")
        case _:
            pass
    return node


def _truth(node: object) -> bool | None:
    """Whether something is plainly true or plainly false."""
    known = isinstance(node, c.Literal) and isinstance(node.value, bool)
    return bool(node.value) if known else None  # type: ignore[attr-defined]


def _literal(node: c.Core, value: bool) -> c.Literal:
    return c.Literal(node.span, y.BOOL, value)


def _as(options: Sequence[str]) -> str:
    named = [f"*{plain(spoken(each))}*" for each in options]
    return listed(named).replace(" and ", " or ")


def _remark(said: Sequence[str]) -> str:
    return f" <small>? {'; '.join(said)}</small>" if said else ""

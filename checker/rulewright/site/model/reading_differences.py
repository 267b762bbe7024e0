"""Where the answers to an open question part: a position, what happens in it, and what either
answer makes of that; or that it never makes a difference.

The positions come from `rulewright readings`, which has replayed them by both answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.io.json_codec import decode_event, decode_position
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.report.text_width import counted
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import ReadingDifference
from rulewright.site.model.witness import listing
from rulewright.site.words.event_text import event_sentence
from rulewright.site.words.markdown import code, plain, spoken

OUTCOMES = {
    "never": "✓ proved: the answers never lead to different games",
    "not found": "◐ the answers differ only in positions that no game was found to reach",
    "unknown": "? it could not be decided whether the answers lead to different games",
}
NOT_ASKED = "○ the answers have not been compared in this version of the spec"


def reading_difference(book: Book, reading: c.Reading) -> list[str]:
    """How every other answer to a question differs from the default."""
    known = {each.option: each for each in book.verdicts.partings(book.hash, reading.name)}
    lines: list[str] = []
    for option in reading.options:
        if option.name != reading.default:
            lines += _option(book, reading, option.name, known.get(option.name))
    return lines


def _option(
    book: Book, reading: c.Reading, option: str, parting: ReadingDifference | None
) -> list[str]:
    against = f"*{plain(spoken(reading.default))}* against *{plain(spoken(option))}*"
    if parting is None:
        return [f"{against}: {NOT_ASKED}.", ""]
    if parting.outcome in OUTCOMES:
        lines = [f"{against}: {OUTCOMES[parting.outcome]}.", ""]
    else:
        lines = [f"{against}: ✓ they lead to different games.", ""]
    for difference in parting.differences:
        witness = difference.get("witness")
        if witness is not None:
            try:
                return lines + _difference(book, reading, option, difference, witness)
            except (UsageError, KeyError) as error:
                return [
                    *lines,
                    f"*The position that came with it cannot be read: {plain(str(error))}.*",
                    "",
                ]
    return lines


def _difference(
    book: Book, reading: c.Reading, option: str, difference: Mapping[str, Any],
    witness: Mapping[str, Any],
) -> list[str]:  # fmt: skip
    core = book.spec if witness["variant"] is None else book.checked.variant(witness["variant"])
    readings = {**witness["readings"], reading.name: option}
    instance = Instance(core, witness["players"], readings)
    position = decode_position(witness["position"], instance)
    scene = book.scene(instance)
    lines = [f"With {witness['players']} players, in this position:", "",
             scene.show(position, near=True), ""]  # fmt: skip
    if witness["move"] is not None:
        lines += [event_sentence(decode_event(witness["move"], instance), instance), ""]
    elif difference["kind"] == "step":
        step = instance.transitions[difference["move"]]
        lines += [f"⟳ {plain(step.prose or spoken(step.name))}.", ""]
    sides = {reading.default: witness["old"], option: witness["new"]}
    after = {
        name: decode_position(said["after"], instance)
        for name, said in sides.items()
        if said.get("after") is not None
    }
    for name, said in sides.items():
        other = next((each for key, each in after.items() if key != name), None)
        told_side = _side(book, instance, said, after.get(name), other, difference)
        lines += [f"- as *{plain(spoken(name))}*: {told_side}"]
    return [*lines, "", *_game(instance, witness)]


def _side(
    book: Book, instance: Instance, said: Mapping[str, Any], after: Position | None,
    other: Position | None, difference: Mapping[str, Any],
) -> str:  # fmt: skip
    """What one answer makes of it: refused and why, what comes of it, or what a result is."""
    if said["error"]:
        return plain(f"the rules give up: {said['error']}")
    if not said["allowed"]:
        needed = {each.label: each.prose or each.label for transition in book.spec.transitions
                  for each in transition.requirements}  # fmt: skip
        reasons = [needed.get(label, label) for label in said["refused_by"]]
        return f"✗ refused. Needed: {plain('; '.join(reasons))}." if reasons else "✗ refused."
    if after is not None and other is not None:
        return book.scene(instance).said(after, other) or "allowed"
    words = [each.strip() for each in said["text"]]
    name = f"{code(str(difference['move']))} is " if difference["kind"] == "result" else ""
    return name + plain("; ".join(words))


def _game(instance: Instance, witness: Mapping[str, Any]) -> list[str]:
    if not witness["reached"]:
        return ["*No game was found that reaches this position.*", ""]
    events = [decode_event(each, instance) for each in witness["trace"] or ()]
    if not events:
        return []
    summary = f"A game that reaches it, in {counted(len(events), 'event')}"
    return [f"<details><summary>{summary}</summary>{listing(events, instance)}</details>", ""]

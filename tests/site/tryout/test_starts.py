"""Where a reader can begin on a try page."""

from __future__ import annotations

from typing import Any

from rulewright.play.io.json_codec import encode_position
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import PublishedVerdict, ReadingDifference, Verdicts
from rulewright.site.tryout.starts import starts
from tests.site.conftest import checked, core


def parting(option: str, position: Any, move: Any) -> ReadingDifference:
    witness = {"players": 2, "readings": {}, "variant": None, "position": position, "move": move}
    differences: list[Any] = [
        {"kind": "move", "witness": None},
        {"kind": "move", "witness": witness},
    ]
    return ReadingDifference("ties", option, "parts", differences, checked("qwixx").hash)


def test_examples_and_partings_are_starts():
    instance = Instance(core("qwixx"), 2)
    position = encode_position(initial_position(instance), instance)
    move = {"move": "pass_sum", "by": 1, "args": {}}
    found = starts(Book(checked("qwixx"), Verdicts((), {}, [parting("undecided", position, move)])))
    assert [each.kind for each in found[-2:]] == ["example", "parting"]
    assert len(found) == len(core("qwixx").examples) + 1
    last = found[-1]
    assert last.address == "parting-ties undecided"
    assert (last.players, last.readings["ties"]) == (2, "shared")
    assert last.position == position
    assert last.steps == ({"event": move},)
    assert last.note == "nobody does"


def test_what_cannot_be_read_is_no_start():
    junk: list[tuple[Any, Any]] = [({}, None), (7, None), ({"phase": 1}, {"move": 3})]
    partings = [parting("undecided", position, move) for position, move in junk]
    found = starts(Book(checked("qwixx"), Verdicts((), {}, partings)))
    assert {each.kind for each in found} == {"example"}


def test_the_shortest_game_of_a_hole_is_a_start():
    deal = next(each for each in core("kubbar").transitions if each.name == "deal")
    tile = deal.params[1].type.members[0]  # type: ignore[union-attr]
    events = [{"chance": "deal", "args": {"to": 1, "t": tile}}, {"step": "dealt"}]
    game: dict[str, Any] = {
        "kind": "always", "players": 2, "readings": {}, "variant": None, "verdict": "refuted",
        "depth": None, "uses": (), "position": None, "start": None, "spec": "kubbar",
        "spec_hash": checked("kubbar").hash,
    }  # fmt: skip
    accepted = next(each for each in core("kubbar").acceptances if each.finding == "refuted")
    under = {} if accepted.under is None else {accepted.under[0]: accepted.under[1]}
    given = {**game, "readings": under, "name": accepted.subject}
    verdicts = [PublishedVerdict(**given, trace=events * many) for many in (3, 1)]
    book = Book(checked("kubbar"), Verdicts(verdicts))
    book.__dict__["played"] = []  # examples take their time, and are no part of this
    (found,) = [each for each in starts(book) if each.kind == "hole"]
    assert found.name.split()[0] == accepted.subject
    assert found.note == accepted.reason
    assert [each["event"]["chance"] for each in found.steps] == ["deal"]

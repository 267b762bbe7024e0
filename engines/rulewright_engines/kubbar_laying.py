"""Whether a player of Kubbar may leave the table as it lies at the end of a turn.

This is about who may lay what where: own tiles, groups and how many there are, and what is closed
until everybody has founded a first group. Whether the lines are valid is in `kubbar_table`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rulewright_engines.kubbar_table import Table, fault, groups, is_straight


@dataclass(frozen=True, slots=True)
class Laying:
    """A turn in which tiles are laid: the table before and after it, and the player's part."""

    players: int
    readings: Mapping[str, str]
    before: Table
    after: Table
    rack: Sequence[str]
    has_founded: bool
    home: Collection[int]
    """The squares of the player's own group, while not everybody has founded one."""
    waited_for: int
    """How many players had not founded a group when the turn began."""

    def added(self) -> Counter[str]:
        """The tiles that were not on the table before."""
        return Counter(self.after.values()) - Counter(self.before.values())

    def obstacle(self) -> str | None:
        """What forbids the turn; None if it is allowed."""
        added = self.added()
        if len(self.after) != len(self.before) + added.total():
            return "a tile of the table is missing"
        if not added:
            return "one own tile at least is laid"
        if added - Counter(self.rack):
            return "only own tiles can be laid"
        found = groups(self.after)
        if len(found) > self._most_groups():
            return f"there can be {self._most_groups()} groups at most"
        return self._closed(found) or self._splitting(found) or fault(self.after)

    def _most_groups(self) -> int:
        return 4 if self.players == 4 else 3

    def _closed(self, found: list[set[int]]) -> str | None:
        """What is forbidden because not everybody has founded a group."""
        if self.waited_for == 0:
            return None
        if not self.has_founded:
            obstacle = self._founding(found)
            if obstacle is not None or self.waited_for == 1:
                return obstacle
        return self._waiting(found)

    def _founding(self, found: list[set[int]]) -> str | None:
        """What is wrong with the turn in which a player founds a first group."""
        moved = any(self.after.get(square) != tile for square, tile in self.before.items())
        if moved and not self._may_move(found):
            return "no tile is moved in the turn of a first group"
        if len(groups(self.before)) == self._most_groups():
            return "there is no room for another group"
        new = [group for group in found if group.isdisjoint(self.before)]
        if not new:
            return "a first group has to be founded"
        if any(map(is_straight, new)):
            return None
        if self.readings["founding_lines"] == "single_line":
            return "a group is founded with one set or one run"
        if len(found) <= len(groups(self.before)):
            return "with lines that cross, a founder leaves one group more"
        return None

    def _may_move(self, found: list[set[int]]) -> bool:
        """Whether the last founder may move tiles: where that is so, and own tiles alone make a
        set or a run."""
        if self.readings["founding_turn"] == "nothing_moved" or self.waited_for > 1:
            return False
        new = (group for group in found if group.isdisjoint(self.before) and is_straight(group))
        added = self.added()
        return any(Counter(self.after[square] for square in group) <= added for group in new)

    def _waiting(self, found: list[set[int]]) -> str | None:
        """What is wrong with a turn after which somebody still has to found a group."""
        others = self.before.keys() - {*self.home}
        still = self.before if self.readings["own_group"] == "fixed" else others
        if any(self.after.get(square) != self.before[square] for square in still):
            return "no tile of this group may be moved yet"
        own = [group for group in found if group.isdisjoint(others)]
        if sum(map(len, own)) != len(self.after) - len(others):
            return "nothing is laid at other groups before everybody has founded one"
        if len(own) > 1 and self.readings["second_group"] == "strict":
            return "everybody founds one group before anybody founds a second"
        if self.players == 2 and len(found) > 2:
            return "both players found a group before there is a third"
        return None

    def _splitting(self, found: list[set[int]]) -> str | None:
        """Where groups may not be split, a turn that moves tiles does not make more groups."""
        if self.readings["splitting"] == "allowed" or len(found) <= len(groups(self.before)):
            return None
        if any(self.after.get(square) != tile for square, tile in self.before.items()):
            return "no group may be split"
        return None

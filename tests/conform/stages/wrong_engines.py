"""Engines that are wrong in one place each, the way people get these games wrong.

Each says which clauses it breaks; the conformance check has to find it and blame one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright_engines.engine import Engine, IllegalError
from rulewright_engines.kubbar import Kubbar
from rulewright_engines.kubbar_table import PLACE
from rulewright_engines.matte_kryss import MatteKryss
from rulewright_engines.matte_kryss_board import FACTORS, FEATURES, results_on
from rulewright_engines.pairs import of, put
from rulewright_engines.qwixx import COLOURS, LAST, LAYOUTS, STANDARD, Layout, Qwixx
from rulewright_engines.twenty_one import BONUS, NUMBERS, TwentyOne

TWINS: dict[str, list[tuple[type[Engine], frozenset[str]]]] = {}


def breaks(*clauses: str) -> Callable[[type[Any]], type[Any]]:
    """Registers a twin with the clauses that it may be blamed for."""

    def register(twin: type[Any]) -> type[Any]:
        twin.RULES = {**twin.__mro__[1].RULES, **twin.RULES}  # type: ignore[attr-defined]
        TWINS.setdefault(twin.NAME, []).append((twin, frozenset(clauses)))
        return twin

    return register


def rule_of(engine: type[Engine], name: str) -> Any:
    """The body of a move or chance event."""
    return engine.RULES[name].body


def with_body(engine: type[Engine], name: str, body: Callable[..., None]) -> Any:
    """A move or chance event with another body."""
    rule = engine.RULES[name]
    return type(rule)(rule.is_move, rule.phases, rule.parameters, body)


# ---- Qwixx


@breaks("close.five", "close.short")
class FourAreEnough(Qwixx):
    """Four crosses before the last number."""

    def _obstacle(self, player, row, at):
        crosses = of(self.crossed, player)[row]
        if at == LAST and len(crosses) == 4 and row not in self.closed:
            return None
        return super()._obstacle(player, row, at)


@breaks("close.five")
class SixAreNeeded(Qwixx):
    """The last number counts among its own five."""

    def _obstacle(self, player, row, at):
        if at == LAST and len(of(self.crossed, player)[row]) < 6:
            return "six crosses first"
        return super()._obstacle(player, row, at)


@breaks("cross.order", "cross.left_out")
class BackToTheLeft(Qwixx):
    """Only the very same space is refused."""

    def _obstacle(self, player, row, at):
        found = super()._obstacle(player, row, at)
        skipped = found == "crosses go from left to right"
        return None if skipped and at not in of(self.crossed, player)[row] else found


@breaks("cross.order", "cross.left_out")
class TwiceTheSame(Qwixx):
    """`>` for `>=`: the last cross can be made again."""

    def _obstacle(self, player, row, at):
        crosses = of(self.crossed, player)[row]
        found = super()._obstacle(player, row, at)
        return None if crosses and crosses[-1] == at and at != LAST else found


@breaks("cross.order", "cross.left_out", "cross.skip", "cross.start", "play.first", "play.second")
class NoSkipping(Qwixx):
    """Numbers cannot be skipped by more than five."""

    def _obstacle(self, player, row, at):
        crosses = of(self.crossed, player)[row]
        if crosses and at > crosses[-1] + 5:
            return "too far to the right"
        return super()._obstacle(player, row, at)


@breaks("close.no_more", "close.all")
class ClosedRowsStayOpen(Qwixx):
    """Nobody looks whether a row is closed."""

    def _obstacle(self, player, row, at):
        closed, self.closed = self.closed, []
        try:
            return super()._obstacle(player, row, at)
        finally:
            self.closed = closed


@breaks("close.lock")
class LockForgotten(Qwixx):
    """The last number is crossed without its lock."""

    def _cross(self, player, row, at):
        super()._cross(player, row, at)
        if at == LAST:
            self.locked = put(self.locked, player, [])


@breaks("close.all", "close.together", "play.order", "play.first", "close.no_more", "close.die")
class ClosesAtOnce(Qwixx):
    """A row locked in the first action is closed before the others have answered."""

    def _answer(self, player):
        if len(self.answered) + 1 < len(self.seats):
            self._close_rows()
        super()._answer(player)


@breaks("close.all", "close.die")
class NeverCloses(Qwixx):
    """Locks close nothing."""

    def _close_rows(self):
        return


@breaks("close.die")
class DieStays(Qwixx):
    """The die of a closed row is still there for the second action."""

    def _close_rows(self):
        dice = dict(self.coloured)
        super()._close_rows()
        self.coloured = dice


@breaks("play.throw", "close.die", "play.next_throw")
class ThrowsGoneDice(Qwixx):
    """Dice of closed rows are thrown again."""

    throw = with_body(
        Qwixx,
        "throw",
        lambda self, w, d: rule_of(Qwixx, "throw")(
            self, w, {c: None if c in self.closed else d[c] or 1 for c in COLOURS}
        ),
    )


@breaks("play.misthrow", "play.others_free")
class MisthrowDespiteFirst(Qwixx):
    """A cross in the first action does not save from the misthrow."""

    pass_colour = with_body(Qwixx, "pass_colour", lambda self, by: self._end_turn(crossed=False))


@breaks("play.misthrow", "play.others_free")
class NoMisthrows(Qwixx):
    """Nobody takes a misthrow."""

    pass_colour = with_body(Qwixx, "pass_colour", lambda self, by: self._end_turn(crossed=True))


@breaks("play.others_free", "play.misthrow")
class MisthrowForAll(Qwixx):
    """Everybody takes the misthrow of the active player."""

    def _end_turn(self, crossed):
        if not crossed:
            for player, misthrows in self.misthrows:
                if player != self.active and misthrows < 3:
                    self.misthrows = put(self.misthrows, player, misthrows + 1)
        super()._end_turn(crossed)


@breaks("end.misthrows", "play.goes_on", "play.next")
class FiveMisthrows(Qwixx):
    """A fifth misthrow ends the game."""

    def _end_turn(self, crossed):
        before = self.active
        super()._end_turn(crossed)
        if self.phase == "over" and not self._rows_are_out():
            self.active = before % len(self.seats) + 1
            self.phase = "throw"


@breaks("end.rows", "play.goes_on", "play.order")
class ThreeRows(Qwixx):
    """The third closed row ends the game."""

    def _rows_are_out(self):
        return len(self.closed) >= 3


@breaks("end.rows", "play.order")
class AlwaysFinishesTurn(Qwixx):
    """The second action follows although the game is over at once."""

    def _answer(self, player):
        super()._answer(player)
        if self.phase == "over":
            self.phase = "second_action"


@breaks("end.rows", "play.order")
class NeverFinishesTurn(Qwixx):
    """The other reading is not known."""

    def _answer(self, player):
        super()._answer(player)
        if self.phase == "second_action" and self._rows_are_out():
            self.phase = "over"


@breaks("play.next")
class ToTheRight(Qwixx):
    """The turn goes to the right."""

    def _end_turn(self, crossed):
        before = self.active
        super()._end_turn(crossed)
        if self.phase == "throw":
            self.active = (before - 2) % len(self.seats) + 1


@breaks("play.second_only")
class SecondActionForAll(Qwixx):
    """Anybody may take the second action."""

    def may_act(self, player):
        anybody = self.phase == "second_action" and player in self.seats
        return anybody or super().may_act(player)


@breaks("play.second_row", "close.die")
class AnyRow(Qwixx):
    """The coloured die may go into any row."""

    def cross_anywhere(self, by, row, at, white_die, die):
        pips = self.coloured[die]
        if pips is None:
            raise IllegalError("no such die")
        if self.layout.numbers[row][at - 1] != of(self.white, white_die) + pips:
            raise IllegalError("not the sum")
        self._cross(by, row, at)
        self._close_rows()
        self._end_turn(crossed=True)

    cross_colour = with_body(Qwixx, "cross_colour", cross_anywhere)


@breaks("play.second_row", "close.die", "play.second")
class FirstWhiteDieOnly(Qwixx):
    """The second action always takes the first white die."""

    cross_colour = with_body(
        Qwixx,
        "cross_colour",
        lambda self, by, row, at, white_die, die: rule_of(Qwixx, "cross_colour")(
            self, by, row, at, 1, die
        ),
    )


@breaks("play.first", "play.sum")
class AnswersTwice(Qwixx):
    """A player can act again in the first action."""

    def may_act(self, player):
        anybody = self.phase == "first_action" and player in self.seats
        return anybody or super().may_act(player)

    def _answer(self, player):
        if player not in self.answered:
            super()._answer(player)


@breaks("play.first", "play.first_free", "play.sum")
class ActiveFirst(Qwixx):
    """The others have to wait for the active player."""

    def may_act(self, player):
        waiting = self.phase == "first_action" and self.active not in self.answered
        return super().may_act(player) and (player == self.active or not waiting)


@breaks("play.misthrow", "play.throw")
class CrossRemembered(Qwixx):
    """A cross of the turn before still counts."""

    def throw_only(self, w, d):
        before = self.active_crossed
        rule_of(Qwixx, "throw")(self, w, d)
        self.active_crossed = before

    throw = with_body(Qwixx, "throw", throw_only)


@breaks("play.sum", "play.first")
class GreenRises(Qwixx):
    """All rows rise from 2 to 12."""

    def set_up(self, start):
        super().set_up(start)
        if self.layout is STANDARD:
            numbers = dict.fromkeys(COLOURS, STANDARD.numbers["red"])
            self.layout = Layout(numbers, STANDARD.colours)


@breaks("play.sum", "play.first", "play.second_row")
class VariantForgotten(Qwixx):
    """The mixed numbers are played on the usual sheet."""

    def set_up(self, start):
        super().set_up(start)
        if self.layout is LAYOUTS["mixed_numbers"]:
            self.layout = STANDARD


@breaks("close.counts", "score.table", "score.total")
class LockNotCounted(Qwixx):
    """The lock brings no points."""

    def score(self):
        return {
            player: sum(len(x) * (len(x) + 1) // 2 for x in rows.values())
            - 5 * of(self.misthrows, player)
            for player, rows in self.crossed
        }


@breaks("score.misthrow", "score.total", "score.table")
class CheapMisthrows(Qwixx):
    """A misthrow costs three."""

    def score(self):
        return {
            player: points + 2 * of(self.misthrows, player)
            for player, points in super().score().items()
        }


@breaks("play.first", "play.sum", "cross.start", "cross.skip")
class SpaceZero(Qwixx):
    """A space before the first is the last one, as Python counts; the arguments go unchecked."""

    cross_sum = type(Qwixx.RULES["cross_sum"])(
        True,
        ("first_action",),
        {"row": lambda row: row, "at": lambda at: at},
        rule_of(Qwixx, "cross_sum"),
    )


# ---- twenty one


@breaks("write.not_higher", "write.fits", "sheet.numbers")
class OneTooHigh(TwentyOne):
    """A die may be one higher than the number of its field."""

    def _obstacle(self, query, colour):
        found = super()._obstacle(query, colour)
        near = (self.shown[colour] or 0) == NUMBERS[query.place(colour)] + 1
        return None if near and found and "higher" in found else found


@breaks("write.not_higher", "write.fits", "hit.equal", "sheet.numbers")
class HitsRefused(TwentyOne):
    """A die has to be lower than the number of its field."""

    def _obstacle(self, query, colour):
        if self.shown[colour] == NUMBERS[query.place(colour)]:
            return "not lower"
        return super()._obstacle(query, colour)


@breaks("write.row", "sheet.colours")
class WritesOver(TwentyOne):
    """A field can be written again."""

    def _obstacle(self, query, colour):
        found = super()._obstacle(query, colour)
        return None if found and "not free" in found else found


@breaks("answer.each", "cross.when")
class WritesNothing(TwentyOne):
    """Writing no die is an answer."""

    write = with_body(
        TwentyOne,
        "write",
        lambda self, by, dice: (
            rule_of(TwentyOne, "write")(self, by, dice)
            if dice
            else self._answer(by, self.sheets[by].line())
        ),
    )


@breaks("hit.equal", "hit.mark")
class HitsUnmarked(TwentyOne):
    """Hits are not marked."""

    def _answer(self, player, line):
        line.hits = []
        super()._answer(player, line)


@breaks("cross.leftmost")
class CrossesAnywhere(TwentyOne):
    """Any free field can be crossed out."""

    def cross_any(self, by, at):
        line = self.sheets[by].line()
        if of(line.entry, at) is not None:
            raise IllegalError("not free")
        line.entry = put(line.entry, at, 0)
        self._answer(by, line)

    cross_out = with_body(TwentyOne, "cross_out", cross_any)


@breaks("cross.single", "cross.not_both", "cross.when", "cross.instead")
class CrossesTwo(TwentyOne):
    """Two fields are crossed out at a time."""

    def cross_two(self, by, at):
        line = self.sheets[by].line()
        if at != line.leftmost_free():
            raise IllegalError("not the leftmost")
        line.entry = put(line.entry, at, 0)
        second = line.leftmost_free()
        if second is not None:
            line.entry = put(line.entry, second, 0)
        self._answer(by, line)

    cross_out = with_body(TwentyOne, "cross_out", cross_two)


@breaks("throw.ones")
class OnesThrownAgain(TwentyOne):
    """The ones are thrown again too."""

    def rethrow_all(self, dice):
        self.shown = dict(dice)
        self.phase = "answering"

    rethrow = with_body(TwentyOne, "rethrow", rethrow_all)


@breaks("throw.ones", "throw.again")
class SixOnesAgain(TwentyOne):
    """Six ones may be thrown again whatever the reading."""

    def _may_throw_again(self):
        return True


@breaks("throw.all", "throw.again", "throw.stop")
class AnybodyStops(TwentyOne):
    """Anybody may decide for the thrower."""

    def may_act(self, player):
        anybody = self.phase == "deciding" and player in self.seats
        return anybody or super().may_act(player)


@breaks("turn.left")
class DiceToTheRight(TwentyOne):
    """The dice go to the right."""

    def _end_turn(self):
        before = self.thrower if hasattr(self, "thrower") else self.active
        super()._end_turn()
        if self.phase == "throwing":
            name = "thrower" if hasattr(self, "thrower") else "active"
            setattr(self, name, (before - 2) % len(self.seats) + 1)


@breaks("score.next", "score.one_row", "rows.order", "sheet.rows", "score.at_once")
class NextRowAtOnce(TwentyOne):
    """The next row is begun before the others have answered."""

    def _answer(self, player, line):
        query = self.sheets[player]
        early = line.leftmost_free() is None and query.current < 5
        early = early and len(self.answered) + 1 < len(self.seats)
        super()._answer(player, line)
        if early:
            query.current += 1


@breaks("score.at_once", "score.note", "score.numbers", "score.bonus", "rows.scored_first")
class CountedLate(TwentyOne):
    """A full row is not counted until the game is over."""

    def _answer(self, player, line):
        super()._answer(player, line)
        if self.phase != "over":
            line.points = None


@breaks("score.bonus", "score.numbers", "score.note", "hit.bonus", "score.at_once")
class BonusForgotten(TwentyOne):
    """The bonus is not added."""

    def _answer(self, player, line):
        super()._answer(player, line)
        if line.points is not None:
            line.points -= BONUS[len(line.hits)]


@breaks("end.others", "score.note")
class OthersNotCounted(TwentyOne):
    """Rows that are not full count nothing at the end."""

    def _end_turn(self):
        super()._end_turn()
        if self.phase == "over":
            for query in self.sheets.values():
                if query.line().leftmost_free() is not None:
                    query.line().points = None


@breaks("end.fifth", "rows.over", "turn.round", "score.next", "turn.left", "turn.ends")
class EndsWithFourth(TwentyOne):
    """The fourth full row ends the game."""

    def _end_turn(self):
        if any(query.lines[4].leftmost_free() is None for query in self.sheets.values()):
            for query in self.sheets.values():
                query.line().note_points()
            self.answered = []
            self.phase = "over"
            return
        super()._end_turn()


@breaks("end.most")
class LowestWins(TwentyOne):
    """The fewest points win."""

    def winners(self):
        scores = self.score()
        if self.phase != "over":
            return []
        return [player for player, points in scores.items() if points == min(scores.values())]


# ---- Matte-Kryss


def lay_with(change: Callable[[Any, int, str, list[str]], None]) -> Any:
    """Laying a tile, and then something wrong."""

    def lay(self, by, tile, at, claims):
        rule_of(MatteKryss, "lay")(self, by, tile, at, claims)
        change(self, tile, at, claims)

    return with_body(MatteKryss, "lay", lay)


@breaks("score.squares", "score.value", "score.each")
class SquaresPlain(MatteKryss):
    """Bonus squares count like any other."""

    def count_plainly(self, tile, at, claims):
        self.gained -= tile * len(claims) * (FACTORS.get(FEATURES[at], 1) - 1)

    lay = lay_with(count_plainly)


@breaks("score.squares", "score.value", "score.each")
class CountedOnce(MatteKryss):
    """A tile counts once, however many directions it is a result in."""

    def count_once(self, tile, at, claims):
        self.gained -= tile * (len(claims) - 1) * FACTORS.get(FEATURES[at], 1)

    lay = lay_with(count_once)


@breaks("extra.at_once", "extra.may")
class NoExtra(MatteKryss):
    """A square with a sign brings no extra tile."""

    def go_on(self, tile, at, claims):
        self.phase = "laying"

    lay = lay_with(go_on)


@breaks("extra.at_once", "extra.may")
class ExtraEverywhere(MatteKryss):
    """Every tile laid brings an extra tile."""

    def offer(self, tile, at, claims):
        self.phase = "extra"

    lay = lay_with(offer)


@breaks("lay.result", "sign.only")
class AnyResult(MatteKryss):
    """Nobody looks whether a tile is a result."""

    def is_right(self, tile, at, claims):
        return True


@breaks("sign.only", "lay.result", "score.each")
class SignsIgnored(MatteKryss):
    """On a square with a sign any operation counts."""

    def is_right(self, tile, at, claims):
        operands = self.board.operands(at)
        return all(tile in results_on("plain", *operands[each]) for each in claims)


@breaks("prepare.highest")
class LowestBegins(MatteKryss):
    """The lowest lot begins."""

    def _beginners(self):
        lots = {player: lot for player, lot in self.lot.items() if lot is not None}
        return [player for player, lot in lots.items() if lot == min(lots.values())][:1]


@breaks("prepare.back")
class LotsKept(MatteKryss):
    """The lots do not go back."""

    def begin_without(self, p):
        pile = self.pile[:]
        rule_of(MatteKryss, "begin")(self, p)
        self.pile = pile

    begin = with_body(MatteKryss, "begin", begin_without)


@breaks("fifty.all", "fifty.seven", "turn.points", "score.turn")
class NoFifty(MatteKryss):
    """All seven tiles bring nothing more."""

    def finish_plainly(self, by):
        rule_of(MatteKryss, "finish")(self, by)
        self.points[by] -= self.bonus
        self.bonus = 0

    finish = with_body(MatteKryss, "finish", finish_plainly)


@breaks("turn.points", "score.turn", "fifty.all", "fifty.seven")
class PointsForgotten(MatteKryss):
    """The points of a turn are not noted."""

    def finish_unnoted(self, by):
        before = self.points[by]
        rule_of(MatteKryss, "finish")(self, by)
        self.points[by] = before

    finish = with_body(MatteKryss, "finish", finish_unnoted)


@breaks("turn.refill", "end.empty", "wrong.next")
class NoRefill(MatteKryss):
    """The rack is not filled up."""

    def _fill_or_end_turn(self):
        self._end_turn()


@breaks("exchange.same", "exchange.may")
class ExchangeFreely(MatteKryss):
    """More tiles can be exchanged than lie on the table."""

    def _may_give_back(self):
        return True


@breaks("end.empty")
class PassesFreely(MatteKryss):
    """Anybody may pass."""

    def _may_pass(self):
        return True


@breaks("score.left", "end.empty")
class RacksForgiven(MatteKryss):
    """What is left on a rack costs nothing."""

    def _end_turn(self):
        super()._end_turn()
        if self.phase == "over":
            self.total = dict(self.points)


@breaks("wrong.next", "end.empty")
class TurnsToTheRight(MatteKryss):
    """The turn goes to the right."""

    def _next(self):
        return (self.active - 2) % len(self.seats) + 1


@breaks("wrong.points", "wrong.back", "wrong.next")
class PointsKept(MatteKryss):
    """After an objection the points stay."""

    def object_mildly(self, by):
        player, points = self.active, self.points[self.active]
        rule_of(MatteKryss, "object")(self, by)
        self.points[player] = points

    object = with_body(MatteKryss, "object", object_mildly)


@breaks("wrong.back", "wrong.object")
class ObjectsToAnything(MatteKryss):
    """Anybody can object to a right turn."""

    def may_act(self, player):
        others = player in self.seats and player != self.active
        return others if self.phase == "objecting" else super().may_act(player)

    def object_anyway(self, by):
        self.wrong = True
        rule_of(MatteKryss, "object")(self, by)

    object = with_body(MatteKryss, "object", object_anyway)


# ---- Kubbar


@breaks("turn.left", "turn.one")
class KubbarToTheRight(Kubbar):
    """The turn goes to the right."""

    def _pass_the_turn(self):
        self.active = (self.active - 2) % len(self.seats) + 1
        self.phase = "turn"


@breaks("take.refill", "take.one")
class PoolNotFilled(Kubbar):
    """The pool is not filled up again."""

    def _fill_or_end_turn(self):
        self._end_turn()


@breaks("take.one", "take.refill")
class TakesTwo(Kubbar):
    """A tile taken is not removed from the pool."""

    def take_a_copy(self, by, t):
        rule_of(Kubbar, "take")(self, by, t)
        self.pool = sorted([*self.pool, t], key=PLACE.__getitem__)

    take = with_body(Kubbar, "take", take_a_copy)


@breaks("three.draw", "draw.one", "action.play")
class TwoForced(Kubbar):
    """The victim draws two."""

    def force_two(self, by, victim):
        rule_of(Kubbar, "force")(self, by, victim)
        if self.due.get(victim):
            self.due[victim] = 2

    force = with_body(Kubbar, "force", force_two)


@breaks("three.against", "three.draw", "action.play")
class ForcesItself(Kubbar):
    """The player can be the own victim."""

    def force_anybody(self, by, victim):
        self._check_action(by, "draw_three")
        if victim not in self.seats or not self._is_enough(3):
            raise IllegalError("nobody")
        if self._play_action(by, "draw_three"):
            self.due[victim] = 3
            self._draw_or_end_turn()

    force = with_body(Kubbar, "force", force_anybody)


@breaks("action.leaves", "action.play")
class ActionsKept(Kubbar):
    """An action tile stays on the rack."""

    def _play_action(self, player, tile):
        found = super()._play_action(player, tile)
        if found:
            self.rack[player] = sorted([*self.rack[player], tile], key=PLACE.__getitem__)
            self.gone.remove(tile)
        return found


@breaks("action.play", "three.draw", "three.against", "pass.two")
class ActionsOfOthers(Kubbar):
    """The tile need not be on the rack."""

    def _check_action(self, player, tile):
        if tile not in self.rack[player]:
            self.rack[player].append(tile)


@breaks("pass.two", "pass.still_two", "pass.look", "pass.one")
class PassesToTheRight(Kubbar):
    """Tiles are passed to the right."""

    def _hand_over(self):
        seats = list(self.seats)
        self.handed = {seat: self.handed[(seat + 1) % len(seats) + 1] for seat in seats}
        super()._hand_over()


@breaks("pass.two", "pass.one")
class PassesOne(Kubbar):
    """One tile is passed."""

    def _to_give(self, player):
        return min(1, len(self.rack[player]))


@breaks("pass.look", "pass.two")
class SeenAtOnce(Kubbar):
    """Tiles are handed over before the others have chosen."""

    def give_at_once(self, by, tiles):
        rule_of(Kubbar, "give")(self, by, tiles)
        if self.handed[by]:
            left = self._left_of(by)
            self.rack[left] = sorted([*self.rack[left], *tiles], key=PLACE.__getitem__)
            self.handed[by] = []

    give = with_body(Kubbar, "give", give_at_once)


@breaks("setup.fifteen")
class SixteenDealt(Kubbar):
    """Sixteen tiles are dealt."""

    def _short_of_hand(self):
        return [player for player in self.seats if len(self.rack[player]) < 16]


@breaks("setup.pool", "setup.rest", "take.refill")
class PoolOfFive(Kubbar):
    """The pool is one tile short when play begins."""

    def fill_short(self, t):
        rule_of(Kubbar, "fill_pool")(self, t)
        if self.phase == "lay_out" and len(self.pool) == 5:
            self.phase = "turn"

    fill_pool = with_body(Kubbar, "fill_pool", fill_short)


@breaks("end.at_once", "end.winner", "aim.first", "turn.left", "turn.one", "score.match")
class RoundGoesOn(Kubbar):
    """Having no tiles does not end the round."""

    def _end_turn(self):
        self.skips = 0
        self._pass_the_turn()


@breaks("score.action", "score.values", "score.match", "score.winner", "end.at_once")
class ActionsCheap(Kubbar):
    """An action tile counts ten."""

    def _end_round(self, out):
        fewer = {p: 10 * sum(t in ("draw_three", "pass_two") for t in r)
                 for p, r in self.rack.items()}  # fmt: skip
        super()._end_round(out)
        self.total = {player: points - fewer[player] for player, points in self.total.items()}


@breaks("score.match")
class MostPointsWin(Kubbar):
    """The most points win."""

    def winners(self):
        if self.phase != "over":
            return []
        most = max(self.total.values())
        return [player for player, points in self.total.items() if points == most]


@breaks("draw.one")
class DrawsTwo(Kubbar):
    """Two tiles are drawn."""

    def draw_two(self, by):
        rule_of(Kubbar, "draw")(self, by)
        if self.phase == "drawing":
            self.due[by] = 2

    draw = with_body(Kubbar, "draw", draw_two)


@breaks(
    "set.shape", "run.shape", "add.three", "lay.rules", "group.three", "found.three", "move.rules"
)
class AnythingLies(Kubbar):
    """Nobody looks whether the table is made of sets and runs."""

    def lay_anything(self, by, table):
        obstacle = self._laying(table).obstacle()
        added = self._laying(table).added()
        if obstacle is not None and not (sum(added.values()) and len(table) > len(self.board)):
            raise IllegalError(obstacle)
        for tile in added.elements():
            if tile not in self.rack[by]:
                raise IllegalError("not on the rack")
        for tile in added.elements():
            self.rack[by].remove(tile)
        if len(self.founded) < len(self.seats):
            self._note_founding(by, table)
        self.board = table
        self._end_turn()

    lay = with_body(Kubbar, "lay", lay_anything)

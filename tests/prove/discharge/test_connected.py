"""What is connected, proved by induction: what was reached stays so where nothing is taken away,
and what is not so is refuted by a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.main import run_safely

GAME = """game bridges "Bridges"
    players 2..2

type Cell = hexes {width} x {height}

phase play, over final

state
    turn: Player = 1
    stone[Cell]: Player? = none

fun stones(p: Player): Set[Cell] = {{each x: Cell where stone[x] == p}}
fun edge(n: Int): Set[Cell] = {{each x: Cell where row(x) == n}}
fun crossed(p: Player): Bool = connected(edge(1), edge({height}), stones(p))

move lay(x: Cell) by p in play "lay a stone"
    needs own_turn "it is the player's turn": p == turn
    needs vacant "the cell is free": stone[x] == none
    does
        stone[x] = p
        turn = left_of(turn)

"""
HOLDS = (
    "always stays: all p: Player: old(crossed(p)) implies crossed(p)",
    "always grows: all x: Cell: x in old(reach(A1, stones(1))) implies x in reach(A1, stones(1))",
    "invariant inside: reach(A1, stones(2)) <= stones(2)",
    "invariant apart: reach(A1, stones(1)) & reach(B1, stones(2)) == {}",
    "possible crossing: crossed(1)",
)
FAILS = (
    "invariant nobody: not crossed(2)",
    "always stuck: old(reach(A1, stones(1))) == reach(A1, stones(1))",
    "invariant lonely: size(reach(A1, stones(1))) <= 1",
)


def test_connection_is_proved_and_refuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    claims = HOLDS + FAILS
    text = GAME.format(width=3, height=3) + "\n".join(claims) + "\n"
    Path("bridges.rules").write_text(text)
    names = [each.split(":")[0].split()[1] for each in claims]
    only = [part for name in names for part in ("--only", name)]
    run_safely(["prove", "bridges.rules", "--no-cache", "--jobs", "1", "--timeout", "5",
                "--format", "concise", *only])  # fmt: skip
    told = capsys.readouterr().out
    refuted = {name for name in names if f"`{name}` is refuted" in told}
    assert refuted == {each.split(":")[0].split()[1] for each in claims if each in FAILS}, told
    assert "RW302" not in told, told

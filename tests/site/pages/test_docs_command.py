"""`rulewright docs` writes the pages without a site."""

from __future__ import annotations

import json

from tests.site.conftest import checked


def test_a_game_is_proved_and_its_pages_are_written_into_a_folder(rulewright, tmp_path):
    ran = rulewright("docs", "pig", "--out", "pages")
    assert (ran.exit, ran.out) == (0, "pages/pig: 9 pages\n")
    assert ran.err == "wrote 9 pages about 1 spec\n"
    written = sorted(path.name for path in (tmp_path / "pages" / "pig").iterdir())
    assert written == [
        "examples.md", "holds.md", "index.md", "play.md", "rules.md", "trace.md",
        "try.md", "tryout.html", "turn.md",
    ]  # fmt: skip
    assert "✓&nbsp;proved" in (tmp_path / "pages/pig/holds.md").read_text("utf-8")
    assert (tmp_path / ".rulewright/verdicts/pig.prove.json").exists()


def test_without_a_proof_the_last_verdicts_count(rulewright, tmp_path):
    assert rulewright("docs", "pig", "--out", "none", "--no-prove").exit == 0
    assert "✓&nbsp;proved" not in (tmp_path / "none/pig/holds.md").read_text("utf-8")
    result = {"name": "one_winner", "kind": "invariant", "verdict": "proved"}
    report = {"spec": "pig", "spec_hash": checked("pig").hash, "results": [result]}
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "pig.json").write_text(json.dumps(report))
    ran = rulewright("docs", "pig", "--out", "pages", "--verdicts", "kept", "--no-prove",
                     "--format", "json")  # fmt: skip
    assert (ran.exit, json.loads(ran.out)["summary"]) == (0, {"specs": 1, "pages": 9})
    assert "✓&nbsp;proved" in (tmp_path / "pages/pig/holds.md").read_text("utf-8")


def test_what_cannot_be_used_is_said(rulewright, tmp_path):
    (tmp_path / "odd.rules").write_text("game\n")
    assert rulewright("docs", "odd.rules", "--out", "pages").exit == 2
    (tmp_path / "file").write_text("")
    ran = rulewright("docs", "pig", "--out", "file", "--no-prove")
    assert ran.exit == 2
    assert "`file/pig` cannot be written" in ran.err
    ran = rulewright("docs", "pig", "--out", "pages", "--verdicts", "file/kept")
    assert (ran.exit, ran.err.splitlines()[0]) == (
        2, "error: `file/kept` cannot be written: not a directory",
    )  # fmt: skip

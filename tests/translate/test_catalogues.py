"""Catalogues of specs: brought up to date, complete for the bundled games, terms as agreed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from rulewright.cli.main import run_safely
from rulewright.translate.wording import ENGLISH, NAMES, Wording, form_for, program_words
from tests.conftest import ROOT

GAMES = [("qwixx", "is"), ("kubbar", "is"), ("matte_kryss", "nb"), ("twenty_one", "nb")]


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_the_bundled_games_are_translated_completely(game: str, language: str, capsys):
    assert run_safely(["translate", game, "--language", language, "--check"]) == 0
    assert re.search(r"(\d+) of \1 texts translated\n", capsys.readouterr().out)


def said(capsys, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    code = run_safely(["translate", *arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert report["exit"] == code
    return report


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    """A copy of Pig that nothing else looks at."""
    path = tmp_path / "pig.rules"
    shutil.copy(ROOT / "spec" / "tutorial" / "pig.rules", path)
    return path


def translate(po: Path) -> None:
    """Every text gets a translation: itself, in brackets."""
    po.write_text(re.sub(r'msgid "(.+)"\nmsgstr ""\n', r'msgid "\1"\nmsgstr "[\1]"\n',
                         re.sub(r'""\n"(.+)"\nmsgstr', r'"\1"\nmsgstr',
                                joined(po.read_text()))))  # fmt: skip


def joined(text: str) -> str:
    """Long texts in one line."""
    while re.search(r'"\n"(?!Proj|Lang|MIME|Content)', text):
        text = re.sub(r'"\n"(?!Proj|Lang|MIME|Content)', "", text)
    return text


def test_a_changed_sentence_is_stale_a_new_one_missing_a_renamed_one_kept(pig: Path, capsys):
    po = pig.with_name("pig.is.po")
    first = said(capsys, str(pig), "--language", "is")
    assert first["exit"] == 0 and first["summary"]["missing"] == first["summary"]["texts"] > 20
    translate(po)
    assert said(capsys, str(pig), "--check")["summary"]["missing"] == 0
    clauses = re.findall(r'clause ([\w.]+) .*?"(.+)"', pig.read_text())
    (changed, old), (renamed, kept) = clauses[0], clauses[1]
    text = pig.read_text().replace(f'"{old}"', f'"{old} Really."')
    pig.write_text(re.sub(rf"\b{re.escape(renamed)}\b", f"{renamed}x", text))
    before = po.read_text()
    report = said(capsys, str(pig), "--check")
    assert report["exit"] == 1 and report["summary"]["stale"] == 1
    assert po.read_text() == before, "--check writes nothing"
    (found,) = [each for each in report["diagnostics"] if each["code"] == "RW520"]
    assert f"stale: clause {changed}" in found["message"] and found["file"] == str(po)
    assert f'msgctxt "clause {changed}"' in before.splitlines()[found["line"] - 1]
    said(capsys, str(pig))
    after = joined(po.read_text())
    assert f'#, fuzzy\n#| msgid "{old}"\nmsgctxt "clause {changed}"' in after
    assert f'msgctxt "clause {renamed}x"\nmsgid "{kept}"\nmsgstr "[{kept}]"' in after
    assert said(capsys, str(pig))["results"][0]["changed"] is False
    pig.write_text(text.replace(f'"{old} Really."', f'"{old}"'))
    assert said(capsys, str(pig))["summary"]["stale"] == 1, "somebody has to look at it"


def test_what_is_gone_is_kept_and_comes_back(pig: Path, capsys):
    po = pig.with_name("pig.is.po")
    said(capsys, str(pig), "--language", "is")
    translate(po)
    spec = pig.read_text()
    title = re.search(r'game pig "(.+)"', spec)
    assert title
    begin = spec.index("\nexample ")
    pig.write_text(spec[:begin] + "\n")
    said(capsys, str(pig))
    assert '#~ msgctxt "example ' in po.read_text()
    pig.write_text(spec)
    assert said(capsys, str(pig), "--check")["summary"]["missing"] == 0


def test_a_broken_catalogue_is_a_diagnostic_and_is_not_written(pig: Path, capsys):
    po = pig.with_name("pig.is.po")
    po.write_text('msgid "x"\nmsgstr "open\n')
    report = said(capsys, str(pig))
    assert report["exit"] == 2 and po.read_text() == 'msgid "x"\nmsgstr "open\n'
    assert [(e["code"], e["line"]) for e in report["diagnostics"] if e["file"] == str(po)] == [
        ("RW017", 2)
    ]
    po.write_bytes(b'msgid "\xff"\n')
    assert said(capsys, str(pig))["exit"] == 2
    assert run_safely(["why", str(pig), "--language", "is", "--move", "roll", "--by", "1"]) == 2


def test_languages_are_tags(capsys):
    for wrong in ("../is", "IS", "en", "is.po", "x" * 20):
        assert run_safely(["translate", "qwixx", "--language", wrong]) == 2
        assert "is not a language" in capsys.readouterr().err
    assert run_safely(["rulebook", "qwixx", "--pdf", "--out", "x", "--language", "../x"]) == 2


TERMS = """game tiny "Tiny"
    players 2..3

source en "The rules"

term tile "a piece" is "kubbur"
term action_tile "a special piece" is "aðgerðarkubbur"

clause aim.lay aside en:1.1 "Tiles are laid."
clause aim.act aside en:1.2 "An action tile is played."

phase play, over final

state
    count: 0..9 = 0

move rest by p in play "rest"
    does
        phase = over
"""


def test_a_term_is_said_by_its_agreed_word(tmp_path: Path, capsys):
    spec, po = tmp_path / "tiny.rules", tmp_path / "tiny.is.po"
    spec.write_text(TERMS)

    def strays(tile: str, laid: str, note: str = "") -> list[str]:
        po.write_text(
            f'msgctxt "term tile"\nmsgid "tile"\nmsgstr "{tile}"\n\n'
            'msgctxt "term action_tile"\nmsgid "action tile"\nmsgstr "aðgerðarkubbur"\n\n'
            f'{note}msgctxt "clause aim.lay"\nmsgid "Tiles are laid."\nmsgstr "{laid}"\n\n'
            'msgctxt "clause aim.act"\nmsgid "An action tile is played."\n'
            'msgstr "Aðgerðarkubbur er lagður."\n'
        )
        found = said(capsys, str(spec), "--check")["diagnostics"]
        return [each["message"] for each in found if each["code"] == "RW521"]

    assert strays("kubbur | kubb*", "Kubbar eru lagðir.") == []
    (message,) = strays("kubbur | kubb*", "Flísar eru lagðar.")
    assert message == "clause aim.lay: `tile` is not said by its agreed word `kubbur`"
    assert strays("kubbur", "Lagt er.", "# not the term: tile\n") == []
    assert strays("flís | kubb*", "Kubbar eru lagðir.") == [
        "`tile` is `kubbur` in the spec, and `flís` here"
    ]
    assert strays("kubbur | (.*)*", "Flísar eru lagðar."), "no form is a pattern"


@pytest.mark.parametrize("language", ["is", "nb"])
def test_the_fixed_words_are_translated_with_their_values(language: str):
    words = program_words(language)
    assert set(words) == set(ENGLISH) and language in NAMES

    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for key, english in ENGLISH.items():
        forms = (english,) if isinstance(english, str) else english
        assert len(words[key]) == len(forms), key
        assert all(names(each) == names(forms[-1]) for each in words[key][-1:]), key


def test_number_words_follow_the_language():
    assert [form_for(each, "is") for each in (1, 2, 11, 21, 111)] == [0, 1, 1, 0, 1]
    assert [form_for(each, "nb") for each in (1, 2, 11, 21)] == [0, 1, 1, 1]
    assert Wording("is")("dice_count", number=1) == "1 teningur"
    assert Wording("is")("dice_count", number=6) == "6 teningar"
    assert Wording("de")("dice_count", number=1) == "1 die", "English where there is nothing else"


def test_a_catalogue_is_not_written_through_a_link(pig: Path, capsys):
    """A link that comes with a spec could lead to any file."""
    elsewhere = pig.parent / "elsewhere"
    pig.with_name("pig.is.po").symlink_to(elsewhere)
    assert run_safely(["translate", str(pig), "--language", "is"]) == 2
    assert "is a link" in capsys.readouterr().err
    assert not elsewhere.exists()


def test_the_name_of_a_file_stays_in_its_line(tmp_path: Path, capsys):
    odd = tmp_path / "a\nmsgid b.rules"
    shutil.copy(ROOT / "spec" / "tutorial" / "pig.rules", odd)
    assert run_safely(["translate", str(odd), "--language", "is"]) == 0
    assert run_safely(["translate", str(odd), "--language", "is"]) == 0
    assert "msgid b" not in {line[:7] for line in _catalogue(odd).splitlines()}


def _catalogue(spec: Path) -> str:
    return spec.with_name(f"{spec.stem}.is.po").read_text("utf-8")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_catalogue_without_an_end_is_too_large(pig: Path, capsys):
    pig.with_name("pig.is.po").symlink_to("/dev/zero")
    assert run_safely(["translate", str(pig), "--check"]) == 2
    assert "the file is too large" in capsys.readouterr().out

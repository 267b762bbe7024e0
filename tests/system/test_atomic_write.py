"""Files that are written whole, and folders in which strangers may have put links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.system.atomic_write import make_folder, short_name, write_whole, write_whole_bytes


def test_a_file_that_somebody_named_is_written_where_its_link_leads(tmp_path: Path):
    named, real = tmp_path / "named", tmp_path / "real"
    real.write_text("before")
    named.symlink_to(real)
    write_whole(named, "after")
    assert named.is_symlink() and real.read_text() == "after"


def test_in_a_folder_that_is_filled_a_file_takes_the_place_of_a_link(tmp_path: Path):
    link, elsewhere = tmp_path / "rules.md", tmp_path / "elsewhere"
    for was in ("something of mine", None):
        if was is not None:
            elsewhere.write_text(was)
        link.unlink(missing_ok=True)
        link.symlink_to(elsewhere)
        write_whole(link, "a page", follow=False)
        assert not link.is_symlink() and link.read_text() == "a page"
        link.unlink()
        link.symlink_to(elsewhere)
        write_whole_bytes(link, b"a page", follow=False)
        assert not link.is_symlink() and link.read_bytes() == b"a page"
        assert elsewhere.exists() == (was is not None)
        assert was is None or elsewhere.read_text() == was
        elsewhere.unlink(missing_ok=True)
    assert os.stat(link).st_mode & 0o111 == 0


def test_a_link_is_no_folder_to_be_filled(tmp_path: Path):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="it is a link"):
        make_folder(tmp_path / "link")


def test_what_no_file_can_be_called_is_shortened(tmp_path: Path):
    assert short_name("qwixx") == "qwixx"
    names = ["n" * 300, "n" * 301, "þ" * 300, "🎲" * 300]
    made = {short_name(each) for each in names}
    assert len(made) == len(names)
    for each in made:
        (tmp_path / f"{each}-{each[-16:]}.jsonl").touch()

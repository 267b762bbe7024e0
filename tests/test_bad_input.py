"""Whatever is fed in, nothing but diagnostics comes out."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.codes import BASE
from rulewright.frontend import check_text, read
from rulewright.resources import bundled_specs
from rulewright.system.limits import BOUNDS

QWIXX = bundled_specs()["qwixx"].read_text()
PIECES = QWIXX.split()
LINES = QWIXX.splitlines(keepends=True)


def unusable(path: Path, code: str, message: str) -> None:
    found = read(path)
    assert found.spec is None
    assert [d.code for d in found.diagnostics] == [code]
    assert message in found.diagnostics[0].message
    assert found.diagnostics[0].help


def test_files_that_cannot_be_read(tmp_path):
    unusable(tmp_path / "missing.rules", "RW011", "no such file")
    unusable(tmp_path, "RW011", "a folder")
    for name in ("\ud800.rules", "a\0.rules"):
        unusable(tmp_path / name, "RW011", "no such file")
    file = tmp_path / "x.rules"
    for content, code, message in [
        (b"", "RW013", "empty"),
        (b"\n\n  \n", "RW013", "empty"),
        (b"\x7fELF\x00\x01", "RW011", "not a text file"),
        (b'game x "\xff"\n', "RW011", "not UTF-8"),
        (b"x" * (BOUNDS["bytes"].most + 1), "RW011", "too large"),
    ]:
        file.write_bytes(content)
        unusable(file, code, message)


def test_text_of_nearly_the_largest_size_is_answered():
    many = 'clause a.b must "x"\n' * 20_000
    found = check_text("x.rules", BASE + many)
    assert found.spec is None
    one_line = "const a = " + "1 + " * 500_000 + "1\n"
    assert {d.code for d in check_text("x.rules", BASE + one_line).diagnostics} == {"RW012"}
    assert check_text("x.rules", "é" * 1_000_000).spec is None


@pytest.mark.parametrize(
    "expression",
    ["(" * 1000 + "1" + ")" * 1000, "- " * 1000 + "1", "not " * 1000 + "true", "{" * 1000,
     "1" + " + 1" * 2000, "f(" * 1000 + "1" + ")" * 1000, "true" + " implies true" * 1000,
     "[" * 1000, "1 if true else " * 1000 + "1"],
)  # fmt: skip
def test_a_thousand_levels_of_anything(expression):
    found = check_text("x.rules", f"{BASE}const deep = {expression}\n").diagnostics
    assert found and all(d.code.startswith("RW") for d in found)


def test_functions_that_call_each_other_in_a_long_chain():
    chain = "".join(f"fun f{i}(): Int = f{i + 1}() + 1\n" for i in range(800))
    found = check_text("x.rules", f"{BASE}{chain}fun f800(): Int = 1\n")
    assert found.spec is not None


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_text(text):
    check_text("x.rules", text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, "\n", "\n    ", "\n        ", " "]), max_size=60))
def test_any_pieces_of_the_language(pieces):
    check_text("x.rules", BASE + " ".join(pieces))


@st.composite
def mutated(draw):
    """Part of a real spec with some lines cut, swapped, doubled or broken."""
    start = draw(st.integers(0, len(LINES) - 1))
    lines = LINES[start : start + draw(st.integers(1, 80))]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        cut = draw(st.integers(0, len(line)))
        lines[at] = draw(
            st.sampled_from(
                [line[:cut], line[cut:], line[:cut] + draw(st.sampled_from(PIECES)) + line[cut:],
                 line + line, " " + line, line.lstrip(), line.replace("(", "[", 1),
                 line.replace(":", "", 1), line.replace("==", "=", 1)]
            )
        )  # fmt: skip
    return "".join(lines)


@settings(max_examples=250, deadline=None)
@given(mutated())
def test_mutated_specs(text):
    for found in check_text("x.rules", 'game x "X"\n    players 2..3\n' + text).diagnostics:
        assert found.message and found.line >= 1 and found.column >= 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(QWIXX)))
def test_half_a_file(length):
    check_text("x.rules", QWIXX[:length])


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_link_to_what_has_no_end(tmp_path):
    """A repository can hold such a link; its size is seen while it is read."""
    link = tmp_path / "endless.rules"
    link.symlink_to("/dev/zero")
    unusable(link, "RW011", "too large")

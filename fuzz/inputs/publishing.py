"""Books of strangers: a spec with all that is written for readers, and a translation of it."""

from __future__ import annotations

from random import Random

from fuzz.inputs.books import catalogue
from fuzz.inputs.mutated import spec
from fuzz.inputs.running import Case


def books(random: Random) -> Case:
    """A spec and its translation, and a command that makes something to read of them."""
    text = spec(random)
    language = random.choice((("--language", "is"), ()))
    command = random.choice((
        ("translate", "x.rules", *language),
        ("translate", "x.rules", "--check", *language),
        ("translate", "x.rules", "--language", "nb"),
        ("docs", "x.rules", "--no-prove", "--out", "pages"),
        ("rulebook", "x.rules", "--pdf", "--out", "books", *language),
        ("why", "x.rules", "--move", "a()", "--by", "1", *language),
        ("check", "x.rules", "--fix"),
    ))  # fmt: skip
    files = {"x.rules": text}
    if random.random() < 0.95:
        files["x.is.po"] = catalogue(text, random)
    formats = ("full", "concise", "json", "junit", "github", "sarif")
    return Case("books", (*command, "--format", random.choice(formats)), files)

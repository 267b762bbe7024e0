"""Colours `.rules` text in documentation: a lexer for Pygments."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
)

DECLARATIONS = (
    "game", "source", "term", "clause", "assumption", "type", "const", "table", "phase", "state",
    "start", "fun", "rule", "effect", "move", "chance", "deal", "step", "invariant", "always",
    "possible", "theorem", "initially", "secret", "ends", "section", "accept", "reading", "variant",
    "example", "view",
)  # fmt: skip
INSIDE = (
    "players", "each", "needs", "does", "when", "weight", "propose", "given", "expect", "plays",
    "cannot", "because", "replace", "add", "drop", "legend", "hidden", "simultaneous", "final",
    "default", "by", "under", "at", "document",
)  # fmt: skip
EXPRESSION = (
    "if", "elif", "else", "let", "for", "where", "all", "some", "count", "sum", "min", "max",
    "first", "largest", "smallest", "match",
    "with", "otherwise", "old",
)  # fmt: skip
OPERATORS = ("and", "or", "not", "implies", "in")
CONSTANTS = ("true", "false", "none")
BUILT_IN = (
    "left_of", "right_of", "size", "abs", "step", "column", "row", "occupied", "tally",
    "components", "neighbours", "ray", "reach", "connected",
)  # fmt: skip


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """The language of `.rules` files."""

    name = "Rulewright"
    aliases: ClassVar[list[str]] = ["rules", "rules-expression"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    tokens: ClassVar = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r'"[^"\n]*"', String),
            (
                rf"^({'|'.join(DECLARATIONS)})(\s+)([A-Za-z_][\w.]*)",
                bygroups(Keyword.Declaration, Text, Name.Function),
            ),
            (words(DECLARATIONS, prefix=r"^", suffix=r"\b"), Keyword.Declaration),
            (r"\b(must|never|may|can|example|aside|high|medium|low)(?=\s)", Keyword.Type),
            (
                r"(\[)(?=[a-z_]+\.[a-z_]+)([^\]\n]*)(\]?)",
                bygroups(Punctuation, Name.Decorator, Punctuation),
            ),
            (r"^(\s+)([a-z_]\w*)(?=\s+\")", bygroups(Text, Name.Label)),
            (words(INSIDE, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(EXPRESSION, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(OPERATORS, prefix=r"\b", suffix=r"\b"), Operator.Word),
            (words(CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(BUILT_IN, prefix=r"\b", suffix=r"(?=\()"), Name.Builtin),
            (r"\b[A-Z]\w*", Name.Class),
            (r"\b\d+\b", Number.Integer),
            (r"[A-Za-z_]\w*", Name),
            (r"==|!=|<=|>=|\+=|-=|\.\.|[-+*/%<>=&|?]", Operator),
            (r"[\[\]{}(),:.]", Punctuation),
            (r"\s+", Text),
        ],
    }

"""The TextMate grammar of the language, made from the parse tables, for editors that colour by it.

Keywords come from the grammar: what begins a declaration, what stands in one, what operates. A
semantic token of the server says more; this is what is seen before it has answered.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rulewright.meaning.elaborate import CLAUSE_KINDS, CONFIDENCES, FINDINGS, PHASE_MARKS
from rulewright.meaning.names.symbol_table import (
    BUILTIN_FUNCTIONS,
    BUILTIN_TYPES,
    BUILTIN_VALUES,
    DIRECTION_TYPES,
)
from rulewright.syntax.parsing.parse_tables import Tables, load_tables

OPERATORS = ("and", "or", "not", "implies", "in", "with", "otherwise")
NAME = r"[^\W\d]\w*"


def grammar(tables: Tables) -> dict[str, Any]:
    """The grammar as plain containers."""
    begins = tables.actions[tables.start]
    declarations = sorted(word for word, kind in tables.words.items() if kind in begins)
    built_in = {*BUILTIN_TYPES, *DIRECTION_TYPES}
    types = sorted({word for word in tables.words if word[0].isupper()} | built_in)
    inside = sorted(set(tables.words) - set(declarations) - set(OPERATORS) - set(types) - {"x"})
    kinds = sorted({*CLAUSE_KINDS, *CONFIDENCES, *FINDINGS, *PHASE_MARKS} - {"example"})
    values = sorted(set(BUILTIN_VALUES) - set(tables.words))
    signs = sorted(tables.symbols, key=lambda sign: (-len(sign), sign))
    operators = "|".join(_escaped(sign) for sign in signs if sign not in "()[]{},.:")
    patterns = [
        _match("comment.line.number-sign.rules", r"#.*$"),
        _match("string.quoted.double.rules", r'"[^"\n]*"'),
        {
            "match": rf"^({'|'.join(declarations)})\s+({NAME}(?:\.{NAME})*)",
            "captures": {
                "1": {"name": "keyword.declaration.rules"},
                "2": {"name": "entity.name.function.rules"},
            },
        },
        _match("keyword.declaration.rules", rf"^({'|'.join(declarations)})\b"),
        _match("entity.name.tag.rules", rf"(?<=\[|\s|,)\b{NAME}\.{NAME}(?:\.{NAME})*(?=\s*[,\]])"),
        _match("support.function.rules", rf"\b({'|'.join(BUILTIN_FUNCTIONS)})(?=\()"),
        _match("keyword.operator.word.rules", rf"\b({'|'.join(OPERATORS)})\b"),
        _match("keyword.control.rules", rf"\b({'|'.join(inside)})\b(?!\s*\()"),
        _match("keyword.control.rules", rf"^\s+({'|'.join(declarations)})\b(?=\s+{NAME})"),
        _match("storage.modifier.rules", rf"\b({'|'.join(kinds)})\b(?=\s)"),
        _match("constant.language.rules", rf"\b({'|'.join(values)})\b"),
        _match("support.type.rules", rf"\b({'|'.join(types)})\b"),
        _match("constant.other.square.rules", r"\b[A-Z]{1,2}\d{1,3}\b"),
        _match("entity.name.type.rules", r"\b[A-Z]\w*"),
        _match("constant.numeric.rules", r"\b\d+\b"),
        _match("keyword.operator.rules", operators),
    ]
    return {
        "name": "Rulewright",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": patterns,
    }


def _match(name: str, pattern: str) -> dict[str, str]:
    return {"name": name, "match": pattern}


def _escaped(sign: str) -> str:
    return "".join(f"\\{each}" for each in sign)


def text() -> str:
    """The file."""
    return json.dumps(grammar(load_tables()), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")

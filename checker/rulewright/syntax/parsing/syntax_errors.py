"""What is wrong with a line that the grammar cannot read, in words a person can act on.

Given the token that does not fit and where the parser stands, picks the mistake people usually
make there; failing that, says what could have stood instead.
"""

from __future__ import annotations

import re

from rulewright.diagnostics import Messages, Suggestion
from rulewright.syntax.node import Span
from rulewright.syntax.parsing.lexer import CLOSING, Lexer, Token
from rulewright.syntax.parsing.parse_tables import LAYOUT_TERMINALS, Tables

NAMES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CELL": "a value",
    "_NL": "the end of the line",
    "_BLOCK": "an indented block",
    "COMPARE": "a comparison",
    "ADD": "`+`",
    "MULTIPLY": "`*`",
}
EXPRESSION_STARTS = {"LPAR", "LBRACE", "LSQB", "QUANTIFIER", "LET", "MATCH", "NEXT", "MINUS"}
OPERATORS = {
    "COMPARE", "ADD", "MULTIPLY", "MINUS", "AND", "OR", "IMPLIES", "IN", "NOT", "IF", "OTHERWISE",
    "WITH", "LSQB", "DOT", "__ANON_0",
}  # fmt: skip
AFTER_COLON = {"NAME", "INT", "QUANTIFIER", "MATCH", "NEXT", "LPAR", "LBRACE", "NOT"}
FROM_ELSEWHERE = {
    "is": Suggestion("use `==`", "=="),
    "equals": Suggestion("use `==`", "=="),
    "isnt": Suggestion("use `!=`", "!="),
}
"""Words that other languages have where ours has a sign."""
DECLARED_ELSEWHERE = {
    "function": "fun", "func": "fun", "fn": "fun", "def": "fun", "procedure": "effect",
    "constant": "const", "let": "const", "enum": "type", "action": "move", "random": "chance",
    "lemma": "theorem", "test": "example", "property": "invariant", "variables": "state",
    "variable": "state", "vars": "state", "var": "state",
}  # fmt: skip
"""Words with which others begin a declaration, and ours."""
QUANTIFIERS = ("all", "some", "count", "sum", "min", "max", "first", "largest", "smallest")
_COMPARED = re.compile(r"[=!<>]=|[<>]|[()\[\]{}]")
INSTEAD = {
    "require": "needs", "requires": "needs", "needed": "needs", "do": "does", "then": "does",
    "forall": "all", "every": "all", "exists": "some", "any": "some", "elseif": "elif",
    "elsif": "elif",
}  # fmt: skip
"""Words of other languages, and ours."""
CLAUSE_KINDS = "`must`, `never`, `may`, `can`, `example` or `aside`"
_BARE_PROSE = re.compile(r"clause +[\w.]+ +(?:must|never|may|can|example|aside) +([^\W\d][^\"\n]*)")
"""A clause whose sentence has no quotes."""
_IDENTIFIER = re.compile(r'"[^\W\d]\w*"')
_LABELLED = re.compile(r"[ ]*[\"\[:]")
"""What follows the label of a requirement."""
SHORT = 40
"""Characters of what is repeated in a help."""


def explain(
    token: Token,
    before: Token | None,
    states: list[int],
    lexer: Lexer,
    tables: Tables,
    messages: Messages,
) -> None:
    """Reports why `token` cannot follow `before`."""
    accepted = {name for name in tables.actions[states[-1]] if tables.accepts(states, name)}
    at_line_end = token.type in ("_NL", "_BLOCK", "_END", "$END")
    span = _visible(token, before) if at_line_end else token.span
    found = f"`{token.text}`"
    if before is None:
        from difflib import get_close_matches

        words = _declaration_words(tables)
        near = get_close_matches(token.text, words, n=1, cutoff=0.6)
        ours = DECLARED_ELSEWHERE.get(token.text) or next(iter(near), None)
        help = _did_you_mean(ours) if ours else f"it begins with {_or(sorted(words))}"
        messages.unreadable(ours or "")
        messages.error("RW009", span, f"no declaration begins with {found}", help)
    elif (left := _left(token, lexer)) is not None:
        lexer.never_closed(before if before.end < left else None)
    elif token.text == ":" and lexer.brackets and _ends_line(token, lexer.text):
        lexer.never_closed(before)
    elif token.text == "=" and "COMPARE" in accepted:
        messages.error(
            "RW008", span, "`=` does not compare",
            Suggestion("use `==` to ask whether two things are equal", "=="),
        )  # fmt: skip
    elif token.text in FROM_ELSEWHERE and "COMPARE" in accepted:
        messages.error("RW001", span, f"{found} cannot stand here", FROM_ELSEWHERE[token.text])
    elif (prose := _bare_prose(token, lexer)) is not None:
        written = lexer.text[prose.start : prose.end]
        messages.error(
            "RW001", prose, "the sentence of a clause has no quotes",
            "prose stands in double quotes", (prose, f'"{written}"'),
        )  # fmt: skip
    elif token.type == "STRING" and _line_begins(before, lexer.text) == "clause" and (
        "NAME" in accepted
    ):  # fmt: skip
        messages.error(
            "RW001", span, "the clause does not say of which kind it is",
            f"write {CLAUSE_KINDS} before its sentence",
        )  # fmt: skip
    elif token.text == "==" and tables.symbols["="] in accepted:
        messages.error(
            "RW001", span, "`==` compares, it gives nothing a value", Suggestion("use `=`", "=")
        )
    elif before.text == "for" and token.text in QUANTIFIERS:
        messages.error(
            "RW001", before.span, f"`for {token.text}` cannot stand here",
            f"write `{token.text}`", (Span(before.start, token.end), token.text),
        )  # fmt: skip
    elif before.text in ("forall", "every", "exists", "any") and token.type == "NAME":
        instead = INSTEAD[before.text]
        messages.error(
            "RW001", before.span, f"`{before.text}` cannot stand here",
            Suggestion(f"use `{instead}`", instead),
        )  # fmt: skip
    elif token.type == "STRING" and "NAME" in accepted and _IDENTIFIER.fullmatch(token.text) and (
        "LPAR" in accepted
    ):  # fmt: skip
        name = token.text[1:-1]
        messages.error(
            "RW001", span, f"{found} cannot stand here",
            Suggestion(f"names have no quotes: `{name}`", name),
        )  # fmt: skip
    elif token.type == "COMPARE" and before.type == "NAME" and "COLON" in accepted:
        messages.error(
            "RW001", span, "a requirement has a name before its condition",
            f"write `name: {before.text} {token.text} ...`, with a name of your own",
        )  # fmt: skip
    elif before.text in QUANTIFIERS and token.type == "NAME" and "QUANTIFIER" not in accepted:
        messages.error(
            "RW007", span, f"what does `{before.text}` go through?",
            f"write `{before.text} {token.text}: Type: ...`, or `... {token.text} in ...:`",
        )  # fmt: skip
    elif token.type == "COMPARE":
        messages.error(
            "RW001", span, "comparisons cannot be chained", *_twice(token, lexer.text),
        )  # fmt: skip
    elif (
        "COLON" in accepted
        and (at_line_end or token.type in AFTER_COLON or _steps_in(token, before, lexer))
        and (accepted.isdisjoint(EXPRESSION_STARTS - {"LSQB", "MINUS"}))
    ):
        messages.error(
            "RW007", span, "a colon is missing here", "put `:` after what comes before",
            (Span(before.end, token.end if _opens(token, lexer.text) else before.end), ":"),
        )  # fmt: skip
    elif _steps_in(token, before, lexer):
        messages.error(
            "RW003", span, f"this line is indented deeper, yet {found} cannot continue the last",
            "indent it like the line above if it is a line of its own",
            _indented_like(before, token, lexer.text),
        )  # fmt: skip
    elif at_line_end and "_BLOCK" in accepted:
        messages.error(
            "RW010", span, "something must be indented below this line",
            "put what belongs to it on the next line, four spaces further in",
        )  # fmt: skip
    elif at_line_end and _line_begins(before, lexer.text) == "term" and before.type == "STRING":
        messages.error(
            "RW010", span, "a term says by which word each source calls it",
            "write the name of a source and the word: `en \"tile\", is \"kubbur\"`",
        )  # fmt: skip
    elif at_line_end:
        messages.error(
            "RW010", span, "this line is not finished",
            f"write both ends: `{before.text}..{before.text}`"
            if before.type == "INT" and accepted == {tables.symbols[".."]}
            else _expected(accepted, tables),
            (Span(before.end, before.end), f"..{before.text}")
            if before.type == "INT" and accepted == {tables.symbols[".."]}
            else None,
        )  # fmt: skip
    elif token.text == "if" and before.text == "else":
        messages.error(
            "RW001", span, "`else if` is written `elif`", "write `elif ...:`",
            (Span(before.start, token.end), "elif"),
        )  # fmt: skip
    elif (
        token.type == "NAME"
        and tables.words["needs"] in accepted
        and _LABELLED.match(lexer.text, token.end)
    ):
        messages.error(
            "RW001", span, f"a requirement of a move begins with `needs`, not with {found}",
            f"write `needs {token.text} ...`", (Span(token.start, token.start), "needs "),
        )  # fmt: skip
    elif before.text in ("when", "unless", "while") and "_NL" not in accepted:
        messages.error(
            "RW001", span, f"`{before.text}` does not begin a statement",
            "what depends on a condition stands under `if ...:`",
        )  # fmt: skip
    elif token.text == "," and _line_before(messages, token).lstrip().startswith("let "):
        messages.error(
            "RW001", span, "this `let` names one value",
            "name the next one on a line of its own: `let x = ...`",
        )  # fmt: skip
    elif (
        token.text == "]"
        and accepted.isdisjoint(EXPRESSION_STARTS)
        and "List" in _line_before(messages, token)
    ):
        messages.error(
            "RW001", span, "this list has no largest length", "write it behind the type: "
            "`List[T, 12]`",
        )  # fmt: skip
    elif token.text == "[" and before.type == "NAME" and accepted.isdisjoint(EXPRESSION_STARTS):
        messages.error(
            "RW001", span, f"there is no type `{before.text}[...]`",
            "there are `Set[T]`, `Bag[T]` and `List[T, 12]`; a map has its index behind its name: "
            "`path[1..8]: T?`",
        )  # fmt: skip
    else:
        meant = _meant(token, accepted, tables) or _expected(accepted, tables)
        messages.error("RW001", span, f"{found} cannot stand here", meant)


def _bare_prose(token: Token, lexer: Lexer) -> Span | None:
    """Where the sentence of a clause stands, if it has no quotes."""
    start = lexer.text.rfind("\n", 0, token.start) + 1
    found = _BARE_PROSE.match(lexer.text, start)
    if found is None or token.start < found.start(1):
        return None
    return Span(found.start(1), found.start(1) + len(found[1].rstrip()))


def _opens(token: Token, text: str) -> bool:
    """Whether a token opens a block in other languages, at the end of its line."""
    ends = text[token.end :].split("\n", 1)[0].strip() == ""
    return token.text in ("then", "do", "{") and ends


def _line_before(messages: Messages, token: Token) -> str:
    text = messages.text.text
    return text[text.rfind("\n", 0, token.start) + 1 : token.start]


def _did_you_mean(word: str) -> Suggestion:
    return Suggestion(f"did you mean `{word}`?", word)


def _indented_like(before: Token, token: Token, text: str) -> tuple[Span, str]:
    """The change that indents the line of a token like that of the one before it."""
    above = text.rfind("\n", 0, before.start) + 1
    line = text[above : before.start]
    begin = text.rfind("\n", 0, token.start) + 1
    return Span(begin, token.start), " " * (len(line) - len(line.lstrip(" ")))


def _line_begins(token: Token, text: str) -> str:
    """The first word of the line that a token stands on."""
    words = text[text.rfind("\n", 0, token.start) + 1 :].split(None, 1)
    return words[0] if words else ""


def _twice(token: Token, text: str) -> tuple[str, tuple[Span, str] | None]:
    """How to write the comparison that somebody wanted to chain at a token: what stands in the
    middle is compared with both sides. Also as a change, if it can be told."""
    depth, at = 0, token.start
    for found in reversed(list(_COMPARED.finditer(text, text.rfind("\n", 0, at) + 1, at))):
        sign = found.group()
        depth += (sign in ")]}") - (sign in "([{")
        if depth < 0:
            break
        if not depth and sign not in "([{)]}":
            middle = text[found.end() : at].strip()
            if middle and len(middle) <= SHORT:
                both = f"... {sign} {middle} and {middle} {token.text} ..."
                change = Span(token.start, token.start), f"and {middle} "
                return f"compare twice: `{both}`", change
            break
    return "compare twice, with `and` in between", None


def _declaration_words(tables: Tables) -> list[str]:
    begins = tables.actions[tables.start]
    return [word for word, terminal in tables.words.items() if terminal in begins]


def _steps_in(token: Token, before: Token, lexer: Lexer) -> bool:
    """Whether the token is the first of a line that was taken to continue the one above."""
    if lexer.brackets or before.type in LAYOUT_TERMINALS:
        return False
    between = lexer.text[before.end : token.start]
    return "\n" in between


def _left(token: Token, lexer: Lexer) -> int | None:
    """Where the line begins that leaves a bracket which is still open, up to the line of a token:
    what is in brackets stands deeper than the line that they are opened on."""
    text = lexer.text
    if not lexer.brackets or lexer.brackets[-1].start >= token.start:
        return None
    opened = _indent(text, text.rfind("\n", 0, lexer.brackets[0].start) + 1)
    line = text.find("\n", lexer.brackets[-1].start) + 1
    while 0 < line <= token.start:
        first = text[line + _indent(text, line) :][:1]
        if first not in ("", "\n", "#", *CLOSING) and _indent(text, line) <= opened:
            return line
        line = text.find("\n", line) + 1
    return None


def _ends_line(token: Token, text: str) -> bool:
    """Whether nothing but a comment follows on the line."""
    rest = text[token.end :].split("\n", 1)[0].strip()
    return not rest or rest.startswith("#")


def _indent(text: str, line: int) -> int:
    """How far a line is indented."""
    end = line
    while text[end : end + 1] == " ":
        end += 1
    return end - line


def _visible(token: Token, before: Token | None) -> Span:
    """The end of a line has no text of its own: point right behind what stands before it."""
    return Span(before.end, before.end + 1) if before else token.span


def _meant(token: Token, accepted: set[str], tables: Tables) -> Suggestion | str | None:
    """The keyword that a misspelt word was probably meant to be, or that it is prose."""
    from difflib import get_close_matches

    words = [word for word, terminal in tables.words.items() if terminal in accepted]
    if INSTEAD.get(token.text) in words:
        return _did_you_mean(INSTEAD[token.text])
    near = get_close_matches(token.text, words, n=1, cutoff=0.6)
    if near:
        return _did_you_mean(near[0])
    only = [sign for sign, terminal in tables.symbols.items() if {terminal} == accepted]
    if only and token.text == "-":
        return _did_you_mean(only[0])
    if "STRING" in accepted and token.type == "NAME" and accepted.isdisjoint(OPERATORS - {"LSQB"}):
        return f'prose stands in double quotes: `"{token.text} ..."`'
    return None


def _expected(accepted: set[str], tables: Tables) -> str | None:
    """What could stand instead, in a few words."""
    found: list[str] = []
    rest = set(accepted)
    if "LPAR" in rest and "LBRACE" in rest:
        found.append("an expression")
        rest -= EXPRESSION_STARTS | {"NAME", "INT", "NOT"}
    elif len(rest & OPERATORS) > 4:
        found.append("an operator")
        rest -= OPERATORS
    texts: dict[str, list[str]] = {}
    for text, terminal in [*tables.words.items(), *tables.symbols.items()]:
        texts.setdefault(terminal, []).append(text)
    for terminal in sorted(rest):
        if terminal in NAMES:
            found.append(NAMES[terminal])
        else:
            found += [f"`{text}`" for text in texts.get(terminal, ())]
    if not found:
        return None
    return f"here can stand {_or(found[:8])}"


def _or(words: list[str]) -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} or {words[-1]}"

"""The same declarations in another hand: random spacing, indentation, line ends and comments."""

from __future__ import annotations

from random import Random

from rulewright.syntax.parsing.parse_tables import Tables
from tests.syntax.tokens import Read, read_tokens

COMMENTS = ("#", "# why", '# "quoted', "#x # y", "# state", "#\tstep  ", "# ünï")
TIGHT = set("()[]{},:")
HEADS = ("NEEDS", "WHEN", "DOES", "GIVEN", "COLON")
"""What stands beside these may also stand below them."""


class Scrawl:
    """Writes tokens down again. With `comments` and `blanks` it strews those in, too."""

    def __init__(self, random: Random, comments: bool, blanks: bool) -> None:
        self.random = random
        self.comments = comments
        self.blanks = blanks
        self.broken = random.choice((0.1, 0.1, 0.1, 0.5))
        """How often a line ends where it may."""
        self.out: list[str] = []
        self.written: list[str] = []
        """The comments strewn in, in order."""

    def declaration(self, reads: list[Read]) -> None:
        """One declaration, from its first token to the end of its last line."""
        self.indents = [0]
        self.brackets = 0
        self.extra_block = False
        self.lines_of_comments()
        for position, (token, accepted) in enumerate(reads):
            match token.type:
                case "_NL":
                    ended = int(self.extra_block)
                    while reads[position + 1].token.type == "_END":
                        position, ended = position + 1, ended + 1
                    self.extra_block = False
                    del self.indents[len(self.indents) - ended :]
                    self.end_line(last=reads[position + 1].token.type == "$END")
                case "_BLOCK":
                    self.open_block()
                case "_END" | "$END":
                    pass
                case _:
                    if position and reads[position - 1].token.text:
                        self.gap(reads, position)
                    if "LPAR" in accepted and token.type in ("NAME", "INT"):
                        self.atom(token.text, reads[position + 1].token.text)
                    else:
                        self.out.append(token.text)
                    if "CELL" not in accepted:
                        self.brackets += (token.text in "([{") - (token.text in ")]}")

    def open_block(self) -> None:
        """The end of a head, and the indentation of its block."""
        self.indents.append(self.indents[-1] + self.random.randint(1, 6))
        self.end_line()

    def atom(self, text: str, following: str) -> None:
        """A name or a number in an expression, perhaps in parentheses of its own."""
        if following in ("(", "=") or self.random.random() > 0.05:
            self.out.append(text)
        else:
            self.brackets += 1
            for each in ("(", text, ")"):
                self.out.append(each)
                if each != ")" and self.random.random() < 0.3:
                    self.break_line()
            self.brackets -= 1

    def gap(self, reads: list[Read], position: int) -> None:
        """What stands between two tokens of one line."""
        before, here = reads[position - 1].token, reads[position]
        if before.type in HEADS and "_BLOCK" in here.accepted and self.random.random() < 0.3:
            self.open_block()
            self.extra_block = True
            return
        binder = any(
            read.token.type in ("QUANTIFIER", "MATCH", "NEXT")
            for read in reads[max(position - 2, 0) : position]
        )
        free = "CELL" not in here.accepted and not binder
        if free and (TIGHT & {before.text, here.token.text}) and self.random.random() < 0.5:
            return
        may_end = self.brackets > 0 or "_BLOCK" not in here.accepted
        if free and may_end and self.random.random() < self.broken:
            self.break_line()
        else:
            self.out.append(" " * self.random.choice((1, 1, 1, 2, 5)))

    def break_line(self) -> None:
        """The end of a line that goes on below."""
        self.comment(0.3)
        self.out.append("\n")
        self.lines_of_comments()
        least = 1 if self.brackets else self.indents[-1] + 1
        self.out.append(" " * self.random.randint(least, least + 9))

    def end_line(self, last: bool = False) -> None:
        """The end of a line, and the beginning of the next."""
        self.out.append(" " * self.random.choice((0, 0, 1, 3)))
        self.comment(0.2)
        self.out.append("\n")
        self.lines_of_comments()
        if not last:
            self.out.append(" " * self.indents[-1])

    def comment(self, chance: float) -> None:
        """Perhaps a comment, up to the end of the line."""
        if self.comments and self.random.random() < chance:
            comment = self.random.choice(COMMENTS)
            self.written.append(comment.rstrip())
            self.out.append(" " * self.random.randint(1, 3) + comment)

    def lines_of_comments(self) -> None:
        """Perhaps blank lines, perhaps lines that are comments."""
        while self.random.random() < 0.15:
            if self.blanks and self.random.random() < 0.6:
                self.out.append(" " * self.random.choice((0, 2)) + "\n")
            if self.comments:
                self.out.append(" " * self.random.choice((0, 0, 2, 4, 5, 8)))
                comment = self.random.choice(COMMENTS)
                self.written.append(comment.rstrip())
                self.out.append(comment + "\n")


def scrawl(
    text: str, tables: Tables, random: Random, comments: bool = True, blanks: bool = True
) -> tuple[str, list[str]]:
    """The declarations of a readable text written down anew, and the comments strewn in."""
    hand = Scrawl(random, comments, blanks)
    for reads in read_tokens(text, tables):
        hand.declaration(reads)
    return "".join(hand.out), hand.written

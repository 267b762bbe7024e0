"""Text that tries to get out of wherever it stands, and names of many alphabets."""

from __future__ import annotations

from random import Random

HOSTILE = (
    "<script>alert(1)</script>", "[x](javascript:alert(1))", "`", "```", "{{7*7}}", "{% raw %}",
    "'); import os; os.abort() #", "\\", "$(touch x)", "; rm x", "::error::x", "##[error]x",
    "%0A::error::", "</textarea></title>", "&lt;b&gt;", "{: onload=x }", "--8<-- 'x'", "| a | b |",
    "../../x", "-h", "--format", "%s%n", "{0.__class__}", "'", "é", "数", "🎲", "", " ", "\u00a0",
)  # fmt: skip
HIDDEN = ("\r", "\x00", "\x1b[2J", "\x07", "\u202e", "\u2028", "\u200b", "\ufeff", "\x85", "\ud800")
NAMES = (
    "a", "b", "x1", "_", "_0", "__", "é", "ﬁ", "数", "þorn", "v1", "do_0", "len", "exec", "None",
    "class", "lambda", "self", "constant_1", "table", "step", "phase", "active", "winner", "old",
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, 5, 7, 10, 40, 41, 63, 64, 65, 100, 255, 256, 257, 512, 1000)
HUGE = (10**6, 2**31, 10**9, 2**53, 10**15 - 1, 10**15, 10**40)


def prose(random: Random) -> str:
    """A sentence for a spec: no quote and no line end, which would end it."""
    words = random.choices(HOSTILE, k=random.randint(1, 3))
    if random.random() < 0.002:
        words.append(random.choice(HIDDEN[:-1]))
    return " ".join(words).replace('"', "'")


def anything(random: Random) -> str:
    """Any text at all."""
    kinds = (HOSTILE, HIDDEN, NAMES, [str(random.choice(NUMBERS + HUGE))])
    return "".join(random.choice(random.choice(kinds)) for _ in range(random.randint(1, 4)))

"""What the program's exit code says. Other programs depend on these numbers."""

HOLDS = 0
"""Everything asked for holds."""
FAILS = 1
"""Something does not: refuted, differs, illegal, a lint error."""
UNUSABLE = 2
"""The input cannot be used: syntax, types, a missing file, a bad option."""
UNDECIDED = 3
"""Something could not be decided: unknown, out of time, interrupted."""
BUG = 4
"""A bug of ours."""
NOBODY_READS = 141
"""Whoever was reading the output has gone away."""

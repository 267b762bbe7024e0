"""Keeps the memory that a solver gives back for the next question, where the system lets it: each
question wants some 16 MB, and to have those pages fetched and cleared anew takes as long as many a
question.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache

KEPT = 64 << 20
"""So many bytes are not given back to the system at once."""
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""The names of these settings for `mallopt`."""


@cache
def keep_memory() -> None:
    """Has this process, and those that come from it, keep memory that is given back."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):  # only the GNU library has this
        settle = ctypes.CDLL(None).mallopt
        settle(TRIM_THRESHOLD, KEPT)
        settle(MMAP_THRESHOLD, KEPT // 2)

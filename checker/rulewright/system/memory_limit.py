"""Bounds the memory of a process: one that asks for more gets a `MemoryError` instead.

What counts is memory that can be written to; address space that is only set aside, as some
libraries do by the gigabyte, does not. Only Linux keeps to such a bound; elsewhere nothing is
bounded. An engine may need what it needs: the supervisor that starts it lifts the bound again.
"""

from __future__ import annotations

import os

from rulewright.system.limits import most

LEAST = 1 << 30
OWN_PART = 2
"""The program itself may have one part in so many of what the machine has."""
CONTAINER = "/sys/fs/cgroup/memory.max"
"""Where Linux says how much a container may have."""


def own_share() -> int:
    """The bytes that the program itself may have."""
    return (most("memory") << 20) or max(LEAST, _machine() // OWN_PART)


def worker_share(workers: int) -> int:
    """The bytes that each of so many processes may have that work side by side."""
    return (most("memory") << 20) or max(LEAST, _machine() // workers)


class Bounded:
    """What is done in here may take so many bytes, or fewer if fewer were allowed before."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._before: tuple[int, int] | None = None

    def __enter__(self) -> None:
        try:
            import resource

            soft, hard = self._before = resource.getrlimit(resource.RLIMIT_DATA)
            allowed = [each for each in (soft, hard) if each != resource.RLIM_INFINITY]
            resource.setrlimit(resource.RLIMIT_DATA, (min([self._size, *allowed]), hard))
        except (ImportError, OSError, ValueError):
            return

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, self._before)


def _machine() -> int:
    """The bytes of memory that there are, for all that runs in our container."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return LEAST
    try:
        with open(CONTAINER, encoding="ascii") as told:
            return min(found, int(told.read()))
    except (OSError, ValueError):  # no container, or one without a bound ("max")
        return found

"""Memory that was given back is there for the next question."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

FETCHED_AGAIN = """
import ctypes, resource, sys
from rulewright.smt.solver.malloc_tuning import keep_memory

if sys.argv[1] == "keep":
    keep_memory()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
size = 20 << 20

def pages() -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    place = ctypes.c_void_p(library.malloc(ctypes.c_size_t(size)))
    ctypes.memset(place, 1, size)
    library.free(place)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

pages()
print(pages())
"""


def fetched_again(how: str) -> int:
    """How many pages a process fetches for memory that it had before."""
    command = [sys.executable, "-c", FETCHED_AGAIN, how]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the GNU library has this")
def test_memory_is_fetched_once() -> None:
    assert 2 * fetched_again("keep") < fetched_again("usual")

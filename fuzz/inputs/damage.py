"""Damages what the program keeps: bits, ends, all of it, or another content with a checksum of it.

Whoever can write to the cache of somebody else can do worse; but disks fail, versions differ, and
what is kept must never be more than a way to answer sooner.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from fuzz.inputs.mutated import changed
from rulewright.system.store import MARK, digest


def damage(cache: Path, seed: int) -> None:
    """Damages some of the entries below a folder."""
    random = Random(seed)
    entries = sorted(each for each in cache.rglob("*") if each.is_file())
    for each in random.sample(entries, min(len(entries), random.choice((1, 3, 1000)))):
        each.write_bytes(_damaged(each.read_bytes(), random))


def _damaged(content: bytes, random: Random) -> bytes:
    way = random.randrange(5)
    if way == 0 and content:
        at = random.randrange(len(content))
        return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]
    if way == 1:
        return content[: random.randrange(len(content) + 1)]
    if way == 2:
        return random.randbytes(random.choice((0, 1, 4000)))
    return _forged(content, random)


def _forged(content: bytes, random: Random) -> bytes:
    """Another content, with a checksum of it alone: a checksum is of the key as well."""
    _, _, body = content.partition(b"\n")
    try:
        other = json.dumps(changed(json.loads(body), random)).encode()
    except ValueError:
        return b""
    return f"{MARK} {digest(other)}".encode() + b"\n" + other

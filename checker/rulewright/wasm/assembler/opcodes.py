"""The numbers of the instructions: for i32 and i64, or by type, width and sign."""

from __future__ import annotations

NUMERIC = {
    "clz": (0x67, 0x79), "ctz": (0x68, 0x7A), "popcnt": (0x69, 0x7B),
    "add": (0x6A, 0x7C), "sub": (0x6B, 0x7D), "mul": (0x6C, 0x7E), "div_s": (0x6D, 0x7F),
    "div_u": (0x6E, 0x80), "rem_s": (0x6F, 0x81), "rem_u": (0x70, 0x82), "and": (0x71, 0x83),
    "or": (0x72, 0x84), "xor": (0x73, 0x85), "shl": (0x74, 0x86), "shr_s": (0x75, 0x87),
    "shr_u": (0x76, 0x88), "rotl": (0x77, 0x89), "rotr": (0x78, 0x8A),
}  # fmt: skip
COMPARISON = {
    "eqz": (0x45, 0x50), "eq": (0x46, 0x51), "ne": (0x47, 0x52), "lt_s": (0x48, 0x53),
    "lt_u": (0x49, 0x54), "gt_s": (0x4A, 0x55), "gt_u": (0x4B, 0x56), "le_s": (0x4C, 0x57),
    "le_u": (0x4D, 0x58), "ge_s": (0x4E, 0x59), "ge_u": (0x4F, 0x5A),
}  # fmt: skip
ENCODED = {
    (name, type): bytes((codes[type == "i64"],))
    for name, codes in (*NUMERIC.items(), *COMPARISON.items())
    for type in ("i32", "i64")
}
"""An operation or comparison of two numbers of a type, as it is written."""
LOAD = {
    ("i32", 1, True): 0x2C,
    ("i32", 1, False): 0x2D,
    ("i32", 2, True): 0x2E,
    ("i32", 2, False): 0x2F,
    ("i32", 4, True): 0x28,
    ("i32", 4, False): 0x28,
    ("i64", 1, True): 0x30,
    ("i64", 1, False): 0x31,
    ("i64", 2, True): 0x32,
    ("i64", 2, False): 0x33,
    ("i64", 4, True): 0x34,
    ("i64", 4, False): 0x35,
    ("i64", 8, True): 0x29,
    ("i64", 8, False): 0x29,
}
STORE = {
    ("i32", 1): 0x3A, ("i32", 2): 0x3B, ("i32", 4): 0x36,
    ("i64", 1): 0x3C, ("i64", 2): 0x3D, ("i64", 4): 0x3E, ("i64", 8): 0x37,
}  # fmt: skip


PURE = frozenset(bytes((opcode[0],)) for opcode in NUMERIC.values())
"""The operations on i32, by their first byte."""
TRUTHS = frozenset(bytes((each,)) for codes in COMPARISON.values() for each in codes)
"""The comparisons."""
EQZ = frozenset(bytes((each,)) for each in COMPARISON["eqz"])
JOINED = frozenset(bytes((NUMERIC[name][0],)) for name in ("and", "or", "xor"))
"""What makes truths of truths."""
HARMLESS = TRUTHS | frozenset(
    bytes((each,)) for name in ("add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u")
    for each in NUMERIC[name]
)  # fmt: skip
"""What never traps, and takes no longer than a branch."""
AT_LEAST = {bytes((each,)): more for name, more in (("ge_s", 0), ("gt_s", 1))
            for each in COMPARISON[name]}  # fmt: skip
AT_MOST = {bytes((each,)): more for name, more in (("le_s", 0), ("lt_s", -1))
           for each in COMPARISON[name]}  # fmt: skip
"""What compares a number with a least or greatest one, and how far that is from the limit."""

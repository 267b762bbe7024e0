"""The kernel: the only part of the program that can call something proved, impossible or ending.

It enumerates from the core what has to be shown (`obligations`), writes each obligation down as a
question (`questions`, `order`, `ranking`), takes a refutation of it only by its own rules
(`refute`), and calls a claim proved when every obligation of it is refuted and everything it rests
on is proved in the same run (`ledger`). Everything else in the program proposes. The rules and
their arguments are on one page: docs/explanation/kernel.md.
"""

"""The kernel: the only part of the program that can call something proved, impossible or equal.

It enumerates from the core what has to be shown (`obligations`, of two specs `comparison`), takes a
refutation of a question only by its own rules (`refutation`), shows that games end (`ranking`),
goes through all positions of small ones (`exploration`), and calls a claim proved when every
obligation of it is refuted and all that it rests on is proved in the same run (`ledger`). What an
obligation says as a question is written down by `rulewright.vc`. Everything else in the program
proposes. The rules and their arguments are on one page: docs/explanation/kernel.md."""

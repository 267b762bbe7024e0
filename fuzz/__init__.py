"""Holds the prover to the truth: random small games, gone through position by position.

A developer's tool, not installed. `python -m fuzz` (or `make fuzz-proofs`) makes specs, finds out
by the plain evaluator alone what is true of them, and compares that with every verdict.
"""

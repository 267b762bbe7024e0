"""Proving a spec: what must hold, asked of a solver, answered with proofs or games."""

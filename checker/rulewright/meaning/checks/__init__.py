"""Checks of a spec that is well typed: lints, clause evidence, information flow, sizes."""

"""Mutation analysis of a spec: operators, mutants, what kills them, which are equivalent."""

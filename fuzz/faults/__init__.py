"""Deliberate faults of the program, which the fuzzer must notice."""

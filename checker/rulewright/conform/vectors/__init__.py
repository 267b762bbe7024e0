"""Test vectors: a position and an event for every mutant that can be shown."""

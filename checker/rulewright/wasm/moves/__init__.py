"""Compiled moves: choices, legality, chance, near misses."""

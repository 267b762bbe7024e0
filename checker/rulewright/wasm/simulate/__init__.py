"""Compiled simulation: random games and state exploration inside the module."""

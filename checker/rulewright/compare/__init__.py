"""Asking whether two specs differ: heuristics that propose to the kernel, and small models."""

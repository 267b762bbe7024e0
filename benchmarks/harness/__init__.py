"""Measures, keeps and shows: what the benchmarks have in common."""

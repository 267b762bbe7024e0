"""Holds what the program says against the truth, and keeps what is false."""

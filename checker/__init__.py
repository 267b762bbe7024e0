"""Rulewright: write the rules of a game once; prove them, play them, publish them, hold engines to them."""

__version__ = "0.1.0"

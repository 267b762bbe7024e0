"""Rulewright: the rules of a game, written once, proved, played, published, held to engines."""

__version__ = "0.1.0"

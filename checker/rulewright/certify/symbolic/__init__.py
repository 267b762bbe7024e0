"""The certifier's own symbolic evaluator."""

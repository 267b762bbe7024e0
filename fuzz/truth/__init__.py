"""The truth about a small game, by the evaluator alone: every position, every game."""

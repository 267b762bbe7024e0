"""The evaluator: what a spec means, in play. Everything else is held to it."""

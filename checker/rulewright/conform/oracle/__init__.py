"""The spec as test oracle: what is legal, what follows, which clauses were exercised."""

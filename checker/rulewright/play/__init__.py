"""Playing a spec: what its core means, move by move."""

"""Looks for games that witness or refute: at random, directed, explicit-state, bounded model
checking."""

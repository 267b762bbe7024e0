"""A compiled game, played from Python: modules, events, claims."""

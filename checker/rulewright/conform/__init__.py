"""Holds an engine to a spec: both are told the same events and must agree on what follows."""

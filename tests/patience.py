"""How long tests wait for what is certain to come."""

PATIENCE = 900.0
"""Seconds until something is taken to hang. Whatever waits so long is broken: no test is decided by
how busy a machine is."""

"""Recorded games of which not all is known: whether there is anything that makes them legal."""

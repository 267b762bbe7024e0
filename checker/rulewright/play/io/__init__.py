"""Positions, events and games as text and JSON: notation, traces, replay."""

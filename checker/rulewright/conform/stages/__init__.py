"""The stages of a conformance check, and the pytest plugin."""

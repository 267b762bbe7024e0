"""Random small specs, and mutations of specs, as text."""

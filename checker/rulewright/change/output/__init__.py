"""A change as text, HTML and JSON."""

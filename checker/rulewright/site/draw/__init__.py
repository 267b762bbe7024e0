"""Pictures of positions as SVG."""

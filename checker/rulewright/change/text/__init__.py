"""What changed in the text of a spec, and what belongs together on both sides."""

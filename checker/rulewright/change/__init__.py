"""What a rule change does: the story of the text, and what is different in play."""

"""One module per page of a game."""

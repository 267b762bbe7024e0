"""What commands are given: specs, versions of specs, a game to open."""

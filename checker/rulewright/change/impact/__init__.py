"""What a change does to properties, examples, recorded games and play."""

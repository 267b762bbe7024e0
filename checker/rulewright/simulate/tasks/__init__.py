"""Random play and replay as tasks, so that others can do them."""

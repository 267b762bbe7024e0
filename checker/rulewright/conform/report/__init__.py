"""A difference as somebody reads it: shrunk, blamed on a clause, in words."""

"""Reference engines, written from the rulebooks; they know nothing of the checker."""

"""The rulebook in print, typeset with Typst."""

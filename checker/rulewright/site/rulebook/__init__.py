"""The rulebook that people play from: one content, shown as a page and in print."""

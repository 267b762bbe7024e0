"""Answers kept and shared: by what was asked, by which program, and how much work they took."""

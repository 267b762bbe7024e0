"""The questions that are measured, a module for each group."""

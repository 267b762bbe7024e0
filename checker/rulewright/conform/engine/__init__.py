"""Engines under test: Python objects and programs, behind one protocol."""

"""Strengthens inductions: finds helper invariants from templates and samples."""

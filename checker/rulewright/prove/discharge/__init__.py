"""Discharges obligations: slices goals, splits cases, asks the solver."""

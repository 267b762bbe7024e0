"""The certifier's own terms, SMT-LIB text and solvers."""

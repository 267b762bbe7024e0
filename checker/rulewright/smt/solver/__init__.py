"""Terms to SMT-LIB text, the solver, and models back to positions."""

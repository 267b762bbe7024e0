"""From the core to SMT-LIB text, to a solver, and back to positions and moves."""

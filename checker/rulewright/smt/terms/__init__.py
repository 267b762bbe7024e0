"""Terms: what a solver is asked about, simplified as they are built."""

"""The prover as a whole: configurations, jobs, worker processes, kept outcomes."""

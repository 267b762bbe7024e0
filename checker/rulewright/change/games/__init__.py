"""Games that reach a difference: played in lockstep, or found by the solver."""

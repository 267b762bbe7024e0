"""An independent check of what the prover says: shares with it the core of a spec, and no more."""

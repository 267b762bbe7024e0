"""From answers to verdicts: validation of models, vacuity, cross-checks, wording."""

"""What every layer may use of the machine: processes, signals, work budgets, size limits, the
artefact store."""

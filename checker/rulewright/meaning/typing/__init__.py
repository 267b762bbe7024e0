"""Type checking and elaboration, construct by construct, into the core."""

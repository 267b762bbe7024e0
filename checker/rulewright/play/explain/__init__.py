"""Says what happened and why: refusals, state differences, examples, pictures in text."""

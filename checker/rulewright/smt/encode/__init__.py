"""The encoder: expressions and statements of the core as terms."""

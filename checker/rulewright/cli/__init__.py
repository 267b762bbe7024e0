"""The `rulewright` program: one module per command, none of which prints anything itself."""

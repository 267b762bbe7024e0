"""What `rulewright new` starts a game from."""

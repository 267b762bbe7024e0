"""The work of commands as tasks, where a command is the only one that does it."""

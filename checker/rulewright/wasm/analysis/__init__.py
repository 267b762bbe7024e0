"""What the compiler knows of expressions before it writes code: ranges, free names, order."""

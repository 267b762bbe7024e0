"""Links a game's module, loads it with wasmtime, and plays it from Python."""

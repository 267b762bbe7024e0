"""Name resolution: the symbol table, scopes, declared types."""

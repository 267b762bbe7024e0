"""Text to tree: lexer, LALR(1) tables, parser, tree builder, and what to say of a syntax error."""

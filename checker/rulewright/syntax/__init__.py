"""Text to tree and back: lexing by layout, LALR(1) parsing, the tree, the canonical layout."""

"""The language server: what an editor asks while somebody writes rules, over stdio."""

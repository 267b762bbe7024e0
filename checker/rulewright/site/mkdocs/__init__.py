"""The MkDocs plugin: directives, highlighting, content security policy."""

"""The code generator: values in memory, expressions and statements of the core."""

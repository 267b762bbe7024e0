"""WebAssembly as such: instructions, modules, the binary format."""

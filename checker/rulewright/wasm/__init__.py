"""Rules compiled to WebAssembly: the fast player.

    code, module     typed instructions and the binary module they are put into
    engine           wasmtime, bound by hand: loading a module, calling it, its memory
    layout           how values and positions are kept in memory
    the others       the core, from expressions to whole games

The plain evaluator in `rulewright.play` is the definition of what a spec means; what is compiled
here must agree with it, and where something cannot be compiled it says so with `Unsupported`."""

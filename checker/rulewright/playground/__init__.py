"""The playground: the whole program in a page, where Python runs in the browser (Pyodide).

    solver     z3 as the browser has it, under the name that the prover asks for
    session    what a page asks, answered
    board      a game on the page: drawn, played, gone back in

The page itself, and what builds it, is in `playground/` of the checkout."""

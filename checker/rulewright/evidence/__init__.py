"""Evidence: whether breaking a sentence of the rulebook would show.

A clause is carried out by requirements, effects, functions, tables and constants. Each of these is
broken on purpose (`mistakes`), and the properties and examples of the spec are asked whether they
notice (`noticers`). `clause_table` says for every clause what notices what, and what nothing does;
`trivial_claims` finds properties that could not notice anything; `suggestion` writes the example
that would."""

"""Games that are looked for: who decides what happens, what is met, how games are shortened."""

"""Board games of Ludax played at random, many at a time, as it is meant to be used.

`python -m benchmarks.peers.boards_ludax GAME BATCH STEPS` prints the steps and the seconds it
computed, compiling not counted. Games that are over begin anew.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import jax  # type: ignore[import-not-found]
import jax.numpy as jnp  # type: ignore[import-not-found]
import ludax  # type: ignore[import-not-found]
from ludax.environment import LudaxEnvironment  # type: ignore[import-not-found]


def main(name: str, batch: int, steps: int) -> None:
    game = LudaxEnvironment(str(Path(ludax.__file__).parent / "games" / f"{name}.ldx"))
    step, first = jax.vmap(game.step), jax.vmap(game.init)

    def turn(state, key):
        key, used = jax.random.split(key)
        chances = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(used, chances, axis=-1).astype(jnp.int16)
        after, fresh = step(state, actions), first(jax.random.split(key, batch))

        def either(new, old):
            over = after.terminated | after.truncated
            return jnp.where(over.reshape((batch,) + (1,) * (new.ndim - 1)), new, old)

        return jax.tree_util.tree_map(either, fresh, after), key

    @jax.jit
    def run(state, key):
        return jax.lax.fori_loop(0, steps, lambda _, at: turn(*at), (state, key))

    state = first(jax.random.split(jax.random.PRNGKey(1), batch))
    state, key = jax.block_until_ready(run(state, jax.random.PRNGKey(2)))
    began = time.process_time()
    jax.block_until_ready(run(state, key))
    print(json.dumps({"steps": steps * batch, "seconds": time.process_time() - began}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

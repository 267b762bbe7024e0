"""The simulator: games played by the compiled rules.

    compiled_game  states and events, what is legal, what follows, what holds
    policies       what decides which event comes next: uniform, biased, following, directed
    playthrough    one game played by a policy and watched by an observer
    goal_search    many random games inside the module until one meets something
    watched_games  random games in which everything is looked at and counted
    near_misses    events with something changed, which may well be illegal
    shrink         leaves out of a game what it does not need
    others         what is made of that: statistics, recorded games, counts, the Python interface

Whatever is found here is played in the evaluator (`play.semantics.rules.replay`) before it counts.
"""

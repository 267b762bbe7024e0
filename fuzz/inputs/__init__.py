"""Feeds the program what strangers could: specs, traces, positions, moves, engines, options.

A developer's tool, not installed. `make fuzz SECONDS=60` (or `python -m fuzz.inputs`) makes inputs
from a seed, runs the program on each in a process of its own with a counted share of the processor,
and looks at what comes out: an exit code that the program promises, no traceback, nothing that
steers a terminal or a build, JSON and XML that can be read.
"""

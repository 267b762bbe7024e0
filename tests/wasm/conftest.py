"""Hypothesis for tests that play: a busy machine is no failure."""

from __future__ import annotations

from hypothesis import settings

from tests.meaning.states import playground

settings.register_profile("play", deadline=None, print_blob=True)
settings.load_profile("play")

playground()  # reading a spec raises the recursion limit, which Hypothesis wants to be steady

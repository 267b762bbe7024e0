"""The settings of Hypothesis for tests that play."""

from tests.play import conftest

__all__ = ["conftest"]

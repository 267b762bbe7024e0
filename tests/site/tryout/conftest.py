"""One browser for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.site.tryout.chromium import Browser, browser


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found

"""A Dask scheduler and two workers, as processes of their own on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE


class Cluster:
    """Processes that are a cluster; each can be ended by the test."""

    def __init__(self, folder: Path, workers: int = 2, **environment: str) -> None:
        self.file = folder / "scheduler.json"
        self.environment = environment
        # Workers get a cache and a working folder of their own, as on another machine.
        self.folder = folder
        self.scheduler = self._dask(
            "scheduler", "--port", "0", "--dashboard-address", "127.0.0.1:0",
            "--scheduler-file", str(self.file),
        )  # fmt: skip
        self.workers = [self.worker() for _ in range(workers)]

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """One more worker."""
        return self._dask(
            "worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--death-timeout", "60", **environment,
        )  # fmt: skip

    def _dask(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1"], cwd=self.folder,
            env={**os.environ, "XDG_CACHE_HOME": str(self.folder), **self.environment, **more},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def wait(self, workers: int | None = None) -> Cluster:
        """Waits until all are there."""
        from distributed import Client

        until = time.monotonic() + PATIENCE
        while not self.file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        with Client(scheduler_file=str(self.file)) as client:
            client.wait_for_workers(workers or len(self.workers), PATIENCE)
        return self

    def end(self) -> None:
        for each in (*self.workers, self.scheduler):
            each.kill()
            each.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that tests share and leave as it is."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made.wait()
    finally:
        made.end()


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster that a test may break."""
    (tmp_path / "cluster").mkdir()
    made = Cluster(tmp_path / "cluster")
    try:
        yield made.wait()
    finally:
        made.end()

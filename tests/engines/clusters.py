"""A Dask cluster of this machine, started as people start one: from the command line."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import agtrace

START_S = 60.0
ALONE_S = 900
"""A scheduler that nobody uses any more ends so soon, and workers without a scheduler do."""


@dataclass
class Running:
    """A cluster at work."""

    address: str
    scratch: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker, of one thread."""
        number = len(self.workers)
        words = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        words += ["--memory-limit", "0", "--death-timeout", str(ALONE_S)]
        words += ["--local-directory", str(self.scratch / "workers"), "--name", f"w{number}"]
        words += ["--host", "127.0.0.1"]
        self.workers.append(_start(words, self.scratch / f"worker{number}.log"))
        return self.workers[-1]

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Keep the scheduler from answering anything; its connections stay."""
        self.scheduler.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.scheduler.send_signal(signal.SIGCONT)

    def wait(self) -> None:
        """Wait until all workers are known to the scheduler."""
        from distributed import Client

        alive = sum(worker.poll() is None for worker in self.workers)
        if alive:
            with Client(self.address, set_as_default=False) as client:
                client.wait_for_workers(alive, timeout=START_S)


def _start(words: list[str], log: Path, **environment: str) -> subprocess.Popen[bytes]:
    root = str(Path(agtrace.__file__).parents[1])
    with log.open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=os.environ | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"} | environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
        )


@contextlib.contextmanager
def cluster(scratch: Path, workers: int, allowed_failures: int = 3) -> Iterator[Running]:
    """Start a scheduler and workers on loopback; all end with the context."""
    failures = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures)}
    scratch.mkdir(parents=True, exist_ok=True)
    told = scratch / "scheduler.json"
    words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    words += ["--scheduler-file", str(told), "--idle-timeout", f"{ALONE_S}s"]
    scheduler = _start(words, scratch / "scheduler.log", **failures)
    running: Running | None = None
    try:
        end = time.monotonic() + START_S
        while not told.is_file() or not told.read_text():
            assert scheduler.poll() is None, (scratch / "scheduler.log").read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        running = Running(json.loads(told.read_text())["address"], scratch, scheduler)
        for _ in range(workers):
            running.add_worker()
        running.wait()
        yield running
    finally:
        for process in [*(running.workers if running else []), scheduler]:
            process.kill()
            process.wait()

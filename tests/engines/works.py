"""What the tests let engines do: functions of a module, so that other processes find them."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agtrace import memory, threads
from agtrace.engines.base import Share
from agtrace.engines.workers import Workers


def double(number: int, seen: Callable[[int], None]) -> int:
    return 2 * number


def threads_of(_number: int, _seen: Callable[[int], None]) -> tuple[int, int, str]:
    """Return how many threads DuckDB, Arrow and a kernel would use."""
    import pyarrow as pa

    from agtrace.store.connection import connect
    from agtrace.store.scratch import unused

    with connect(unused("spill")) as connection:
        ((duckdb,),) = connection.sql("SELECT current_setting('threads')").fetchall()
    return duckdb, pa.cpu_count(), os.environ[threads.VARIABLE]


def temporary_folder(_number: int, _seen: Callable[[int], None]) -> str | None:
    """Return the folder for temporary files that this process knows without trying it."""
    return tempfile.tempdir


def die_of_seven(number: int, _seen: Callable[[int], None]) -> int:
    """End the process, as the system does that is out of memory."""
    if number == 7:
        os._exit(9)
    return number


def fail(number: int, _seen: Callable[[int], None]) -> int:
    raise ValueError(f"no {number}")


def import_path(_number: int, _seen: Callable[[int], None]) -> list[str]:
    """Return the module search path of this process."""
    return sys.path


def sleep(seconds: float, _seen: Callable[[int], None]) -> int:
    time.sleep(seconds)
    return os.getpid()


def sleep_with_child(folder: str, _seen: Callable[[int], None]) -> None:
    """Start a worker that sleeps, too; leave both numbers."""
    inner, share = Workers(1), Share(1, memory.GB)
    pid = inner.submit(share, sleep, 0).result()
    inner.submit(share, sleep, 60)
    Path(folder, f"{os.getpid()}-{pid}").touch()
    time.sleep(60)

"""The number of threads of a job: the same for xelib, Arrow and DuckDB, in this process and its kernels."""

from __future__ import annotations

import os

VARIABLE = "AGTRACE_THREADS"
"""The environment is what processes and kernels that a job starts inherit."""


def most() -> int:
    """Return how many threads code here may use; one per core unless limited."""
    cores = os.cpu_count() or 1
    try:
        said = int(os.environ[VARIABLE])
    except (KeyError, ValueError):
        return cores
    return said if said > 0 else cores


def limit(count: int) -> None:
    """Limit this process and later child processes to ``count`` threads in each job."""
    os.environ[VARIABLE] = str(count)
    # Arrow has one pool for the whole process.
    import pyarrow as pa

    pa.set_cpu_count(count)

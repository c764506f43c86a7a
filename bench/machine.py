"""What a benchmark ran on: the line that stands over its table."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import time

import numpy as np


def machine(*packages: str) -> str:
    """Name the machine, the versions of packages, and how fast memory is copied in this run."""
    told = [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores"]
    told.append(f"Python {platform.python_version()}")
    told += [f"{name} {importlib.metadata.version(name)}" for name in packages]
    return f"{', '.join(told)}; memory copy {memory_copy():.1f} GB/s on one thread"


def memory_copy() -> float:
    """Return GB/s of copying memory, best of five."""
    source = np.ones(32_000_000)
    target = np.empty_like(source)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - start)
    return source.nbytes / 1e9 / min(seconds)

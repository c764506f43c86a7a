"""Memory limits, for DuckDB and for the number of parallel processes.

The limit is the memory of the machine, or less if a container, a service manager or the user sets a limit. It
is shared among processes that run at the same time.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from agtrace.errors import CaseError

VARIABLE = "AGTRACE_MEMORY"
"""Total memory that agtrace's processes may use together. Processes and kernels inherit the environment, so
each parallel process finds its own share there.
"""

MB, GB = 2**20, 2**30
LEFT = 0.85
"""Fraction of the allowed memory that is used; the rest is left for other programs."""
PROCESS = 250 * MB
"""Memory of the interpreter with all libraries loaded, and of their caches."""
DECODER, NOTEBOOK = 400 * MB, 750 * MB
"""Memory that a process needs to decode captures, and one to answer a question about a large case."""
MOST_QUERIES, LEAST_QUERIES, THREAD = 256 * MB, 200 * MB, 125 * MB
"""DuckDB swaps out what does not fit; with less than the second, or less for each of its threads, it gives
up.
"""

OUT_OF_MEMORY = (
    f"out of memory? free some, or set {VARIABLE} to what it may take: with less, fewer work at once"
)
"""Hint for a process that was killed from outside."""

_SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,6})?)\s*([KMGT]?)I?B?\s*", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def most() -> int:
    """Return the bytes that this process and its children may use together.

    Raises
    ------
    CaseError
        ``AGTRACE_MEMORY`` is not a valid size.
    """
    said = os.environ.get(VARIABLE)
    return size(said) if said else int(LEFT * allowed())


def size(text: str) -> int:
    """Return the bytes of a size such as ``1.5GB``; units are powers of 1,024.

    Raises
    ------
    CaseError
        The text is not a valid size.
    """
    found = _SIZE.fullmatch(text)
    if found is None or not float(found[1]):
        raise CaseError(f"{VARIABLE}: {text!r} is no size", "write one such as 1500MB or 4GB")
    return int(float(found[1]) * 1024 ** _POWERS[found[2].upper()])


def limit(share: int) -> None:
    """Limit the memory of this process and its later child processes to ``share`` bytes."""
    os.environ[VARIABLE] = str(share)


def for_queries() -> int:
    """Return the memory limit of a DuckDB connection, in bytes.

    It is a third of the process's limit without the interpreter, because query results are held elsewhere,
    more than once.
    """
    return max(LEAST_QUERIES, min(MOST_QUERIES, (most() - PROCESS) // 3))


def workers(wanted: int, *, each: int = DECODER, beside: int = PROCESS) -> int:
    """Return how many of the wanted processes fit into memory at once.

    Parameters
    ----------
    each
        Bytes that each process needs.
    beside
        Bytes that this process uses meanwhile.
    """
    return max(1, min(wanted, (most() - beside) // each))


def share(count: int, *, beside: int = PROCESS) -> int:
    """Return the bytes that each of ``count`` processes may use beside this one."""
    return max(PROCESS, (most() - beside) // count)


def go_first() -> None:
    """Mark this process as the preferred victim of the OOM killer; its parent can report that."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")


@cache
def allowed() -> int:
    """Return the bytes that the machine has and allows: the least of its memory, control groups and user
    limits.
    """
    found = [*_of_machine(), *of_control_groups(Path("/proc/self")), *_of_user()]
    return min(found, default=4 * GB)


def of_control_groups(process: Path) -> Iterator[int]:
    """Yield the limits of a process's control groups and of those around them, of both versions (Linux).

    Parameters
    ----------
    process
        Its folder under /proc.
    """
    try:
        groups = (process / "cgroup").read_text("utf-8", "replace").splitlines()
        mounts = (process / "mountinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for group in groups:
        _number, controllers, path = [*group.split(":", 2), "", ""][:3]
        if controllers and "memory" not in controllers.split(","):
            continue
        names = ("memory.limit_in_bytes",) if controllers else ("memory.max", "memory.high")
        for root, mounted in _mounted(mounts, version=1 if controllers else 2):
            # In a container the mount begins at its own group, whatever the path to that is outside.
            inner = path.removeprefix(root) if root != "/" else path
            folder = mounted / inner.strip("/")
            for each in (folder, *folder.parents):
                if each != mounted and mounted not in each.parents:
                    break
                yield from _limits(each, names)


def _mounted(mounts: list[str], version: int) -> Iterator[tuple[str, Path]]:
    """Yield where control groups of a version are mounted, and which group is at the root of that."""
    for mount in mounts:
        before, _dash, after = mount.partition(" - ")
        fields, kind = before.split(" "), after.split(" ")
        if len(fields) < 5 or len(kind) < 3:
            continue
        if version == 2 and kind[0] == "cgroup2":
            yield fields[3], Path(fields[4])
        if version == 1 and kind[0] == "cgroup" and "memory" in kind[2].split(","):
            yield fields[3], Path(fields[4])


def _limits(group: Path, names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        # Without a limit the file contains "max"; in version 1, the largest number of whole pages.
        with contextlib.suppress(OSError, ValueError):
            bytes_ = int((group / name).read_text("ascii"))
            if 0 < bytes_ < 2**60:
                yield bytes_


def _of_machine() -> Iterator[int]:
    if sys.platform == "win32":
        yield from _of_windows()
        return
    # Linux and macOS have both names.
    with contextlib.suppress(OSError, ValueError):
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if found > 0:
            yield found


def _of_user() -> Iterator[int]:
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return
    soft, _hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY:
        yield soft


def _of_windows() -> Iterator[int]:
    class Status(ctypes.Structure):
        _fields_ = [
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "page_total", "page_free",
                                                      "virtual_total", "virtual_free", "extended_free")),
        ]  # fmt: skip

    status = Status(length=ctypes.sizeof(Status))
    windows = getattr(ctypes, "windll", None)
    if windows is not None and windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        yield status.total

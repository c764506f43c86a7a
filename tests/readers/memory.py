"""The most memory that this process had."""

from __future__ import annotations

import contextlib
import re
import resource
from pathlib import Path


def reset_peak() -> int:
    """Forget the most memory that this process had, where the system can; give what it has now."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak_bytes()


def peak_bytes() -> int:
    """Return the peak memory of this process.

    What `getrusage` says of a child begins with what its parent had: a long run of tests has much.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (peak,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        return int(peak) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

"""Detect the operating system on which a capture was written."""

from __future__ import annotations

LINUX, WINDOWS = "Linux", "Windows"
OF_READER = {
    "linux_counters": LINUX,
    "sysstat": LINUX,
    "pacemaker": LINUX,
    "perfmon_blg": WINDOWS,
    "event_log": WINDOWS,
    "cluster_log": WINDOWS,
}
"""Readers of captures that one system alone makes."""


def platform_of(os: str) -> str | None:
    """Return the system in a banner's text: "Linux (Ubuntu 22.04.3 LTS) <X64>", "Windows NT 6.3 <X64>"."""
    return next((name for name in (LINUX, WINDOWS) if os.lstrip().startswith(name)), None)

"""What to do next about each verdict. Plain text."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.transport.network import NETSH, OFF
from agtrace.diagnostics.transport.verdict import Verdict

CAPTURE = "docs/capture.md lists the counters to capture on every replica"


def remedy(verdict: Verdict) -> str:
    """Say what to do about a verdict."""
    link, signs = verdict.link, verdict.signs
    replica = words.plain(link.replica)
    primary = words.plain(link.primary_name or "the primary")
    name = verdict.id.removeprefix("transport.")
    if name == "window_limited" or (name in ("network_limited", "healthy") and signs.tuning_off):
        return _window_remedy(verdict)
    if name == "network_limited":
        known = (
            ""
            if signs.tuning is not None
            else f"`netsh interface tcp show global` on {replica} and {primary}, "
        )
        return (
            f"Narrow the path down: {known}ping from {primary} to {replica}, and a copy of one large file "
            "(robocopy) while both network cards are captured."
        )
    return {
        "healthy": "Nothing to do.",
        "send_limited": (
            f"Look at the sender {primary}: Log Pool Disk Reads/sec (capture behind the log cache), CPU "
            "and worker threads; compare with a single-threaded network test (ntttcp with one thread)."
        ),
        "flow_control": (
            f"Find what makes {replica} acknowledge late: its log write latency first, then the round "
            "trip; SQL Server 2022, or trace flag 12310 at start-up on earlier builds that know it, "
            "raises the gate."
        ),
        "harden_limited": (
            f"Give the transaction logs on {replica} a disk as fast as the primary's, or move other "
            "load off it."
        ),
        "suspended": (
            f"Find out why movement to {replica} stopped, then resume it: `ALTER DATABASE ... SET "
            "HADR RESUME` there. The log on the primary cannot be truncated until then."
        ),
        "redo_limited": (
            f"Look at CPU and data-file latency on {replica}, and whether redo runs in parallel there."
        ),
        "redo_blocked": (
            f"Find the readers on {replica} that hold schema locks (Extended Event lock_redo_blocked) "
            "and shorten them, or move schema changes away from them."
        ),
        "quality.not_captured": (f"Capture perfmon on {replica} as well; {CAPTURE}."),
    }[name]


def _window_remedy(verdict: Verdict) -> str:
    link, signs = verdict.link, verdict.signs
    levels = {link.replica: signs.tuning, link.primary_name: signs.primary_tuning}
    off = [words.plain(name) for name, level in levels.items() if level in OFF]
    where = words.listing(off) if off else words.plain(link.replica)
    check = "" if off else " (first check with `netsh interface tcp show global`)"
    return (
        f"On {where}, run{check}: `{NETSH}` - then reconnect the mirroring endpoints (the window scale is "
        "fixed when a connection opens): `ALTER ENDPOINT ... STATE = STOPPED`, then `STARTED` - and measure "
        "again."
    )

"""Is what was replayed as it was what was captured?"""

from __future__ import annotations

from dataclasses import asdict

from agtrace.replay.outcome import Figures
from agtrace.thresholds import Thresholds

QUEUE = ("send_queue_p95_bytes", "send_queue_end_bytes")
RECEIVED = ("received_bytes_per_s",)
COMMIT = ("commit_p50_ms", "commit_p95_ms", "commit_p99_ms")
RECOVERY = ("recovery_queue_p95_bytes", "recovery_queue_end_bytes")


def errors(replayed: Figures, captured: Figures, floor_bytes: float) -> dict[str, float]:
    """Return the error of a replay by figure, as a fraction of the captured value.

    Parameters
    ----------
    floor_bytes
        Smaller queues count as empty; their error is a fraction of this value.
    """
    found = {}
    was, is_ = asdict(captured), asdict(replayed)
    for name in (*QUEUE, *RECEIVED, *COMMIT, *RECOVERY):
        one, other = was[name], is_[name]
        if one is None or other is None:
            continue
        least = floor_bytes if name.endswith("_bytes") else 1e-9
        found[name] = abs(other - one) / max(one, least)
    return found


def holds(found: dict[str, float], names: tuple[str, ...], limits: Thresholds) -> bool:
    """Return whether a replay reproduces some figures."""
    return all(found.get(name, 0.0) <= limits.replay_error_share for name in names)

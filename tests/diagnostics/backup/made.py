"""Studies of backups with what perfmon saw of them, made by hand."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.backup.sides import Seen, StudySides
from agtrace.diagnostics.backup.studies import BackupStudy
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume
from agtrace.measure.usage import Part, Usage
from agtrace.thresholds import Thresholds
from tests.diagnostics.backup.test_bounds import study

LIMITS = Thresholds()
MB = 2**20

__all__ = ["LIMITS", "MB", "of_host", "part", "seen", "side", "study", "watched_study"]


def side(way: str, *volumes: tuple[str, float | None, float]) -> Side:
    """Volumes by name, time of an access in ms, MB/s."""
    return Side(way, tuple(Volume(name, ms, mb * MB) for name, ms, mb in volumes))


def seen(
    of: BackupStudy, number: int, verdict: str = "undecided", reason: str = "neither", **more: Any
) -> Seen:
    """What perfmon saw of a configuration: F: is read, E: is written, 100 MB/s each."""
    given: dict[str, Any] = {
        "configuration": of.configurations[number], "read": side(READ, ("F:", 5.0, 100.0)),
        "write": side(WRITE, ("E:", 6.0, 100.0)), "cpu": 20.0, "card_busy": None, "network_rate": None,
        "is_inferred": False, "samples": 40, "runs": 2, "mb_per_s": 100.0, "verdict": verdict,
        "reason": reason,
    }  # fmt: skip
    return Seen(**given | more)


def watched_study(*own: dict[str, Any], verdicts: tuple[str, ...] = (), **more: Any) -> StudySides:
    """A study of which perfmon saw the first configurations, with these verdicts."""
    made = study(*own, **more)
    return StudySides(made, [seen(made, n, verdict) for n, verdict in enumerate(verdicts)], [])


def part(window: int, resource: str, instance: str, mean: float, n: int = 20, rank: int = 1) -> Part:
    """What a disk did while an operation ran."""
    return Part(window, "A", resource, instance, n, mean)


def of_host(window: int, resource: str, mean: float, n: int = 20) -> Usage:
    """What a host did while an operation ran."""
    return Usage(window, "A", resource, "x", "%", n, *[mean] * 5, None)

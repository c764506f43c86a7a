"""Seedings with everything that is known beside them, made by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agtrace.diagnostics.seeding.limits import Limiter, Rates
from agtrace.diagnostics.seeding.rows import Report, Stall
from agtrace.diagnostics.seeding.study import SLOT, Seeded, Study
from agtrace.history.seedings import SOURCE, TARGET, Compressed, Operation, Reason, Side
from agtrace.measure.processors import Cores
from agtrace.measure.resources import UNITS
from agtrace.measure.usage import Usage
from agtrace.thresholds import Thresholds
from tests.diagnostics.seeding.cases import at

LIMITS = Thresholds()
GB = 10**9


def side(role: str, host: str | None, **more: Any) -> Side:
    """An end that copied for 100 s."""
    return Side(role, host, **{"copy_start": at(0), "copy_end": at(100)} | more)


def stall(state: str, seconds: float, *, first: float = 0, **more: Any) -> Stall:
    """A time without progress on the source, which ended."""
    given: dict[str, Any] = {
        "seeding_id": 1, "is_wait": state == SLOT, "role": SOURCE, "host": "A", "state": state,
        "start": at(first), "end": at(first + seconds), "seconds": seconds, "is_over": True, "copied": None,
        "beside": [],
    }  # fmt: skip
    return Stall(**given | more)


def report(role: str, until: float, *, n: int = 20, highest: float | None = None) -> Report:
    """What an end reported of its copy, without rates between reports."""
    return Report(1, role, n, at(until), highest, None, None)


def operation(number: int = 1, **more: Any) -> Operation:
    """10 GB of Sales from A to B, in 100 s."""
    given: dict[str, Any] = {
        "database": "Sales", "ag": "AG", "database_guid": None, "start": at(0), "end": at(100),
        "source": side(SOURCE, "A"), "target": side(TARGET, "B"), "copy_start": at(0), "copy_end": at(100),
        "copied_bytes": 10 * GB, "bytes_source": "reported", "database_bytes": 10 * GB,
        "outcome": "completed",
    }  # fmt: skip
    return Operation(number, **given | more)


def usage(host: str, resource: str, mean: float, *, cores: int | None = None, **more: Any) -> Usage:
    """What a host did for 100 s, as much all the time."""
    given: dict[str, Any] = {
        "window": 1, "instance": "x", "unit": UNITS[resource], "n": 20, "mean": mean, "p5": mean, "p50": mean,
        "p95": mean, "highest": mean, "capacity": None, "seconds": 100.0,
    }  # fmt: skip
    held = Cores(cores, "counted") if cores else None
    return Usage(host=host, resource=resource, cores=held, **given | more)


def compressed(verdict: bool | None = None, ratio: float | None = None, **more: Any) -> Compressed:
    """Whether it was, by so many bytes on the wire for each of its 10 GB."""
    given: dict[str, Any] = {
        "wire_bytes": None if ratio is None else ratio * 10 * GB, "database_bytes": 10 * GB,
        "flag_says": None, "trace_flag": None,
        "reason": Reason("wire", {}), "wire_source": "A, sent", "n": 20, "ends": 2,
    }  # fmt: skip
    return Compressed(verdict, ratio, **given | more)


def seeded(
    *usages: Usage,
    of: Operation | None = None,
    limiter: Limiter | None = None,
    stream: Compressed | None = None,
    mean: float | None = 1e8,
    **more: Any,
) -> Seeded:
    """Return a seeding without a bottleneck and with unknown compression."""
    return Seeded(
        operation=of or operation(),
        rates=more.pop("rates", Rates(mean)),
        limiter=limiter or Limiter(None, 0.0, Reason("none_full")),
        compressed=stream or compressed(),
        usages=usages,
        **more,
    )


def study(*found: Seeded, **more: Any) -> Study:
    """Return the seedings of a case, with the usual thresholds."""
    return Study(found, LIMITS, **more)


def moments(*seconds: float) -> tuple[datetime, ...]:
    """Return times after the start of the case."""
    return tuple(map(at, seconds))

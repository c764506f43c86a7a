"""What the tests of binary logs share: a log read into a dictionary, and its issues by kind."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.readers.base import ReadOptions
from agtrace.readers.perfmon_blg import READER
from agtrace.testing import Tables, read_all
from simulation.formats.blg import Form, write_blg
from simulation.formats.blg_blocks import START, Block, Item, Sample

SECOND = 10_000_000
"""Ticks of a performance counter that counts 10 MHz."""


def log_of(
    items: list[Item], rows: list[list[Block]], names: dict[int, str] | None = None, form: Form | None = None
) -> bytes:
    """Write a log with a row per second, in Pacific daylight time."""
    samples = [Sample(at(n), blocks, offset_minutes=-420) for n, blocks in enumerate(rows)]
    return write_blg(items, samples, names, form)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def read(log: bytes, **options) -> Tables:
    return read_all(READER, log, "log.blg", ReadOptions(**options))


def paths(tables: Tables) -> list[str]:
    return tables["counters"].sort_by("counter_no")["path"].to_pylist()


def values(tables: Tables) -> dict[str, dict[int, float]]:
    """Return the values by path and tick."""
    names = paths(tables)
    found: dict[str, dict[int, float]] = {name: {} for name in names}
    if "samples" in tables:
        for row in tables["samples"].to_pylist():
            found[names[row["counter_no"]]][row["tick"]] = row["value"]
    return found


def kinds(tables: Tables) -> dict[str, int]:
    """Return how often each kind of issue was met."""
    if "issues" not in tables:
        return {}
    return {row["kind"]: row["count"] for row in tables["issues"].to_pylist()}

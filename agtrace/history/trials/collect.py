"""The tests of load generators: which tool, which load, when, and what they achieved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from statistics import median
from typing import Any

from agtrace.history.base import View
from agtrace.history.reference_clock import ReferenceClock, reference_clock
from agtrace.history.runs import labelled_windows
from agtrace.history.trials.given import given
from agtrace.history.trials.told import WrittenTrial
from agtrace.history.trials.trial import BUILD, HAMMERDB, STRESS, TIMED
from agtrace.store.sql_files import beside

_sql = beside(__file__)

Rows = list[dict[str, Any]]
MINUTE_US = 60_000_000
MICROSECOND = timedelta(microseconds=1)
SLACK_US = 1_000_000
"""Windows are written by hand; HammerDB's times are whole seconds."""
FEW_READINGS = 5
"""From so many readings on the first and the last count as partial ones."""


class Clock:
    """From the time of a host to the reference clock, as far as the case knows."""

    def __init__(self, offsets: Rows, reference: ReferenceClock) -> None:
        self._offsets = offsets
        self._reference = reference
        all_minutes = {row["offset_minutes"] for row in offsets}
        self._only = all_minutes.pop() if len(all_minutes) == 1 else None

    def of(self, host: str | None, us: int) -> int:
        """Return UTC of a host's clock by the reference clock."""
        return us - self._reference.ahead.get(host or "", timedelta()) // MICROSECOND

    def utc(self, host: str | None, local_us: int | None, stated: int | None) -> tuple[int | None, bool]:
        """Return UTC by the clock of the host, and whether its offset is assumed: that of all other hosts."""
        if local_us is None:
            return None, False
        if stated is not None:
            return local_us - stated * MINUTE_US, False
        own = {
            row["offset_minutes"]
            for row in self._offsets
            if row["host_id"] == host
            and (row["from_us"] is None or row["from_us"] <= local_us)
            and (row["to_us"] is None or local_us < row["to_us"])
        }
        if len(own) == 1:
            return local_us - own.pop() * MINUTE_US, False
        if not own and self._only is not None:
            return local_us - self._only * MINUTE_US, True
        return None, False


@dataclass(frozen=True)
class Session:
    """Readings of the transaction counter, with their times (UTC) where they are known."""

    content: tuple[str, int]
    readings: tuple[float, ...]
    times_us: tuple[int, ...]
    assumed_clock: bool


def trials(view: View) -> list[WrittenTrial]:
    """Return the tests of a case, each once, except those without a load or a figure."""
    clock = Clock(view.rows(_sql("offsets.sql")), reference_clock(view))
    rows = view.rows(_sql("results.sql"))
    sessions = _sessions(view.rows(_sql("counts.sql")), clock)
    windows = labelled_windows(view)
    tests = [_test(row, clock) for row in rows if row["load"]]
    tests = [_with_counter(test, tests, sessions) for test in tests]
    found = [_in_window(test, windows) for test in _once([test for test in tests if test.values])]
    return found + given(windows)


def _in_window(test: WrittenTrial, windows: Rows) -> WrittenTrial:
    """Name the labelled window in which a test started; of several the shortest."""
    start = test.start_us
    if start is None:
        return test
    around = [w for w in windows if w["start_us"] - SLACK_US <= start < w["end_us"] + SLACK_US]
    if not around:
        return test
    shortest = min(around, key=lambda window: window["end_us"] - window["start_us"])
    return replace(test, run_id=shortest["run_id"])


def _test(row: dict[str, Any], clock: Clock) -> WrittenTrial:
    stress = row["topic"] == "sqlquerystress"
    start, assumed = row["time_us"] or row["started_us"], False
    if start is None:
        start, assumed = clock.utc(row["host_id"], row["local_us"], row["offset_minutes"])
    if start is not None:
        start = clock.of(row["host_id"], start)
    values = {key: row[key] for key in ("nopm", "tpm") if row[key]}
    # How long a timed run takes is set beforehand.
    if row["elapsed_s"] and row["driver"] != TIMED:
        values["elapsed_s"] = row["elapsed_s"]
    end = None
    if start is not None and row["ended_local_us"] and row["local_us"]:
        end = start + row["ended_local_us"] - row["local_us"]
    elif start is not None and row["elapsed_s"]:
        end = start + round(row["elapsed_s"] * 1e6)
    if start is not None and row["driver"] == TIMED and row["rampup_minutes"]:
        start += round(row["rampup_minutes"] * MINUTE_US)
    path = row["path"] or row["content_id"]
    details = {key: row[key] for key in ("client_s", "logical_reads") if row[key] is not None}
    return WrittenTrial(
        tool=STRESS if stress else HAMMERDB,
        driver="" if stress else row["driver"] or "",
        load=row["load"],
        work=row["warehouses"] if row["driver"] == BUILD else row["work"],
        values=values,
        path=path,
        line=row["line"],
        resolution_s=row["resolution_s"] or 0.0,
        start_us=start,
        end_us=end,
        failed=row["failed"],
        assumed_clock=assumed,
        content=(row["test_id"] or row["content_id"], 0 if row["test_id"] else row["item"]),
        details=details,
    )


def _sessions(rows: Rows, clock: Clock) -> list[Session]:
    found = []
    for row in rows:
        readings = tuple(row["readings"] or ())
        times: list[int] = []
        assumed = False
        for utc, local in zip(row["time_us"] or (), row["local_us"] or (), strict=True):
            if utc is None:
                utc, guessed = clock.utc(row["host_id"], local, row["offset_minutes"])
                assumed = assumed or guessed
            if utc is not None:
                times.append(clock.of(row["host_id"], utc))
        whole = tuple(times) if len(times) == len(readings) else ()
        if readings:
            found.append(Session((row["content_id"], row["item"]), readings, whole, assumed))
    return found


def _with_counter(test: WrittenTrial, tests: list[WrittenTrial], sessions: list[Session]) -> WrittenTrial:
    """Add what the transaction counter says of a run: its readings; of the test driver also times."""
    if test.tool != HAMMERDB or test.driver == BUILD:
        return test
    own = next((s for s in sessions if s.content == test.content), None)
    timed = [s for s in sessions if s.times_us]
    if test.driver == TIMED:
        return _during(test, timed)
    if own is not None:
        # The console has no times; the counter's own log holds the same readings with theirs.
        same = next((s for s in timed if s.readings == own.readings), None)
        test = replace(test, readings=own.readings)
        if same is not None:
            test = replace(test, reading_times_us=same.times_us)
        if same is not None and test.start_us is None:
            step = _step(same)
            test = replace(
                test,
                start_us=same.times_us[0] - step,
                end_us=same.times_us[-1],
                assumed_clock=same.assumed_clock,
            )
    elif test.start_us is not None:
        test = _from_session(test, tests, timed)
    if test.readings and "tpm" not in test.values and (tpm := typical(test.readings)):
        test = replace(test, values=test.values | {"tpm": tpm})
    return test


def _from_session(test: WrittenTrial, tests: list[WrittenTrial], sessions: list[Session]) -> WrittenTrial:
    """Read from a counter that ran beside the test when the transactions stopped."""
    start = test.start_us or 0
    later = [t.start_us for t in tests if t.start_us is not None and t.start_us > start]
    until = min(later, default=None)
    for session in sessions:
        step = _step(session)
        counted = [
            (at, reading)
            for at, reading in zip(session.times_us, session.readings, strict=True)
            if at > start and (until is None or at <= until) and reading > 0
        ]
        if counted and counted[0][0] <= start + 3 * step:
            end = counted[-1][0]
            values = {"elapsed_s": (end - start) / 1e6} | test.values
            return replace(
                test,
                readings=tuple(reading for _at, reading in counted),
                reading_times_us=tuple(at for at, _reading in counted),
                end_us=end,
                values=values,
                resolution_s=step / 1e6,
            )
    return test


def _during(test: WrittenTrial, sessions: list[Session]) -> WrittenTrial:
    """Add the readings that were taken while a timed run measured; its results are its own."""
    if test.start_us is None or test.end_us is None:
        return test
    for session in sessions:
        counted = [
            (at, reading)
            for at, reading in zip(session.times_us, session.readings, strict=True)
            if test.start_us < at <= test.end_us
        ]
        if counted:
            times, readings = zip(*counted, strict=True)
            return replace(test, readings=readings, reading_times_us=times)
    return test


def _step(session: Session) -> int:
    gaps = [b - a for a, b in zip(session.times_us, session.times_us[1:], strict=False)]
    return round(median(gaps)) if gaps else 10_000_000


def typical(readings: tuple[float, ...]) -> float | None:
    """Return the median reading while transactions ran, without the partial first and last one."""
    running = [reading for reading in readings if reading > 0]
    if len(running) >= FEW_READINGS:
        running = running[1:-1]
    return float(median(running)) if running else None


def _once(tests: list[WrittenTrial]) -> list[WrittenTrial]:
    """Count a test once that stands in several files: by its id, or by its very result."""
    found: dict[tuple[Any, ...], WrittenTrial] = {}
    for test in tests:
        key: tuple[Any, ...] = test.content
        if test.driver == TIMED:
            key = (test.load, *sorted(test.values.items()))
        elif test.driver == BUILD and test.start_us is not None:
            key = (test.load, test.work, test.start_us)
        known = found.get(key)
        # The one with times says more.
        if known is None or (known.start_us is None and test.start_us is not None):
            found[key] = test
    return list(found.values())

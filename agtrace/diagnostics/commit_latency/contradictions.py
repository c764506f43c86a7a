"""Waits, counters and events that cannot all be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.judge import WAIT_MEAN, subject
from agtrace.diagnostics.commit_latency.measured import COMMIT, Link
from agtrace.history import View
from agtrace.measures import Measure, Measured
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

CONFIDENCE = 0.7
"""That one of the two is wrong: they may be about other commits."""
OF_OTHER = Measure("commit_wait_mean_of_other_ms", "commit wait mean of the other source", "ms")


def contradictions(view: View, sql: Callable[[str], str], links: list[Link]) -> list[Judged]:
    """Judge what two sources say of the same commits over the same time.

    Parameters
    ----------
    links
        Those that commits wait for.
    """
    limits = thresholds.of(view)
    every = (*_databases(view, sql, links), *_hosts(view, sql))
    return [judged for judged in every if _are_apart(limits, *judged.evidence)]


def _databases(view: View, sql: Callable[[str], str], links: list[Link]) -> Iterator[Judged]:
    """Give what events and counters say of each database."""
    for link in {link.row["group_database_id"]: link for link in links}.values():
        if link.wait is None:
            continue
        host = link.row["primary_host"]
        given = {"start": link.start, "end": link.end, "host": host, "database": link.database}
        (row,) = view.rows(sql("counted.sql"), given)
        if row["mean"] is None or row["n"] < thresholds.of(view).usage_samples:
            continue
        events = WAIT_MEAN(link.wait.mean, _events(host, link.wait.n))
        counters = OF_OTHER(row["mean"], _counters(host, row["n"]))
        about = {key: value for key, value in subject(link).items() if key != "replica"}
        yield _judged(events, counters, link.database, about, window(link.start, link.end))


def _hosts(view: View, sql: Callable[[str], str]) -> Iterator[Judged]:
    """Give what the waits of each host say, and its events or counters beside them."""
    limits = thresholds.of(view)
    beside = [("waits_and_counters.sql", limits.usage_samples, _counters)]
    if "time_to_commit" in view.fields(COMMIT):
        beside.append(("waits_and_events.sql", limits.min_samples, _events))
    for query, least, name in beside:
        for row in view.rows(sql(query)):
            if row["waited"] is None or row["other"] is None:
                continue
            if row["n"] < least or row["waits"] < limits.min_samples:
                continue
            host = row["host"]
            waits = WAIT_MEAN(row["waited"], f"HADR_SYNC_COMMIT of {host}, n = {row['waits']:,}")
            other = OF_OTHER(row["other"], name(host, row["n"]))
            about = {"ag": group_of(view, sql, host), "host": host}
            yield _judged(waits, other, host, about, window(row["start"], row["end"]))


def group_of(view: View, sql: Callable[[str], str], host: str) -> str:
    """Name the group that a host has the primary of; empty where none or several are known."""
    return {row["host_id"]: row["ag"] for row in view.rows(sql("groups.sql"))}.get(host, "")


def _counters(host: str, n: int) -> str:
    return f"Transaction Delay by Mirrored Write Transactions/sec of {host}, n = {n:,}"


def _events(host: str, n: int) -> str:
    return f"{COMMIT} of {host}, n = {n:,}"


def _are_apart(limits: Thresholds, one: Measured, other: Measured) -> bool:
    low, high = sorted((one.value, other.value))
    return high > limits.commit_apart_ratio * low and high - low > limits.commit_apart_ms


def _judged(
    one: Measured, other: Measured, whose: str, about: dict[str, str], when: dict[str, str | bool]
) -> Judged:
    return Judged(
        said="contradiction",
        id="commit.contradiction",
        severity="warning",
        subject=about,
        window=when,
        evidence=(one, other),
        confidence=CONFIDENCE,
        facts={"whose": whose, "one": one, "other": other},
    )

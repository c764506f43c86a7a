"""Waits, counters and events that cannot all be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.judge import WAIT_MEAN, subject
from agtrace.diagnostics.commit_latency.measured import COMMIT, Link
from agtrace.diagnostics.commit_latency.waited import group_of
from agtrace.history import View
from agtrace.measures import Measure
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

CONFIDENCE = 0.7
"""That one of the two is wrong: they may be about other commits."""
OF_OTHER = Measure("commit_wait_mean_of_other_ms", "commit wait mean of the other source", "ms")


@dataclass(frozen=True)
class Source:
    """How long a commit waited on average, as one source has it.

    Parameters
    ----------
    mean
        In ms.
    source
        What told it, of whom, from how many.
    """

    mean: float
    source: str


def contradictions(view: View, sql: Callable[[str], str], links: list[Link]) -> list[Judged]:
    """Judge what two sources say of the same commits over the same time.

    Parameters
    ----------
    links
        Those that commits wait for.
    """
    limits = thresholds.of(view)
    found = []
    for told, whose, about, when in (*_databases(view, sql, links), *_hosts(view, sql)):
        if _are_apart(limits, *told):
            found.append(_judged(told, whose, about, when))
    return found


_Compared = tuple[tuple[Source, Source], str, dict[str, str], dict[str, str]]
"""Two sources, of whom they tell, subject and window."""


def _databases(view: View, sql: Callable[[str], str], links: list[Link]) -> Iterator[_Compared]:
    """Give what events and counters say of each database."""
    for link in {link.row["group_database_id"]: link for link in links}.values():
        if link.wait is None:
            continue
        host = link.row["primary_host"]
        given = {"start": link.start, "end": link.end, "host": host, "database": link.database}
        (row,) = view.rows(sql("counted.sql"), given)
        if row["mean"] is None or row["n"] < thresholds.of(view).usage_samples:
            continue
        events = Source(link.wait.mean, f"{COMMIT} of {host}, n = {link.wait.n:,}")
        about = {key: value for key, value in subject(link).items() if key != "replica"}
        yield (
            (events, Source(row["mean"], _counters(host, row["n"]))),
            link.database,
            about,
            window(link.start, link.end),
        )


def _hosts(view: View, sql: Callable[[str], str]) -> Iterator[_Compared]:
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
            waits = Source(row["waited"], f"HADR_SYNC_COMMIT of {host}, n = {row['waits']:,}")
            other = Source(row["other"], name(host, row["n"]))
            yield (
                (waits, other),
                host,
                {"ag": group_of(view, sql, host), "host": host},
                window(row["start"], row["end"]),
            )


def _counters(host: str, n: int) -> str:
    return f"Transaction Delay by Mirrored Write Transactions/sec of {host}, n = {n:,}"


def _events(host: str, n: int) -> str:
    return f"{COMMIT} of {host}, n = {n:,}"


def _are_apart(limits: Thresholds, one: Source, other: Source) -> bool:
    low, high = sorted((one.mean, other.mean))
    return high > limits.commit_apart_ratio * low and high - low > limits.commit_apart_ms


def _judged(told: tuple[Source, Source], whose: str, about: dict[str, str], when: dict[str, str]) -> Judged:
    one, other = told
    return Judged(
        said="contradiction",
        id="commit.contradiction",
        severity="warning",
        subject=about,
        window=when,
        evidence=(WAIT_MEAN(one.mean, one.source), OF_OTHER(other.mean, other.source)),
        confidence=CONFIDENCE,
        facts={"whose": whose, "one": one, "other": other},
    )

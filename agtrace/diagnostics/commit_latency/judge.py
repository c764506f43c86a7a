"""Findings on the commits of a database and replica, and contradictions between captures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import COMMIT, LOCAL, QUANTILES, Link, Spread, counted
from agtrace.diagnostics.commit_latency.rows import Waited, WaitsAndCounters, WaitsAndEvents
from agtrace.diagnostics.commit_latency.waiting import Stretch
from agtrace.history import View
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.store.sql_files import beside
from agtrace.thresholds import Thresholds

BOTH_SIDES, ONE_SIDE, HOP_OF_ONE_SIDE = 0.9, 0.8, 0.7
"""Confidence of results from blocks joined over both hosts, from one host, and from the hops of one host."""
OF_WAITS = 0.6
"""Confidence of results from waits alone: they include all replicas and anything else with that wait type."""

SHARE = Measure("share_percent", "{hop} share", "%", "of a mean commit")
WAIT_MEAN = Measure("commit_wait_mean_ms", "commit wait mean", "ms")
WRITE_MEAN = Measure("log_write_mean_ms", "log write mean", "ms")
SEND_QUEUE = Measure("send_queue", "log send queue meanwhile", "B", "of the replica that had most, mean")
JOINED = Measure("joined_blocks", "joined blocks", "blocks", "log blocks that were seen on both hosts")
SKEW = (
    Measure("skew_ms", "skew", "ms"),
    Measure("spread_ms", "skew spread", "ms"),
    Measure("drift_ms_per_h", "skew drift", "ms/h"),
    Measure("drift_error_ms_per_h", "skew drift error", "ms/h"),
)
AT_SLOW = Measure("at_slow", "{what} at slow commits")
AT_OTHERS = Measure("at_others", "{what} at other commits")

_sql = beside(__file__)


def subject(link: Link) -> dict[str, str]:
    """Return the subject of a finding."""
    return {"ag": link.ag, "database": link.database, "replica": link.replica}


def latency(link: Link) -> Judged:
    """Judge how long commits and hops take."""
    return Judged(
        said="latency",
        id="commit.latency",
        severity="info",
        subject=subject(link),
        window=window(link.start, link.end),
        evidence=(*_commit(link), *_hops(link), *_skew(link)),
        confidence=BOTH_SIDES if link.is_joined else ONE_SIDE,
        facts={"link": link},
    )


def waits(row: Waited, ag: str, stretches: Iterable[Stretch]) -> Judged:
    """Judge the commit waits of a server, and the time of its own log writes.

    Waits do not show which hop is slow.

    Parameters
    ----------
    ag
        The group whose primary is on the server.
    stretches
        Waits by interval, with the send queue meanwhile. For this server, the interval in which commits
        waited longest is reported, if the queue was captured.
    """
    evidence = [WAIT_MEAN(row.mean, f"HADR_SYNC_COMMIT of {row.host}, n = {row.n:,}")]
    if row.write_mean is not None:
        evidence.append(WRITE_MEAN(row.write_mean, f"{row.write_source}, n = {row.writes:,}"))
    own = [each for each in stretches if each.host == row.host and each.longest_queue is not None]
    longest = max(own, key=lambda each: each.waited_ms, default=None)
    if longest is not None and (queued := longest.longest_queue) is not None:
        source = f"perfmon of {queued.replica}, n = {queued.samples or 0:,}"
        evidence.append(SEND_QUEUE(queued.queue_bytes, source))
    return Judged(
        said="latency.waits",
        id="commit.latency",
        severity="info",
        subject={"ag": ag},
        window=window(row.start, row.end) if row.start is not None and row.end is not None else {},
        evidence=tuple(evidence),
        confidence=OF_WAITS,
        facts=row._asdict() | {"stretch": longest},
    )


def hop(link: Link, others: list[Link], busy: Sequence[Beside], limits: Thresholds) -> Judged | None:
    """Judge which hop dominates; None if the primary was not captured.

    Parameters
    ----------
    others
        The links of the same database to other replicas: a commit waits for the last of them.
    busy
        What was busy at the moments of slow commits, and not at the others'.
    """
    name = link.dominant
    if name is None or link.commit is None:
        return None
    spread, share, slow = link.hops[name], link.share(name) or 0.0, link.dominant_among_slow
    source, is_slow = _source(link), link.commit.mean >= limits.commit_delay_ms
    longer = [other for other in others if other.waiting_ms > link.waiting_ms and name != LOCAL]
    last = max(longer, key=lambda other: other.waiting_ms, default=None)
    p50, _p95, p99 = _quantiles(name, spread, source)
    evidence = [quoted("dominant hop", name, source), SHARE.about(hop=name)(share, source), p50, p99]
    if slow is not None:
        evidence.append(quoted("dominant hop of the slowest 1 %", slow, source))
    return Judged(
        said="hop",
        id="commit.hop",
        severity="notice" if is_slow and last is None else "info",
        subject=subject(link),
        window=window(link.start, link.end),
        evidence=(*evidence, *(one for each in busy for one in _busy(each))),
        confidence=BOTH_SIDES if link.is_joined else HOP_OF_ONE_SIDE,
        facts=_gains(link, others)
        | {
            "link": link,
            "hop": name,
            "share": share,
            "of_hop": spread,
            "is_slow": is_slow,
            "busy": busy,
            "other_among_slow": slow if slow != name and name != LOCAL else None,
            "later": last.replica if last is not None else "",
            "common": _common(link, limits),
        },
    )


def _source(link: Link) -> str:
    hosts = [host for host in (link.row.primary_host, link.row.replica_host) if host]
    return f"data-movement events of {words.listing(hosts) if hosts else 'an unknown host'}"


def _quantiles(what: str, spread: Spread, source: str) -> Iterator[Measured]:
    for name, value in zip(QUANTILES, spread.quantiles, strict=True):
        yield Measure(f"{name}_ms", f"{what} {name}", "ms")(value, source)


def _commit(link: Link) -> Iterator[Measured]:
    if link.commit is not None:
        yield from _quantiles("commit", link.commit, _source(link))
    if link.wait is not None:
        source = f"{COMMIT} of {link.row.primary_host}, n = {link.wait.n:,}"
        yield from _quantiles("commit wait", link.wait, source)
        yield WAIT_MEAN(link.wait.mean, source)


def _hops(link: Link) -> Iterator[Measured]:
    for name, spread in link.hops.items():
        yield from _quantiles(name, spread, _source(link))
        if (share := link.share(name)) is not None:
            yield SHARE.about(hop=name)(share, _source(link))


def _skew(link: Link) -> Iterator[Measured]:
    if link.is_joined:
        yield JOINED(link.blocks, _source(link))
        for measure, value in zip(SKEW, (link.row.skew_ms, link.row.spread_ms, *link.drift), strict=True):
            if value is not None:
                yield measure(value, _source(link))


def _busy(each: Beside) -> Iterator[Measured]:
    source = f"{'events' if each.kind.is_gate else 'perfmon'} of {each.host}, n = {each.n:,}"
    what = f"{each.what} of {each.host}"
    yield AT_SLOW.about(what=what).of(each.kind.unit)(each.slow, source)
    yield AT_OTHERS.about(what=what).of(each.kind.unit)(each.usual, source)


class InCommon(NamedTuple):
    """Properties that most of the slowest 1 % of the commits share, with their frequency or size.

    Parameters
    ----------
    n
        Number of the slowest 1 %; 0 if too few.
    larger
        Their median of bytes, and that of all commits.
    minute, hour
        Their number within one minute or hour, and which.
    shares
        Share of this database among the slow commits to the replica, and among all commits.
    """

    n: int = 0
    larger: tuple[float, float] | None = None
    minute: tuple[int, datetime] | None = None
    hour: tuple[int, datetime] | None = None
    shares: tuple[float, float] | None = None


def _common(link: Link, limits: Thresholds) -> InCommon:
    """Return the common properties of the slowest 1 % of the commits, if there are enough of them."""
    told = link.common
    if told is None or told.n < limits.min_samples:
        return InCommon()
    usual, slow = told.bytes, told.slow_bytes
    larger = (slow, usual) if usual and slow and slow >= limits.commit_block_ratio * usual else None
    # Chance puts as many into the worst of a few minutes.
    least = limits.commit_minute_share * told.n
    in_minute = told.minutes >= limits.commit_minutes and told.in_minute >= least
    in_hour = not in_minute and told.hours >= limits.commit_hours and told.in_hour >= least
    of_slow, of_all = told.share_of_slow, told.share_of_all
    is_more = of_slow * (1 - of_all) >= limits.commit_busy_ratio * of_all * (1 - of_slow)
    is_most = of_slow >= limits.commit_minute_share and is_more
    is_shared = told.databases > 1 and told.slow_there >= limits.min_samples and is_most
    return InCommon(
        told.n,
        larger,
        (told.in_minute, told.minute) if in_minute else None,
        (told.in_hour, told.hour) if in_hour else None,
        (of_slow, of_all) if is_shared else None,
    )


def _gains(link: Link, others: list[Link]) -> dict[str, Any]:
    """Return the gains of changes: arithmetic over the same blocks, all else equal."""
    beside = max((other.waiting_ms for other in others), default=0.0)
    if link.dominant == LOCAL and link.outlasting is not None:
        halves = [(LOCAL, min(link.hops[LOCAL].mean / 2, link.outlasting.mean))]
    else:
        shortened = (name for name in ("remote harden", "network") if name in link.hops)
        halves = [(name, link.hops[name].mean / 2) for name in shortened]
    return {
        "asynchronous": max(link.waiting_ms - beside, 0),
        "others": [other.replica for other in others] if beside else [],
        "halves": halves,
    }


CONFIDENCE = 0.7
"""That one of the two is wrong; they could be about different commits."""
OF_OTHER = Measure("commit_wait_mean_of_other_ms", "commit wait mean of the other source", "ms")


def contradictions(view: View, links: Iterable[Link], groups: Mapping[str, str]) -> list[Judged]:
    """Judge contradictions between two sources on the same commits over the same time.

    Parameters
    ----------
    links
        Those that commits wait for.
    groups
        The group that each host has the primary of, where one is known.
    """
    limits = thresholds.of(view)
    every = (*_databases(view, links, limits), *_hosts(view, groups, limits))
    return [judged for judged in every if _are_apart(limits, *judged.evidence)]


def _databases(view: View, links: Iterable[Link], limits: Thresholds) -> Iterator[Judged]:
    """Return the waits of each database in events and in counters."""
    for link in {link.row.group_database_id: link for link in links}.values():
        if link.wait is None:
            continue
        host, row = link.row.primary_host or "", counted(view, link)
        if row.mean is None or row.n < limits.usage_samples:
            continue
        events = WAIT_MEAN(link.wait.mean, _events(host, link.wait.n))
        counters = OF_OTHER(row.mean, _counters(host, row.n))
        about = {key: value for key, value in subject(link).items() if key != "replica"}
        yield _judged(events, counters, link.database, about, window(link.start, link.end))


def _hosts(view: View, groups: Mapping[str, str], limits: Thresholds) -> Iterator[Judged]:
    """Return the waits of each host, with its events or counters beside them."""
    counted = view.records(WaitsAndCounters, _sql("waits_and_counters.sql"))
    seen = view.records(WaitsAndEvents, _sql("waits_and_events.sql"))
    compared: tuple[tuple[WaitsAndCounters | WaitsAndEvents, int, Callable[[str, int], str]], ...] = (
        *((row, limits.usage_samples, _counters) for row in counted),
        *((row, limits.min_samples, _events) for row in seen),
    )
    for row, least, name in compared:
        if row.waited is None or row.other is None or row.n < least or row.waits < limits.min_samples:
            continue
        waits = WAIT_MEAN(row.waited, f"HADR_SYNC_COMMIT of {row.host}, n = {row.waits:,}")
        other = OF_OTHER(row.other, name(row.host, row.n))
        about = {"ag": groups.get(row.host, ""), "host": row.host}
        yield _judged(waits, other, row.host, about, window(row.start, row.end))


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

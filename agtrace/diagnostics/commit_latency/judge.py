"""What is judged of the commits of a database and a replica, and what cannot all be true of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import COMMIT, LOCAL, QUANTILES, Link, Spread
from agtrace.diagnostics.commit_latency.waiting import Stretch
from agtrace.history import View
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

BOTH_SIDES, ONE_SIDE, HOP_OF_ONE_SIDE = 0.9, 0.8, 0.7
"""Confidence of what rests on blocks joined over both hosts, on one host alone, and on the hops of one."""
OF_WAITS = 0.6
"""Of waits alone: they are of all replicas, and of whatever else waits so."""

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


def subject(link: Link) -> dict[str, str]:
    """Give what a finding is about."""
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
        facts={"link": link, "row": link.row},
    )


def waits(row: Mapping[str, Any], stretches: Sequence[Stretch]) -> Judged:
    """Judge what commits of a server wait, and what the log's own writes take, by a row of waited.sql.

    Which hop it is, waits cannot say.

    Parameters
    ----------
    stretches
        What the waits of each time explain, with the send queue meanwhile: of this server the one in which
        commits waited longest is told, where the queue was captured.
    """
    evidence = [WAIT_MEAN(row["mean"], f"HADR_SYNC_COMMIT of {row['host']}, n = {row['n']:,}")]
    if row["write_mean"] is not None:
        evidence.append(WRITE_MEAN(row["write_mean"], f"{row['write_source']}, n = {row['writes']:,}"))
    own = [each.facts for each in stretches]
    own = [each for each in own if each["host"] == row["host"] and each["queue"] is not None]
    longest = max(own, key=lambda each: each["waited_ms"], default=None)
    if longest is not None:
        source = f"perfmon of {longest['replica']}, n = {longest['samples']:,}"
        evidence.append(SEND_QUEUE(longest["queue"], source))
    is_timed = row["start"] is not None and row["end"] is not None
    return Judged(
        said="latency.waits",
        id="commit.latency",
        severity="info",
        subject={"ag": row["ag"]},
        window=window(row["start"], row["end"]) if is_timed else {},
        evidence=tuple(evidence),
        confidence=OF_WAITS,
        facts={**row, "stretch": longest},
    )


def hop(link: Link, others: list[Link], busy: Sequence[Beside], limits: Thresholds) -> Judged | None:
    """Judge which hop dominates; None where the primary was not captured.

    Parameters
    ----------
    others
        The ways of the same database to other replicas: a commit waits for the last of them all.
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
    hosts = [host for host in (link.row["primary_host"], link.row["replica_host"]) if host]
    return f"data-movement events of {words.listing(hosts) if hosts else 'an unknown host'}"


def _quantiles(what: str, spread: Spread, source: str) -> Iterator[Measured]:
    for name, value in zip(QUANTILES, spread.quantiles, strict=True):
        yield Measure(f"{name}_ms", f"{what} {name}", "ms")(value, source)


def _commit(link: Link) -> Iterator[Measured]:
    if link.commit is not None:
        yield from _quantiles("commit", link.commit, _source(link))
    if link.wait is not None:
        source = f"{COMMIT} of {link.row['primary_host']}, n = {link.wait.n:,}"
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
        for measure in SKEW:
            if link.row[measure.name] is not None:
                yield measure(link.row[measure.name], _source(link))


def _busy(each: Beside) -> Iterator[Measured]:
    source = f"{'events' if each.kind.is_gate else 'perfmon'} of {each.host}, n = {each.n:,}"
    what = f"{each.what} of {each.host}"
    yield AT_SLOW.about(what=what).of(each.kind.unit)(each.slow, source)
    yield AT_OTHERS.about(what=what).of(each.kind.unit)(each.usual, source)


def _common(link: Link, limits: Thresholds) -> dict[str, Any]:
    """Judge what the slowest 1 % of the commits have in common, where they are enough to say so."""
    found: dict[str, Any] = {"n": 0, "larger": None, "minute": None, "hour": None, "shares": None}
    told = link.common
    if told is None or told["n"] < limits.min_samples:
        return found
    found["n"] = told["n"]
    usual, slow = told["bytes"], told["slow_bytes"]
    if usual and slow and slow >= limits.commit_block_ratio * usual:
        found["larger"] = (slow, usual)
    # Chance puts as many into the worst of a few minutes.
    in_minute = told["in_minute"] / told["n"]
    if told["minutes"] >= limits.commit_minutes and in_minute >= limits.commit_minute_share:
        found["minute"] = (told["in_minute"], told["minute"])
    elif told["hours"] >= limits.commit_hours and told["in_hour"] >= limits.commit_minute_share * told["n"]:
        found["hour"] = (told["in_hour"], told["hour"])
    of_slow, of_all = told["share_of_slow"], told["share_of_all"]
    is_more = of_slow * (1 - of_all) >= limits.commit_busy_ratio * of_all * (1 - of_slow)
    is_most = of_slow >= limits.commit_minute_share and is_more
    if told["databases"] > 1 and told["slow_there"] >= limits.min_samples and is_most:
        found["shares"] = (of_slow, of_all)
    return found


def _gains(link: Link, others: list[Link]) -> dict[str, Any]:
    """Give what changes would gain: arithmetic over the same blocks, all else equal."""
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
    beside = (
        ("waits_and_counters.sql", limits.usage_samples, _counters),
        ("waits_and_events.sql", limits.min_samples, _events),
    )
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

"""What is said of the commits of a database and a replica."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import COMMIT, LOCAL, QUANTILES, REMOTE, Link, Spread
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count, listing, moment, number, plain, size
from agtrace.thresholds import Thresholds

REMEDIES = {
    "capture": "Capturing the log is slow on the primary: look at its processors and at reads of the log from disk.",
    "compression": "Compressing the log stream costs more than anything else: try trace flag 9592 off.",
    "send": "Blocks wait on the primary before they are handed to the network: look at flow control and processors.",
    "network": "Measure the round trip and its losses between the hosts; a shorter way helps more than any disk.",
    "receive": "The replica is slow to take blocks in: look at its processors and worker threads.",
    "decompression": "The replica is slow to decompress: look at its processors, or do without compression.",
    "remote harden": "The replica's log disk is what commits wait for: move its log to a faster disk.",
    "acknowledgement": "Acknowledgements are slow to be sent or processed: look at processors and worker threads.",
    LOCAL: "The primary's own log disk is what commits wait for: a replica makes no difference.",
    REMOTE: "Capture the same session on the replica at the same time: it splits this into wire and disk.",
}


def latency_finding(link: Link) -> Finding:
    """Tell how long commits and hops take."""
    evidence = [*_commit(link), *_hops(link), *_skew(link)]
    return Finding(
        "commit.latency",
        "info",
        _title(link),
        " ".join(_narrative(link)),
        subject=subject(link),
        window=window(link),
        evidence=tuple(evidence),
        recommendation="" if link.is_joined else REMEDIES[REMOTE] if link.commit else
        "Capture the same session on the primary at the same time: only it sees whole commits.",
        confidence=0.9 if link.is_joined else 0.8,
    )  # fmt: skip


def hop_finding(link: Link, others: list[Link], busy: Sequence[Beside], limits: Thresholds) -> Finding | None:
    """Tell which hop dominates; None where the primary was not captured.

    Parameters
    ----------
    others
        The ways of the same database to other replicas: a commit waits for the last of them all.
    busy
        What was busy at the moments of slow commits, and not at the others'.
    """
    hop = link.dominant
    if hop is None or link.commit is None:
        return None
    spread, share = link.hops[hop], link.share(hop) or 0.0
    source, is_slow = _source(link), link.commit.mean >= limits.commit_delay_ms
    later = [other for other in others if other.waiting_ms > link.waiting_ms and hop != LOCAL]
    evidence = [
        Evidence("dominant hop", hop, "", source),
        Evidence(f"{hop} share", share, "%", source),
        Evidence(f"{hop} p50", spread.quantiles[0], "ms", source),
        Evidence(f"{hop} p99", spread.quantiles[2], "ms", source),
    ]
    slow = link.dominant_among_slow
    if slow is not None:
        evidence.append(Evidence("dominant hop of the slowest 1 %", slow, "", source))
    evidence += [one for each in busy for one in _busy(each)]
    text = [_of_hop(link, hop, share), *_common(link, limits), *map(_at_that_moment, busy)]
    if later:
        last = max(later, key=lambda other: other.waiting_ms)
        title = f"On the way of {plain(link.database)} to {plain(link.replica)} {hop} takes longest ({share:.0f} % of it)"
        text.append(f"Commits wait longer for {plain(last.replica)}: nothing on this way would shorten them.")
        advice = f"Shorten the way to {plain(last.replica)} first."
    else:
        title = f"Commits of {plain(link.database)} wait for {hop} ({share:.0f} % of their time)"
        text += _gains(link, others)
        remedy = REMEDIES[hop]
        advice = (
            remedy
            if is_slow
            else f"Commits are short; to shorten them further: {remedy[0].lower()}{remedy[1:]}"
        )
    return Finding(
        "commit.hop",
        "notice" if is_slow and not later else "info",
        title,
        " ".join(text),
        subject=subject(link),
        window=window(link),
        evidence=tuple(evidence),
        recommendation=advice,
        confidence=0.9 if link.is_joined else 0.7,
    )


def subject(link: Link) -> dict[str, str]:
    """Give what a finding is about."""
    return {"ag": link.ag, "database": link.database, "replica": link.replica}


def window(link: Link) -> dict[str, str]:
    """Give the time that the blocks span."""
    return {"start": link.start.isoformat(), "end": link.end.isoformat()}


def _source(link: Link) -> str:
    hosts = [host for host in (link.row["primary_host"], link.row["replica_host"]) if host]
    return f"data-movement events of {listing(hosts) if hosts else 'a host that is not known'}"


def _quantiles(label: str, spread: Spread, source: str) -> Iterator[Evidence]:
    for name, value in zip(QUANTILES, spread.quantiles, strict=True):
        yield Evidence(f"{label} {name}", value, "ms", source)


def _commit(link: Link) -> Iterator[Evidence]:
    if link.commit is not None:
        yield from _quantiles("commit", link.commit, _source(link))
    if link.wait is not None:
        source = f"{COMMIT} of {link.row['primary_host']}, n = {link.wait.n:,}"
        yield from _quantiles("commit wait", link.wait, source)
        yield Evidence("commit wait mean", link.wait.mean, "ms", source)


def _hops(link: Link) -> Iterator[Evidence]:
    for hop, spread in link.hops.items():
        yield from _quantiles(hop, spread, _source(link))
        if (share := link.share(hop)) is not None:
            yield Evidence(f"{hop} share", share, "%", _source(link))


def _skew(link: Link) -> Iterator[Evidence]:
    if not link.is_joined:
        return
    source = _source(link)
    yield Evidence("joined blocks", link.blocks, "blocks", source)
    for label, key, unit in (
        ("skew", "skew_ms", "ms"),
        ("skew spread", "spread_ms", "ms"),
        ("skew drift", "drift_ms_per_h", "ms/h"),
        ("skew drift error", "drift_error_ms_per_h", "ms/h"),
    ):
        if link.row[key] is not None:
            yield Evidence(label, link.row[key], unit, source)


def _title(link: Link) -> str:
    whose = f"{plain(link.database)} to {plain(link.replica)}"
    if link.commit is None:
        return f"What {plain(link.replica)} does with the log of {plain(link.database)}, hop by hop"
    p50, _p95, p99 = link.commit.quantiles
    return f"Commits of {whose}: {number(p50, 'ms')} in the middle, {number(p99, 'ms')} at p99"


def _narrative(link: Link) -> Iterator[str]:
    blocks = f"{count(link.blocks, 'log block')} from {moment(link.start)} to {moment(link.end)}"
    if link.is_joined:
        yield f"{blocks} were seen on both hosts."
        yield from _clocks(link)
    elif link.commit is None:
        yield f"{blocks} were seen on the replica alone: whole commits, the wire and the primary are not in it."
    else:
        yield f"{blocks} were seen on the primary alone: all between sending and acknowledgement is one number."
    if link.commit is not None and link.row["commit_mode"] is None:
        yield "Nothing captured says whether the replica commits synchronously."
    if link.wait is not None:
        yield (
            f"{count(link.wait.n, 'commit')} waited {number(link.wait.mean, 'ms')} on average after their local flush, "
            "for whichever synchronous replica was last."
        )


def _clocks(link: Link) -> Iterator[str]:
    """Say how far the clocks are apart, what of that may be the wire, and whether it changes."""
    skew, spread = link.row["skew_ms"], link.row["spread_ms"]
    if skew is None or spread is None:
        return
    yield (
        f"The replica's clock is {_ahead(skew)} if the way there takes no time, {_ahead(skew - spread)} if it takes all of the "
        "wire's: nothing that two hosts write can tell that. No duration given here depends on it."
    )
    drift, error = link.row["drift_ms_per_h"], link.row["drift_error_ms_per_h"]
    if drift is not None and error is not None:
        found = f"drifts by {number(drift, 'ms')}" if abs(drift) > error else "shows no drift"
        yield f"It {found} an hour (give or take {number(error, 'ms')})."


def _ahead(ms: float) -> str:
    return f"{number(abs(ms), 'ms')} {'ahead' if ms >= 0 else 'behind'}"


def _of_hop(link: Link, hop: str, share: float) -> str:
    assert link.commit is not None
    spread = link.hops[hop]
    text = (
        f"Over {count(link.blocks, 'log block')} {hop} takes {number(spread.mean, 'ms')} on average (p50 "
        f"{number(spread.quantiles[0], 'ms')}, p99 {number(spread.quantiles[2], 'ms')}), {share:.0f} % of a mean commit of "
        f"{number(link.commit.mean, 'ms')}."
    )
    slow = link.dominant_among_slow
    if slow and slow != hop and hop != LOCAL:
        text += f" Among the slowest 1 % it is {slow}."
    return text


def _common(link: Link, limits: Thresholds) -> Iterator[str]:
    """Say what the slowest 1 % of the commits have in common, where they are enough to say so."""
    told = link.common
    if told is None or told["n"] < limits.min_samples:
        return
    usual, slow = told["bytes"], told["slow_bytes"]
    if usual and slow and slow >= limits.commit_block_ratio * usual:
        yield f"The slowest 1 % are of larger blocks: {size(slow)} in the middle, of all {size(usual)}."
    # Chance puts as many into the worst of a few minutes.
    share = told["in_minute"] / told["n"]
    if told["minutes"] >= limits.commit_minutes and share >= limits.commit_minute_share:
        yield f"{told['in_minute']} of these {told['n']} lie in the minute from {moment(told['minute'])} on."
    elif told["hours"] >= limits.commit_hours and told["in_hour"] >= limits.commit_minute_share * told["n"]:
        yield f"{told['in_hour']} of these {told['n']} lie in the hour from {moment(told['hour'])} on."
    slow_share, share = told["share_of_slow"], told["share_of_all"]
    is_more = slow_share * (1 - share) >= limits.commit_busy_ratio * share * (1 - slow_share)
    is_most = slow_share >= limits.commit_minute_share and is_more
    if told["databases"] > 1 and told["slow_there"] >= limits.min_samples and is_most:
        yield (
            f"Of the slowest 1 % of all databases' commits to {plain(link.replica)} {100 * slow_share:.0f} % are of "
            f"{plain(link.database)}, which has {100 * share:.0f} % of all commits."
        )


def _busy(each: Beside) -> Iterator[Evidence]:
    source = f"{'events' if each.kind.is_gate else 'perfmon'} of {each.host}, n = {each.n:,}"
    label = f"{each.what} of {each.host}"
    yield Evidence(f"{label} at slow commits", each.slow, each.kind.unit, source)
    yield Evidence(f"{label} at other commits", each.usual, each.kind.unit, source)


def _at_that_moment(each: Beside) -> str:
    """Say what slow commits have in common: it came together, which is no proof that one made the other."""
    slow, usual = (number(value, each.kind.unit) for value in (each.slow or 0.0, each.usual or 0.0))
    if each.kind.is_gate:
        return f"{slow} of the slowest 1 % met a closed {each.what} of flow control, of the others {usual}."
    said = each.kind.said.format(host=plain(each.host), slow=slow)
    return f"At the moment of the slowest 1 % {said} (at that of the others {usual})."


def _gains(link: Link, others: list[Link]) -> Iterator[str]:
    """Say what changes would gain: arithmetic over the same blocks, all else equal."""
    beside = max((other.waiting_ms for other in others), default=0.0)
    left = f", which then wait for {listing([plain(other.replica) for other in others])}" if beside else ""
    yield (
        f"Asynchronous commit would save {number(max(link.waiting_ms - beside, 0), 'ms')} a commit on average{left}, and risk "
        "what is not sent yet."
    )
    if link.dominant == LOCAL and link.outlasting is not None:
        saved = min(link.hops[LOCAL].mean / 2, link.outlasting.mean)
        yield f"Half the time for {LOCAL} (a log disk of the primary twice as fast) would save at most {number(saved, 'ms')}."
        return
    for hop, what in (("remote harden", "a log disk of the replica"), ("network", "a way")):
        if hop in link.hops:
            half = link.hops[hop].mean / 2
            yield f"Half the time for {hop} ({what} twice as fast) would save at most {number(half, 'ms')}."

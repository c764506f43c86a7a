"""The transport tables that a person looks at, as pandas frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.balance import Passed
from agtrace.diagnostics.transport.costs import LOSS, REDO_TIME
from agtrace.diagnostics.transport.evidence import FLUSHED, HARDENED, RECEIVED, REDONE, STATISTICS
from agtrace.diagnostics.transport.sent_received import Comparison, SentReceived
from agtrace.diagnostics.transport.snapshots import moment
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import instant
from agtrace.history.streams import UNKNOWN, USUAL, Link, Look, Part, Path, Series, Settings
from agtrace.measure.gapped import slope, spread
from agtrace.measures import Measure, by_name, frame
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

HOPS = (FLUSHED, RECEIVED, HARDENED, REDONE)

AG = Measure("ag", "availability group")
PRIMARY, REPLICA, DATABASE, HOST = map(Measure, ("primary", "replica", "database", "host"))
START = Measure("start", "from")
END = Measure("end", "to")
SAMPLES, SOURCE = Measure("samples"), Measure("source")

CHAIN = (
    *(AG, PRIMARY, REPLICA, DATABASE, START, END, SAMPLES, Measure("verdict")),
    *(hop.stat(name) for hop in HOPS for name in STATISTICS),
    Measure("send_queue_end", "log send queue, at the end", "B"),
    Measure("send_queue_slope", "log send queue, slope", "B/s"),
    Measure("recovery_queue_end", "recovery queue, at the end", "B"),
    Measure("recovery_queue_slope", "recovery queue, slope", "B/s"),
)
ROLES = (AG, REPLICA, Measure("role"), START, END, Measure("evidence"))
RPO_RTO = (
    *(REPLICA, DATABASE, Measure("rpo_end", "data loss, at the end", "s")),
    *(LOSS.stat(name) for name in ("p50", "p95", "max")),
    Measure("rpo_method", "method of data loss", "", "integral: from the log flushed, sample by sample"),
    Measure("redo_end", "redo time, at the end", "s"),
    *(REDO_TIME.stat(name) for name in ("p95", "max")),
    SAMPLES,
)
LOOKS = (
    *(AG, REPLICA, DATABASE, Measure("time"), Measure("state")),
    Measure("suspended"),
    Measure("send_queue_kb", "log send queue", "KB", "KB of 1,024 bytes"),
    Measure("send_rate_kb_s", "log send rate", "KB/s", "the server's own average"),
    Measure("redo_queue_kb", "redo queue", "KB", "KB of 1,024 bytes"),
    Measure("redo_rate_kb_s", "redo rate", "KB/s", "the server's own average"),
    *(Measure("lag_s", "behind the primary", "s"), Measure("seen_on", "seen on"), SOURCE),
)
PATHS = (
    *(REPLICA, PRIMARY, Measure("bulk_copy", "bulk copy")),
    Measure("round_trip_ms", "round trip", "ms"),
    Measure("one_window_carries", "one unscaled window carries"),
    *(Measure("stream_p50", "stream, p50"), Measure("stream_p95", "stream, p95")),
    Measure("stream_unit", "unit of the stream"),
    *(Measure("card", "network card"), Measure("card_in_use", "card in use")),
    *(Measure("card_capacity", "card capacity"), Measure("handshake"), START, END),
)
ODD_ONES = Measure("odd", "odd settings")
"""Besides a column for each setting, under the name used by the host."""
OF_SENT = Measure("of_sent", "of the bytes sent", "ratio")
OF_FLUSHED = Measure("of_flushed", "of the log flushed", "ratio")
SENT_RECEIVED = (
    *(REPLICA, Measure("hop"), Measure("unit")),
    *(Measure(name, name, "", "in the unit of the row") for name in (*STATISTICS, "total")),
    *(OF_SENT, OF_FLUSHED),
    Measure("compared", "time compared", "ratio", "share of the window with samples of both sides"),
    Measure("covered", "time covered", "ratio", "share of the window with samples of the hop"),
    Measure("passed", "passed together", "B", "in the unit of the row, while every hop has samples"),
    Measure("passed_s", "time in which every hop has samples", "s"),
    Measure("queue_growth", "growth of the queue before it", "B", "in the same time"),
    Measure("not_compared", "why it does not add up", "", "what enters is what passes and what waits"),
    *(SAMPLES, Measure("counter"), HOST, PRIMARY, AG, START, END),
)
OVER_TIME = (
    *(AG, PRIMARY, REPLICA, START, END),
    Measure("received_of_sent", "received, of the bytes sent", "ratio"),
    Measure("received_of_flushed", "received, of the log flushed", "ratio"),
    Measure("log_per_wire_byte", "log per byte on the wire", "ratio"),
)
MEASURES = tuple(
    by_name((*CHAIN, *ROLES, *RPO_RTO, *LOOKS, *PATHS, ODD_ONES, *SENT_RECEIVED, *OVER_TIME)).values()
)
"""All columns of the tables, without duplicates."""


def chain(links: list[LinkStudy]) -> pd.DataFrame:
    """Return one row per replica and database; rates in log bytes per second, queues in bytes."""
    rows = [_chain_row(studied, part) for studied in links for part in studied.parts]
    return frame(CHAIN, rows)


def _who(link: Link) -> dict[str, str]:
    return {"ag": link.ag, "primary": link.primary_name, "replica": link.replica}


def _ends(first: float, last: float, *, is_local: bool) -> dict[str, str]:
    start, end = (instant(float(at), is_local=is_local) for at in (first, last))
    return {"start": start, "end": end}


def _chain_row(studied: LinkStudy, part: Part) -> dict[str, Any]:
    link, read = studied.link, part.chain
    queue = read.send_queue
    verdicts = (each.kind.id for each in studied.verdicts if part.database in each.databases)
    row: dict[str, Any] = {
        **_who(link),
        **_ends(read.times[0], read.times[-1], is_local=link.is_local),
        "database": part.database,
        "samples": queue.spread.n if queue is not None and queue.spread is not None else 0,
        "verdict": ", ".join(name.removeprefix("transport.") for name in verdicts),
    }
    for hop in HOPS:
        series: Series | None = getattr(read, hop.name)
        s = series.spread if series is not None else None
        if s is not None:
            row |= {hop.stat(name).name: getattr(s, name) for name in STATISTICS}
    for name, series, end in (
        ("send_queue", queue, read.queue_end),
        ("recovery_queue", read.recovery_queue, read.recovery_end),
    ):
        fit = slope(read.times, series.values) if series is not None else None
        row |= {f"{name}_end": end, f"{name}_slope": fit.value if fit is not None else None}
    return row


def roles(study: Study) -> pd.DataFrame:
    """Return one row per availability group, replica and period; open ends are empty."""
    rows = []
    for group in study.groups:
        for node in group.nodes:
            for role in study.roles[group.ags][node.name]:
                both, local = (role.start, role.end), node.is_local
                ends = ["" if math.isinf(at) else instant(at, is_local=local) for at in both]
                rows.append((group.name, node.name, role.role, *ends, role.evidence))
    return frame(ROLES, rows)


def rpo_rto(links: list[LinkStudy]) -> pd.DataFrame:
    """Return one row per replica and database; all values in seconds."""
    rows = []
    for studied in links:
        redo = {item.database: item for item in studied.redo_times}
        for item in studied.losses:
            s, other = item.spread, redo.get(item.database)
            r = other.spread if other is not None else None
            rows.append(
                (studied.link.replica, item.database, item.end, s.p50, s.p95, s.max, item.basis)
                + (None if other is None else other.end,)
                + ((None, None) if r is None else (r.p95, r.max))
                + (s.n,)
            )
    return frame(RPO_RTO, rows)


def looks(found: list[Look]) -> pd.DataFrame:
    """Return one row per snapshot, replica and database; sizes in KB of 1,024 bytes."""
    rows = []
    for look in found:
        for each in look.states:
            suspended = (each.suspend_reason or "yes") if each.is_suspended else ""
            of = (look.ag, look.replica, each.database, moment(look), each.state, suspended)
            queues = (each.send_queue, each.send_rate, each.redo_queue, each.redo_rate, each.lag_s)
            rows.append((*of, *queues, look.host, each.source))
    return frame(LOOKS, rows)


ODD = " (!)"
"""Suffix of a setting that is odd."""


def network_paths(found: list[Path]) -> pd.DataFrame:
    """Return one row per replica, and one per card on its path, with rates in bytes and bits."""
    rows = [row for path in found for row in _path_rows(path)]
    return frame(PATHS, rows)


def _path_rows(path: Path) -> list[dict[str, Any]]:
    link = path.link
    rated = {
        "bulk_copy": path.copy,
        "one_window_carries": path.carries,
        "stream_p50": path.stream.p50 if path.stream is not None else None,
        "stream_p95": path.stream.p95 if path.stream is not None else None,
    }
    row: dict[str, Any] = {
        **_who(link),
        **_ends(link.times[0], link.times[-1], is_local=link.is_local),
        "round_trip_ms": None if path.round_trip is None else 1000 * path.round_trip,
        "stream_unit": path.unit,
        "handshake": "",
    }
    if path.handshake is not None:
        row["handshake"] = "window scaled" if path.handshake.scaled else "window not scaled"
    row |= {name: words.wire_rate(value) for name, value in rated.items() if value is not None}
    cards = [
        {
            "card": card.host_id,
            "card_in_use": f"{words.wire_rate(card.bytes_per_s)}, {words.number(100 * card.share)} %",
            "card_capacity": words.bits(card.bandwidth),
        }
        for card in path.cards.values()
    ]
    return [row | card for card in cards] or [row]


def tcp_settings(looks: list[Settings]) -> pd.DataFrame:
    """Return one row per host and snapshot, one column per setting, ``(!)`` after odd ones."""
    rows = [
        {"host": one.host, "odd": ", ".join(one.odd)}
        | {name: value + (ODD if name in one.odd else "") for name, value in one.values.items()}
        | {"source": one.path}
        for one in looks
    ]
    names = dict.fromkeys(name for one in looks for name in (*USUAL, *one.values))
    known = [name for name in names if any(name in one.values for one in looks)]
    return frame((HOST, ODD_ONES, *map(Measure, known), SOURCE), rows)


UNIT_NAMES = {UNKNOWN: "B/s, log or wire", hops.ALL: "B/s, all traffic"}
COMPRESSION = "log per byte on the wire"


def sent_received(found: list[SentReceived]) -> pd.DataFrame:
    """Return one row per link and hop; rates per second, totals in the unit of the rate."""
    rows = [row for each in found for row in _hop_rows(each)]
    return frame(SENT_RECEIVED, rows)


def _hop_rows(each: SentReceived) -> list[dict[str, Any]]:
    who, rows = _who(each.link), []
    for hop in each.hops.values():
        row: dict[str, Any] = who | {"hop": hop.name, "unit": UNIT_NAMES.get(hop.unit, hop.unit)}
        if hop.rate is None or hop.spread is None:
            rows.append(row | {"samples": 0, "counter": hop.missing, "host": hop.host})
            continue
        of_flushed = of_sent = None
        if hop.name != hops.FLUSHED:
            of_flushed = each.compare(hops.FLUSHED, hop.name)
        if hop is each.received:
            of_sent = each.comparison
        against = of_sent or of_flushed
        passed = each.balance.passed.get(hop.name, Passed(hop.name))
        rows.append(
            row
            | {
                **{name: getattr(hop.spread, name) for name in STATISTICS},
                "mean": hop.rate.mean,
                "total": hop.rate.total,
                "of_flushed": None if of_flushed is None else of_flushed.ratio,
                "of_sent": None if of_sent is None else of_sent.ratio,
                "covered": hop.rate.seconds / each.span_of(hop.side),
                "compared": None if against is None else against.share,
                "passed": passed.total,
                "passed_s": each.balance.seconds,
                "queue_growth": passed.growth,
                "not_compared": passed.why_not,
                "samples": hop.spread.n,
                **_ends(hop.rate.starts[0], hop.rate.ends[-1], is_local=each.is_local(hop.side)),
                "counter": hop.counter,
                "host": hop.host,
            }
        )
    if each.compression is not None:
        rows.append(who | _compression_row(each, each.compression))
    return rows


def _compression_row(each: SentReceived, found: Comparison) -> dict[str, Any]:
    s, both, local = spread(found.shared.ratios(each.edges)), found.shared, each.is_local(hops.REPLICA)
    return {
        "hop": COMPRESSION,
        "unit": "ratio",
        "mean": found.ratio,
        **{name: getattr(s, name) if s else None for name in ("p50", "p95", "max")},
        "compared": found.share,
        "samples": s.n if s else 0,
        **_ends(both.starts[0], both.ends[-1], is_local=local),
        "counter": f"{found.other.name} / {found.base.name}",
        "host": each.link.replica,
    }


def sent_received_over_time(found: list[SentReceived]) -> pd.DataFrame:
    """Return one row per link and block of time: ratios over the time with samples of both sides."""
    rows = []
    for each in found:
        ratios = [
            [math.nan] * (len(each.edges) - 1) if comparison is None else comparison.shared.ratios(each.edges)
            for comparison in (each.comparison, each.arrived, each.compression)
        ]
        link, local = each.link, each.link.is_local
        for place, row in enumerate(zip(*ratios, strict=True)):
            if not all(math.isnan(value) for value in row):
                ends = _ends(*each.edges[place : place + 2], is_local=local)
                rows.append((*_who(link).values(), *ends.values(), *row))
    return frame(OVER_TIME, rows)

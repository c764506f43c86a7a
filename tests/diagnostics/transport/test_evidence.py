"""What a verdict shows as its evidence: labels, values, units and sources, in their order."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport.evidence import of_verdict
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import BEHIND
from agtrace.history.trace_flags.span import FlagSpan
from agtrace.measures import Measured
from tests.diagnostics.transport.made import (
    both,
    copied,
    fact,
    handshake,
    known,
    lag,
    link,
    node,
    part,
    ping,
    primary,
    secondary,
    tuning,
    verdict,
)


def evidence(of: Link, beside: StreamFacts | None = None, *parts: Any, **more: Any) -> list[Measured]:
    return list(of_verdict(verdict(of, beside, *parts, **more)))


def shown(found: list[Measured], start: str = "") -> list[tuple[Any, ...]]:
    """Return label, value, unit and source of evidence with a given label prefix."""
    return [
        (each.label, each.value, each.unit, each.source) for each in found if each.label.startswith(start)
    ]


def labels(found: list[Measured]) -> list[str]:
    return [each.label for each in found]


def bare(here: dict[str, Any] | None = None, there: dict[str, Any] | None = None) -> Link:
    """Return a stream with only the given captures."""
    none = {"flushed": None, "sent": None}
    empty = dict.fromkeys(("received", "hardened", "redone", "recovery"))
    return link(primary(**none | (here or {})), secondary(**{"queue": 0} | empty | (there or {})))


# Rates and queues.


def test_a_queue_is_shown_with_its_end_maximum_growth_and_slope():
    queue = [np.nan] * 5 + [10.0 * n for n in range(50)] + [0.0] + [np.nan] * 4
    source = "SQLServer:Database Replica(Sales)\\Log Send Queue on S"
    found = shown(evidence(bare(there={"queue": queue}), rows=slice(0, 55)), "log send queue")
    fit = f"{source}, least squares, 95 % interval 2048 to 2048, n = 50"
    assert found == [
        ("log send queue, at the end", 501_800, "B", source),
        ("log send queue, max", 501_800, "B", source),
        ("log send queue, mean growth", 2048, "B/s", source),
        ("log send queue, slope", 2048, "B/s", fit),
    ]
    whole = shown(evidence(bare(there={"queue": queue})), "log send queue")
    assert [value for _, value, _, _ in whole][:3] == [0, 501_800, 0]


# The stream.


def test_what_decides_how_bytes_are_counted_is_quoted():
    since = datetime(1969, 1, 1, tzinfo=UTC)
    flags = {
        1462: [FlagSpan("P", True, since, None, "ERRORLOG, line 1")],
        9592: [FlagSpan("P", False, since, None, "ERRORLOG, line 2")],
    }
    found = evidence(both({"mirrored": 1}), known(flags=flags))
    counter = "SQLServer:Database Replica\\Mirrored Write Transactions/sec on P, for the only replica"
    assert shown(found, "commit mode") + shown(found, "trace flag") == [
        ("commit mode of S", "synchronous", "", counter),
        ("trace flag 1462 on P", "on", "", "ERRORLOG, line 1"),
        ("trace flag 9592 on P", "off", "", "ERRORLOG, line 2"),
    ]
    assert shown(evidence(both()), "commit mode") == []


@pytest.mark.parametrize(
    ("series", "told"),
    [
        ({"gate": 0, "resent": 0}, [("flow control time, mean", 0)]),
        (
            {"gate": 12.345, "resent": 0.4},
            [("flow control time, mean", 12.35), ("resent messages, mean", 0.4)],
        ),
        ({"gate": [np.nan] * 30 + [5.0] * 30}, []),
        ({}, []),
    ],
)
def test_a_gate_is_shown_though_it_was_open_and_messages_sent_again_where_there_were_any(series, told):
    found = evidence(both(series), rows=slice(0, 30))
    names = ("flow control time", "resent messages")
    assert [(each.label, each.value) for each in found if each.label.startswith(names)] == told


# Several databases.


def test_each_of_several_databases_has_its_own_numbers():
    half, names = [1.0] * 30 + [2.0] * 30, ("a", "b")
    of = link(
        primary(flushed={"a": half, "b": None}),
        secondary(received={"a": half, "b": half}, redone={"a": half}, queue={"a": half, "b": None},
                  recovery={"a": [np.nan] * 60, "b": half}),
        names,
    )  # fmt: skip
    found = shown(evidence(of, rows=slice(30, 60)))
    own = [(label, value, unit) for label, value, unit, _ in found if label.startswith(("a: ", "b: "))]
    assert own == [
        ("a: log flushed on the primary, mean", 2, "log B/s"), ("a: log received, mean", 2, "log B/s"),
        ("a: log redone, mean", 2, "log B/s"), ("a: log send queue, at the end", 2048, "B"),
        ("b: log received, mean", 2, "log B/s"), ("b: recovery queue, at the end", 2048, "B"),
    ]  # fmt: skip
    assert not [each for each in labels(evidence(both())) if each.startswith("Sales")]


# The path.


def test_what_was_looked_at_of_the_path_is_shown():
    of = bare(there={"received": 655_350})
    of.group.nodes.append(node("T"))
    told = [tuning("S", "normal"), tuning("P", "disabled"), copied(2e6), copied(3e6, "P", "T"), ping(100)]
    found = shown(evidence(of, known(*told, handshake("none"), handshake("none"))))
    counter = "SQLServer:Database Replica(Sales)\\Log Bytes Received/sec on S"
    assert found[8:] == [
        ("TCP receive window auto-tuning level on S", "normal", "", "netsh interface tcp show global of S"),
        ("TCP receive window auto-tuning level on P", "disabled", "", "netsh interface tcp show global of P"),
        ("bulk copy to the replica", 2e6, "B/s", "robocopy log, destination S"),
        ("bulk copy to T", 3e6, "B/s", "robocopy log, destination T"),
        (
            "TCP window scaling in the handshake", "not negotiated", "",
            "packet capture, 2 handshakes to port 5022",
        ),
        ("round trip", 100, "ms", "ping between P and S"),
        ("p95 / p50 of the stream while the queue was filled", 1, "", f"{counter}, n = 60"),
        (
            "rate x round trip of the stream to the replica, against an unscaled window of 65535 B", 1,
            "ratio", f"{counter} and ping",
        ),
        (
            "rate x round trip of Sales, against an unscaled window of 65535 B", 1, "ratio",
            f"{counter} and ping",
        ),
        ("what an unscaled window alone would carry", 655_400, "B/s", "65,535 B in each round trip (ping)"),
    ]  # fmt: skip


def test_a_handshake_is_shown_as_what_it_negotiated():
    scaled = fact("tcp_handshake", client="P", server="S", client_scale="8", server_scale="8")
    assert shown(evidence(bare(), known(scaled)), "TCP") == [
        ("TCP window scaling in the handshake", "negotiated", "", "packet capture, 1 handshake")
    ]


# What follows for a queue that is still filled.


def behind(beside: StreamFacts | None = None, **there: Any) -> list[Measured]:
    usual = {"received": 1e6, "queue": [float(n) for n in range(60)]}
    of = link(primary(flushed=2e6), secondary(**usual | there))
    return evidence(of, beside, part(of, BEHIND, send_lag=lag()))


def test_the_window_that_is_needed_and_when_the_queue_is_gone_are_shown():
    found = behind(known(ping(100), copied(1e7)))
    assert shown(found, "receive window") == [
        (
            "receive window that the log generated needs", 200_000, "B",
            "2.0 MB/s of log generated, mean, x round trip (ping)",
        )
    ]  # fmt: skip
    assert shown(found, "send queue gone") == [
        (
            "send queue gone after the limit is removed", 0.007552, "s",
            "60 KB in the queue; 10 MB/s of log as the bulk copy to S, 2.0 MB/s generated",
        )
    ]  # fmt: skip
    on_wire = shown(behind(known(ping(100)), wire=5e5), "receive window")
    assert [(value, source) for _, value, _, source in on_wire] == [
        (100_000, "1.0 MB/s on the wire generated, mean, x round trip (ping)")
    ]


def test_a_copy_to_another_replica_is_named():
    of = link(primary(flushed=2e6), secondary(received=1e6, queue=[float(n) for n in range(60)]))
    of.group.nodes.append(node("T"))
    found = evidence(of, known(copied(1e7, "P", "T")), part(of, BEHIND, send_lag=lag()))
    ((_, _, _, source),) = shown(found, "send queue gone")
    assert source == "60 KB in the queue; 10 MB/s of log as the bulk copy to T, 2.0 MB/s generated"


# The rest.


@pytest.mark.parametrize(("reason", "told"), [("user", "user"), (None, "data movement suspended")])
def test_a_message_is_quoted(reason, told):
    message = {"reason": reason, "host_id": "S", "line": 9}
    assert shown(evidence(both(), message=message), "message") == [
        ("message 35264", told, "", "ERRORLOG of S, line 9")
    ]

"""Why a primary counts fewer bytes as sent than log arrives, and what trace flags say of it."""

from __future__ import annotations

import html

from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, perfmon, value

V2014 = "P | startup | 0 | product_version | 12.0.6024.0"
V2019 = "P | startup | 0 | product_version | 15.0.4298.1"
LESS = SLOW | CEILING | {"sent": "310000"}
"""310 KB/s are counted as sent while 400 KB/s of log arrive: 0.775 bytes per byte of log."""
RATIO = "bytes sent per byte of log received"


def first(*changes, facts=V2014):
    found = Transport(case(perfmon(*changes), facts=facts)).findings()
    return next(f for f in found if f.id.startswith(("transport.network", "transport.window")))


def flagged(number: int, value: str, at: int = -600) -> str:
    return f"P | trace_flag | 0 | {number} | {value} | {at}"


def test_fewer_bytes_than_log_are_the_same_log_compressed():
    found = first(LESS)
    assert value(found, RATIO) == 0.775
    assert [e.unit for e in found.evidence if e.label == RATIO] == ["wire B per log B"]
    assert (
        "The primary counted 310 KB/s as sent to this replica, which received 400 KB/s of log. SQL Server "
        "2014 counts "
        "bytes sent as they go on the wire: 0.775 bytes counted as sent per byte of log received are the "
        "same log, "
        "compressed. SQL Server compresses the stream to asynchronous replicas unless trace flag 1462 is on; "
        "the "
        "figures fit an asynchronous replica."
    ) in found.narrative


def test_before_compression_nothing_needs_to_be_explained():
    found = first(SLOW, CEILING, facts=V2019)
    assert value(found, RATIO) == 1
    assert "as sent to this replica" not in found.narrative


def test_two_replicas_of_one_primary_are_put_side_by_side():
    other = r"""
        P | \SQLServer:Availability Replica(AG:T)\Bytes Sent to Replica/sec | 1010000
        T | \SQLServer:Database Replica(Sales)\Log Send Queue | 100~5
        T | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec | 1000000
        T | \SQLServer:Availability Replica(AG:P)\Bytes Received from Replica/sec | 1010000
    """
    said = Transport(case(f"{perfmon(LESS)}\n{other}", facts=V2014)).say_sent_received()
    assert (
        html.unescape(said)
        .splitlines()[-1]
        .startswith(
            "- Per byte of log received, P counted 0.775 to S, 1.01 to T bytes as sent. SQL Server 2014 "
            "counts"
        )
    )


def test_a_trace_flag_that_was_on_is_told_with_what_says_so():
    found = first(LESS, facts=f"{V2019}\n{flagged(1462, 'on')}")
    assert value(found, "trace flag 1462 on P") == "on"
    assert "Trace flag 1462 was on at P (DBCC TRACEON (1462)" in found.narrative
    assert "streams to asynchronous replicas are not compressed." in found.narrative


def test_9592_leaves_open_what_is_counted_in_the_verdict_as_on_the_page():
    found = first(LESS, facts=f"{V2019}\n{flagged(9592, 'on')}")
    assert [e.unit for e in found.evidence if e.label == "sent to the replica, mean"] == ["B/s"]
    assert value(found, "trace flag 9592 on P") == "on"


def test_a_flag_that_was_switched_off_before_is_told_as_off():
    found = first(LESS, facts="\n".join([V2019, flagged(1462, "on", -900), flagged(1462, "off")]))
    assert value(found, "trace flag 1462 on P") == "off"
    assert "Trace flag 1462 was on" not in found.narrative

"""Why a primary counts fewer bytes as sent than log arrives, and what trace flags say of it."""

from __future__ import annotations

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts
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
    assert_facts(
        found,
        ratio=0.775,
        counted_why="SQL Server 2014 counts bytes sent as they go on the wire",
        received=400000.0,
        averaged=None,
    )


def test_before_compression_nothing_needs_to_be_explained():
    found = first(SLOW, CEILING, facts=V2019)
    assert value(found, RATIO) == 1


def test_a_trace_flag_that_was_on_is_told_with_what_says_so():
    found = first(LESS, facts=f"{V2019}\n{flagged(1462, 'on')}")
    assert value(found, "trace flag 1462 on P") == "on"
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_9592_leaves_open_what_is_counted_in_the_verdict_as_on_the_page():
    found = first(LESS, facts=f"{V2019}\n{flagged(9592, 'on')}")
    assert [e.unit for e in found.evidence if e.label == "sent to the replica, mean"] == ["B/s"]
    assert value(found, "trace flag 9592 on P") == "on"


def test_a_flag_that_was_switched_off_before_is_told_as_off():
    found = first(LESS, facts="\n".join([V2019, flagged(1462, "on", -900), flagged(1462, "off")]))
    assert value(found, "trace flag 1462 on P") == "off"

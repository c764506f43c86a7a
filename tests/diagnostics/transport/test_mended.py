"""What a path has to carry for its queue to shrink, and when that is gone: said where it was measured."""

from __future__ import annotations

import pytest

from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, one, perfmon, value

PING = "P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | 156"
TUNING_OFF = "S | tcp_global | 0 | autotuning_level | disabled"
WINDOW, GONE = "receive window that the log generated needs", "send queue gone after the limit is removed"
UNTOLD = "When its queue of 360 MB will be gone then cannot be told"

OTHER = r"""
    T | \SQLServer:Database Replica(Sales)\Log Send Queue | 100~5
    T | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec | 1000000
"""


def copy(to: str, speed: int) -> str:
    return f"P | robocopy | 0 | destination_host | {to}\nP | robocopy | 0 | speed_bytes_per_s | {speed}"


def held_back(facts: str = "", *, name: str = "window_limited", **rows: str):
    return one(case(perfmon(SLOW, CEILING, **rows), facts=f"{PING}\n{TUNING_OFF}\n{facts}"), name)


def has(found, label: str) -> bool:
    return any(each.label == label for each in found.evidence)


def test_the_window_has_to_be_what_is_generated_in_a_round_trip():
    found = held_back()
    # 1 MB of log per second, one byte on the wire for each, over 156 ms.
    assert value(found, WINDOW) == pytest.approx(156_000, rel=0.01)
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_what_is_generated_counts_as_it_goes_on_the_wire():
    found = held_back(received="800000", queue="0..117187", hardened="800000", redone="800000")
    # Half a byte on the wire for each byte of log received.
    assert value(found, WINDOW) == pytest.approx(78_000, rel=0.01)
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_without_a_round_trip_no_window_is_named():
    found = one(case(perfmon(SLOW, CEILING), facts=TUNING_OFF), "window_limited")
    assert not has(found, WINDOW)


def test_a_queue_is_gone_at_the_rate_of_a_copy_to_another_replica_less_what_is_generated():
    rows = perfmon(SLOW, CEILING) + OTHER
    found = one(case(rows, facts=f"{TUNING_OFF}\n{copy('T', 10_000_000)}"), "window_limited")
    # 360 MB, of which 10 MB less the 1 MB that is generated go each second.
    assert value(found, GONE) == pytest.approx(40, rel=0.02)
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_a_copy_slower_than_what_is_generated_tells_nothing():
    found = one(
        case(perfmon(SLOW, CEILING) + OTHER, facts=f"{TUNING_OFF}\n{copy('T', 900_000)}"), "window_limited"
    )
    assert not has(found, GONE)
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_a_copy_that_the_same_window_holds_back_tells_nothing():
    found = held_back(copy("S", 410_000))
    assert not has(found, GONE)
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_where_no_copy_was_taken_the_end_of_the_queue_cannot_be_told():
    assert_facts(held_back(), averaged=None, gate=None, resent=None, ratio=None)


def test_nothing_is_said_of_a_queue_that_was_gone_before_the_end():
    found = held_back(queue="60x0..200000,40x200000..0,20x0", received="400000")
    assert not has(found, WINDOW)

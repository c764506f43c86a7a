"""Which hops of a stream compare, over which time, and what each counted, on streams made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import sent_received as module
from agtrace.diagnostics.transport.sent_received import PRIMARY, REPLICA, SentReceived
from agtrace.history.streams.links import Link
from agtrace.measure.counters import Counter
from agtrace.measure.grid import Node
from agtrace.measure.machines import Traffic
from tests.diagnostics.transport.made_shown import (
    START,
    STEP,
    Machines,
    N,
    both,
    known,
    link,
    primary,
    secondary,
    studied,
)

V2014, V2019 = "12.0.6024.0", "15.0.4298.1"
BLANKS = np.where(np.arange(N) % 2, np.nan, 1e6)
"""Every other sample is blank."""


def of(given: Link, version: str = V2014, **more: Any) -> SentReceived:
    (found,) = module.sent_received(known(version, **more), [studied(given)])
    return found


def made(version: str = V2014, **more: Any) -> SentReceived:
    return of(both(**more), version)


# What each hop counted


def test_every_hop_tells_whose_bytes_it_counts_where_and_of_whom():
    found = made(p_transport=5e5, p_resent=0.5, s_flushed=4e5)
    told = {
        hop.name: (hop.side, hop.host, hop.unit, hop.counter, hop.rate and hop.rate.mean, hop.missing)
        for hop in found.hops.values()
    }
    assert told == {
        "log flushed": ("primary", "P", "log B/s", "Log Bytes Flushed/sec", 1e6, ""),
        "sent to the replica": ("primary", "P", "wire B/s", "Bytes Sent to Replica/sec", 4e5, ""),
        "sent to the transport": ("primary", "P", "wire B/s", "Bytes Sent to Transport/sec", 5e5, ""),
        "received from the primary":
            ("replica", "S", "wire B/s", "Bytes Received from Replica/sec", 3e5, ""),
        "log received": ("replica", "S", "log B/s", "Log Bytes Received/sec", 4e5, ""),
        "log hardened": ("replica", "S", "log B/s", "Log Bytes Flushed/sec", 4e5, ""),
        "log redone": ("replica", "S", "log B/s", "Redone Bytes/sec", 4e5, ""),
        "sent by the card":
            ("primary", "P", "all B/s", "", None, "what its cards carry was not captured on P"),
        "received by the card":
            ("replica", "S", "all B/s", "", None, "what its cards carry was not captured on S"),
        "messages resent": ("primary", "P", "1/s", "Resent Messages/sec", 0.5, ""),
    }  # fmt: skip
    assert found.hops["log received"].source == (
        r"SQLServer:Database Replica(Sales)\Log Bytes Received/sec on S"
    )
    assert found.hops["log received"].spread.p50 == 4e5


@pytest.mark.parametrize(("name", "host"), [("P", "P"), ("", "the primary")])
def test_a_primary_that_was_not_captured_is_named_by_every_hop_of_its_side(name, host):
    found = of(link(None, secondary(), primary_name=name))
    missing = {hop.missing for hop in found.hops.values() if hop.side == PRIMARY}
    assert missing == {f"{host} was not captured"}
    assert found.why_not == f"{host} was not captured"
    assert found.hops["received by the card"].missing == "what its cards carry was not captured on S"


def test_a_counter_that_was_not_captured_is_named():
    missing = made(p_flushed=np.nan).hops["log flushed"].missing
    assert missing == r"SQLServer:Databases\Log Bytes Flushed/sec was not captured on P"


def test_log_hardened_that_follows_from_redo_at_no_moment_was_not_captured():
    hop = made(s_redone=BLANKS, s_recovery_queue=np.where(np.isnan(BLANKS), 50.0, np.nan)).hops[
        "log hardened"
    ]
    assert hop.rate is None
    assert hop.missing == r"SQLServer:Databases\Log Bytes Flushed/sec was not captured on S"


def test_the_clock_of_the_primary_is_put_to_that_of_the_replica():
    hops = made(skew=3.0).hops
    assert (hops["log flushed"].rate.ends[0], hops["log received"].rate.ends[0]) == (START - 3, START)
    for given in ({"skew": 3.0, "aligned": False}, {"skew": None}):
        assert made(**given).hops["log flushed"].rate.ends[0] == START


REDONE = {"s_redone": 2e5, "s_recovery_queue": [100.0 + 10 * n for n in range(N)]}


@pytest.mark.parametrize(
    ("given", "counter", "mean"),
    [
        (REDONE, "Redone Bytes/sec + growth of Recovery Queue", 2e5 + 1024),
        (REDONE | {"s_flushed": 7e5}, "Log Bytes Flushed/sec", 7e5),
        (REDONE | {"s_redone": np.nan}, "", None),
        (REDONE | {"s_recovery_queue": np.nan}, "", None),
    ],
)
def test_log_hardened_is_counted_or_follows_from_redo(given, counter, mean):
    hop = made(**given).hops["log hardened"]
    assert (hop.counter, hop.rate and hop.rate.mean) == (counter, mean)


def test_cards_tell_what_they_carried_in_the_direction_of_the_log():
    carried = Traffic(
        START + STEP * np.arange(N), np.full(N, 7e5), Counter("Network Interface", "B/s"), "Nic"
    )
    traffic = {("P", "network_sent"): carried, ("S", "network_received"): carried}
    hops = of(both(), machines=Machines(traffic)).hops
    for name, side in (("sent by the card", PRIMARY), ("received by the card", REPLICA)):
        hop = hops[name]
        assert (hop.side, hop.unit, hop.counter, hop.rate.mean, hop.missing) == (
            side,
            "all B/s",
            "B/s",
            7e5,
            "",
        )
    assert hops["sent by the card"].source == r"Network Interface(Nic)\B/s on P"
    alone = of(link(primary()), machines=Machines(traffic)).hops
    assert alone["received by the card"].missing == "S was not captured"


# What was sent, and what was received of it


@pytest.mark.parametrize(
    ("version", "more", "sent", "received"),
    [
        (V2014, {}, "sent to the replica", "received from the primary"),
        (V2014, {"p_transport": 5e5}, "sent to the transport", "received from the primary"),
        (V2019, {}, "sent to the replica", "log received"),
        ("", {}, "sent to the replica", None),
        (V2014, {"p_sent": np.nan}, None, None),
        (V2014, {"s_wire_received": np.nan}, "sent to the replica", None),
        (V2019, {"s_wire_received": np.nan}, "sent to the replica", "log received"),
    ],
)
def test_what_was_received_is_told_in_the_unit_of_what_was_sent(version, more, sent, received):
    found = made(version, **more)
    assert (found.sent and found.sent.name, found.received and found.received.name) == (sent, received)


MISSING_WIRE = (
    r"SQLServer:Availability Replica\Bytes Received from Replica/sec was not captured on S"
)  # fmt: skip


@pytest.mark.parametrize(
    ("version", "more", "why"),
    [
        (V2014, {}, ""),
        (V2014, {"p_sent": np.nan},
         r"SQLServer:Availability Replica\Bytes Sent to Transport/sec was not captured on P, nor bytes sent "
         "to the replica"),
        ("", {},
         "the version of SQL Server on the primary is not known: up to 2014 bytes sent are those on the "
         "wire, from 2016 on those before compression"),
        (V2014, {"s_wire_received": np.nan}, MISSING_WIRE),
        (V2019, {"s_received": np.nan},
         r"SQLServer:Database Replica\Log Bytes Received/sec was not captured on S"),
        (V2014, {"aligned": False}, "the clock of one of the hosts is not known"),
        (V2014, {"p_start": 3600.0}, "there is no time in which both sides have samples"),
    ],
)  # fmt: skip
def test_it_is_told_why_bytes_sent_and_received_do_not_compare(version, more, why):
    found = made(version, **more)
    assert found.why_not == why
    assert (found.comparison is None) == bool(why)


def test_without_a_replica_it_is_the_replica_that_was_not_captured():
    assert of(link(primary())).why_not == "S was not captured"
    assert of(link(None, None)).why_not == "S was not captured"


# What compares


def test_what_is_counted_in_one_unit_compares_over_the_time_of_both():
    found = made(p_start=20.0, p_n=N)
    comparison = found.comparison
    assert (comparison.base.name, comparison.other.name) == (
        "sent to the replica", "received from the primary",
    )  # fmt: skip
    assert comparison.ratio == 0.75
    assert (comparison.shared.seconds, comparison.share) == (290.0, pytest.approx(290 / 330))
    assert (found.arrived.ratio, found.arrived_ratio) == (0.4, 0.4)
    assert (found.sent_per_log.ratio, found.sent_per_log.base.name) == (1.0, "sent to the replica")
    assert found.compression.ratio == pytest.approx(4 / 3)
    both_counted = made(p_transport=8e5).sent_per_log
    assert both_counted.base.name == "sent to the replica"


def test_a_side_that_is_missing_or_of_another_clock_leaves_one_side_to_compare():
    for found in (made(aligned=False), of(link(None, secondary()))):
        assert (found.arrived, found.sent_per_log, found.comparison) == (None, None, None)
        assert found.arrived_ratio is None
        assert found.compression.ratio == pytest.approx(4 / 3)


def test_two_rates_of_all_of_the_time_share_exactly_all_of_it():
    """Their stretches add up to a little more than all of it."""
    here, there = (
        Node(one.host_id, step=0.03, times=0.03 * np.arange(77), series=one.series, written=one.written)
        for one in (primary(n=77), secondary(n=77))
    )
    assert of(link(here, there)).comparison.share == 1.0


def test_log_compares_where_the_unit_of_what_was_sent_is_not_known():
    found = made("")
    assert (found.arrived_ratio, found.sent_per_log.ratio) == (0.4, 1.0)


def test_hops_compare_by_name_where_both_count_in_one_unit():
    found = made(s_flushed=3e5)
    assert found.compare("log flushed", "log hardened").ratio == 0.3
    assert found.compare("log flushed", "log redone").ratio == 0.4
    assert found.compare("log flushed", "sent to the replica") is None
    assert found.compare("log flushed", "sent by the card") is None
    assert found.compare("sent by the card", "log flushed") is None
    assert found.compare("sent by the card", "received by the card") is None


BLOCK = 12
"""Samples of a block of two minutes."""


def moving(*, blocks: int = 10, together: bool = False, swing: float = 0.8) -> SentReceived:
    """What arrives differs from block to block, by half of the swing in the middle; what is sent may."""
    n = blocks * BLOCK
    came = [1e5 * (1 + swing * ((sample // BLOCK) % 5 - 2) / 2) for sample in range(n)]
    went = came if together else [1e5] * n
    return made(
        p_n=n, s_n=n, p_sent=went, p_flushed=went, s_wire_received=came, s_received=came,
        s_send_queue=[100.0 + sample for sample in range(n)],
    )  # fmt: skip


APART = (
    "what was sent and what was received do not move together, as they must in one unit: the hosts' clocks "
    "may be apart"
)


def test_sides_that_do_not_move_together_do_not_compare_and_those_of_one_side_do():
    found = moving()
    assert found.why_not == APART
    assert (found.comparison, found.arrived, found.sent_per_log) == (None, None, None)
    assert (found.queue_growth, found.arrived_ratio) == (None, None)
    assert found.compare("log flushed", "log received") is None
    assert found.compare("log received", "log redone") is not None
    assert found.compression.ratio == 1.0


def test_sides_that_move_together_compare():
    found = moving(together=True)
    assert (found.why_not, found.comparison.ratio, found.arrived_ratio) == ("", 1.0, 1.0)
    assert found.sent_per_log.ratio == 1.0
    assert found.compare("log flushed", "log received").ratio == 1.0


@pytest.mark.parametrize(("blocks", "why"), [(4, ""), (5, APART), (6, APART), (10, APART)])
def test_fewer_than_five_blocks_show_no_movement(blocks, why):
    assert moving(blocks=blocks).why_not == why


@pytest.mark.parametrize(("swing", "why"), [(0.01, ""), (0.39, ""), (0.41, APART), (0.9, APART)])
def test_sides_that_differ_by_less_than_a_fifth_move_together(swing, why):
    assert moving(swing=swing).why_not == why


# Times


@pytest.mark.parametrize(
    ("given", "primary_local", "replica_local"),
    [({}, False, False), ({"p_is_local": True}, True, False), ({"s_is_local": True}, False, True)],
)
def test_each_side_has_a_clock_of_its_own(given, primary_local, replica_local):
    found = made(**given)
    assert (found.is_local(PRIMARY), found.is_local(REPLICA)) == (primary_local, replica_local)


def test_a_side_that_was_not_captured_has_no_local_time():
    found = of(link(primary(is_local=True)))
    assert (found.is_local(PRIMARY), found.is_local(REPLICA)) == (True, False)
    assert not of(link(None, secondary(is_local=True))).is_local(PRIMARY)


def test_the_span_of_a_side_is_that_of_both_where_clocks_are_known():
    more = {"p_start": -60.0}
    assert [made(**more).span_of(side) for side in (PRIMARY, REPLICA)] == [370.0, 370.0]
    apart = made(**more | {"aligned": False, "p_n": 21})
    assert [apart.span_of(side) for side in (PRIMARY, REPLICA)] == [210.0, 310.0]


@pytest.mark.parametrize(
    ("given", "first", "count", "width"),
    [
        ({}, -10.0, 4, 120.0),
        ({"p_start": -60.0}, -70.0, 5, 120.0),
        ({"p_start": -60.0, "aligned": False}, -10.0, 4, 120.0),
        ({"p_step": 5.0, "p_n": 61}, -10.0, 4, 120.0),
        ({"p_step": 20.0, "p_n": 16}, -20.0, 3, 240.0),
    ],
)
def test_blocks_begin_with_the_first_sample_and_hold_a_dozen_of_the_slower_side(given, first, count, width):
    edges = made(**given).edges
    assert (edges[0] - START, len(edges), edges[1] - edges[0]) == (first, count, width)


def test_blocks_of_a_primary_alone_are_those_of_its_samples():
    edges = of(link(primary(step=20.0), aligned=False)).edges
    assert (edges[0] - START, len(edges), edges[1] - edges[0]) == (-20.0, 4, 240.0)


def test_without_any_rate_there_are_no_blocks():
    bare = Node("S", step=STEP, times=START + STEP * np.arange(N))
    assert of(link(None, bare)).edges.tolist() == []


# The queue


def test_the_queue_grew_from_the_first_to_the_last_moment_that_both_sides_cover():
    queue = [np.nan, *(100.0 + n for n in range(1, N - 1)), np.nan]
    found = made(s_send_queue=queue)
    assert found.queue_growth == 1024 * (N - 3)
    later = made(s_send_queue=queue, p_start=100.0)
    assert later.queue_growth == 1024 * (N - 2 - 9)


def test_without_a_queue_or_a_comparison_its_growth_is_not_known():
    assert made(s_send_queue=np.nan).queue_growth is None
    assert made(aligned=False).queue_growth is None
    found = made()
    blank = SentReceived(
        found.link, found.hops, found.sending, found.limits, (found.link.times, np.full(N, np.nan))
    )
    assert blank.queue_growth is None

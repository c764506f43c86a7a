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


def of(given: Link, version: str = V2014, **more: Any) -> SentReceived:
    (found,) = module.sent_received(known(version, **more), [studied(given)])
    return found


def made(version: str = V2014, **more: Any) -> SentReceived:
    return of(both(**more), version)


# What each hop counted


@pytest.mark.parametrize(("name", "host"), [("P", "P"), ("", "the primary")])
def test_a_primary_that_was_not_captured_is_named_by_every_hop_of_its_side(name, host):
    found = of(link(None, secondary(), primary_name=name))
    missing = {hop.missing for hop in found.hops.values() if hop.side == PRIMARY}
    assert missing == {f"{host} was not captured"}
    assert found.why_not == f"{host} was not captured"
    assert found.hops["received by the card"].missing == "what its cards carry was not captured on S"


def test_cards_tell_what_they_carried_in_the_direction_of_the_log():
    carried = Traffic(
        START + STEP * np.arange(N), np.full(N, 7e5), Counter("Network Interface", "B/s"), "Nic"
    )
    traffic = {("P", "network_sent"): carried, ("S", "network_received"): carried}
    hops = of(both(), machines=Machines(traffic)).hops
    for name, side in (("sent by the card", PRIMARY), ("received by the card", REPLICA)):
        hop = hops[name]
        assert (hop.side, hop.unit, hop.counter, hop.rate.mean, hop.missing) == (
            side, "all B/s", "B/s", 7e5, "",
        )  # fmt: skip
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


# What compares


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


@pytest.mark.parametrize(("blocks", "why"), [(4, ""), (5, APART), (6, APART), (10, APART)])
def test_fewer_than_five_blocks_show_no_movement(blocks, why):
    assert moving(blocks=blocks).why_not == why


# Times


@pytest.mark.parametrize(
    ("given", "primary_local", "replica_local"),
    [({}, False, False), ({"p_is_local": True}, True, False), ({"s_is_local": True}, False, True)],
)
def test_each_side_has_a_clock_of_its_own(given, primary_local, replica_local):
    found = made(**given)
    assert (found.is_local(PRIMARY), found.is_local(REPLICA)) == (primary_local, replica_local)


def test_blocks_of_a_primary_alone_are_those_of_its_samples():
    edges = of(link(primary(step=20.0), aligned=False)).edges
    assert (edges[0] - START, len(edges), edges[1] - edges[0]) == (-20.0, 4, 240.0)


def test_without_any_rate_there_are_no_blocks():
    bare = Node("S", step=STEP, times=START + STEP * np.arange(N))
    assert of(link(None, bare)).edges.tolist() == []

"""A primary that sends each block to two replicas at once: each has its own way, whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import NAMESPACE_OID, uuid5

import numpy as np
import pytest

from simulation.commits.events import Told, told
from simulation.commits.model import IDS, REPLICA, Setting, way
from tests.diagnostics.drawn_blocks import case_of

OTHER = "SQL3"
OTHER_ID = str(uuid5(NAMESPACE_OID, OTHER))
SENT = "hadr_log_block_send_complete"
OF_A_REPLICA = ("hadr_capture_log_block", SENT, "hadr_receive_harden_lsn_message")


def for_both(events: list[Told], later_us: int) -> Iterator[Told]:
    """Repeat one replica's events for another; the primary hands its blocks over later."""
    for event in events:
        yield event
        fields = {k: OTHER_ID if v == IDS[REPLICA] else v for k, v in event.fields.items()}
        if event.host == REPLICA:
            yield replace(event, host=OTHER, fields=fields)
        elif event.event == SENT:
            fields["start_timestamp"] += later_us
            fields["total_processing_time"] += later_us
            yield replace(event, at_us=event.at_us + later_us, fields=fields)
        elif event.event in OF_A_REPLICA:
            yield replace(event, fields=fields)


def ways(later_us: int) -> list[dict]:
    """Return how many blocks each replica has, those with a time on the wire, and its mean."""
    setting = Setting(blocks=200, skew_ms=40, spread=0.1)
    rng = np.random.default_rng(7)
    events = told(setting, [way(setting, "Sales", rng)], rng)
    query = """
        select replica_host, count(*) as n, count(network_ms) as known, avg(network_ms) as mean
        from log_blocks where joined group by all order by all
    """
    return case_of(list(for_both(events, later_us))).table(query).to_pylist()


@pytest.mark.complete
@pytest.mark.parametrize("later_us", [0, 30])
def test_each_replica_has_the_wire_of_every_block(later_us):
    one, other = ways(later_us)
    assert (one["replica_host"], one["n"], one["known"]) == (REPLICA, 200, 200)
    assert (other["replica_host"], other["n"], other["known"]) == (OTHER, 200, 200)
    assert one["mean"] == pytest.approx(1.0, abs=0.05)
    assert other["mean"] == pytest.approx(1.0 - later_us / 1000, abs=0.05)

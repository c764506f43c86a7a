"""What is gathered about why a stream is slow, and how long log writes take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport.signs import Signs, log_write, signs
from agtrace.history.streams.byte_units import LOG, WIRE
from agtrace.history.streams.chain import chain, stream
from agtrace.history.streams.known import Known
from agtrace.history.streams.links import Link
from agtrace.measure.grid import Node
from agtrace.measure.machines import Card, DiskWrite, Machine, Processors
from tests.diagnostics.transport.made import (
    copied,
    handshake,
    known,
    link,
    node,
    ping,
    primary,
    secondary,
    tuning,
)
from tests.folded import folded

FIRST_HALF, LAST_HALF = slice(0, 30), slice(30, 60)


def gathered(
    of: Link, beside: Known | None = None, rows: tuple[slice, slice] = (FIRST_HALF, LAST_HALF)
) -> Signs:
    beside = beside or known()
    chains = [chain(of, [name]) for name in of.group.databases.values()]
    return signs(of, stream(of, beside.sending(of).counted), chains, (0.0, 300.0), rows, beside)


def halves(one: float, other: float) -> list[float]:
    return [one] * 30 + [other] * 30


EACH = {
    "wire": {"wire": halves(4, 1)}, "transport": {"transport": halves(2, 5)},
    "sent": {"sent": halves(3, 6)}, "received": {"received": halves(8, 7)},
}  # fmt: skip


@pytest.mark.parametrize(
    ("captured", "p50", "unit"),
    [
        (["wire", "transport", "sent", "received"], 1, WIRE),
        (["transport", "sent", "received"], 2, LOG),
        (["sent", "received"], 3, LOG),
        (["received"], 7, LOG),
    ],
)
def test_the_nearest_counter_to_the_wire_is_the_stream_each_in_the_rows_of_its_side(captured, p50, unit):
    own: dict[str, Any] = {"sent": None, "transport": None, "wire": None, "received": None}
    for name in captured:
        own |= EACH[name]
    here = primary(sent=own["sent"], transport=own["transport"])
    found = gathered(link(here, secondary(wire=own["wire"], received=own["received"])))
    assert found.rate is not None
    assert found.ceiling is not None
    assert (found.ceiling.p50, found.ceiling.n, found.rate.unit) == (p50, 30, unit)


def test_without_any_counter_of_bytes_there_is_no_stream():
    found = gathered(link(primary(sent=None), secondary(received=None)))
    assert (found.rate, found.ceiling, found.per_database, found.fits) == (None, None, {}, [])


def test_what_each_database_receives_is_its_median_and_all_of_them_are_the_stream():
    there = secondary(
        received={"Sales": 3, "Stock": 5, "Idle": None}, queue={"Sales": 0, "Stock": 0, "Idle": 0}
    )
    found = gathered(link(None, there, ("Sales", "Stock", "Idle")))
    assert found.per_database == {"Sales": 3, "Stock": 5}
    assert found.ceiling is not None
    assert found.ceiling.p50 == 8


def test_what_was_looked_at_of_the_path_is_of_its_two_ends():
    beside = known(
        tuning("S", "disabled"), tuning("P", "normal"), ping(12.5), copied(5e6), copied(9e6, "P", "X"),
        handshake("none"), platforms={"P": "Linux", "S": "Windows"},
    )  # fmt: skip
    found = gathered(link(primary(), secondary()), beside)
    assert (found.tuning, found.primary_tuning, found.round_trip, found.copy) == (
        "disabled", "normal", 0.0125, 5e6
    )  # fmt: skip
    assert found.handshake is not None
    assert (found.handshake.scaled, found.handshake.ports) == (False, ("5022",))
    assert (found.on_linux, found.other_copies) == (frozenset({"P"}), {})


def test_ends_that_were_not_captured_are_known_by_their_names():
    beside = known(tuning("S", "disabled"), tuning("P", "normal"), platforms={"P": "Windows", "S": "Linux"})
    for of in (link(primary(), None), link(None, secondary())):
        found = gathered(of, beside)
        assert (found.tuning, found.primary_tuning) == ("disabled", "normal")
        assert found.on_linux == frozenset({"S"})


def test_nodes_are_known_by_their_hosts_and_not_by_their_names():
    here, there = primary(), secondary()
    here.sql_instance = there.sql_instance = "INST"
    found = gathered(link(here, there, primary_name="P\\INST"), known(tuning("S", "off"), tuning("P", "on")))
    assert (found.tuning, found.primary_tuning) == ("off", "on")


def test_copies_to_other_replicas_of_the_group_are_told_beside():
    of = link(primary(), secondary())
    of.group.nodes += [node("X"), node("Y")]
    found = gathered(of, known(copied(5e6), copied(9e6, "P", "X"), copied(1e6, "P", "P")))
    assert (found.copy, found.other_copies) == (5e6, {"X": 9e6})


def windows(n: float, ms: float = 100) -> float:
    """Give the rate that puts so many unscaled windows under way."""
    return n * 65_535 * 1000 / ms


@folded(
    ("databases", "fits"),
    [
        ({"Sales": 0.5}, ["the stream to the replica", "Sales"]),
        ({"Sales": 1.5}, ["the stream to the replica", "Sales"]),
        ({"Sales": 0.49}, []),
        ({"Sales": 1.51}, []),
        ({"Sales": 0.6, "Stock": 0.6}, ["the stream to the replica", "Sales", "Stock"]),
        ({"Sales": 1.0, "Stock": 1.0}, ["Sales", "Stock"]),
        ({"Sales": 1.0, "Stock": 0.1}, ["the stream to the replica"]),
        ({"Sales": 1.4, "Stock": 0.3}, []),
    ],
)
def test_the_stream_or_every_database_fits_an_unscaled_window(databases, fits):
    there = secondary(
        received={name: windows(n) for name, n in databases.items()}, queue=dict.fromkeys(databases, 0)
    )
    assert gathered(link(None, there, tuple(databases)), known(ping(100))).fits == fits
    assert gathered(link(None, there, tuple(databases))).fits == []


def test_a_round_trip_without_a_stream_fits_nothing():
    assert gathered(link(primary(sent=None), secondary(received=None)), known(ping(100))).fits == []


CARD, CPU = Card("P", 1e6, 1e9), Processors(40, 60, "perfmon")


def test_cards_of_both_ends_count_and_the_processors_of_the_replica():
    other = Card("S", 2e6, 1e9)
    machines = {"P": Machine(Processors(90, 60, "perfmon"), CARD), "S": Machine(CPU, other)}
    found = gathered(link(primary(), secondary()), known(machines=machines))
    assert (found.cards, found.processors) == ([CARD, other], CPU)
    assert gathered(link(primary(), secondary()), known(machines={"P": Machine(None, CARD)})).cards == [CARD]


def test_segments_and_messages_sent_again_are_counted_in_the_rows_of_the_primary():
    here = primary(again=halves(1, 9), segments=1000, resent=halves(0.25, 9))
    found = gathered(link(here, secondary()))
    assert found.lost is not None
    assert (found.lost.share, found.lost.n, found.resent) == (0.001, 30, 0.25)
    assert gathered(link(primary(), secondary())).resent == 0


def test_log_read_back_is_that_of_the_database_with_most_where_it_was_captured():
    blank = halves(np.nan, 9)
    here = primary(reads={"Sales": halves(2, 0), "Stock": halves(3, 0), "Blank": blank, "Idle": None})
    names = ("Sales", "Stock", "Blank", "Idle")
    assert gathered(link(here, secondary(), names)).log_reads == 3
    assert gathered(link(primary(reads=blank), secondary())).log_reads is None
    assert gathered(link(primary(), secondary())).log_reads is None


# Log writes.


def written(of: Node | None, *names: str, machines: Any = None, rows: slice = slice(None)) -> Any:
    found = log_write(of, rows, list(names or ("Sales",)), known(machines=machines).machines)
    return found and (found.ms, found.n, found.is_log, found.source, found.busy)


SOURCE = "Log Flush Write Time (ms) / Log Flushes/sec on S"


def test_a_log_write_takes_the_time_of_all_databases_over_their_writes():
    there = secondary(flush_ms={"Sales": 200, "Stock": 100}, flushes={"Sales": 10, "Stock": 20})
    assert written(there, "Sales", "Stock") == (10, 60, True, SOURCE, 0.3)
    assert written(there, "Sales") == (20, 60, True, SOURCE, 0.2)


def test_a_log_write_is_the_median_of_the_samples_with_writes():
    busy = [0.0] * 30 + [0.5] * 20 + [2.0] * 10
    there = secondary(flush_ms=[0.0] * 30 + [10.0] * 30, flushes=busy)
    assert written(there) == (20, 30, True, SOURCE, 0.01)
    assert written(there, rows=slice(50, 60)) == (5, 10, True, SOURCE, 0.01)


def test_blank_samples_of_one_database_leave_those_of_the_others():
    there = secondary(
        flush_ms={"Sales": halves(100, np.nan), "Stock": 100},
        flushes={"Sales": halves(10, np.nan), "Stock": 10},
    )
    assert written(there, "Sales", "Stock") == (10, 60, True, SOURCE, 0.15)


DISK = {"S": Machine(disk=DiskWrite(3.5, 40, "C: on S"))}
OF_DISK = (3.5, 40, False, "Avg. Disk sec/Write of C: on S", None)


@pytest.mark.parametrize(
    "series", [{"flush_ms": 10}, {"flushes": 10}, {}, {"flush_ms": 10, "flushes": 0}]
)  # fmt: skip
def test_without_log_writes_the_disk_that_is_written_to_most_tells(series):
    assert written(secondary(**series), machines=DISK) == OF_DISK
    assert written(secondary(**series)) is None
    assert written(None, machines=DISK) is None
    assert written(secondary(flush_ms=10, flushes=1), machines=DISK) == (10, 60, True, SOURCE, 0.01)

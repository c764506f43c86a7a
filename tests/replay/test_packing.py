"""Compression on and off: what goes over the wire, and what it takes of the processors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from agtrace.replay import limits as hops
from agtrace.replay.change import Change
from agtrace.replay.limits import Beside
from agtrace.replay.load import Load
from agtrace.replay.packing import Packing, packed_blocks, packed_stream, together
from agtrace.replay.stream import streamed
from agtrace.thresholds import Thresholds

MB = 1e6
ON, OFF = Change(compression=True), Change(compression=False)


def load(*, packed, generated=2.0, carried=1.5):
    """Return 20 minutes that generate and carry so many MB/s of log, at given wire bytes per byte."""
    times = np.arange(0.0, 1201.0, 5.0)
    came = generated * MB * times
    queue = np.maximum(came - carried * MB * times, 0.0)
    return Load(times, came, came - queue, packed * (came - queue), queue, (), True)


def asked(stream, change, packing=None, limit=hops.NETWORK):
    return streamed(stream, Beside(limit=limit, packing=packing), change, Thresholds())


def test_without_compression_the_same_path_carries_as_much_less_log():
    # 1.5 MB/s of log were 0.75 on the wire: uncompressed, only 0.75 MB/s of log get through.
    found = asked(load(packed=0.5), OFF)
    assert found.after["carries_bytes_per_s"] == pytest.approx(0.75 * MB)
    assert found.after["send_queue_end_bytes"] == pytest.approx(1.25 * 1200 * MB, rel=0.01)


def test_compression_as_another_replica_shows_it_lets_more_log_through():
    found = asked(load(packed=1.0), ON, Packing(0.6, replica="SQL3"))
    assert found.after["carries_bytes_per_s"] == pytest.approx(1.5 / 0.6 * MB)
    assert found.after["send_queue_end_bytes"] < MB
    assert "packed_alike" in found.assumes
    assert "compression_cost" in found.leaves_out


def test_what_blocks_took_to_compress_is_what_it_takes_of_the_processors():
    # 50 ms a MB: 2 MB/s take a tenth of a core, and one thread carries 20 MB/s.
    found = asked(load(packed=1.0), ON, Packing(0.6, pack_s=50e-9, unpack_s=20e-9))
    assert found.after["compression_cores"] == pytest.approx(0.1)
    assert [(each.hop, each.rate) for each in found.capacities if each.hop == hops.PACKING] == [
        (hops.PACKING, pytest.approx(20 * MB))
    ]
    spared = asked(load(packed=0.6), OFF, Packing(0.6, pack_s=50e-9, unpack_s=20e-9))
    assert spared.after["compression_cores"] == pytest.approx(-0.1)


def test_a_thread_that_compresses_slower_than_the_path_carries_is_the_next_limit():
    found = asked(load(packed=1.0), ON, Packing(0.1, pack_s=250e-9))
    assert found.after["next_limit"] == hops.PACKING
    assert found.after["carries_bytes_per_s"] == pytest.approx(4 * MB)


@pytest.mark.parametrize(
    ("packed", "change", "assumed"), [(0.5, ON, "already_compressed"), (1.0, OFF, "not_compressed")]
)
def test_what_is_so_already_changes_nothing(packed, change, assumed):
    found = asked(load(packed=packed), change)
    assert found.after["send_queue_end_bytes"] == pytest.approx(600 * MB, rel=0.01)
    assert assumed in found.assumes


def test_without_a_compressed_stream_nobody_knows_what_it_brings():
    found = asked(load(packed=1.0), ON)
    assert (found.after, found.whys) == ({}, ["compression_not_seen"])


def test_a_wire_that_was_not_counted_says_nothing_of_compression():
    found = asked(replace(load(packed=1.0), wire=None), OFF)
    assert found.whys == ["wire_not_counted"]


def test_processors_that_hold_the_stream_back_are_not_predicted():
    found = asked(load(packed=0.5), OFF, limit=hops.PROCESSORS)
    assert found.whys == ["processors_limit"]
    assert "send_queue_p95_bytes" not in found.after


def test_streams_and_blocks_together_tell_ratio_and_cost():
    table = pa.table(
        {
            "bytes": [1000.0, 3000.0, 500.0],
            "compressed_bytes": [500.0, 1000.0, None],
            "compression_ms": [0.1, 0.3, 0.0],
            "decompression_ms": [0.05, 0.15, 9.0],
        }
    )
    blocks = packed_blocks(table, "SQL3")
    # 1,500 of 4,000 bytes on the wire, 0.4 ms for them. A block that was not compressed tells nothing.
    assert blocks == Packing(0.375, pytest.approx(1e-7), pytest.approx(5e-8), "SQL3")
    stream = packed_stream(load(packed=0.5), "SQL4")
    assert together(stream, blocks) == Packing(0.5, pytest.approx(1e-7), pytest.approx(5e-8), "SQL4")
    assert packed_stream(load(packed=1.0), "SQL4") is None


def test_a_seeding_takes_half_of_a_full_path_at_most():
    stream = load(packed=1.0)
    told = asked(stream, Change(seeding_bytes_per_s=0.5 * MB)).after
    assert told["carries_bytes_per_s"] == pytest.approx(1.0 * MB)
    told = asked(stream, Change(seeding_bytes_per_s=9 * MB)).after
    assert told["carries_bytes_per_s"] == pytest.approx(0.75 * MB)


def test_a_seeding_beside_a_stream_that_its_window_holds_back_has_a_window_of_its_own():
    stream = load(packed=1.0)
    room = streamed(
        stream, Beside(limit=hops.WINDOW, copy=10 * MB), Change(seeding_bytes_per_s=5 * MB), Thresholds()
    )
    assert room.after["carries_bytes_per_s"] == pytest.approx(1.5 * MB)
    assert "seeding_apart" in room.assumes
    nobody = streamed(stream, Beside(limit=hops.WINDOW), Change(seeding_bytes_per_s=5 * MB), Thresholds())
    assert nobody.whys == ["path_not_seen"]

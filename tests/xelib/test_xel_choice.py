"""A choice of events is all events, the others left out; a path gives what a file object gives."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pytest
import xelib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulation.formats.xel import Event, XelFile, blocks, event_schema
from tests.effort import thorough, times
from tests.xelib.arbitrary_xel import Written, files

SMALL = event_schema("small", {"n": "uint32"}, {"who": "unicode_string"})
LARGE = event_schema("large", {"n": "uint32", "data": "xml"}, {"who": "unicode_string"})


def rows(source: object, events: list[str] | None = None) -> tuple[list[tuple], tuple]:
    """Return each event's position, name and values, and the faults."""
    file = xelib.open_xel(source, events=events, positions=True)
    found = [(row["_seq"], name, repr(row)) for name, batch in file for row in listed(batch)]
    return sorted(found), file.faults


def listed(batch: pa.RecordBatch) -> list[dict]:
    return batch.to_pylist()


def large_file() -> bytes:
    """Make a file of 4 MB, most of it in events of 60 KB, in blocks of three."""
    events = [
        Event(LARGE, n, {"n": n, "data": f"<{n}/>" * 6_000}, {"who": f"user {n}"} if n % 2 else {})
        if n % 3 == 1
        else Event(SMALL, n, {"n": n}, {"who": "someone"} if n % 5 == 0 else {})
        for n in range(200)
    ]
    return XelFile().write(events, [3] * 66 + [2])


@pytest.mark.parametrize("damage", [None, "checksum", "event", "length", "header", "cut"])
def test_events_chosen_from_a_file_of_large_ones(tmp_path: Path, damage: str | None) -> None:
    data = bytearray(large_file())
    block = [block for block in blocks(bytes(data)) if block.is_data][50]
    if damage == "cut":
        del data[block.payload + 40_000 :]
    elif damage is not None:
        spot = {
            "checksum": block.start + 0x1C,
            "event": block.payload + 3,
            "length": block.payload + 22,
            "header": block.start + 0x0C,
        }
        data[spot[damage]] ^= 0x7F
    path = tmp_path / "a.xel"
    path.write_bytes(data)
    everything, faults = rows(io.BytesIO(bytes(data)))
    assert len(everything) > 140
    assert rows(path) == (everything, faults)
    assert (faults == ()) == (damage is None)
    for name in ("small", "large"):
        assert rows(path, [name]) == ([row for row in everything if row[1] == name], faults)


@thorough
@given(files(), st.data())
@settings(
    max_examples=times(100, 20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_damaged_file_gives_the_same_however_it_is_read(
    tmp_path: Path, written: Written, data: st.DataObject
) -> None:
    damaged = bytearray(written.data)
    for _ in range(data.draw(st.integers(0, 3))):
        damaged[data.draw(st.integers(600, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "a.xel"
    path.write_bytes(damaged)
    everything, faults = rows(io.BytesIO(bytes(damaged)))
    assert rows(path) == (everything, faults)
    inside = {"far_time", "short_payload", "bad_value", "unknown_action", "unknown_type", "out_of_proportion"}
    for name in {name for _, name, _ in everything}:
        chosen, told = rows(path, [name])
        assert chosen == [row for row in everything if row[1] == name]
        assert set(told) <= set(faults)
        assert {fault.kind for fault in set(faults) - set(told)} <= inside

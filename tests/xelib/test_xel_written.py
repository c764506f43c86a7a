"""What the writer wrote, xelib gives back: any schema, any blocks, any damage."""

from __future__ import annotations

import io
import itertools
import struct
from uuid import UUID

import pytest
import xelib
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.formats.xel import Event, Map, Package, XelFile, blocks, event_schema, with_crc
from tests.effort import thorough, times
from tests.folded import folded
from tests.xelib import xel_compared
from tests.xelib.arbitrary_xel import Written, files, shown_event
from tests.xelib.test_make_xel import VALUES

NUMBERED = event_schema("numbered", {"n": "uint32", "text": "unicode_string"}, {"who": "ptr"})


def numbered(count: int) -> list[Event]:
    return [
        Event(NUMBERED, n, {"n": n, "text": f"event {n}"}, {"who": n} if n % 2 else {}) for n in range(count)
    ]


def read(data: bytes, **options) -> tuple[list[dict], tuple]:
    """Return all events in the yardstick's terms, and the faults."""
    file = xelib.open_xel(io.BytesIO(data), **options)
    events = xel_compared.events(list(file))
    return events, file.faults


def ns(events: list[dict]) -> list[int]:
    return [event["fields"]["n"][1] for event in events]


def kinds(faults: tuple) -> list[str]:
    return [fault.kind for fault in faults]


# What was written


@thorough
@given(files())
@settings(max_examples=times(80, 20), deadline=None)
def test_any_file_is_given_back(written: Written) -> None:
    events, faults = read(written.data)
    assert events == [shown_event(written, event) for event in written.events]
    assert faults == ()
    batches = [batch for _, batch in xelib.open_xel(io.BytesIO(written.data))]
    seqs = sorted(seq for batch in batches for seq in batch["_seq"].to_pylist())
    assert seqs == list(range(len(events)))


@folded(("kind", "value", "type_", "expected"), VALUES)
@pytest.mark.complete
def test_every_type_as_a_column_and_as_an_action(kind, value, type_, expected) -> None:
    schema = event_schema("e", {"a": "int8", "b": kind, "c": "uint16"}, {"x": kind, "y": "uint8"})
    event = Event(schema, 0, {"a": -5, "b": value, "c": 500}, {"x": value, "y": 9})
    ((found,), _) = read(XelFile().write([event]))
    assert found["fields"] == {"a": ("SByte", -5), "b": (type_, expected), "c": ("UInt16", 500)}
    assert found["actions"] == {"x": (type_, expected), "y": ("Byte", 9)}
    assert type(found["fields"]["b"][1]) is type(expected)


@thorough
@given(files())
@settings(max_examples=times(60, 20), deadline=None)
def test_the_number_of_a_map_stands_beside_its_text(written: Written) -> None:
    keys: dict[tuple[int, str], int | None] = {}
    for _, batch in xelib.open_xel(io.BytesIO(written.data)):
        seqs = batch["_seq"].to_pylist()
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if b"xe_key" in field.metadata and field.metadata[b"xe_source"] == b"field":
                name = field.metadata[b"xe_name"].decode()
                keys |= {(s, name): v for s, v in zip(seqs, column.to_pylist(), strict=True)}
    assert keys == {
        (seq, name): event.fields.get(name, 0)
        for seq, event in enumerate(written.events)
        for name, column in event.schema.columns.items()
        if isinstance(column.type, Map)
    }


@thorough
@given(files())
@settings(max_examples=times(60, 20), deadline=None)
def test_the_schemas_are_those_that_were_declared(written: Written) -> None:
    found = {schema.name: schema for schema in xelib.open_xel(io.BytesIO(written.data)).schemas}
    assert list(found) != [] or not written.file.schemas
    for schema in written.file.schemas:
        got = found[schema.name]
        assert (got.package, got.uuid) == (schema.package.name, str(schema.uuid))
        assert [(f.name, f.optional) for f in got.fields] == [
            (name, column.optional) for name, column in schema.columns.items()
        ]
        for field, column in zip(got.fields, schema.columns.values(), strict=True):
            if isinstance(column.type, Map):
                assert (field.type, field.map.name) == ("map", column.type.name)
                assert (field.map.texts, field.map.flags) == (column.type.texts, column.type.flags)
            else:
                assert (field.type, field.map) == (column.type, None)


@thorough
@given(files(), st.sampled_from([1, 2, 5]))
@settings(max_examples=times(60, 20), deadline=None)
def test_threads_blocks_and_metadata_change_nothing(written: Written, threads: int) -> None:
    one_each = written.file.write(written.events, [1] * len(written.events))
    assert read(written.data, threads=threads) == read(one_each, threads=1)


@thorough
@given(files())
@settings(max_examples=times(60, 20), deadline=None)
def test_choosing_events_is_reading_all_and_leaving_out(written: Written) -> None:
    expected = [shown_event(written, event) for event in written.events]
    for name in {event.schema.name for event in written.events}:
        batches = list(xelib.open_xel(io.BytesIO(written.data), events=[name]))
        found = sorted(
            (row for of, batch in batches for row in xel_compared.rows(of, batch)), key=lambda row: row[0]
        )
        assert found == [(seq, event) for seq, event in enumerate(expected) if event["name"] == name]


def test_events_of_one_name_in_two_packages_stay_apart() -> None:
    schemas = [
        event_schema("e", {"a": "uint8"}),
        event_schema("e", {"b": "xml"}, package=Package("sqlserver", number=2), uuid=UUID(int=2)),
    ]
    events = [Event(schemas[n % 2], n, {"ab"[n % 2]: n if n % 2 == 0 else str(n)}) for n in range(4)]
    found, _ = read(XelFile().write(events))
    assert [event["fields"] for event in found] == [
        {"a": ("Byte", 0)},
        {"b": ("String", "1")},
        {"a": ("Byte", 2)},
        {"b": ("String", "3")},
    ]
    tables = xelib.open_xel(io.BytesIO(XelFile().write(events))).read()
    assert {name: table.num_rows for name, table in tables.items()} == {"e": 2, "e#2": 2}


# Live files


@thorough
@given(files(), st.data())
@settings(max_examples=times(60, 20), deadline=None)
def test_a_file_that_grows_is_read_in_two_parts(written: Written, data: st.DataObject) -> None:
    whole = written.data
    start = next((block.start for block in blocks(whole) if block.is_data), len(whole))
    cut = data.draw(st.integers(start, len(whole)))
    first = xelib.open_xel(io.BytesIO(whole[:cut]), live=True)
    batches = list(first)
    assert first.faults == ()
    rest = xelib.open_xel(io.BytesIO(whole), live=True, resume=first.position)
    events = xel_compared.events(batches + list(rest))
    assert events == [shown_event(written, event) for event in written.events]


# Damage


@thorough
@given(files(), st.data())
@settings(max_examples=times(80, 20), deadline=None)
def test_a_cut_file_gives_the_complete_events_before_the_cut(written: Written, data: st.DataObject) -> None:
    whole = written.data
    found = blocks(whole)
    start = next((block.start for block in found if block.is_data), len(whole))
    cut = data.draw(
        st.integers(start, len(whole)) | st.sampled_from([b.end for b in found if b.end >= start])
    )
    events, faults = read(whole[:cut])
    complete = sum(end <= cut for end in record_ends(whole))
    assert events == [shown_event(written, event) for event in written.events[:complete]]
    if any(block.end == cut for block in found) or cut == start:
        assert faults == ()
    else:
        (fault,) = faults
        block = next(block for block in found if block.start < cut < block.end)
        lost = "truncated_tail" if any(whole[block.start : cut]) else "zero_tail"
        assert fault.kind == (lost if cut < block.payload + block.used else "cut_padding")
        assert fault.offset == block.start


def record_ends(data: bytes) -> list[int]:
    """Return the offset after each event, with its actions."""
    ends = []
    for block in blocks(data):
        at, end = block.payload, block.payload + block.used
        while block.is_data and at < end:
            _, bits, _, _, length = struct.unpack_from("<IIIqI", data, at)
            at += 24 + length
            while bits >> 31:
                number, size = struct.unpack_from("<II", data, at)
                at += 8 + size
                if number == 0x60000000:
                    break
            ends.append(at)
    return ends


@thorough
@given(files(max_events=6), st.data())
@settings(max_examples=times(200, 20), deadline=None)
def test_no_damage_is_more_than_a_fault(written: Written, data: st.DataObject) -> None:
    damaged = bytearray(written.data)
    spots = st.integers(0, len(damaged) - 1)
    for _ in range(data.draw(st.integers(1, 4))):
        spot = data.draw(spots)
        how = data.draw(st.sampled_from(["flip", "set", "cut out", "insert"]))
        if how == "flip":
            damaged[min(spot, len(damaged) - 1)] ^= 1 << data.draw(st.integers(0, 7))
        elif how == "set":
            extreme = data.draw(st.sampled_from([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]))
            damaged[spot : spot + 4] = struct.pack("<I", extreme)
        elif how == "cut out":
            del damaged[spot : spot + data.draw(st.integers(1, 2000))]
        else:
            damaged[spot:spot] = data.draw(st.binary(max_size=50))
        if not damaged:
            break
    try:
        file = xelib.open_xel(io.BytesIO(bytes(damaged)))
        rows = sum(batch.num_rows for _, batch in file)
    except xelib.FormatError:
        return
    assert rows <= len(damaged) // 24
    list(xelib.open_xel(io.BytesIO(with_any_crc(bytes(damaged)))).to_dicts())


def with_any_crc(data: bytes) -> bytes:
    """Mend the checksums where the blocks can still be followed."""
    try:
        return with_crc(data)
    except (struct.error, ValueError):
        return data


@thorough
@given(st.integers(0, 9), st.data())
@settings(max_examples=times(80, 20), deadline=None)
def test_a_damaged_block_costs_no_event_of_another(number: int, data: st.DataObject) -> None:
    whole = bytearray(XelFile().write(numbered(20), [2] * 10))
    block = [block for block in blocks(bytes(whole)) if block.is_data][number]
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(block.start, block.end - 1))] = data.draw(st.integers(0, 255))
    events, _ = read(bytes(whole))
    others = [n for n in range(20) if n // 2 != number]
    undamaged = {event["fields"]["n"][1]: event for event in read(XelFile().write(numbered(20)))[0]}
    assert [n for n in others if undamaged[n] not in events] == []


@pytest.mark.complete
def test_a_wrong_checksum_is_reported_and_the_events_delivered() -> None:
    data = bytearray(XelFile().write(numbered(4), [2, 2]))
    block = next(block for block in blocks(bytes(data)) if block.is_data)
    data[block.payload + 24] = 77
    events, faults = read(bytes(data))
    assert ns(events) == [77, 1, 2, 3]
    assert [(f.kind, f.severity, f.offset) for f in faults] == [("bad_checksum", "warning", block.start)]


def test_an_unknown_event_costs_no_other() -> None:
    data = bytearray(XelFile().write(numbered(5), [5]))
    block = blocks(bytes(data))[-1]
    start = [block.payload, *record_ends(bytes(data))][1]
    struct.pack_into("<I", data, start, 0x0000FC01)
    events, faults = read(with_crc(bytes(data)))
    assert ns(events) == [0, 2, 3, 4]
    assert [(f.kind, f.offset) for f in faults] == [("unknown_event", start)]


def test_an_unknown_action_costs_no_other() -> None:
    schema = event_schema("e", {"n": "uint8"}, {"a": "xml", "b": "uint8"})
    data = XelFile().write([Event(schema, n, {"n": n}, {"a": "text", "b": n}) for n in range(2)])
    at = data.index(struct.pack("<I", 0x10002801), blocks(data)[-1].payload)
    wrong = data[:at] + struct.pack("<I", 0x1000F801) + data[at + 4 :]
    events, faults = read(with_crc(wrong))
    assert [event["actions"] for event in events] == [
        {"b": ("Byte", 0)},
        {"a": ("String", "text"), "b": ("Byte", 1)},
    ]
    assert kinds(faults) == ["unknown_action"]


def test_a_short_payload_leaves_columns_null() -> None:
    schema = event_schema("e", {"a": "uint8", "b": "uint32", "c": "xml"}, {"x": "uint8"})
    event = Event(schema, 0, {"a": 1, "b": 2, "c": "t"}, {"x": 9}, keep=3)
    events, faults = read(XelFile().write([event, Event(schema, 1, {"c": "t"})]))
    assert events[0]["fields"] == {"a": ("Byte", 1), "b": None, "c": None}
    assert events[0]["actions"] == {"x": ("Byte", 9)}
    assert events[1]["fields"]["c"] == ("String", "t")
    assert kinds(faults) == ["short_payload"]


@pytest.mark.parametrize(
    ("tail", "kind", "severity"),
    [(bytes(5000), "zero_tail", "info"), (b"garbage" * 700, "garbage_tail", "warning")],
)
def test_what_comes_after_the_last_block(tail, kind, severity) -> None:
    data = XelFile().write(numbered(3))
    events, faults = read(data + tail)
    assert ns(events) == [0, 1, 2]
    assert [(f.kind, f.severity, f.offset) for f in faults] == [(kind, severity, len(data))]


@pytest.mark.parametrize(("offset", "value"), [(0, 0), (4, 9), (4, 11), (6, 0)])
def test_another_format_or_version_is_an_error_that_says_where(offset, value) -> None:
    data = bytearray(XelFile().write(numbered(1)))
    data[offset] = value
    if offset == 6:
        data[6:8] = bytes(2)
    with pytest.raises(xelib.FormatError) as error:
        xelib.open_xel(io.BytesIO(bytes(data)))
    assert str(offset) in str(error.value)


@pytest.mark.parametrize("length", range(0, 24, 5))
def test_a_file_shorter_than_its_header_is_an_error(length) -> None:
    with pytest.raises(xelib.FormatError):
        xelib.open_xel(io.BytesIO(XelFile().write(numbered(1))[:length]))


def test_events_out_of_order_stay_in_the_order_of_the_file() -> None:
    ticks = [5, 1, -7, 3, 3]
    data = XelFile().write([Event(NUMBERED, tick, {"n": n}) for n, tick in enumerate(ticks)])
    events, _ = read(data)
    assert [event["ts"] - XelFile().base for event in events] == ticks
    assert ns(events) == [0, 1, 2, 3, 4]


@pytest.mark.complete
def test_a_flag_map_with_the_highest_bit_ends() -> None:
    access = Map("access", {1: "read", 2**31: "all"}, flags=True)
    schema = event_schema("e", {"access": access})
    values = [2**31, 2**31 + 1, 2**32 - 1]
    events, faults = read(XelFile().write([Event(schema, 0, {"access": v}) for v in values]))
    assert [event["fields"]["access"][1] for event in events] == ["all", "read,all", "read,all,4294967295"]
    assert faults == ()


@pytest.mark.complete
def test_rollover_files_continue_each_other() -> None:
    first = XelFile()
    parts = [first.write(numbered(4), [2, 2]), first.rollover(2).write(numbered(2), [1, 1])]
    found = [xelib.open_xel(io.BytesIO(part), positions=True) for part in parts]
    rows = [[b["_block"].to_pylist() for _, b in file] for file in found]
    assert [list(itertools.chain(*of)) for of in rows] == [[1, 1, 2, 2], [3, 4]]
    assert found[0].session_runs == found[1].session_runs == (str(first.run),)
    assert found[0].guid != found[1].guid

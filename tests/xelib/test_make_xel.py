"""The writer of Extended Events files, read by the yardstick: neither knows xelib."""

from __future__ import annotations

import datetime as dt
import json
import struct
import zlib
from uuid import UUID

import pytest
from hypothesis import given, settings

from simulation.formats import plain_xel
from simulation.formats.xel import (
    Action,
    Column,
    Event,
    Map,
    Package,
    XelFile,
    blocks,
    event_schema,
    filetime,
    with_crc,
)
from simulation.formats.xel_sessions import SCHEMAS
from tests.effort import thorough, times
from tests.folded import folded
from tests.shared import SHARED
from tests.xelib.arbitrary_xel import Written, files, shown_event

GUID = UUID("c4ec3170-32a8-4485-9351-35ad14a08c97")
COLOUR = Map("colour", {0: "red", 1: "green", 0xFFFFFFFF: "none"})
ACCESS = Map("access", {0: "none", 1: "read", 2: "write", 8: "grant", 3: "both"}, flags=True)

VALUES = [
    ("int8", -1, "SByte", -1),
    ("int16", -300, "Int16", -300),
    ("int32", -(2**31), "Int32", -(2**31)),
    ("int64", 2**63 - 1, "Int64", 2**63 - 1),
    ("uint8", 255, "Byte", 255),
    ("uint16", 65535, "UInt16", 65535),
    ("uint32", 2**32 - 1, "UInt32", 2**32 - 1),
    ("uint64", 2**64 - 1, "UInt64", 2**64 - 1),
    ("cpu_cycle", 2**64 - 1, "UInt64", 2**64 - 1),
    ("float32", -1.5, "Single", -1.5),
    ("float64", 26.0026, "Double", 26.0026),
    ("boolean", True, "Boolean", True),
    ("filetime", 0, "DateTimeOffset", "1601-01-01T00:00:00.0000000+00:00"),
    ("filetime", 1, "DateTimeOffset", "1601-01-01T00:00:00.0000001+00:00"),
    ("ptr", 0x7FF8CC8A1B95, "String", "0x00007FF8CC8A1B95"),
    ("ansi_string", b"caf\xe9", "String", "caf?"),
    ("unicode_string", "a\0ü\U0001f600\0", "String", "a\0ü\U0001f600\0"),
    ("unicode_string", b"a\0\0\xd8b\0c", "String", "a\ufffdb\ufffd"),
    ("unicode_string", None, "String", ""),
    ("xml", "<a/>", "String", "<a/>"),
    ("guid", GUID, "Guid", "c4ec3170-32a8-4485-9351-35ad14a08c97"),
    ("guid", None, "Guid", "00000000-0000-0000-0000-000000000000"),
    ("binary_data", b"\x01\xff", "Byte[]", "01ff"),
    ("callstack", [1, 2**63], "String", "0x0000000000000001\r\n0x8000000000000000\r\n"),
    ("callstack", b"\x01" + bytes(10), "String", "0x0000000000000001\r\n"),
    ("activity_id", (GUID, 7), "XEActivityId", "c4ec3170-32a8-4485-9351-35ad14a08c97:7"),
    ("activity_id_xfer", (GUID, 7), "XEActivityId", "c4ec3170-32a8-4485-9351-35ad14a08c97:7"),
    (COLOUR, 1, "String", "green"),
    (COLOUR, 2**32 - 1, "String", "none"),
    (COLOUR, 2**32 - 2, "String", "-2"),
    (Map("one", {1: "a"}, 1), 254, "String", "254"),
    (Map("two", {1: "a"}, 2), 1, "String", "a"),
    (Map("eight", {1: "a"}, 8), 1, "String", "a"),
    (ACCESS, 0, "String", ""),
    (ACCESS, 11, "String", "read,write,grant"),
    (ACCESS, 4, "String", "4"),
    (ACCESS, 2**31 + 1, "String", "read,2147483649"),
]


@folded(("kind", "value", "type_", "expected"), VALUES)
def test_every_type_as_a_column_and_as_an_action(kind, value, type_, expected) -> None:
    schema = event_schema("e", {"a": "int8", "b": kind, "c": "uint16"}, {"x": kind, "y": "uint8"})
    event = Event(schema, 0, {"a": -5, "b": value, "c": 500}, {"x": value, "y": 9})
    (found,) = plain_xel.events(XelFile().write([event]))
    assert found["fields"] == {"a": ("SByte", -5), "b": (type_, expected), "c": ("UInt16", 500)}
    assert found["actions"] == {"x": (type_, expected), "y": ("Byte", 9)}
    assert type(found["fields"]["b"][1]) is type(expected)


@pytest.mark.parametrize(
    ("frequency", "ticks", "after"),
    [
        (10_000_000, -3, -3),
        (0, 7, 7),
        (3_216_421, 1, 3),
        (3_216_421, -1, -3),
        (2_400_000_000, 9_007_199_254_740_993, 37_529_996_894_754),
        (1_000_000_000, 199, 1),
        (14_318_180, 47_373_130_348, 33_085_999_999),
    ],
)
def test_ticks_become_100_ns_truncated_toward_zero(frequency, ticks, after) -> None:
    schema = event_schema("e", {})
    data = XelFile(frequency=frequency, base=10**17).write([Event(schema, ticks)])
    (found,) = plain_xel.events(data)
    assert found["ts"] == 10**17 + after


def test_a_time_in_ticks() -> None:
    time = dt.datetime(2024, 1, 25, 10, 0, 0, 1)
    assert filetime(time) == 133_506_504_000_000_010
    assert XelFile(frequency=1_000_000_000).ticks(time) == 1000
    assert XelFile(frequency=0).ticks(time) == 10


def test_a_file_keeps_what_the_format_fixes() -> None:
    schema = event_schema("e", {"text": "unicode_string"}, {"event_sequence": "uint64"})
    events = [Event(schema, n, {"text": "x" * 700 * n}, {"event_sequence": n}) for n in range(4)]
    for sector in (512, 4096):
        file = XelFile(sector=sector, first_block=1874)
        data = file.write(events, [1, 2, 1])
        assert data == file.write(events, [1, 2, 1])
        assert struct.unpack_from("<IHH", data) == (0xEFAB375A, 10, sector)
        found = blocks(data)
        assert [block.is_data for block in found] == [False, False, True, True, True]
        assert found[0].start == sector
        assert found[-1].end == len(data)
        sequences = []
        for block in found:
            assert block.start % sector == 0
            assert block.payload - block.start == (0x4D if block.is_data else 0x4C)
            head = struct.unpack_from("<IIIHHIHHII16s", data, block.start)
            payload = data[block.payload : block.payload + block.used]
            assert head[9] == zlib.crc32(payload[-1024:]) ^ 0xFFFFFFFF
            assert head[10] == (file.run.bytes_le if block.is_data else bytes(16))
            sequences.append(head[2])
        assert sequences == [0xFFFFFFFF, 0xFFFFFFFF, 1874, 1875, 1876]


def test_packages_of_one_name_maps_and_actions_of_another_package() -> None:
    other = Package("sqlserver", number=2)
    level = Map("level", {1: "low"}, size=1, package=other)
    schemas = [
        event_schema("e", {"level": level}, {"who": Action("unicode_string", other)}),
        event_schema("e", {"n": "uint8"}, {"attach_activity_id": "activity_id"}, package=other),
    ]
    events = [
        Event(schemas[1], 5, {"n": 1}, {"attach_activity_id": (GUID, 3)}),
        Event(schemas[0], 4, {"level": 1}, {"who": "sa"}),
    ]
    for metadata_blocks in (1, 2):
        found = list(plain_xel.events(XelFile(metadata_blocks=metadata_blocks).write(events)))
        assert [event["fields"] for event in found] == [{"n": ("Byte", 1)}, {"level": ("String", "low")}]
        assert [event["actions"] for event in found] == [
            {"attach_activity_id": ("XEActivityId", f"{GUID}:3")},
            {"who": ("String", "sa")},
        ]


def test_columns_that_were_not_collected_have_a_slot_without_data() -> None:
    schema = event_schema("e", {"stack": Column("callstack"), "n": "uint8"})
    (found,) = plain_xel.events(XelFile().write([Event(schema, 0, {"n": 3})]))
    assert found["fields"] == {"stack": ("String", ""), "n": ("Byte", 3)}


def test_a_short_payload_leaves_columns_out() -> None:
    schema = event_schema("e", {"a": "uint8", "b": "uint32", "c": "xml"}, {"x": "uint8"})
    event = Event(schema, 0, {"a": 1, "b": 2, "c": "t"}, {"x": 9}, keep=3)
    found = list(plain_xel.events(XelFile().write([event, Event(schema, 1, {"c": "t"})])))
    assert found[0]["fields"] == {"a": ("Byte", 1), "b": None, "c": None}
    assert found[0]["actions"] == {"x": ("Byte", 9)}
    assert found[1]["fields"]["c"] == ("String", "t")


def test_a_rollover_file_continues_the_numbers_and_stands_alone() -> None:
    schema = event_schema("e", {"n": "uint8"})
    first = XelFile()
    data = first.write([Event(schema, n, {"n": n}) for n in range(3)], [1, 1, 1])
    second = first.rollover(written=3)
    more = second.write([Event(schema, 3, {"n": 3})])
    assert second.run == first.run
    assert second.guid != first.guid
    assert [block.is_data for block in blocks(more)] == [False, True]
    assert struct.unpack_from("<I", more, blocks(more)[-1].start + 8) == (4,)
    numbers = [e["fields"]["n"][1] for part in (data, more) for e in plain_xel.events(part)]
    assert numbers == [0, 1, 2, 3]


def test_a_file_may_have_no_events_and_a_block_none() -> None:
    schema = event_schema("e", {"n": "uint8"})
    assert list(plain_xel.events(XelFile(schemas=[schema]).write())) == []
    data = XelFile().write([Event(schema, 0, {"n": 1})], [0, 1, 0])
    assert len(list(plain_xel.events(data))) == 1


def test_a_changed_payload_can_get_its_checksum() -> None:
    data = bytearray(XelFile().write([Event(event_schema("e", {"n": "uint8"}), 0, {"n": 1})]))
    block = blocks(bytes(data))[-1]
    data[block.payload + 24] = 2
    mended = with_crc(bytes(data))
    assert mended != data
    assert with_crc(mended) == mended
    (found,) = plain_xel.events(mended)
    assert found["fields"] == {"n": ("Byte", 2)}


@thorough
@given(files())
@settings(max_examples=times(60, 20), deadline=None)
def test_any_file_is_read_as_it_was_written(written: Written) -> None:
    found = list(plain_xel.events(written.data))
    assert found == [shown_event(written, event) for event in written.events]


@pytest.mark.skipif(not (SHARED / "facts").is_dir(), reason="the product facts are not here")
def test_the_declared_events_are_those_of_the_product() -> None:
    facts = json.loads((SHARED / "facts" / "xe_hadr_events.json").read_text(encoding="utf-8"))
    names = {"wstring": "unicode_string", "sint8": "boolean", "filetime(uint64)": "filetime"}
    sizes = {"uint8": 1, "sint32": 4, "uint32": 4}
    for name, schema in SCHEMAS.items():
        if name == "error_reported":
            continue  # it is of another package than the facts
        fact = facts[name]
        assert UUID(fact["guid"]) == schema.uuid, name
        for (field, column), (expected, kind, texts, _) in zip(
            schema.columns.items(), fact["fields"], strict=True
        ):
            assert field == expected, name
            if texts is None:
                declared = names.get(kind, kind.replace("sint", "int"))
                assert column.type == declared, (name, field)
            else:
                assert column.type.size == sizes[kind], (name, field)
                assert column.type.texts == {int(k): v for k, v in texts.items()}, (name, field)

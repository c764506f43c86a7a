"""Binary XML of event logs: values of every type, and what a message has of elements."""

from __future__ import annotations

import struct
from datetime import datetime

import pytest

from agtrace.readers.event_log import READER
from agtrace.testing import read_all
from simulation.formats.binary_xml import Element, Typed, Value, instance, plain, text
from simulation.formats.evtx import FIRST_RECORD, log_of
from simulation.formats.xel import filetime

AT = datetime(2026, 3, 1, 3, 10, 44, 123456)
SYSTEM = Element("System", Element("EventID", "5"))


def event(*data: str | bytes | Value | Element) -> Element:
    return Element("Event", SYSTEM, Element("EventData", *data))


def row_of(element: Element, *values: Typed) -> dict | None:
    """Return the event of a log of one, None where it cannot be read."""

    def record(place: int) -> bytes:
        return instance(place, element, values) if values else plain(place, element)

    tables = read_all(READER, log_of([record], [AT]), "System.evtx")
    kinds = [row["kind"] for row in tables["issues"].to_pylist()] if "issues" in tables else []
    if "os_events" not in tables:
        assert kinds == ["damaged_record"]
        return None
    assert kinds == []
    (row,) = tables["os_events"].to_pylist()
    assert (row["event_id"], row["time_local"]) == (5, AT)
    return row


def message(element: Element, *values: Typed) -> str | None:
    row = row_of(element, *values)
    return None if row is None else row["message"]


SID = b"\1\2\0\0\0\0\0\5" + struct.pack("<II", 32, 544)
GUID = bytes(range(16))
GUID_TEXT = "03020100-0504-0706-0809-0A0B0C0D0E0F"


@pytest.mark.parametrize(
    ("kind", "data", "shown"),
    [
        (0x01, "Größe 😀".encode("utf-16-le"), "Größe 😀"),
        (0x01, "a\0b".encode("utf-16-le"), "a"),
        (0x02, b"caf\xe9\0x", "café"),
        (0x03, b"\xff", "-1"),
        (0x04, b"\xff", "255"),
        (0x05, b"\xfe\xff", "-2"),
        (0x06, b"\xff\xff", "65535"),
        (0x07, b"\0\0\0\x80", "-2147483648"),
        (0x08, b"\xff" * 4, "4294967295"),
        (0x09, struct.pack("<q", -(2**63)), "-9223372036854775808"),
        (0x0A, b"\xff" * 8, "18446744073709551615"),
        (0x0B, struct.pack("<f", 0.1), "0.1"),
        (0x0C, struct.pack("<d", 1.0), "1.0"),
        (0x0C, struct.pack("<d", float("nan")), "NaN"),
        (0x0D, struct.pack("<I", 1), "True"),
        (0x0D, struct.pack("<I", 0), "False"),
        (0x0D, struct.pack("<i", -1), "-1"),
        (0x0E, b"\x01\xab\xff", "01ABFF"),
        (0x0F, GUID, GUID_TEXT),
        (0x10, struct.pack("<I", 291), "0x123"),
        (0x10, struct.pack("<Q", 1 << 40), "0x10000000000"),
        (0x11, struct.pack("<Q", filetime(AT) + 3), "2026-03-01T03:10:44.123456Z"),
        (0x11, bytes(8), "1601-01-01T00:00:00.000000Z"),
        (0x12, struct.pack("<8H", 2026, 2, 6, 28, 23, 59, 58, 7), "2026-02-28T23:59:58.007000Z"),
        (0x13, SID, "S-1-5-32-544"),
        (0x13, b"\1\0\0\1\0\0\0\5", "S-1-4294967301"),
        (0x14, struct.pack("<I", 0xABC), "0xabc"),
        (0x15, bytes(8), "0x0"),
        (0x20, b"\1\2", "0102"),
        (0x23, "<a/>".encode("utf-16-le"), "<a/>"),
    ],
)
def test_values_of_every_type(kind, data, shown):
    named = Element("Data", Value(0), Name="n")
    assert message(event(named), Typed(kind, data)) == f"n: {shown}"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (0x0F, GUID[:15]),
        (0x11, b"\xff" * 8),
        (0x12, struct.pack("<8H", 2026, 13, 6, 28, 23, 59, 58, 7)),
        (0x12, struct.pack("<8H", 2026, 12, 6, 28, 24, 0, 0, 0)),
        (0x13, SID[:-1]),
        (0x93, SID + SID[:9]),
    ],
)
def test_a_value_that_is_none_of_its_type_damages_its_record(kind, data):
    assert message(event(Element("Data", Value(0))), Typed(kind, data)) is None


@pytest.mark.parametrize("kind", [*range(0x16), *range(0x81, 0x96)])
def test_a_value_without_bytes_is_no_text(kind):
    data = Element("Data", Value(0), Name="n")
    assert message(event(data, Element("Other", Value(0))), Typed(kind, b"")) == "n: "


@pytest.mark.parametrize(
    ("kind", "data", "items"),
    [
        (0x81, "a\0b\0\0c\0".encode("utf-16-le"), ["a", "b", "", "c"]),
        (0x81, "a\0b".encode("utf-16-le"), ["a", "b"]),
        (0x83, b"\1\xff", ["1", "-1"]),
        (0x86, b"\1\0\2\0", ["1", "2"]),
        (0x8D, struct.pack("<II", 1, 0), ["True", "False"]),
        (0x8F, GUID * 2, [GUID_TEXT] * 2),
        (0x91, struct.pack("<QQ", filetime(AT), filetime(AT)), ["2026-03-01T03:10:44.123456Z"] * 2),
        (0x93, SID * 2, ["S-1-5-32-544"] * 2),
        (0x95, struct.pack("<QQ", 1, 2), ["0x1", "0x2"]),
    ],
)  # fmt: skip
def test_every_item_of_an_array_is_a_value(kind, data, items):
    given = Typed(kind, data)
    assert message(event(Element("Data", Value(0))), given) == "; ".join(items)
    assert message(event(Element("Data", Value(0), Name="n")), given) == "; ".join(f"n: {x}" for x in items)
    other = "; ".join(f"Other: {item}" for item in items if item)
    assert message(event(Element("Other", Value(0))), given) == other


def test_names_of_values():
    nested = Element("Outer", Element("Inner", "1"), Element("Data", "2", Name="n"))
    assert message(event(nested, Element("Data", "3"), Element("Data"))) == "Inner: 1; n: 2; 3; "
    # Attributes of its own, and a text beside elements: nothing is called after the element.
    with_attribute = Element("P", "1", unit="s")
    assert message(event(with_attribute, Element("P", "a", Element("Q", "2")), "b")) == "1; Q: 2; a; b"
    assert message(event(Element("P", "1", unit="")), text("x")) == "P: 1"
    assert message(event(Element("Data", "1", Name=Value(0)))) == "1"
    assert message(Element("Event", SYSTEM, Element("UserData", Element("P", "1")))) == "P: 1"
    both = [Element("UserData", Element("P", "1")), Element("EventData", Element("P", "2"))]
    assert message(Element("Event", SYSTEM, *both)) == "P: 2; P: 1"


def test_a_message_that_its_writer_made_counts():
    rendered = Element("RenderingInfo", Element("Level", "Error"), Element("Message", "all of it"))
    assert message(Element("Event", SYSTEM, Element("EventData", "x"), rendered)) == "all of it"


def test_texts_are_put_together():
    entity = b"\x09" + struct.pack("<I", FIRST_RECORD)
    # The first record's head stands for a name that is none.
    assert message(event(Element("P", "a", entity))) is None
    cdata = b"\x07\x02\0" + "<>".encode("utf-16-le")
    character = b"\x08" + "é".encode("utf-16-le")
    assert message(event(Element("P", "a", Value(0), cdata, character)), text("b")) == "P: ab<>é"


def test_binary_xml_in_a_value_and_in_a_value_of_that():
    def record(place: int) -> bytes:
        inner = Element("EventData", Element("Data", Value(0), Name="n"), Value(1))
        outer = Element("Event", SYSTEM, Value(0))
        leaf = Element("P", "deep")

        def at(outside: int, element: Element, values: list[Typed]) -> int:
            return outside + len(instance(outside, element, values)) - 1

        inner_at = at(place, outer, [Typed(0x21, b"")])
        leaf_at = at(inner_at, inner, [text("1"), Typed(0x21, b"")])
        inside = instance(inner_at, inner, [text("1"), Typed(0x21, plain(leaf_at, leaf))])
        return instance(place, outer, [Typed(0x21, inside)])

    tables = read_all(READER, log_of([record], [AT]), "System.evtx")
    assert tables["os_events"]["message"].to_pylist() == ["n: 1; P: deep"]


@pytest.mark.parametrize(
    "element",
    [
        Element("Other", SYSTEM),
        Element("Event", Element("System")),
        Element("Event", Element("EventData", "x")),
        event(b"\x04"),
        event(b"\x77"),
        event(b"\x05\x02\1\0a\0"),
    ],
)
def test_what_is_no_event_is_left_out(element):
    assert row_of(element) is None


@pytest.mark.parametrize(
    ("level", "keywords", "shown"),
    [
        (0, 0, "Information"),
        (0, 0x8010000000000000, "Warning"),
        (0, 0x8020000000000000, "Information"),
        (1, 0, "Error"),
        (2, 0, "Error"),
        (3, 0x8010000000000000, "Warning"),
        (5, 0, "Information"),
        (9, 0, None),
    ],
)
def test_levels(level, keywords, shown):
    system = Element(
        "System", Element("EventID", "5"), Element("Level", Value(0)), Element("Keywords", Value(1))
    )
    given = [Typed(0x04, bytes([level])), Typed(0x15, struct.pack("<Q", keywords))]
    row = row_of(Element("Event", system), *given)
    assert row is not None
    assert row["level"] == shown


def test_templates_in_templates_cost_no_more_than_a_chunk_may():
    # Each level would be a hundred times what it holds.
    def nested(place: int, levels: int) -> bytes:
        element = event("x") if not levels else Element("P", *[Value(0)] * 100)
        if not levels:
            return plain(place, element)
        inside = place + len(instance(place, element, [Typed(0x21, b"")])) - 1
        return instance(place, element, [Typed(0x21, nested(inside, levels - 1))])

    log = log_of([lambda place: nested(place, 8)] * 10, [AT] * 10)
    tables = read_all(READER, log, "System.evtx")
    (issue,) = tables["issues"].to_pylist()
    assert (issue["kind"], issue["count"]) == ("damaged_record", 10)
    assert issue["offset"] == 4096 + FIRST_RECORD

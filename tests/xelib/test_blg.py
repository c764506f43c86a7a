"""The decoder of binary logs by itself: raw values, headers, choices that it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from xelib import FormatError
from xelib.blg import Decoder, read_trace_header, sniff_trace

from simulation.formats.blg import UTC, Form, Zone
from simulation.formats.blg_blocks import BULK_RATE, RAWCOUNT, Item, Many, One
from tests.readers.perfmon_blg.blg_logs import SECOND, log_of

ITEMS = [Item("O", "Rate", BULK_RATE), Item("O", "Count", RAWCOUNT, "*", time_base=0)]
LOG = log_of(
    ITEMS,
    [
        [One(5, 7), Many([("a", 1, 0)])],
        [One(2**63, SECOND, status=0), Many([("b", 3, 4)])],
        [One(0, 0, status=0x800007D0), Many([])],
    ],
)


def decode(log: bytes = LOG, **choices):
    decoder = Decoder(**choices)
    decoder.feed(log)
    decoder.finish()
    return decoder


def ints(buffer: bytes, kind: str) -> list[int]:
    return np.frombuffer(buffer, kind).tolist()


def test_raw_values_are_both_numbers_of_each_sample():
    decoder = decode(values="raw")
    slab = decoder.take()
    assert ints(slab.counter_no, "i4") == [0, 0, 1, 2]
    assert ints(slab.tick, "i4") == [0, 1, 0, 1]
    assert ints(slab.value, "i8") == [5, -(2**63), 1, 3]
    assert ints(slab.second, "i8") == [7, SECOND, 0, 4]
    assert (slab.rows, slab.values, slab.first_tick) == (3, 4, 0)
    assert ints(slab.row_tick, "i4") == [0, 1, 2]
    assert decoder.take() is None


def test_series_say_what_their_values_are():
    assert decode().take_series() == [
        (r"\\HOST\O\Rate", BULK_RATE, "PERF_COUNTER_BULK_COUNT", 0, SECOND, (0, 0)),
        (r"\\HOST\O(a)\Count", RAWCOUNT, "PERF_COUNTER_RAWCOUNT", 0, 0, (1, 0)),
        (r"\\HOST\O(b)\Count", RAWCOUNT, "PERF_COUNTER_RAWCOUNT", 0, 0, (1, 0)),
    ]


def test_names_alone():
    decoder = decode(values="none")
    assert len(decoder.take_series()) == 3
    slab = decoder.take()
    assert (slab.rows, slab.values) == (3, 0)


def test_numbers_given_beforehand():
    slab = decode(order=[2, 1, 0]).take()
    assert ints(slab.counter_no, "i4") == [0, 1, 2]
    assert ints(slab.value, "f8")[:2] == [3, 1]
    for wrong in ([1], [0, 0], [0, 2]):
        with pytest.raises(ValueError, match="each number below its length once"):
            Decoder(order=wrong)


def test_the_header():
    zone = Zone(-60, "W. Europe Standard Time", daylight_name="W. Europe Daylight Time")
    for wide, system in ((True, (10, 0, 20348)), (False, (5, 2, 3790))):
        log = log_of(ITEMS, [], form=Form(wide=wide, system=system, zone=zone))
        header = read_trace_header(log)
        assert header == decode(log).header()
        assert header["os"] == ".".join(map(str, system))
        assert header["pointer_bytes"] == (8 if wide else 4)
        assert header["file"] == r"C:\PerfLogs\DataCollector01.blg"
        assert header["perf_frequency"] == SECOND
        assert header["buffers_written"] == len(log) // 0x10000
        assert not header["is_circular"]
        assert header["zone"]["bias"] == -60
        assert header["zone"]["standard_name"] == "W. Europe Standard Time"
        assert header["zone"]["daylight_date"] == [0, 3, 0, 2, 2, 0, 0, 0]
    assert read_trace_header(LOG[:200]) is None


def test_what_a_file_is():
    assert sniff_trace(LOG) == "performance log"
    assert sniff_trace(LOG[:0x4000]) == "performance log"
    assert sniff_trace(LOG[:60]) == "no trace"
    other = log_of(ITEMS, [], form=Form(logger="Circular Kernel Context Logger", zone=UTC))
    assert sniff_trace(other[:0x10000]) == "other trace"


def test_what_is_no_log_is_refused_with_its_place():
    with pytest.raises(FormatError) as caught:
        Decoder().feed(b"(PDH-CSV 4.0)" * 100)
    assert (caught.value.what, caught.value.offset) == ("no event trace", 0)
    with pytest.raises(FormatError):
        decode(b"")

"""Whose bytes a primary counts as sent: those of the log, or those on the wire."""

from __future__ import annotations

from agtrace.history.streams.byte_units import LOG, UNKNOWN, WIRE, of_sent
from tests.folded import folded


@folded(
    ("version", "mode", "flag", "unit"),
    [
        (11, None, False, WIRE),
        (12, "synchronous", False, WIRE),
        (13, "asynchronous", False, LOG),
        (15, None, False, LOG),
        (16, "synchronous", False, LOG),
        (16, "asynchronous", True, LOG),
        (16, "synchronous", True, UNKNOWN),
        (16, None, True, UNKNOWN),
        (None, "synchronous", False, UNKNOWN),
    ],
)
def test_version_mode_and_trace_flag_decide_whose_bytes_are_sent(version, mode, flag, unit):
    assert of_sent(version, mode, flag_9592=flag).unit == unit

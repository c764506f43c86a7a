"""What the words of a verdict may name: each fact where it was seen, and none where it was not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.verdict_facts import Course, _loss, judged
from agtrace.history.streams.known import Known
from agtrace.history.streams.links import Link
from agtrace.history.streams.meeting import Apart, Shift
from agtrace.history.streams.parts import BEHIND, FINE
from agtrace.history.trace_flags.span import FlagSpan
from agtrace.measure.gapped import Spread
from agtrace.measure.machines import Card, Lost, Machine, Processors
from tests.diagnostics.transport.made import (
    MB,
    both,
    copied,
    handshake,
    known,
    lag,
    link,
    part,
    ping,
    primary,
    secondary,
    tuning,
    verdict,
)
from tests.diagnostics.transport.made_signs import signs, write
from tests.folded import folded


def facts(of: Link, beside: Known | None = None, *parts: Any, **more: Any) -> dict[str, Any]:
    return dict(judged(verdict(of, beside, *parts, **more)).facts)


def of(found: dict[str, Any], *names: str) -> list[Any]:
    return [found[name] for name in names]


# Who sends to whom, and what moved.


def test_a_verdict_is_about_its_replica_over_its_rows():
    found = judged(verdict(both(), rows=slice(10, 21), severity="warning", confidence=0.6))
    assert (found.said, found.id, found.severity, found.confidence) == (
        "network_limited.path", "transport.network_limited", "warning", 0.6
    )  # fmt: skip
    assert found.subject == {"replica": "S", "ag": "AG", "host": "S", "primary": "P"}
    assert found.window == {"start": "1970-01-01T00:00:50Z", "end": "1970-01-01T00:01:40Z"}
    assert of(dict(found.facts), "replica", "primary", "length", "among", "blocker") == [
        "S", "P", 50.0, None, None
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stream", "side", "primary_name"),
    [
        (both(), "both", "P"), (link(primary(), None), "primary", "P"),
        (link(None, secondary()), "replica", "P"),
        (link(None, secondary(), primary_name=""), "replica", "the primary"),
    ],
)  # fmt: skip
def test_the_sides_that_were_captured_are_told(stream, side, primary_name):
    assert of(facts(stream), "side", "primary") == [side, primary_name]


def test_rates_are_means_over_the_rows_of_each_side():
    here = {"flushed": [2.0] * 30 + [4.0] * 30, "sent": [1.0] * 30 + [3.0] * 30, "transport": 9}
    there = {"received": [5.0] * 30 + [7.0] * 30, "redone": [6.0] * 30 + [8.0] * 30}
    found = facts(both(here, there), rows=slice(30, 60))
    assert of(found, "flushed", "sent", "sent_as", "received", "redone") == [4, 3, "log", 7, 8]


@pytest.mark.parametrize(
    ("here", "version", "told"),
    [
        ({"transport": 9}, 15, [MB, "log"]), ({"sent": None, "transport": 9}, 12, [9, "wire"]),
        ({"transport": 9}, None, [MB, None]), ({"sent": None}, 15, [None, None]),
    ],
)  # fmt: skip
def test_bytes_sent_are_told_as_what_they_count(here, version, told):
    assert of(facts(both(here), known(version=version)), "sent", "sent_as") == told


def test_means_over_several_samples_are_told_with_their_length():
    stream = both()
    assert stream.primary is not None
    assert stream.secondary is not None
    stream.primary.step = 30.0
    assert facts(stream)["averaged"] is None
    stream.primary.averaged = True
    assert facts(stream)["averaged"] is None
    stream.secondary.averaged = True
    assert facts(stream)["averaged"] == 5
    assert facts(link(stream.primary, None))["averaged"] == 30


@pytest.mark.parametrize(
    ("stream", "is_unseen"),
    [(both(), False), (both({"flushed": None}), True), (link(None, secondary()), False)],
)
def test_log_that_a_captured_primary_did_not_count_is_unseen(stream, is_unseen):
    assert facts(stream)["flushed_unseen"] == is_unseen


def test_a_queue_goes_from_its_first_to_its_last_known_value():
    queue = [np.nan] * 10 + list(range(10, 50)) + [np.nan] * 10
    slope = pytest.approx(1024 / 5)
    course = facts(both(there={"queue": queue}))["queue"]
    assert (course.first, course.last) == (10 * 1024, 49 * 1024)
    assert (course.slope.value, course.slope.n) == (slope, 40)
    assert facts(both(there={"queue": queue}), rows=slice(20, 30))["queue"].first == 20 * 1024
    assert facts(both(there={"queue": None}))["queue"] is None
    assert facts(both(there={"queue": queue}), rows=slice(0, 10))["queue"] is None
    assert facts(both(there={"queue": queue}), rows=slice(0, 11))["queue"] == Course(10240, 10240, None)


@pytest.mark.parametrize(("ms", "told"), [(100, 100), (99.9, None), (None, None)])
def test_a_gate_that_was_closed_for_a_tenth_of_the_time_is_told(ms, told):
    assert facts(both({"gate": ms}))["gate"] == told


def test_a_gate_is_that_of_the_rows_of_the_primary():
    assert facts(both({"gate": [0.0] * 30 + [200.0] * 30}), rows=slice(30, 60))["gate"] == 200
    assert facts(both({"gate": [np.nan] * 30 + [200.0] * 30}), rows=slice(0, 30))["gate"] is None


@pytest.mark.parametrize(("shift", "apart"), [(-2.5, 2.5), (3.0, 3.0), (None, None)])
def test_clocks_that_are_off_are_told_where_it_is_known_by_how_much(shift, apart):
    stream = link(None, secondary())
    stream.apart = Apart(primary(), slice(0, 60), 5, None if shift is None else Shift(shift, 0.9, 50, 5))
    assert facts(stream)["clocks_apart"] == apart
    assert facts(both())["clocks_apart"] is None


# The way to the replica.

EVERY_STEP = ["show_windows", "show_linux", "ping", "copy_file"]


@pytest.mark.parametrize(
    ("told", "platforms", "unknown", "steps"),
    [
        ([], {}, {"Windows": ["S", "P"], "Linux": []}, ["show_windows", "ping", "copy_file"]),
        ([], {"S": "Linux", "P": "Windows"}, {"Windows": ["P"], "Linux": ["S"]}, EVERY_STEP),
        (
            [tuning("S", "normal"), ping(9)], {"P": "Linux", "S": "Windows"},
            {"Windows": [], "Linux": ["P"]}, ["show_linux", "copy_file"],
        ),
        (
            [tuning("S", "normal"), tuning("P", "normal"), ping(9), copied(MB)], {},
            {"Windows": [], "Linux": []}, [],
        ),
    ],
)  # fmt: skip
def test_what_is_left_to_measure_of_a_path_is_what_was_not_captured(told, platforms, unknown, steps):
    found = facts(both(), known(*told, platforms=platforms))
    assert of(found, "tuning_unknown", "steps") == [unknown, steps]


def test_a_primary_that_nothing_names_is_asked_for_as_the_primary():
    found = facts(link(None, secondary(), primary_name=""))
    assert found["tuning_unknown"] == {"Windows": ["S", "the primary"], "Linux": []}


@folded(
    ("told", "platforms", "scale"),
    [
        ([], {}, (["S"], "Windows", True)), ([], {"S": "Linux"}, (["S"], "Linux", True)),
        ([tuning("S", "normal")], {}, (["S"], "Windows", False)),
        ([tuning("S", "disabled")], {}, (["S"], "Windows", False)),
        ([tuning("S", "restricted")], {"S": "Linux"}, (["S"], "Windows", False)),
        ([tuning("P", "highlyrestricted")], {}, (["P"], "Windows", False)),
        ([tuning("S", "disabled"), tuning("P", "disabled")], {}, (["S", "P"], "Windows", False)),
        ([tuning("P", "normal")], {}, (["S"], "Windows", True)),
    ],
)  # fmt: skip
def test_the_hosts_whose_window_is_to_scale_are_those_that_set_it_so_else_the_replica(told, platforms, scale):
    found = facts(both(), known(*told, platforms=platforms))["scale"]
    assert (found["hosts"], found["system"], found["is_unsure"]) == scale


@pytest.mark.parametrize(
    ("told", "is_unscaled"),
    [
        ([], False), ([tuning("S", "disabled")], True), ([handshake("none")], True),
        ([handshake("8")], False),
    ],
)  # fmt: skip
def test_a_window_is_known_not_to_scale_by_its_setting_or_a_handshake(told, is_unscaled):
    assert facts(both(), known(*told))["is_unscaled"] == is_unscaled


def test_the_busier_card_is_told_and_the_tool_that_the_primary_has():
    cards = {"P": Machine(card=Card("P", 1, 10)), "S": Machine(card=Card("S", 3, 10))}
    found = facts(both(), known(machines=cards, platforms={"P": "Linux"}))
    assert of(found, "card", "copy_tool", "segment", "window_bytes") == [
        Card("S", 3, 10), "rsync", 1460, 65_535
    ]  # fmt: skip
    linux = known(platforms={"S": "Linux", "P": "Windows"})
    assert of(facts(both(), linux), "card", "copy_tool") == [None, "robocopy"]


@pytest.mark.parametrize(("rate", "told"), [(0.5, 0.5), (0.49, None), (None, None)])
def test_messages_that_were_sent_again_are_told_from_one_in_two_seconds_on(rate, told):
    assert facts(both({"resent": rate}))["resent"] == told


def test_what_follows_once_a_limit_is_removed_is_told_of_limits_of_the_path():
    stream = both(there={"queue": list(range(60))})
    behind = part(stream, BEHIND, send_lag=lag())
    assert facts(stream, None, behind)["mended"] is not None
    assert facts(stream, None, behind, kind=v.SEND_LIMITED)["mended"] is None


# What an unscaled window and the loss let through.


def rate(mean: float, *, steady: bool = False) -> Spread:
    return Spread(20, mean, mean, mean, mean if steady else 2 * mean, 2 * mean)


def lost(windows: float) -> Lost:
    """Give the losses that let so many unscaled windows through in each round trip."""
    return Lost((1.22 * 1460 / 65_535 / windows) ** 2, 1, 20, "perfmon")


FITS = ["the stream to the replica"]
TRIP = 0.065535
"""One window carries 1 MB/s in this round trip."""


@folded(
    ("more", "met", "is_close"),
    [
        ({"round_trip": TRIP}, None, None),
        ({"lost": lost(0.5)}, None, None),
        ({"lost": lost(0.5), "tuning": "disabled"}, "loss", False),
        ({"lost": lost(2), "tuning": "disabled"}, "window", False),
        # The lower of the two is met where it holds the stream back, else what the stream is like decides.
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(5e5)}, "loss", False),
        ({"lost": lost(0.9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(9e5)}, "loss", True),
        (
            {"lost": lost(9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e6, steady=True),
             "fits": FITS}, "window", False,
        ),
        (
            {"lost": lost(1.2), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e6, steady=True),
             "fits": FITS}, "window", True,
        ),
        ({"lost": lost(9), "round_trip": TRIP, "ceiling": rate(9e6)}, "near", False),
        ({"lost": lost(1.2), "round_trip": TRIP, "ceiling": rate(1.2e6)}, "near", False),
        ({"lost": lost(1.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1.6e6)},
         "near", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": rate(3.1e6)}, "exceeded", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": rate(3.2e5)}, "far", False),
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e5)},
         "far_from_both", False),
        ({"lost": lost(9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e5)},
         "far_from_both", False),
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(2e6)},
         "exceeded", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": None}, "far", False),
    ],
)  # fmt: skip
def test_loss_is_weighed_against_the_stream_and_an_unscaled_window(more, met, is_close):
    found = _loss(signs(**more))
    assert (found and (found["met"], found["is_close"])) == (met and (met, is_close))


def test_what_loss_lets_through_is_told_in_windows_and_in_bytes():
    found = _loss(signs(lost=lost(2), round_trip=TRIP))
    assert found is not None
    assert (found["windows"], found["bytes_per_s"]) == (pytest.approx(2), pytest.approx(2e6))
    assert found["share"] == lost(2).share


# What the replica did with what arrived.


def test_redo_is_told_where_it_is_what_is_slow():
    there = {"recovery": [1.0] * 30 + [2.0] * 30, "blocked": [0.5] * 15 + [0.0] * 15 + [np.nan] * 30}
    slow = facts(both(there=there), kind=v.REDO_LIMITED, rows=slice(0, 40))
    assert slow["recovery"] is not None
    assert (slow["recovery"].first, slow["recovery"].last, slow["blocked"]) == (1024, 2048, 15 / 40)
    other = facts(both(there=there))
    assert of(other, "recovery", "blocked", "recovery_end") == [None, None, 2048]
    assert facts(both(there={"recovery": 1}), kind=v.REDO_LIMITED)["blocked"] is None
    assert facts(both(there=there | {"redone": None}))["recovery_end"] is None


def test_writes_of_both_logs_are_told():
    there, here = write(9), write(3)
    found = facts(both(), secondary_write=there, primary_write=here)
    assert of(found, "write", "own_write") == [there, here]


def test_whether_a_database_is_behind_and_since_when():
    stream = both({"flushed": {"a": 1, "b": 1}}, {"received": {"a": 1, "b": 1}}, databases=("a", "b"))
    parts = [part(stream, FINE, database="a"), part(stream, BEHIND, database="b")]
    assert facts(stream, None, *parts)["is_behind"]
    assert not facts(stream, None, parts[0])["is_behind"]
    assert [facts(stream, rows=slice(first, 60))["is_older"] for first in (None, 0, 1)] == [True, True, False]


# How the primary counts, and what was ruled out.


@pytest.mark.parametrize(
    ("sent", "version", "ratio"),
    [
        (0.5 * MB, 12, 0.5), (MB / 1.05, 12, 1 / 1.05), (MB / 1.04, 12, None), (0.5 * MB, 15, None),
        (0.5 * MB, None, None), (None, 12, None), (0, 12, None),
    ],
)  # fmt: skip
def test_fewer_bytes_sent_than_received_are_told_where_they_are_those_of_the_wire(sent, version, ratio):
    found = facts(both({"sent": sent}), known(version=version))
    assert found["ratio"] == (ratio and pytest.approx(ratio))


def test_the_ratio_is_of_all_databases_of_the_group():
    stream = both({"sent": MB}, {"received": {"a": MB, "b": MB}}, databases=("a", "b"))
    old = known(version=12)
    assert facts(stream, old)["ratio"] == 0.5
    assert facts(stream, old, part(stream, database="a"))["ratio"] is None
    assert facts(both({"sent": 0.5 * MB}, {"received": 0}), old)["ratio"] is None
    assert facts(both({"sent": 0.5 * MB}, {"received": None}), old)["ratio"] is None
    assert facts(both({"sent": 0.5}, {"received": 1}), old)["ratio"] == 0.5


def test_how_bytes_are_counted_is_told_with_what_decides_it():
    on = FlagSpan("P", True, datetime(1969, 1, 1, tzinfo=UTC), None, "ERRORLOG, line 1")
    off = FlagSpan("P", False, datetime(1969, 1, 1, tzinfo=UTC), None, "ERRORLOG, line 2")
    found = facts(both({"mirrored": 1}), known(flags={1462: [on], 9592: [off]}))
    assert of(found, "counted_why", "mode", "flags_on") == [
        "SQL Server 2019 counts bytes sent before compression", "synchronous", {"1462": on}
    ]  # fmt: skip
    assert facts(both())["mode"] is None


@pytest.mark.parametrize(
    ("told", "series", "ratio"),
    [
        ([copied(4 * MB)], {}, 4), ([copied(2.9 * MB)], {}, None), ([], {}, None),
        ([copied(4 * MB)], {"sent": None, "received": None}, None),
    ],
)  # fmt: skip
def test_a_copy_that_is_much_faster_is_told_as_a_ratio(told, series, ratio):
    stream = both({"sent": series.get("sent", MB)}, {"received": series.get("received", MB)})
    assert facts(stream, known(*told))["copy_ratio"] == ratio


CPU, CARD = Processors(10, 60, "perfmon"), Card("P", 1, 10)


@pytest.mark.parametrize(
    ("told", "machine", "slow", "ruled_out", "unmeasured"),
    [
        ([], Machine(), None, [], ["measure_writes", "measure_processors", "measure_round_trip"]),
        ([ping(1)], Machine(CPU, CARD), 9, ["writes", "processors", "cards"], []),
        ([], Machine(None, CARD), 9, ["writes", "cards"], ["measure_processors", "measure_round_trip"]),
        ([ping(1)], Machine(CPU), None, ["processors"], ["measure_writes"]),
    ],
)
def test_what_was_ruled_out_is_what_was_measured(told, machine, slow, ruled_out, unmeasured):
    found = facts(
        both(), known(*told, machines={"S": machine}), secondary_write=slow and write(slow)
    )  # fmt: skip
    assert of(found, "ruled_out", "unmeasured") == [ruled_out, unmeasured]

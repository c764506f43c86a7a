"""Which hop holds the log back: for each verdict a case where it is given and one where it is not."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts, behind
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, one, perfmon, value, verdicts

TUNING_OFF = "S | tcp_global | 0 | autotuning_level | disabled"
TUNING_ON = "S | tcp_global | 0 | autotuning_level | normal"
# 65,535 B each 156 ms is 420 KB/s, the p95 of the stream with its ceiling.
PING = "P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | 156"
COPY_SLOW = "P | robocopy | 0 | destination_host | S\nP | robocopy | 0 | speed_bytes_per_s | 900000"
COPY_FAST = "P | robocopy | 0 | destination_host | s.corp\nP | robocopy | 0 | speed_bytes_per_s | 23000000"


def facts(*texts: str) -> str:
    return "\n".join(texts)


@pytest.mark.parametrize(
    ("rows", "known", "expected"),
    [
        # Healthy, and what is not enough to doubt it.
        ({}, "", "healthy info 0.9 S"),
        ({}, TUNING_OFF, "healthy notice 0.9 S"),
        ({"sent": "300000", "wire": "300000"}, "", "healthy info 0.9 S"),  # compressed stream
        ({"queue": "40x0,20x0..50000,60x0"}, "", "healthy info 0.9 S"),  # a burst that drained
        ({"queue": "3000~20"}, "", "healthy info 0.9 S"),  # 3 s of log, standing
        # 600 s: 4 % are 24 s of log that no queue holds; 10 s and an interval at either end may hide.
        ({"received": "960000", "hardened": "960000"}, "", "healthy info 0.65 S"),
        ({"received": "960000", "hardened": "960000", "queue": "0..8000"}, "", "healthy info 0.9 S"),
        ({"received": "970000", "hardened": "970000"}, "", "healthy info 0.9 S"),
        # The network.
        (SLOW, "", "network_limited critical 0.6 S"),
        (SLOW, TUNING_OFF, "network_limited critical 0.6 S"),  # one sign
        (SLOW, COPY_SLOW, "network_limited critical 0.7 S"),
        (SLOW | CEILING, facts(COPY_SLOW, TUNING_ON), "network_limited critical 0.7 S"),
        # The window: any two signs.
        (SLOW | CEILING, TUNING_OFF, "window_limited critical 0.75 S"),
        (SLOW, facts(TUNING_OFF, COPY_SLOW), "window_limited critical 0.75 S"),
        (SLOW | CEILING, facts(TUNING_OFF, COPY_SLOW), "window_limited critical 0.85 S"),
        # Stream and database fit a window both: a little less sure.
        (SLOW | CEILING, PING, "window_limited critical 0.7 S"),
        (SLOW | CEILING, facts(TUNING_OFF, COPY_SLOW, PING), "window_limited critical 0.9 S"),
        # The card is busy: an equally slow copy then says nothing about a window.
        (SLOW | {"card": "100000000"}, facts(TUNING_OFF, COPY_SLOW), "network_limited critical 0.6 S"),
        # A free network: the sender, or its gate.
        (SLOW | CEILING, COPY_FAST, "send_limited critical 0.7 S"),
        (SLOW | CEILING, facts(COPY_FAST, TUNING_OFF), "send_limited critical 0.7 S"),
        (SLOW | {"disk_reads": "40"}, COPY_FAST, "send_limited critical 0.8 S"),
        (SLOW | {"flow_control": "600"}, COPY_FAST, "flow_control critical 0.8 S"),
        (SLOW | {"flow_control": "50"}, COPY_FAST, "send_limited critical 0.7 S"),
        # The gate is closed and nothing shows a free network: what closes it is named.
        (SLOW | {"flow_control": "600"}, "", "network_limited critical 0.6 S"),
        (SLOW | {"flow_control": "200"}, "", "network_limited critical 0.6 S"),
        (SLOW | {"flow_control": "600", "lost": "20"}, "", "network_limited critical 0.7 S"),
        (SLOW | {"flow_control": "600", "resent": "3"}, "", "network_limited critical 0.6 S"),  # no packets
        (SLOW | {"flow_control": "600", "lost": "20"}, COPY_FAST, "network_limited critical 0.7 S"),
        (SLOW | {"flow_control": "600", "replica_flush_ms": "3000"}, COPY_FAST,
         "harden_limited critical 0.8 S"),
        (SLOW | {"flow_control": "600", "replica_cpu": "97~2"}, COPY_FAST, "harden_limited critical 0.7 S"),
        (SLOW | {"flow_control": "600", "card": "120000000"}, COPY_FAST, "network_limited critical 0.8 S"),
        (SLOW | {"flow_control": "600", "replica_cpu": None}, COPY_FAST, "flow_control critical 0.7 S"),
        (SLOW | {"flow_control": "600", "replica_cpu": None}, "", "network_limited critical 0.5 S"),
        # Busy processors, an idle gate: they are not what the log waits for.
        (SLOW | {"replica_cpu": "97~2"}, COPY_FAST, "send_limited critical 0.7 S"),
        # A log disk that is slow and waits for log most of the time holds nothing back.
        (SLOW | {"replica_flush_ms": "120", "replica_flushes": "2"}, "", "network_limited critical 0.6 S"),
        # A rate that fits a window by chance, on a path that loses segments or with a round trip that does
        # not fit.
        (SLOW | CEILING | {"lost": "5"}, facts(PING, TUNING_ON), "network_limited critical 0.7 S"),
        (SLOW | CEILING, facts(TUNING_OFF, PING.replace("156", "15")), "network_limited critical 0.6 S"),
        (SLOW | CEILING | {"lost": None}, PING, "window_limited critical 0.65 S"),
        (SLOW | {"flow_control": "600", "card": "100000000"}, "", "network_limited critical 0.6 S"),
        # The secondary's log disk: 100 writes in 930 ms against 1 ms on the primary.
        (SLOW | {"replica_flush_ms": "930"}, "", "harden_limited critical 0.8 S"),
        (SLOW | {"replica_flush_ms": "930", "flow_control": "600"}, "", "harden_limited critical 0.8 S"),
        (SLOW | {"replica_flush_ms": "400"}, "", "network_limited critical 0.6 S"),  # 4 ms a write
        (SLOW | {"replica_flush_ms": "930", "flush_ms": "600"}, "", "network_limited critical 0.6 S"),
        ({"replica_flush_ms": "930"}, "", "healthy info 0.9 S"),  # slow, and nothing waits for it
        # 20 s of log stand in the queue and never drain.
        ({"queue": "20000..23000", "received": "995000"}, "", "network_limited warning 0.6 S"),
        # A tenth stays behind: it grows, and most of the log arrives.
        ({"queue": "0..58594", "received": "900000"}, "", "network_limited warning 0.6 S"),
        # It fell behind for eight minutes and caught up.
        ({"queue": "10x0,48x0..200000,48x200000..0,14x0"}, "", "network_limited notice 0.6 S"),
        # Redo.
        ({"recovery": "0..351562", "redone": "400000"}, "", "redo_limited critical 0.7 S"),
        ({"recovery": "0..351562", "redone": "400000", "blocked": "3"}, "", "redo_blocked critical 0.8 S"),
        ({"blocked": "3"}, "", "healthy info 0.9 S"),  # blocked, and nothing piles up
        ({"recovery": "30000~5"}, "", "healthy info 0.9 S"),  # 30 s of redo, standing
        # A frozen queue while log is generated is stale, at whatever level.
        ({"queue": "100", "received": "0", "redone": "0"}, "", "suspended critical 0.85 S"),
        ({"queue": "0", "received": "0", "redone": "0"}, "", "suspended critical 0.85 S"),
        ({"queue": "100"}, "", "healthy info 0.9 S"),  # still, and log arrives
    ],
)  # fmt: skip
def test_verdict(rows, known, expected):
    assert verdicts(case(perfmon(rows), facts=known)) == [expected]


def test_a_slow_disk_without_log_counters_is_less_sure():
    disk = r"""
        P | \PhysicalDisk(1 L:)\Avg. Disk sec/Write | 0.001
        S | \PhysicalDisk(1 L:)\Avg. Disk sec/Write | 0.045
    """
    rows = perfmon(SLOW, flush_ms=None, replica_flush_ms=None) + disk
    assert verdicts(case(rows)) == ["harden_limited critical 0.6 S"]


def test_suspension_in_the_errorlog_makes_sure():
    rows = perfmon(queue="100", received="0", redone="0")
    message = "S | 0 | data_movement | 35264 | database=Sales; reason=user"
    made = case(rows, messages=message)
    assert verdicts(made) == ["suspended critical 0.95 S"]
    assert value(one(made, "suspended"), "message 35264") == "user"


def test_suspension_of_another_database_says_nothing():
    rows = perfmon(queue="100", received="0", redone="0")
    message = "S | 0 | data_movement | 35264 | database=Other; reason=user"
    assert verdicts(case(rows, messages=message)) == ["suspended critical 0.85 S"]


def test_no_log_no_verdict():
    quiet = perfmon(flushed="0", sent="0", wire="10", queue="0", received="0", hardened="0",
                    recovery="0", redone="0")  # fmt: skip
    roles = (
        "P|-9|replica_state|19406|ag=AG; new_state=PRIMARY_NORMAL\n"
        "S|-9|replica_state|19406|ag=AG; new_state=SECONDARY_NORMAL"
    )
    found = Transport(case(quiet, messages=roles))
    (open_question,) = found.findings()
    assert (open_question.id, open_question.severity) == ("quality.not_captured", "info")
    assert_facts(open_question, gaps=["open.idle"])


def test_catching_up_after_a_suspension_is_no_limit():
    rows = perfmon(queue="40x100,80x240000..200000", received="40x0,80x1300000", redone="40x0,80x1300000")
    assert verdicts(case(rows)) == ["suspended warning 0.85 S"]


def test_a_short_suspension_does_not_hide_a_slow_network():
    rows = perfmon(SLOW, queue="30x100,90x100..351562", received="30x0,90x400000", redone="400000")
    assert verdicts(case(rows)) == ["network_limited critical 0.6 S", "suspended warning 0.85 S"]


def test_enough_samples_carry_one():
    assert verdicts(case(perfmon(SLOW), rows=25, every=60)) == ["network_limited critical 0.6 S"]


def test_a_threshold_of_the_case_counts():
    settings = {"thresholds": {"min_samples": 200}}
    settings = {"thresholds": {"growing_minutes": 30}}
    settings = {"thresholds": {"copy_fast_ratio": 100}}
    assert verdicts(case(perfmon(SLOW), facts=COPY_FAST, settings=settings)) == [
        "network_limited critical 0.6 S"
    ]


# The remedies


def test_the_window_verdict_names_the_remedy_and_the_hosts_that_need_it():
    known = facts(TUNING_OFF, "P | tcp_global | 0 | autotuning_level | normal", COPY_SLOW)
    found = one(case(perfmon(SLOW, CEILING), facts=known), "window_limited")
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)
    assert value(found, "TCP receive window auto-tuning level on S") == "disabled"
    assert value(found, "TCP receive window auto-tuning level on P") == "normal"
    assert value(found, "bulk copy to the replica") == 900000


def test_the_window_is_a_hypothesis_without_a_second_sign():
    found = one(case(perfmon(SLOW, CEILING)), "network_limited")
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_a_receiver_that_scales_its_window_is_not_accused():
    found = one(case(perfmon(SLOW, CEILING), facts=facts(TUNING_ON, COPY_SLOW)), "network_limited")
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_a_copy_from_elsewhere_says_nothing_about_this_path():
    other = COPY_FAST + "\nP | robocopy | 0 | source_host | Q"
    assert verdicts(case(perfmon(SLOW), facts=other)) == ["network_limited critical 0.6 S"]


def test_two_levels_for_one_host_are_no_fact():
    known = facts(TUNING_OFF, "S | tcp_global | 1 | autotuning_level | normal")
    assert verdicts(case(perfmon(SLOW, CEILING), facts=known)) == ["network_limited critical 0.6 S"]


# One side only


def test_the_secondary_alone_carries_the_verdict():
    made = case(perfmon(SLOW, only="S"), facts=TUNING_OFF)
    assert verdicts(made) == ["network_limited critical 0.5 S"]
    found = one(made, "network_limited")
    assert found.subject["primary"] == "P"
    assert_facts(found, flushed=None, side="replica", averaged=None, clocks_apart=None)


def test_the_secondary_alone_can_be_healthy_and_stale():
    assert verdicts(case(perfmon(only="S"))) == ["healthy info 0.7 S"]
    still = perfmon(only="S", queue="5000", received="0", redone="0")
    assert verdicts(case(still)) == ["suspended critical 0.5 S"]


def test_the_primary_alone_leaves_the_queue_open():
    made = case(perfmon(SLOW, only="P"))
    assert verdicts(made) == ["quality.not_captured notice 1 S"]
    (found,) = Transport(made).findings()
    assert_facts(found, averaged=None, gate=None)


def test_the_primary_alone_can_show_that_it_sends_everything():
    version = "P | startup | 0 | product_version | 15.0.4298.1"
    assert verdicts(case(perfmon(only="P"), facts=version)) == ["healthy info 0.5 S"]
    # In 2014 the bytes sent are those on the wire: no comparison with log bytes.
    older = "P | startup | 0 | product_version | 12.0.6024.0"
    assert verdicts(case(perfmon(only="P"), facts=older)) == ["quality.not_captured notice 1 S"]


def test_the_primary_alone_can_show_a_closed_gate():
    assert verdicts(case(perfmon(SLOW, only="P", flow_control="600"))) == ["flow_control warning 0.5 S"]


# Units


@pytest.mark.parametrize(
    ("version", "unit"), [("12.0.6024.0", "wire B/s"), ("13.0.5026.0", "log B/s"), (None, "B/s")]
)
def test_the_version_decides_whose_bytes_were_sent(version, unit):
    known = f"P | startup | 0 | product_version | {version}" if version else ""
    found = one(case(perfmon(SLOW), facts=known), "network_limited")
    (sent,) = [e for e in found.evidence if e.label == "sent to the replica, mean"]
    assert sent.unit == unit
    assert (behind(found)["sent_as"] is None) == (version is None)


def test_every_byte_rate_of_the_chain_names_whose_bytes():
    found = one(case(perfmon(SLOW)), "network_limited")
    units = {e.label.rpartition(",")[0]: e.unit for e in found.evidence if e.unit.endswith("B/s")}
    assert units["log flushed on the primary"] == units["log received"] == "log B/s"
    assert units["log hardened"] == units["log redone"] == "log B/s"
    assert units["received from the primary"] == "wire B/s"


def test_the_evidence_of_a_slow_replica():
    found = one(case(perfmon(SLOW)), "network_limited")
    assert value(found, "log flushed on the primary, mean") == 1_000_000
    assert value(found, "sent to the replica, mean") == 400_000
    assert value(found, "log received, mean") == 400_000
    assert value(found, "log hardened, mean") == 400_000
    assert value(found, "log redone, mean") == 400_000
    assert value(found, "log send queue, at the end") == 360_000_000
    # 351,562 KB in 595 s
    assert value(found, "log send queue, slope") == 605_000
    (slope,) = [e for e in found.evidence if e.label == "log send queue, slope"]
    assert slope.source.startswith(r"SQLServer:Database Replica(Sales)\Log Send Queue on S, least squares")


def test_a_replica_without_a_verdict_is_said_to_be_so():
    made = case(perfmon(SLOW, queue=None, received=None))
    (found,) = [f for f in Transport(made).findings() if f.id == "quality.not_captured"]
    assert_facts(found, replica="S", gaps=["open.no_queue"])
    assert not [f for f in Transport(case(perfmon(SLOW))).findings() if f.title.startswith("No v")]


@pytest.mark.parametrize("rows", [1, 5, 19])
def test_captures_that_are_too_short_say_how_much_it_takes(rows):
    made = case(perfmon(SLOW), rows=rows)
    (found,) = [f for f in Transport(made).findings() if "cannot be told" in f.title]
    assert (found.severity, found.subject["ag"]) == ("notice", "AG")
    assert "20 samples" in found.narrative
    assert rows in [e.value for e in found.evidence]


def test_rows_written_at_one_instant_leave_the_interval_as_it_is():
    made = case(perfmon(SLOW))
    for table in ("ticks", "samples"):
        for column in ("time", "time_local"):
            made.run(f"update {table} set {column} = {column} - interval 5 second where tick % 2 = 1")
    assert verdicts(made) == ["network_limited critical 0.6 S"]

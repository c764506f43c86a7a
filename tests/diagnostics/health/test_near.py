"""What is seen of a host near a moment, by the clocks and captures of a case."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.health import Health
from agtrace.diagnostics.health.near import ENDPOINT, Near, looker
from tests.diagnostics.tiny import START, case

AT = START.replace(tzinfo=UTC) + timedelta(seconds=300)
BUSY = r"A | \Processor(_Total)\% Processor Time | 60x20, 4x90, 20"
DISK = "\n".join(
    (
        r"A | \PhysicalDisk(0 C:)\Avg. Disk sec/Write | 60x0.002, 4x2, 0.002",
        r"A | \PhysicalDisk(0 C:)\Disk Write Bytes/sec | 100",
    )
)
STATE = "A | {} | component_health | component={}; {}"


def near(made, host="A", at=AT):
    return looker(made, Health(made).history)([(host, at)]).get((host, at), Near())


def test_perfmon_gives_the_busiest_sample_of_the_minutes_around():
    found = near(case(f"{BUSY}\n{DISK}"))
    assert (found.processors, found.processors_by, found.disk_ms) == (90, "perfmon", 2000)


@pytest.mark.parametrize(("seconds", "tasks"), [(180, 7), (360, 7), (179, None), (361, None)])
def test_sp_server_diagnostics_gives_tasks_that_waited(seconds, tasks):
    made = case(relations=STATE.format(seconds, "query_processing", "pending_tasks=7"))
    assert near(made).tasks == tasks


def test_a_wait_for_a_worker_counts_and_other_waits_do_not():
    waits = "\n".join(
        f"A | 310 | wait_info | wait_type={name}; duration={ms}"
        for name, ms in (("THREADPOOL", 31_000), ("LCK_M_X", 90_000))
    )
    assert near(case(events=waits)).threadpool_ms == 31_000


def test_the_first_connection_that_could_not_be_set_up_is_its_error():
    setups = "\n".join(
        f"A | {seconds} | ucs_connection_setup | error_number={number}; error_message={text}"
        for seconds, number, text in ((290, 0, "fine"), (300, 10060, "timed out"), (310, 10061, "refused"))
    )
    error = near(case(events=setups)).error
    assert (error.source, error.text, error.host_id) == ("ucs_connection_setup", "timed out", "A")


def test_these_messages_are_about_endpoints():
    of_handshakes = [28034, 28035, 28036, 28046, 28047, 28048, 28054, 28059, 28080]
    assert list(ENDPOINT) == [1474, 9642, 9691, 9692, *of_handshakes]


@pytest.mark.parametrize(("seconds", "processors"), [(179, None), (180, 75), (360, 75), (361, None)])
def test_samples_from_two_minutes_before_until_a_minute_after_count(seconds, processors):
    kept = "scheduler_monitor_system_health_ring_buffer_recorded | system_idle=25; process_utilization=9"
    minute = f"A | {seconds} | {kept}"
    found = near(case(events=minute))
    assert (found.processors, found.processors_by) == (processors, "system_health" if processors else "")

"""What is seen of a host near a moment, by the clocks and captures of a case."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.health import Health
from agtrace.diagnostics.health.near import Near, looker
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
    return looker(made, Health(made).told)([(host, at)]).get((host, at), Near())


def test_perfmon_gives_the_busiest_sample_of_the_minutes_around():
    found = near(case(f"{BUSY}\n{DISK}"))
    assert (found.processors, found.processors_by, found.disk_ms) == (90, "perfmon", 2000)


def test_other_hosts_and_other_times_are_not_of_it():
    made = case(f"{BUSY}\n{DISK}")
    assert near(made, "B") == Near()
    assert near(made, at=AT + timedelta(hours=3)) == Near()


@pytest.mark.parametrize(("ahead", "processors"), [(420, 90), (0, None)])
def test_a_host_whose_clock_is_shifted_is_asked_by_its_own(ahead, processors):
    """B is busy at 12:05 of its clock, 7 minutes ahead of A's: at 11:58 of the common one."""
    made = case(
        BUSY.replace("A |", "B |"),
        "B | 300 | connection | 35206 | ag=AG; replica=A",
        skew=(("B", "A", 1000.0 * ahead),),
    )
    assert near(made, "B", AT - timedelta(seconds=420)).processors == processors


@pytest.mark.parametrize(("seconds", "tasks"), [(180, 7), (360, 7), (179, None), (361, None)])
def test_sp_server_diagnostics_gives_tasks_that_waited(seconds, tasks):
    made = case(relations=STATE.format(seconds, "query_processing", "pending_tasks=7"))
    assert near(made).tasks == tasks


def test_the_sessions_tell_processors_where_no_perfmon_does():
    made = case(relations=STATE.format(300, "system", "system_cpu_percent=41"))
    assert (near(made).processors, near(made).processors_by) == (41, "system_health")
    minute = "A | 310 | scheduler_monitor_system_health_ring_buffer_recorded | system_idle=25"
    assert near(case(events=minute)).processors == 75


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
    assert (error["source"], error["text"], error["host_id"]) == ("ucs_connection_setup", "timed out", "A")


def test_nothing_is_asked_of_nobody():
    assert looker(case(), Health(case()).told)([]) == {}


ENDPOINT = (1474, 9642, 9691, 9692, 28034, 28035, 28036, 28046, 28047, 28048, 28054, 28059, 28080)


def test_each_message_of_the_endpoint_is_an_error_of_it_and_no_other_is():
    made = case()
    moments = {error: AT + timedelta(hours=n) for n, error in enumerate((*ENDPOINT, 9643, 28053))}
    made.insert("errorlog", [
        {"content_id": "log", "line": n, "host_id": "A", "error": error, "message": f"message {error}",
         "time": time, "time_local": time.replace(tzinfo=None)}
        for n, (error, time) in enumerate(moments.items())
    ])  # fmt: skip
    found = looker(made, Health(made).told)([("A", time) for time in moments.values()])
    assert {error: found["A", time].error for error, time in moments.items() if found["A", time].error} == {
        error: {"text": f"message {error}", "source": "ERRORLOG", "host_id": "A", "content_id": "log",
                "line": n, "number": n}
        for n, error in enumerate(ENDPOINT)
    }  # fmt: skip


def test_four_hundred_moments_are_asked_for():
    made = case()
    moments = [("A", AT + timedelta(hours=n)) for n in range(402)]
    assert list(looker(made, Health(made).told)(moments)) == moments[:400]


@pytest.mark.parametrize(("seconds", "processors"), [(179, None), (180, 75), (360, 75), (361, None)])
def test_samples_from_two_minutes_before_until_a_minute_after_count(seconds, processors):
    minute = f"A | {seconds} | scheduler_monitor_system_health_ring_buffer_recorded | system_idle=25"
    found = near(case(events=minute))
    assert (found.processors, found.processors_by) == (processors, "system_health" if processors else "")


def test_what_perfmon_has_counts_before_what_the_sessions_have_and_linux_logs_nothing_of_its_machine():
    minute = "A | 310 | scheduler_monitor_system_health_ring_buffer_recorded | system_idle=25"
    found = near(case(BUSY, events=minute))
    assert (found.processors, found.processors_by) == (90, "perfmon")
    found = near(case(events=minute, facts="A | startup | 0 | os | Linux (Ubuntu 20.04)"))
    assert (found.processors, found.processors_by) == (None, "")


def test_reads_are_as_slow_a_disk_as_writes():
    made = case(DISK.replace("Write", "Read"))
    assert (near(made).disk_ms, near(made).processors) == (2000, None)


def test_the_most_of_each_is_of_the_moment_that_was_asked_for():
    states = [STATE.format(310, "query_processing", "pending_tasks=7"),
              STATE.format(320, "query_processing", "pending_tasks=3"),
              STATE.format(7200, "query_processing", "pending_tasks=9")]  # fmt: skip
    made = case(relations="\n".join(states))
    later = AT + timedelta(seconds=6900)
    found = looker(made, Health(made).told)([("A", later), ("A", AT), ("B", AT)])
    assert [found[key].tasks for key in (("A", later), ("A", AT), ("B", AT))] == [9, 7, None]

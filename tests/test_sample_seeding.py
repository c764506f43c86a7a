"""The seeding cases: the same bytes each time, and one truth in every kind of file.

Nothing here uses agtrace's own readers: a reader's mistake must not confirm itself.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from simulation.samples import seeding_compression
from simulation.samples.log_send_queue_plain import Perfmon
from simulation.samples.seeding_case_plain import (
    CASES,
    HOSTS,
    MANIFEST,
    NIC,
    PROGRESS,
    SAMPLES,
    SEEDINGS,
    backed_up,
    clock,
    errorlog,
    inner,
    mean,
    moment,
    of_run,
    perfmon,
    rows,
    run,
    span,
    truth,
    utc,
)

pytestmark = pytest.mark.complete

# The same bytes


@pytest.mark.parametrize("case", CASES)
def test_the_committed_files_are_those_of_the_generator_and_the_manifest(case, tmp_path):
    made = CASES[case].write_case(tmp_path)
    assert made.files == sorted(MANIFEST[case]["sha256"])
    for file, expected in MANIFEST[case]["sha256"].items():
        for folder in (SAMPLES / case, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file
    assert sum((SAMPLES / case / file).stat().st_size for file in made.files) < 1.5e6


# The articles' figures


def test_the_step_table_of_the_article():
    steps = [one["steps"] for one in truth("direct_seeding")["runs"].values()]
    assert steps[0] == {"backup": 415.0, "restore": 1030.0, "join": 1.0, "total": 1446.0}
    assert [step["total"] for step in steps[1:]] == [480.0, 480.0]
    assert truth("direct_seeding")["database_bytes"] == pytest.approx(100e9, rel=0.001)
    assert [run("direct_seeding", name)["cpu_copy"]["AGDS1"] for name in ("seeding",
        "seeding_9567")] == pytest.approx(
        [70, 97], abs=1
    )  # fmt: skip
    assert list(run("direct_seeding", "backup_restore")["cpu_run"].values()) == pytest.approx([35, 35], abs=1)


def test_five_minutes_against_ninety_seconds():
    plain, packed = truth("seeding_compression")["runs"].values()
    assert (plain["seconds"], packed["seconds"]) == (300.0, 90.0)
    for cpu in ("cpu_run", "cpu_copy"):
        percent = (plain[cpu]["SEEDA"], packed[cpu]["SEEDA"])
        assert percent == pytest.approx((27, 33), abs=0.45)
    assert (plain["limiter"], packed["limiter"]) == ("network", "source disk")


def test_the_network_of_the_three_runs():
    log = perfmon("direct_seeding", "AGDS1")
    shift = clock("direct_seeding", "AGDS1") + timedelta(minutes=60)
    start = moment(run("direct_seeding", "backup_restore")["start"]) + shift
    restore = inner(
        log, NIC + "Bytes Sent/sec", start + timedelta(seconds=415), start + timedelta(seconds=1445)
    )
    assert all(135e6 < value * 8 < 174e6 for value in restore)
    seeding = inner(log, NIC + "Bytes Sent/sec", *span("direct_seeding", "seeding", "AGDS1"))
    assert sorted(seeding)[len(seeding) // 2] * 8 == pytest.approx(2.2e9, rel=0.02)
    # The article's figure is the plateau: it cannot have been the mean.
    one = run("direct_seeding", "seeding")
    assert one["wire_bytes"] * 8 / one["seconds"] == pytest.approx(1.7e9, rel=0.02)


def test_the_disks_move_more_than_the_wire_on_the_plateau():
    for host, counter in (("AGDS1", "Disk Read"), ("AGDS2", "Disk Write")):
        values = inner(
            perfmon("direct_seeding", host),
            f"LogicalDisk(D:)\\{counter} Bytes/sec",
            *span("direct_seeding", "seeding", host),
        )
        assert all(350e6 < value < 450e6 for value in values[3:-8]), (min(values[3:-8]), max(values))
        assert max(values) < 540e6


def test_the_disk_cannot_have_read_what_was_seeded():
    values = inner(
        perfmon("seeding_compression", "SEEDA"),
        "LogicalDisk(D:)\\Disk Read Bytes/sec",
        *span("seeding_compression", "compressed", "SEEDA"),
    )
    assert max(values) < 250e6
    assert min(values) > 246e6
    assert mean(values) * 86 == pytest.approx(21.3e9, rel=0.01)
    assert run("seeding_compression", "compressed")["bytes"] == 32 * 2**30


# One truth in every file


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_perfmon_shows_the_bytes_of_the_copy_at_both_ends(case, label):
    one = run(case, label)
    edge = timedelta(seconds=10)
    for end in ("source", "target"):
        host = truth(case)[end]
        first, last = span(case, label, host)
        # On the target the first interval of the database itself has no rate.
        database = truth(case)["database"] if end == "source" else "_Total"
        counter = f"SQLServer:Databases({database})\\Backup/Restore Throughput/sec"
        total = perfmon(case, host).total(counter, first - edge, last + edge)
        assert total == pytest.approx(one["bytes"], rel=0.001), host


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_perfmon_shows_the_bytes_on_the_wire(case, label):
    one = run(case, label)
    for end, counter in (("source", "Bytes Sent/sec"), ("target", "Bytes Received/sec")):
        host = truth(case)[end]
        carried = inner(perfmon(case, host), NIC + counter, *span(case, label, host))
        whole = mean(carried) * one["copy_seconds"]
        assert whole == pytest.approx(one["wire_bytes"], rel=0.02), host
    assert one["compressed"] == (one["wire_ratio"] < 0.5)


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_perfmon_shows_the_processors(case, label):
    for host, expected in run(case, label)["cpu_copy"].items():
        values = inner(perfmon(case, host), "Processor(_Total)\\% Processor Time", *span(case, label, host))
        assert mean(values) == pytest.approx(expected, abs=0.6), host
        assert max(values) <= 100


@pytest.mark.parametrize(("case", "host"), HOSTS)
def test_the_first_sample_of_a_rate_is_blank(case, host):
    log = perfmon(case, host)
    gauges = {
        "Current Bandwidth",
        "Output Queue Length",
        "Log Send Queue",
        "Recovery Queue",
        "Log Apply Pending Queue",
    }
    for path in log.cells:
        if path.rpartition("\\")[2] not in gauges:
            assert log.cells[path][0] == " ", path
    assert {(later - time).seconds for time, later in pairwise(log.times)} <= {4, 5}


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_the_events_show_the_states(case, label):
    one = run(case, label)
    source = truth(case)["source"]
    start, *changes, success = of_run(
        case, label, source, "hadr_automatic_seeding_start", "hadr_automatic_seeding_state_transition",
        "hadr_automatic_seeding_success"
    )  # fmt: skip
    assert (start["name"], success["name"]) == (
        "hadr_automatic_seeding_start",
        "hadr_automatic_seeding_success",
    )
    times = [start["time"], *(event["time"] for event in changes)]
    lasted = {
        event["previous_state"]: (time - before).total_seconds()
        for before, time, event in zip(times, times[1:], changes, strict=False)
    }
    assert lasted == pytest.approx(one["states"], abs=0.002)
    assert list(lasted) == list(one["states"])
    assert changes[-1]["current_state"] == "COMPLETED"
    assert start["time"] == moment(one["start"]) + clock(case, source)
    assert (changes[-1]["time"] - start["time"]).total_seconds() == pytest.approx(one["seconds"])


def test_only_one_run_waits_for_a_slot_while_another_backup_runs():
    waited = {label: run(case, label)["states"].get("LIMIT_CONCURRENT_BACKUPS") for case, label in SEEDINGS}
    assert waited == {"seeding": 51.0, "seeding_9567": None, "uncompressed": None, "compressed": None}
    backups = backed_up("direct_seeding", "AGDS1", "Archives")
    (other,) = backups
    start = moment(run("direct_seeding", "seeding")["start"]) + timedelta(minutes=60)
    assert other["start"] < start < other["end"]
    assert (other["end"] - start).total_seconds() == pytest.approx(52, abs=1)


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_the_copys_events_agree_with_the_truth_at_both_ends(case, label):
    one = run(case, label)
    for end in ("source", "target"):
        host = truth(case)[end]
        first, last = (moment(one[name]) + clock(case, host) for name in ("copy_start", "copy_end"))
        reports = of_run(case, label, host, PROGRESS, "hadr_physical_seeding_submit_callback")
        steps = [(later["time"] - event["time"]).total_seconds() for event, later in pairwise(reports)]
        assert all(4.9 < step < 5.1 for step in steps[:-1])
        sizes = [event["transferred_size_bytes"] for event in reports]
        assert sizes == sorted(sizes)
        assert sizes[-1] == one["bytes"] == reports[-1]["database_size_bytes"]
        assert {event["database_name"] for event in reports} == {truth(case)["database"]}
        assert {event["is_compression_enabled"] for event in reports} == {False}
        for event in reports[:-1]:
            elapsed = (event["time"] - first).total_seconds()
            rate = event["transferred_size_bytes"] / elapsed
            assert event["transfer_rate_bytes_per_second"] == pytest.approx(
                rate, rel=0.08 if elapsed < 10 else 0.04
            )
        done = reports[-1]
        waits = (done["total_disk_io_wait_time_ms"], done["total_network_wait_time_ms"])
        assert waits == (
            round(one["waits"][f"{end} disk"] * 1000),
            round(one["waits"][f"{end} network"] * 1000),
        )
        begun = utc(done["seeding_start_time"])
        assert (first - begun).total_seconds() == pytest.approx(0.35, abs=0.001)
        assert utc(done["seeding_end_time"]) == last


@pytest.mark.parametrize(("case", "label"), SEEDINGS)
def test_the_ends_name_each_other(case, label):
    source, target = (
        of_run(case, label, truth(case)[end], PROGRESS, "hadr_automatic_seeding_start")
        for end in ("source", "target")
    )
    ids = [
        {(event["local_seeding_guid"], event["remote_seeding_guid"]) for event in side[1:]}
        for side in (source, target)
    ]
    ((local, remote),) = ids[0]
    assert ids[1] == {(remote, local)}
    assert local != remote
    assert (source[0]["is_source"], target[0]["is_source"]) == (True, False)
    assert source[0]["ag_db_id"] == target[0]["ag_db_id"]
    same = source[0]["operation_id"] == target[0]["operation_id"]
    assert same == (case == "direct_seeding")


@pytest.mark.parametrize(("case", "host"), HOSTS)
def test_the_errorlog_shows_every_copy(case, host):
    is_source = host == truth(case)["source"]
    what = "Database backed up" if is_source else "Database was restored"
    names = sorted((path.name for path in (SAMPLES / case / host).glob("ERRORLOG*")), reverse=True)
    found = [one for name in names for one in backed_up(case, host, truth(case)["database"], what, name)]
    seeded = [one for one in found if one["device"] == "VIRTUAL_DEVICE"]
    for one, (_, label) in zip(seeded, [s for s in SEEDINGS if s[0] == case], strict=True):
        first, last = span(case, label, host)
        assert abs((one["start"] - first).total_seconds()) < 0.5
        assert abs((one["end"] - last).total_seconds()) < 0.5
        assert one["bytes"] == pytest.approx(run(case, label)["bytes"], rel=1e-5)
    manual = [one for one in found if one["device"] == "DISK"]
    assert len(manual) == (1 if case == "direct_seeding" else 0)
    if manual:
        begin, _ = span(case, "backup_restore", host, "run")
        seconds = (0, 415) if is_source else (415, 1445)
        assert [(manual[0][edge] - begin).total_seconds() for edge in ("start", "end")] == pytest.approx(
            seconds, abs=0.5
        )


def test_the_trace_flag_stands_where_it_was_set():
    lines = errorlog("direct_seeding", "AGDS1")
    (switched,) = [line for line in lines if "DBCC TRACEON 9567" in line]
    first, second = (span("direct_seeding", label, "AGDS1", "run") for _, label in SEEDINGS[:2])
    assert first[1] < datetime.fromisoformat(switched[:22]) < second[0]
    assert "\t -T 9567" in errorlog("seeding_compression", "SEEDA")
    for host, name in (("SEEDA", "ERRORLOG.1"), ("SEEDB", "ERRORLOG")):
        assert "9567" not in "".join(errorlog("seeding_compression", host, name))


@pytest.mark.parametrize(("case", "host"), HOSTS)
def test_the_views_show_every_seeding_in_utc(case, host):
    labels = [label for name, label in SEEDINGS if name == case]
    automatic = rows(case, host, "dm_hadr_automatic_seeding")
    assert len(automatic) == 2
    for row, label in zip(reversed(automatic), labels, strict=True):
        one = run(case, label)
        for column, name in (("start_time", "start"), ("completion_time", "end")):
            off = datetime.fromisoformat(row[column]) - moment(one[name])
            assert abs(off.total_seconds()) < 0.5
        assert (row["current_state"], row["failure_state"]) == ("COMPLETED", "NULL")
    physical = rows(case, host, "dm_hadr_physical_seeding_stats")
    for label in labels:
        one = run(case, label)
        first, last = (moment(one[name]) for name in ("copy_start", "copy_end"))
        mine = [
            row
            for row in physical
            if abs((datetime.fromisoformat(row["start_time_utc"]) - first).total_seconds()) < 1
        ]
        sampled = [datetime.fromisoformat(row["sampled_utc"][:26]) for row in mine]
        assert all(10 <= (b - a).total_seconds() < 10.1 for a, b in pairwise(sampled[:-1]))
        assert {row["end_time_utc"] for row in mine[:-1]} == {"NULL"}
        done = mine[-1]
        assert abs((datetime.fromisoformat(done["end_time_utc"]) - last).total_seconds()) < 0.5
        assert int(done["transferred_size_bytes"]) == one["bytes"]
        assert {row["is_compression_enabled"] for row in mine} == {"0"}


# The variant


def test_in_the_variant_nothing_is_saturated_and_nobody_waits(tmp_path):
    made = seeding_compression.write_case(tmp_path, limiter=None)
    for one in made.runs.values():
        assert one.limiter == "none"
        assert all(wait < 0.05 * one.copy_seconds for wait in one.waits.values())
    for host in ("SEEDA", "SEEDB"):
        log = Perfmon(tmp_path / host / "perfmon.csv")
        assert min(log.present("LogicalDisk(D:)\\% Idle Time")) > 30
        for counter in ("Bytes Sent/sec", "Bytes Received/sec"):
            assert max(log.present(NIC + counter)) * 8 < 0.12 * 10e9
        assert max(log.present("Processor(_Total)\\% Processor Time")) < 80

"""What the backup question concludes from small cases, and what it refuses to conclude."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest

from agtrace.diagnostics import analyses
from agtrace.diagnostics.backup import Backup
from agtrace.say.figures import describe
from tests.behind import assert_facts, texts
from tests.diagnostics.backup.cases import (
    backed_up,
    backup_case,
    buffers,
    interleaved,
    log,
    processed,
    restored,
    traced,
)
from tests.diagnostics.tiny import Case

PAGES = 128_000  # 1,000 MB


def series(*blocks, gap=20.0, **more):
    """Give backups one after the other: (MB/s values, keywords of `traced`)."""
    time, found = 0.0, []
    for values, keywords in blocks:
        for value in values:
            seconds = 1000 / value
            found.append(traced("Sales", time, seconds, pages=PAGES - 7, rate=False, **keywords | more))
            time += seconds + gap
    return interleaved(*found)


def spread(middle, n=9):
    return list(np.linspace(0.97, 1.03, n) * middle)


def by_id(case):
    return {f.id: f for f in Backup(case).findings()}


def test_the_analysis_is_found_by_its_folder():
    assert analyses()["backup"] is Backup


def test_without_backups_there_is_nothing_to_say():
    for empty in (backup_case(), backup_case(log((0, "spid7s", "Starting up database 'x'.")))):
        backup = Backup(empty)
        assert backup.findings() == []
        assert_facts(texts(backup.say_summary)["summary.md"], database=None)
        assert backup.say_next() == ""
        frames = (backup.tbl_operations(), backup.tbl_configurations(), backup.tbl_effects())
        assert [len(frame) for frame in (*frames, backup.tbl_stages(), backup.tbl_hours())] == [0] * 5
        assert backup.fig_throughput().layout.title.text == "No backup was measured"
        for figure in (backup.fig_effects(), backup.fig_memory(), backup.fig_idle(), backup.fig_hours()):
            assert describe(figure) == "nothing to draw"


def test_one_backup_is_told_without_an_interval():
    found = by_id(backup_case(series(([100], {}))))
    assert set(found) == {"backup.configuration", "backup.throughput"}
    throughput = found["backup.throughput"]
    assert_facts(throughput, quantiles=[100.0, 100.0, 100.0], spreads=[], few=True)
    assert throughput.confidence == 0.5


def test_the_configuration_in_words_with_its_arithmetic():
    case = backup_case(
        series(([100], {"count": 7, "sets": 3, "limit": 2300})),
        facts="SQL1 | startup | 0 | product_version | 13.0.1601.5",
    )
    case.run("update facts set capture_id = 'errorlog-0', content_id = 'errorlog-0'")
    found = by_id(case)["backup.configuration"]
    assert_facts(found, n=1, configurations=1, least=21.0, most=21.0)
    assert found.severity == "info"
    assert [(e.label, e.value, e.unit) for e in found.evidence] == [
        ("1 x DISK, 7 x 1024 KB, 3 sets, memory", 21, "MB"),
        ("1 x DISK, 7 x 1024 KB, 3 sets, BUFFERCOUNT", "default: 1 x 4 + 1 + 2 x 1 = 7", ""),
    ]


def test_a_block_whose_total_is_not_its_product_is_named():
    text = series(([100], {})).replace("Total buffer space:         7 MB", "Total buffer space:         9 MB")
    found = by_id(backup_case(text))["backup.configuration"]
    assert found.severity == "notice"
    assert_facts(found, n=1, configurations=1, wrong=1, counts=True, usual=True)


def test_the_gain_over_the_default_with_its_interval():
    case = backup_case(series((spread(100), {}), (spread(150), {"count": 50})))
    best = by_id(case)["backup.best_configuration"]
    assert best.severity == "notice"
    assert_facts(
        best,
        changes=1,
        default=True,
        buffers="BUFFERCOUNT = 50, MAXTRANSFERSIZE = 1048576",
        host="SQL1",
        is_separated=False,
    )
    assert best.narrative.count("no effect of its own") == 0


def test_equal_configurations_show_no_difference():
    case = backup_case(series((spread(100), {}), (spread(100.2), {"count": 50})))
    best = by_id(case)["backup.best_configuration"]
    assert best.severity == "info"
    assert_facts(best, changes=1, default=True)
    assert best.confidence == 0.6


def labelled(cells):
    """Give a case of (MB/s, buffers, label) cells with labelled runs."""
    noon = datetime(2024, 3, 4, 12)
    time, entries, runs = 0.0, [], []
    for middle, keywords, label in cells:
        for value in spread(middle):
            end = time + 1000 / value
            entries.append(traced("Sales", time, end - time, pages=PAGES - 7, rate=False, **keywords))
            first, last = (noon + timedelta(seconds=moment) for moment in (time - 1, end + 1))
            runs.append(f"run | cache={label} | {first.isoformat()} | {last.isoformat()}")
            time = end + 20
    return backup_case(interleaved(*entries), runs="\n".join(runs))


SMALL, LARGE = {"count": 7}, {"count": 100, "size_kb": 4096}


def test_a_factor_that_helps_here_and_hurts_there_has_no_effect_of_its_own():
    case = labelled([(100, SMALL, "OFF"), (143, SMALL, "ON"), (150, LARGE, "OFF"), (110, LARGE, "ON")])
    assert_facts(by_id(case)["backup.best_configuration"], changes=1, default=True)


def test_a_factor_that_helps_everywhere_is_no_interaction():
    case = labelled([(100, SMALL, "OFF"), (143, SMALL, "ON"), (150, LARGE, "OFF"), (210, LARGE, "ON")])
    assert not Backup(case).tbl_effects()["depends_on_the_rest"].any()


def test_the_next_test_is_an_untested_neighbour_of_the_best():
    case = backup_case(
        series(
            (spread(100), {}),
            (spread(120), {"count": 50}),
            (spread(150), {"devices": r"'E:\a.bak', 'F:\b.bak'"}),
        )
    )
    assert_facts(by_id(case)["backup.best_configuration"], changes=2, default=True)


def test_the_rule_of_thumb_on_targets():
    two, four = (", ".join(rf"'{drive}:\x.bak'" for drive in drives) for drives in ("EF", "EFGH"))
    files = (r"S:\1.mdf", r"T:\2.ndf", r"U:\3.ndf", r"V:\4.ndf")
    equal = series((spread(100), {"devices": two}), (spread(100), {"devices": four}), files=files)
    assert_facts(
        by_id(backup_case(equal))["backup.best_configuration"], changes=1, study=True, best=True, use=True
    )


# Which side


DISKS = r"""
    SQL1 | \LogicalDisk(S:)\Avg. Disk sec/Read | {read}
    SQL1 | \LogicalDisk(S:)\Disk Read Bytes/sec | 100000000
    SQL1 | \LogicalDisk(C:)\Avg. Disk sec/Read | 0.5
    SQL1 | \LogicalDisk(E:)\Avg. Disk sec/Write | {write}
    SQL1 | \LogicalDisk(E:)\Disk Write Bytes/sec | 100000000
    SQL1 | \Processor(_Total)\% Processor Time | 20
"""


def seen(read, write, **more):
    text = series((spread(10, 3), {"files": (r"S:\1.mdf",)}))
    # perfmon starts at noon of 5 March, a day after the log.
    return backup_case(
        text.replace("2024-03-04", "2024-03-05"),
        perfmon=DISKS.format(read=read, write=write),
        rows=90,
        **more,
    )


def test_slow_reads_and_fast_writes_are_the_readers():
    found = by_id(seen(0.080, 0.004))
    assert "backup.writer_limited" not in found
    reader = found["backup.reader_limited"]
    assert_facts(reader, side="backup reader", nulls=[], seen=True)
    assert reader.confidence == 0.75
    assert [(e.label.split(": ", 1)[1], e.value, e.unit) for e in reader.evidence] == [
        ("time of a read, mean", 80, "ms"),
        ("read by all of S:, mean", 1e8, "B/s"),
        ("time of a write, mean", 4, "ms"),
        ("write by all of E:, mean", 1e8, "B/s"),
        ("CPU, mean", 20, "%"),
    ]


def test_slow_writes_and_fast_reads_are_the_writers():
    found = by_id(seen(0.004, 0.080))
    assert "backup.reader_limited" not in found
    assert_facts(found["backup.writer_limited"], side="backup writer", nulls=[])


@pytest.mark.parametrize(("read", "write"), [(0.080, 0.060), (0.010, 0.001)])
def test_neither_side_far_behind_is_undecided_and_names_the_test(read, write):
    case = seen(read, write)
    assert {"backup.reader_limited", "backup.writer_limited"}.isdisjoint(by_id(case))
    (_said,) = Backup(case).not_captured()


def test_thresholds_of_the_case_hold():
    case = seen(0.080, 0.060, settings={"thresholds": {"backup_side_ratio": 1.2}})
    assert "backup.reader_limited" in by_id(case)


def test_where_the_files_are_unknown_the_disks_that_were_read_are_said_to_be_inferred():
    text = series((spread(10, 3), {})).replace("2024-03-04", "2024-03-05")
    case = backup_case(text, perfmon=DISKS.format(read=0.08, write=0.004), rows=90)
    found = by_id(case)["backup.reader_limited"]
    assert_facts(found, side="backup reader", seen=True, nulls=[])
    assert found.confidence == 0.6


def test_backups_side_by_side_are_not_judged_by_perfmon():
    both = interleaved(traced("A", 0, 300, spid="spid51"), traced("B", 1, 300, spid="spid52"))
    case = backup_case(
        both.replace("2024-03-04", "2024-03-05"), perfmon=DISKS.format(read=0.08, write=0.004), rows=90
    )
    assert "backup.reader_limited" not in by_id(case)


def test_a_full_card_limits_a_backup_to_a_share():
    text = series((spread(10, 3), {"devices": r"'\\nas\b\x.bak'"})).replace("2024-03-04", "2024-03-05")
    perfmon = r"""
        SQL1 | \Network Interface(nic)\Bytes Sent/sec | 118000000
        SQL1 | \Network Interface(nic)\Current Bandwidth | 1000000000
    """
    found = by_id(backup_case(text, perfmon=perfmon, rows=90))["backup.writer_limited"]
    assert_facts(found, side="backup writer", seen=True, nulls=[])


def restores(devices, perfmon):
    """Restore from a device for five minutes, with what perfmon showed meanwhile."""
    text = log(
        (300, "Backup", restored("Sales", devices)),
        (300.02, "Backup", processed("RESTORE DATABASE", PAGES, 299)),
    )
    return backup_case(text.replace("2024-03-04", "2024-03-05"), perfmon=perfmon, rows=90)


def test_a_restore_reads_the_backup_and_writes_the_database():
    perfmon = r"""
        SQL1 | \LogicalDisk(E:)\Avg. Disk sec/Read | 0.08
        SQL1 | \LogicalDisk(E:)\Disk Read Bytes/sec | 100000000
        SQL1 | \LogicalDisk(S:)\Avg. Disk sec/Write | 0.004
        SQL1 | \LogicalDisk(S:)\Disk Write Bytes/sec | 100000000
    """
    found = by_id(restores(r"'E:\x.bak'", perfmon))["backup.reader_limited"]
    assert_facts(found, side="restore reader", nulls=[], seen=True)


def test_a_restore_whose_writes_are_slow_is_capped_by_writing_the_database():
    perfmon = r"""
        SQL1 | \LogicalDisk(E:)\Avg. Disk sec/Read | 0.004
        SQL1 | \LogicalDisk(E:)\Disk Read Bytes/sec | 100000000
        SQL1 | \LogicalDisk(S:)\Avg. Disk sec/Write | 0.08
        SQL1 | \LogicalDisk(S:)\Disk Write Bytes/sec | 100000000
    """
    found = by_id(restores(r"'E:\x.bak'", perfmon))["backup.writer_limited"]
    assert_facts(found, side="restore writer", nulls=[])


@pytest.mark.complete
def test_a_full_card_limits_a_restore_from_a_share_in_the_direction_of_its_data():
    perfmon = r"""
        SQL1 | \Network Interface(nic)\Bytes {} /sec | 118000000
        SQL1 | \Network Interface(nic)\Current Bandwidth | 1000000000
    """.replace(" /sec", "/sec")
    received = by_id(restores(r"'\\nas\b\x.bak'", perfmon.format("Received")))
    assert_facts(received["backup.reader_limited"], side="restore reader", seen=True, nulls=[])
    assert "backup.reader_limited" not in by_id(restores(r"'\\nas\b\x.bak'", perfmon.format("Sent")))


@pytest.mark.complete
def test_a_backup_to_nul_separates_the_sides():
    nul = {"devices": "'NUL'"}
    reader = by_id(backup_case(series((spread(100), {}), (spread(104), nul))))["backup.reader_limited"]
    assert_facts(reader, nulls=1, side="backup reader")
    writer = by_id(backup_case(series((spread(100), {}), (spread(300), nul))))["backup.writer_limited"]
    assert writer.confidence == 0.85


def test_a_backup_to_nul_is_never_the_best():
    case = backup_case(
        series((spread(100), {}), (spread(120), {"count": 50}), (spread(300), {"devices": "'NUL'"}))
    )
    assert_facts(by_id(case)["backup.best_configuration"], changes=1, default=True)


# Which side, as a table and a figure


@pytest.mark.complete
def test_each_configuration_is_a_row_whether_perfmon_saw_it_or_not():
    frame = Backup(seen(0.080, 0.004)).tbl_sides()
    (row,) = frame.to_dict("records")
    assert (row["caps"], row["runs_seen"], row["samples"]) == ("reading", 3, 58)
    assert (row["read_volumes"], row["read_ms"], row["written_volumes"], row["write_ms"]) == (
        "S:",
        80,
        "E:",
        4,
    )
    assert row["read_mb_per_s"] == row["read_mb_per_s_of_one"] == pytest.approx(1e8 / 2**20)
    assert (row["cpu"], row["of_nul"]) == (20, None)
    unseen = Backup(backup_case(series((spread(100), {}), (spread(104), {"devices": "'NUL'"}))))
    (row,) = unseen.tbl_sides().to_dict("records")
    assert (row["caps"], row["n"]) == ("reading", 9)
    assert row["of_nul"] == pytest.approx(96.1, abs=0.1)
    (row,) = Backup(backup_case(series((spread(100), {})))).tbl_sides().to_dict("records")
    assert (row["caps"], row["n"]) == ("not captured", 9)


@pytest.mark.complete
def test_the_figure_of_the_sides_says_its_result():
    fig = Backup(seen(0.080, 0.004)).fig_sides()
    assert fig.layout.title.text == "Reading caps 1 of 1 configuration that perfmon saw"
    assert describe(fig) == (
        "one volume of the database reads: 1 point, 95.4 to 95.4 MB/s, 0 gaps\n"
        "one volume of the backup takes: 1 point, 95.4 to 95.4 MB/s, 0 gaps\n"
        "a read takes: 1 point, 80 to 80 ms, 0 gaps\na write takes: 1 point, 4 to 4 ms, 0 gaps"
    )
    assert "Neither side" in Backup(seen(0.080, 0.060)).fig_sides().layout.title.text
    without = Backup(backup_case(series((spread(100), {})))).fig_sides()
    assert without.layout.title.text.startswith("No backup was seen by perfmon")


@pytest.mark.complete
def test_the_deciding_test_of_a_restore_is_that_of_a_restore():
    rows = [
        (number * 200 + second, "Backup", text)
        for number in range(12)
        for second, text in (
            (0.0, restored("Sales", media="URL" if number % 2 else "DISK")),
            (0.02, processed("RESTORE DATABASE", 1000, 10 + number % 2)),
        )
    ]
    said = by_id(backup_case(log(*rows)))["backup.best_configuration"].recommendation
    assert_facts(
        by_id(backup_case(log(*rows)))["backup.best_configuration"],
        media=1,
        is_separated=False,
        study=True,
        best=True,
    )
    assert "NUL" not in said
    assert "Limits of URL" not in said


# Disk against URL


def both_media(disk=100, url=120, striped=150, version="11.0.3339.0", **more):
    banner = (
        f"Microsoft SQL Server - {version} (X64) \n\tJan 14 2013 19:02:10 \n"
        f"\tCopyright (c) Microsoft Corporation"
    )
    start = log((-60, "Server", banner)) if version else ""
    urls = {"devices": "'https://a/b.bak'", "media": "URL"}
    blocks = [(spread(disk), {}), (spread(url), urls)]
    if striped:
        blocks.append((spread(striped), {"devices": r"'E:\b.bak', 'F:\c.bak'"}))
    return backup_case(start + series(*blocks, **more))


def test_url_against_disk_holds_all_else_equal_and_not_in_general():
    assert_facts(by_id(both_media())["backup.best_configuration"], media=1, changes=1, study=True, best=True)


def test_a_media_that_is_faster_in_both_ways_is_not_contradicted():
    said = by_id(both_media(striped=None))["backup.best_configuration"].narrative
    assert_facts(
        by_id(both_media(striped=None))["backup.best_configuration"],
        media=1,
        study=True,
        best=True,
        default=True,
    )
    assert "in general" not in said


@pytest.mark.complete
@pytest.mark.parametrize(
    ("version", "said", "unsaid"),
    [
        ("11.0.3339.0", {'media': 1, 'changes': 1,  }, "up to 2014"),
        ("13.0.5026.0", {'media': 1, 'changes': 1,  }, "page blob"),
        ("", {'media': 1, 'changes': 1,  }, "this version"),
    ],
)  # fmt: skip
def test_the_limits_of_url_are_those_of_the_version(version, said, unsaid):
    advice = by_id(both_media(version=version))["backup.best_configuration"].recommendation
    assert_facts(by_id(both_media(version=version))["backup.best_configuration"], **said)
    assert unsaid not in advice
    assert_facts(
        by_id(both_media(version=version))["backup.best_configuration"],
        media=1,
        changes=1,
        study=True,
        best=True,
    )


# Buffer configuration


def test_what_runs_share_is_what_all_of_them_share():
    text = series((spread(100), {"files": (r"S:\1.mdf",)}), (spread(150), {"count": 50}))
    assert_facts(by_id(backup_case(text))["backup.throughput"], more=0, study=True, fast=True, slow=True)


def test_a_label_of_all_runs_may_bear_the_name_of_a_column():
    case = labelled([(100, SMALL, "OFF"), (143, LARGE, "OFF")])
    case.run('update runs set factors = \'{"files": "many", "volumes": "two"}\'')
    assert_facts(by_id(case)["backup.throughput"], more=0)


@pytest.mark.complete
def test_every_operation_belongs_to_a_row_of_the_buffers():
    text = series((spread(100), {}), (spread(150, 3), {"count": 50})) + log(
        (9000, "Backup", backed_up("Other", 17))
    )
    backup = Backup(backup_case(text))
    frame, runs = backup.tbl_buffers(), backup.tbl_operations()
    assert list(frame["n"]) == [9, 3, 1]
    assert list(frame["buffer_count"].fillna(0)) == [7, 50, 0]
    assert list(frame["measured"]) == [9, 3, 0]
    assert runs["configuration"].value_counts().to_dict() == {1: 9, 2: 3, 3: 1}
    assert list(frame["buffer_count_is"]) == ["default", "not the default", "unknown"]
    assert list(Backup(backup_case(text), database="other").tbl_buffers()["n"]) == [1]


def test_no_backup_has_no_buffers():
    assert Backup(backup_case()).tbl_buffers().empty
    assert Backup(backup_case()).tbl_operations().empty


# Conditions


def test_cold_starts_against_warm_runs():
    entries, time = [], 0.0
    for number in range(24):
        is_cold = number % 4 == 0
        seconds = 1000 / (70 if is_cold else 100 + number % 3)
        time += 3600 if is_cold else 60
        entries.append(traced("Sales", time, seconds, pages=PAGES - 7, rate=False))
        time += seconds
    assert_facts(
        by_id(backup_case(interleaved(*entries)))["backup.throughput"],
        study=True,
        fast=True,
        cold=True,
        quantiles=[70.028, 100.505, 101.937],
    )


def sessions(slow=15, pauses=(70, 100), between=6.0, fast=100):
    """Give sessions of two hours behind pauses (minutes); what begins in their first minutes is slower."""
    entries, time = [], 0.0
    for number in range(12):
        time += 60 * (pauses[number % len(pauses)])
        begun = time
        while time - begun < 7200:
            value = 70 if time - begun < 60 * slow else fast + len(entries) % 3
            entries.append(traced("Sales", time, 1000 / value, pages=PAGES - 7, rate=False))
            time += 1000 / value + 60 * between
    return backup_case(interleaved(*entries))


def test_idle_time_and_warm_up_are_told_in_minutes():
    backup = Backup(sessions())
    assert "warm 1" in backup.fig_warm_up().layout.title.text
    assert "turn cold after" in backup.fig_idle().layout.title.text


@pytest.mark.complete
def test_disks_that_never_turn_cold_are_not_said_to():
    backup = Backup(sessions(slow=0))
    said = backup.findings()[0].narrative + by_id(sessions(slow=0))["backup.throughput"].narrative
    assert "turn cold" not in said
    assert "warm again" not in said
    assert set(backup.tbl_idle()["minutes"]) == {
        "without a backup before it",
        "since the first run behind a pause",
    }


def test_without_a_long_pause_no_warm_up_is_known():
    backup = Backup(backup_case(series((spread(100, 12), {}))))
    assert backup.fig_warm_up().layout.title.text.startswith("No pause after which disks")
    assert set(backup.tbl_idle()["minutes"]) == {"without a backup before it"}


def test_runs_too_short_for_a_rate_are_not_measured():
    case = backup_case(
        log((0, "Backup", backed_up("S", 17)), (0.1, "Backup", processed("BACKUP DATABASE", 10, 0.01)))
    )
    assert by_id(case) == {}


# Failures


FAILED = (
    "BACKUP failed to complete the command BACKUP DATABASE Sales. Check the backup application log for "
    "detailed messages."
)


def test_a_failure_that_no_success_follows_is_critical():
    early = [(0.0, "Backup", backed_up("Sales", 1007))]
    found = by_id(backup_case(interleaved(early, [(60.0, "Backup", FAILED)])))["backup.failed"]
    assert found.severity == "critical"
    assert found.window == {"start": "2024-03-04T12:01:00Z", "end": "2024-03-04T12:01:00Z"}
    assert found.evidence[1].value == FAILED
    assert found.evidence[1].source == "ERRORLOG, line 2"


def test_a_failure_that_a_success_of_its_kind_follows_is_a_warning():
    late = [(90.0, "Backup", backed_up("sales", 1007))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], late)))["backup.failed"]
    assert found.severity == "warning"
    assert_facts(found, n=1, succeeded="2024-03-04T12:01:30+00:00", is_open=False)
    other = [(90.0, "Backup", backed_up("Sales", 0, kind="log"))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], other)))["backup.failed"]
    assert found.severity == "critical"


def test_local_time_is_said_where_the_clock_is_unknown():
    found = by_id(backup_case(log((60, "Backup", FAILED)), utc=False))["backup.failed"]
    assert found.window == {"start": "2024-03-04T12:01:00", "end": "2024-03-04T12:01:00", "local": True}


def test_a_later_success_is_said_in_local_time_where_the_clock_is_unknown():
    late = [(90.0, "Backup", backed_up("Sales", 1007))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], late), utc=False))["backup.failed"]
    assert_facts(found, n=1, succeeded="2024-03-04T12:01:30", is_open=False)


@pytest.mark.parametrize(
    ("width", "said"), [(0.3, {"spreads": 1}), (0.027, {"spreads": 1}), (0.01, {"spreads": 1})]
)
def test_a_labelled_factor_varies_more_than_the_others_or_not(width, said):
    values = list(np.linspace(1 - width, 1 + width, 9) * 100)
    usual = [(spread(100), {"count": count}) for count in (7, 10, 20, 50)]
    runs = """
        a | cache=off | 2024-03-04T12:00:00 | 2024-03-04T12:17:50
        b | cache=on  | 2024-03-04T12:17:55 | 2024-03-04T12:30:00
    """
    case = backup_case(series(*usual, (values, {"count": 7})), runs=runs)
    assert_facts(by_id(case)["backup.throughput"], **said)


def test_a_failure_that_names_no_database():
    found = by_id(backup_case(log((60, "Backup", "BACKUP DATABASE is terminating abnormally."))))
    assert_facts(found["backup.failed"], database=None, what="full backup", n=1, is_open=True)


def test_data_files_filled_with_zeros():
    text = log(
        (0, "spid53", "RestoreDatabase: Database Sales"),
        (0.1, "spid53", r"Zeroing D:\s.mdf from page 1 to 15872 (0x2000 to 0x7c00000)"),
        (0.1, "spid53", r"Zeroing D:\s.ldf from page 1 to 8192 (0x2000 to 0x4000000)"),
        (9.1, "spid53", r"Zeroing completed on D:\s.ldf"),
        (20.1, "spid53", r"Zeroing completed on D:\s.mdf"),
        (25, "spid53", "Restore: Backup set restored"),
    )
    found = by_id(backup_case(text))["backup.slow_zeroing"]
    assert found.severity == "warning"
    assert_facts(found, where="SQL1", data=1, seconds=20.0, logs=9.0)
    assert found.evidence[0].value == 20


def test_on_linux_no_right_is_asked_for():
    text = log(
        (0, "spid53", "RestoreDatabase: Database Sales"),
        (0.1, "spid53", "Zeroing /data/s.mdf from page 1 to 15872 (0x2000 to 0x7c00000)"),
        (20.1, "spid53", "Zeroing completed on /data/s.mdf"),
        (25, "spid53", "Restore: Backup set restored"),
    )
    banner = "SQL1 | startup | 1 | os | Linux (Ubuntu 22.04.3 LTS) <X64>"
    found = by_id(backup_case(text, facts=banner))["backup.slow_zeroing"]
    assert_facts(found, platform="Linux", data=1, logs=None)


def test_a_filled_log_alone_is_no_finding():
    text = log(
        (0, "spid53", "RestoreDatabase: Database Sales"),
        (0.1, "spid53", r"Zeroing D:\s.ldf from page 1 to 8192 (0x2000 to 0x4000000)"),
        (99, "spid53", r"Zeroing completed on D:\s.ldf"),
    )
    assert "backup.slow_zeroing" not in by_id(backup_case(text))


# What a person sees


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "[a](javascript:b)", "*x*_y_$z$"])
def test_names_from_captures_cannot_become_markup(name):
    text = series((spread(100), {}), (spread(150), {"count": 50})).replace("Sales", name)
    backup = Backup(backup_case(text))
    said = backup.say_summary() + backup.say_missing() + backup.say_next()
    assert name not in said
    assert "<" not in said
    for fig in (backup.fig_throughput(), backup.fig_effects(), backup.fig_memory()):
        assert "<img" not in fig.to_json()


def test_one_database_can_be_asked_for():
    logs = interleaved(traced("A", 0, 100), traced("B", 200, 100))
    backup = Backup(backup_case(logs), database="b")
    assert list(backup.tbl_operations()["database"]) == ["B"]
    assert {f.subject.get("database") for f in backup.findings()} == {None, "B"}
    first = {each.label: each.value for each in backup.leading_figures()}
    assert first == {
        "backups and restores": 1,
        "completed": 1,
        "failed": 0,
        "without an end in the log": 0,
        "databases": 1,
    }
    other = Backup(backup_case(logs), database="c")
    assert other.leading_figures() == []
    assert_facts(texts(other.say_summary)["summary.md"], database="c")


def test_figures_say_their_result():
    backup = Backup(backup_case(series((spread(100), {}), (spread(150), {"count": 50}))))
    assert backup.fig_throughput().layout.title.text == "1 x DISK, 50 x 1,024 KB is the fastest with 150 MB/s"
    assert (
        describe(backup.fig_throughput())
        == "p50 of 100 MB/s to 150 MB/s, with p5 to p95: 2 points, 100 to 150 MB/s (of 2^20 bytes), 0 gaps"
    )
    assert describe(backup.fig_memory()) == "1 x DISK: 2 points, 100 to 150 MB/s, 0 gaps"
    assert backup.fig_memory().layout.title.text == "The fastest configuration takes 50 MB of buffers"


def test_an_empty_view_of_a_case_says_nothing():
    empty = Case()
    empty.run(
        "create table if not exists runs (run_id varchar, label varchar, factors varchar, start timestamptz, "
        '"end" timestamptz, source varchar)'
    )
    assert Backup(empty).findings() == []


def test_buffers_of_the_unnamed_stay_in_the_configuration():
    case = backup_case(log(*((0, "spid51", text) for text in buffers(13))))
    found = by_id(case)["backup.configuration"]
    assert_facts(found, n=1, configurations=1, counts=True, usual=True)

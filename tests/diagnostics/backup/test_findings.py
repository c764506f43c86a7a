"""What the backup question concludes from small cases, and what it refuses to conclude."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import numpy as np
import pytest

from agtrace.diagnostics import analyses
from agtrace.diagnostics.backup import Backup
from agtrace.diagnostics.backup.studies import SAID
from agtrace.say.figures import describe
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
        assert backup.missing() == [
            "No ERRORLOG of the case tells of a backup or restore. agtrace kit backup writes scripts that "
            "set the trace flags and log the counters (docs/capture.md)."
        ]
        assert backup.findings() == []
        assert backup.say_summary() == "The captures tell of no backup and no restore."
        assert backup.say_missing().startswith("- No ERRORLOG")
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
    assert throughput.title == "Full backup of Sales: 100 MB/s"
    assert throughput.confidence == 0.5
    assert throughput.recommendation.startswith("Repeat each configuration at least five times")


def test_the_configuration_in_words_with_its_arithmetic():
    case = backup_case(
        series(([100], {"count": 7, "sets": 3, "limit": 2300})),
        facts="SQL1 | startup | 0 | product_version | 13.0.1601.5",
    )
    case.run("update facts set capture_id = 'errorlog-0', content_id = 'errorlog-0'")
    found = by_id(case)["backup.configuration"]
    assert found.narrative == (
        "1 operation with 1 buffer configuration; the most frequent ran 1 time: full backup to 1 x DISK, 3 x "
        "7 buffers of "
        "1,024 KB = 21 MB, as the block states, 0.913 % of the memory limit; BUFFERCOUNT: default (1 x 4 + 1 "
        "+ 2 x 1 = "
        "7); MAXTRANSFERSIZE: default (1,024 KB). All use 21 MB, beside the buffer pool. BUFFERCOUNT is the "
        "default "
        "of the formula in 1, explicit in 0, another value in 0 and not decidable in 0 of them; a default "
        "value can still "
        "have been written in the statement."
    )
    assert found.severity == "info"
    assert [(e.label, e.value, e.unit) for e in found.evidence] == [
        ("1 x DISK, 7 x 1024 KB, 3 sets, memory", 21, "MB"),
        ("1 x DISK, 7 x 1024 KB, 3 sets, BUFFERCOUNT", "default: 1 x 4 + 1 + 2 x 1 = 7", ""),
    ]


def test_a_block_whose_total_is_not_its_product_is_named():
    text = series(([100], {})).replace("Total buffer space:         7 MB", "Total buffer space:         9 MB")
    found = by_id(backup_case(text))["backup.configuration"]
    assert found.severity == "notice"
    assert "In 1 operation Total buffer space is not sets x count x size." in found.narrative
    assert "but the block states 9 MB" in found.narrative


def test_the_gain_over_the_default_with_its_interval():
    case = backup_case(series((spread(100), {}), (spread(150), {"count": 50})))
    best = by_id(case)["backup.best_configuration"]
    assert best.severity == "notice"
    assert (
        best.title
        == "1 x DISK, 50 x 1,024 KB is the fastest tested for the full backup of Sales: +50 % over the "
        "default"
    )
    assert "BUFFERCOUNT from 7 to 50: +50 % (95 % interval" in best.narrative
    assert best.narrative.count("no effect of its own") == 0
    assert best.recommendation.startswith(
        "Use 1 x DISK, 50 x 1,024 KB (BACKUP .. WITH BUFFERCOUNT = 50, MAXTRANSFERSIZE = 1048576): "
        "150 MB/s. "
        "To separate reading from writing, on SQL1 run `BACKUP DATABASE [Sales] TO DISK = 'NUL' WITH"
    )


def test_equal_configurations_show_no_difference():
    case = backup_case(series((spread(100), {}), (spread(100.2), {"count": 50})))
    best = by_id(case)["backup.best_configuration"]
    assert best.severity == "info"
    assert "which is no difference that these runs can show" in best.narrative
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
    said = by_id(case)["backup.best_configuration"].narrative
    assert "Cache from OFF to ON: +43 %" in said
    assert "; -27 % (95 % interval" in said
    assert (
        "What it does depends on the rest, so no effect of its own is claimed (interaction: a factor of 0.513"
        in said
    )


def test_a_factor_that_helps_everywhere_is_no_interaction():
    case = labelled([(100, SMALL, "OFF"), (143, SMALL, "ON"), (150, LARGE, "OFF"), (210, LARGE, "ON")])
    assert "depends on the rest" not in by_id(case)["backup.best_configuration"].narrative
    assert not Backup(case).tbl_effects()["depends_on_the_rest"].any()


def test_the_next_test_is_an_untested_neighbour_of_the_best():
    case = backup_case(
        series(
            (spread(100), {}),
            (spread(120), {"count": 50}),
            (spread(150), {"devices": r"'E:\a.bak', 'F:\b.bak'"}),
        )
    )
    said = by_id(case)["backup.best_configuration"].recommendation
    assert "Next combination worth a test: 2 x DISK, 50 x 1,024 KB (the best one with BUFFERCOUNT 50)" in said
    assert "predicts about 180 MB/s with 50 MB of buffers" in said


def test_the_rule_of_thumb_on_targets():
    two, four = (", ".join(rf"'{drive}:\x.bak'" for drive in drives) for drives in ("EF", "EFGH"))
    files = (r"S:\1.mdf", r"T:\2.ndf", r"U:\3.ndf", r"V:\4.ndf")
    gains = series((spread(100), {"devices": two}), (spread(150), {"devices": four}), files=files)
    said = by_id(backup_case(gains))["backup.best_configuration"].narrative
    assert (
        "would stop at 2 targets for 4 files; these runs do not confirm it: from 2 to 4 targets +50 %" in said
    )
    equal = series((spread(100), {"devices": two}), (spread(100), {"devices": four}), files=files)
    said = by_id(backup_case(equal))["backup.best_configuration"].narrative
    assert "more targets were not faster, so these runs agree with it" in said


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
    assert reader.title == "Reading the database caps the full backup of Sales"
    assert (
        "1 volume, 80 ms a read, 95.4 MB/s; 1 volume, 4 ms a write, 95.4 MB/s; CPU 20 %" in reader.narrative
    )
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
    assert found["backup.writer_limited"].title == "Writing the backup caps the full backup of Sales"


@pytest.mark.parametrize(("read", "write"), [(0.080, 0.060), (0.010, 0.001)])
def test_neither_side_far_behind_is_undecided_and_names_the_test(read, write):
    case = seen(read, write)
    assert {"backup.reader_limited", "backup.writer_limited"}.isdisjoint(by_id(case))
    (said,) = Backup(case).not_captured()
    assert "the counters do not decide which side limits it" in said
    assert "TO DISK = 'NUL' WITH COPY_ONLY" in said


def test_thresholds_of_the_case_hold():
    case = seen(0.080, 0.060, settings={"thresholds": {"backup_side_ratio": 1.2}})
    assert "backup.reader_limited" in by_id(case)


def test_where_the_files_are_unknown_the_disks_that_were_read_are_said_to_be_inferred():
    text = series((spread(10, 3), {})).replace("2024-03-04", "2024-03-05")
    case = backup_case(text, perfmon=DISKS.format(read=0.08, write=0.004), rows=90)
    found = by_id(case)["backup.reader_limited"]
    assert "which disks hold the database is inferred from what was read" in found.narrative
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
    assert "the network card that carries the backup is full" in found.narrative
    assert "network card 94 %" in found.narrative


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
    assert found.title.startswith("Reading the backup caps the")
    assert "which disks hold the database is inferred from what was written" in found.narrative


def test_a_restore_whose_writes_are_slow_is_capped_by_writing_the_database():
    perfmon = r"""
        SQL1 | \LogicalDisk(E:)\Avg. Disk sec/Read | 0.004
        SQL1 | \LogicalDisk(E:)\Disk Read Bytes/sec | 100000000
        SQL1 | \LogicalDisk(S:)\Avg. Disk sec/Write | 0.08
        SQL1 | \LogicalDisk(S:)\Disk Write Bytes/sec | 100000000
    """
    found = by_id(restores(r"'E:\x.bak'", perfmon))["backup.writer_limited"]
    assert found.title.startswith("Writing the database caps the")
    assert found.recommendation.startswith("Spread the data files over more or faster volumes")


def test_a_full_card_limits_a_restore_from_a_share_in_the_direction_of_its_data():
    perfmon = r"""
        SQL1 | \Network Interface(nic)\Bytes {} /sec | 118000000
        SQL1 | \Network Interface(nic)\Current Bandwidth | 1000000000
    """.replace(" /sec", "/sec")
    received = by_id(restores(r"'\\nas\b\x.bak'", perfmon.format("Received")))
    assert "network card 94 %" in received["backup.reader_limited"].narrative
    assert "backup.reader_limited" not in by_id(restores(r"'\\nas\b\x.bak'", perfmon.format("Sent")))


def test_a_backup_to_nul_separates_the_sides():
    nul = {"devices": "'NUL'"}
    reader = by_id(backup_case(series((spread(100), {}), (spread(104), nul))))["backup.reader_limited"]
    assert (
        "reaches 96 % of what a backup to NUL with the same buffers does (100 MB/s against 104 MB/s)"
        in reader.narrative
    )
    writer = by_id(backup_case(series((spread(100), {}), (spread(300), nul))))["backup.writer_limited"]
    assert writer.confidence == 0.85


def test_a_backup_to_nul_is_never_the_best():
    case = backup_case(
        series((spread(100), {}), (spread(120), {"count": 50}), (spread(300), {"devices": "'NUL'"}))
    )
    assert "50 x 1,024 KB is the fastest tested" in by_id(case)["backup.best_configuration"].title


# Which side, as a table and a figure


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
    assert row["why"] == "a backup to NUL with the same buffers writes nothing"
    (row,) = Backup(backup_case(series((spread(100), {})))).tbl_sides().to_dict("records")
    assert (row["caps"], row["n"]) == ("not captured", 9)


@pytest.mark.parametrize(
    ("read", "write", "said"),
    [
        (0.080, 0.004, "1 configuration seen by perfmon&#58; reading the database caps 1"),
        (0.080, 0.060, "1 configuration seen by perfmon&#58; 1 not decided"),
    ],
)
def test_how_many_configurations_each_side_caps(read, write, said):
    assert said in Backup(seen(read, write)).say_sides()


def test_sides_that_differ_by_configuration_are_counted_each():
    caps = [("backup reader", 2), ("backup writer", 1), ("", 3)]
    facts = {"study": {"name": "full backup of Sales"}, "n": 6, "over_all": "", "caps": caps}
    assert SAID.text("limited.by_study", facts) == (
        "Full backup of Sales, 6 configurations seen by perfmon: reading the database caps 2, writing the "
        "backup caps 1 and 3 not decided."
    )


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("few", "too few samples"),
        ("card", "the network card"),
        ("backup read", "reads from the data volumes are slow"),
        ("backup write", "writes to the target are slow"),
        ("restore read", "reads from the backup are slow"),
        ("restore write", "writes to the data volumes are slow"),
        ("neither", "neither side"),
        ("backup without read", "the latency of the data volumes"),
        ("backup without write", "the latency of the target"),
        ("restore without read", "the latency of the backup"),
        ("restore without write", "the latency of the data volumes"),
    ],
)
def test_each_reason_for_a_side_has_its_words(reason, said):
    assert SAID.text("limited.reason", {"reason": reason}).startswith(said)


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


def test_the_deciding_test_is_named_once_on_a_page():
    """Some configurations are decided, others not, with and without a backup to NUL."""
    for more in ((), ((spread(12, 3), {"devices": "'NUL'", "count": 9}),)):
        text = series((spread(10, 3), {"files": (r"S:\1.mdf",)}), (spread(10, 3), {"count": 9}), *more)
        backup = Backup(
            backup_case(
                text.replace("2024-03-04", "2024-03-05"),
                perfmon=DISKS.format(read=0.080, write=0.060),
                rows=200,
            )
        )
        texts = [f.narrative + f.recommendation for f in backup.findings()] + backup.not_captured()
        assert sum(text.count("COPY_ONLY") for text in texts) == 1


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
    assert "RESTORE VERIFYONLY FROM the same devices" in said
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
    said = by_id(both_media())["backup.best_configuration"].narrative
    assert "URL against DISK, all else equal: 120 MB/s against 100 MB/s, +20 % (95 % interval" in said
    assert (
        "2 x DISK, 7 x 1,024 KB reaches 150 MB/s and 1 x URL, 7 x 1,024 KB 120 MB/s: +25 %, so URL is not "
        "the faster one in general." in said
    )


def test_a_media_that_is_faster_in_both_ways_is_not_contradicted():
    said = by_id(both_media(striped=None))["backup.best_configuration"].narrative
    assert "1 x URL, 7 x 1,024 KB reaches 120 MB/s and 1 x DISK, 7 x 1,024 KB 100 MB/s: +20 %." in said
    assert "in general" not in said


@pytest.mark.parametrize(
    ("version", "said", "unsaid"),
    [
        ("11.0.3339.0", "a page blob (all that this version writes) takes one URL and 1 TB", "up to 2014"),
        ("13.0.5026.0", "Limits of URL: block blobs take up to 64 URLs", "page blob"),
        ("", "a page blob (up to 2014) takes one URL and 1 TB", "this version"),
    ],
)  # fmt: skip
def test_the_limits_of_url_are_those_of_the_version(version, said, unsaid):
    advice = by_id(both_media(version=version))["backup.best_configuration"].recommendation
    assert said in advice
    assert unsaid not in advice
    assert "50,000 blocks of it: 48.8 GB at 1 MB, 195 GB at 4 MB (1 URL for the 1.0 GB here" in advice


def test_backups_to_disk_alone_need_no_limits_of_url():
    case = backup_case(series((spread(100), {}), (spread(150), {"count": 50})))
    assert "URL" not in by_id(case)["backup.best_configuration"].recommendation


# Buffer configuration


def test_what_runs_share_is_what_all_of_them_share():
    text = series((spread(100), {"files": (r"S:\1.mdf",)}), (spread(150), {"count": 50}))
    said = by_id(backup_case(text))["backup.throughput"].narrative
    assert "The same in all runs: 1.0 GB (of 2^30 bytes), 1 volume and compression off." in said
    grown = text.replace("pages dumped: 128000", "pages dumped: 328000", 1)
    assert "GB (of" not in by_id(backup_case(grown))["backup.throughput"].narrative


def test_a_label_of_all_runs_may_bear_the_name_of_a_column():
    case = labelled([(100, SMALL, "OFF"), (143, LARGE, "OFF")])
    case.run('update runs set factors = \'{"files": "many", "volumes": "two"}\'')
    said = by_id(case)["backup.throughput"].narrative
    assert "1 volume, compression off, files many and volumes two." in said


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
    said = by_id(backup_case(interleaved(*entries)))["backup.throughput"].narrative
    assert (
        "(5 cold starts), throughput is -31 % (95 % interval -31 % to -30 %) against the 18 warm runs" in said
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
    said = by_id(sessions())["backup.throughput"].narrative
    assert re.search(r"Disks turn cold after 6 to 76 idle minutes: runs after 0 to 10 min", said)
    assert re.search(r"Disks are warm again 12 to 19 minutes after the first run", said)
    backup = Backup(sessions())
    assert "warm 1" in backup.fig_warm_up().layout.title.text
    assert "turn cold after" in backup.fig_idle().layout.title.text


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
    assert "Throughput: no operation that lasted long enough" in "\n".join(Backup(case).not_captured())


# Failures


FAILED = (
    "BACKUP failed to complete the command BACKUP DATABASE Sales. Check the backup application log for "
    "detailed messages."
)


def test_a_failure_that_no_success_follows_is_critical():
    early = [(0.0, "Backup", backed_up("Sales", 1007))]
    found = by_id(backup_case(interleaved(early, [(60.0, "Backup", FAILED)])))["backup.failed"]
    assert (found.severity, found.title) == (
        "critical",
        "Full backup of Sales failed and has not succeeded since",
    )
    assert found.window == {"start": "2024-03-04T12:01:00Z", "end": "2024-03-04T12:01:00Z"}
    assert found.evidence[1].value == FAILED
    assert found.evidence[1].source == "ERRORLOG, line 2"


def test_a_failure_that_a_success_of_its_kind_follows_is_a_warning():
    late = [(90.0, "Backup", backed_up("sales", 1007))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], late)))["backup.failed"]
    assert found.severity == "warning"
    assert "A later one succeeded at 2024-03-04 12:01:30 UTC." in found.narrative
    other = [(90.0, "Backup", backed_up("Sales", 0, kind="log"))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], other)))["backup.failed"]
    assert found.severity == "critical"


def test_local_time_is_said_where_the_clock_is_unknown():
    found = by_id(backup_case(log((60, "Backup", FAILED)), utc=False))["backup.failed"]
    assert found.window == {"start": "2024-03-04T12:01:00", "end": "2024-03-04T12:01:00", "local": True}


def test_a_later_success_is_said_in_local_time_where_the_clock_is_unknown():
    late = [(90.0, "Backup", backed_up("Sales", 1007))]
    found = by_id(backup_case(interleaved([(60.0, "Backup", FAILED)], late), utc=False))["backup.failed"]
    assert "A later one succeeded at 2024-03-04 12:01:30 local time." in found.narrative


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ({"completed": 6, "failed": 0, "open": 0}, "6 completed."),
        ({"completed": 5, "failed": 1, "open": 0}, "5 completed and 1 failed."),
        ({"completed": 3, "failed": 2, "open": 1}, "3 completed, 2 failed and 1 open."),
    ],
)
def test_the_summary_counts_how_operations_ended(outcomes, said):
    facts = {"n": 6, "databases": 2, "outcomes": outcomes, "findings": [], "seeded": 0, "best": None}
    assert SAID.page("summary", facts) == f"6 backups and restores of 2 databases: {said}"


@pytest.mark.parametrize(
    ("width", "said"),
    [(0.3, "unusually high variation."), (0.027, "is not visible."), (0.01, "is not visible.")],
)
def test_a_labelled_factor_varies_more_than_the_others_or_not(width, said):
    values = list(np.linspace(1 - width, 1 + width, 9) * 100)
    usual = [(spread(100), {"count": count}) for count in (7, 10, 20, 50)]
    runs = """
        a | cache=off | 2024-03-04T12:00:00 | 2024-03-04T12:17:50
        b | cache=on  | 2024-03-04T12:17:55 | 2024-03-04T12:30:00
    """
    case = backup_case(series(*usual, (values, {"count": 7})), runs=runs)
    assert said in by_id(case)["backup.throughput"].narrative


def test_a_failure_that_names_no_database():
    found = by_id(backup_case(log((60, "Backup", "BACKUP DATABASE is terminating abnormally."))))
    assert found["backup.failed"].title == (
        "Full backup of a database that the log does not name failed and has not succeeded since"
    )


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
    assert found.narrative == (
        "1 data file was filled with zeros on SQL1 (130 MB) in 20 s: files are not created instantly there. "
        "1 of them was "
        "part of a restore. Transaction logs, which are always filled, took 9 s."
    )
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
    assert found.recommendation.startswith("On Linux no right is needed: files are created instantly where")


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
    assert other.missing() == ["No ERRORLOG of the case tells of a backup or restore of c."]
    assert other.say_summary() == "The captures tell of no backup and no restore of c."


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
    assert "not decidable in 1 of them" in found.narrative

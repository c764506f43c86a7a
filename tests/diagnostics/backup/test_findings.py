"""What the backup question concludes from small cases, and what it refuses to conclude."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.diagnostics.backup import Backup
from agtrace.errors import CaseError
from agtrace.say.figures import describe
from tests.behind import assert_facts
from tests.diagnostics.backup.cases import (
    backed_up,
    backup_case,
    interleaved,
    log,
    processed,
    restored,
    traced,
)

PAGES = 128_000  # 1,000 MB


def series(*blocks, gap=20.0, **more):
    """Return backups one after the other: (MB/s values, keywords of `traced`)."""
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


def restores(devices, perfmon):
    """Restore from a device for five minutes, with what perfmon showed meanwhile."""
    text = log(
        (300, "Backup", restored("Sales", devices)),
        (300.02, "Backup", processed("RESTORE DATABASE", PAGES, 299)),
    )
    return backup_case(text.replace("2024-03-04", "2024-03-05"), perfmon=perfmon, rows=90)


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


# Which side, as a table and a figure


@pytest.mark.complete
def test_each_configuration_is_a_row_whether_perfmon_saw_it_or_not():
    frame = Backup(seen(0.080, 0.004)).tbl_sides()
    (row,) = frame.to_dict("records")
    assert (row["caps"], row["runs_seen"], row["samples"]) == ("reading", 3, 58)
    assert (row["read_volumes"], row["read_ms"], row["written_volumes"], row["write_ms"]) == (
        "S:", 80, "E:", 4,
    )  # fmt: skip
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


# Conditions


def sessions(slow=15, pauses=(70, 100), between=6.0, fast=100):
    """Return sessions of two hours after pauses (minutes); runs in their first minutes are slower."""
    entries, time = [], 0.0
    for number in range(12):
        time += 60 * (pauses[number % len(pauses)])
        begun = time
        while time - begun < 7200:
            value = 70 if time - begun < 60 * slow else fast + len(entries) % 3
            entries.append(traced("Sales", time, 1000 / value, pages=PAGES - 7, rate=False))
            time += 1000 / value + 60 * between
    return backup_case(interleaved(*entries))


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


# What a person sees


def test_one_database_can_be_asked_for():
    logs = interleaved(traced("A", 0, 100), traced("B", 200, 100))
    backup = Backup(backup_case(logs), database="b")
    assert list(backup.tbl_operations()["database"]) == ["B"]
    assert {f.subject.get("database") for f in backup.findings()} == {None, "B"}
    first = {each.label: each.value for each in backup.leading_figures()}
    assert first == {
        "backups and restores": 1, "completed": 1, "failed": 0, "without an end in the log": 0,
        "databases": 1,
    }  # fmt: skip


def test_a_database_that_the_case_does_not_have_is_an_error():
    with pytest.raises(CaseError, match="no database is called 'c' - there are: A, B"):
        Backup(backup_case(interleaved(traced("A", 0, 100), traced("B", 200, 100))), database="c").findings()

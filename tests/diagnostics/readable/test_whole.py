"""All that the findings about readable secondaries state besides their words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics.readable import Readable
from agtrace.diagnostics.readable.judge import Beside
from agtrace.diagnostics.readable.rows import Behind, Growths, Marks, Readers
from tests.diagnostics.asking import record
from tests.diagnostics.facts import facts
from tests.diagnostics.readable.test_full import NO_SPACE, NOT_ADDED, VICTIM, logged
from tests.diagnostics.readable.test_version_store import EVERY, READABLE, READER, SECONDARY, perfmon
from tests.diagnostics.tiny import START, case
from tests.folded import folded

STREAM = (
    "SQL1 | - | streams | stream_id=1; primary_host_id=SQL1; replica_host_id=SQL2; replica=SQL2; "
    "recovery_queue_growth_bytes_per_s=5000; start=2024-03-05T12:00:00Z; end=2024-03-05T12:29:45Z"
)
BESIDE = "\n".join([
    r"SQL2 | \SQLServer:Transactions\Version Generation rate (KB/s) | 1100",
    r"SQL2 | \SQLServer:Transactions\Version Cleanup rate (KB/s) | 100",
    r"SQL1 | \SQLServer:Access Methods\Skipped Ghosted Records/sec | 400",
])  # fmt: skip
OF = "perfmon of SQL2,"
SIZE = f"{OF} Version Store Size, n = 120"
GROWN = [
    ("growth of the version store", 3923.9, "MB/h", SIZE),
    ("grew by", 1_945_600_000.0, "B", SIZE),
    ("version store", 2_048_000_000.0, "B", SIZE),
]


def looked(at, mark, database="Sales"):
    return (
        f"SQL1 | {at} | database_states | ag=AG; database={database}; replica=SQL2; "
        f"low_water_mark_for_ghosts={mark}"
    )


def test_a_version_store_that_grows():
    told = [SECONDARY, READABLE, READER, STREAM, looked(60, 71), looked(960, 71)]
    made = case(f"{perfmon()}\n{BESIDE}", relations="\n".join(told), every=EVERY)
    (found,) = Readable(made).findings()
    assert facts(found) == {
        "severity": "warning",
        "subject": {"host": "SQL2"},
        "window": {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:29:45+00:00"},
        "confidence": 0.85,
        "evidence": [
            *GROWN,
            ("free in tempdb", 8_192_000_000.0, "B", f"{OF} Free Space in tempdb"),
            ("tempdb full in", 7515.79, "s", f"{OF} Free Space in tempdb, Version Store Size"),
            ("longest transaction", 1785.0, "s", f"{OF} Longest Transaction Running Time"),
            ("versions generated, mean", 1_126_400.0, "B/s", f"{OF} Version Generation rate"),
            ("versions cleaned up, mean", 102_400.0, "B/s", f"{OF} Version Cleanup rate"),
            ("transaction of session 88 open", 1800, "s", "a look line 3"),
            ("session 88", "REPORTS1, Report server, DOM\\reports", "", "a look line 3"),
            ("statement of session 88", "SELECT * FROM dbo.Orders", "", "a look line 3"),
            (
                "ghosted records skipped on the primary", 400.0, "1/s",
                "perfmon of SQL1, Skipped Ghosted Records/sec, n = 120",
            ),
            ("low-water mark for ghosts of Sales unchanged", 900.0, "s", "2 looks"),
            ("growth of the recovery queues", 5000.0, "B/s", f"{OF} Recovery Queue"),
        ],
    }  # fmt: skip


def test_a_version_store_that_was_full():
    (found,) = logged(
        (600, NOT_ADDED), (660, VICTIM), (670, (3958, "Transaction aborted.")), (680, NO_SPACE),
        text=perfmon(free="8000000..0"),
    )  # fmt: skip
    assert facts(found) == {
        "severity": "critical",
        "subject": {"host": "SQL2"},
        "window": {"start": "2024-03-05T12:10:00+00:00", "end": "2024-03-05T12:11:20+00:00"},
        "confidence": 0.9,
        "evidence": [
            ("version store full, versions not added", 1, "", "ERRORLOG line 1"),
            ("transactions chosen as victims", 1, "", "ERRORLOG line 1"),
            ("readers ended", 1, "", "ERRORLOG line 1"),
            ("no space in tempdb", 1, "", "ERRORLOG line 4"),
            ("session 88, a victim, had run", 7200, "s", "ERRORLOG line 1"),
            *GROWN,
            ("free in tempdb", 0.0, "B", f"{OF} Free Space in tempdb"),
            ("longest transaction", 1785.0, "s", f"{OF} Longest Transaction Running Time"),
        ],
    }


# What stands beside a stretch of an hour from 12:00 on.

LAST = START + timedelta(hours=1)
STRETCH = record(
    Growths,
    host_id="SQL2",
    sql_instance="MSSQLSERVER",
    start=START,
    end=LAST,
    start_local=START,
    end_local=LAST,
)


def reader(begun, last, host="SQL2", number=1, is_snapshot=True, instance=None):
    begun, last = (START + timedelta(minutes=each) for each in (begun, last))
    return record(
        Readers,
        host_id=host,
        sql_instance=instance,
        session_id=number,
        begun=begun,
        last_local=last,
        is_snapshot=is_snapshot,
    )


@folded(
    ("readers", "number"),
    [
        ([reader(-10, 0)], 1),
        ([reader(-10, -1)], None),
        ([reader(60, 70)], 1),
        ([reader(61, 70)], None),
        ([reader(-10, 10, host="SQL3")], None),
        ([reader(-10, 10, instance="TWO")], None),
        ([reader(-10, 10, instance="MSSQLSERVER")], 1),
        ([reader(-5, 10), reader(-10, 10, number=2)], 2),
        ([reader(-5, 10), reader(-10, 10, number=2, is_snapshot=False)], 1),
    ],
)
def test_the_oldest_reader_is_of_the_stretch_and_one_of_snapshots_first(readers, number):
    oldest = Beside(readers=readers).oldest(STRETCH)
    assert (oldest and oldest.session_id) == number


@pytest.mark.parametrize(
    ("first", "last", "is_still", "n"),
    [(-5, 0, True, 1), (-5, -1, True, 0), (60, 70, True, 1), (61, 70, True, 0), (0, 60, False, 0)],
)
def test_a_mark_that_stands_still_is_of_the_stretch(first, last, is_still, n):
    first, last = (START + timedelta(minutes=each) for each in (first, last))
    mark = record(Marks, host="SQL2", database="Sales", first=first, last=last, is_still=is_still)
    assert len(Beside(marks=[mark]).still(STRETCH)) == n
    assert Beside(marks=[mark._replace(host="SQL3")]).still(STRETCH) == []


@pytest.mark.parametrize(
    ("start", "end", "growth", "is_told"),
    [(-5, 1, 1, True), (-5, 0, 1, False), (59, 70, 1, True), (60, 70, 1, False), (0, 60, 0, False)],
)
def test_a_queue_that_grew_is_of_the_stretch(start, end, growth, is_told):
    start, end = (START + timedelta(minutes=each) for each in (start, end))
    queue = record(Behind, host_id="SQL2", growth=growth, start=start, end=end)
    assert (Beside(behind=[queue]).queue(STRETCH) is not None) == is_told
    assert Beside(behind=[queue._replace(host_id="SQL3")]).queue(STRETCH) is None
    assert Beside(behind=[queue]).queue(STRETCH._replace(start=None)) is None


@pytest.mark.parametrize(("at", "is_told"), [(1785 + 900, True), (1785 + 901, False)])
def test_a_growth_that_ended_a_quarter_of_an_hour_before_is_of_the_full_store(at, is_told):
    (found,) = logged((at, NOT_ADDED), text=perfmon(free="8000000..0"))
    assert ("grew by" in [label for label, *_ in facts(found)["evidence"]]) == is_told

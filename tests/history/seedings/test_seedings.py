"""Seedings as relations."""

from __future__ import annotations

from pathlib import Path

import pytest

import agtrace
from agtrace.history.seedings import load_seedings, making
from tests.diagnostics.seeding.cases import MB, after, copy, request
from tests.diagnostics.tiny import case

SAMPLES = Path(__file__).parents[3] / "sample_data"
WAY = (
    "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 5 LIMIT_CONCURRENT_BACKUPS, 20 SEEDING, 121 CATCHUP, 130 "
    "COMPLETED"
)
EVENTS = (
    request("A", "source", WAY, success=True)
    + copy("A", "source", 20.5, 120.5, remote="B")
    + request("B", "target", "1 PENDING, 20 SEEDING", remote="r1", failure="215 Seeding")
    + copy("B", "target", 20.6, 120.8, guids="b a", remote="A", waits="300 400")
)


@pytest.fixture
def made():
    return case(events=EVENTS)


def only(made, query):
    (row,) = made.table(query).to_pylist()
    return row


def test_a_seeding_is_one_row_with_both_ends(made):
    row = only(made, "select * from seedings")
    assert (row["seeding_id"], row["database"], row["outcome"]) == (1, "Sales", "completed")
    assert (row["source_host"], row["target_host"]) == ("A", "B")
    times = ("start", "copy_start", "copy_end", "end", "source_copy_start", "target_copy_start")
    assert [after(row[name]) for name in times] == [0, 20.5, 120.8, 130, 20.5, 20.6]
    assert (row["copied_bytes"], row["target_disk_wait_ms"]) == (1000 * MB, 300)
    assert row["told_by"] == row["source_told_by"] == ["xel"]
    assert [(f["state"], f["text"], after(f["time"])) for f in row["failures"]] == [(215, "Seeding", 20)]


def test_an_end_that_nothing_tells_of_is_null():
    row = only(case(events=copy("A", "source", 20, 120)), "select * from seedings")
    assert (row["target_host"], row["target_told_by"], row["target_remote"]) == (None, None, None)
    assert (row["start"], row["source_start"]) == (row["copy_start"], None)


def test_a_state_is_one_row_with_its_end(made):
    rows = made.table(
        'select state, epoch(start - min(start) over ()) as begun, epoch("end" - start) as lasted '
        "from seeding_states where role = 'source' and layer = 'automatic' order by start"
    ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("PENDING", 0, 0.1), ("CHECK_IF_SEEDING_NEEDED", 0.1, 4.9), ("LIMIT_CONCURRENT_BACKUPS", 5, 15),
        ("SEEDING", 20, 101), ("CATCHUP", 121, 9), ("COMPLETED", 130, 0),
    ]  # fmt: skip
    layers = (
        "select layer, count(*) as n from seeding_states where role = 'target' group by all order by layer"
    )
    assert made.table(layers).to_pylist() == [{"layer": "automatic", "n": 2}, {"layer": "physical", "n": 3}]


def test_a_state_that_goes_on_has_no_end_and_is_seen_to_the_end_of_the_captures():
    events = request("A", "source", "0 PENDING, 5 LIMIT_CONCURRENT_BACKUPS")
    row = only(case(events=events), "select * from seeding_states where state = 'LIMIT_CONCURRENT_BACKUPS'")
    assert (after(row["start"]), row["end"], after(row["seen_until"])) == (5, None, 5)


def test_reports_of_both_ends_are_rows(made):
    rows = made.table(
        "select role, count(*) as n, max(transferred_bytes) as bytes from seeding_progress group by all "
        "order by role"
    ).to_pylist()
    assert rows == [
        {"role": "source", "n": 12, "bytes": 1000 * MB},
        {"role": "target", "n": 13, "bytes": 1000 * MB},
    ]


@pytest.mark.complete
def test_a_fresh_case_answers_before_any_finding_and_the_next_opening_computes_nothing(tmp_path, monkeypatch):
    folder = SAMPLES / "direct_seeding"
    with agtrace.open_case(folder, tmp_path / "store") as opened:
        frame = opened.seedings()
        slot = opened.sql(
            'select role, round(epoch("end" - start)) from seeding_states '
            "where state = 'LIMIT_CONCURRENT_BACKUPS'"
        ).fetchall()
        first = load_seedings(opened.view)
    assert list(frame["outcome"]) == ["completed", "completed"]
    assert list(frame["database"]) == ["GestionCom", "GestionCom"]
    assert str(frame["start"].dtype) == "datetime64[us, UTC]"
    assert slot == [("source", 51.0)]

    def again(_view):
        raise AssertionError("it was put together again")

    monkeypatch.setattr(making, "put_together", again)
    with agtrace.open_case(folder, tmp_path / "store", ingest=False) as opened:
        assert load_seedings(opened.view) == first

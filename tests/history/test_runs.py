"""What runs share: the labelled windows of a case, which backups measure throughput, and what held in
runs.
"""

from __future__ import annotations

from datetime import UTC, timedelta

from agtrace.history.runs import Configuration, labelled_windows, measured_backups, read_factors, varying
from tests.diagnostics.backup.cases import backed_up, backup_case, log, processed, traced
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, window


def test_windows_stand_in_order_of_time_with_their_ends_in_microseconds():
    made = case()
    window(made, "later", '{"users": "8"}', 60, 120)
    window(made, "first", "{}", 0, 30)
    window(made, "beside", "{}", 0, 45)
    begin = START.replace(tzinfo=UTC)
    found = labelled_windows(made)
    assert [row["label"] for row in found] == ["first", "beside", "later"]
    assert [row["factors"] for row in found] == ["{}", "{}", '{"users": "8"}']
    assert (found[0]["start"], found[0]["end"]) == (begin, begin + timedelta(seconds=30))
    assert (found[0]["start_us"], found[0]["end_us"] - found[0]["start_us"]) == (
        begin.timestamp() * 1e6,
        30_000_000,
    )


def test_only_what_ended_well_and_took_long_enough_measures_throughput():
    short = log(
        (900, "Backup", backed_up("Short", 17)), (900.1, "Backup", processed("BACKUP DATABASE", 10, 0.01))
    )
    made = backup_case(log(*traced("Sales", 0, 100), *traced("Nothing", 200, 100, devices="'NUL'")) + short)
    found = measured_backups(made, 1.0).to_pylist()
    assert sorted((row["database"], row["target"], row["is_seeding"]) for row in found) == [
        ("Nothing", "NUL", False),
        ("Sales", "DISK", False),
    ]


def test_factors_that_are_no_object_of_texts_are_none():
    assert read_factors('{"users": 8, "flag": "on"}') == {"users": "8", "flag": "on"}
    assert [read_factors(text) for text in (None, "", "[1]", "{")] == [{}, {}, {}, {}]


def test_a_factor_varies_where_it_is_shown_differently():
    given = [
        {"count": 7, "flag": True, "disk": "F"},
        {"count": 7, "flag": False, "disk": "F"},
        {"count": 7, "disk": "F"},
    ]
    assert varying(given) == ("flag",)
    assert Configuration(factors=given[0], runs=(1, 2)).n == 2

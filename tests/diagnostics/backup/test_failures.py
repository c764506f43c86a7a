"""What failed, why and what to do then, and what filling files with zeros took: of rows given as literals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics.backup import failures
from agtrace.diagnostics.backup.failures import Cause, cause_of
from agtrace.diagnostics.backup.rows import Failures, Zeroed
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.folded import folded

LIMITS = Thresholds()
UTC_NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)
LOCAL_NOON = datetime(2024, 3, 4, 13)
MINUTE = timedelta(minutes=1)
ROW: Failures = record(
    Failures,
    host_id="SQL1",
    database="Sales",
    what="full backup",
    n=2,
    first_time=UTC_NOON,
    last_time=UTC_NOON + MINUTE,
    first_local=LOCAL_NOON,
    last_local=LOCAL_NOON + MINUTE,
    texts=["second", "first"],
    lines=[1200, 7],
    last_texts=["second"],
    last_ids=[3041],
    role=None,
    succeeded=None,
    succeeded_local=None,
    is_hushed=False,
    is_of_seeding=False,
    unread=None,
    devices=None,
    twin=None,
    twins=0,
    buffer_count=None,
    size_kb=None,
    total_mb=None,
    limit_mb=None,
)
NO_CLOCK = {"first_time": None, "last_time": None}


def failed(**more: Any) -> Any:
    (judged,) = failures.failed([ROW._replace(**more)])
    return judged


@pytest.mark.parametrize(
    ("what", "role", "kind"),
    [
        ("full backup", "SECONDARY", "secondary"),
        ("differential backup", "SECONDARY", "secondary"),
        ("log backup", "SECONDARY", None),
        ("full restore", "SECONDARY", None),
        ("full backup", "PRIMARY", None),
        ("full backup", None, None),
    ],
)
def test_a_secondary_takes_no_full_and_no_differential_backup(what, role, kind):
    cause = cause_of([], [3041], what, role)
    assert (cause and cause.kind) == kind


def test_the_first_message_with_an_error_is_the_cause_and_tells_its_line():
    texts = ["no number", "error 112(full)", "error 5(denied)"]
    assert cause_of(texts, [3257], "full backup", "SECONDARY") == Cause("full", 112, 1)
    evidence = failed(last_texts=texts, texts=texts, lines=[9, 1200, 8]).evidence
    assert [(each.label, each.value, each.source) for each in evidence[-1:]] == [
        ("operating system error", "112", "ERRORLOG, line 1,200")
    ]


READ = 'Read on "/d/sales.mdf" failed: 87(The parameter is incorrect.)'
ECHO = "Flush failure on backup device '{2E1}'. Operating system error 995(aborted)."
HELD = "Backup device 'X' failed to create. Operating system error 32(in use)."
FAILED = "write failure on backup device 'X'. Operating system error 1117(device)."


@pytest.mark.parametrize(
    ("texts", "ids", "more", "cause"),
    [
        ([ECHO, READ], [18210, 3203], {"unread": "/d/sales.mdf"}, Cause("unread", 87, 1)),
        (["... in file 'x'"], [3043], {"unread": "x"}, Cause("unread")),
        ([ECHO, "..."], [18210, 824], {}, Cause("damaged", 824)),
        (["...", FAILED], [3063, 18210], {"devices": "https://a/b.bak"}, Cause("blocks")),
        (["...", ECHO], [701, 18210], {}, Cause("memory", 701)),
        ([ECHO, HELD], [18210, 18204], {}, Cause("in_use", 32, 1)),
        ([HELD], [18204], {"twin": "SQL2"}, Cause("twin", 32, 0)),
        ([FAILED], [18210], {"devices": "https://a/b.bak"}, Cause("url", 1117, 0)),
        ([FAILED], [18210], {"devices": "X:\\b.bak"}, Cause("device", 1117, 0)),
        ([ECHO], [18210], {}, Cause("aborted", 995, 0)),
    ],
)
def test_the_file_then_limits_then_memory_then_the_device_is_the_cause(texts, ids, more, cause):
    assert cause_of(texts, ids, "full backup", None, **more) == cause


@folded(
    ("kind", "numbers"),
    [
        ("path", (2, 3, 15)),
        ("device", (21, 23, 433, 1117, 1167)),
        ("network", (53, 54, 59, 64, 67, 121, 1231, 1232)),
        ("logon", (86, 1219, 1326, 1331, 1385)),
        ("resources", (8, 14, 1450, 1453)),
        ("full", (39, 112)),
    ],
)
def test_each_error_of_the_operating_system_has_its_kind(kind, numbers):
    found = [cause_of([f"error {n}(x)"], [18210], "full backup", None) for n in numbers]
    assert found == [Cause(kind, n, 0) for n in numbers]


@pytest.mark.parametrize(
    ("more", "severity"), [({"is_hushed": True}, "warning"), ({"is_of_seeding": True}, "warning")]
)
def test_a_success_that_cannot_be_seen_is_not_denied(more, severity):
    assert failed(**more).severity == severity


# Verdicts.


@pytest.mark.parametrize(
    ("more", "severity"),
    [({}, "critical"), ({"succeeded": UTC_NOON}, "warning"), ({"succeeded_local": LOCAL_NOON}, "warning")],
)
def test_a_failure_that_nothing_followed_is_critical(more, severity):
    made = failed(**more)
    assert (made.severity, made.confidence) == (severity, 0.95)


@pytest.mark.parametrize(
    ("more", "window"),
    [
        ({}, {"start": "2024-03-04T12:00:00Z", "end": "2024-03-04T12:01:00Z"}),
        (NO_CLOCK, {"start": "2024-03-04T13:00:00", "end": "2024-03-04T13:01:00", "local": True}),
    ],
)
def test_failures_are_told_by_the_common_clock_or_the_servers(more, window):
    assert failed(**more).window == window


@pytest.mark.parametrize(
    ("more", "subject"),
    [
        ({}, {"host": "SQL1", "database": "Sales", "operation": "full backup"}),
        ({"database": None}, {"host": "SQL1", "operation": "full backup"}),
        ({"host_id": None, "what": None}, {"database": "Sales"}),
    ],
)
def test_a_failure_is_of_what_its_log_names(more, subject):
    assert failed(**more).subject == subject


@pytest.mark.parametrize(("host", "source"), [("SQL1", "SQL1"), (None, "an unknown host")])
def test_the_count_comes_from_the_log_of_its_host(host, source):
    count = failed(host_id=host).evidence[0]
    assert (count.value, count.source) == (2, f"ERRORLOG of {source}")


# Files filled with zeros.

FILE = record(
    Zeroed, host_id="SQL1", path="D:\\s.mdf", is_data=True, seconds=4.0, bytes=2**30, line=1200,
    time=UTC_NOON, time_local=LOCAL_NOON,
)  # fmt: skip


def zeroed(*rows: dict[str, Any]) -> list[Any]:
    return failures.slow_zeroing([FILE._replace(**row) for row in rows], LIMITS, {"SQL1": "Windows"})


@pytest.mark.parametrize(
    ("seconds", "severity"), [((4.0, 5.9), "notice"), ((4.0, 6.0), "warning"), ((None, 10.0), "warning")]
)
def test_data_files_that_take_ten_seconds_together_are_a_warning(seconds, severity):
    (judged,) = zeroed(*({"seconds": each} for each in seconds))
    assert judged.severity == severity
    assert judged.facts["seconds"] == sum(each or 0 for each in seconds)


def test_each_host_is_told_and_one_without_data_files_is_not():
    judged = zeroed({"host_id": "SQL2"}, {}, {"host_id": None}, {"host_id": "SQL3", "is_data": False})
    assert [(each.subject, each.facts["where"]) for each in judged] == [
        ({}, "an unknown host"),
        ({"host": "SQL1"}, "SQL1"),
        ({"host": "SQL2"}, "SQL2"),
    ]


@pytest.mark.parametrize(
    ("more", "window"),
    [
        ({}, {"start": "2024-03-04T12:00:00Z", "end": "2024-03-04T12:01:00Z"}),
        ({"time": None}, {"start": "2024-03-04T13:00:00", "end": "2024-03-04T13:01:00", "local": True}),
    ],
)
def test_files_are_filled_from_the_first_to_the_last_by_the_clock_that_is_known(more, window):
    later = {"time": UTC_NOON + MINUTE, "time_local": LOCAL_NOON + MINUTE}
    (judged,) = zeroed(more, later | more)
    assert judged.window == window


@pytest.mark.parametrize(("own", "logs"), [((), None), ((None,), None), ((2.0, None, 3.0), 5.0)])
def test_logs_are_counted_apart_where_their_end_is_known(own, logs):
    (judged,) = zeroed({"bytes": None}, {}, *({"is_data": False, "seconds": each} for each in own))
    assert judged.facts["logs"] == logs
    assert judged.facts["bytes"] == 2**30
    assert len(judged.facts["data"]) == 2


@pytest.mark.parametrize(
    ("more", "when"),
    [({"succeeded": UTC_NOON}, UTC_NOON), ({"succeeded_local": LOCAL_NOON}, LOCAL_NOON), ({}, None),
     ({"succeeded": UTC_NOON, "succeeded_local": LOCAL_NOON}, UTC_NOON)],
)  # fmt: skip
def test_when_one_succeeded_later_is_told(more, when):
    assert failed(**more).facts["succeeded"] == when

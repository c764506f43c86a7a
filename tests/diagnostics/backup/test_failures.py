"""What failed, why and what to do then, and what filling files with zeros took: of rows given as literals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics.backup import failures
from agtrace.diagnostics.backup.failures import Cause, cause_of
from agtrace.diagnostics.backup.studies import SAID
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.folded import folded

LIMITS = Thresholds()
UTC_NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)
LOCAL_NOON = datetime(2024, 3, 4, 13)
MINUTE = timedelta(minutes=1)
ROW: dict[str, Any] = {
    "host_id": "SQL1", "database": "Sales", "what": "full backup", "n": 2, "first_time": UTC_NOON,
    "last_time": UTC_NOON + MINUTE, "first_local": LOCAL_NOON, "last_local": LOCAL_NOON + MINUTE,
    "texts": ["second", "first"], "lines": [1200, 7], "last_texts": ["second"], "last_ids": [3041],
    "role": None, "succeeded": None, "succeeded_local": None,
}  # fmt: skip
NO_CLOCK = {"first_time": None, "last_time": None}

ERRORS = {
    # ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE
    "path": {2, 3, 15},
    # ERROR_ACCESS_DENIED
    "access": {5},
    # ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_NO_SYSTEM_RESOURCES, ERROR_WORKING_SET_QUOTA
    "resources": {8, 14, 1450, 1453},
    # ERROR_NOT_READY, ERROR_CRC, ERROR_NO_SUCH_DEVICE, ERROR_IO_DEVICE, ERROR_DEVICE_NOT_CONNECTED
    "device": {21, 23, 433, 1117, 1167},
    # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
    "in_use": {32, 33},
    # ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
    "full": {39, 112},
    # ERROR_BAD_NETPATH, ERROR_NETWORK_BUSY, ERROR_UNEXP_NET_ERR, ERROR_NETNAME_DELETED, ERROR_BAD_NET_NAME,
    # ERROR_SEM_TIMEOUT, ERROR_NETWORK_UNREACHABLE, ERROR_HOST_UNREACHABLE
    "network": {53, 54, 59, 64, 67, 121, 1231, 1232},
    # ERROR_INVALID_PASSWORD, ERROR_SESSION_CREDENTIAL_CONFLICT, ERROR_LOGON_FAILURE, ERROR_ACCOUNT_DISABLED,
    # ERROR_LOGON_TYPE_NOT_GRANTED
    "logon": {86, 1219, 1326, 1331, 1385},
    # ERROR_FILE_SYSTEM_LIMITATION
    "fragmented": {665},
    # ERROR_OPERATION_ABORTED
    "aborted": {995},
}


def failed(**more: Any) -> Any:
    (judged,) = failures.failed([ROW | more])
    return judged


def test_each_error_of_windows_that_stops_a_backup_has_its_kind_and_every_other_is_the_systems():
    found: dict[str, set[int]] = {}
    for error in range(1500):
        cause = cause_of([f"Operating system error {error}(x)."], [3041], "full backup", None)
        assert cause == Cause(cause.kind, error, 0)
        found.setdefault(cause.kind, set()).add(error)
    assert found.pop("system") == set(range(1500)) - set.union(*ERRORS.values())
    assert found == ERRORS


@pytest.mark.parametrize("number", [3256, 3257, 3258])
def test_of_messages_3257_alone_tells_a_full_disk(number):
    cause = cause_of(["x"], [number], "full backup", None)
    assert cause == (Cause("full") if number == 3257 else None)


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


# Verdicts.


@pytest.mark.parametrize(
    ("more", "severity"),
    [({}, "critical"), ({"succeeded": UTC_NOON}, "warning"), ({"succeeded_local": LOCAL_NOON}, "warning")],
)
def test_a_failure_that_nothing_followed_is_critical(more, severity):
    assert failed(**more).severity == severity


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


def test_ten_messages_are_evidence_and_three_that_differ_are_told():
    texts = ["a", "a", "", "b", "c", "d", *"efghij"]
    judged = failed(texts=texts, lines=list(range(1, 13)))
    quotes = [(each.value, each.source) for each in judged.evidence if each.label == "message"]
    assert quotes == [(text, f"ERRORLOG, line {n}") for n, text in enumerate(texts[:10], 1)]
    assert judged.facts["texts"] == ["a", "b", "c"]


def test_a_failure_without_messages_is_told_without_them():
    bare = dict.fromkeys(("texts", "lines", "last_texts", "last_ids", "what"))
    found = SAID.finding(failed(**bare))
    assert_facts(
        found, database="Sales", what="backup or restore", n=2, is_open=True, last="2024-03-04T12:01:00+00:00"
    )
    assert [each.label for each in found.evidence] == ["failures"]


@pytest.mark.parametrize("what", ["full backup", "differential backup"])
def test_a_secondary_is_told_what_it_takes_and_shown_as_one(what):
    judged = failed(what=what, role="SECONDARY")
    assert_facts(SAID.finding(judged), host_id="SQL1", cause="secondary", n=2)
    role = judged.evidence[-1]
    assert (role.label, role.value, role.source) == ("role then", "SECONDARY", "roles of SQL1")


@folded(
    ("kind", "cure"),
    [
        ("access", {"n": 2, "cause": "access"}),
        ("path", {"cause": "path", "n": 2}),
        ("full", {"n": 2, "cause": "full"}),
        ("network", {"cause": "network", "n": 2}),
        ("logon", {"n": 2, "cause": "logon"}),
        ("device", {"n": 2, "cause": "device"}),
        ("in_use", {"n": 2, "cause": "in_use"}),
        ("aborted", {"n": 2, "cause": "aborted"}),
        ("fragmented", {"n": 2, "cause": "fragmented"}),
        ("resources", {"n": 2, "cause": "resources"}),
        ("system", {"n": 2, "cause": "system"}),
    ],
)
def test_each_cause_has_its_words_and_its_cure(kind, cure):
    error = min(ERRORS.get(kind, {4711}))
    found = SAID.finding(failed(last_texts=[f"error {error}(x)"]))
    assert_facts(found, database="Sales", what="full backup", n=2, is_open=True)
    assert_facts(found, **cure)


def test_what_a_secondary_refused_is_taken_on_the_primary():
    found = SAID.finding(failed(role="SECONDARY"))
    assert_facts(found, cause="secondary", n=2)


# Files filled with zeros.

FILE: dict[str, Any] = {
    "host_id": "SQL1", "path": "D:\\s.mdf", "is_data": True, "seconds": 4.0, "bytes": 2**30, "line": 1200,
    "operation": None, "instant": None, "time": UTC_NOON, "time_local": LOCAL_NOON,
}  # fmt: skip


def zeroed(*rows: dict[str, Any]) -> list[Any]:
    return failures.slow_zeroing([FILE | row for row in rows], LIMITS, {"SQL1": "Windows"})


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
        ({}, "a host that is not known"),
        ({"host": "SQL1"}, "SQL1"),
        ({"host": "SQL2"}, "SQL2"),
    ]


def test_the_ten_files_that_took_longest_are_evidence_and_those_without_an_end_come_last():
    took = [None, 0.2, 12.345678, *map(float, range(1, 9))]
    (judged,) = zeroed(*({"seconds": each, "path": f"D:\\{n}"} for n, each in enumerate(took)))
    assert [each.value for each in judged.evidence] == [12.346, 8, 7, 6, 5, 4, 3, 2, 1, 0.2]
    (open_one,) = zeroed({"seconds": None})[0].evidence
    assert (open_one.value, open_one.label, open_one.source) == (
        None, "zeroing of D:\\s.mdf (1.1 GB)", "ERRORLOG of SQL1, line 1,200",
    )  # fmt: skip


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


def test_the_words_tell_files_without_an_end_restores_and_what_the_server_says():
    (judged,) = zeroed({"instant": "disabled"}, {"seconds": None, "operation": "restore"})
    assert_facts(SAID.finding(judged), where="SQL1", data=2, instant="disabled", seconds=4.0)


@pytest.mark.parametrize(
    ("more", "when"),
    [({"succeeded": UTC_NOON}, UTC_NOON), ({"succeeded_local": LOCAL_NOON}, LOCAL_NOON), ({}, None),
     ({"succeeded": UTC_NOON, "succeeded_local": LOCAL_NOON}, UTC_NOON)],
)  # fmt: skip
def test_when_one_succeeded_later_is_told(more, when):
    assert failed(**more).facts["succeeded"] == when


def test_an_error_of_a_message_whose_line_is_not_told_names_the_log():
    evidence = failed(last_texts=["error 112(full)"], texts=[], lines=[]).evidence
    assert [(each.label, each.source) for each in evidence[-1:]] == [("operating system error", "ERRORLOG")]

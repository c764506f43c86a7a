"""Which rows the queries of backups choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

from agtrace.diagnostics import backup
from tests.diagnostics.asking import ask
from tests.folded import folded


def at(seconds: float) -> datetime:
    return datetime(2024, 3, 4, 12, tzinfo=UTC) + timedelta(seconds=seconds)


def local(seconds: float) -> datetime:
    return at(seconds).replace(tzinfo=None)


# Failures, and what succeeded later.

FAILED = {
    "operation_id": 1, "status": "failed", "message_ids": [3041], "host_id": "A", "database": "Sales",
    "operation": "backup", "kind": "full", "end": at(60), "end_local": local(60), "failure_texts": ["no"],
    "failure_lines": [7], "unread_file": "s.mdf", "is_of_seeding": False, "buffer_count": 7,
    "device_names": r"\\nas\A|\\nas\b", "max_transfer_size_kb": 1024, "total_mb": 7, "memory_limit_mb": 9,
}  # fmt: skip
DONE = FAILED | {"operation_id": 2, "status": "completed", "end": at(90), "end_local": local(90)}
ROLE = {
    "ag": "AG", "host_id": "A", "sql_instance": None, "role": "PRIMARY", "start": at(0), "end": at(120),
    "start_local": None, "end_local": None,
}  # fmt: skip
OPEN = {"start": None, "end": None}


HUSHED = {"host_id": "A", "flag": 3226, "is_on": True, "start": at(0), "end": at(61)}


def failures(
    *backups: dict[str, Any],
    roles: tuple[dict[str, Any], ...] = (ROLE,),
    flags: tuple[dict[str, Any], ...] = (HUSHED | {"flag": 1},),
    seeded: tuple[int, ...] = (99,),
) -> list[dict[str, Any]]:
    more = {"trace_flags": list(flags), "seedings": [{"backup_ids": list(seeded)}]}
    return ask(backup, "failures", backups=list(backups), roles=list(roles), **more)


def test_the_backup_of_a_seeding_is_no_failure_of_its_own():
    assert failures(FAILED, seeded=(1,)) == []


@pytest.mark.parametrize(
    ("more", "is_hushed"),
    [
        ({}, True),
        ({"end": None}, True),
        ({"end": at(60)}, False),
        ({"is_on": False}, False),
        ({"flag": 3213}, False),
        ({"host_id": "B"}, False),
    ],
)
def test_successes_are_hidden_while_the_trace_flag_is_on_after_the_failure(more, is_hushed):
    assert failures(FAILED, flags=(HUSHED | more,))[0]["is_hushed"] == is_hushed


@pytest.mark.parametrize(
    ("more", "twin"),
    [
        ({}, "B"),
        ({"device_names": "\\\\NAS\\B"}, "B"),
        ({"end": at(121)}, None),
        ({"host_id": "A"}, None),
        ({"device_names": "\\\\nas\\c"}, None),
    ],
)
def test_another_server_that_wrote_the_same_file_within_a_minute_is_named(more, twin):
    other = FAILED | {"operation_id": 3, "status": "completed", "host_id": "B", "end": at(120)} | more
    assert failures(FAILED, other)[0]["twin"] == twin


def test_a_path_of_own_disks_is_no_common_file():
    own = {"device_names": "E:\\b.bak"}
    other = FAILED | {"operation_id": 3, "status": "completed", "host_id": "B"}
    assert failures(FAILED | own, other | own)[0]["twin"] is None


def test_failures_of_one_kind_are_one_with_the_words_of_the_last_first():
    later = FAILED | {"end": at(70), "end_local": local(70), "failure_texts": ["full"], "failure_lines": [9],
                      "message_ids": [3257], "unread_file": None}  # fmt: skip
    (row,) = failures(FAILED, later)
    assert row | {"host_key": 0, "database_key": 0, "operation_key": 0, "kind_key": 0} == {
        "host_key": 0, "database_key": 0, "operation_key": 0, "kind_key": 0, "host_id": "A",
        "database": "Sales", "what": "full backup", "n": 2, "first_time": at(60), "last_time": at(70),
        "first_local": local(60), "last_local": local(70), "last_texts": ["full"], "last_ids": [3257],
        "texts": ["full", "no"], "lines": [9, 7], "role": "PRIMARY", "succeeded": None,
        "succeeded_local": None, "unread": None, "devices": "\\\\nas\\A|\\\\nas\\b", "buffer_count": 7,
        "size_kb": 1024, "total_mb": 7, "limit_mb": 9, "is_of_seeding": False, "twin": None, "twins": 0,
        "is_hushed": False,
    }  # fmt: skip


@pytest.mark.parametrize("more", [{"status": "open"}, {"status": "completed"}, {"end_local": None}])
def test_what_did_not_end_in_a_failure_is_none(more):
    assert [row["n"] for row in failures(FAILED, FAILED | more)] == [1]


def test_of_later_successes_the_first_counts_and_of_no_name_none_does():
    assert failures(FAILED, DONE | {"end": at(99), "end_local": local(99)}, DONE)[0]["succeeded"] == at(90)
    assert failures(FAILED | {"database": None}, DONE | {"database": None})[0]["succeeded"] is None


@pytest.mark.complete
@folded(
    ("roles", "role"),
    [
        ([ROLE], "PRIMARY"),
        ([ROLE | {"start": at(60)}], "PRIMARY"),
        ([ROLE | {"start": at(61)}], None),
        ([ROLE | {"end": at(60)}], None),
        ([ROLE | {"end": at(61)}], "PRIMARY"),
        ([ROLE | {"start": None}], "PRIMARY"),
        ([ROLE | {"end": None}], "PRIMARY"),
        ([ROLE | {"host_id": "B"}], None),
        ([ROLE | OPEN | {"start_local": local(0)}], None),
        ([ROLE | OPEN | {"end_local": local(0)}], None),
        ([ROLE, ROLE | {"ag": "AG2"}], "PRIMARY"),
        ([ROLE, ROLE | {"ag": "AG2", "role": "SECONDARY"}], None),
        ([ROLE, ROLE | {"ag": "AG2", "role": None}], "PRIMARY"),
    ],
)
def test_the_role_of_a_server_is_the_one_that_it_has_in_all_its_groups_then(roles, role):
    assert failures(FAILED, roles=tuple(roles))[0]["role"] == role


# Groups: members, primaries.

SEEDING = {"ag": "AG", "database": "Seeded", "start": at(2), "end": at(3), "backup_ids": None}


@pytest.mark.parametrize(
    "more",
    [
        {"role": "SECONDARY"}, {"ag": None}, {"host_id": None}, {"start_local": local(0)},
        {"end_local": local(0)},
    ],
)  # fmt: skip
def test_a_primary_has_a_group_a_host_and_times_on_the_common_clock(more):
    rows = ask(backup, "group_primaries", roles=[ROLE, ROLE | more])
    assert rows == [{"ag": "AG", "host_id": "A", "start": at(0), "end": at(120)}]


# Where backups ran, and where they were preferred to.

TAKEN = {
    "operation_id": 1, "host_id": "A", "sql_instance": None, "database": "SALES", "kind": "full",
    "operation": "backup", "status": "completed", "end": at(60), "first_lsn": "1", "last_lsn": "2",
    "content_id": "log", "line": 7,
}  # fmt: skip
OF_GROUP = {"ag": "AG", "database_key": "sales", "database": "Sales", "since": at(0)}
PREFERENCE = {"ag": "AG", "option": "automated_backup_preference", "replica": None, "value": "secondary",
              "time": at(0), "is_look": False, "option_id": 1}  # fmt: skip
PRIORITY = PREFERENCE | {"option": "backup_priority", "replica": "a", "value": "50"}
PATH = {"content_id": "log", "path": "A/ERRORLOG"}
AFTER = {"time": at(61)}
SEEN_AFTER = AFTER | {"is_look": True}
UNTIMED = {"time": None}


def preferred(**more: Any) -> list[dict[str, Any]]:
    tables = {"backups": [TAKEN], "group_options": [PREFERENCE], "seedings": [SEEDING, {"backup_ids": [9]}],
              "roles": [ROLE], "captures": [PATH]}  # fmt: skip
    return ask(backup, "preferred", {"log_hours": 24}, group_databases=[OF_GROUP], **(tables | more))


@pytest.mark.parametrize(
    "more",
    [
        {"operation": "restore"}, {"status": "failed"}, {"kind": "file"}, {"database": "Stock"},
        {"operation_id": 9},
    ],
)  # fmt: skip
def test_seedings_failures_and_other_kinds_are_no_backups_to_judge(more):
    rows = preferred(backups=[TAKEN, TAKEN | {"operation_id": 2} | more])
    assert [row["operation_id"] for row in rows] == [1]


@pytest.mark.complete
@folded(
    ("more", "role"),
    [
        ({"role": "SECONDARY"}, "SECONDARY"),
        ({"role": "RESOLVING"}, None),
        ({"start": at(60)}, "PRIMARY"),
        ({"start": at(61)}, None),
        ({"end": at(60)}, None),
        ({"end": at(61)}, "PRIMARY"),
        (OPEN, "PRIMARY"),
        ({"start_local": local(0)}, None),
        ({"end_local": local(0)}, None),
        ({"host_id": "B"}, None),
        ({"ag": "AG2"}, None),
    ],
)
def test_a_role_is_that_of_the_server_in_the_group_when_the_backup_ended(more, role):
    assert preferred(roles=[ROLE | more])[0]["role"] == role


@pytest.mark.complete
@folded(
    ("more", "has_one"),
    [
        ({}, True),
        ({"start": at(60)}, True),
        ({"start": at(61)}, False),
        ({"end": at(60)}, False),
        ({"end": at(61)}, True),
        ({"ag": "AG2"}, False),
        ({"role": "PRIMARY"}, False),
        ({"host_id": "A"}, False),
    ],
)
def test_a_group_has_a_secondary_while_another_host_was_one(more, has_one):
    second = ROLE | {"host_id": "B", "role": "SECONDARY"} | more
    assert preferred(roles=[second])[0]["has_secondary"] is has_one


NAMED = PREFERENCE | {"value": "primary"}


@pytest.mark.complete
@folded(
    ("options", "value"),
    [
        ([PREFERENCE], "SECONDARY"),
        ([PREFERENCE | {"time": at(60)}], "SECONDARY"),
        ([PREFERENCE | AFTER], None),
        ([PREFERENCE, NAMED | {"time": at(1)}], "PRIMARY"),
        ([PREFERENCE | {"option_id": 2}, NAMED], "SECONDARY"),
        ([PREFERENCE, NAMED | SEEN_AFTER], "SECONDARY"),
        ([PREFERENCE | SEEN_AFTER], "SECONDARY"),
        ([PREFERENCE | AFTER, NAMED | SEEN_AFTER | {"time": at(62)}], None),
        ([PREFERENCE | UNTIMED], "SECONDARY"),
        ([PREFERENCE | UNTIMED, NAMED | UNTIMED], None),
        ([PREFERENCE | UNTIMED, NAMED | AFTER], None),
        ([PREFERENCE | {"replica": "A"}], None),
        ([PREFERENCE | {"option": "x"}], None),
        *(([PREFERENCE | when | {"ag": "AG2"}], None) for when in ({}, SEEN_AFTER, UNTIMED)),
        *(([PRIORITY | when], None) for when in ({}, SEEN_AFTER, UNTIMED)),
    ],
)  # fmt: skip
def test_a_preference_holds_from_its_statement_or_look_on_and_before_the_first_look(options, value):
    assert preferred(group_options=options)[0]["preference"] == value


@pytest.mark.complete
@folded("when", [{}, SEEN_AFTER, UNTIMED])
@folded(
    ("more", "value"),
    [
        ({}, 50),
        ({"ag": "AG2"}, None),
        ({"replica": "B"}, None),
        ({"replica": None}, None),
        ({"option": "automated_backup_preference"}, None),
        ({"option": "automated_backup_preference", "replica": None}, None),
    ],
)
def test_a_priority_is_that_of_the_server_in_its_group(when, more, value):
    assert preferred(group_options=[PRIORITY | when | more])[0]["priority"] == value


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ([PRIORITY | {"time": at(60)}], 50),
        ([PRIORITY | AFTER], None),
        ([PRIORITY, PRIORITY | {"time": at(1), "value": "0"}], 0),
        ([PRIORITY | UNTIMED, PRIORITY | UNTIMED | {"value": "0"}], None),
    ],
)
def test_a_priority_holds_from_its_statement_on(options, value):
    assert preferred(group_options=options)[0]["priority"] == value


# Stages, files with zeros, versions.

STAGED = {
    "operation_id": 1, "host_id": "A", "database": "Sales", "operation": "backup", "kind": "full",
    "start_local": local(0), "duration_s": 9.0, "stages": [("prepare", 1.0), ("data", 8.0)],
}  # fmt: skip
STAGES = pa.schema(
    [("operation_id", pa.int64()), *((name, pa.string()) for name in ("host_id", "database", "operation",
     "kind")), ("start_local", pa.timestamp("us")), ("duration_s", pa.float64()),
     ("stages", pa.map_(pa.string(), pa.float64()))]
)  # fmt: skip


@pytest.mark.parametrize(("asked", "found"), [(None, [1, 3]), ("sales", [1]), ("x", [])])
def test_stages_are_those_of_traced_operations_of_the_databases_asked_for(asked, found):
    rows = [STAGED, STAGED | {"operation_id": 2, "stages": None},
            STAGED | {"operation_id": 3, "database": "Stock", "duration_s": 3.0}]  # fmt: skip
    told = ask(backup, "stages", {"database": asked}, backups=pa.Table.from_pylist(rows, STAGES))
    assert [row["duration_s"] for row in told] == [{1: 9.0, 3: 3.0}[each] for each in found]
    assert all((row["prepare"], row["data"], row["log"]) == (1.0, 8.0, None) for row in told)


ZEROED = {"host_id": "A", "path": "E:\\a.mdf"}
STARTED = {"host_id": "A", "instant_file_initialization": "disabled", "time_local": local(0)}


@pytest.mark.parametrize(
    ("starts", "instant"),
    [
        ([STARTED], "disabled"),
        ([STARTED, STARTED | {"instant_file_initialization": "enabled", "time_local": local(1)}], "enabled"),
        ([STARTED | {"host_id": "B"}], None),
    ],
)
def test_instant_initialisation_is_what_the_last_start_of_the_host_says(starts, instant):
    rows = ask(backup, "zeroed", zeroed_files=[ZEROED], server_starts=starts)
    assert rows == [ZEROED | {"place": 1, "instant": instant}]

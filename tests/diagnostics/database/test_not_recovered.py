"""database.not_recovered: which database, what its session logged before, and whether it came back."""

from __future__ import annotations

from datetime import timedelta

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.tiny import START, case

FAULT = "SQL1 | 100 | database_fault | 3414 | event=not_recovered; database=Sales"


def entries(made, *rows):
    """Put entries of the log beside the fault: seconds, line, session, error, text."""
    (content,) = {row["content_id"] for row in made.rows("select content_id from messages")}
    for seconds, line, source, error, text in rows:
        made.run(
            "insert into errorlog by name select $content as content_id, 'SQL1' as host_id, $line as line, "
            "$at::timestamp as time_local, timezone('UTC', $at::timestamp) as time, $source as source, "
            "$error as error, $text as message",
            {"content": content, "line": line, "at": f"{START + timedelta(seconds=seconds)}",
             "source": source, "error": error, "text": text},
        )  # fmt: skip
    return made


def line_of(made):
    ((line,),) = [(row["line"],) for row in made.rows("select line from messages")]
    return line


def with_cause(before_s=5, source="spid20s"):
    made = case(messages=FAULT)
    line = line_of(made)
    made.run("update messages set line = 50")
    told = "SQL Server detected a logical consistency-based I/O error in file 'E:\\Sales.mdf'."
    assert line is not None
    return entries(
        made, (100 - before_s, 40, source, 824, told), (100, 50, "spid20s", 3414, "An error occurred")
    )


def test_what_the_session_logged_just_before_is_the_cause():
    (one,) = Databases(with_cause()).findings()
    assert one.severity == "critical"
    assert (
        "E:\\Sales.mdf" in {each.label: each.value for each in one.evidence}["logged just before (error 824)"]
    )


def test_what_was_logged_long_before_or_by_another_session_is_none():
    for made in (with_cause(before_s=80), with_cause(source="spid7s")):
        (one,) = Databases(made).findings()
        assert_facts(one, database="Sales", host="SQL1", entries=1, first="2024-03-05T12:01:40+00:00")


def test_a_database_that_came_back_is_a_warning():
    back = "SQL1 | 200 | timeline | kind=database_connected; database=Sales; replica=SQL2"
    (one,) = Databases(case(messages=FAULT, relations=back)).findings()
    assert one.severity == "warning"
    assert_facts(one, entries=1, back="2024-03-05T12:03:20+00:00")


def test_redo_that_failed_is_told_as_such():
    failed = "SQL1 | 100 | database_fault | 3313 | event=redo_failed; database=Sales; page=(1:7)"
    (one,) = Databases(case(messages=failed)).findings()
    assert_facts(one, database="Sales", host="SQL1", entries=1, first="2024-03-05T12:01:40+00:00")


def test_an_errorlog_whose_path_is_not_known_is_named_as_such():
    made = with_cause()
    made.run("delete from contents")
    (one,) = Databases(made).findings()
    assert {each.source for each in one.evidence} == {"ERRORLOG line 50", "ERRORLOG line 40"}

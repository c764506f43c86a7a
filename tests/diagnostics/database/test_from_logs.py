"""A full log as an ERRORLOG has it, in several languages and builds, from its bytes to the finding."""

from __future__ import annotations

import pytest

import agtrace
from tests.behind import assert_facts
from tests.ingest import texts
from tests.ingest.test_ingest import put


def log(*entries):
    lines = [f"2019-03-02 09:10:{at:02}.50 {source:<12}{text}\r\n" for at, source, text in entries]
    return texts.errorlog(1) + "".join(lines).encode("utf-16-le")


def findings(tmp_path, *entries):
    put(tmp_path, ERRORLOG=log(*entries))
    with agtrace.open_case(tmp_path) as case:
        return [f for f in case.findings() if f.id.startswith("database.")]


@pytest.mark.complete
@pytest.mark.parametrize(
    "text",
    [
        "The transaction log for database 'Sales' is full due to 'LOG_BACKUP'.",
        "The transaction log for database 'Sales' is full due to 'LOG_BACKUP' and the holdup lsn is (2:4:1).",
        "Das Transaktionsprotokoll für die 'Sales'-Datenbank ist aufgrund von 'LOG_BACKUP' voll.",
        "'LOG_BACKUP' nedeniyle 'Sales' veritabanı için işlem günlüğü dolu.",
    ],
)
def test_a_full_log_is_told_in_any_language(tmp_path, text):
    (one,) = findings(tmp_path, (1, "spid52", "Error: 9002, Severity: 17, State: 2."), (1, "spid52", text))
    assert one.id == "database.log_full"
    assert_facts(one, database="Sales", host="JBSAG3", entries=1, first="2019-03-02T00:10:01.500000+00:00")


@pytest.mark.complete
def test_a_recovery_that_failed_names_the_file_that_could_not_be_opened(tmp_path):
    file = "E:\\data\\Sales.mdf"
    (one,) = findings(
        tmp_path,
        (1, "spid20s", "Error: 17207, Severity: 16, State: 1."),
        (1, "spid20s", f"FCB::Open: Operating system error 2 occurred while opening file '{file}'."),
        (2, "spid20s", "Error: 3414, Severity: 21, State: 1."),
        (2, "spid20s", "An error occurred during recovery, preventing the database 'Sales' (7:0) from "
                       "restarting. Diagnose the recovery errors and fix them."),
    )  # fmt: skip
    assert (one.id, one.severity) == ("database.not_recovered", "critical")
    assert_facts(one, database="Sales", host="JBSAG3", entries=1, error="17207")
    assert any(file in str(each.value) for each in one.evidence)


@pytest.mark.complete
@pytest.mark.parametrize("page", [" (page (1:99) if any)", ""], ids=["2014 and later", "2012"])
def test_a_log_record_that_could_not_be_redone_names_the_page_that_was_damaged(tmp_path, page):
    (one,) = findings(
        tmp_path,
        (1, "spid20s", "Error: 824, Severity: 24, State: 2."),
        (1, "spid20s", "SQL Server detected a logical consistency-based I/O error: incorrect checksum. It "
                       "occurred during a read of page (1:99) in database ID 7."),
        (2, "spid20s", "Error: 3313, Severity: 21, State: 2."),
        (2, "spid20s", f"During redoing of a logged operation in database 'Sales'{page}, an error occurred "
                       "at log record ID (40:123:4). Typically, the specific failure is previously logged "
                       "as an error in the operating system error log."),
    )  # fmt: skip
    assert_facts(one, database="Sales", host="JBSAG3", entries=1, error="824")

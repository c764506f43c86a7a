"""``agtrace around``: what every host logged around a moment, a line each, with the place where it stands."""

from __future__ import annotations

import pandas as pd
import pytest

from agtrace.cli.around import once
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture
def case(tmp_path):
    """An ERRORLOG of JBSAG3 at +9:00, and one of JBSAG1 in a zone that nothing tells."""
    for host in ("JBSAG3", "JBSAG1"):
        (tmp_path / "case" / host).mkdir(parents=True)
    put(tmp_path / "case" / "JBSAG3", ERRORLOG=texts.errorlog(2))
    put(tmp_path / "case" / "JBSAG1", ERRORLOG=texts.errorlog(2, server="JBSAG1", adjustment=None))
    return tmp_path / "case"


UNKNOWN = "agtrace: warning: entries in the local time of JBSAG1 are left out"


def test_each_entry_has_both_times_its_host_and_where_it_stands(agtrace, case):
    ran = agtrace("around", case, "2019-03-02 00:01:00", "--minutes", "0.005")
    names, first, entry, *rest = ran.out.splitlines()
    assert names.split() == ["time", "(UTC)", "local", "time", "host", "source", "text,", "file:line"]
    assert first == "---- 2019-03-02 00:01:00.000 UTC ----"
    assert entry.startswith("2019-03-02 00:01:00.000  09:01:00.000  JBSAG3  ERRORLOG      ")
    assert "Login number 0" in entry
    assert entry.endswith("JBSAG3/ERRORLOG:8")
    assert rest == []
    assert (ran.status, ran.err.startswith(UNKNOWN)) == (0, True)


def test_in_local_time_a_host_without_a_zone_takes_part(agtrace, case):
    ran = agtrace("around", case, "2019-03-02 09:01:00", "--local", "--minutes", "0.005", "--csv")
    rows = [line.split(",")[:3] for line in ran.out.splitlines()]
    assert rows == [
        ["time", "time_local", "host_id"],
        ["", "2019-03-02T09:01:00", "JBSAG1"],
        ["2019-03-02T00:01:00+00:00", "2019-03-02T09:01:00", "JBSAG3"],
    ]


def test_where_nothing_was_logged_the_span_of_the_captures_is_told(agtrace, case):
    ran = agtrace("around", case, "2001-01-01", "--local")
    assert (ran.status, ran.out) == (
        0,
        "Nothing was logged from 2000-12-31 23:59:00 to 2001-01-01 00:01:00 local time of each host.\n"
        "The captures are of 2019-03-02 09:00:00.000 to 2019-03-02 09:01:01.000.\n",
    )


@pytest.mark.parametrize("given", [["noon"], ["2019-03-02", "--minutes", "0"], ["2019-03-02Z", "--local"]])
def test_what_is_no_moment_is_one_line(agtrace, case, given):
    ran = agtrace("around", case, *given)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)


MOVED = "The availability group database is changing roles"


def test_a_message_of_two_logs_is_one_entry_that_names_both():
    rows = [row("ERRORLOG", f"spid29s {MOVED}", 1), row("error_reported", f"severity=10, message={MOVED}", 7)]
    assert [(each["line"], [other["line"] for other in also]) for each, also in once(rows)] == [(1, [7])]


@pytest.mark.parametrize(
    "other",
    [
        {"source": "ERRORLOG"},
        {"host_id": "SQL2"},
        {"time": pd.Timestamp("2024-02-06 14:45:13", tz="UTC")},
        {"text": "spid29s Another message of the same moment"},
        {"text": "Short."},
    ],
)
def test_another_log_host_moment_or_text_is_another_entry(other):
    rows = [row("ERRORLOG", f"spid29s {MOVED}", 1), row("error_reported", f"message={MOVED}", 7) | other]
    assert [len(also) for _, also in once(rows)] == [0, 0]


def row(source, text, line):
    moment = pd.Timestamp("2024-02-06 14:45:12", tz="UTC")
    return {"time": moment, "host_id": "SQL1", "source": source, "text": text, "line": line}

"""``agtrace around``: what every host logged around a moment, a line each, with the place where it stands."""

from __future__ import annotations

import pytest

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
    first, entry, *rest = ran.out.splitlines()
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

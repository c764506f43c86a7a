"""What the logs say around the marks of the timeline, as it lies packed in each page."""

from __future__ import annotations

import base64
import json
import zlib
from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.report import lines as packing
from agtrace.report.lines import lines
from tests.ingest import texts
from tests.ingest.test_ingest import put

ENTRIES = 130
"""Log-ons of each host, a second apart; the texts of a log come before them."""
FIRST_LOGIN = datetime(2019, 3, 2, 0, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    for host in ("JBSAG1", "JBSAG3"):
        (folder / host).mkdir()
        put(folder / host, ERRORLOG=texts.errorlog(ENTRIES, server=host))
    with agtrace.open_case(folder) as opened:
        yield opened


def unpacked(text):
    found = json.loads(zlib.decompress(base64.b64decode(text)))
    times, before = [], 0
    for step in found["t"]:
        before += step
        times.append(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=before))
    return found | {"t": times}


def at(n):
    return FIRST_LOGIN + timedelta(seconds=n)


def test_each_host_has_fifty_entries_before_a_moment_and_fifty_from_it_on(case):
    found = unpacked(lines(case.view, ["JBSAG3", "JBSAG1"], [at(60)], 1))
    for host in (0, 1):
        times = [time for time, place in zip(found["t"], found["h"], strict=True) if place == host]
        assert times == [at(n) for n in range(11, 111)]
    assert found["o"] == [540 * 60_000_000] * 200
    assert found["files"] == ["JBSAG1/ERRORLOG", "JBSAG3/ERRORLOG"]
    assert found["sources"] == ["ERRORLOG"]
    assert found["x"][0].endswith("Login number 11 succeeded for user 'app'.")


def test_the_places_of_a_host_tell_what_is_left_out(case):
    found = unpacked(lines(case.view, ["JBSAG1"], [at(0), at(129)], 2))
    steps = [b - a for a, b in zip(found["p"], found["p"][1:], strict=False)]
    assert [step for step in steps if step > 1] == [30]


def test_a_host_whose_clock_is_ahead_is_shown_by_the_reference_clock(case):
    with agtrace.open_case(case.folder) as opened:
        view = opened.view
        view.compute("from reference_clock")
        view.run("update reference_clock set ahead_us = 2000000 where host_id = 'JBSAG1'")
        found = unpacked(lines(view, ["JBSAG1", "JBSAG3"], [at(60)], 1))
    first = [next(t for t, h in zip(found["t"], found["h"], strict=True) if h == host) for host in (0, 1)]
    assert first == [at(11), at(11)]
    ahead = dict(zip(found["h"], found["o"], strict=True))
    assert ahead == {0: (540 * 60 + 2) * 1_000_000, 1: 540 * 60 * 1_000_000}


def test_what_does_not_fit_is_less_around_the_others_than_around_the_headline(case, monkeypatch):
    monkeypatch.setattr(packing, "MOST_LINES", 110)
    found = unpacked(lines(case.view, ["JBSAG1"], [at(60), at(129)], 1))
    assert [time for time in found["t"] if time < at(111)] == [at(n) for n in range(11, 111)]
    assert [time for time in found["t"] if time > at(111)] == [at(n) for n in range(122, 130)]


def test_a_long_entry_is_cut(case, monkeypatch):
    monkeypatch.setattr(packing, "LONGEST", 5)
    assert unpacked(lines(case.view, ["JBSAG1"], [at(60)], 1))["x"][0] == "Logon…"


def test_without_a_moment_there_is_nothing(case):
    assert lines(case.view, ["JBSAG1"], [], 0) == ""
    assert lines(case.view, ["NOBODY"], [at(0)], 1) == ""

"""The seeding cases as agtrace reads them: everything, under the right host and in UTC."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, timedelta

import pytest

import agtrace
from agtrace.diagnostics.overview import Overview
from simulation.samples.seeding_case_plain import (
    CASES,
    MANIFEST,
    SAMPLES,
    SEEDINGS,
    clock,
    events,
    moment,
    run,
    truth,
)
from tests.folded import folded

pytestmark = pytest.mark.complete


@pytest.fixture(scope="module", params=CASES)
def opened(request, sample_store):
    with agtrace.open_case(SAMPLES / request.param, sample_store(request.param)) as case:
        yield request.param, case


def rows(case, query):
    return [tuple(row.values()) for row in case.view.table(query).to_pylist()]


def test_every_file_is_read_without_a_fault(opened):
    name, case = opened
    found = rows(case, "select path, status from captures")
    assert dict(found) == dict.fromkeys(MANIFEST[name]["sha256"], "ingested")
    assert rows(case, "select * from issues") == []


def test_every_file_has_its_host(opened):
    _, case = opened
    for path, host in rows(case, "select path, host_id from captures"):
        assert host == path.split("/")[0], path


def test_nothing_weakens_the_answers_but_what_was_not_captured(opened):
    _, case = opened
    found = Overview(case.view).findings()
    assert {finding.id for finding in found} == {"quality.not_captured"}
    assert {finding.severity for finding in found} == {"info"}


def test_the_hosts_zone_is_known(opened):
    name, case = opened
    found = rows(case, "select distinct offset_minutes from clocks")
    assert set(found) <= {(truth(name)["utc_offset_minutes"],), (0,)}
    assert (truth(name)["utc_offset_minutes"],) in found


@folded(
    "event",
    [
        "hadr_automatic_seeding_start",
        "hadr_automatic_seeding_state_transition",
        "hadr_automatic_seeding_success",
        "hadr_physical_seeding_progress",
        "hadr_physical_seeding_backup_state_change",
        "hadr_physical_seeding_restore_state_change",
        "hadr_physical_seeding_submit_callback",
    ],
)
def test_the_plain_decoder_sees_the_same_events(opened, event):
    name, case = opened
    plain = [e for host in ends(name) for e in events(name, host) if e["name"] == event]
    read = rows(case, f"select _time from events_{event}")
    expected = Counter(e["time"].replace(tzinfo=UTC) for e in plain)
    assert Counter(time for (time,) in read) == expected
    assert expected


def test_perfmon_is_in_utc(opened):
    name, case = opened
    host = truth(name)["source"]
    frame = case.perfmon("Backup/Restore Throughput/sec", host=host, instance=truth(name)["database"])
    for label in (label for of, label in SEEDINGS if of == name):
        begin, end = (moment(run(name, label)[key]) + clock(name, host) for key in ("copy_start", "copy_end"))
        around = timedelta(seconds=20)
        near = frame.loc[f"{begin - around}+00:00" : f"{end + around}+00:00"]
        busy = near[near.iloc[:, 0] > 1e6]
        # A rate speaks of the five seconds before it.
        assert 0 < (busy.index[0].to_pydatetime() - begin.replace(tzinfo=UTC)).total_seconds() < 5.1
        assert 0 < (busy.index[-1].to_pydatetime() - end.replace(tzinfo=UTC)).total_seconds() < 5.1


def ends(name):
    return truth(name)["source"], truth(name)["target"]

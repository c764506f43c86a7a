"""The relation of all Windows event logs of a case."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import agtrace
from agtrace.tables.history import RELATIONS
from simulation.formats.cluster_log import starved
from simulation.formats.event_log import EVENTS, REMOVED, SLOW, export_csv, logscout_csv, logscout_out
from simulation.formats.evtx import evtx


def rows(folder, query="select * from os_events"):
    with agtrace.open_case(folder) as case:
        return case.view.table(query).to_pylist()


@pytest.fixture
def node(tmp_path):
    """A folder of one node, whose cluster log says who it is and how far from UTC."""
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "CONTOSO1_cluster.log").write_bytes(starved(offset_minutes=-330).windows())
    return folder


def test_an_event_has_its_host_its_time_and_every_column(node):
    (node / "A_EventLog_System.out").write_text(logscout_out())
    found = rows(node)
    assert list(found[0]) == RELATIONS["os_events"].names
    removed = found[-1]
    assert (removed["host_id"], removed["log"], removed["event_id"]) == ("CONTOSO1", "System", 1135)
    assert removed["time_local"] == datetime(2026, 2, 28, 22, 10, 44)
    assert removed["time"] == datetime(2026, 2, 28, 16, 40, 44, tzinfo=UTC)


def test_an_event_that_two_files_tell_counts_once(node):
    twice = [*EVENTS, SLOW._replace(message="the same second"), SLOW._replace(message="and again")]
    (node / "A_EventLog_System.out").write_text(logscout_out(twice))
    (node / "A_EventLog_System.csv").write_text(logscout_csv(twice))
    (node / "System.export.csv").write_text(export_csv(EVENTS))
    found = rows(node)
    assert len(found) == 5
    assert len({row["message"] for row in found}) == 5


def test_equal_numbers_of_other_logs_and_seconds_are_other_events(node):
    (node / "A_EventLog_System.csv").write_text(logscout_csv([REMOVED]))
    (node / "A_EventLog_Application.csv").write_text(logscout_csv([REMOVED, SLOW]))
    later = REMOVED._replace(at=datetime(2026, 2, 28, 22, 10, 45))
    (node / "B_EventLog_System.out").write_text(logscout_out([later]))
    assert len(rows(node)) == 4


def test_a_binary_log_is_in_utc_and_joins_the_text_of_the_same_events(node):
    in_utc = [event._replace(at=event.at.replace(hour=20)) for event in EVENTS]
    (node / "System.evtx").write_bytes(evtx(in_utc))
    moved = in_utc[2]._replace(at=datetime(2026, 2, 28, 1, 30))
    (node / "A_EventLog_System.csv").write_text(
        logscout_csv([moved, REMOVED._replace(at=datetime(2026, 1, 31))])
    )
    found = rows(node, "select time, time_local, message from os_events order by time")
    assert [row["time"] for row in found] == [
        datetime(2026, 1, 30, 18, 30, tzinfo=UTC),
        datetime(2026, 2, 27, 20, 0, tzinfo=UTC),
        datetime(2026, 2, 28, 20, 5, 3, tzinfo=UTC),
        datetime(2026, 2, 28, 20, 10, 44, tzinfo=UTC),
    ]
    assert found[1]["message"] == SLOW.message
    assert found[3]["time_local"] == datetime(2026, 3, 1, 1, 40, 44)

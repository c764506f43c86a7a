"""What the cluster manager of Linux did is in the timeline, told by the logs of its nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

import agtrace
from tests.readers.pacemaker.small import LOG

ERRORLOG = """2026-03-01 10:01:00.33 Server      Microsoft SQL Server 2022 (RTM-CU12) - 16.0.4115.5 (X64)
2026-03-01 10:01:00.34 Server      UTC adjustment: {offset}
2026-03-01 10:01:00.35 Server      Error: 17663, Severity: 10, State: 1.
2026-03-01 10:01:00.35 Server      Server name is '{host}'. This is an informational message only.
2026-03-01 10:20:00.35 spid5s      Starting up database 'x'.
"""


def events(folder: Path, **logs: str) -> list[dict[str, object]]:
    for host, log in logs.items():
        own = folder / host
        own.mkdir()
        (own / "pacemaker.log").write_text(log, encoding="utf-8")
        (own / "ERRORLOG").write_text(
            ERRORLOG.format(host=f"contoso-{host}", offset="-5:00"), encoding="utf-8"
        )
    with agtrace.open_case(folder) as case:
        query = """
            select strftime(time, '%H:%M:%S') as at, host_id, replica, kind, after, value,
                   [w.source || ' of ' || w.host_id for w in witnesses] as witnesses
            from timeline where kind not in ('ready', 'restart') order by time"""
        return case.sql(query).df().to_dict("records")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return events(tmp_path_factory.mktemp("alone"), l1=LOG)


def test_resources_and_nodes_in_order_of_time_in_utc(alone):
    assert [(row["at"], row["host_id"], row["kind"]) for row in alone] == [
        ("15:16:00", "CONTOSO-L1", "monitor_timeout"), ("15:16:02", "CONTOSO-L2", "fence_asked"),
        ("15:16:02", "CONTOSO-L2", "fence_asked"), ("15:16:09", "CONTOSO-L2", "fenced"),
        ("15:16:09", "CONTOSO-L2", "node_left"), ("15:16:10", "CONTOSO-L1", "promote_asked"),
        ("15:16:12", "CONTOSO-L1", "promoted"),
    ]  # fmt: skip


def test_a_monitor_that_timed_out_carries_the_time_it_was_given(alone):
    assert (alone[0]["after"], alone[0]["value"]) == ("monitor", 60000.0)


def test_why_a_node_is_fenced_and_who_fenced_it(alone):
    assert alone[1]["after"] == "peer is no longer part of the cluster"
    assert alone[3]["replica"] == "CONTOSO-L1"


def test_what_two_nodes_tell_is_one_event_with_two_witnesses(tmp_path):
    other = (
        "\n".join(line.replace(" contoso-l1 pace", " contoso-l3 pace", 1) for line in LOG.splitlines()) + "\n"
    )
    (fenced,) = [row for row in events(tmp_path, l1=LOG, l3=other) if row["kind"] == "fenced"]
    assert sorted(fenced["witnesses"]) == ["Pacemaker log of CONTOSO-L1", "Pacemaker log of CONTOSO-L3"]


def test_a_log_that_tells_no_year_has_no_place_in_time(tmp_path):
    assert events(tmp_path, l1=LOG.replace("2026/03/01", "today")) == []

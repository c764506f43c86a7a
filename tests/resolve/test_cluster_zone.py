"""The time of a part of a cluster log that states none."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from simulation.formats.errorlog import Log

NOON = datetime(2024, 3, 5, 12)
STATE = (
    "The state of the local availability replica in availability group 'AG' has changed from "
    "'RESOLVING_NORMAL' to "
    "'PRIMARY_PENDING'.  The state changed because the availability group is coming online.  For more "
    "information, see the "
    "SQL Server error log."
)
MOVED = "Clustered role 'AG' is moving from cluster node 'sql1' to cluster node 'sql2'."
REMOVED = (
    "Cluster node 'sql2' was removed from the active failover cluster membership. The Cluster service may "
    "have stopped."
)


def log(*minutes):
    """Return an ERRORLOG of SQL1, five hours behind UTC, with a role change at each minute after noon UTC."""
    begin = NOON - timedelta(hours=5, minutes=10)
    made = Log(begin, timedelta(0)).start("SQL1", utc="-5:00")
    for minute in minutes:
        made.add("spid29s", STATE, at=NOON - timedelta(hours=5) + timedelta(minutes=minute))
    return made.windows()


def excerpt(offset_h, *minutes):
    """Return cluster log entries a second after each minute, and a removal a minute after the last."""
    at = [NOON + timedelta(hours=offset_h, minutes=minute, seconds=1) for minute in minutes]
    lines = [f"[Operational] 0000084c.000011d4::{one:%Y/%m/%d-%H:%M:%S}.000 INFO  {MOVED}" for one in at]
    last = at[-1] + timedelta(minutes=1)
    lines.append(f"[System] 0000084c.00000c88::{last:%Y/%m/%d-%H:%M:%S}.000 DBG   {REMOVED}")
    return "\n".join([*lines, ""]).encode()


def removed(folder, offset_h, *minutes):
    (folder / "ERRORLOG").write_bytes(log(0, 7, 31))
    (folder / "part.txt").write_bytes(excerpt(offset_h, *minutes))
    with agtrace.open_case(folder) as case:
        rows = case.view.rows(
            "select host_id, time from timeline where kind = 'node_removed' and time is not null"
        )
    return [(row["host_id"], row["time"].replace(tzinfo=None) - NOON) for row in rows]


@pytest.mark.parametrize("offset_h", [0, -5], ids=["UTC", "local time"])
def test_three_moments_that_servers_note_too_tell_its_offset(tmp_path, offset_h):
    assert removed(tmp_path, offset_h, 0, 7, 31) == [("SQL2", timedelta(minutes=32, seconds=1))]


@pytest.mark.parametrize(
    ("offset_h", "minutes"), [(0, (0, 7)), (3, (0, 7, 31)), (0, (3, 14, 50))],
    ids=["two moments", "an offset that no host has", "other moments"],
)  # fmt: skip
def test_less_than_that_tells_nothing(tmp_path, offset_h, minutes):
    assert removed(tmp_path, offset_h, *minutes) == []

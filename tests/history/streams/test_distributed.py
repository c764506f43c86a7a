"""Streams of a distributed group: between its groups, beside those in them, whatever part was captured."""

from __future__ import annotations

import pytest

from tests.diagnostics.distributed.cases import ALL, perfmon
from tests.diagnostics.tiny import case

COLUMNS = 'ag, primary_replica, replica, "database", is_distributed'


def streams(text: str) -> list[tuple]:
    rows = case(text).rows(f"select {COLUMNS} from streams order by ag, stream_id")
    return [tuple(row.values()) for row in rows]


IN_FIRST = ("AG1", "SRV1", "SRV2", "Sales", False)
IN_SECOND = ("AG2", "SRV3", "SRV4", "Sales", False)
BETWEEN = ("DAG", "SRV1", "SRV3", "Sales", True)
NO_SENDER = ("DAG", "AG1", "SRV3", "Sales", True)


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        (ALL, [IN_FIRST, IN_SECOND, BETWEEN]),
        (("SRV1", "SRV3", "SRV4"), [IN_FIRST, IN_SECOND, BETWEEN]),
        (("SRV1", "SRV3"), [IN_FIRST, IN_SECOND, BETWEEN]),
        (("SRV3", "SRV4"), [IN_SECOND, NO_SENDER]),
        (("SRV3",), [IN_SECOND, NO_SENDER]),
        (("SRV4",), [IN_SECOND]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value[0], str) else "",
)
def test_each_hop_is_a_stream_whatever_part_was_captured(hosts, expected):
    assert streams(perfmon(*hosts)) == expected


def test_the_roles_of_a_forwarder_are_told_by_the_bytes_of_each_group():
    made = case(perfmon(*ALL))
    rows = made.rows("select ag, host_id, role from roles order by ag, host_id")
    assert [tuple(row.values()) for row in rows] == [
        ("AG1", "SRV1", "PRIMARY"), ("AG1", "SRV2", "SECONDARY"),
        ("AG2", "SRV3", "PRIMARY"), ("AG2", "SRV4", "SECONDARY"),
        ("DAG", "SRV1", "PRIMARY"), ("DAG", "SRV3", "SECONDARY"),
    ]  # fmt: skip


def test_a_stream_between_groups_has_the_log_of_both_ends():
    (row,) = case(perfmon("SRV1", "SRV3")).rows(
        "select flushed_bytes_per_s, received_bytes_per_s, sent_bytes_per_s, is_stale from streams "
        "where is_distributed"
    )
    assert tuple(row.values()) == (1_000_000, 400_000, 400_000, False)


def test_a_queue_that_stands_still_at_the_end_is_stale():
    (row,) = case(perfmon("SRV1", "SRV3", queue="5000", arrives="60x400000, 0")).rows(
        "select is_stale from streams where is_distributed"
    )
    assert row["is_stale"]


def test_a_replica_that_is_called_as_a_group_is_a_host_where_one_is():
    text = perfmon("SRV1", "SRV2").replace("AG1:SRV1", "SRV2:SRV1").replace("AG1:SRV2", "SRV2:SRV2")
    assert {row[4] for row in streams(text)} == {False}


def test_databases_of_other_groups_on_the_same_servers_are_not_forwarded():
    other = "\n".join(
        line.replace("AG1:", "AGX:").replace("(Sales)", "(Own)")
        for line in perfmon("SRV1", "SRV2").splitlines()
        if "DAG" not in line
    )
    between = [row for row in streams(f"{perfmon(*ALL)}\n{other}") if row[4]]
    assert between == [BETWEEN]

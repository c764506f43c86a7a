"""A distributed group as LogScout's script shows it on the two primaries, read from files."""

from __future__ import annotations

import pytest

import agtrace
from simulation.formats import rowsets as make

SYNCHRONOUS = "SYNCHRONOUS_COMMIT"
DAG = "DDDDDDDD-1111-4222-8333-0123456789AB"
STAMP = "20260301T1015302241_AlwaysOnDiagScript.out"
GROUPS = (
    ("group_id", 36), ("name", 128), ("failure_condition_level", -23), ("health_check_timeout", -20),
    ("is_distributed", -14), ("primary_replica", 128),
)  # fmt: skip
REPLICAS = (
    ("group_name", 256), ("replica_server_name", 256), ("replica_id", 36), ("group_id", 36),
    ("endpoint_url", 256),
    ("failover_mode_desc", 60), ("is_local", -8), ("role_desc", 60), ("availability_mode_desc", 60),
)  # fmt: skip
STATES = (
    ("Availability_Group", 128), ("replica_id", 36), ("database_name", 128), ("is_local", -8),
    ("synchronization_state_desc", 60), ("is_suspended", -12), ("log_send_queue_size", -20),
    ("log_send_rate", -20),
    ("redo_queue_size", -20), ("redo_rate", -20), ("last_commit_time", 23), ("replica_name", 256),
)  # fmt: skip


def look(
    own: str, server: str, other: str, sides: tuple[str, str], states: list[tuple], url: str = "TCP://{}:5022"
) -> str:
    """Write a look at the primary of a group that is one side of DAG."""
    local, remote = sides
    roles = ("PRIMARY", "SECONDARY") if local == "AG1" else ("SECONDARY", None)
    return "".join([
        make.look("2026-03-01 10:15:31.017"),
        make.rowset("AG_hadr_ag_states", GROUPS, [
            (make.AG, own, 3, 30000, 0, server),
            (DAG, "DAG", None, None, 1, local if local == "AG1" else None),
        ]),
        make.rowset("AG_hadr_ag_replica_states", REPLICAS, [
            (own, server, make.A, make.AG, url.format(server), "AUTOMATIC", 1, "PRIMARY", SYNCHRONOUS),
            (own, other, make.B, make.AG, url.format(other), "AUTOMATIC", 0, "SECONDARY", SYNCHRONOUS),
            ("DAG", local, make.A, DAG, url.format(local), "MANUAL", 1, roles[0], SYNCHRONOUS),
            ("DAG", remote, make.B, DAG, url.format(remote), "MANUAL", 0, roles[1], SYNCHRONOUS),
        ]),
        make.rowset("AG_hadr_ag_database_replica_states", STATES, states),
    ])  # fmt: skip


def state(ag, replica, at, *, queue=None, rate=None, is_local=0):
    return (
        ag,
        make.A,
        "Sales",
        is_local,
        "SYNCHRONIZING",
        0,
        queue,
        rate,
        0,
        100,
        f"2026-03-01 10:15:{at}",
        replica,
    )


def sender(url="TCP://{}:5022"):
    states = [
        state("AG1", "SRV1", "30.000", is_local=1), state("AG1", "SRV2", "30.000", queue=0, rate=900),
        state("DAG", "AG1", "30.000", is_local=1), state("DAG", "AG2", "11.000", queue=4000, rate=200),
    ]  # fmt: skip
    return look("AG1", "SRV1", "SRV2", ("AG1", "AG2"), states, url)


SENDER = sender()


def told(folder, **looks):
    folder.mkdir(exist_ok=True)
    for server, text in looks.items():
        (folder / f"{server}_{STAMP}").write_text(text, encoding="utf-8")
    with agtrace.open_case(folder) as case:
        return [finding.title for finding in case.distributed.findings()]


@pytest.mark.complete
def test_a_look_that_is_cut_off_says_less(tmp_path):
    for place in range(0, len(SENDER), 997):
        assert len(told(tmp_path / str(place), SRV1=SENDER[:place])) <= 1


@pytest.mark.complete
def test_a_group_that_is_a_replica_is_no_name_of_the_server_that_was_looked_at(tmp_path):
    """DAG's own replica is AG1 on SRV1: a file that both names stand in is of SRV1 all the same."""
    (tmp_path / "look.out").write_text(SENDER, encoding="utf-8")
    with agtrace.open_case(tmp_path) as case:
        assert case.sql("select distinct host_id from replicas").fetchall() == [("SRV1",)]
        assert "quality.host_unknown" not in {finding.id for finding in case.findings()}

"""Names behind ids, from outputs of sqlcmd and from events."""

from __future__ import annotations

from datetime import UTC, timedelta

from simulation.formats import rowsets as make
from tests.diagnostics.tiny import START, case
from tests.history.outputs import relation


def test_ids_in_small_letters_with_their_names(tmp_path):
    text = make.replicas() + make.states(["Sales"])
    query = "select kind, id, name from ag_names order by all"
    assert relation(tmp_path, query, look__out=text) == [
        ("database", "00000000-2222-4222-8333-0123456789ab", "Sales"),
        ("group", make.AG.lower(), "AG1"),
        ("replica", make.A.lower(), "SRV1"),
        ("replica", make.B.lower(), "SRV2"),
    ]


def test_events_of_the_health_session_name_groups_and_replicas():
    made = case(
        events=f"""
        SRV1 | 5 | availability_replica_state_change | availability_group_id={make.AG}; availability_group_name=AG1; availability_replica_id={make.A}; availability_replica_name=SRV1; previous_state=RESOLVING_NORMAL; current_state=PRIMARY_NORMAL
        SRV1 | 9 | availability_replica_state_change | availability_group_id={make.AG}; availability_group_name=AG1; availability_replica_id={make.A}; availability_replica_name=SRV1; previous_state=PRIMARY_NORMAL; current_state=RESOLVING_NORMAL
        """  # noqa: E501
    )
    found = made.rows("select host_id, kind, id, name, time from ag_names order by kind")
    first = (START + timedelta(seconds=5)).replace(tzinfo=UTC)
    assert [tuple(row.values()) for row in found] == [
        ("SRV1", "group", make.AG.lower(), "AG1", first),
        ("SRV1", "replica", make.A.lower(), "SRV1", first),
    ]

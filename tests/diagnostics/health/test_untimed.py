"""What is said of hosts whose offset from UTC is unknown, and of roles that nothing else includes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from agtrace.diagnostics.health import Health
from agtrace.diagnostics.health.role import roles
from agtrace.diagnostics.health.untimed import untimed
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, findings, state, told
from tests.diagnostics.tiny import START, case

NORMAL, RESOLVING = "PRIMARY_NORMAL", "RESOLVING_NORMAL"
LOST = state(0, "A", NORMAL, RESOLVING)
ONLINE = state(0, "A", "PRIMARY_PENDING", NORMAL)
DATABASE = event(0, "A", "database_role", database="D", before="PRIMARY", after="RESOLVING")


def local(*rows):
    """Return rows of untimed.sql, which marks local times as UTC."""
    return [row._replace(time_local=row.time.replace(tzinfo=None)) for row in rows]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (event(0, "A", "quorum_lost"), "health.quorum"),
        (event(0, "A", "lease_expired", ag="AG"), "health.lease"),
        (event(0, "A", "stop_requested"), "health.restart"),
        (event(0, "A", "long_io", value=16_000.0), "health.long_io"),
        (event(0, "A", "movement_suspended", database="D"), "health.suspended"),
        (event(0, "A", "connection_timeout", replica="B"), "health.disconnect"),
        (LOST, "health.no_primary"),
        (ONLINE, "health.role"),
        (DATABASE, "health.role"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.kind,
)
def test_an_entry_without_an_offset_is_reported_in_local_time(row, expected):
    (found,) = findings(untimed, local(row), [], told(), Thresholds(), lambda _host: [])
    assert (found.id, found.window["local"]) == (expected, True)
    assert found.window["start"] == at(0).replace(tzinfo=None).isoformat()
    shown = [found.title, found.narrative, *(f"{each.value} {each.source}" for each in found.evidence)]
    assert not [text for text in shown if re.search(r"\d UTC", text)]


def test_the_times_of_two_hosts_without_an_offset_do_not_compare():
    rows = local(LOST, state(5, "B", "PRIMARY_PENDING", NORMAL))
    assert findings(untimed, rows, [], told(), Thresholds(), lambda _host: []) == []


def test_an_entry_is_not_the_last_where_later_ones_have_an_offset():
    later = told(events=[event(900, "A", "ready")])
    assert findings(untimed, local(LOST), [], later, Thresholds(), lambda _host: []) == []


@pytest.mark.parametrize(
    "more",
    [[event(-60, "A", "ready")], [state(-600, "B", "PRIMARY_PENDING", NORMAL)]],
    ids=["its instance started", "another primary before"],
)
def test_a_group_that_comes_online_after_a_start_or_a_primary_is_no_finding(more):
    assert not [one for one in findings(roles, told(events=[ONLINE, *more])) if one.subject["host"] == "A"]


def test_roles_that_a_failover_or_a_state_of_the_replica_includes_are_no_finding():
    assert findings(roles, told([failover(-5, 1)], [ONLINE])) == []
    assert findings(roles, told(events=[DATABASE, LOST])) == []


STATE = "A | {} | replica_state | 19406 | ag=AG; old_state={}; new_state={}"


def test_a_log_without_an_offset_tells_its_failover_in_local_time():
    logged = [
        STATE.format(0, "PRIMARY_PENDING", NORMAL),
        "A | 900 | lease | 19407 | ag=AG; event=expired",
        STATE.format(901, NORMAL, RESOLVING),
        STATE.format(910, "PRIMARY_PENDING", NORMAL),
    ]
    found = Health(case(messages="\n".join(logged), zone_unknown=("A",))).findings()
    (one,) = [each for each in found if each.id == "health.failover"]
    assert one.subject == {
        "ag": "AG", "from": "A", "to": "A", "mode": "automatic", "trigger": "lease_expired",
        "cause": "lease_expired",
    }  # fmt: skip
    assert (one.window["local"], one.window["end"]) == (True, (START + timedelta(seconds=910)).isoformat())
    assert "no later primary" not in " ".join(each.narrative for each in found)

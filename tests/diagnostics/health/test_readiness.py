"""health.readiness: which replica would take over, as of the last look, what forbids it, what it costs."""

from __future__ import annotations

import shutil
from unittest.mock import ANY

import pytest

import agtrace
from agtrace.diagnostics.health import Health
from simulation.formats import rowsets as make
from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.shared import CAPTURES, needs_captures

PRIMARY = (
    "A | {at} | replicas | ag=AG; replica=A; node=A; is_local=true; role=PRIMARY; "
    "availability_mode=SYNCHRONOUS_COMMIT; failover_mode={mode}; connected_state=CONNECTED; "
    "synchronization_health=HEALTHY"
)
SECONDARY = (
    "A | {at} | replicas | ag=AG; replica={name}; node={name}; is_local=false; role=SECONDARY; "
    "availability_mode={commit}; failover_mode={mode}; connected_state={state}; "
    "synchronization_health={health}"
)
DATABASE = (
    "A | {at} | database_states | ag=AG; database={database}; replica={replica}; is_local={local}; "
    "synchronization_state={state}; is_suspended={suspended}{more}"
)
SYNCHRONOUS, ASYNCHRONOUS = "SYNCHRONOUS_COMMIT", "ASYNCHRONOUS_COMMIT"


def primary(at=600, mode="AUTOMATIC"):
    return PRIMARY.format(at=at, mode=mode)


def secondary(name="B", mode="AUTOMATIC", commit=SYNCHRONOUS, state="CONNECTED", health="HEALTHY", at=600):
    return SECONDARY.format(at=at, name=name, mode=mode, commit=commit, state=state, health=health)


def database(replica="B", state="SYNCHRONIZED", name="Sales", *, suspended=False, more="", at=600):
    local = "true" if replica == "A" else "false"
    return DATABASE.format(
        at=at, database=name, replica=replica, local=local, state=state,
        suspended=str(suspended).lower(), more=f"; {more}" if more else "",
    )  # fmt: skip


WELL = (primary(), secondary(), database("A"), database())


def judged(*rows, messages="", events="", **more):
    analysis = Health(case(relations="\n".join(rows), messages=messages, events=events, **more))
    return [f for f in analysis.findings() if f.id == "health.readiness"]


def ways(*rows, **more):
    table = Health(case(relations="\n".join(rows), **more)).tbl_readiness()
    return dict(zip(table["replica"], table["takes over"], strict=True))


@pytest.mark.complete
def test_a_primary_that_fails_over_by_hand_keeps_two_automatic_replicas_from_it():
    rows = [primary(mode="MANUAL"), secondary("B"), secondary("C"), database("B"), database("C")]
    assert [f.subject["replica"] for f in judged(*rows)] == ["B", "C"]
    assert ways(*rows) == {"A": "", "B": "when asked", "C": "when asked"}
    # Fewer than two are told by health.settings.
    assert judged(primary(mode="MANUAL"), secondary("B"), database("B")) == []


@pytest.mark.complete
def test_a_connection_that_is_back_after_the_look_forbids_nothing():
    rows = [primary(), secondary(state="DISCONNECTED")]
    back = "A | 601 | connection | 35202 | ag=AG; replica=B"
    assert judged(*rows, messages=back) == []
    assert ways(*rows, messages=back)["B"] == "not shown"
    assert len(judged(*rows, messages="A | 599 | connection | 35202 | ag=AG; replica=B")) == 1


@pytest.mark.complete
def test_a_mode_that_a_statement_changed_since_counts():
    change = (
        "A | {} | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP [AG] MODIFY REPLICA ON N'B' "
        "WITH (FAILOVER_MODE = MANUAL)"
    )
    assert ways(*WELL, events=change.format(700))["B"] == "when asked"
    assert ways(*WELL, events=change.format(500))["B"] == "by itself"


def setting(scope, name, value, item="AG"):
    return f"A | 600 | cluster_settings | scope={scope}; item={item}; setting={name}; value={value}"


def moved(seconds, count):
    return (
        f"B | {seconds} | timeline | ag=AG; kind=group_moved; value={count}; replica=A; text=move of group AG"
    )


@pytest.mark.complete
def test_the_period_over_which_the_cluster_counts_is_that_which_is_set():
    allowed = [setting("group", "FailoverThreshold", 2), setting("group", "FailoverPeriod", 1)]
    (found,) = judged(*WELL, moved(600 - 3600, 2), *allowed)
    assert_facts(found, most=2, hours=1.0, why="spent", kinds=["spent"], how="asked")
    assert judged(*WELL, moved(600 - 3601, 2), *allowed) == []


@pytest.mark.complete
@pytest.mark.parametrize(
    ("owners", "n"), [("A", 1), ("A, C", 1), ("A, B", 0), ("A, b.contoso.lan", 0), ("a, B", 0)]
)
def test_a_node_that_is_none_of_the_possible_owners_does_not_take_over_by_itself(owners, n):
    owned = setting("resource", "owner_nodes", owners)
    found = judged(*WELL, owned)
    assert [f.title.partition(": ")[2][:50] for f in found] == [ANY] * n
    assert ways(*WELL, owned)["B"] == ("not shown" if n else "by itself")


CLUSTER = (
    ("cluster_name", 128), ("quorum_type", -11), ("quorum_type_desc", 60), ("quorum_state", -12),
    ("quorum_state_desc", 60),
)  # fmt: skip


@pytest.mark.complete
def test_the_output_of_a_support_tool_is_judged_from_its_text(tmp_path):
    text = (
        make.look("2026-03-01 10:15:31.017")
        + make.rowset("AG_hadr_cluster", CLUSTER, [("CLU", 2, "NODE_MAJORITY", 1, "NORMAL_QUORUM")])
        + make.replicas()
        + make.states(["Sales"])
    )
    (tmp_path / "SRV1_20260301T1015302241_AlwaysOnDiagScript.out").write_text(text)
    with agtrace.open_case(tmp_path) as opened:
        (found,) = [f for f in opened.health.findings() if f.id == "health.readiness"]
        table = opened.health.tbl_readiness()
    assert (found.severity, found.subject) == ("notice", {"ag": "AG1", "replica": "SRV2"})
    assert_facts(found, why="suspended", suspended=["Sales"], kinds=["suspended"])
    assert list(table["takes over"]) == ["", "by force"]
    assert list(table["redo_left_s"])[1] == 2


@pytest.mark.complete
@pytest.mark.parametrize("moment", ["0001-01-03 06:00:00.000", "9999-12-31 23:59:59.997"])
def test_a_look_at_the_ends_of_the_calendar_is_judged_as_any_other(tmp_path, moment):
    offset = make.rowset(
        "ServerProperty",
        (("PropertyName", 50), ("PropertyValue", 256)),
        [("MachineName", "SRV1"), ("SQLServerName", "SRV1"), ("UTCOffset_in_Hours", "5.50")],
    )
    text = make.look(moment) + offset + make.replicas() + make.states(["Sales"])
    (tmp_path / "SRV1_20260301T1015302241_AlwaysOnDiagScript.out").write_text(text)
    with agtrace.open_case(tmp_path) as opened:
        assert [f.severity for f in opened.health.findings() if f.id == "health.readiness"] == ["notice"]


@pytest.mark.complete
@needs_captures
def test_the_look_of_the_support_folder_would_fail_over(tmp_path):
    shutil.copytree(CAPTURES / "support_folder" / "output", tmp_path / "case")
    with agtrace.open_case(tmp_path / "case", tmp_path / "store") as opened:
        assert [f for f in opened.health.findings() if f.id == "health.readiness"] == []
        assert list(opened.health.tbl_readiness()["takes over"]) == ["", "by itself"]

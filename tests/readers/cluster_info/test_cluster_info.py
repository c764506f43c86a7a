"""Cluster settings that LogScout prints."""

from __future__ import annotations

import pytest

from agtrace.readers.cluster_info import READER
from agtrace.testing import check_reader, facts, facts_of, is_detected, issue_kinds, read_all
from tests.readers.cluster_info.small import GROUP_LIST, OWNERS, PARAMETER_LIST, PARAMETERS, TEXT
from tests.shared import CAPTURES, needs_captures


def settings(text: str) -> dict[tuple[str, str], dict[str, str]]:
    found = facts_of(READER, text, "cluster_setting")
    return {(each.pop("scope"), each.pop("name")): each for each in found}


def test_contract():
    check_reader(READER, TEXT.encode(), "ClusterInfo.out", "facts", flips=2_000)


def test_timeouts_of_groups():
    found = settings(TEXT)
    assert found["group", "AG1"] == {"HealthCheckTimeout": "30000", "LeaseTimeout": "20000"}
    assert found["group", "AG with a name"] == {"LeaseTimeout": "10000"}


def test_thresholds_and_quorum_of_the_cluster():
    assert settings(TEXT)["cluster", "CONTOSOCLU"] == {
        "QuorumResource": "Cloud Witness",
        "quorum_type": "Majority",
        "CrossSubnetDelay": "1000",
        "CrossSubnetThreshold": "20",
        "Domain": "contoso.lan",
        "SameSubnetDelay": "1000",
        "SameSubnetThreshold": "10",
        "WitnessDynamicWeight": "1",
    }


def test_votes_and_states_of_members_whatever_comes_before_their_names():
    found = settings(TEXT)
    assert found["member", "CONTOSO1"] == {"member_state": "Up", "quorum_votes": "1", "dynamic_votes": "1"}
    assert found["member", "CONTOSO2"] == {"member_state": "Down", "quorum_votes": "1", "dynamic_votes": "0"}


def test_times_are_in_milliseconds():
    rows = read_all(READER, TEXT.encode(), "x.out")["facts"].to_pylist()
    units = {row["key"]: row["unit"] for row in rows}
    assert (units["LeaseTimeout"], units["SameSubnetDelay"]) == ("ms", "ms")
    assert (units["SameSubnetThreshold"], units["quorum_votes"]) == (None, "votes")


def test_half_a_last_line_is_not_read():
    assert "LeaseTimeout" not in settings(TEXT.rsplit("AG with", 1)[0].rstrip("\r\n"))["group", "AG1"]
    assert issue_kinds(READER, TEXT.rstrip("\r\n")) == ["unfinished_line"]


def test_resources_with_their_types_tell_what_the_cluster_runs():
    found = settings(TEXT)
    assert found["resource", "AG1"] == {
        "state": "Online", "owner_group": "AG1", "resource_type": "SQL Server Availability Group",
    }  # fmt: skip
    assert found["resource", "DTC (Apps)"]["resource_type"] == "Distributed Transaction Coordinator"
    assert found["resource", "DTC (Apps)"]["state"] == "Failed"


@pytest.mark.parametrize("text", [PARAMETERS, PARAMETER_LIST], ids=["table", "list"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_port_that_a_load_balancer_asks(text, encoding):
    found = {each["name"]: each for each in facts_of(READER, text, "cluster_setting", encoding)}
    assert is_detected(READER, text)
    assert (found["AG1_IP"]["scope"], found["AG1_IP"]["ProbePort"]) == ("resource", "59999")
    assert found["AG1_IP"]["Address"] == "10.0.0.10"


@pytest.mark.parametrize("text", [PARAMETERS, PARAMETER_LIST], ids=["table", "list"])
def test_damage_to_parameters(text):
    check_reader(READER, text.encode(), "probe.txt", "facts", flips=1_000)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_how_many_failures_of_a_role_the_cluster_allows(encoding):
    assert is_detected(READER, GROUP_LIST)
    found = facts_of(READER, GROUP_LIST, "cluster_setting", encoding)
    assert found[0] == {"scope": "group", "name": "AG1", "FailoverThreshold": "2", "FailoverPeriod": "6"}
    assert (found[1]["scope"], found[1]["RestartPeriod"]) == ("resource", "900000")
    assert (found[1]["resource_type"], found[1]["state"]) == ("SQL Server Availability Group", "Online")


def test_which_nodes_may_own_a_resource_where_the_console_shows_all_of_them():
    assert is_detected(READER, OWNERS)
    found = {each["name"]: each.get("owner_nodes") for each in facts_of(READER, OWNERS, "cluster_setting")}
    assert found == {"AG1": "CONTOSO1, CONTOSO2", "Cluster Disk 7": "CONTOSO1"}


def test_outputs_of_several_commands_lie_in_one_file():
    found = settings(PARAMETERS + OWNERS + GROUP_LIST)
    assert found["group", "AG1"]["FailoverThreshold"] == "2"
    assert found["resource", "AG1"]["owner_nodes"] == "CONTOSO1, CONTOSO2"
    assert found["resource", "AG1_IP"]["ProbePort"] == "59999"


@pytest.mark.parametrize("text", [GROUP_LIST, OWNERS], ids=["groups", "owners"])
def test_damage_to_groups_and_owners(text):
    check_reader(READER, text.encode(), "group.txt", "facts", flips=1_000)


def test_other_texts_are_none():
    assert not is_detected(READER, "Object  Name  Value  Type of what\n")
    assert not is_detected(READER, "-- dm_os_wait_stats --\nruntime\n-------\n")


@needs_captures
def test_the_example_of_logscout():
    file = CAPTURES / "support_folder/output/CONTOSO1_20260301T1015509010_ClusterInfo.out"
    tables = read_all(READER, file.read_bytes(), file.name)
    found = {(each["scope"], each["name"]): each for each in facts(tables, "cluster_setting")}
    assert found["group", "AG1"]["HealthCheckTimeout"] == "30000"
    assert found["group", "AG1"]["LeaseTimeout"] == "20000"
    assert found["member", "CONTOSO2"]["member_state"] == "Up"
    assert ("cluster", "CONTOSOCLU") in found
    assert "issues" not in tables

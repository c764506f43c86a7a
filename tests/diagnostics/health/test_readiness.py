"""health.readiness: which replica would take over, as of the last look, what forbids it, what it costs."""

from __future__ import annotations

import shutil
from unittest.mock import ANY

import pytest

import agtrace
from agtrace.diagnostics.health import Health
from simulation.formats import rowsets as make
from tests.behind import assert_facts, texts
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


def test_a_synchronised_automatic_replica_would_take_over_by_itself_and_is_no_finding():
    assert judged(*WELL) == []
    assert ways(*WELL) == {"A": "", "B": "by itself"}


def test_a_database_that_is_not_synchronised_forbids_it():
    (found,) = judged(*WELL, database(name="Stock", state="SYNCHRONIZING"))
    assert (found.id, found.severity) == ("health.readiness", "warning")
    assert found.subject == {"ag": "AG", "replica": "B"}
    assert found.window == {"start": "2024-03-05T12:10:00+00:00", "end": "2024-03-05T12:10:00+00:00"}
    assert_facts(found, group="AG", replica="B", at="2024-03-05T12:10:00+00:00", why="not_synchronised")
    assert found.evidence[0].label == "state of Stock"
    assert found.evidence[0].value == "SYNCHRONIZING"
    assert [(e.label, e.value) for e in found.evidence if e.unit == "databases"] == [
        ("databases synchronised", 1)
    ]
    assert found.confidence == 0.9


def test_the_servers_own_word_counts_before_the_state():
    (found,) = judged(primary(), secondary(), database(more="is_failover_ready=false"))
    assert_facts(
        found,
        why="not_synchronised",
        is_synchronous=True,
        not_synchronised=["Sales"],
        kinds=["not_synchronised"],
    )
    assert (
        judged(primary(), secondary(), database(state="SYNCHRONIZING", more="is_failover_ready=true")) == []
    )


@pytest.mark.parametrize(
    ("rows", "how"),
    [
        ([secondary(state="DISCONNECTED"), database(state="NOT SYNCHRONIZING")], "by force"),
        ([secondary(), database(suspended=True)], "by force"),
        ([secondary(), database(state="NOT SYNCHRONIZING", more="is_joined=false")], "by force"),
        ([secondary(health="NOT_HEALTHY")], "by force"),
        (
            [
                secondary(),
                database(),
                "A | 600 | cluster_settings | scope=member; item=B; setting=member_state; value=DOWN",
            ],
            "no",
        ),
    ],
)
def test_each_thing_that_forbids_it_is_named(rows, how):
    (_found,) = judged(primary(), *rows)
    assert ways(primary(), *rows)["B"] == how


@pytest.mark.parametrize(
    ("seconds", "value", "n"),
    [(600, "UP", 0), (600, "Paused", 1), (4200, "DOWN", 1), (4201, "DOWN", 0), (-3000, "DOWN", 1)],
)
def test_a_node_that_is_down_or_paused_in_the_same_collection_counts(seconds, value, n):
    member = f"A | {seconds} | cluster_settings | scope=member; item=B; setting=member_state; value={value}"
    found = judged(*WELL, member)
    assert [f.title.partition(": ")[2] for f in found] == [ANY] * n


@pytest.mark.parametrize(
    ("mode", "commit", "state", "how"),
    [
        ("MANUAL", SYNCHRONOUS, "SYNCHRONIZED", "when asked"),
        ("MANUAL", ASYNCHRONOUS, "SYNCHRONIZING", "by force"),
    ],
)
def test_modes_that_forbid_it_by_design_are_told_in_the_table_alone(mode, commit, state, how):
    rows = [primary(), secondary("B"), secondary("C", mode, commit), database("B"), database("C", state)]
    assert judged(*rows) == []
    assert ways(*rows)["C"] == how


def test_an_asynchronous_replica_that_gets_nothing_is_a_notice():
    rows = [primary(), secondary("C", "MANUAL", ASYNCHRONOUS, "DISCONNECTED")]
    (found,) = judged(*rows)
    assert found.severity == "notice"
    assert_facts(found, group="AG", replica="C", at="2024-03-05T12:10:00+00:00", why="not_connected")


@pytest.mark.complete
def test_a_primary_that_fails_over_by_hand_keeps_two_automatic_replicas_from_it():
    rows = [primary(mode="MANUAL"), secondary("B"), secondary("C"), database("B"), database("C")]
    assert [f.subject["replica"] for f in judged(*rows)] == ["B", "C"]
    assert ways(*rows) == {"A": "", "B": "when asked", "C": "when asked"}
    # Fewer than two are told by health.settings.
    assert judged(primary(mode="MANUAL"), secondary("B"), database("B")) == []


def test_a_replica_of_a_look_that_knows_no_state_is_not_judged():
    rows = [
        "B | 600 | replicas | ag=AG; replica=B; is_local=true; role=SECONDARY; failover_mode=AUTOMATIC; "
        "availability_mode=SYNCHRONOUS_COMMIT; connected_state=CONNECTED; synchronization_health=HEALTHY",
        "B | 600 | replicas | ag=AG; replica=C; is_local=false; failover_mode=AUTOMATIC; "
        "availability_mode=SYNCHRONOUS_COMMIT",
    ]
    assert judged(*rows) == []
    assert ways(*rows) == {"B": "not shown", "C": "not shown"}


OWN = (
    "B | 600 | replicas | ag=AG; replica=B; is_local=true; role={}; failover_mode=AUTOMATIC; "
    "availability_mode=SYNCHRONOUS_COMMIT; connected_state={}; synchronization_health={}\n"
    "B | 600 | replicas | ag=AG; replica=A; is_local=false; failover_mode=AUTOMATIC; "
    "availability_mode=SYNCHRONOUS_COMMIT"
)
KNOWN = "B | 600 | groups | ag=AG; primary_replica=A"


def test_a_look_of_the_replica_alone_tells_of_it_where_it_knows_the_primary():
    assert ways(OWN.format("SECONDARY", "CONNECTED", "HEALTHY"), KNOWN) == {"A": "", "B": "by itself"}
    (found,) = judged(OWN.format("SECONDARY", "DISCONNECTED", "NOT_HEALTHY"), KNOWN)
    assert_facts(found, why="not_connected", kinds=["not_connected"])


def test_a_group_without_a_primary_is_no_matter_of_readiness():
    rows = [OWN.format("RESOLVING", "DISCONNECTED", "NOT_HEALTHY")]
    assert judged(*rows) == []
    assert ways(*rows) == {"A": "not shown", "B": "not shown"}


def test_a_group_that_pacemaker_moves_is_told_as_one():
    rows = [primary(mode="EXTERNAL"), secondary(mode="EXTERNAL"), database(state="SYNCHRONIZING")]
    (found,) = judged(*rows)
    assert found.severity == "warning"
    assert_facts(found, group="AG", replica="B", at="2024-03-05T12:10:00+00:00", why="not_synchronised")
    well = [primary(mode="EXTERNAL"), secondary(mode="EXTERNAL"), database()]
    assert ways(*well)["B"] == "by itself"


LINUX = "A | startup | 0 | os | Linux (Ubuntu 20.04)\nB | startup | 0 | os | Linux (Ubuntu 20.04)"


def test_what_a_look_does_not_show_is_asked_of_windows_clusters_alone():
    assert_facts(
        texts(Health(case(relations="\n".join(WELL))).say_readiness)["readiness.md"],
        replicas=2,
        is_windows=True,
        unseen=["owners", "threshold"],
    )


def test_a_distributed_group_has_groups_as_replicas_and_is_left_out():
    assert (
        judged(*WELL[:1], secondary(state="DISCONNECTED"), "A | 0 | topology | ag=AG; is_distributed=true")
        == []
    )


def test_without_a_look_nothing_is_said_but_how_to_get_one():
    analysis = Health(case())
    assert analysis.tbl_readiness().empty


def test_the_last_look_counts():
    early = [primary(at=60), secondary(at=60, state="DISCONNECTED")]
    assert judged(*early, *WELL) == []


def test_a_later_failover_outdates_a_look():
    rows = [primary(), secondary(state="DISCONNECTED")]
    moved = (
        "A | 700 | failovers | failover_id=1; ag=AG; from_host=A; to_host=B; mode=automatic; "
        "trigger=open; cause=open; confidence=0.5; end=2024-03-05T12:11:40Z"
    )
    assert len(judged(*rows)) == 1
    assert judged(*rows, moved) == []


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


@pytest.mark.parametrize(("seconds", "n"), [(600 - 6 * 3600, 1), (600 - 6 * 3600 - 1, 0), (601, 0)])
def test_failures_that_the_cluster_counts_forbid_it_for_six_hours(seconds, n):
    counted = f"B | {seconds} | timeline | ag=AG; kind=threshold_reached; value=3; after=2; text=Not failing"
    found = judged(*WELL, counted)
    assert [f.title.partition(": ")[2][:49] for f in found] == [ANY] * n
    assert [f.confidence for f in found] == [0.8] * n


def setting(scope, name, value, item="AG"):
    return f"A | 600 | cluster_settings | scope={scope}; item={item}; setting={name}; value={value}"


def moved(seconds, count):
    return (
        f"B | {seconds} | timeline | ag=AG; kind=group_moved; value={count}; replica=A; text=move of group AG"
    )


@pytest.mark.parametrize(
    ("count", "limit", "seconds", "n"),
    [(2, 2, 500, 1), (1, 2, 500, 0), (2, 3, 500, 0), (2, 2, 601, 0), (2, 2, -3 * 3600, 1),
     (2, 4294967295, 500, 0)],
)  # fmt: skip
def test_a_count_that_has_reached_what_the_cluster_allows_forbids_the_next_failover(count, limit, seconds, n):
    found = judged(*WELL, moved(seconds, count), setting("group", "FailoverThreshold", limit))
    assert [f.title.partition(": ")[2].partition(" of the role")[0] for f in found] == [ANY] * n
    assert [f.severity for f in found] == ["warning"] * n


@pytest.mark.complete
def test_the_period_over_which_the_cluster_counts_is_that_which_is_set():
    allowed = [setting("group", "FailoverThreshold", 2), setting("group", "FailoverPeriod", 1)]
    (found,) = judged(*WELL, moved(600 - 3600, 2), *allowed)
    assert_facts(found, most=2, hours=1.0, why="spent", kinds=["spent"], how="asked")
    assert judged(*WELL, moved(600 - 3601, 2), *allowed) == []


def test_without_what_the_cluster_allows_a_count_says_nothing():
    assert judged(*WELL, moved(500, 2)) == []


@pytest.mark.complete
@pytest.mark.parametrize(
    ("owners", "n"), [("A", 1), ("A, C", 1), ("A, B", 0), ("A, b.contoso.lan", 0), ("a, B", 0)]
)
def test_a_node_that_is_none_of_the_possible_owners_does_not_take_over_by_itself(owners, n):
    owned = setting("resource", "owner_nodes", owners)
    found = judged(*WELL, owned)
    assert [f.title.partition(": ")[2][:50] for f in found] == [ANY] * n
    assert ways(*WELL, owned)["B"] == ("not shown" if n else "by itself")


def test_owners_of_a_group_of_the_same_name_in_another_cluster_say_nothing():
    owned = setting("resource", "owner_nodes", "X, Y")
    assert judged(*WELL, owned) == []
    assert ways(*WELL, owned)["B"] == "by itself"


def test_owners_of_another_resource_say_nothing():
    assert judged(*WELL, setting("resource", "owner_nodes", "A", item="Cluster Disk 7")) == []


WEEK = 7 * 86_400


@pytest.mark.parametrize(
    ("seconds", "after", "n"),
    [(600 - WEEK + 1, "permission", 1), (600 - WEEK, "permission", 0), (500, "delay", 0), (500, "login", 1)],
)
def test_what_keeps_the_cluster_from_monitoring_it_lasts_unless_it_was_slow_alone(seconds, after, n):
    failed = f"B | {seconds} | timeline | ag=AG; kind=monitor_failed; after={after}; text=ODBC Error"
    found = judged(*WELL, failed)
    assert [f.title[:36] for f in found] == [ANY] * n


def test_a_group_that_came_online_there_since_is_monitored():
    failed = "B | 400 | timeline | ag=AG; kind=monitor_failed; after=permission; text=ODBC Error"
    online = "B | 500 | timeline | ag=AG; kind=resource_online; text=online"
    assert judged(*WELL, failed, online) == []


def test_a_group_that_did_not_come_online_there_is_told_with_the_permissions_to_check():
    failed = "B | 400 | ag_failure | 41131 | ag=AG"
    (found,) = judged(*WELL, messages=failed)
    assert_facts(found, then="2024-03-05T12:06:40+00:00", why="not_online", kinds=["not_online"])


def test_what_a_failover_would_cost_is_told():
    rows = [
        primary(), secondary(),
        database("A", more="last_commit_local=2024-03-05T12:09:58"),
        database("B", "SYNCHRONIZING",
                 more="last_commit_local=2024-03-05T12:09:40; log_send_queue_kb=2048; redo_queue_kb=6000; "
                      "redo_rate_kb_s=200"),
    ]  # fmt: skip
    (found,) = judged(*rows)
    costs = {e.label: (e.value, e.unit) for e in found.evidence if e.unit in ("KB", "s")}
    assert costs == {
        "log not sent": (2048, "KB"),
        "last commit behind the primary's": (18, "s"),
        "redo that is left": (30, "s"),
    }
    assert_facts(found, why="not_synchronised", how="forced", behind=18.0, not_synchronised=["Sales"])


def test_a_queue_without_a_rate_has_no_time():
    table = Health(
        case(
            relations="\n".join([primary(), secondary(), database(more="redo_queue_kb=9; redo_rate_kb_s=0")])
        )
    ).tbl_readiness()
    assert table["redo_left_s"].isna().all()


def test_a_server_whose_clock_is_not_known_tells_its_local_time():
    (found,) = judged(primary(), secondary(state="DISCONNECTED"), zone_unknown=("A",))
    assert found.window == {"start": "2024-03-05T12:10:00", "end": "2024-03-05T12:10:00", "local": True}


def test_strangers_with_a_group_of_the_same_name_are_apart():
    theirs = [row.replace("A | ", "X | ", 1).replace("replica=A;", "replica=X;").replace("node=A", "node=X")
              .replace("replica=B", "replica=Y").replace("node=B", "node=Y")
              for row in (primary(at=900), secondary(state="DISCONNECTED", at=900))]  # fmt: skip
    (found,) = judged(*WELL, *theirs)
    assert found.subject == {"ag": "AG", "replica": "Y"}


def test_names_that_would_be_statements_or_markup_are_quoted():
    odd = "S]ales'<b>"
    (found,) = judged(primary(), secondary(), database(name=odd, suspended=True))
    assert_facts(found, why="suspended", suspended=["S]ales'<b>"], kinds=["suspended"])


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

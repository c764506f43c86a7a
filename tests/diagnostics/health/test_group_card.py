"""A group at a glance: its replicas side by side, what differs, its options, and what is unknown."""

from __future__ import annotations

from datetime import timedelta

from agtrace.diagnostics import health
from agtrace.diagnostics.health import group_card
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.rows import CardGroups, CardHosts, CardListeners, CardOptions, CardRoles
from agtrace.say.group_card import Cell, compared
from tests.diagnostics.asking import ask, record
from tests.diagnostics.health.cases import at, setting
from tests.diagnostics.health.standings import LOOKED, database, standing


def host(name="A", **more):
    told = {"version": "14.0.3456.2", "level": "RTM-CU31", "edition": "Enterprise Edition (64-bit)",
            "processors": "8", "memory_mb": 16384, "last": at(900)}  # fmt: skip
    return record(CardHosts, host_id=name, kinds=["SQL Server ERRORLOG"], **told | more)


def cards(groups=(), hosts=(), roles=(), options=(), listeners=(), settings=(), standings=(), replicas=()):
    seen = group_card.Seen(
        groups, hosts, roles, options, listeners, settings, standings,
        lambda _ag: list(replicas), lambda content, line: f"{content} line {line}",
    )  # fmt: skip
    return group_card.cards(seen, SAID)


def texts(card):
    return [tuple(cell.text for cell in row) for row in card.rows]


AG = CardGroups("AG", "ordinary", "WSFC", None, None)


def test_a_value_differs_from_that_of_most_and_where_there_is_none_all_do():
    assert [cell.differs for cell in compared(["10 s", "10 s", "5 s", ""])] == [False, False, True, False]
    assert [cell.differs for cell in compared(["1", "2"])] == [True, True]
    assert [cell.differs for cell in compared(["1", "", "1"])] == [False] * 3


def test_a_snapshot_shows_modes_states_and_options():
    stood = [
        standing("A", [database(), database("Stock")]),
        standing(
            "B", [database(synchronization_state="SYNCHRONIZING")], failover_mode="MANUAL",
            availability_mode="ASYNCHRONOUS_COMMIT", connected_state="DISCONNECTED",
            synchronization_health="NOT_HEALTHY",
        ),
    ]  # fmt: skip
    settings = [
        setting("group", "AG", "LeaseTimeout", "20000"),
        setting("group", "AG", "HealthCheckTimeout", "30000"),
        setting("cluster", "CLU", "quorum_type", "NODE_MAJORITY"),
        setting("member", "A", "quorum_votes", "1"), setting("member", "B", "quorum_votes", "0"),
        setting("member", "B", "member_state", "DOWN"),
    ]  # fmt: skip
    options = [record(CardOptions, ag="AG", replica="B", option="session_timeout", value="15")]
    listener = record(CardListeners, ag="AG", name="lst", port=1433, ip_address="10.0.0.5", state="ONLINE")
    group = AG._replace(failure_condition_level=3)
    (card,) = cards(
        [group], [host()], options=options, listeners=[listener], settings=settings, standings=stood
    )
    assert (card.name, card.as_of) == (
        "Availability group AG", "As of the last snapshot, 2024-03-05 12:10:00 UTC (log-A line 4).",
    )  # fmt: skip
    assert card.headings == (
        "Replica", "Role", "Commit mode", "Failover mode", "Synchronisation", "Session timeout", "Version",
        "Edition", "Machine",
    )  # fmt: skip
    assert texts(card) == [
        ("A", "primary", "synchronous", "automatic", "synchronized (2 databases), healthy", "",
         "14.0.3456.2 (RTM-CU31)", "Enterprise Edition", "8 CPUs, 16 GB"),
        ("B", "secondary", "asynchronous", "manual", "synchronizing (1 database), not healthy, disconnected",
         "15 s", "", "", ""),
    ]  # fmt: skip
    assert [cell.differs for cell in card.rows[1]] == [False, False, True, True, True, *[False] * 4]
    assert card.settings == (
        ("Failure condition level", "3"), ("Health check timeout", "30 s"), ("Lease timeout", "20 s"),
        ("Quorum", "node majority"), ("Votes", "A 1, B 0 (down)"),
        ("Listener", "lst:1433 (10.0.0.5, online)"),
    )  # fmt: skip
    assert card.unknown == ""


def test_without_a_snapshot_logs_show_roles_and_what_is_unknown_is_named():
    roles = [
        record(CardRoles, ag="AG", host_id="A", role="SECONDARY", since=at(200)),
        record(CardRoles, ag="AG", host_id="B", role="PRIMARY", since=at(100)),
    ]
    (card,) = cards([AG], [host(), host("B", level="RTM-CU30")], roles, replicas=["A", "B", "C"])
    assert card.as_of.endswith("until 2024-03-05 12:15:00 UTC.")
    assert [row[:3] for row in texts(card)] == [
        ("B", "primary since 2024-03-05 12:01:40 UTC", "14.0.3456.2 (RTM-CU30)"),
        ("A", "secondary since 2024-03-05 12:03:20 UTC", "14.0.3456.2 (RTM-CU31)"),
        ("C", "", ""),
    ]
    assert [row[2].differs for row in card.rows] == [True, True, False]
    assert card.unknown == (
        "Not captured: commit mode, failover mode, synchronisation, session timeout, failure condition "
        "level, health check timeout, lease timeout, quorum, votes and listener. "
        "The script that agtrace kit writes collects them."
    )


def test_a_role_that_a_log_shows_after_the_snapshot_counts():
    stood = [standing("A"), standing("B")]
    later = record(CardRoles, ag="AG", host_id="B", role="PRIMARY", since=at(LOOKED + 1))
    before = later._replace(host_id="A", role="SECONDARY", since=at(LOOKED - 1))
    (card,) = cards([AG], roles=[later, before], standings=stood)
    assert [row[:2] for row in texts(card)] == [
        ("A", "primary"),
        ("B", "primary since 2024-03-05 12:10:01 UTC"),
    ]


def test_a_group_without_a_cluster_lacks_no_quorum():
    (card,) = cards([AG._replace(kind="read-scale", cluster_type="NONE")])
    assert card.settings == (("Kind", "read-scale"),)
    assert "quorum" not in card.unknown
    assert "lease" not in card.unknown


def test_without_a_group_the_hosts_are_shown_and_beside_one_those_outside():
    alone = host(first=at(0), product="2017", os="Windows Server 2019", memory_mb=None)
    (card,) = cards(hosts=[alone], roles=[record(CardRoles, ag="", host_id="A", role="PRIMARY")])
    assert (card.name, card.as_of) == (
        "Hosts",
        "No availability group is named in the captures. Known of their hosts:",
    )
    assert texts(card) == [
        ("A", "primary", "14.0.3456.2 (2017 RTM-CU31)", "Enterprise Edition", "8 CPUs", "Windows Server 2019",
         "SQL Server ERRORLOG: 2024-03-05 12:00:00 UTC to 2024-03-05 12:15:00 UTC"),
    ]  # fmt: skip
    _, other = cards([AG], [host(), host("X")], replicas=["A"])
    assert (other.name, [row[0] for row in other.rows]) == ("Hosts outside these groups", [Cell("X")])
    (nothing,) = cards()
    assert nothing.as_of == "No availability group is named in the captures. No host is known, either."


def test_the_last_role_of_a_replica_is_the_one_that_goes_on():
    def row(role, start=None, end=None, name="A"):
        return {"ag": "AG", "host_id": name, "sql_instance": None, "role": role,
                "start": start and at(start), "end": end and at(end)}  # fmt: skip

    rows = [row("RESOLVING", end=1), row("PRIMARY", 1, 5), row("SECONDARY", 5), row("PRIMARY", 1, 5, "B")]
    found = ask(health, "card_roles", roles=rows)
    assert [(each["host_id"], each["role"], each["since"]) for each in found] == [
        ("A", "SECONDARY", at(5)), ("B", "PRIMARY", at(1)),
    ]  # fmt: skip


def test_a_level_belongs_to_the_version_beside_it():
    local = at(0).replace(tzinfo=None)
    place = {"host_id": "A", "content_id": "log", "line": 1, "time_local": local}
    start = {"version": "14.0.1", "product": "2017", "level": "RTM-CU1", "edition": None, "os": None}
    start |= {"logical_processors": None, "memory_mb": 4096}
    later = {"time_local": local + timedelta(hours=1), "version": "14.0.2", "level": None, "edition": None}
    later |= {"logical_processors": None}
    capture = {
        "host_id": "A",
        "host_source": "folder name",
        "kind": "SQL Server ERRORLOG",
        "status": "ingested",
        "sql_instance": "X",
        "first_time": at(0),
        "last_time": at(9),
    }
    placeholder = capture | {"host_id": "an unnamed host", "host_source": "placeholder"}
    counters = [{"host_id": "B"}]
    found = ask(
        health, "card_hosts", captures=[capture, placeholder], counters=counters,
        server_starts=[place | start], server_properties=[place | later],
    )  # fmt: skip
    shown = ("host_id", "version", "product", "level", "memory_mb")
    assert [tuple(each[name] for name in shown) for each in found] == [
        ("A", "14.0.2", None, None, 4096), ("B", None, None, None, None),
    ]  # fmt: skip
    assert found[0]["kinds"] == ["SQL Server ERRORLOG"]

"""What servers noted that led to nothing yet: one finding a kind and host, info where no group is
concerned.
"""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.behind import assert_facts
from tests.diagnostics.tiny import case

GROUP = "{} | 0 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=SECONDARY_NORMAL"
PAGED = "{} | {} | memory_paged_out | 17890 | duration_s=0; utilization_percent=12"
LINUX = "{} | startup | 1 | os | Linux (Ubuntu 22.04.3 LTS) <X64>"


def with_lines(*lines, group=True, facts="", events=""):
    """A case of A whose ERRORLOG holds errors, as (seconds, number, text)."""
    made = case(messages=GROUP.format("A") if group else "", facts=facts, events=events)
    if not group:
        made.insert(
            "captures",
            [{"capture_id": "errorlog-A", "content_id": "errorlog-A", "path": "ERRORLOG", "host_id": "A"}],
        )
    rows = ", ".join(
        f"('errorlog-A', 'A', {10 + place}, timestamp '2024-03-05 12:00:00' + "
        f"to_milliseconds(({at * 1000})::bigint), "
        f"timestamptz '2024-03-05 12:00:00+00' + to_milliseconds(({at * 1000})::bigint), 'spid9', "
        f"{number or 'null'}, '{text}')"
        for place, (at, number, text) in enumerate(lines)
    )
    made.run(
        f"insert into errorlog (content_id, host_id, line, time_local, time, source, error, message) values "
        f"{rows}"
    )
    return made


def noted(made, prefix="health."):
    told = ("health.restart", "health.failover", "health.no_primary")
    return [f for f in Health(made).findings() if f.id.startswith(prefix) and f.id not in told]


def test_one_finding_holds_all_messages_of_a_kind():
    text = "The local availability replica of AG is in a failed state."
    (found,) = noted(with_lines((60, 41144, text), (61, 41005, "No handle."), (62, 41144, text)))
    assert (found.id, found.subject, found.severity) == (
        "health.quorum", {"host": "A", "kind": "replica_failed"}, "warning",
    )  # fmt: skip
    assert_facts(found, n=3, host="A", texts=2)
    assert found.window == {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:01:02+00:00"}
    assert [(e.label, e.value) for e in found.evidence] == [
        ("entries", 3), ("its text, 2 x", text), ("its text, 1 x", "No handle."),
    ]  # fmt: skip
    assert found.evidence[1].source == "ERRORLOG line 10"


@pytest.mark.parametrize(
    ("number", "id_", "kind", "severity"),
    [
        *((n, "health.quorum", "replica_failed", "warning") for n in (41005, 41143, 41144, 41160, 41161)),
        (41048, "health.quorum", "node_offline", "warning"),
        (41049, "health.quorum", "node_offline", "warning"),
        (41022, "health.quorum", "not_notified", "notice"),
        (35217, "health.workers", "not_started", "warning"),
        (701, "health.memory", "out_of_memory", "warning"),
        (802, "health.memory", "out_of_memory", "warning"),
        (5120, "health.files", "not_opened", "warning"),
        (5123, "health.files", "not_opened", "warning"),
        (17204, "health.files", "not_opened", "warning"),
        (17207, "health.files", "not_opened", "warning"),
    ],
)
def test_a_message_of_each_kind_is_a_finding(number, id_, kind, severity):
    (found,) = noted(with_lines((60, number, "text")))
    assert (found.id, found.subject["kind"], found.severity) == (id_, kind, severity)


def test_where_no_group_is_concerned_it_is_an_info():
    (found,) = noted(with_lines((60, 701, "text"), group=False))
    assert (found.id, found.severity) == ("health.memory", "info")


def test_what_has_no_number_is_known_by_its_beginning():
    text = (
        "The SQL Server Network Interface library could not register the Service Principal Name (SPN) [ X ]"
    )
    found = noted(with_lines((60, None, text), (61, None, "***Stack Dump being sent to D:\\SQLDump0001.txt")))
    assert [(f.id, f.severity) for f in found] == [("health.spn", "notice"), ("health.dump", "warning")]


def test_memory_that_is_paged_out_is_known_in_every_language():
    made = case(messages="\n".join([GROUP.format("A"), PAGED.format("A", 60), PAGED.format("A", 90)]))
    made.run(
        "insert into errorlog (content_id, host_id, line, time_local, time, source, message) select "
        "content_id, host_id, line, time_local, time, source, 'Ein Teil' from messages"
    )
    (found,) = noted(made)
    assert found.id == "health.memory"


def test_memory_that_was_paged_out_for_a_moment_is_not_worth_a_word():
    assert noted(with_lines((60, 17890, "text"), (3700, 17890, "text"))) == []


def test_logins_that_fail_now_and_then_are_not_worth_a_word():
    eleven_an_hour = [(330 * n, 18456, "Login failed") for n in range(20)]
    assert noted(with_lines(*eleven_an_hour)) == []


def test_twelve_logins_that_fail_in_an_hour_are():
    (found,) = noted(with_lines(*[(60 * n, 18456, "Login failed for user ''sa''.") for n in range(12)]))
    assert (found.id, found.severity) == ("health.logins", "notice")


FAILOVER = """
A | 100 | replica_state | 19406 | ag=AG; old_state=SECONDARY_NORMAL; new_state=PRIMARY_NORMAL
A | 1000 | replica_state | 19406 | ag=AG; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL
B | 1001 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=PRIMARY_NORMAL
"""


def test_a_flood_around_a_failover_is_part_of_it():
    made = case(messages=FAILOVER)
    made.run(
        "insert into errorlog (content_id, host_id, line, time_local, time, source, error, message) select "
        "'errorlog-A', 'A', 90 + i, timestamp '2024-03-05 12:16:45', timestamptz '2024-03-05 12:16:45+00', "
        "'spid9', n, 'text' from range(3) t(i), (values (41022), (41049), (41144)) v(n)"
    )
    assert noted(made, "health.quorum") == []


@pytest.mark.complete
def test_the_remedy_is_that_of_the_hosts_system():
    _windows, linux = (
        noted(with_lines((60, 41144, "text"), facts=facts))[0].recommendation
        for facts in ("", LINUX.format("A"))
    )
    assert "Get-ClusterLog" not in linux


STATE = "A | {} | component_health_result | component={}; state_desc={}; failure_condition_level=3; data=<x/>"


def test_states_of_components_that_led_to_nothing_are_one_finding():
    events = "\n".join(STATE.format(at, *state) for at, state in enumerate(
        [("resource", "clean"), ("resource", "warning"), ("resource", "clean"), ("resource", "warning"),
         ("query_processing", "error")], 60))  # fmt: skip
    (found,) = noted(case(messages=GROUP.format("A"), events=events))
    assert (found.id, found.subject, found.severity) == ("health.components", {"host": "A"}, "warning")
    assert_facts(
        found,
        host="A",
        states=[["query_processing", "error", 1], ["resource", "warning", 2]],
        components=["query_processing", "resource"],
    )


WAIT = "{} | {} | wait_info | wait_type={}; duration={}; opcode=End"


def test_long_waits_are_told_by_the_longest():
    events = "\n".join([WAIT.format("A", 60, "LCK_M_X", 234000), WAIT.format("A", 90, "LCK_M_X", 31000),
                        WAIT.format("A", 95, "RESOURCE_SEMAPHORE", 29000)])  # fmt: skip
    (found,) = noted(case(messages=GROUP.format("A"), events=events))
    assert (found.id, found.severity) == ("health.waits", "notice")
    assert_facts(found, host="A", waits=1)
    assert [(e.label, e.value) for e in found.evidence] == [("longest LCK_M_X, n = 2", 234.0)]


def test_long_waits_of_a_file_whose_host_is_not_known_are_told_without_it():
    (found,) = noted(case(events=WAIT.format("@x", 60, "LCK_M_S", 64209)))
    assert (found.id, found.subject, found.severity) == ("health.waits", {}, "info")

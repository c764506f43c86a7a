"""What the log and the status of a Pacemaker cluster say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from agtrace.readers import detect
from agtrace.readers.pacemaker import READER
from agtrace.testing import (
    check_flips,
    check_read_twice,
    check_same_in_any_block_size,
    facts_of,
    issue_kinds,
    read_all,
)
from tests.effort import thorough
from tests.folded import folded
from tests.readers.pacemaker.small import LOG, OLDER, OLDER_STATUS, STATUS
from tests.readers.real_texts import real_texts

OLD = "Mar 01 10:15:30 [1234] contoso-l1       crmd:     info: crm_log_init: Changed active directory\n"
COROSYNC = "Mar 01 10:15:30 [1234] contoso-l1 corosync notice  [MAIN  ] Corosync Cluster Engine\n"
SYSLOG = "2026-03-01T10:15:30.100+01:00 contoso-l1 pacemaker-controld[26190]:  notice: "


def events(text: str) -> list[dict[str, Any]]:
    return facts_of(READER, text, "pacemaker_event")


def times(text: str) -> list[datetime | None]:
    rows = read_all(READER, text.encode(), "x")["facts"].to_pylist()
    return [row["time_local"] for row in rows if row["topic"] == "pacemaker_event" and row["key"] == "kind"]


@pytest.mark.parametrize("text", [LOG, OLD, COROSYNC, OLDER])
def test_logs_are_recognised_and_read(text):
    _reader, hit = detect(text.encode(), "pacemaker.log")
    assert (hit.kind, hit.readable) == ("Pacemaker log", True)
    assert facts_of(READER, text, "pacemaker_log")[0]["node"] == "contoso-l1"


@pytest.mark.parametrize("text", [STATUS, OLDER_STATUS])
def test_status_is_recognised(text):
    _reader, hit = detect(text.encode(), "contoso-l1_os_pcs.info")
    assert (hit.kind, hit.readable) == ("status of a Pacemaker cluster", True)


def test_other_logs_are_none():
    assert READER.detect(b"Mar 01 10:15:30 contoso-l1 sshd[12]: Accepted\n", "syslog") is None
    assert [text for text in real_texts() if READER.detect(text, "x")] == []


def test_what_became_of_resources_and_nodes():
    assert [(each["kind"], each["node"]) for each in events(LOG)] == [
        ("monitor_timeout", "contoso-l1"), ("fence_asked", "contoso-l2"), ("fence_asked", "contoso-l2"),
        ("fenced", "contoso-l2"), ("node_left", "contoso-l2"), ("promote_asked", "contoso-l1"),
        ("promoted", "contoso-l1"),
    ]  # fmt: skip


def test_a_monitor_that_timed_out_says_how_long_it_was_given():
    first = events(LOG)[0]
    assert (first["resource"], first["operation"], first["timeout_ms"]) == ("ag_cluster", "monitor", "60000")
    assert first["text"].startswith("Result of monitor operation for ag_cluster on contoso-l1: Timed Out")


def test_who_fenced_and_why():
    asked, _again, fenced = events(LOG)[1:4]
    assert asked["result"] == "peer is no longer part of the cluster"
    assert (fenced["by"], fenced["result"]) == ("contoso-l1", "OK")


def test_what_a_probe_finds_is_no_event():
    assert "ag_cluster_monitor_0" in LOG
    assert not [each for each in events(LOG) if each.get("operation") == "probe"]


def test_older_logs_say_the_same_in_other_words():
    assert [(each["kind"], each.get("resource"), each["node"]) for each in events(OLDER)] == [
        ("monitor_timeout", "ag_cluster", "contoso-l1"), ("fence_failed", None, "contoso-l2"),
        ("demoted", "ag_cluster", "contoso-l1"),
    ]  # fmt: skip


def test_an_agents_own_words_tell_the_year():
    assert times(LOG)[0] == datetime(2026, 3, 1, 10, 16)
    assert times(LOG)[-1] == datetime(2026, 3, 1, 10, 16, 12, 500_000)


def test_seconds_since_1970_tell_the_year_and_a_new_year_begins():
    assert times(OLDER) == [
        datetime(2025, 12, 31, 23, 59, 58), datetime(2026, 1, 1, 0, 0, 1), datetime(2026, 1, 1, 0, 0, 2),
    ]  # fmt: skip


def test_a_day_of_two_digits_tells_the_year():
    text = LOG.replace("2026/03/01", "today").replace("Mar 01", "Mar 14")
    assert (
        times(text + "Mar 14 10:17:00 n1 pacemaker-controld[1] (x) notice: at Mar 14 10:16:59 2026\n")[0].year
        == 2026
    )


def test_without_a_word_of_the_year_there_is_no_time():
    text = LOG.replace("2026/03/01", "today")
    assert set(times(text)) == {None}
    assert issue_kinds(READER, text) == ["no_year"]
    assert events(text)[0]["moment"] == "Mar 01 10:16:00.000"


def test_syslog_has_whole_times():
    text = (
        SYSLOG
        + "Peer contoso-l2 was terminated (reboot) by contoso-l3 on behalf of pacemaker-controld.1: OK\n"
    )
    (fenced,) = events(text)
    assert (fenced["kind"], fenced["node"], fenced["by"]) == ("fenced", "contoso-l2", "contoso-l3")
    assert times(text) == [datetime(2026, 3, 1, 10, 15, 30, 100_000)]


@folded(
    ("said", "kind"),
    [
        ("Result of start operation for virtualip on contoso-l1: ok | call=4", "resource_started"),
        ("Result of stop operation for virtualip on contoso-l1: 0 (ok) | call=4", "resource_stopped"),
        ("Result of demote operation for ag on l1: Timed Out | call=4", "operation_timeout"),
        ("Result of promote operation for ag on contoso-l1: error (no quorum)", "operation_failed"),
        ("Result of monitor operation for ag on l1: not running | key=ag_monitor_9", "operation_failed"),
        ("Result of monitor operation for ag on contoso-l1: promoted | key=ag_monitor_9", None),
        ("Result of monitor operation for ag on contoso-l1: ok | key=ag_monitor_10000", None),
        ("Quorum lost | membership=12 members=1", "quorum_lost"),
        ("Node contoso-l2 state is now member | nodeid=2", "node_online"),
        ("Operation 'reboot' targeting contoso-l2 by contoso-l3 for crmd@x: OK", None),
    ],
)  # fmt: skip
def test_kinds(said, kind):
    assert [each["kind"] for each in events(SYSLOG + said + "\n")] == ([kind] if kind else [])


def status(text: str, kind: str) -> list[dict[str, str]]:
    return [each for each in facts_of(READER, text, "pacemaker_status") if each["kind"] == kind]


def test_nodes_and_their_states():
    assert [(node["name"], node["state"]) for node in status(STATUS, "node")] == [
        ("contoso-l3", "UNCLEAN (offline)"), ("contoso-l1", "online"), ("contoso-l2", "online"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STATUS, [("ag_cluster", "contoso-l1", "Promoted"), ("ag_cluster", "contoso-l2", "Unpromoted"),
                  ("virtualip", "contoso-l1", "Started"), ("fence1", None, "Stopped")]),
        (OLDER_STATUS, [("ag_cluster", "contoso-l2", "Promoted"), ("ag_cluster", "contoso-l1", "Stopped"),
                        ("virtualip", "contoso-l2", "Started")]),
    ],
)  # fmt: skip
def test_where_resources_run_in_old_and_new_words(text, expected):
    found = [(each["name"], each.get("node"), each["state"]) for each in status(text, "resource")]
    assert found == expected


def test_the_controller_and_the_quorum():
    assert [(each.get("controller"), each.get("quorum")) for each in status(OLDER_STATUS, "cluster")] == [
        (None, None), ("contoso-l2", "without"),
    ]  # fmt: skip
    assert {each.get("updated") for each in status(STATUS, "cluster")} == {None, "Sun Mar  1 10:16:02 2026"}


@pytest.mark.parametrize("text", [STATUS, OLDER_STATUS])
def test_actions_that_failed_and_when(text):
    (failed,) = status(text, "failure")
    assert (failed["name"], failed["operation"], failed["at"]) == (
        "ag_cluster", "monitor", "Sun Mar  1 10:15:00 2026",
    )  # fmt: skip


@thorough
@pytest.mark.parametrize("text", [LOG, OLDER, STATUS, OLDER_STATUS])
def test_damage(text):
    data = text.encode()
    check_same_in_any_block_size(READER, data, "x")
    check_read_twice(READER, data, "x")
    check_flips(READER, data, "x", 3_000)


@pytest.mark.parametrize("text", [LOG, STATUS])
def test_a_last_line_without_its_end_is_told(text):
    assert "unfinished_line" in issue_kinds(READER, text[:-20])

"""Kits: every need of a question is collected, done by hand or named, and each version gets what it has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace import kit
from agtrace.cli import kit as verb
from agtrace.diagnostics.need import Need
from agtrace.errors import CaseError
from agtrace.kit.pieces import pieces
from agtrace.tables.counter_catalogue import canonical, split_path
from tests.folded import folded

EVERY = [
    (name, version)
    for name, kind in kit.kinds().items()
    for version in (None, *kit.VERSIONS)
    if not version or version >= kind.least
]


def planned(name: str, version: int | None = None) -> kit.Plan:
    return kit.plan(kit.kind_of(name), version)


def whole_plan() -> kit.Plan:
    """Plan a kit that turns on all that any kit does: counters, a session and trace flags."""
    needs: dict[Need, None] = {}
    for name in ("seeding", "backup", "transport"):
        needs |= dict.fromkeys(kit.kind_of(name).needs)
    return kit.plan(kit.kind_of("seeding"), None, needs)


def test_the_verb_knows_the_kits_and_the_versions():
    assert tuple(kit.kinds()) == verb.NAMES == ("transport", "seeding", "backup", "health", "commit")
    assert tuple(map(int, verb.VERSIONS)) == kit.VERSIONS


@pytest.mark.parametrize("name", kit.kinds())
def test_nothing_that_a_question_reads_is_left_out(name):
    assert planned(name).left == ()


def test_what_a_kit_leaves_to_another_one_is_said_on_its_page():
    told = {
        name: [(need.names, other) for need, other in planned(name).elsewhere]
        for name in kit.kinds()
        if planned(name).elsewhere
    }
    assert told == {"transport": [(("log_blocks",), "commit")]}
    text = " ".join(kit.contents(planned("transport"))["README.txt"].decode().split())
    assert "data-movement events of both ends: the effect of a change on commits." in text
    assert "agtrace kit commit -o FOLDER" in text


def test_a_new_need_appears_in_the_kit():
    kind = kit.kind_of("seeding")
    needs = (
        Need("counter", ("SQLServer:Databases\\Percent Log Used",), "how full the log is", "perfmon"),
        Need(
            "event", ("hadr_physical_seeding_forwarder_state_change",), "what a forwarder does", "a session"
        ),
        Need("topic", ("tcp_global",), "TCP settings", "netsh"),
        Need("topic", ("a_new_topic",), "**what is new**", "a new tool.", "primary"),
    )
    made = kit.plan(kind, None, [*kind.needs, *needs])
    files = {name: data.decode() for name, data in kit.contents(made).items()}
    assert "\\SQLServer:Databases(*)\\Percent Log Used\r\n" in files["counters.txt"]
    assert "ADD EVENT sqlserver.hadr_physical_seeding_forwarder_state_change" in files["session_start.sql"]
    assert "netsh interface tcp show global" in files["collect.ps1"]
    assert made.left == (needs[3],)
    assert "  - a new tool: what is new (primary).\r\n" in files["README.txt"]


@pytest.mark.parametrize(
    ("name", "version", "certain", "guarded"),
    [
        ("commit", 2014, 8, 6),
        ("commit", None, 8, 6),
        ("commit", 2016, 14, 0),
        ("commit", 2025, 14, 0),
        ("seeding", None, 10, 0),
        ("seeding", 2022, 10, 0),
    ],
)
def test_events_that_not_every_build_has_are_added_where_the_server_knows_them(
    name, version, certain, guarded
):
    made = planned(name, version)
    assert (len(made.events), len(made.guarded_events)) == (certain, guarded)
    text = kit.contents(made)["session_start.sql"].decode()
    assert text.count("ADD EVENT") == certain + guarded
    assert text.count("sys.dm_xe_objects WHERE object_type = N'event'") == guarded


@pytest.mark.parametrize(
    ("counter", "in_2014", "in_2016"),
    [
        (r"\SQLServer:Database Replica(*)\Log Send Queue", True, True),
        (r"\SQLServer:Database Replica(*)\Log Bytes Compressed/sec", False, True),
        (r"\SQLServer:Database Replica(*)\Group Commit Time", False, True),
        (r"\SQLServer:Database Replica(*)\Database Flow Control Delay", False, True),
        (r"\SQLServer:Availability Replica(*)\Flow Control Time (ms/sec)", True, True),
        (r"\TCPv4\Segments Retransmitted/sec", True, True),
        (r"\Processor Information(_Total)\% Processor Time", True, True),
    ],
)
def test_a_version_is_asked_for_the_counters_that_it_has(counter, in_2014, in_2016):
    listed = [kit.counter_paths(planned("transport", version)) for version in (2014, 2016, 2025)]
    assert [counter in each for each in listed] == [in_2014, in_2016, in_2016]


@folded(("name", "version"), EVERY)
def test_every_counter_is_in_the_catalogue(name, version):
    for path in kit.counter_paths(planned(name, version)):
        parts = split_path(path)
        assert canonical(parts.object, parts.counter), path


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: kit.kind_of("nothing"), "there is no kit 'nothing' - there are: transport, seeding"),
        (
            lambda: planned("seeding", 2014),
            "is for SQL Server 2016 and later, not for 2014 - name one of 2016, 2017",
        ),
        (lambda: planned("backup", 2012), "there is no kit for SQL Server 2012 - there are: 2014, 2016"),
    ],
)
def test_what_there_is_no_kit_for_is_said(call, says):
    with pytest.raises(CaseError, match=says):
        call()


def test_a_folder_that_is_there_stays_as_it_is(tmp_path):
    (tmp_path / "kit").mkdir()
    with pytest.raises(CaseError, match="exists already - name another folder"):
        kit.write(planned("backup"), tmp_path / "kit")
    assert list((tmp_path / "kit").iterdir()) == []


def test_a_need_is_met_by_each_piece_that_gives_one_of_its_names():
    need = Need("relation", ("replicas", "waits"), "x", "y")
    assert [name for name, piece in pieces().items() if piece.gives(need)] == ["looks", "waits"]
    # What no piece names is given by what it is made of.
    assert [
        name for name, piece in pieces().items() if piece.gives(replace(need, names=("log_blocks",)))
    ] == ["session"]


@pytest.mark.parametrize("name", kit.kinds())
def test_the_page_for_the_customer_tells_all(name):
    text = kit.contents(planned(name))["README.txt"].decode("ascii")
    for heading in (
        "WHEN AND WHERE",
        "WINDOWS",
        "LINUX",
        "WHAT TO SEND",
        "WHAT IT COSTS",
        "TO STOP AND TO UNDO",
        "BY HAND",
    ):
        assert f"\r\n{heading}" in text
    assert "collect.ps1 -WhatIf" in text
    # Whatever the scripts begin is ended by a line of it.
    assert ("logman delete" in text, "session_stop.sql" in text, "trace_flags_off.sql" in text) == (
        True,
        name in ("seeding", "commit"),
        name == "backup",
    )


def test_what_is_measured_of_its_cost_is_said_and_what_is_not_too():
    commit, seeding = (kit.contents(planned(name))["README.txt"].decode() for name in ("commit", "seeding"))
    assert "1,140 events a second" in " ".join(commit.split())
    assert "was not measured" in " ".join(seeding.split())
    # 24 bytes of text for a value, each second or every 5.
    assert ("at most 85 KB an hour" in commit, "at most 17 KB an hour" in seeding) == (True, True)

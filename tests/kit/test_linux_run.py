"""The script for Linux from begin to end, with commands that stand in for the server and its tools."""

from __future__ import annotations

import re
import shutil
import sys

import pytest

import agtrace
from agtrace import kit

if sys.platform == "win32" or not shutil.which("bash"):
    pytest.skip("needs bash and a terminal of its own", allow_module_level=True)

from tests.kit.linux_server import LOGS, LinuxServer

ERRORLOG = """\
2024-03-05 12:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) on Linux
2024-03-05 12:00:00.20 Server      UTC adjustment: 0:00
2024-03-05 12:00:01.30 spid9s      Recovery is complete. This is an informational message only.
"""


@pytest.fixture
def server(tmp_path):
    """Build a server with a kit of a name."""
    return lambda name: LinuxServer(tmp_path / "server", kit.plan(kit.kind_of(name)))


@pytest.mark.parametrize("name", sorted(kit.kinds()))
def test_what_it_collects_is_packed_and_every_part_of_it_is_there(server, name):
    server = server(name)
    ended = server.run()
    assert ended.status == 0, ended.shown
    assert "warning" not in ended.shown
    assert re.fullmatch(rf"agtrace_{name}_SQL1_\d{{8}}_\d{{6}}\.tar\.gz", server.archives[0].name)
    packed = {each.removeprefix("SQL1/") for each in server.packed}
    assert packed >= {
        *LOGS,
        "counters.txt",
        "look_begin.txt",
        "look_end.txt",
        "mpstat.txt",
        "iostat.txt",
        "sar_network.txt",
    }
    has_session = (server.kit / "session_start.sql").exists()
    assert (f"agtrace_{name}_0_2.xel" in packed) == has_session


def test_what_does_not_end_when_it_is_asked_to_is_ended(server):
    server = server("transport")
    server.tool("mpstat", "#!/bin/sh\ntrap '' TERM\nexec sleep 60\n")
    assert server.run().status == 0
    assert (len(server.archives), server.left_running) == (1, False)


@pytest.mark.parametrize("name", ["commit", "seeding"])
def test_the_session_that_it_starts_it_ends(server, name):
    server = server(name)
    server.run()
    assert server.asked(r"-i \S.*/(session\w+)\.sql") == ["session_start", "session_stop"]


def test_it_turns_off_the_trace_flags_that_it_set_and_leaves_one_that_was_on(server):
    server = server("backup")
    server.run()
    said = server.asked(r"TRACE(ON|OFF) \((\d+)")
    assert said == [(what, flag) for what in ("ON", "OFF") for flag in ("3004", "3014", "3213")]


def test_a_part_that_fails_is_reported_and_the_others_are_collected(server):
    server = server("transport")
    server.tool("sysctl", "#!/bin/sh\nexit 1\n")
    ended = server.run("SQL2")
    assert ended.status == 0
    assert "warning: keep the TCP settings: it failed" in ended.shown
    assert "Done, with 1 warning (above). Send this file" in ended.shown
    assert "SQL1/ping_SQL2.txt" in server.packed


def test_what_was_packed_is_a_case_of_that_host(server, tmp_path):
    server = server("transport")
    (server.logs / "errorlog").write_text(ERRORLOG)
    server.run()
    (tmp_path / "case").mkdir()
    shutil.move(server.archives[0], tmp_path / "case")
    with agtrace.open_case(tmp_path / "case") as opened:
        read = opened.captures[opened.captures["status"] == "ingested"]
        assert [(row.host_id, row.path.split("/")[-1]) for row in read.itertuples()] == [("SQL1", "errorlog")]


@pytest.mark.parametrize("arguments", [("-m", "x"), ("-m", "0"), ("-q",)])
def test_what_it_does_not_understand_changes_nothing(server, arguments):
    server = server("commit")
    ended = server.run(*arguments)
    assert ended.status == 2
    assert server.asked(".+") == []
    assert "usage" in ended.shown or "wants a number of minutes" in ended.shown

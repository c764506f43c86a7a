"""The script for Linux from begin to end, with commands that stand in for the server and its tools."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

import agtrace
from agtrace import kit

if sys.platform == "win32" or not shutil.which("bash"):
    pytest.skip("needs bash and a terminal of its own", allow_module_level=True)
pty = pytest.importorskip("pty")

# It notes what it is asked, writes a line where it would show something, and repeats until it is ended.
SQLCMD = """#!/bin/bash
echo "$*" >>"$ASKED"
for ((n = 1; n < $#; n++)); do
    next=$((n + 1))
    case ${!n} in -i) asked=${!next} ;; -o) out=${!next} ;; esac
done
[[ -z ${out-} ]] || echo "shown by ${asked##*/}" >"$out"
case "$*" in *"TRACESTATUS (3605"*) echo "3605 1 1 0" ;; esac
case $asked in */counters.sql | */repeat.sql) exec sleep 60 ;; esac
"""
LOGS = ("errorlog", "errorlog.1", "AlwaysOn_health_0_1.xel", "system_health_0_1.xel")
ERRORLOG = """\
2024-03-05 12:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) on Linux
2024-03-05 12:00:00.20 Server      UTC adjustment: 0:00
2024-03-05 12:00:01.30 spid9s      Recovery is complete. This is an informational message only.
"""


@pytest.fixture
def server(tmp_path):
    """A machine with its tools and logs; its folders have names that a shell would take apart."""
    tools, logs = tmp_path / "tools", tmp_path / "the $log's *folder"
    tools.mkdir()
    logs.mkdir()
    asked = tmp_path / "asked"
    asked.touch()
    for name in ("mpstat", "iostat", "sar"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} $*\nexec sleep 60\n")
    for name in ("ping", "sysctl", "journalctl"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} $*\n")
    (tools / "hostname").write_text("#!/bin/sh\necho SQL1\n")
    (tools / "sqlcmd").write_text(SQLCMD)
    for tool in tools.iterdir():
        tool.chmod(0o755)
    for name in LOGS:
        (logs / name).write_text(ERRORLOG if name == "errorlog" else name)
    return tmp_path, logs, {"PATH": f"{tools}:/usr/bin:/bin", "ASKED": str(asked)}


def collect(server, name, *arguments):
    """Run the script in a terminal, say q when it waits, and give what it showed and its status."""
    place, logs, env = server
    folder = place / "a kit (copy)"
    kit.write(kit.plan(kit.kind_of(name)), folder)
    (logs / f"agtrace_{name}_0_1.xel").write_text("events")
    ours, theirs = pty.openpty()
    script = ["bash", str(folder / "collect.sh"), "-l", str(logs), *arguments]
    running = subprocess.Popen(
        script, env=env, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    os.write(ours, b"q")
    shown, _ = running.communicate(timeout=40)
    os.close(ours)
    os.close(theirs)
    return folder, shown, running.returncode


def asked_for(server):
    """Give the scripts that the server was sent, in their order."""
    return re.findall(r"-i \S.*/(\w+)\.sql", (server[0] / "asked").read_text())


@pytest.mark.parametrize("name", sorted(kit.kinds()))
def test_what_it_collects_is_packed_and_every_part_of_it_is_there(server, name):
    folder, shown, status = collect(server, name)
    assert status == 0, shown
    assert "warning" not in shown
    with tarfile.open(folder / f"agtrace_{name}_SQL1.tar.gz") as packed:
        there = {each.rsplit("/", 1)[-1] for each in packed.getnames()}
    assert there >= {
        "SQL1",
        *LOGS,
        "counters.txt",
        "look_begin.txt",
        "look_end.txt",
        "mpstat.txt",
        "iostat.txt",
    }
    assert (f"agtrace_{name}_0_1.xel" in there) == (folder / "session_start.sql").exists()


def test_what_does_not_end_when_it_is_asked_to_is_ended(server):
    place, _logs, _env = server
    (place / "tools" / "mpstat").write_text("#!/bin/sh\ntrap '' TERM\nexec sleep 60\n")
    folder, _shown, status = collect(server, "transport")
    assert status == 0
    assert (folder / "agtrace_transport_SQL1.tar.gz").exists()


@pytest.mark.parametrize("name", ["commit", "seeding"])
def test_the_session_that_it_begins_it_ends(server, name):
    collect(server, name)
    asked = [each for each in asked_for(server) if each.startswith("session")]
    assert asked == ["session_start", "session_stop"]


def test_it_takes_off_the_trace_flags_that_it_set_and_leaves_one_that_was_on(server):
    collect(server, "backup")
    said = re.findall(r"TRACE(ON|OFF) \((\d+)", (server[0] / "asked").read_text())
    assert said == [(what, flag) for what in ("ON", "OFF") for flag in ("3004", "3014", "3213")]


def test_a_part_that_fails_is_told_and_the_others_are_collected(server):
    place, _logs, _env = server
    (place / "tools" / "iostat").unlink()
    (place / "tools" / "sysctl").write_text("#!/bin/sh\nexit 1\n")
    folder, shown, status = collect(server, "transport", "SQL2")
    assert status == 0
    assert "warning: keep the TCP settings: it failed" in shown
    with tarfile.open(folder / "agtrace_transport_SQL1.tar.gz") as packed:
        assert "SQL1/ping_SQL2.txt" in packed.getnames()


def test_what_was_packed_is_a_case_of_that_host(server):
    folder, _shown, _status = collect(server, "transport")
    case = folder.parent / "case"
    case.mkdir()
    shutil.move(folder / "agtrace_transport_SQL1.tar.gz", case)
    with agtrace.open_case(case) as opened:
        read = opened.captures[opened.captures["status"] == "ingested"]
        assert [(row.host_id, row.path.split("/")[-1]) for row in read.itertuples()] == [("SQL1", "errorlog")]


@pytest.mark.parametrize("arguments", [("-m", "x"), ("-m", "0"), ("-q",)])
def test_what_it_does_not_understand_changes_nothing(server, arguments):
    _folder, shown, status = collect(server, "commit", *arguments)
    assert status == 2
    assert asked_for(server) == []
    assert "usage" in shown or "wants a number of minutes" in shown

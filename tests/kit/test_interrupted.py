"""Interrupts and failures of collect.sh at any step: nothing stays on, and no claim is false."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

if sys.platform == "win32" or not shutil.which("bash"):
    pytest.skip("needs bash and a terminal of its own", allow_module_level=True)

from tests.kit.linux_server import LinuxServer
from tests.kit.test_kits import whole_plan

DONE = "Send this file"
FLAGS = {"3004", "3014", "3213"}


@pytest.fixture
def server(tmp_path):
    return LinuxServer(tmp_path / "server", whole_plan())


def at_steps(tmp_path, check):
    """Check a run that is interrupted at each step of a whole one; several at once, as they mostly wait."""
    whole = LinuxServer(tmp_path / "whole", whole_plan()).run("SQL2")
    assert whole.status == 0, whole.shown

    def at(step):
        try:
            check(LinuxServer(tmp_path / str(step), whole_plan()), step)
        except AssertionError as error:
            return f"step {step}: {error}"
        return None

    with ThreadPoolExecutor(4) as pool:
        failed = [each for each in pool.map(at, range(1, whole.steps + 1)) if each]
    assert not failed, "\n".join(failed)


def nothing_is_left(server, step, how):
    ended = server.run("SQL2", at=step, how=how)
    name = server.world / "steps" / str(step)
    what = f"{name.read_text() if name.exists() else 'not reached'}\n{ended.shown}"
    assert ended.status != 0, what
    assert (server.on, server.noted, server.left_running) == (set(), set(), False), what
    assert DONE not in ended.shown, what
    # A signal while the whole archive gets its name comes too late.
    assert not server.archives or (len(server.packed) > 5 and "mv" in what.splitlines()[0]), what
    assert not list(server.logs.glob(f"{server.session}*")), what


@pytest.mark.parametrize("how", ["INT", "TERM", "HUP"])
def test_a_signal_with_everything_on_leaves_nothing_on(server, how):
    server.tool(
        "ping", '#!/bin/bash\n[[ -e $WORLD/on/session && -e $WORLD/on/3213 ]] && touch "$WORLD/was_on"\n'
    )
    nothing_is_left(server, 34, how)
    assert server.world.joinpath("was_on").exists()


@pytest.mark.complete
@pytest.mark.parametrize("how", ["INT", "TERM", "HUP"])
def test_a_signal_at_any_step_leaves_nothing_on(tmp_path, how):
    at_steps(tmp_path, lambda server, step: nothing_is_left(server, step, how))


def killed_and_run_again(server, step):
    ended = server.run("SQL2", at=step, how="KILL")
    assert ended.status == -9
    assert DONE not in ended.shown
    assert server.on <= server.noted, ended.shown
    again = server.run("SQL2")
    assert (again.status, server.on, server.noted) == (0, set(), set()), again.shown


@pytest.mark.complete
def test_a_kill_at_any_step_is_reported_and_the_next_run_turns_off_what_is_on(tmp_path):
    at_steps(tmp_path, killed_and_run_again)


def test_a_run_beside_another_one_is_refused(server):
    other = subprocess.Popen(["bash", "-c", "sleep 60; :", "collect.sh"], start_new_session=True)
    (server.kit / "STILL_ON_SQL1.txt").write_text(f"process {other.pid}\ntrace flag 3004\n")
    ended = server.run()
    server.end_group(other.pid)
    other.wait()
    assert ended.status == 1
    assert f"runs already (process {other.pid})" in ended.shown
    assert not server.asked("TRACEOFF")


def test_without_an_answer_nothing_is_started(server):
    server.is_now("stopped")
    ended = server.run()
    assert ended.status == 1
    assert "localhost does not answer" in ended.shown
    assert DONE not in ended.shown
    assert len(server.asked(".+")) == 1
    assert not (server.kit / "collected").exists()


@pytest.mark.parametrize("answer", ["12", "", "Sqlcmd: Warning"])
def test_an_unsupported_version_starts_nothing(server, answer):
    (server.world / "version").write_text(f"{answer}\n")
    ended = server.run()
    assert ended.status == 1
    assert "This kit is for SQL Server 2016 and later" in ended.shown
    assert len(server.asked(".+")) == 1
    assert not (server.kit / "collected").exists()


def test_a_server_that_stops_meanwhile_is_reported_and_what_may_be_on_is_noted(server):
    # It stops as the round trip is measured: flags and session are on.
    server.tool("ping", '#!/bin/sh\ntouch "$WORLD/stopped"\n')
    ended = server.run("SQL2")
    assert ended.status == 1
    assert server.noted == {"session", *FLAGS}
    assert ended.shown.count("could not be turned off") == len(FLAGS) + 1
    server.is_now()
    again = server.run()
    assert (again.status, server.on, server.noted) == (0, set(), set())


def test_without_rights_nothing_is_claimed_to_be_on(server):
    server.is_now("denied")
    ended = server.run("SQL2")
    assert "warning: set the trace flags 3004, 3014, 3213, 3605: it failed" in ended.shown
    assert "warning: start the Extended Events session: it failed" in ended.shown
    assert "could not be" not in ended.shown
    assert (server.on, server.noted, ended.status) == (set(), set(), 0)


def test_a_flag_whose_state_is_unknown_is_not_set(server):
    sqlcmd = (server.tools / "sqlcmd").read_text()
    server.tool("sqlcmd", sqlcmd.replace("*TRACESTATUS*)", "*TRACESTATUS*) exit 1;"))
    ended = server.run()
    assert not server.asked("TRACEON")
    assert "set the trace flags 3004, 3014, 3213, 3605: it failed" in ended.shown


FULL_TAR = """\
#!/bin/bash
for ((n = 1; n < $#; n++)); do next=$((n + 1)); [[ ${!n} != -*f ]] || : >"${!next}"; done
echo "tar: write error: No space left on device" >&2
exit 2
"""


@pytest.mark.parametrize(
    ("tool", "text"),
    [("tar", FULL_TAR), ("mv", '#!/bin/bash\n[[ $* != *.tar.gz* ]] && exec /usr/bin/mv "$@"\nexit 1\n')],
)
def test_a_disk_that_is_full_when_it_packs_is_reported_and_what_was_collected_stays(server, tool, text):
    server.tool(tool, text)
    ended = server.run("SQL2")
    assert ended.status == 1
    assert DONE not in ended.shown
    assert "Not packed" in ended.shown
    assert server.archives == []
    assert {path.name for path in server.kit.glob("collected/*/SQL1/*")} >= {"errorlog", "ping_SQL2.txt"}
    assert (server.on, server.noted) == (set(), set())


@pytest.mark.parametrize("blocks", [0, 1, 2, 8])
def test_a_full_disk_at_any_step_leaves_nothing_on(server, blocks):
    """No file may exceed a size: writing fails from there on, as on a full disk."""
    (server.logs / "errorlog").write_bytes(os.urandom(200_000))
    ended = server.run("SQL2", before=f"trap '' XFSZ; ulimit -f {blocks}")
    assert ended.status == 1, ended.shown
    assert DONE not in ended.shown
    assert (server.on, server.noted, server.archives) == (set(), set(), [])


def test_what_cannot_be_noted_is_not_turned_on(server):
    (server.kit / "STILL_ON_SQL1.txt").mkdir()
    ended = server.run()
    assert ended.status == 1
    assert not server.asked("TRACEON|session_start")


@pytest.mark.parametrize("before", ["exec >/dev/full", "exec >/dev/full 2>&1", "exec >&-", "exec 2>&-"])
def test_an_output_that_nobody_reads_leaves_nothing_on(server, before):
    server.run("SQL2", before=before)
    assert (server.on, server.noted, server.left_running) == (set(), set(), False)


def test_nobody_else_reads_what_it_writes(server):
    (server.logs / "errorlog").chmod(0o666)
    server.run("SQL2", before="umask 000")
    made = [*server.archives, server.kit / "collected", *server.kit.glob("collected/**/*")]
    assert len(made) > 10
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in made} == {0}


def test_what_earlier_runs_left_is_not_packed(server):
    old = server.kit / "collected" / "20240101_000000_1" / "SQL1"
    older = server.kit / "collected" / "SQL1"
    for folder in (old, older):
        folder.mkdir(parents=True)
        (folder / "secret.txt").write_text("of last year")
    (server.logs / f"{server.session}_0_1.xel").write_text("of last year")
    ended = server.run("SQL2")
    assert ended.status == 0
    names = [name.split("/")[-1] for name in server.packed]
    assert "secret.txt" not in names
    assert [name for name in names if name.startswith(server.session)] == [f"{server.session}_0_2.xel"]
    assert (server.logs / f"{server.session}_0_1.xel").exists()


def test_what_ends_too_early_is_a_warning(server):
    server.tool("mpstat", "#!/bin/sh\nexit 1\n")
    ended = server.run("SQL2")
    assert "warning: mpstat ended early" in ended.shown
    assert "with 1 warning" in ended.shown


@pytest.mark.parametrize("missing", ["mpstat", "iostat", "sar"])
def test_a_tool_of_sysstat_that_is_missing_is_a_warning(server, missing):
    if shutil.which(missing, path="/usr/bin:/bin"):
        pytest.skip("this machine has sysstat")
    (server.tools / missing).unlink()
    ended = server.run("SQL2")
    assert f"{missing} is missing: install sysstat" in ended.shown

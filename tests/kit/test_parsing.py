"""Everything in a kit parses: T-SQL, PowerShell, bash; and a fault in it is found."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from agtrace import kit
from simulation.kits.tsql import NotTsqlError, parse, walk
from tests.folded import folded
from tests.kit.test_kits import EVERY, planned

FILES = [(f"{name}-{version}", kit.contents(planned(name, version))) for name, version in EVERY]

TARGET = "ADD TARGET package0.event_file (SET filename = N'a') WITH (STARTUP_STATE = OFF);"


def of_kind(suffix: str) -> list[object]:
    return [
        pytest.param(data.decode("ascii"), id=f"{kit_name}-{name}")
        for kit_name, files in FILES
        for name, data in files.items()
        if name.endswith(suffix)
    ]


@pytest.mark.complete
@folded("text", of_kind(".sql"))
def test_the_sql_is_t_sql(text):
    assert walk(parse(text.replace("$(Minutes)", "30")))


@folded(
    "text",
    [
        "SELECT a b c FROM sys.databases;",
        "DROP TABLE dbo.Orders;",
        f"CREATE EVENT SESSION a ON SERVER ADD EVENT sqlserver.x ADD EVENT sqlserver.y {TARGET}",
        f"CREATE EVENT SESSION a ON SERVER ADD EVENT sqlos.x {TARGET}",
        "ALTER EVENT SESSION a ON SERVER STATE = RUNNING;",
        "DBCC FREEPROCCACHE;",
        "WHILE 1 = 1 BEGIN END;",
        "PRINT 'a'",
        "WAITFOR DELAY '15';",
    ],
)
def test_what_is_none_is_found(text):
    with pytest.raises(NotTsqlError):
        parse(text)


@folded("text", of_kind(".ps1"))
def test_the_script_for_windows_parses(text):
    powershell = pytest.importorskip("tree_sitter_powershell")
    tree_sitter = pytest.importorskip("tree_sitter")
    parser = tree_sitter.Parser(tree_sitter.Language(powershell.language()))
    assert not parser.parse(text.encode()).root_node.has_error
    # A brace less is found.
    assert parser.parse(text[: text.rindex("}")].encode()).root_node.has_error


@pytest.mark.parametrize("text", of_kind("collect.sh"))
def test_the_script_for_linux_parses(text, tmp_path):
    script = tmp_path / "collect.sh"
    script.write_text(text, newline="\n")
    subprocess.run(["bash", "-n", script], check=True)
    shellcheck = shutil.which("shellcheck") or shutil.which("shellcheck", path=_scripts())
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    found = subprocess.run([shellcheck, script], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "")


def test_the_script_for_linux_does_nothing_when_it_is_told_so(tmp_path):
    kit.write(planned("commit"), tmp_path / "kit")
    done = subprocess.run(
        ["bash", tmp_path / "kit" / "collect.sh", "-n", "SQL2"],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[:3] == [
        "would: start mpstat, iostat and sar",
        "would: log the counters of SQL Server",
        "would: start the Extended Events session",
    ]
    assert not (tmp_path / "kit" / "collected").exists()


def _scripts() -> str:
    import sysconfig

    return sysconfig.get_path("scripts")

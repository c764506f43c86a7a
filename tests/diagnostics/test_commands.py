"""What is offered to be copied and run is a whole command: where it runs, what it interrupts, its undoing."""

from __future__ import annotations

import re
from functools import cache

import pytest

from agtrace.report import scripts
from agtrace.say.said import Said
from tests.diagnostics.rendering import examples, package, questions, rendered

READS = (
    "SELECT ", "DBCC TRACESTATUS ", "netsh interface tcp show ", "sysctl net.", "journalctl ",
    "pcs quorum status", "pcs stonith history",
    "Get-NetTCPConnection ", "Test-NetConnection ", "nc -vz ", "setspn -L ", "Get-ClusterLog ",
    "Get-ClusterGroup ", "agtrace kit ", "agtrace sql ", "relog ", "Get-NetAdapter ",
    "setspn -Q ", "Test-Dtc ", "vssadmin list ",
)  # fmt: skip
"""Commands that look and change nothing."""
CHANGES = (
    "ALTER ", "BACKUP DATABASE ", "DBCC TRACEON ", "DBCC TRACEOFF ", "DECLARE @e ",
    "netsh interface tcp set ", "sysctl -w ", "powercfg /setactive ", "(Get-Cluster).",
    "Get-ClusterResource ", "Suspend-ClusterNode ", "Set-ClusterQuorum ", "Start-ClusterResource ",
    "Stop-ClusterResource ",
    "CREATE ENDPOINT ", "DROP ENDPOINT ", "DROP CERTIFICATE ", "USE master; CREATE LOGIN ",
    "USE master; CREATE CERTIFICATE ",
    "EXEC sp_configure ", "EXEC sp_removedbreplication ", "setspn -D ", "setup.exe ",
    "GRANT CONNECT ON ENDPOINT", "REVOKE CONNECT ON ENDPOINT", "setspn -S ",
    "(Get-ClusterResource ", "pcs resource ",
    "GRANT ALTER ANY AVAILABILITY GROUP", "New-NetFirewallRule ", "Remove-NetFirewallRule ", "firewall-cmd ",
)  # fmt: skip
"""Commands that change a host or load it."""

SCRIPT = scripts.template("page.js")
LEAST = int(re.search(r"const LEAST = (\d+);", SCRIPT)[1])  # type: ignore[index]
GAP = re.compile(re.search(r"const GAP = /(.+)/;", SCRIPT)[1])  # type: ignore[index]


@cache
def advice() -> list[str]:
    """Return what the questions recommend, as rendered from the facts of their said.yaml."""
    return [
        rendered(Said(package(question)), name, facts).get("do", "")
        for question in questions()
        for name, own in examples(question).items()
        for facts in own
    ]


def offered(text: str) -> list[str]:
    """Give the commands of a text that a page has a button for."""
    code = re.findall(r"`([^`]+)`", text)
    return [each for each in code if len(each) >= LEAST and " " in each and not GAP.search(each)]


@pytest.mark.complete
def test_what_is_offered_is_a_whole_command():
    every = {command for text in advice() for command in offered(text)}
    assert len(every) >= 20
    assert [command for command in every if not command.startswith(READS + CHANGES)] == []


SAYS = {
    "where": r"\b[Oo]n (the|one|both|[\w\[]+)\b",
    "what it interrupts": r"interrupt|disturbs nobody",
    "how to undo it": r"undo|changes nothing",
}


@pytest.mark.complete
@pytest.mark.parametrize("what", SAYS)
def test_a_command_that_changes_something_says_where_what_it_interrupts_and_how_to_undo_it(what):
    changing = [text for text in advice() if any(each.startswith(CHANGES) for each in offered(text))]
    assert changing
    assert [text for text in changing if not re.search(SAYS[what], text)] == []


@pytest.mark.parametrize(
    "text", ["ALTER DATABASE [...] SET HADR RESUME", "--utc-offset SQL1=H:MM", "run this <name> now, please"]
)
def test_a_command_with_a_gap_is_not_offered(text):
    assert offered(f"`{text}`") == []

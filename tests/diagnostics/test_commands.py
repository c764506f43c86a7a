"""What is offered to be copied and run is a whole command: where it runs, what it interrupts, its undoing."""

from __future__ import annotations

import re
from functools import cache

import pytest

from agtrace.report import scripts
from agtrace.say.said import Said
from tests.diagnostics.rendering import examples, package, questions, rendered

READS = (
    "SELECT ", "DBCC TRACESTATUS ", "DBCC OPENTRAN ", "DBCC CHECKDB ", "DBCC MEMORYSTATUS",
    "EXEC sys.xp_", "EXEC sp_replcounters", "BACKUP DATABASE ", "BACKUP LOG ",
    "netsh interface tcp show ", "sysctl net.", "sysctl vm.", "sar ", "ls -l", "ss -ltnp",
    "grep ", "ping ", "nc -vz ",
    "journalctl ", "pcs status", "pcs quorum status", "pcs stonith history", "pcs constraint",
    "corosync-cmapctl ",
    "systemctl status ", "vssadmin list ", "w32tm /query ", "powercfg /get", "fltmc instances",
    "arp -a", "df -T",
    "Get-", "(Get-Cluster).SameSubnetThreshold", "(Get-Cluster).CrossSubnetThreshold",
    "(Get-Cluster).SameSubnetDelay", "(Get-Cluster).CrossSubnetDelay", "Test-NetConnection ",
    "Test-Dtc ", "Resolve-DnsName ",
    "setspn -L ", "setspn -Q ", "setspn -X", "agtrace kit ", "agtrace sql ", "relog ", "IF sys.fn_hadr_",
    "ntttcp.exe ", "pktmon ", "% Processor", "BUFFERCOUNT = ", "Format-Volume ",
)  # fmt: skip
"""Commands that read, or load a host at most, and change nothing."""
CHANGES = (
    "ALTER ", "DBCC TRACEON ", "DBCC TRACEOFF ", "DECLARE @e ", "DECLARE @g ", "KILL ", "CHECKPOINT",
    "netsh interface tcp set ", "sysctl -w ", "powercfg /setactive ", "w32tm /resync", "icacls ", "New-Item ",
    "Suspend-ClusterNode ", "Resume-ClusterNode ", "Start-Cluster", "Stop-Cluster", "Set-ClusterQuorum ",
    "Start-Service ", "Stop-Service ", "Restart-Service ", "systemctl restart ", "net start ", "net stop ",
    "CREATE ", "DROP ", "USE master; CREATE ", "GRANT ", "REVOKE ",
    "EXEC sp_configure ", "EXEC sp_removedbreplication ", "EXEC sp_cycle_errorlog",
    "setspn -D ", "setspn -S", "setup.exe ", "pcs resource ", "pcs cluster ", "mssql-conf set ",
    "New-NetFirewallRule ", "Remove-NetFirewallRule ", "firewall-cmd ", "New-ADComputer ", "sqlcmd -S ",
    "OPTION (MAX_GRANT_PERCENT", "Disable-NetAdapter", "Enable-NetAdapter",
)  # fmt: skip
"""Commands that change a host."""
SETS = re.compile(r"\| (Set|Update)-Cluster|^\(Get-Cluster[^)]*\)\.\w+ = ")
"""Commands that begin as one that reads, and set something."""

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
    """Return the commands in a text for which a page has a button."""
    code = re.findall(r"`([^`]+)`", text)
    return [each for each in code if len(each) >= LEAST and " " in each and not GAP.search(each)]


@pytest.mark.complete
def test_what_is_offered_is_a_whole_command():
    every = {command for text in advice() for command in offered(text)}
    assert len(every) >= 20
    assert [command for command in every if not command.startswith(READS + CHANGES)] == []


def changes(command: str) -> bool:
    return command.startswith(CHANGES) or bool(SETS.search(command))


@pytest.mark.complete
def test_a_remedy_that_changes_something_states_how_to_undo_it():
    undone = re.compile(
        r"undo|no way back|rolled back|\bdrops? (it|the)\b|SUSPEND|REVOKE|Stop-Cluster|seeded again|old "
    )
    changing = [text for text in advice() if any(map(changes, offered(text)))]
    assert len(changing) > 50
    assert [text for text in changing if not undone.search(text)] == []


def steps() -> list[str]:
    return sorted({line for text in advice() for line in text.splitlines() if re.match(r"\d+\. ", line)})


@pytest.mark.complete
def test_each_step_states_what_it_interrupts():
    assert len(steps()) > 300
    assert [step for step in steps() if not re.search(r"[Ii]nterrupt", step)] == []


@pytest.mark.complete
def test_a_step_that_changes_something_states_where():
    where = re.compile(r"\b(On|on|From|from|There|there|In|of the|that (host|node|replica))\b")
    changing = [step for step in steps() if any(map(changes, offered(step)))]
    assert [step for step in changing if not where.search(step.partition("`")[0])] == []


@pytest.mark.complete
def test_a_remedy_has_seven_steps_at_most():
    assert [text for text in advice() if re.search(r"^8\. ", text, re.MULTILINE)] == []


@pytest.mark.complete
def test_each_step_has_a_line_of_its_own():
    assert [text for text in advice() if re.search(r"\.\d\. ", text)] == []


@pytest.mark.complete
def test_sentences_of_a_step_have_30_words_at_most():
    sentences = [
        sentence
        for step in steps()
        for sentence in re.split(r"(?<=[.:;])\s+", re.sub(r"`[^`]*`", "COMMAND", step.partition(" ")[2]))
    ]
    assert [each for each in sentences if len(each.split()) > 30] == []


EMPTY = re.compile(r"Begin with the first|[Cc]ompare it with .* agreed|Look at both hosts|No pair")


@pytest.mark.complete
def test_no_remedy_is_empty_advice():
    assert [text for text in advice() if EMPTY.search(text)] == []


@pytest.mark.parametrize(
    "text", ["ALTER DATABASE [...] SET HADR RESUME", "--utc-offset SQL1=H:MM", "run this <name> now, please"]
)
def test_a_command_with_a_gap_is_not_offered(text):
    assert offered(f"`{text}`") == []

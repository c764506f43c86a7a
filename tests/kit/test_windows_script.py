"""The order of steps in collect.ps1, from its text: nothing stays on, nothing is claimed falsely.

No test runs it: that needs Windows PowerShell, logman and SQL Server. tests/kit/test_interrupted.py runs the
script for Linux, whose steps are the same.
"""

from __future__ import annotations

import re

import pytest

from agtrace import kit
from tests.folded import folded
from tests.kit.test_kits import whole_plan
from tests.kit.test_parsing import of_kind

TURNS_ON = re.compile(r"^.*(?:logman (?:create|start)|'session_start\.sql'|DBCC TRACEON).*$", re.M)


@pytest.fixture(scope="module")
def script():
    """Render the script of a kit that turns on all that any kit does."""
    return kit.contents(whole_plan())["collect.ps1"].decode("ascii").replace("\r\n", "\n")


def function(script, name):
    return re.search(rf"^function {name}\b.*?^}}$", script, re.M | re.S)[0]


def part(script, title):
    return re.search(rf"^( *)Invoke-Part '{title}[^\n]*\{{\n.*?^\1\}}$", script, re.M | re.S)[0]


def in_order(text, *steps):
    place = 0
    for step in steps:
        found = text.find(step, place)
        assert found >= 0, step
        place = found + len(step)


@folded("text", of_kind(".ps1"))
def test_whatever_turns_something_on_is_asked_for_and_within_the_try(text):
    text = text.replace("\r\n", "\n")
    start, inside = text.index("\ntry {\n"), text.index("\nfinally {\n")
    assert "SupportsShouldProcess = $true" in text
    for found in TURNS_ON.finditer(text):
        assert start < found.start() < inside, found[0]
        assert "Invoke-Part" in text[: found.start()].rpartition("\n    Invoke-Part")[1], found[0]
    turned_off = function(text, "Stop-All")
    assert ("logman create" in text) == ("logman delete" in turned_off)
    assert ("'session_start.sql'" in text) == ("'session_stop.sql'" in turned_off)
    assert ("TRACEON" in text) == ("TRACEOFF" in turned_off)


def test_what_is_turned_on_is_noted_on_disk_and_in_memory_before(script):
    in_order(
        part(script, "Start the performance counters"),
        'Add-Note "collector $name"', "$script:hasCollector = $true", "logman create", "logman start",
    )  # fmt: skip
    in_order(
        part(script, "Start the Extended Events session"),
        'Add-Note "session $name"', "$script:hasSession = $true", "'session_start.sql'",
    )  # fmt: skip
    in_order(
        part(script, "Set the trace flags"),
        "TRACESTATUS", "continue", 'Add-Note "trace flag $flag"', "$script:flagsSet += $flag", "TRACEON",
    )  # fmt: skip


def test_each_end_turns_everything_off_and_a_second_interrupt_does_not_stop_that(script):
    ended = script[script.index("\nfinally {\n") :]
    in_order(
        ended, "TreatControlCAsInput = $true", "    Stop-All\n", "TreatControlCAsInput = $false", "\n}\n"
    )


def test_the_list_of_what_is_on_is_removed_only_when_nothing_is_left(script):
    turned_off = function(script, "Stop-All")
    assert turned_off.count("Remove-Item -LiteralPath $stillOn -") == 1
    in_order(turned_off, "TRACEOFF", "session_stop", "logman delete", "if ($left.Count -eq 0) { Remove-Item")
    assert turned_off.count("$script:left += ") == 3


def test_what_a_killed_run_left_on_is_turned_off_before_anything_is_started(script):
    in_order(script, "    Stop-Earlier\n", "WriteAllLines($stillOn, ", "\ntry {\n", "logman create")
    earlier = function(script, "Stop-Earlier")
    in_order(earlier, "collect.ps1 runs already", "Stop-All", "Nothing was started")


def test_a_stopped_or_unsupported_server_is_refused_before_anything_is_made(script):
    main = script[script.index("$logFolder = ''") :]
    in_order(
        main,
        "does not answer or refuses the login. Nothing was started.",
        "This kit is for SQL Server 2016 and later",
        "Stop-Earlier",
        "New-Item",
    )


def test_only_a_whole_archive_gets_its_name_and_is_claimed(script):
    packs = part(script, "Pack what was collected")
    in_order(packs, "::CreateFromDirectory($out, $packing", "-Destination $archive", "$script:packed = $true")
    assert "Remove-Item -LiteralPath $packing" in packs
    ended = script[script.index(packs) + len(packs) :]
    in_order(ended, "if (-not $packed) {", "Not packed", "exit 1", "Send this file: $archive", "exit 1")
    assert script.count("Send this file") == 1


def test_the_folder_of_a_run_is_new_and_protected_before_anything_is_in_it(script):
    in_order(
        script, "New-Item -ItemType Directory -Path $run", "Protect-Path $run $true", "Directory -Path $out"
    )
    protects = function(script, "Protect-Path")
    in_order(protects, "SetAccessRuleProtection($true, $false)", "'S-1-5-32-544', 'S-1-5-18'", "Set-Acl")
    in_order(script, "Protect-Path $packing $false", "-Destination $archive")
    assert '"collected\\${now}_$PID"' in script


def test_event_files_of_earlier_runs_are_left_where_they_are(script):
    in_order(
        script, "$earlierFiles = @(Get-ChildItem", "'session_start.sql'", "$earlierFiles -notcontains $file"
    )

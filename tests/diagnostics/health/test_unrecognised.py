"""Severe entries, and entries about groups, that nothing else recognises are counted by severity."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.diagnostics.health.test_noted import with_lines
from tests.redact.cases import findings, redacted

FATAL = (60, 18056, "The client was unable to reuse a session")
AG = (90, None, "The quick Availability Group fox jumped")


def found(*lines, severities=(), **more):
    made = with_lines(*lines, **more)
    for line, severity in enumerate(severities, 10):
        made.run(f"update errorlog set severity = {severity or 'null'} where line = {line}")
    return [one for one in Health(made).findings() if one.id == "health.unrecognised"]


def test_entries_are_counted_by_severity_with_one_example():
    (one,) = found(FATAL, FATAL, (70, 211, "Possible schema corruption"), AG, severities=(20, 20, 21, None))
    assert (one.subject, one.severity) == ({"host": "A"}, "warning")
    counts = [(each.label, each.value) for each in one.evidence]
    assert counts == [
        ("severity 21", 1),
        ("severity 20", 2),
        ("about availability groups", 1),
        ("example", "Possible schema corruption"),
    ]
    assert "1 of severity 21, 2 of severity 20, 1 about availability groups" in one.narrative


@pytest.mark.parametrize(
    ("line", "severity", "expected"),
    [
        (FATAL, 20, ["notice"]),
        (FATAL, 19, []),
        (AG, None, ["info"]),
        ((9, 41999, "AlwaysOn: x"), 16, ["notice"]),
        ((9, 41050, "hat auf den lokalen Dienst gewartet"), 10, ["info"]),
        ((9, None, "Always On Availability Groups: This is an informational message only."), None, []),
        ((9, 823, "The operating system returned error 23"), 24, []),
        ((9, 5120, "Unable to open an availability group file"), 20, []),
    ],
)
def test_what_another_rule_or_a_template_recognises_is_not_counted(line, severity, expected):
    assert [one.severity for one in found(line, severities=(severity,))] == expected


def test_a_host_without_a_group_gets_an_info():
    assert [one.severity for one in found(FATAL, severities=(21,), group=False)] == ["info"]


def test_the_example_of_a_redacted_case_holds_no_name(tmp_path):
    case = tmp_path / "case"
    case.mkdir()
    lines = [
        "Server      Microsoft SQL Server 2019 (RTM) - 15.0.2000.5 (X64)",
        "Server      Server name is 'HASQL1'. This is an informational message only.",
        "spid51      Error: 18056, Severity: 21, State: 23.",
        "spid51      The client zofiakowal was unable to reuse a session of fabrikamdb.",
    ]
    text = "".join(f"2026-03-02 08:00:01.00 {line}\n" for line in lines)
    (case / "ERRORLOG").write_text(text, encoding="utf-16")
    _store, made = redacted(case, tmp_path)
    (one,) = [each for each in findings(made.folder) if each.id == "health.unrecognised"]
    assert "of severity 21" in one.narrative
    assert "unable to reuse a session" in one.narrative
    assert not {name for name in ("zofiakowal", "fabrikamdb", "HASQL1") if name in repr(one)}

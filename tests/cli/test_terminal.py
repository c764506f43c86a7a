"""What goes to a terminal: nothing from a capture steers it, colours only where they are wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.cli import terminal
from agtrace.cli.shown import show_findings, show_headline
from agtrace.printable import CONTROL
from agtrace.say.finding import Evidence, Finding
from tests.folded import folded

ESC = "\x1b"


@folded(
    ("text", "shown"),
    [
        ("plain ÄÖÜ データ", "plain ÄÖÜ データ"),
        (f"{ESC}[2J{ESC}]0;owned\x07", "\\x1b[2J\\x1b]0;owned\\x07"),
        ("a\rb\x08c\x7f", "a\\x0db\\x08c\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("evil\u202etxt.exe", "evil\\u202etxt.exe"),
        ("byte \udcff", "byte \\xff"),
        ("half \ud83d pair", "half \\ud83d pair"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ],
)
def test_control_characters_are_made_visible(text, shown):
    assert terminal.visible(text) == shown


def test_one_line():
    assert terminal.one_line(f"a\r\n b\t{ESC}c") == "a b \\x1bc"


FINDING = Finding(
    id="transport.network_limited",
    severity="critical",
    title=f"JBSAG3 falls behind{ESC}[31m",
    narrative="Log is generated faster than it arrives. " * 4,
    evidence=(
        Evidence("log flushed", 5_200_000, "log B/s", "Databases(_Total)"),
        Evidence("round trip", 31.456, "ms", "ping"),
        Evidence("auto-tuning", "disabled", "", f"netsh{ESC}"),
        Evidence("queue", 750_000_000, "B", "Database Replica(db)"),
    ),
    recommendation="Enable it.",
    confidence=0.9,
)

WHOLE = """\
CRITICAL  transport.network_limited
  JBSAG3 falls behind\\x1b[31m
  Log is generated faster than it arrives. Log is generated faster than it arrives. Log is generated
  faster than it arrives. Log is generated faster than it arrives.
    log flushed  5.2 MB/s log  Databases(_Total)
    round trip   31.5 ms  ping
    auto-tuning  disabled  netsh\\x1b
    queue        750 MB  Database Replica(db)
  Do: Enable it.

"""


def test_a_finding_with_its_evidence(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    show_findings([FINDING], all_evidence=True)
    assert capsys.readouterr().out == WHOLE


def test_a_finding_is_a_line_with_the_number_that_decides(capsys):
    show_findings([FINDING])
    line = "CRITICAL  JBSAG3 falls behind[31m: log flushed 5.2 log MB/s.\n"
    assert capsys.readouterr().out == line


def test_a_line_is_as_long_as_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    show_findings([replace(FINDING, title="JBSAG3 falls behind")])
    assert capsys.readouterr().out == "CRITICAL  JBSAG3 falls behind: log flushed 5.2 lo…\n"


def test_the_most_severe_stands_last(capsys):
    one = Finding("a.b", "info", "Small", "", evidence=(Evidence("x", "y", "", "s"),))
    show_findings([replace(FINDING, title="Large", evidence=one.evidence), one])
    assert capsys.readouterr().out == "INFO      Small.\nCRITICAL  Large.\n"


def test_many_of_one_kind_are_counted(capsys):
    text = (Evidence("x", "y", "", "s"),)
    show_findings([Finding("a.b", "notice", f"Number {n}", "", evidence=text) for n in range(5)])
    assert capsys.readouterr().out.splitlines() == [
        "NOTICE    Number 1.",
        "NOTICE    Number 0.",
        "NOTICE    and 3 more of a.b",
    ]


def test_limits_of_the_captures_are_one_line_before_the_findings(capsys):
    text = (Evidence("x", "y", "", "s"),)
    limits = [Finding("quality.gap", "notice", f"Gap {n}", "", evidence=text) for n in range(2)]
    show_findings([Finding("a.b", "notice", "Small", "", evidence=text), *limits])
    assert capsys.readouterr().out.splitlines() == [
        "NOTICE    Limits of these captures: quality.gap (2)",
        "NOTICE    Small.",
    ]


def test_three_of_one_kind_have_a_line_each(capsys):
    text = (Evidence("x", "y", "", "s"),)
    show_findings([Finding("a.b", "notice", f"Number {n}", "", evidence=text) for n in range(3)])
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_headline_has_its_reason_and_remedy(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    show_headline([FINDING], "More elsewhere.")
    assert capsys.readouterr().out.splitlines() == [
        "",
        "CRITICAL  transport.network_limited",
        "  JBSAG3 falls behind\\x1b[31m",
        *WHOLE.splitlines()[2:4],
        "  Do: Enable it.",
        "  More elsewhere.",
    ]


def test_without_findings_there_is_no_headline(capsys):
    show_headline([], "More elsewhere.")
    assert capsys.readouterr().out == ""


def test_no_findings(capsys):
    show_findings([])
    assert capsys.readouterr().out == "No findings.\n"


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_only_on_a_terminal_and_never_under_no_color(monkeypatch, capsys, no_color, coloured):
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    show_findings([FINDING])
    out = capsys.readouterr().out
    assert (f"{ESC}[31m{ESC}[1mCRITICAL" in out) is coloured
    assert (ESC in out) is coloured


def test_narrow_terminal_wraps(monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert [len(line) <= 50 for line in terminal.wrapped("word " * 40).split("\n")] == [True] * 5


def test_one_line_per_quantity_and_parts_last(capsys):
    parts = [Evidence("JBDB: log received, mean", 1_000, "log B/s", "B")]
    received = [Evidence(f"log received, {name}", 700_000, "log B/s", "A") for name in ("mean", "max")]
    slope = [Evidence("queue, slope", 3.0, "B/s", "Theil-Sen")]
    finding = Finding("a.b", "info", "t", "n", evidence=(*parts, *received, *slope))
    show_findings([finding], all_evidence=True)
    assert capsys.readouterr().out.splitlines()[3:6] == [
        "    log received              mean 700 KB/s, max 700 KB/s log  A",
        "    queue, slope              3 B/s  Theil-Sen",
        "    JBDB: log received, mean  1.0 KB/s log  B",
    ]


def test_a_traceback_quotes_a_capture_and_steers_nothing(capsys):
    try:
        raise ValueError(f"{ESC}[2J")
    except ValueError as error:
        terminal.show_traceback(error)
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert shown.endswith("ValueError: \\x1b[2J\n")


NAME = f"evil{ESC}[2J\x9b\u202e.csv"


@pytest.mark.parametrize(
    "words",
    [["findings", "{case}"], ["ingest", "{case}"], ["info", "{file}"], ["info", "{case}/no{name}"],
     ["--verbose", "report", "{case}/no{name}"],
     ["convert", "{file}", "-o", "{case}/{name}.jsonl"]],
)  # fmt: skip
def test_no_name_of_a_file_steers_the_terminal_of_any_verb(agtrace, tmp_path, words):
    case = tmp_path / f"case{ESC}[31m"
    case.mkdir()
    file = case / NAME
    file.write_bytes(b"PK\x03\x04")
    ran = agtrace(*(word.format(case=case, file=file, name=NAME) for word in words))
    assert not CONTROL.search(ran.out + ran.err)
    assert "\\x1b" in ran.out + ran.err

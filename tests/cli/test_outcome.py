"""Whatever happens becomes one line on standard error and an exit status; never a traceback."""

from __future__ import annotations

import errno
import subprocess
import sys

import click
import pytest

from agtrace.cli.outcome import Settings, describe, guarded
from agtrace.errors import AgtraceError, CaptureError, CaseError, StoreError
from tests.folded import folded


@folded(
    ("error", "status", "line"),
    [
        (CaseError("here: no such folder", "name another"), 2, "here: no such folder - name another"),
        (StoreError("store: locked by 17"), 1, "store: locked by 17"),
        (AgtraceError("a", "b"), 1, "a - b"),
        (
            CaptureError("x.csv", "header", offset=7, need=3, have=2),
            1,
            "x.csv: header at offset 7 (need 3, have 2)",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device", "store/part"),
            1,
            "store/part: the disk is full - free some space, or write elsewhere",
        ),
        (
            OSError("[Errno 28] Error writing bytes to file. Detail: No space left on device"),
            1,
            "the disk is full - free some space, or write elsewhere",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "x.csv"),
            1,
            "x.csv: Permission denied - check the permissions",
        ),
        (OSError(errno.EIO, "Input/output error", "x.csv"), 1, "x.csv: Input/output error"),
        (
            MemoryError(),
            1,
            "out of memory - close other programs, or give less: --counters, fewer files, --jobs 1",
        ),
        (
            KeyError("two\nlines"),
            1,
            "internal error: KeyError: 'two\\nlines' - this is a defect of agtrace; "
            "please report it with what 'agtrace --verbose' prints",
        ),
    ],
)
def test_each_error_has_one_line_and_a_status(error, status, line):
    assert describe(error) == (line, status)


def raising(error):
    def run():
        raise error

    return run


def test_interrupted_is_130(capsys):
    assert guarded(raising(KeyboardInterrupt()), Settings()) == 130
    assert guarded(raising(click.Abort()), Settings()) == 130
    assert capsys.readouterr().err == "agtrace: interrupted; what was decoded so far is kept\n" * 2


def test_data_that_ends_too_early_is_not_taken_for_an_interruption(agtrace, tmp_path, monkeypatch):
    monkeypatch.setattr("agtrace.convert.convert", lambda *_, **__: raising(EOFError("cut"))())
    ran = agtrace("convert", tmp_path / "x", "-o", tmp_path / "y.csv")
    assert ran.status == 1
    assert ran.err.startswith("agtrace: internal error: RuntimeError: data that ends too early: cut")


def test_no_traceback_unless_asked(capsys):
    assert guarded(raising(StoreError("full")), Settings()) == 1
    assert capsys.readouterr().err == "agtrace: full\n"
    assert guarded(raising(StoreError("full")), Settings(tracebacks=True)) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last)")
    assert shown.endswith("agtrace: full\n")


def test_debug_variable(monkeypatch):
    monkeypatch.setenv("AGTRACE_DEBUG", "1")
    assert Settings.from_environment().tracebacks
    monkeypatch.setenv("AGTRACE_DEBUG", "0")
    assert not Settings.from_environment().tracebacks


def test_verbose_may_stand_before_and_after_the_verb(agtrace, tmp_path):
    for words in (("--verbose", "ingest", tmp_path / "no"), ("ingest", tmp_path / "no", "-v")):
        ran = agtrace(*words)
        assert ran.status == 2
        assert "Traceback" in ran.err
    assert "Traceback" not in agtrace("ingest", tmp_path / "no").err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["nonsense"],
            "agtrace: No such command 'nonsense'; there are: report, ingest, findings, info, convert, "
            "batch, watch, lab, mcp, export, redact, sql, around, kit, compare, what-if, sample, help - see "
            "'agtrace --help'",
        ),
        (
            ["reprot", "case"],
            "agtrace: No such command 'reprot'; did you mean 'report'? - see 'agtrace --help'",
        ),
        (["report"], "agtrace: Missing argument 'CASE' - see 'agtrace report --help'"),
        (
            ["report", "case", "--fail-on", "awful"],
            "agtrace: Invalid value for '--fail-on': 'awful' is not one of info, notice, warning, "
            "critical - see 'agtrace report --help'",
        ),
        (
            ["report", "case", "-p", "=3"],
            "agtrace: Invalid value for '-p' / '--parameter': '=3' is not NAME=VALUE - see "
            "'agtrace report --help'",
        ),
        (
            ["ingest", "case", "--utc-offset", "SQL1=25:00"],
            "agtrace: Invalid value for '--utc-offset': '25:00' is further from UTC than any zone - write it "
            "as -5:00, or name its zone: Europe/Berlin - see 'agtrace ingest --help'",
        ),
        (
            ["ingest", "a", "b", "--store", "s"],
            "agtrace: --store holds one case: ingest the cases one by one - see 'agtrace ingest --help'",
        ),
        (
            ["convert", "x", "-o", "y.csv", "--begin", "noon"],
            "agtrace: Invalid value for '--begin': 'noon' is not a time such as 2026-03-14 09:30 or "
            "03/14/2026 09:30:00 - see 'agtrace convert --help'",
        ),
    ],
)
def test_wrong_usage_is_2_and_one_line(agtrace, words, line):
    ran = agtrace(*words)
    assert (ran.status, ran.out, ran.err) == (2, "", line + "\n")


def test_a_reader_that_goes_away_is_met_quietly():
    """As in ``agtrace findings case | head -1``."""
    script = (
        "import sys; sys.argv[0] = 'agtrace'\n"
        "from agtrace.cli import group, main\n"
        "import agtrace.cli.info as info\n"
        "info.command.callback = lambda **_: [print('x' * 1000) for _ in range(1000)] and 0\n"
        "sys.exit(main(['info', 'x']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()

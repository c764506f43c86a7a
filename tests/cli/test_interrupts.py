"""Ctrl-C and its like: status 130 within two seconds, and everything as it was."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agtrace import interrupts
from agtrace.engines.workers import COMMAND
from agtrace.report import report
from tests.cli.interrupting import MOST_S, interrupt, interrupt_reports, started
from tests.ingest import texts

pytestmark = [
    pytest.mark.complete,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc"),
]


def test_a_report_that_is_interrupted_leaves_the_one_before_as_it_was(tmp_path):
    # Most of a report is starting it: its captures add nothing to what an interrupt may meet.
    (tmp_path / "log.csv").write_bytes(texts.perfmon(30))
    assert interrupt_reports(2, captures=tmp_path) == []


@pytest.fixture(scope="session")
def long_logs(tmp_path_factory):
    """Captures that take some seconds to read."""
    folder = tmp_path_factory.mktemp("logs")
    # Text is written in a moment, however long.
    head, row, _end = texts.perfmon(1).split(b"\r\n")
    rows = (row + b"\r\n") * 1_500_000
    for number in range(4):
        (folder / f"log{number}.csv").write_bytes(head + b"\r\n" + rows + b"%d" % number)
    return folder


@pytest.fixture
def long_case(long_logs, tmp_path):
    """A case of its own with these captures."""
    case = tmp_path / "case"
    case.mkdir()
    for path in long_logs.iterdir():
        (case / path.name).hardlink_to(path)
    return case


@pytest.mark.parametrize(
    ("verb", "number", "group"),
    [
        ("ingest", signal.SIGINT, True),
        ("ingest", signal.SIGTERM, False),
        ("findings", signal.SIGINT, False),
        ("info", signal.SIGINT, False),
        ("info", signal.SIGTERM, True),
        ("convert", signal.SIGINT, True),
        ("convert", signal.SIGTERM, False),
    ],
)
def test_every_verb_ends(long_case, tmp_path, verb, number, group):
    logs = sorted(long_case.iterdir())
    words = {
        "ingest": [long_case, "--jobs", 2],
        "findings": [long_case],
        "info": [*logs, *logs, *logs],
        "convert": [*logs, "-o", tmp_path / "out.csv"],
    }
    process = started(verb, *words[verb], temporary=tmp_path / "t")
    wait_until_caught(process)
    time.sleep(0.5)
    assert process.poll() is None, "it was too quick for this test"
    ended = interrupt(process, tmp_path / "t", number, group=group)
    assert (ended.status, ended.left) == (130, [])
    assert ended.seconds < MOST_S
    assert ended.err.strip().startswith("agtrace: interrupted")
    assert len(ended.err.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["case", "t"]


def test_an_interrupt_that_cannot_be_raised_where_it_arrives_is_not_told_as_a_traceback():
    """A generator that nobody holds any more is closed wherever the program happens to be."""
    script = """
import os, signal, sys, time
from agtrace.cli.signals import CommandEnding

def rows():
    try:
        yield
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.2)

ending = CommandEnding()
ending.listen()
begun = rows()
next(begun)
del begun
class Broken:
    def __del__(self):
        raise ValueError("a fault of our own")
Broken()
ending.finish(130)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 130
    assert "KeyboardInterrupt" not in ended.stderr
    assert "ValueError: a fault of our own" in ended.stderr


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), RuntimeError("Query interrupted")], ids=["python", "duckdb"]
)
def test_an_interrupt_is_never_taken_for_a_failed_analysis(tmp_path, monkeypatch, error):
    from agtrace.diagnostics.overview import Overview
    from agtrace.interactive.kept_findings import KeptFindings

    (tmp_path / "log.csv").write_bytes(texts.perfmon())
    page = report(tmp_path, only=["overview"], pages=False).index
    before = page.read_bytes()

    def findings(self):
        raise error

    monkeypatch.setattr(Overview, "findings", findings)
    monkeypatch.setattr(KeptFindings, "findings", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        report(tmp_path, only=["overview"])
    assert page.read_bytes() == before


def test_what_an_interrupt_became_is_known_again():
    def interrupted():
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ValueError("could not read") from error

    with pytest.raises(ValueError, match="could not read") as raised:
        interrupted()
    with pytest.raises(KeyboardInterrupt):
        interrupts.raise_again(raised.value)
    interrupts.raise_again(ValueError("damaged"))
    interrupts.raise_again(RuntimeError("out of range"))


def wait_until_caught(process):
    """Wait until the command has begun: before that Python ends as any program does."""
    status = Path(f"/proc/{process.pid}/status")
    for _ in range(600):
        caught = re.search(r"^SigCgt:\s*(\w+)$", status.read_text(), re.MULTILINE)
        # SIGINT is caught by Python itself, SIGTERM by the command alone.
        if int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.05)


@pytest.mark.parametrize("orders", [b"", b"\0" * 7, (9).to_bytes(8, "big") + b"half"])
def test_a_worker_that_got_half_of_its_orders_ends_without_a_word(orders):
    worker = subprocess.run(
        [sys.executable, "-P", "-m", COMMAND], input=orders, capture_output=True, check=False
    )
    assert (worker.returncode, worker.stdout, worker.stderr) == (1, b"", b"")


def test_an_interrupt_that_was_held_back_is_raised_whatever_else_went_wrong(monkeypatch):
    monkeypatch.setattr(interrupts, "_arrived", threading.Event())

    def start():
        with interrupts.held_back():
            interrupts.note()
            raise OSError

    with pytest.raises(KeyboardInterrupt):
        start()


def test_the_folder_for_temporary_files_is_tried_before_signals_are_heard():
    """Python tries it with a file of its own: one that is interrupted then stays there."""
    script = """
import signal, tempfile
from agtrace.cli.signals import CommandEnding

known = []
real = signal.signal
signal.signal = lambda *of: (known.append(tempfile.tempdir), real(*of))[1]
CommandEnding().listen()
print(known and None not in known)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("True\n", "")


def test_a_signal_that_comes_when_all_is_done_changes_no_status():
    """It arrives while Python takes its modules apart, when its own handlers are gone."""
    program = """
import os, signal, sys
from agtrace.cli.signals import CommandEnding

class Late:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

signal.signal(signal.SIGINT, signal.default_int_handler)
ending = CommandEnding()
ending.listen()
late = Late()
sys.exit(ending.finish(3))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 3

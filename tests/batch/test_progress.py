"""What somebody at a terminal sees of a run over many cases, and that nobody else does."""

from __future__ import annotations

import io
import sys

import pytest

from agtrace.batch import batch
from agtrace.batch.progress import Progress
from tests.batch.cases import FINDINGS_ONLY, make_case


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def watched(monkeypatch):
    """Return a function that replaces standard error: pytest puts its own there before."""
    monkeypatch.setenv("TQDM_MININTERVAL", "0")

    def watched(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return watched


@pytest.fixture
def inbox(tmp_path):
    """A folder with a case that nothing can be said of."""
    (tmp_path / "inbox" / "two").mkdir(parents=True)
    (tmp_path / "inbox" / "two" / "notes.txt").write_text("no capture")
    return tmp_path / "inbox"


@pytest.mark.complete
def test_a_terminal_shows_cases_and_bytes_and_lines_beside_the_bar(inbox, tmp_path, watched):
    make_case(inbox / "one")
    terminal, lines = watched(Terminal()), []
    batch([inbox], tmp_path / "out", FINDINGS_ONLY, lines.append, progress=True)
    shown = terminal.getvalue()
    assert "0 of 2 cases" in shown
    assert "1 of 2 cases" in shown
    # A broken case is done as well, and all its bytes are.
    assert "2 of 2 cases: 100%" in shown
    assert any("one: reported in" in line for line in lines)
    assert shown.endswith("\r")


def test_nothing_is_shown_where_nobody_watches(inbox, tmp_path, watched):
    piped = watched(io.StringIO())
    batch([inbox], tmp_path / "out", FINDINGS_ONLY, progress=True)
    assert piped.getvalue() == ""


def test_without_cases_there_is_no_bar(watched):
    terminal = watched(Terminal())
    with Progress(0, 0, shown=True):
        pass
    assert terminal.getvalue() == ""

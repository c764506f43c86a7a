"""Runs the command line in this process and keeps what it printed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from agtrace.cli import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


@pytest.fixture
def agtrace(capsys, monkeypatch):
    """Run ``agtrace`` with the words of a command line."""
    monkeypatch.delenv("AGTRACE_DEBUG", raising=False)

    def run(*words: object) -> Ran:
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return run

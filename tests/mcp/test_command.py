"""What ``agtrace mcp`` refuses before it serves."""

from __future__ import annotations

import sys

import pytest

from tests.cli.conftest import agtrace

__all__ = ["agtrace"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "agtrace: nowhere: no such folder\n"),
        (["s3://bucket/case"], "agtrace: s3://bucket/case: only folders of this machine can be served"),
        ([".", "--secret", "file"], "agtrace: --secret goes with --redact"),
    ],
)
def test_a_wrong_call_is_one_line(agtrace, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    ran = agtrace("mcp", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)


def test_a_closed_input_is_one_line(agtrace, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    ran = agtrace("mcp", tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("agtrace: standard input is closed: an assistant writes to it")

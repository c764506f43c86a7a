"""Inputs are regular files: nothing else is waited for, read, or asked to do something."""

from __future__ import annotations

import os
import re
import socket

import pytest

from agtrace.cli import main
from agtrace.inputs import open_input

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes, sockets or devices in folders")


@pytest.fixture(params=["pipe", "socket", "device", "folder"])
def special(request, tmp_path, monkeypatch):
    """Return something that has the name of a file and is none, and what an error calls it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "special"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("special")
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path, f"a {request.param}"


def test_a_regular_file_is_opened_also_by_a_link(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("file", "link"):
        with open_input(tmp_path / name) as file:
            assert file.read() == b"x"


def test_a_link_is_refused_where_links_are_not_followed(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(OSError, match="link"):
        open_input(tmp_path / "link", follow_links=False)


def test_what_is_no_regular_file_is_an_error_at_once(special):
    path, kind = special
    with pytest.raises(OSError, match=f"{kind}, not a regular file"):
        open_input(path)


@pytest.mark.parametrize(
    "words",
    [
        ["info", "special"],
        ["convert", "special", "-o", "out.jsonl"],
        ["redact", "case", "-o", "out", "--secret", "special"],
        ["findings", "case", "--settings", "special"],
    ],
    ids=["info", "convert", "redact --secret", "--settings"],
)
def test_a_command_refuses_it_in_one_line(special, tmp_path, capsys, words):
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "ERRORLOG").write_bytes(b"2026-03-14 09:00:00.10 Server      Text. \r\n")
    assert main(words) > 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(re.findall("is a (?:pipe|socket|device|folder|directory)", printed.err)) == 1
    assert "Traceback" not in printed.err


def test_settings_of_a_case_that_are_a_pipe_are_an_issue(tmp_path, capsys):
    (tmp_path / "perf.csv").write_bytes(b'"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\LogicalDisk(C:)\\x"\r\n')
    os.mkfifo(tmp_path / "agtrace.toml")
    assert main(["sql", str(tmp_path), "select message from issues where message like '%agtrace.toml%'"]) == 0
    assert "a pipe, not a regular file" in capsys.readouterr().out

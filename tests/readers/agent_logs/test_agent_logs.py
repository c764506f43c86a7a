"""Files beside the ERRORLOG that look like it (docs/formats/recognised.md)."""

from __future__ import annotations

import pytest

from agtrace.readers.agent_logs import READER
from agtrace.readers.base import Source
from agtrace.readers.errorlog import READER as ERRORLOG
from tests.shared import CAPTURES, needs_captures

AGENT = "2019-03-14 22:45:14 - {} [100] Microsoft SQLServerAgent version 12.0.2000.8\r\n"
LAUNCHER = "2019-03-14 21:52:29.415\tMSSQLFDLauncher$X service received control message.\r\n"


@pytest.mark.parametrize("level", "?!+")
def test_an_agent_log_is_recognised_and_not_read(level):
    head = b"\xff\xfe" + AGENT.format(level).encode("utf-16-le")
    hit = READER.detect(head, "anything")
    assert hit is not None
    assert (hit.kind, hit.readable, hit.reason) == (
        "SQL Server Agent log",
        False,
        "job scheduling, not the engine",
    )
    assert ERRORLOG.detect(head, "ERRORLOG") is None


def test_a_launcher_log_is_recognised_and_not_read():
    head = b"\xff\xfe" + LAUNCHER.encode("utf-16-le")
    hit = READER.detect(head, "FDLAUNCHERRORLOG.1")
    assert hit is not None
    assert (hit.kind, hit.readable) == ("full-text launcher log", False)
    assert ERRORLOG.detect(head, "ERRORLOG") is None


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"2019-03-14 21:52:29.415\tspid51\tFDLauncher\r\n",
        b"2019-03-14 21:52:29.41 Server      x\r\n",
        b"2019-03-14 21:52:29.415\tsome other program\r\n",
    ],
)
def test_other_files_are_left_to_others(head):
    assert READER.detect(head, "ERRORLOG") is None


def test_nothing_is_read():
    assert list(READER.read(Source.of_bytes(b"x"))) == []


@needs_captures
def test_every_real_neighbour_is_recognised():
    files = [
        path
        for path in sorted((CAPTURES / "errorlog").iterdir())
        if "FDLAUNCHERRORLOG" in path.name or "SQLAGENT" in path.name
    ]
    assert len(files) == 16
    for path in files:
        source = Source.of_path(path)
        # The content decides, not the name.
        hit = READER.detect(source.head(), "ERRORLOG")
        assert hit is not None, path.name
        assert not hit.readable
        assert ERRORLOG.detect(source.head(), "ERRORLOG") is None

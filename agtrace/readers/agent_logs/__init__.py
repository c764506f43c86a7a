"""Neighbours of the ERRORLOG that are known and not read: SQL Server Agent, full-text launcher.

docs/formats/recognised.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agtrace.readers.base import Batch, Detection, ReadOptions, Source
from agtrace.readers.text import sniff_encoding

AGENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d - [?!+] \[\d+\] ")
"""Agent logs: a level character and a message number behind the time."""

LAUNCHER = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\t(?!(?:Server|Logon|Backup|spid\d+s?)\s)\S")
"""Full-text launcher logs: the text directly behind the time, without a source."""


class AgentLogs:
    """Recognises SQLAGENT.* and FDLAUNCHERRORLOG files by their first line."""

    name = "agent_logs"
    version = 1
    topics = ()

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return which of the neighbours a file is."""
        encoding, skip = sniff_encoding(head)
        text = head[skip : skip + 4096].decode(encoding, errors="replace").lstrip("\ufeff\r\n\t ")
        if AGENT.match(text):
            return Detection("SQL Server Agent log", readable=False, reason="job scheduling, not the engine")
        if LAUNCHER.match(text) and "FDLAUNCH" in (text + name).upper():
            return Detection(
                "full-text launcher log", readable=False, reason="full-text daemon, not the engine"
            )
        return None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Return nothing: these files are recognised only."""
        return iter(())


READER = AgentLogs()

"""The cluster manager of a Linux case: its log and status are known, and not read.

docs/formats/recognised.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agtrace.readers.base import Batch, Detection, ReadOptions, Source
from agtrace.readers.errorlog.detect import head_text

_STAMP = r"^(?:[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\S+)"
_DAEMON = (
    r"(?:pacemaker(?:d|-(?:based|fenced|execd|attrd|schedulerd|controld|remoted))|crmd|cib|lrmd|pengine|attrd|"
    r"stonith-ng|stonithd|crm_\w+)"
)
_LOG = re.compile(rf"{_STAMP} (?:\[\d+\] )?[\w.-]+ +{_DAEMON}\s*(?:\[\d+\]|:)", re.MULTILINE)
_COROSYNC = re.compile(
    rf"{_STAMP} (?:\[\d+\] )?[\w.-]+ corosync\s+(?:notice|warning|error|info|debug)", re.MULTILINE
)
_STATUS = re.compile(r"^Cluster name: \S", re.MULTILINE)


class Pacemaker:
    """Recognises logs of Pacemaker and Corosync, and what pcs status prints."""

    name = "pacemaker"
    version = 1
    topics = ()

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Say which of them a file is."""
        text, _encoding, _skip = head_text(head[:16384])
        if _LOG.search(text) or _COROSYNC.search(text):
            return Detection(
                "Pacemaker log",
                readable=False,
                reason="the cluster manager's own words; what became of the group stands in ERRORLOG and "
                "AlwaysOn_health",
            )
        if _STATUS.match(text.lstrip("\ufeff\r\n")) and "Cluster Summary:" in text:
            return Detection(
                "status of a Pacemaker cluster", readable=False, reason="one look at the resources"
            )
        return None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Give nothing: these files are recognised only."""
        return iter(())


READER = Pacemaker()

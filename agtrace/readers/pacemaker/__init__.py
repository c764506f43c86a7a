"""Pacemaker, the cluster manager on Linux: its log and status, with resources and nodes.

docs/formats/pacemaker.md describes the formats.
"""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.base import Batch, Detection, ReadOptions, Source
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.fact_text import FactReader
from agtrace.readers.pacemaker import log, status
from agtrace.readers.pacemaker.topics import TOPICS
from agtrace.readers.text_lines import TextLines

MAX_BYTES = 2 << 30
"""A log of Pacemaker that was never rotated."""

_VERSION = 3
_LOG = FactReader(
    "pacemaker", _VERSION, "Pacemaker log", log.looks_like, log.decode, TOPICS, max_bytes=MAX_BYTES
)
_STATUS = FactReader(
    "pacemaker", _VERSION, "status of a Pacemaker cluster", status.looks_like, status.decode, TOPICS
)


class Pacemaker:
    """Reads logs of Pacemaker and Corosync, and what pcs status and crm_mon print."""

    name = "pacemaker"
    version = _VERSION
    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return which of them a file is."""
        text, _encoding, _skip = head_text(head[:16384])
        chosen = next((each for each in (_LOG, _STATUS) if each.recognise(text)), None)
        return Detection(chosen.kind) if chosen else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Yield the facts of the text, then its issues.

        Raises
        ------
        CaptureError
            There is nothing of a cluster in it.
        """
        start = TextLines(source.open, options.encoding).start()
        is_status = status.looks_like(start) and not log.looks_like(start)
        yield from (_STATUS if is_status else _LOG).read(source, options)


READER = Pacemaker()

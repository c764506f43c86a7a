"""Windows cluster logs (Get-ClusterLog): entries, sections, and facts about the node.

docs/formats/cluster_log.md describes the format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pyarrow as pa
from xelib.entries import ClusterLogDecoder, Slab

from agtrace.errors import CaptureError
from agtrace.readers.base import HEAD_BYTES, Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.cluster_log.decode import Section, decode
from agtrace.readers.cluster_log.head import Head
from agtrace.readers.cluster_log.lease_samples import TOPIC as LEASE_SAMPLE
from agtrace.readers.cluster_log.lease_samples import lease_samples
from agtrace.readers.cluster_log.repeated_hour import TOPIC as REPEATED_HOUR
from agtrace.readers.cluster_log.repeated_hour import RepeatedHours
from agtrace.readers.cluster_log.torn import TornEnd
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.fact_text import Fact
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.line_entries import EntryReader
from agtrace.tables import CLUSTER_LOG, FACTS
from agtrace.tables import kernels as pc
from agtrace.tables.topics import Value, facts

MAX_SECTIONS = 1000
"""Titles of sections that become facts; a log has about twenty."""

TOPICS = (
    LEASE_SAMPLE,
    REPEATED_HOUR,
    facts(
        "cluster_log",
        "cluster log, by its head",
        Value("node", "node that it was made on"),
        Value("utc_offset_minutes", "local time of the node minus UTC", "min"),
        Value("written_in", "time of its entries: local or utc"),
        Value("build", "build of Windows"),
        Value("entries", "entries"),
    ),
    facts(
        "cluster_log_section",
        "section of a cluster log",
        Value("name", "its title"),
        Value("entries", "entries in it; what else it holds is not read"),
    ),
)

_ENTRY = re.compile(
    r"^[ \t\d]{0,20}(?:\[[^\]\n]{1,40}\] "
    r")?[0-9a-fA-F]{8}\.[0-9a-fA-F]{8}::\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{3} ",
    re.MULTILINE,
)
_TITLE = re.compile(r"^\[=== [^\n]{1,200} ===\][ \t]*\r?$", re.MULTILINE)


class ClusterLogReader:
    """Reads cluster logs, and copies of parts of them."""

    topics = TOPICS
    kind = "cluster log"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise an entry, or the titles of sections."""
        text, _encoding, _skip = head_text(head)
        is_log = "::" in text and _ENTRY.search(text)
        if not is_log and not ("time zone offset of this" in text and _TITLE.search(text)):
            return None
        if len(head) < HEAD_BYTES:
            # Loaded for short files alone.
            from agtrace.readers.pasted_text.mixed import has_other_content

            if has_other_content(text, "cluster_log"):
                return None
        return Detection(self.kind)

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a log block by block: facts of the head, cluster_log, facts, issues.

        Raises
        ------
        CaptureError
            No line of the file is an entry.
        """
        text, encoding, skip = head_text(source.head(), options.encoding)
        head = Head.of(text)
        content = _Content(head)
        if values := head.values():
            yield _facts(Fact("cluster_log", 0, key, value, _unit(key)) for key, value in values.items())
        log = EntryReader(source, options, ClusterLogDecoder(), encoding, skip)
        end = TornEnd(encoding)
        for taken in log.taken(end.parted, lambda: not end.began_before):
            yield from content.tables(*taken)
        if log.lines and not content.entries and end.offset is None:
            first = text.lstrip("\ufeff\r\n").split("\n", 1)[0][:60].rstrip()
            raise CaptureError(
                source.path,
                "no line is an entry of a cluster log",
                offset=skip,
                need="'process.thread::YYYY/MM/DD-HH:MM:SS.mmm LEVEL text'",
                have=repr(first),
            )
        if log.lines:
            yield _facts(content.facts())
        yield from log.faults("entry", "entries or sections")
        yield from end.faults()
        yield from content.faults()


class _Content:
    """State carried from one piece of a log to the next."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._sections: list[Section] = []
        self._entries_of: Counter[int] = Counter()
        self._samples = 0
        self._hours = RepeatedHours()
        self._far = 0
        self._undated = 0
        self.entries = 0

    def tables(
        self, slab: Slab, titles: list[tuple[str, int, int]], numbered: bytes, samples: bytes
    ) -> Iterator[Batch]:
        """Yield the rows of whole entries, and the samples among them.

        Parameters
        ----------
        titles, numbered, samples
            Results of the decoder in addition to its rows.
        """
        sections = [Section(*title) for title in titles]
        known = len(self._sections)
        bounds = [*(section.rows_before for section in sections), slab.rows]
        self._entries_of[known - 1] += bounds[0]
        for number, begin in enumerate(bounds[:-1]):
            self._entries_of[known + number] += bounds[number + 1] - begin
        self._sections += sections
        self.entries += slab.rows
        batch = decode(slab, numbered)
        hours: list[Fact] = []
        if self._head.written_in == "local":
            hours = list(self._hours.see(batch["time_written"], bounds[:-1]))
        if not slab.rows:
            return
        self._undated += batch["time_written"].null_count
        self._far += len(far_rows(batch["time_written"]))
        yield "cluster_log", self._localised(batch)
        found = list(lease_samples(batch, samples, self._samples))
        if found:
            self._samples = found[-1].item + 1
        if found or hours:
            yield _facts([*found, *hours])

    def _localised(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows with local times, if the log's time zone is known."""
        written = batch["time_written"]
        # Without a head the times are local times of an unknown zone, until something gives the offset.
        if self._head.written_in != "utc":
            return batch
        if self._head.offset_minutes is not None:
            offset = pa.scalar(timedelta(minutes=self._head.offset_minutes), pa.duration("us"))
            local = pc.add(written, offset)
        else:
            local = pa.nulls(len(written), written.type)
        at = CLUSTER_LOG.get_field_index("time_local")
        return batch.set_column(at, CLUSTER_LOG.field(at), local)

    def facts(self) -> Iterator[Fact]:
        """Yield what was counted."""
        yield Fact("cluster_log", 0, "entries", str(self.entries))
        for item, section in enumerate(self._sections[:MAX_SECTIONS]):
            for key, value in (("name", section.name), ("entries", str(self._entries_of[item]))):
                yield Fact("cluster_log_section", item, key, value, line=section.line)

    def faults(self) -> Iterator[Batch]:
        """Yield the faults that are counted over the whole file."""
        if self.entries and self._head.written_in is None:
            yield issue(
                "time_zone_not_stated",
                "the cluster log does not say whether its times are local or UTC: taken as local times; give "
                "the offset with --utc-offset, or collect it whole with Get-ClusterLog -UseLocalTime",
            )
        elif self.entries and self._head.offset_minutes is None and self._head.written_in == "utc":
            yield issue(
                "offset_not_stated", "the log does not say how far its node is from UTC", severity="info"
            )
        if self._undated:
            yield issue("bad_time", "entries whose time is none: kept without it", count=self._undated)
        if self._far:
            yield far_issue("entries", self._far, None)
        if len(self._sections) > MAX_SECTIONS:
            yield issue(
                "too_many_facts",
                f"sections beyond the first {MAX_SECTIONS:,} are not listed",
                severity="info",
                count=len(self._sections) - MAX_SECTIONS,
            )


def _unit(key: str) -> str | None:
    return "min" if key == "utc_offset_minutes" else None


def _facts(found: Iterator[Fact] | list[Fact]) -> Batch:
    return rows("facts", FACTS, [fact._asdict() for fact in found])


READING = ClusterLogReader()

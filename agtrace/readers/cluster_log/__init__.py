"""Cluster logs of Windows (Get-ClusterLog): entries, sections, and what they say of their node."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.cluster_log.decode import Section, decode, find_heads
from agtrace.readers.cluster_log.head import Head
from agtrace.readers.cluster_log.lease_samples import TOPIC, lease_samples
from agtrace.readers.errorlog.blocks import LineTooLongError, text_blocks
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.fact_text import Fact
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.line_entries import KEPT_BYTES, Assembler, Entries
from agtrace.tables import CLUSTER_LOG, FACTS
from agtrace.tables.topics import Value, facts

BLOCK_BYTES = 8 * 1024 * 1024
MAX_SECTIONS = 1000
"""Titles of sections that become facts; a log has about twenty."""

TOPICS = (
    TOPIC,
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
    r"^[ \t\d]{0,20}(?:\[[^\]\n]{1,40}\] )?[0-9a-fA-F]{8}\.[0-9a-fA-F]{8}::\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{3} ",
    re.MULTILINE,
)
_TITLE = re.compile(r"^\[=== [^\n]{1,200} ===\][ \t]*\r?$", re.MULTILINE)


class ClusterLogReader:
    """Reads cluster logs, and copies of parts of them."""

    name = "cluster_log"
    version = 1
    topics = TOPICS
    kind = "cluster log"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise an entry, or the titles of sections."""
        text, _encoding, _skip = head_text(head)
        if _ENTRY.search(text) or (_TITLE.search(text) and "time zone offset of this" in text):
            return Detection(self.kind)
        return None

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
        faults: list[Batch] = []
        replaced = 0
        if values := head.values():
            yield _facts(
                Fact("cluster_log", 0, key, value, _unit(key)) for key, value in values.items()
            )
        assembler = Assembler(find_heads)
        with source.open() as file:
            try:
                for block in text_blocks(file, encoding, skip, options.block_bytes or BLOCK_BYTES):
                    replaced += block.replaced
                    if block.last:
                        faults.append(
                            issue(
                                "last_line_torn",
                                "the last line has no line end: the file was cut, or is still being written",
                                offset=block.offset,
                            )
                        )
                    if (entries := assembler.feed(block)) is not None:
                        yield from content.tables(entries)
            except LineTooLongError as error:
                faults.append(
                    issue(
                        "line_too_long",
                        "a line without end: not read from here on",
                        severity="data_loss",
                        offset=error.args[0],
                    )
                )
        if (entries := assembler.finish()) is not None:
            yield from content.tables(entries)
        if assembler.lines and not content.entries:
            first = text.lstrip("\ufeff\r\n").split("\n", 1)[0][:60].rstrip()
            raise CaptureError(
                source.path,
                "no line is an entry of a cluster log",
                offset=skip,
                need="'process.thread::YYYY/MM/DD-HH:MM:SS.mmm LEVEL text'",
                have=repr(first),
            )
        if assembler.lines:
            yield _facts(content.facts())
        yield from faults
        yield from content.faults(assembler, replaced)


class _Content:
    """What goes on from one piece of a log to the next."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._section: str | None = None
        self._sections: list[Section] = []
        self._entries_of: Counter[int] = Counter()
        self._samples = 0
        self._far = 0
        self._undated = 0
        self.entries = 0

    def tables(self, entries: Entries) -> Iterator[Batch]:
        """Give the rows of whole entries, and the samples among them."""
        found = decode(entries, self._section)
        known = len(self._sections)
        bounds = [*(int(n) for n in found.entries_before), found.batch.num_rows]
        self._entries_of[known - 1] += bounds[0]
        for number, begin in enumerate(bounds[:-1]):
            self._entries_of[known + number] += bounds[number + 1] - begin
        if found.sections:
            self._sections += found.sections
            self._section = found.sections[-1].name
        self.entries += found.batch.num_rows
        if not found.batch.num_rows:
            return
        self._undated += found.batch["time_written"].null_count
        self._far += len(far_rows(found.batch["time_written"]))
        yield "cluster_log", self._localised(found.batch)
        samples = list(lease_samples(found.batch, self._samples))
        if samples:
            self._samples = samples[-1].item + 1
            yield _facts(samples)

    def _localised(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Give the rows with local times, where it is known what the log writes."""
        written = batch["time_written"]
        if self._head.written_in == "local":
            return batch
        if self._head.written_in == "utc" and self._head.offset_minutes is not None:
            offset = pa.scalar(timedelta(minutes=self._head.offset_minutes), pa.duration("us"))
            local = pc.add(written, offset)
        else:
            local = pa.nulls(len(written), written.type)
        at = CLUSTER_LOG.get_field_index("time_local")
        return batch.set_column(at, CLUSTER_LOG.field(at), local)

    def facts(self) -> Iterator[Fact]:
        """Give what was counted."""
        yield Fact("cluster_log", 0, "entries", str(self.entries))
        for item, section in enumerate(self._sections[:MAX_SECTIONS]):
            for key, value in (("name", section.name), ("entries", str(self._entries_of[item]))):
                yield Fact("cluster_log_section", item, key, value, line=section.line)

    def faults(self, assembler: Assembler, replaced: int) -> Iterator[Batch]:
        """Give the faults that are counted over the whole file."""
        if self.entries and self._head.written_in is None:
            yield issue(
                "time_zone_not_stated",
                "the log does not say whether its times are local or UTC: kept as written, without "
                "a time in UTC; collect it whole with Get-ClusterLog -UseLocalTime",
            )
        elif self.entries and self._head.offset_minutes is None and self._head.written_in == "utc":
            yield issue(
                "offset_not_stated",
                "the log does not say how far its node is from UTC",
                severity="info",
            )
        if assembler.orphans:
            yield issue(
                "lines_before_first_entry",
                "lines before the first entry belong to none",
                severity="info",
                count=assembler.orphans,
            )
        if self._undated:
            yield issue(
                "bad_time", "entries whose time is none: kept without it", count=self._undated
            )
        if self._far:
            yield far_issue("entries", self._far, None)
        if assembler.capped:
            yield issue(
                "continuation_capped",
                f"entries or sections with more than {KEPT_BYTES} bytes: the rest of their text is not kept",
                severity="info",
                count=assembler.capped,
            )
        if replaced:
            yield issue(
                "undecodable_text",
                "characters that do not fit the encoding were replaced by U+FFFD",
                count=replaced,
            )
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


READER = ClusterLogReader()

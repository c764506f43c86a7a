"""Windows event logs: .evtx, and lists and tables that support tools export from them.

docs/formats/event_log.md describes the format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.event_log import binary, shown
from agtrace.readers.event_log.decode import decode
from agtrace.readers.event_log.dialects import Dialect, dialect_of
from agtrace.readers.event_log.moments import Evidence, Style
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.line_entries import EntryReader
from agtrace.readers.query_results.layouts import find
from agtrace.tables import FACTS
from agtrace.tables import kernels as pc
from agtrace.tables.topics import Value, facts

MAX_COMPUTERS = 1000
"""Names of machines that are counted; a log has one, or those of its machine's former names."""

TOPICS = (
    facts(
        "event_log",
        "Windows event log, as read",
        Value("log", "System, Application, ..., where the file or its name says it"),
        Value("computer", "machine that most of its events name"),
        Value("events", "events"),
        Value("date_order", "what its dates begin with: day, month or year"),
        Value("utc", "true: its times are UTC"),
        Value("maker", "LogScout list, table, list or .evtx"),
    ),
)

_LOG_NAMES = re.compile(r"(?:^|[_. -])(?P<log>System|Application|Security|Setup)(?=[_. -]|$)", re.IGNORECASE)


class EventLogReader:
    """Reads event logs."""

    name = "event_log"
    version = 4
    topics = TOPICS
    kind = "Windows event log"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the header of a dialect, or the signature of an .evtx."""
        if head.startswith(binary.MAGIC):
            return Detection(self.kind)
        text, _encoding, _skip = head_text(head[:16384])
        return Detection(self.kind) if dialect_of(text) or shown.form_of(text) else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a log: os_events, facts, issues.

        Raises
        ------
        CaptureError
            The file is not an event log.
        """
        head = source.head()
        seen = _Seen()
        if head.startswith(binary.MAGIC):
            yield from binary.read(source, options, seen.see)
            yield seen.facts(None, ".evtx", None)
            yield from seen.faults()
            return
        text, encoding, skip = head_text(head, options.encoding)
        dialect = dialect_of(text[:8192])
        if dialect is None and (form := shown.form_of(text[:16384])):
            yield from self._shown(source, options, form)
            return
        if dialect is None:
            first = text.lstrip("\ufeff\r\n").split("\n", 1)[0][:60].rstrip()
            raise CaptureError(
                source.path,
                "no header of an event log",
                offset=skip,
                need="the names of its columns",
                have=repr(first),
            )
        text_log = _Text(source, options, dialect, encoding, skip)
        named = _LOG_NAMES.search(source.name)
        log = dialect.log or (named["log"].capitalize() if named else None)
        style = text_log.style()
        for batch in text_log.batches(style, log):
            seen.see(batch)
            yield "os_events", batch
        yield seen.facts(log, dialect.name, style.order)
        yield from text_log.faults(style)
        yield from seen.faults()

    def _shown(self, source: Source, options: ReadOptions, form: str) -> Iterator[Batch]:
        text = find.read_text(source, options)
        batch, damaged, is_utc = shown.rows_of(text, form)
        seen = _Seen()
        seen.see(batch)
        yield "os_events", batch
        yield seen.facts(None, form, None if is_utc else "year")
        yield from seen.faults()
        if damaged:
            message = "events that cannot be read: left out"
            yield issue("damaged_record", message, severity="data_loss", count=damaged)
        elif not is_utc and not text.endswith("\n"):
            message = "the last line has no line end: should the file be cut, it may be"
            yield issue("no_line_end", message, severity="info")


class _Text:
    """An event log that is text."""

    def __init__(
        self, source: Source, options: ReadOptions, dialect: Dialect, encoding: str, skip: int
    ) -> None:
        self._dialect = dialect
        self._source, self._options = source, options
        self._encoding, self._skip = encoding, skip
        self._events = self._reader()
        self._damaged = 0

    def _reader(self) -> EntryReader:
        decoder = self._dialect.decoder()
        return EntryReader(self._source, self._options, decoder, self._encoding, self._skip)

    def style(self) -> Style:
        """Find out what the numbers of its dates mean."""
        evidence = Evidence(self._source.name)
        for slab, _damaged, *hours in self._reader().taken():
            _codes, _valid, days = slab.words["day"]
            if evidence.see(days, *hours):
                break
        return evidence.style()

    def batches(self, style: Style, log: str | None) -> Iterator[pa.RecordBatch]:
        """Yield the events."""
        for slab, damaged, *_hours in self._events.taken():
            self._damaged += damaged
            if slab.rows:
                yield decode(slab, style, log)

    def faults(self, style: Style) -> Iterator[Batch]:
        """Yield the faults that are counted over the whole file."""
        if style.is_guessed:
            yield issue(
                "date_order_guessed",
                f"no date says whether day or month comes first: read with the {style.order} first",
            )
        if style.lacks_half:
            yield issue(
                "half_of_day_missing",
                "hours up to 12 without a word for the half of the day: events without a time",
                severity="data_loss",
            )
        if self._damaged:
            yield issue(
                "damaged_row",
                "events whose cells cannot be told apart: left out",
                severity="data_loss",
                count=self._damaged,
            )
        yield from self._events.faults("event", "events")


class _Seen:
    """Collects totals over all events, for the facts of the file."""

    def __init__(self) -> None:
        self._events = 0
        self._undated = 0
        self._far = 0
        self._computers: Counter[str] = Counter()
        self._logs: Counter[str] = Counter()

    def see(self, batch: pa.RecordBatch) -> None:
        self._events += batch.num_rows
        self._undated += batch["time_local"].null_count
        self._far += len(far_rows(batch["time_local"]))
        for counter, name in ((self._computers, "computer"), (self._logs, "log")):
            for pair in pc.value_counts(batch[name]).to_pylist():
                value = pair["values"]
                if value and (value in counter or len(counter) < MAX_COMPUTERS):
                    counter[value] += pair["counts"]

    def facts(self, log: str | None, maker: str, order: str | None) -> Batch:
        """Return the facts of the file."""
        computer = self._computers.most_common(1)
        if log is None and len(self._logs) == 1:
            log = next(iter(self._logs))
        values = {
            "log": log,
            "computer": computer[0][0] if computer else None,
            "events": str(self._events),
            "date_order": order,
            "utc": None if order else "true",
            "maker": maker,
        }
        return rows(
            "facts",
            FACTS,
            [
                {"topic": "event_log", "item": 0, "key": key, "value": value}
                for key, value in values.items()
                if value is not None
            ],
        )

    def faults(self) -> Iterator[Batch]:
        """Yield the faults of times."""
        if self._undated:
            yield issue("bad_time", "events without a readable time: kept without it", count=self._undated)
        if self._far:
            yield far_issue("events", self._far, None)


READER = EventLogReader()

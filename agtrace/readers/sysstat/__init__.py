"""Outputs of mpstat, iostat and sar on Linux, as counters of the names that perfmon has for them.

docs/formats/sysstat.md describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.gathered_samples import GatheredSamples
from agtrace.readers.sysstat.decode import readings, recognise
from agtrace.readers.sysstat.mapping import counters_of
from agtrace.readers.sysstat.reading import Misfit, Reading, Unread
from agtrace.readers.sysstat.topics import TOPICS
from agtrace.readers.sysstat.untimed import UntimedReadings
from agtrace.readers.text_lines import TextLines

MAX_NAMED = 20
"""Tables of other things that are named."""


class SysstatReader:
    """Reads reports of the sysstat tools."""

    name = "sysstat"
    version = 2
    topics = TOPICS
    kind = "Linux activity report (sysstat)"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the line that names kernel, host and date, and one of the tables."""
        text, _encoding, _skip = head_text(head[:16384])
        return Detection(self.kind) if recognise(text) else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a report: counters, ticks, samples; facts of what has no time; issues.

        Raises
        ------
        CaptureError
            There is no line of one of the tables in it.
        """
        text = TextLines(source.open, options.encoding)
        samples, untimed, faults = GatheredSamples(options.counters), UntimedReadings(), _Faults()
        count, time = 0, None
        for reading in readings(text):
            if not isinstance(reading, Reading):
                faults.add(reading)
            elif reading.time is None:
                untimed.add(reading)
            else:
                if reading.time != time:
                    time = reading.time
                    samples.begin_row(time)
                for path, value in counters_of(reading):
                    samples.add(path, value)
                count += 1
            if samples.is_full:
                yield from samples.batches()
                time = None
            if untimed.is_full:
                yield from untimed.batches()
        yield from samples.batches()
        yield from untimed.batches()
        nothing = not (count or untimed.count or faults.torn)
        if nothing and not text.is_blank() and not recognise(text.start()):
            raise CaptureError(source.path, "no activity report of sysstat in it")
        yield from faults.issues(untimed)


class _Faults:
    """Counts of lines that could not be read."""

    def __init__(self) -> None:
        self.torn = False
        self._misfits: list[int] = []
        self._count = 0
        self._tables: dict[str, None] = {}

    def add(self, fault: object) -> None:
        if isinstance(fault, Misfit):
            self._misfits = self._misfits or [fault.line]
            self._count += 1
        elif isinstance(fault, Unread):
            if len(self._tables) < MAX_NAMED:
                self._tables[fault.column] = None
        else:
            self.torn = True

    def issues(self, untimed: UntimedReadings) -> Iterator[Batch]:
        if self.torn:
            yield issue("torn_row", "the last line has no line end: left out")
        if self._count:
            message = (
                f"lines that do not fit the columns above them: left out; the first is {self._misfits[0]}"
            )
            yield issue("damaged_row", message, severity="data_loss", count=self._count)
        if untimed.left_out:
            message = "rows without a time: only those before are kept"
            yield issue("too_many_values", message, severity="data_loss", count=untimed.left_out)
        if untimed.count:
            message = "iostat told no time: its rows are facts, not counters; iostat -t tells it"
            yield issue("no_times", message, severity="info", count=untimed.count)
        if self._tables:
            names = ", ".join(self._tables)
            yield issue(
                "unread_tables", f"tables that are not read, which begin with {names}", severity="info"
            )


READER = SysstatReader()

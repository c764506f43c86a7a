"""Outputs of mpstat, iostat and sar on Linux, as counters of the names that perfmon has for them.

docs/formats/sysstat.md describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.gathered_samples import GatheredSamples
from agtrace.readers.sysstat.decode import Damage, Reading, readings, recognise
from agtrace.readers.sysstat.mapping import counters_of
from agtrace.readers.text_lines import TextLines


class SysstatReader:
    """Reads reports of the sysstat tools."""

    name = "sysstat"
    version = 1
    topics = ()
    kind = "Linux activity report (sysstat)"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the line that names kernel, host and date, and one of the tables."""
        text, _encoding, _skip = head_text(head[:16384])
        return Detection(self.kind) if recognise(text) else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a report: counters, ticks, samples, issues.

        Raises
        ------
        CaptureError
            There is no line of one of the tables in it.
        """
        text = TextLines(source.open, options.encoding)
        samples = GatheredSamples(options.counters)
        count, bad, torn = 0, 0, False
        time = None
        for reading in readings(text):
            if isinstance(reading, Reading):
                if reading.time != time:
                    time = reading.time
                    samples.begin_row(time)
                for path, value in counters_of(reading):
                    samples.add(path, value)
                count += 1
            elif reading is Damage.TORN:
                torn = True
            else:
                bad += 1
            if samples.is_full:
                yield from samples.batches()
                time = None
        yield from samples.batches()
        if not count and not torn and not text.is_blank() and not recognise(text.start()):
            raise CaptureError(source.path, "no activity report of sysstat in it")
        if torn:
            yield issue("torn_row", "the last line has no line end: left out")
        if bad:
            yield issue(
                "damaged_row",
                "lines that do not fit the columns above them: left out",
                severity="data_loss",
                count=bad,
            )


READER = SysstatReader()

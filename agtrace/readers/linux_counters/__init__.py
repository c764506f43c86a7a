"""SQL LogScout on Linux: sys.dm_os_performance_counters every 15 s, cooked as perfmon would.

docs/formats/linux_counters.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from agtrace.errors import CaptureError
from agtrace.moments import iso
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.gathered_samples import GatheredSamples
from agtrace.readers.linux_counters.cooking import AVERAGES, BASES, FRACTIONS, TYPES, Raw, cook
from agtrace.readers.linux_counters.rows import Row, Torn, rows_of
from agtrace.readers.text_lines import TextLines

_MARKER = "-- sql server performance counters --"
_HEADER = re.compile(
    r"^runtime\s+object_name\s+counter_name\s+instance_name\s+cntr_value\s+cntr_type\b", re.MULTILINE
)

Key = tuple[str, str, str]
"""Object, counter and instance."""


class LinuxCountersReader:
    """Reads the raw counters of a Linux case."""

    name = "linux_counters"
    version = 1
    topics = ()
    kind = "SQL Server counters of a Linux host"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the title of the rowset, or its columns."""
        text, _encoding, _skip = head_text(head[:16384])
        has = _MARKER in text or _HEADER.search(text)
        return Detection(self.kind) if has else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a file snapshot by snapshot: counters, ticks, samples, issues.

        Raises
        ------
        CaptureError
            The file has no row of counters.
        """
        text = TextLines(source.open, options.encoding)
        looks = _Looks(GatheredSamples(options.counters))
        torn = False
        for row in rows_of(text):
            if isinstance(row, Torn):
                torn = True
                continue
            looks.take(row)
            if looks.samples.is_full:
                yield from looks.samples.batches()
        looks.end()
        yield from looks.samples.batches()
        if not looks.rows and not torn and not text.is_blank() and _MARKER not in text.start():
            raise CaptureError(source.path, "no row of performance counters in it")
        if torn:
            yield issue("torn_row", "the last row is cut off: left out")
        if looks.bad:
            yield issue(
                "damaged_row",
                "rows whose time or numbers cannot be read: left out",
                severity="data_loss",
                count=looks.bad,
            )
        if looks.unknown:
            yield issue(
                "unknown_counter_type",
                "values of counter types that are not known: left out",
                count=looks.unknown,
            )


class _Looks:
    """Turns the rows of each snapshot into samples; a snapshot becomes one row of the log."""

    def __init__(self, samples: GatheredSamples) -> None:
        self.samples = samples
        self.rows = 0
        self.bad = 0
        self.unknown = 0
        self._time: datetime | None = None
        self._before: dict[Key, Raw] = {}
        self._before_time: datetime | None = None
        self._now: list[tuple[Key, int, int]] = []

    def take(self, row: Row) -> None:
        """Take a row."""
        self.rows += 1
        if row.is_first:
            self.end()
        cells = row.cells
        try:
            value, kind = int(cells["cntr_value"]), int(cells["cntr_type"])
        except ValueError:
            self.bad += 1
            return
        if (time := iso(cells["runtime"])) is None:
            self.bad += 1
            return
        self._time = self._time or time.replace(tzinfo=None)
        key = cells["object_name"], cells["counter_name"], cells["instance_name"]
        self._now.append((key, kind, value))

    def end(self) -> None:
        """Calculate the samples of the completed snapshot."""
        time, now = self._time, self._now
        self._time, self._now = None, []
        if time is None or not now:
            return
        seconds = (time - self._before_time).total_seconds() if self._before_time else 0.0
        raws: dict[Key, Raw] = {}
        self.samples.begin_row(time)
        for place, (key, kind, value) in enumerate(now):
            if kind in BASES or key in raws:
                continue
            if kind not in TYPES:
                self.unknown += 1
                continue
            base = _base(now, place) if kind in FRACTIONS or kind in AVERAGES else 0
            cooked = None
            if base is not None:
                raw = raws[key] = Raw(value, base)
                cooked = cook(kind, raw, self._before.get(key), seconds)
            self.samples.add(_path(key), cooked, TYPES[kind])
        self._before, self._before_time = raws, time


def _base(now: list[tuple[Key, int, int]], place: int) -> int | None:
    """Find the base of a counter: the one with its name, else the next one of its instance."""
    (group, name, instance), _kind, _value = now[place]
    stem = re.sub(r"\s*\(ms\)$", "", name, flags=re.IGNORECASE).lower()
    first: int | None = None
    for (other, base_name, base_instance), kind, value in now[place + 1 : place + 50]:
        if (other, base_instance) != (group, instance):
            break
        if kind in BASES:
            if base_name.lower().startswith(stem):
                return value
            first = value if first is None else first
    return first


def _path(key: Key) -> str:
    group, counter, instance = key
    return f"\\{group}({instance})\\{counter}" if instance else f"\\{group}\\{counter}"


READER = LinuxCountersReader()

"""The transaction counter's log, ``hdbtcount.log``: readings, with their times if enabled.

One item per session of the counter (a header line begins each), one row per reading. The figure
counts the server's own transactions, scaled to a minute; it is not the benchmark's NOPM.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agtrace.readers.fact_text import Fact
from agtrace.readers.hammerdb.moments import CLOCK, moment, offset_minutes
from agtrace.readers.hammerdb.runs import READING
from agtrace.readers.text_lines import Line

HEADER = re.compile(rf"Hammerdb Transaction Counter Log @ {CLOCK}\s*")


def facts(lines: Iterable[Line]) -> Iterator[Fact]:
    """Yield the readings of every session."""
    item = -1
    for number, line, _terminated in lines:
        if header := HEADER.fullmatch(line):
            item += 1
            at = moment(header)
            if at is not None:
                yield Fact("hammerdb_count", item, "opened", at.isoformat(" "), None, number, at)
            offset = offset_minutes(header["zone"])
            if offset is not None:
                yield Fact("hammerdb_count", item, "utc_offset_minutes", str(offset), "min", number, at)
        elif item >= 0 and (reading := READING.fullmatch(line)):
            at = moment(reading) if reading["clock"] else None
            yield Fact("hammerdb_count", item, "tpm", reading["tpm"], "1/min", number, at)

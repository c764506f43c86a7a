"""Topics of the facts of a report without times."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

IOSTAT = "iostat"

TOPICS = (
    facts(
        IOSTAT,
        "disk, or mean of all processors, in a report of iostat without times (no -t)",
        Value("report", "number of the report in the text; the first of iostat is the mean since the start"),
        Value("host", "host that it was run on"),
        Value("day", "day of the text's first line"),
        Value("device", "the disk; absent for the processors"),
        Value("*", "a column under its own name, in the column's own unit"),
    ),
)

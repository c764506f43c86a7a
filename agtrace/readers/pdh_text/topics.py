"""Topics of the facts of a perfmon text log."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "pdh_header",
        "header of a perfmon text log",
        Value("format", "signature: PDH-CSV 4.0, ..."),
        Value("zone_name", "name of the time zone as written"),
        Value("bias_minutes", "UTC minus local time", "min"),
        Value("columns", "series of the log"),
        Value("encoding", "character encoding of the names"),
        Value("collector_text", "text that the collector added as a last column"),
    ),
)

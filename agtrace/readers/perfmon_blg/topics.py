"""Topics of the facts of a binary performance log."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "blg_header",
        "header of a binary performance log (item 0); span of local time with one UTC offset (each item)",
        Value("windows", "version of Windows"),
        Value("written_to", "path that the log was written to"),
        Value("perf_frequency", "ticks of the performance counter in a second"),
        Value("session_start", "start of the session, UTC"),
        Value("session_end", "end of the session, UTC"),
        Value("boot", "when Windows started, UTC"),
        Value("standard_name", "name of the time zone"),
        Value("zone_name", "its name at the first sample"),
        Value("bias_minutes", "UTC minus local time at the first sample", "min"),
        Value("utc_offset_minutes", "local time minus UTC, from the item's time on", "min"),
        Value("utc_offset_from_tick", "first row of the log with it"),
        Value("utc_offset_source", "its source"),
    ),
)

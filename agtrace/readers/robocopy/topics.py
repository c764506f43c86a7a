"""Topics of the facts of a robocopy log."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "robocopy",
        "run of robocopy",
        Value("source", "path copied from"),
        Value("source_host", "its host, if the path names one; upper case"),
        Value("destination", "path copied to"),
        Value("destination_host", "its host, if the path names one; upper case"),
        Value("files", "files, as specified"),
        Value("options", "options as written"),
        Value("threads", "threads of /MT", "n"),
        Value("unbuffered", "true: /J"),
        Value("inter_packet_gap_ms", "gap of /IPG", "ms"),
        Value("started", "start as written"),
        Value("ended", "end as written"),
        Value("elapsed_seconds", "end less start", "s"),
        Value("files_copied", "files copied", "n"),
        Value("files_failed", "files that failed", "n"),
        Value("bytes_copied", "bytes copied", "B"),
        Value("seconds", "time spent copying", "s"),
        Value("speed_bytes_per_s", "speed", "B/s"),
        Value("speed_derived", "true if computed as bytes over seconds, without a logged speed"),
        Value("errors", "lines with an error", "n"),
    ),
)

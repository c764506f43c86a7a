"""Measures of the version store of a readable secondary."""

from __future__ import annotations

from agtrace.measures import Measure

SIZE = Measure("version_store_bytes", "version store", "B", "row versions in tempdb, the last sample")
GREW = Measure("version_store_grew_bytes", "grew by", "B", "from the first sample to the last")
GROWTH = Measure("version_store_growth", "growth of the version store", "MB/h", "slope of a line through it")
FREE = Measure(
    "tempdb_free_bytes", "free in tempdb", "B", "of its files as they are: they may be set to grow"
)
FULL_IN = Measure("tempdb_full_s", "tempdb full in", "s", "what is free, by the growth of the version store")
LONGEST = Measure(
    "longest_transaction_s", "longest transaction", "s", "Longest Transaction Running Time, last sample"
)
GENERATED = Measure("version_generation", "versions generated, mean", "B/s")
CLEANED = Measure("version_cleanup", "versions cleaned up, mean", "B/s")
OLDEST = Measure(
    "oldest_reader_s", "transaction of session {session} open", "s", "at the last look that shows it"
)
NOT_ADDED = Measure("version_store_full", "version store full, versions not added", "", "message 3959")
VICTIMS = Measure("version_victims", "transactions chosen as victims", "", "message 3967")
ENDED = Measure("version_ended", "readers ended", "", "messages 3958 and 3966")
NO_SPACE = Measure("tempdb_no_space", "no space in tempdb", "", "message 1105")
VICTIM = Measure("victim_s", "session {session}, a victim, had run", "s", "message 3967")
SKIPPED = Measure("ghosts_skipped", "ghosted records skipped on the primary", "1/s", "mean meanwhile")
SKIPPED_BEFORE = Measure("ghosts_skipped_before", "ghosted records skipped before", "1/s", "mean before")
MARK = Measure("ghost_mark_s", "low-water mark for ghosts of {database} unchanged", "s", "between two looks")
BEHIND = Measure("recovery_queue_growth", "growth of the recovery queues", "B/s", "of all databases together")
WAITING = Measure("waiting_readers", "requests that wait for row versions", "requests")
LONGEST_WAIT = Measure("longest_version_wait_s", "longest wait for row versions", "s")
WAITED = Measure(
    "version_wait_ms_per_s", "{wait}, n = {n:,}", "ms/s", "of all tasks that waited, in a second"
)
WATCHED = Measure("watched_s", "intervals with such waits", "s")
STATISTICS = Measure(
    "temporary_statistics",
    "temporary statistics of {database}",
    "",
    "names that end with _readonly_database_statistic, at the last look",
)
SIZES = (
    *map(Measure, ("host_id", "sql_instance", "start", "end", "samples")),
    Measure("first_bytes", "version store at first", "B"),
    Measure("last_bytes", "version store at last", "B"),
    Measure("growth", "growth", "B/s"),
    Measure("free_bytes", "free in tempdb", "B"),
    Measure("longest_s", "longest transaction", "s"),
    Measure("is_over", "fell afterwards"),
)

"""Every threshold of the diagnostics: the one table, its defaults, and how a case overrides it.

A case sets its own in ``CASE/agtrace.toml``::

    [thresholds]
    growing_minutes = 10
    rpo_s = 30

Whoever asks sets them for one answer: ``--settings FILE`` of the same form, or
``open_case(..., thresholds={"rpo_s": 30})``. ``docs/diagnostics.md`` shows the same table; a test holds
the two equal. Microsoft documents the formulas of availability groups but no limits for them, so the
defaults are relative wherever a ratio can carry the decision.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from agtrace.errors import CaseError


def threshold(default: float, unit: str, meaning: str) -> Any:
    """Declare a threshold with its default, unit and meaning."""
    return field(default=default, metadata={"unit": unit, "meaning": meaning})


@dataclass(frozen=True)
class Thresholds:
    """The limits that turn numbers into verdicts; each with its unit and meaning as metadata."""

    min_samples: int = threshold(20, "samples", "fewer samples than this carry no verdict")
    role_samples: int = threshold(
        6, "samples", "a role read from counters holds for at least so many samples in a row"
    )
    gap_minutes: float = threshold(30, "min", "captures further apart than this are judged by themselves")
    skew_fit: float = threshold(
        0.8, "correlation", "log flushed on one host and log received on another fit each other from this on"
    )
    skew_clear: float = threshold(
        0.2, "correlation", "a fit after a shift must be better by this than without, or after any other"
    )
    skew_least_s: float = threshold(
        60, "s", "two clocks that are apart by less than this do no harm to means over minutes"
    )
    skew_bytes_share: float = threshold(
        0.1, "ratio", "where two series fit, what arrived and queued differs from what was flushed by less"
    )
    skew_elsewhere_share: float = threshold(
        0.2, "ratio", "share of the log that must lie elsewhere as the clocks have it, for them to be off"
    )
    starved_processor_percent: float = threshold(
        95, "%", "processors of a node that are busier than this starve what runs on it"
    )
    low_memory_mb: float = threshold(200, "MB", "a node with less memory available than this is short of it")
    gauge_samples: int = threshold(
        10, "samples", "a gauge that so many samples show at one of its ends, none between, measures nothing"
    )
    redo_wait_ms: float = threshold(
        100, "ms/s", "redo that waits for less than this in a second, of all its tasks, is not spoken of"
    )
    redo_watched_s: float = threshold(60, "s", "wait statistics over less time than this say nothing of redo")
    recovery_s: float = threshold(
        60, "s", "a recovery of a database that takes less than this is not reported"
    )
    recovery_long_s: float = threshold(600, "s", "a recovery of a database that takes this long is a warning")
    recovery_vlfs: int = threshold(
        10_000, "files", "virtual log files from which the time before the analysis is theirs"
    )
    log_full_h: float = threshold(
        24, "h", "a log that a replica holds back and that would be full within this is a warning"
    )
    log_used_percent: float = threshold(
        80, "%", "a log that was in use to this share when it was looked at is reported"
    )
    log_held_share: float = threshold(
        0.5, "ratio", "a queue with at least this share of the log in use is what holds the log back"
    )
    redo_blocked_s: float = threshold(
        10, "s", "redo that waited for the lock of a session for less than this is not spoken of"
    )
    version_store_minutes: float = threshold(
        10, "min", "a version store that grows for less than this is a burst: it is cleaned up every minute"
    )
    version_store_share: float = threshold(
        0.05, "ratio", "a version store that grew by less of itself and of tempdb's free space is not told"
    )
    version_store_growth_mb: float = threshold(
        1024, "MB", "the same, where the free space of tempdb was not captured"
    )
    version_store_full_h: float = threshold(
        24, "h", "a version store that would fill tempdb within this is a warning"
    )
    version_store_large_share: float = threshold(
        0.5, "ratio", "a version store with this share of itself and of what is free is told, ended or not"
    )
    version_wait_ms: float = threshold(
        100, "ms/s", "readers that wait for row versions for less than this in a second are not spoken of"
    )
    slow_disk_s: float = threshold(
        1, "s", "a mean time of disk reads or writes beyond this before a lease runs out is a stall"
    )
    usage_samples: int = threshold(
        5, "samples", "fewer samples of perfmon in a window (copy, backup, run) than this say nothing of it"
    )
    usage_covered_share: float = threshold(
        0.8, "ratio", "perfmon that speaks of less than this of a window's time says nothing of it"
    )
    carrying_share: float = threshold(
        0.05, "ratio", "a card or disk that moves less of the busiest one's bytes carries nothing of note"
    )
    gap_steps: float = threshold(
        3, "steps", "rows of a perfmon log further apart than so many of its usual steps are a gap"
    )
    growing_minutes: float = threshold(
        5, "min", "a queue that stays filled for less than this is a burst, not a limit"
    )
    growth_share: float = threshold(
        0.05, "ratio", "a queue grows when it keeps at least this share of the log generated"
    )
    received_share: float = threshold(
        0.8, "ratio", "a growing queue is critical when less than this share of the log arrives"
    )
    behind_s: float = threshold(
        10, "s", "a queue counts as filled when it holds more than so many seconds of log"
    )
    on_its_way_share: float = threshold(
        0.02, "ratio", "less of the log that neither arrived nor waits is the counters' own error"
    )
    suspended_minutes: float = threshold(
        2, "min", "a queue frozen for this long while log is generated is stale"
    )
    idle_log_bytes_per_s: float = threshold(
        1024, "log B/s", "below this rate there is no log to judge the transport by"
    )
    ceiling_ratio: float = threshold(1.3, "ratio", "p95 / p50 of the bytes received below this is a ceiling")
    window_low: float = threshold(
        0.5, "ratio", "ceiling x round trip of at least this many unscaled windows fits a window"
    )
    window_high: float = threshold(
        1.5, "ratio", "ceiling x round trip of at most this many unscaled windows fits a window"
    )
    copy_slow_ratio: float = threshold(
        2.5, "ratio", "a bulk copy within this factor of the ceiling is equally slow"
    )
    copy_fast_ratio: float = threshold(
        3, "ratio", "a bulk copy at least this many times the ceiling shows a free network"
    )
    network_idle_share: float = threshold(
        0.5, "ratio", "a network card used below this share of its bandwidth is idle"
    )
    flow_control_ms_per_s: float = threshold(
        100, "ms/s", "flow control time from which the send gate counts as closed"
    )
    flow_control_dominant_ms_per_s: float = threshold(
        300, "ms/s", "the same where only the primary was captured"
    )
    lost_share: float = threshold(
        0.0002, "ratio", "without a round trip, loss holds a path back when so many of its segments go twice"
    )
    loss_low: float = threshold(
        0.33, "ratio", "a stream of at least this share of what loss would let through is near it"
    )
    loss_high: float = threshold(
        3, "ratio", "a stream of at most so many times what loss would let through is near it"
    )
    bounds_close_ratio: float = threshold(
        1.5,
        "ratio",
        "loss and an unscaled window that would let through amounts within this factor of each other are "
        "too close to be told apart for sure",
    )
    window_met_share: float = threshold(
        0.9,
        "ratio",
        "where retransmissions were not captured, a stream whose median is below this share of what an "
        "unscaled window carries may be held back by loss",
    )
    resent_per_s: float = threshold(
        0.5, "1/s", "messages of the group sent again, from which it is said: reconnects, not loss"
    )
    card_full_share: float = threshold(
        0.85, "ratio", "a network card that moves this share of its bandwidth is full"
    )
    processors_busy_percent: float = threshold(
        90, "%", "processors of a replica used so much (median) make it late"
    )
    log_write_ms: float = threshold(20, "ms", "a log write of the secondary this long is slow")
    log_write_ratio: float = threshold(
        3, "ratio", "a log write is slow, too, when it takes this many times the primary's"
    )
    log_write_floor_ms: float = threshold(
        5, "ms", "a log write shorter than this is never slow, whatever the primary's takes"
    )
    log_idle_share: float = threshold(
        0.25, "ratio", "a log disk with writes under way for less of the time than this waits for log"
    )
    data_file_ms: float = threshold(
        20, "ms", "disks of which none takes longer than this for a read or a write do not hold redo back"
    )
    data_disk_busy_percent: float = threshold(
        50, "%", "the same, where none of them is busy for more of the time than this"
    )
    slow_link_mbit_per_s: float = threshold(
        100, "Mb/s", "a network card that links at this or less is taken to have negotiated wrongly"
    )
    log_of_card_share: float = threshold(
        0.7, "ratio", "a full card of whose traffic log is at least this share is filled by the log alone"
    )
    commit_blocked_ms: float = threshold(
        60_000, "ms", "commits of which one in twenty waits for at least this are critical"
    )
    redo_behind_s: float = threshold(
        60, "s", "a recovery queue that takes longer than this to redo is behind"
    )
    redo_blocked_share: float = threshold(
        0.05, "ratio", "share of samples with Redo blocked/sec > 0 that names readers as the cause"
    )
    commit_delay_ms: float = threshold(
        20, "ms", "average commit wait per transaction from which it is a notice"
    )
    commit_early_share: float = threshold(
        0.1, "ratio", "a replica that more of the blocks' commits than this did not await is asynchronous"
    )
    commit_apart_ratio: float = threshold(
        2, "ratio", "mean waits of commits that two sources put further apart than this cannot both be true"
    )
    commit_apart_ms: float = threshold(1, "ms", "mean waits of commits that are less than this apart agree")
    commit_block_ratio: float = threshold(
        2, "ratio", "slow commits are of larger blocks when those have this many times the bytes of all"
    )
    commit_minute_share: float = threshold(
        0.5, "ratio", "slow commits have a minute in common when at least this share of them lies in it"
    )
    commit_minutes: int = threshold(
        5, "min", "slow commits have a minute in common in a capture of at least so many"
    )
    commit_hours: int = threshold(
        3, "h", "slow commits have an hour in common in a capture of at least so many"
    )
    commit_busy_samples: int = threshold(
        3, "samples", "slow commits that lie in fewer samples of a counter say nothing of it"
    )
    commit_busy_ratio: float = threshold(
        2, "ratio", "slow commits have in common what is then this many times what it is for the others"
    )
    commit_busy_disk_ms: float = threshold(
        5, "ms", "a mean read or write that is faster than this is no busy disk to slow commits"
    )
    commit_busy_processor_percent: float = threshold(
        50, "%", "processors below this are not busy to slow commits"
    )
    commit_busy_queue_mb: float = threshold(
        1, "MB", "a recovery queue below this is no busy redo to slow commits"
    )
    commit_busy_gate_percent: float = threshold(
        10, "%", "gates of flow control closed for less of the time, or of the slow commits, are open"
    )
    rpo_s: float = threshold(60, "s", "estimated data loss from which it is a notice")
    rto_s: float = threshold(60, "s", "estimated redo time from which it is a notice")
    skew_ms: float = threshold(1000, "ms", "clock skew between two hosts from which comparisons say so")
    skew_sure_pairs: int = threshold(
        3, "pairs", "so many pairs of events shift a host for certain; one pair alone does not"
    )
    skew_sure_fit: float = threshold(
        0.9, "correlation", "counters of two hosts that fit as well as this after a shift show a clock is off"
    )
    log_reads_per_s: float = threshold(
        1, "1/s", "log read back from disk more often than this: its capture is behind the log cache"
    )
    compressed_ratio: float = threshold(
        1.05, "ratio", "a stream with fewer bytes of log per byte on the wire is not compressed"
    )
    one_unit_share: float = threshold(
        0.1, "ratio", "bytes sent and received in one unit that differ by more than this are not of one unit"
    )
    kept_up_share: float = threshold(
        0.95, "ratio", "below this share of the log flushed, words say where the log is that did not arrive"
    )
    unaccounted_share: float = threshold(
        0.05, "ratio", "log flushed may differ by this share from log received plus the growth of the queue"
    )
    apart_share: float = threshold(
        0.2, "ratio", "sides of which half of the time strays further from their usual ratio differ in time"
    )
    tie_share: float = threshold(
        0.02, "ratio", "two configurations whose figures differ by less than this are equally fast"
    )
    interval_trials: int = threshold(
        5, "trials", "trials of each load and configuration from which an interval is claimed"
    )
    steady_ratio: float = threshold(
        1.25, "ratio", "a load test is steady when its 95th percentile is at most so many times its 5th"
    )
    routed_share: float = threshold(
        0.05, "ratio", "share of the requests on secondaries from which reads count as routed"
    )
    backup_min_s: float = threshold(
        1, "s", "a backup shorter than this measures its fixed costs, not throughput"
    )
    backup_same_size_ratio: float = threshold(
        1.01, "ratio", "backups whose sizes differ by less than this factor are of one size"
    )
    backup_cold_minutes: float = threshold(
        45, "min", "idle time before a backup from which its disks count as cold"
    )
    backup_busy_ms: float = threshold(
        15, "ms", "mean time of a disk read or write from which the disk is busy"
    )
    backup_side_ratio: float = threshold(
        2, "ratio", "a side limits a backup when it waits this many times as long as the other"
    )
    backup_card_share: float = threshold(
        0.8, "ratio", "a network card that sends this share of its bandwidth is full"
    )
    backup_nul_share: float = threshold(
        0.9, "ratio", "a backup this share as fast as one to NUL is held back by reading"
    )
    backup_volume_share: float = threshold(
        0.1, "ratio", "where the files are not known, volumes that move this share of the busiest one count"
    )
    backup_near_share: float = threshold(
        0.95, "ratio", "a configuration with less memory that is this share as fast as the best is named"
    )
    backup_spread_ratio: float = threshold(
        2,
        "ratio",
        "runs under a label vary unusually where p95 less p5 of each of their configurations is this many "
        "times the median of the others'; by chance alone five runs reach twice as much once in 100",
    )
    backup_notable_ratio: float = threshold(
        1.1, "ratio", "a best configuration faster than this many times the default is worth a notice"
    )
    backup_log_hours: float = threshold(
        24, "h", "a database of a group without a log backup on any replica for so long misses it"
    )
    backup_zeroing_s: float = threshold(
        10, "s", "data files that take longer than this to fill with zeros are a warning"
    )
    seeding_wait_dominance: float = threshold(
        0.6, "ratio", "share of an end's disk and network waits from which one of them dominates"
    )
    seeding_wait_share: float = threshold(
        0.2, "ratio", "an end's waits below this share of the copy's time say nothing"
    )
    seeding_card_share: float = threshold(
        0.9, "ratio", "a network card that moves this share of its bandwidth is full"
    )
    seeding_disk_busy_share: float = threshold(
        0.9, "ratio", "a disk that is busy for this share of the time is full"
    )
    seeding_processors_percent: float = threshold(
        95, "%", "processors of an end used so much (median) during a copy are worth a word"
    )
    seeding_slot_s: float = threshold(
        10, "s", "a wait for a slot (LIMIT_CONCURRENT_BACKUPS) shorter than this is not worth a word"
    )
    seeding_stalled_minutes: float = threshold(
        15, "min", "a seeding that shows no progress for this long is stalled"
    )
    seeding_compressed_ratio: float = threshold(
        0.8, "ratio", "bytes on the wire per byte of the database below this show compression"
    )
    seeding_uncompressed_ratio: float = threshold(
        0.95, "ratio", "bytes on the wire per byte of the database above this show none"
    )
    seeding_foreign_ratio: float = threshold(
        1.3, "ratio", "more bytes on the wire than this per byte of the database are other traffic"
    )
    seeding_ends_share: float = threshold(
        0.2, "ratio", "bytes on the wire that both ends saw agree within this share of the larger"
    )
    seeding_other_traffic_share: float = threshold(
        0.5, "ratio", "what cards carry may differ by this much of itself during a copy; more decides nothing"
    )
    seeding_other_backup_share: float = threshold(
        0.1, "ratio", "another backup for this share of a copy's time can change what its cards carried"
    )
    seeding_silent_reports: float = threshold(
        10, "intervals", "a copy that has not reported for so many of its usual intervals has ended"
    )
    seeding_silent_s: float = threshold(
        60, "s", "and for at least so long, where other events of its host go on"
    )
    seeding_silent_minutes: float = threshold(
        10, "min", "and for at least so long before a restart that did not cut it off"
    )
    seeding_even_share: float = threshold(
        0.75, "ratio", "cores share the work evenly when their mean is at least this share of the busiest"
    )
    seeding_link_share: float = threshold(
        0.85, "ratio", "a rate from this share of a link for sale up to all of it is that of a full one"
    )
    seeding_same_ratio: float = threshold(
        1.05, "ratio", "two copies are as fast, or cost as much, within this factor"
    )
    seeding_contradiction_share: float = threshold(
        0.1, "ratio", "figures of one copy that differ by more than this cannot all be true"
    )
    compare_same_pages_share: float = threshold(
        0.01, "ratio", "a restore is of a backup when the pages of both agree within this share"
    )
    compare_gap_minutes: float = threshold(
        60, "min", "a restore or a join that begins later than this after the step before is no part of a run"
    )
    compare_tie_share: float = threshold(
        0.05, "ratio", "two runs whose durations differ by less than this take equally long"
    )
    compare_negligible_share: float = threshold(
        0.05, "ratio", "a byte rate below this share of the largest of two runs is not worth a word"
    )
    compare_window_share: float = threshold(
        0.5, "ratio", "a labelled window names the run of which it covers more than this share"
    )
    compare_resource_share: float = threshold(
        0.1, "ratio", "two runs whose use of a resource differs by less than this use it equally"
    )
    standstill_s: float = threshold(
        20, "s", "a sample of a steady pace that comes later than this makes its host one that stood still"
    )
    clock_step_s: float = threshold(
        5, "s", "samples that go back in time by more than this show a clock that was set back"
    )
    clock_gained_s: float = threshold(
        2, "s", "a wall clock that gained more on its tick count shows that the machine did not run on"
    )
    failover_long_s: float = threshold(
        60, "s", "a group longer without a primary is critical, or a notice where that was planned"
    )
    no_primary_s: float = threshold(
        60, "s", "a group without a primary for this long when the captures end has none"
    )
    two_primaries_s: float = threshold(
        1, "s", "two hosts that hold a group as its primary for less than this may owe it to their clocks"
    )
    two_primaries_uncompared_s: float = threshold(60, "s", "the same, of hosts whose clocks nothing compares")
    primary_awake_s: float = threshold(
        1, "s", "an old primary that was awake for this long beside the new one could have accepted writes"
    )
    primary_quiet_s: float = threshold(
        30, "s", "a primary that writes nothing for longer than this is not known to have been awake"
    )
    flapping_failovers: int = threshold(
        3, "failovers", "so many failovers that nobody asked for, one soon after the other, are flapping"
    )
    flapping_critical: int = threshold(5, "failovers", "so many of them in one run are critical")
    flapping_hours: float = threshold(
        6, "h", "failovers further apart than this are not one soon after the other"
    )
    login_failures_per_hour: int = threshold(
        12, "entries", "logins that fail so often in an hour, one every five minutes, are worth a word"
    )
    paged_out_per_hour: int = threshold(
        2,
        "entries",
        "memory that is paged out is noted again while it lasts: fewer in an hour passed at once",
    )
    long_wait_s: float = threshold(30, "s", "a wait of a request that lasts so long is worth a word")
    disconnect_minutes: float = threshold(
        5, "min", "a replica without its connection for longer than this is a warning"
    )
    database_disconnect_s: float = threshold(
        60, "s", "a database away for less than this, while its replica is connected, is worth no word"
    )
    lease_ms: int = threshold(20_000, "ms", "a LeaseTimeout below what a group has from the start is short")
    health_check_ms: int = threshold(
        30_000, "ms", "a HealthCheckTimeout below what a group has from the start is short"
    )
    session_timeout_s: int = threshold(10, "s", "a SESSION_TIMEOUT below this is shorter than is advised")
    group_workers_share: float = threshold(
        0.5, "ratio", "groups that need at least this share of the worker threads that they can have are told"
    )
    takeover_failed_days: float = threshold(
        7, "d", "an attempt to take over that failed longer than this before a look may have been mended"
    )
    replay_error_share: float = threshold(
        0.1,
        "ratio",
        "a replay of what was captured that is off by more than this says nothing of what would be",
    )


MOST = 1e9
"""Beyond this a value means "never" in any unit, and no calendar holds it."""


def of(view: Any) -> Thresholds:
    """Give the thresholds that hold for a case: what is valid in its settings, else the defaults."""
    return Thresholds(**checked(getattr(view, "settings", None))[0])


def changed(limits: Thresholds) -> list[tuple[str, float, float, str]]:
    """Give name, value, default and unit of the thresholds that are not at their default."""
    defaults = Thresholds()
    pairs = [(f, getattr(limits, f.name), getattr(defaults, f.name)) for f in fields(Thresholds)]
    return [(f.name, value, usual, f.metadata["unit"]) for f, value, usual in pairs if value != usual]


def checked(
    settings: dict[str, Any] | None, source: str = "agtrace.toml"
) -> tuple[dict[str, Any], list[CaseError]]:
    """Give the thresholds that settings set validly, and what is wrong with the others."""
    wanted = (settings or {}).get("thresholds", {})
    if not isinstance(wanted, dict):
        error = CaseError(f"{source}: thresholds is not a table", "write it as [thresholds]")
        return {}, [error]
    known = {f.name for f in fields(Thresholds)}
    valid: dict[str, Any] = {}
    faults = []
    for name, value in wanted.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in known:
            message = f"{source}: no threshold is named {name!r}"
            faults.append(CaseError(message, "see docs/diagnostics.md"))
        elif not is_number or not 0 < value <= MOST:
            message = f"{source}: threshold {name} = {_shown(value)}"
            faults.append(CaseError(message, "give a positive number"))
        else:
            valid[name] = value
    return valid, faults


def _shown(value: object) -> str:
    try:
        return f"{value!r:.60}"
    except ValueError:
        # Python writes out no number of thousands of digits.
        return "a number beyond all measure"

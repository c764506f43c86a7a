"""All thresholds of the diagnostics, with their defaults, and how to override them.

A case overrides them in ``CASE/agtrace.toml``::

    [thresholds]
    growing_minutes = 10
    rpo_s = 30

The user overrides them for one run: ``--settings FILE`` in the same form, or
``open_case(..., thresholds={"rpo_s": 30})``. ``docs/diagnostics/thresholds.md`` has the same table, and a
test compares them. Microsoft documents the formulas of availability groups but no limits for them, so the
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

    min_samples: int = threshold(20, "samples", "fewer samples give no finding")
    role_samples: int = threshold(6, "samples", "samples in a row for a role from counters")
    gap_minutes: float = threshold(30, "min", "captures further apart are judged separately")
    skew_fit: float = threshold(
        0.8, "correlation", "log flushed and log received on two hosts match from this on"
    )
    skew_clear: float = threshold(0.2, "correlation", "a shifted match must be better by this than any other")
    skew_least_s: float = threshold(60, "s", "a smaller clock difference does not affect means over minutes")
    skew_bytes_share: float = threshold(
        0.1, "ratio", "largest difference between flushed and arrived plus queued log of matching series"
    )
    skew_elsewhere_share: float = threshold(
        0.2, "ratio", "share of the log that must mismatch for a clock to be wrong"
    )
    starved_processor_percent: float = threshold(95, "%", "busier processors starve a node")
    low_memory_mb: float = threshold(200, "MB", "a node with less available memory is short of it")
    gauge_samples: int = threshold(
        10, "samples", "a gauge with this many samples, all at one end, measures nothing"
    )
    redo_wait_ms: float = threshold(100, "ms/s", "shorter waits of redo, over all its tasks, are ignored")
    redo_watched_s: float = threshold(60, "s", "shorter wait statistics do not describe redo")
    recovery_s: float = threshold(60, "s", "a shorter recovery of a database is not reported")
    recovery_long_s: float = threshold(600, "s", "a recovery of a database this long is a warning")
    recovery_vlfs: int = threshold(
        10_000, "files", "this many virtual log files explain the time before analysis"
    )
    log_full_h: float = threshold(24, "h", "a held log that would be full within this is a warning")
    log_used_percent: float = threshold(80, "%", "a log used to this share in a snapshot is reported")
    log_held_share: float = threshold(
        0.5, "ratio", "a queue with this share of the used log holds the log back"
    )
    redo_blocked_s: float = threshold(10, "s", "a shorter lock wait of redo is ignored")
    version_store_minutes: float = threshold(
        10, "min", "shorter growth of a version store is a burst, because cleanup runs every minute"
    )
    version_store_share: float = threshold(
        0.05, "ratio", "smaller growth, relative to the store and free tempdb space, is not reported"
    )
    version_store_growth_mb: float = threshold(1024, "MB", "the same without the free space of tempdb")
    version_store_full_h: float = threshold(
        24, "h", "a version store that fills tempdb within this is a warning"
    )
    version_store_large_share: float = threshold(
        0.5, "ratio", "a version store with this share of itself and the free space is reported"
    )
    version_wait_ms: float = threshold(100, "ms/s", "shorter waits of readers for row versions are ignored")
    slow_disk_s: float = threshold(1, "s", "a longer mean disk access before an expired lease is a stall")
    usage_samples: int = threshold(
        5, "samples", "fewer perfmon samples in a window (copy, backup, run) do not describe it"
    )
    usage_covered_share: float = threshold(
        0.8, "ratio", "perfmon that covers less of a window does not describe it"
    )
    carrying_share: float = threshold(
        0.05, "ratio", "a card or disk with less of the busiest one's bytes carries nothing significant"
    )
    gap_steps: float = threshold(3, "steps", "rows of a perfmon log further apart than this are a gap")
    growing_minutes: float = threshold(5, "min", "a queue filled for less time is a burst")
    growth_share: float = threshold(
        0.05, "ratio", "a queue grows if it keeps this share of the generated log"
    )
    received_share: float = threshold(0.8, "ratio", "a growing queue is critical if less of the log arrives")
    behind_s: float = threshold(10, "s", "a queue with more log than this is filled")
    on_its_way_share: float = threshold(0.02, "ratio", "a smaller share of missing log is counter error")
    suspended_minutes: float = threshold(2, "min", "a queue frozen this long while log is generated is stale")
    idle_log_bytes_per_s: float = threshold(1024, "log B/s", "a lower rate is too little log for a finding")
    ceiling_ratio: float = threshold(1.3, "ratio", "p95 / p50 of the bytes received below this is a ceiling")
    window_low: float = threshold(
        0.5, "ratio", "ceiling x round trip of this many unscaled windows or more matches a window"
    )
    window_high: float = threshold(
        1.5, "ratio", "ceiling x round trip of this many unscaled windows or fewer matches a window"
    )
    copy_slow_ratio: float = threshold(
        2.5, "ratio", "a bulk copy within this factor of the ceiling is equally slow"
    )
    copy_fast_ratio: float = threshold(
        3, "ratio", "a bulk copy this many times the ceiling shows a free network"
    )
    network_idle_share: float = threshold(
        0.5, "ratio", "a network card below this share of its bandwidth is idle"
    )
    flow_control_ms_per_s: float = threshold(100, "ms/s", "the send gate counts as closed from this on")
    flow_control_dominant_ms_per_s: float = threshold(
        300, "ms/s", "the same if only the primary was captured"
    )
    lost_share: float = threshold(
        0.0002, "ratio", "without a round trip, this share of retransmitted segments means loss"
    )
    loss_low: float = threshold(0.33, "ratio", "a stream from this share of the loss limit is near it")
    loss_high: float = threshold(3, "ratio", "a stream up to this many times the loss limit is near it")
    bounds_close_ratio: float = threshold(
        1.5, "ratio", "loss and window limits within this factor are not distinguishable with certainty"
    )
    window_met_share: float = threshold(
        0.9,
        "ratio",
        "without captured retransmissions, a median stream below this share of an unscaled "
        "window may be limited by loss",
    )
    resent_per_s: float = threshold(
        0.5, "1/s", "resent messages of the group from this on mean reconnects, not loss"
    )
    card_full_share: float = threshold(0.85, "ratio", "a network card at this share of its bandwidth is full")
    processors_busy_percent: float = threshold(
        90, "%", "processors of a replica above this (median) make it late"
    )
    log_write_ms: float = threshold(20, "ms", "a log write of the secondary this long is slow")
    log_write_ratio: float = threshold(3, "ratio", "a log write this many times the primary's is also slow")
    log_write_floor_ms: float = threshold(5, "ms", "a shorter log write is never slow")
    log_idle_share: float = threshold(
        0.25, "ratio", "a log disk with writes in flight for less of the time waits for log"
    )
    data_file_ms: float = threshold(20, "ms", "disks with faster reads and writes do not limit redo")
    data_disk_busy_percent: float = threshold(50, "%", "disks less busy than this do not limit redo")
    slow_link_mbit_per_s: float = threshold(
        100, "Mb/s", "a network card with this link speed or less was negotiated wrongly"
    )
    log_of_card_share: float = threshold(
        0.7, "ratio", "a full card with this share of log traffic is filled by the log alone"
    )
    commit_blocked_ms: float = threshold(
        60_000, "ms", "commits of which one in twenty waits this long are critical"
    )
    redo_behind_s: float = threshold(60, "s", "a recovery queue that takes longer to redo is behind")
    redo_blocked_share: float = threshold(
        0.05, "ratio", "share of samples with Redo blocked/sec > 0 that makes readers the cause"
    )
    commit_delay_ms: float = threshold(
        20, "ms", "average commit wait per transaction from which it is a notice"
    )
    commit_early_share: float = threshold(
        0.1, "ratio", "a replica that was not awaited by more blocks is asynchronous"
    )
    commit_apart_ratio: float = threshold(
        2, "ratio", "mean commit waits of two sources further apart contradict each other"
    )
    commit_apart_ms: float = threshold(1, "ms", "mean commit waits closer than this agree")
    commit_block_ratio: float = threshold(
        2, "ratio", "slow commits have larger blocks if theirs have this many times the bytes of all"
    )
    commit_minute_share: float = threshold(
        0.5, "ratio", "slow commits share a minute that has at least this share of them"
    )
    commit_minutes: int = threshold(5, "min", "minimum length of a capture for a common minute")
    commit_hours: int = threshold(3, "h", "minimum length of a capture for a common hour")
    commit_busy_samples: int = threshold(
        3, "samples", "slow commits within fewer samples of a counter are ignored"
    )
    commit_busy_ratio: float = threshold(
        2, "ratio", "a resource is common to slow commits if it is this many times the value of the others"
    )
    commit_busy_disk_ms: float = threshold(5, "ms", "a faster mean read or write is not a busy disk")
    commit_busy_processor_percent: float = threshold(50, "%", "processors below this are not busy")
    commit_busy_queue_mb: float = threshold(1, "MB", "a smaller recovery queue is not busy redo")
    commit_busy_gate_percent: float = threshold(
        10, "%", "gates closed for less of the time, or of the slow commits, count as open"
    )
    rpo_s: float = threshold(60, "s", "estimated data loss from which it is a notice")
    rto_s: float = threshold(60, "s", "estimated redo time from which it is a notice")
    skew_ms: float = threshold(1000, "ms", "clock skew between two hosts from which comparisons mention it")
    skew_sure_pairs: int = threshold(3, "pairs", "pairs of events needed to shift a host with certainty")
    skew_sure_fit: float = threshold(
        0.9, "correlation", "counters that match this well after a shift show a wrong clock"
    )
    log_reads_per_s: float = threshold(
        1, "1/s", "more log reads from disk mean that capture is behind the log cache"
    )
    compressed_ratio: float = threshold(
        1.05, "ratio", "a stream with fewer bytes of log per byte on the wire is not compressed"
    )
    one_unit_share: float = threshold(
        0.1, "ratio", "bytes sent and received that differ by more have different units"
    )
    kept_up_share: float = threshold(
        0.95, "ratio", "below this share of the flushed log, the text locates the missing log"
    )
    unaccounted_share: float = threshold(
        0.05, "ratio", "permitted difference of log flushed from log received plus queue growth"
    )
    apart_share: float = threshold(
        0.2, "ratio", "sides that stray further from their usual ratio half of the time differ in time"
    )
    tie_share: float = threshold(0.02, "ratio", "two configurations that differ by less are equally fast")
    interval_trials: int = threshold(5, "trials", "trials per load and configuration needed for an interval")
    steady_ratio: float = threshold(
        1.25, "ratio", "a load test is steady if its 95th percentile is at most this many times its 5th"
    )
    routed_share: float = threshold(
        0.05, "ratio", "share of the requests on secondaries from which reads count as routed"
    )
    backup_min_s: float = threshold(1, "s", "a shorter backup measures fixed costs, not throughput")
    backup_same_size_ratio: float = threshold(1.01, "ratio", "backups within this factor have the same size")
    backup_cold_minutes: float = threshold(
        45, "min", "idle time before a backup from which its disks are cold"
    )
    backup_busy_ms: float = threshold(15, "ms", "mean disk access from which the disk is busy")
    backup_side_ratio: float = threshold(
        2, "ratio", "a side limits a backup if it waits this many times as long as the other"
    )
    backup_card_share: float = threshold(
        0.8, "ratio", "a network card that sends this share of its bandwidth is full"
    )
    backup_nul_share: float = threshold(
        0.9, "ratio", "a backup at this share of the speed to NUL is limited by reading"
    )
    backup_volume_share: float = threshold(
        0.1, "ratio", "without known files, volumes with this share of the busiest one count"
    )
    backup_near_share: float = threshold(
        0.95, "ratio", "a configuration with less memory and this share of the best speed is named"
    )
    backup_spread_ratio: float = threshold(
        2,
        "ratio",
        "runs of a label vary unusually if p95 less p5 of each of their configurations is this "
        "many times the median of the others'; by chance, five runs reach twice as much once in "
        "100",
    )
    backup_notable_ratio: float = threshold(
        1.1, "ratio", "a best configuration this many times the default is a notice"
    )
    backup_log_hours: float = threshold(
        24, "h", "a database of a group without a log backup on any replica for this long lacks it"
    )
    backup_zeroing_s: float = threshold(10, "s", "a longer zeroing of data files is a warning")
    seeding_wait_dominance: float = threshold(
        0.6, "ratio", "share of an end's disk and network waits from which one of them dominates"
    )
    seeding_wait_share: float = threshold(
        0.2, "ratio", "waits below this share of the copy's time are ignored"
    )
    seeding_card_share: float = threshold(
        0.9, "ratio", "a network card at this share of its bandwidth is full"
    )
    seeding_disk_busy_share: float = threshold(0.9, "ratio", "a disk busy for this share of the time is full")
    seeding_processors_percent: float = threshold(
        95, "%", "processors above this (median) during a copy are mentioned"
    )
    seeding_slot_s: float = threshold(
        10, "s", "a shorter wait for a slot (LIMIT_CONCURRENT_BACKUPS) is ignored"
    )
    seeding_stalled_minutes: float = threshold(
        15, "min", "a seeding without progress for this long is stalled"
    )
    seeding_compressed_ratio: float = threshold(
        0.8, "ratio", "fewer bytes on the wire per byte of the database show compression"
    )
    seeding_uncompressed_ratio: float = threshold(
        0.95, "ratio", "more bytes on the wire per byte of the database show no compression"
    )
    seeding_foreign_ratio: float = threshold(
        1.3, "ratio", "more bytes on the wire per byte of the database include other traffic"
    )
    seeding_ends_share: float = threshold(
        0.2, "ratio", "bytes on the wire at both ends agree within this share of the larger"
    )
    seeding_other_traffic_share: float = threshold(
        0.5, "ratio", "permitted change of other traffic during a copy; more decides nothing"
    )
    seeding_other_backup_share: float = threshold(
        0.1, "ratio", "another backup for this share of a copy can change the traffic of its cards"
    )
    seeding_silent_reports: float = threshold(
        10, "intervals", "a copy without a report for this many usual intervals has ended"
    )
    seeding_silent_s: float = threshold(
        60, "s", "and for at least this time, while other events of its host continue"
    )
    seeding_silent_minutes: float = threshold(
        10, "min", "and for at least this time before a restart that did not cut it off"
    )
    seeding_even_share: float = threshold(
        0.75, "ratio", "cores share the work evenly if their mean is this share of the busiest"
    )
    seeding_link_share: float = threshold(
        0.85, "ratio", "a rate from this share of a standard link up to its full speed means a full link"
    )
    seeding_same_ratio: float = threshold(
        1.05, "ratio", "two copies within this factor are equally fast or costly"
    )
    seeding_contradiction_share: float = threshold(
        0.1, "ratio", "figures of one copy that differ by more contradict each other"
    )
    compare_same_pages_share: float = threshold(
        0.01, "ratio", "a restore belongs to a backup if their pages agree within this share"
    )
    compare_gap_minutes: float = threshold(
        60, "min", "a restore or join that starts later after the previous step is not part of a run"
    )
    compare_tie_share: float = threshold(
        0.05, "ratio", "two runs with a smaller difference take equally long"
    )
    compare_negligible_share: float = threshold(
        0.05, "ratio", "a byte rate below this share of the larger of two runs is not mentioned"
    )
    compare_window_share: float = threshold(
        0.5, "ratio", "a labelled window names the run that it covers by more than this share"
    )
    compare_resource_share: float = threshold(
        0.1, "ratio", "two runs with a smaller difference use a resource equally"
    )
    standstill_s: float = threshold(
        20, "s", "a sample with a steady pace that is later than this shows a standstill"
    )
    clock_step_s: float = threshold(
        5, "s", "samples that go back in time by more show a clock that was set back"
    )
    clock_gained_s: float = threshold(
        2, "s", "a wall clock that gained more on its tick count shows a paused machine"
    )
    failover_long_s: float = threshold(
        60, "s", "a group without a primary for longer is critical, or a notice if planned"
    )
    no_primary_s: float = threshold(
        60, "s", "a group without a primary for this long at the end of the captures has none"
    )
    two_primaries_s: float = threshold(1, "s", "a shorter overlap of two primaries may be a clock difference")
    two_primaries_uncompared_s: float = threshold(60, "s", "the same for hosts without compared clocks")
    primary_awake_s: float = threshold(
        1, "s", "an old primary that ran for this long beside the new one could have accepted writes"
    )
    primary_quiet_s: float = threshold(
        30, "s", "a primary that writes nothing for longer is not known to run"
    )
    flapping_failovers: int = threshold(
        3, "failovers", "this many unrequested failovers, one soon after the other, are flapping"
    )
    flapping_critical: int = threshold(5, "failovers", "this many of them in one series are critical")
    flapping_hours: float = threshold(6, "h", "failovers further apart are separate")
    login_failures_per_hour: int = threshold(
        12, "entries", "logins that fail this often are reported as more than info"
    )
    paged_out_per_hour: int = threshold(
        2, "entries", "fewer messages about paged-out memory mean that it passed at once"
    )
    long_wait_s: float = threshold(30, "s", "a request that waits this long is reported")
    disconnect_minutes: float = threshold(5, "min", "a replica disconnected for longer is a warning")
    database_disconnect_s: float = threshold(
        60, "s", "a shorter disconnection of a database, with its replica connected, is ignored"
    )
    lease_ms: int = threshold(20_000, "ms", "a LeaseTimeout below the default is short")
    health_check_ms: int = threshold(30_000, "ms", "a HealthCheckTimeout below the default is short")
    session_timeout_s: int = threshold(10, "s", "a smaller SESSION_TIMEOUT is shorter than recommended")
    group_workers_share: float = threshold(
        0.5, "ratio", "groups that need this share of the available worker threads are reported"
    )
    takeover_failed_days: float = threshold(
        7, "d", "a failed takeover longer before a snapshot may have been fixed"
    )
    replay_error_share: float = threshold(0.1, "ratio", "a replay with a larger error supports no estimate")


MOST = 1e9
"""Larger values mean "never" in any unit, and exceed the range of a calendar."""


def of(view: Any) -> Thresholds:
    """Return the thresholds in force for a case: its valid settings, else the defaults."""
    return Thresholds(**checked(getattr(view, "settings", None))[0])


def changed(limits: Thresholds) -> list[tuple[str, float, float, str]]:
    """Return name, value, default and unit of the thresholds that are not at their default."""
    defaults = Thresholds()
    pairs = [(f, getattr(limits, f.name), getattr(defaults, f.name)) for f in fields(Thresholds)]
    return [(f.name, value, usual, f.metadata["unit"]) for f, value, usual in pairs if value != usual]


def checked(
    settings: dict[str, Any] | None, source: str = "agtrace.toml"
) -> tuple[dict[str, Any], list[CaseError]]:
    """Return the valid thresholds of settings, and what is wrong with the others."""
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
            faults.append(CaseError(message, "see docs/diagnostics/thresholds.md"))
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

"""backup.throughput: MB/s of each configuration, and what beside it moves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agtrace.diagnostics.backup import conditions
from agtrace.diagnostics.backup.conditions import Compared, Stretch
from agtrace.diagnostics.backup.studies import BUILT_IN, BackupStudy
from agtrace.diagnostics.backup.wording import between, change, factor_name, mb_s, percent
from agtrace.history.runs import shown
from agtrace.measure.statistics import LEAST, Interval
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

STUDIES = 10
SHOWN = 30
SOURCE = "ERRORLOG, MB of 2^20 bytes"


Servers = Mapping[tuple[str, str], Mapping[str, Any]]
"""What the starts of each server say (servers.sql), by host and instance."""


def findings(studies: list[BackupStudy], limits: Thresholds, servers: Servers | None = None) -> list[Finding]:
    """Give one finding for each of the studies with the most time spent in them."""
    known = servers or {}
    return [_finding(study, limits, len(studies), known) for study in studies[:STUDIES]]


def _finding(study: BackupStudy, limits: Thresholds, studies: int, servers: Servers) -> Finding:
    ordered = sorted(study.configurations, key=lambda c: -c.median)
    first, last = ordered[0], ordered[-1]
    evidence = []
    for configuration in ordered[:SHOWN]:
        name, sample = study.named(configuration), configuration.sample
        middle = sample.interval(0.5)
        source = ", ".join(filter(None, (SOURCE, f"n = {sample.n}", between(middle))))
        evidence += [
            Evidence(f"{name}, p5", rounded(sample.quantile(0.05)), "MB/s", source),
            Evidence(f"{name}, p50", rounded(middle.value), "MB/s", source),
            Evidence(f"{name}, p95", rounded(sample.quantile(0.95)), "MB/s", source),
        ]
    told = [
        f"{words.count(study.n, 'run')} in {words.count(len(ordered), 'configuration')}, "
        f"{words.span(study.seconds)} in all."
    ]
    if len(ordered) > 1:
        told.append(
            f"The median goes from {mb_s(last.median)} ({study.named(last)}) to {mb_s(first.median)} "
            f"({study.named(first)})."
        )
    else:
        told.append(
            f"p5 {mb_s(first.sample.quantile(0.05))}, p50 {mb_s(first.median)}, p95 "
            f"{mb_s(first.sample.quantile(0.95))}."
        )
    told += [
        text
        for text in (
            say_shared(study, servers), say_cold(study, limits), say_turns(study), say_periods(study), say_spread(study),
        )
        if text
    ]  # fmt: skip
    evidence += of_minutes(study)
    beside = int((study.columns["beside"] > 0).sum())
    if beside:
        told.append(f"{words.count(beside, 'run')} had another backup or restore of the server beside it.")
    if studies > STUDIES:
        told.append(f"The other {studies - STUDIES} kinds of backups stand in the tables.")
    few = all(c.n < LEAST for c in ordered)
    title = f"{study.what.capitalize()} of {words.plain(study.database)}: "
    title += (
        f"{mb_s(last.median)} to {mb_s(first.median)} by configuration"
        if len(ordered) > 1
        else mb_s(first.median)
    )
    return Finding(
        "backup.throughput",
        "info",
        title,
        " ".join(told),
        study.subject,
        {},
        tuple(evidence),
        "Repeat each configuration at least five times before comparing them." if few else "",
        0.5 if few else 0.9,
    )


def rounded(value: float) -> float:
    """Keep five significant digits."""
    return float(f"{value:.5g}")


def say_cold(study: BackupStudy, limits: Thresholds) -> str:
    """Say what idle time before a run does."""
    found = conditions.cold(study, limits.backup_cold_minutes)
    if found is None:
        return ""
    minutes = words.number(limits.backup_cold_minutes, "min")
    told = (
        f"After {minutes} or more without a backup ({words.count(found.n[1], 'cold start')}), throughput is "
    )
    if not found.level.away_from(1):
        return told + f"the same as in the {found.n[0]:,} warm runs: {change(found.level)}."
    return told + f"{change(found.level)} against the {found.n[0]:,} warm runs of the same configurations."


def _machine(server: Mapping[str, Any]) -> list[str]:
    """Name the server and its machine, as far as its start says."""
    product = [server.get(name) for name in ("product", "level", "edition", "only_version")]
    named = [words.plain(text, 60) for text in product if text]
    told = [f"SQL Server {' '.join(named)}"] if named else []
    if server.get("os"):
        told.append(words.plain(server["os"], 80))
    if server.get("processors"):
        told.append(f"{words.plain(server['processors'], 10)} logical processors")
    if server.get("memory_mb"):
        told.append(f"{words.plain(server['memory_mb'], 12)} MB of RAM")
    return told


def say_shared(study: BackupStudy, servers: Servers) -> str:
    """Say what all runs have in common: server, size, files, compression, and what runs.csv says of all."""
    told = _machine(servers.get((study.host_id or "", study.sql_instance or ""), {}))
    sizes = study.columns["bytes"]
    if not np.isnan(sizes).any() and sizes.max() < 1.01 * sizes.min():
        told.append(f"{np.median(sizes) / 2**30:,.1f} GB (of 2^30 bytes)")
    for name, noun in (("files", "data file"), ("volumes", "volume")):
        counted = study.columns[name]
        if counted[0] > 0 and (counted == counted[0]).all():
            told.append(words.count(int(counted[0]), noun))
    for name in ("compression", "checksum"):
        values = {c.factors[name] for c in study.configurations}
        if len(values) == 1 and (value := values.pop()) is not None:
            told.append(f"{name} {shown(value)}")
    told += [f"{words.plain(n, 40)} {words.plain(v, 40)}" for n, v in study.shared.items()]
    return f"The same in all runs: {words.listing(told, 15)}." if told and study.n > 1 else ""


def minutes(stretch: Stretch) -> str:
    """Word a stretch of minutes: "60 to 90 min", "480 min or more"."""
    if stretch.last is None:
        return f"{stretch.first:g} min or more"
    return f"{stretch.first:g} to {stretch.last:g} min"


def say_turns(study: BackupStudy) -> str:
    """Say after how many idle minutes runs turn slow, and how many minutes of work make them fast again."""
    told = []
    cold, warm = conditions.turns_cold(study), conditions.turns_warm(study)
    if cold is not None:
        told.append(
            f"Disks turn cold after {cold.before.seen[1]:.0f} to {cold.after.seen[0]:.0f} idle minutes: runs after "
            f"{minutes(cold.before)} (n = {cold.before.n}) reach {percent(cold.before.level.value)}, after "
            f"{minutes(cold.after)} (n = {cold.after.n}) {percent(cold.after.level.value)} against the median of their "
            "configuration."
        )
    if warm is not None:
        told.append(
            f"Disks are warm again {warm.before.seen[1]:.0f} to {warm.after.seen[0]:.0f} minutes after the first run: "
            f"what begins {minutes(warm.before)} after it (n = {warm.before.n}) reaches "
            f"{percent(warm.before.level.value)}, {minutes(warm.after)} (n = {warm.after.n}) "
            f"{percent(warm.after.level.value)}."
        )
    return " ".join(told)


def of_minutes(study: BackupStudy) -> list[Evidence]:
    """Give throughput by idle minutes before a run, and by minutes since the first run after a pause."""
    found = []
    for text, stretches in (
        ("after {} without a backup", conditions.by_idle(study)),
        ("begun {} after the first run behind a pause", conditions.by_warm_up(study)),
    ):
        if len(stretches) > 1:
            found += [
                Evidence(
                    text.format(minutes(each)), rounded(100 * each.level.value), "% of the median",
                    ", ".join(filter(None, (f"ERRORLOG, n = {each.n}", _percents(each.level)))),
                )
                for each in stretches
            ]  # fmt: skip
    return found


def _percents(level: Interval) -> str:
    if level.low is None or level.high is None:
        return ""
    return f"95 % interval {words.number(100 * level.low)} to {words.number(100 * level.high)}"


def say_periods(study: BackupStudy) -> str:
    """Say whether evenings and weekends differ, in level and in variation."""
    told = []
    for found in (conditions.evening(study), conditions.weekend(study)):
        if found is not None:
            told.append(_period(found))
    return " ".join(told)


def _period(found: Compared) -> str:
    n = f"n = {found.n[1]} against {found.n[0]}"
    level = (
        f"{change(found.level)}"
        if found.level.away_from(1)
        else f"no different level ({change(found.level)})"
    )
    if found.spread is None:
        spread = "its variation cannot be compared"
    elif found.spread.away_from(1):
        spread = f"variation {change(found.spread)}"
    else:
        spread = f"no different variation ({change(found.spread)})"
    return f"{found.second.capitalize()} against {found.first} ({n}): {level}, {spread}."


def say_spread(study: BackupStudy) -> str:
    """Say whether a value of a labelled factor goes with unusual variation."""
    told = []
    labels = [name for name in study.varying if name not in BUILT_IN]
    known = [c for c in study.real if c.n >= LEAST]
    for name in labels:
        usual = study.usual(name)
        for value in sorted({shown(c.factors.get(name)) for c in known} - {usual}):
            here = sorted(c.sample.spread for c in known if shown(c.factors.get(name)) == value)
            rest = sorted(c.sample.spread for c in known if shown(c.factors.get(name)) != value)
            if not here or len(rest) < 3:
                continue
            middle = rest[len(rest) // 2]
            spans = words.listing([f"{100 * s:.0f} %" for s in here])
            text = (
                f"With {factor_name(name)} {words.plain(value, 40)}, p95 less p5 is {spans} of the median; the other "
                f"{len(rest)} configurations have {100 * rest[0]:.0f} to {100 * rest[-1]:.0f} %, half of them at most "
                f"{100 * middle:.0f} %: "
            )
            visible = here[0] > rest[(3 * len(rest)) // 4]
            told.append(text + ("unusually high variation." if visible else "high variation is not visible."))
    return " ".join(told)

"""backup.throughput: MB/s of each configuration, and what beside it moves them."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.backup import conditions
from agtrace.diagnostics.backup.conditions import Compared
from agtrace.diagnostics.backup.studies import BUILT_IN, BackupStudy, shown
from agtrace.diagnostics.backup.wording import between, change, factor_name, mb_s
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.measure.statistics import LEAST
from agtrace.thresholds import Thresholds

STUDIES = 10
SHOWN = 30
SOURCE = "ERRORLOG, MB of 2^20 bytes"


def findings(studies: list[BackupStudy], limits: Thresholds) -> list[Finding]:
    """Give one finding for each of the studies with the most time spent in them."""
    return [_finding(study, limits, len(studies)) for study in studies[:STUDIES]]


def _finding(study: BackupStudy, limits: Thresholds, studies: int) -> Finding:
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
        text for text in (say_cold(study, limits), say_periods(study), say_spread(study)) if text
    ]
    beside = int((study.columns["beside"] > 0).sum())
    if beside:
        told.append(
            f"{words.count(beside, 'run')} had another backup or restore of the server beside it."
        )
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
    told = f"After {minutes} or more without a backup ({words.count(found.n[1], 'cold start')}), throughput is "
    if not found.level.away_from(1):
        return told + f"the same as in the {found.n[0]:,} warm runs: {change(found.level)}."
    return (
        told
        + f"{change(found.level)} against the {found.n[0]:,} warm runs of the same configurations."
    )


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
            told.append(
                text
                + ("unusually high variation." if visible else "high variation is not visible.")
            )
    return " ".join(told)

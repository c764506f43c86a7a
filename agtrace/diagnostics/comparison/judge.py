"""Verdicts on pairs of configurations: the gain of the second, its cost, and the confidence."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from statistics import fmean, median
from typing import Any

from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.diagnostics.comparison.pairs import Change, Pair
from agtrace.diagnostics.comparison.study import SAID, Study
from agtrace.history import transfers as m
from agtrace.history.transfers import GIVEN, Run
from agtrace.measure.statistics import LEAST
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import stream
from agtrace.say.finding import Finding
from agtrace.say.said import Judged

SURE = 0.9
CONFIDENCE = {1: 0.5, 2: 0.6}
"""By the number of runs of the configuration with the fewest; `SURE` if they have an interval."""
MUCH = 1.2
"""Differences from this factor on are shown as a factor, smaller ones in percent."""
CHANGES_IN_TITLE = 2

DURATION = Measure("seconds", "duration", "s", "from its first step's begin to its last step's end", "lower")
BYTES = Measure("database_bytes", "bytes of the database", "B", "brought over; never bytes on the wire")
RATE = Measure("rate", "rate", "B/s", "bytes of the database per second of the whole run", "higher")
WORK = Measure("core_s_per_gb", "processor work per GB of the database", "core-s/GB", "", "lower")

CONTRADICTION = Measure("contradiction", "contradiction", "", "figures of one run that cannot all be true")
UNSEEN = Measure("not_captured", "not captured", "", "what of its runs could not be seen")


def findings(study: Study) -> list[Finding]:
    """Return one finding per pair; of very many pairs, for those that differ most."""
    return SAID.findings(_judged(study, pair) for pair in study.clear_pairs)


def _judged(study: Study, pair: Pair) -> Judged:
    costs_more = any(c.cost == "more" for c in pair.changes if c.resource == m.CPU)
    verdict, severity = "difference", "notice"
    if pair.is_same:
        verdict, severity = "no_difference", "notice" if costs_more else "info"
    runs = sorted(pair.runs, key=lambda run: run.start)
    few, needed = min(pair.n), max(LEAST, study.limits.interval_trials)
    return Judged(
        said="compare",
        id=f"compare.{verdict}",
        severity=severity,
        subject=_subject(pair),
        window={"start": runs[0].start.isoformat(), "end": max(run.end for run in runs).isoformat()},
        evidence=tuple(_evidence(study, pair)),
        confidence=SURE if few >= needed else CONFIDENCE.get(few, CONFIDENCE[2]),
        facts={
            "pair": pair, "first": pair.first, "second": pair.second, "database": pair.first.first.database,
            "needed": needed if few < needed else 0, "faster": _faster(pair), "wire": _wire(pair),
            "cpu": _cost(pair.change(m.CPU, "source")), "changed": _changed(pair)[:CHANGES_IN_TITLE],
            "steps": [c for c in (pair.first, pair.second) if _has_steps(c)], "moved": _evened(study, pair),
            "sizes": [c.database_bytes for c in (pair.first, pair.second)], "rates": _rates(pair),
            "odd": [str(run.number) for run in pair.runs if study.contradictions[run.number]],
            "other_hosts": _hosts(pair), "overlapping": sorted(pair.overlapping or ()),
            "unseen": study.unseen(pair.runs),
        } | _resources(study, pair),
    )  # fmt: skip


def _faster(pair: Pair) -> dict[str, Any]:
    """Return how much faster or slower the second is, and by which measure."""
    value = pair.speed.value
    if pair.is_same:
        return {"by": "nothing"}
    if value > 1:
        return {"by": "times", "value": value} if value >= MUCH else {"by": "percent", "value": value - 1}
    longer = 1 / value
    return (
        {"by": "times_longer", "value": longer} if longer >= MUCH else {"by": "longer", "value": longer - 1}
    )


def _wire(pair: Pair) -> dict[str, Any] | None:
    """Return how many times more or less the second sent; None if by another method, or the same."""
    found = pair.wire_ratio
    if found is None or not pair.is_one_method:
        return None
    return {"is_more": found > 1, "times": found if found > 1 else 1 / found}


def _cost(found: Change | None) -> dict[str, Any] | None:
    """Return the CPU cost on a host: work per GB, or else utilisation."""
    if found is None:
        return None
    work = {"work": found.per_byte, "cores": (*found.cores[:1], *found.cores[-1:])}
    return work | {
        "cost": found.cost,
        "ratio": found.cost_ratio,
        "host": found.host,
        "utilisation": found.means,
    }


def _row(found: Change) -> dict[str, Any]:
    """Return the means of a resource in both, for a sentence."""
    label = m.NAMES[found.resource]
    unit = found.first[0].usage.unit.rpartition(" ")[2]
    before, after = (Measure(found.resource, label, unit)(value, "perfmon") for value in found.means)
    is_wire = found.resource in (m.SENT, m.RECEIVED)
    return {"name": label, "host": found.host, "before": before, "after": after, "is_wire": is_wire}


def _changed(pair: Pair) -> list[dict[str, Any]]:
    """Return the differences in activity of hosts, largest first."""
    changed = [c for c in pair.changes if not c.is_same]
    return [_row(c) for c in sorted(changed, key=lambda c: -max(c.ratio, 1 / c.ratio if c.ratio else inf))]


def _has_steps(c: Configuration) -> bool:
    return c.n == 1 and c.first.method != GIVEN and len(c.first.steps) > 1


def _evened(study: Study, pair: Pair) -> tuple[float, float] | None:
    """Return the transfer times if equal totals hide that data moved faster in one run."""
    first, second = (median(run.moving_seconds for run in c.runs) for c in (pair.first, pair.second))
    if not (pair.is_same and pair.is_one_method and not pair.by_rate and first and second):
        return None
    is_even = abs(first - second) < study.limits.compare_tie_share * max(first, second)
    return None if is_even else (second, first)


def _rates(pair: Pair) -> list[float]:
    """Return the database bytes per second, second run first; empty if that adds nothing."""
    if pair.is_same and not pair.by_rate:
        return []
    return [c.database_bytes / c.seconds for c in (pair.second, pair.first) if c.database_bytes]


def _hosts(pair: Pair) -> list[Run]:
    """Return one run of each if their hosts differ."""
    is_other = "hosts" in pair.differing and not pair.is_of_windows
    return [pair.first.first, pair.second.first] if is_other else []


def _resources(study: Study, pair: Pair) -> dict[str, Any]:
    # The evidence has both ends of the wire; the text needs only one.
    told = [c for c in pair.changes if c.resource not in (m.SENT, m.RECEIVED) or c is pair.wire]
    cpus = [c for c in pair.changes if c.resource == m.CPU]
    unknown = [c.host for c in cpus if len(c.cores) < len(c.first) + len(c.second)]
    return {
        "listed": [_row(c) for c in told if not c.is_same],
        "same": [_row(c) for c in told if c.is_same],
        "works": [{"host": c.host, "work": c.per_byte} for c in cpus if c.per_byte is not None],
        "unknown_cores": [] if pair.is_of_windows else unknown,
        "whole_cpu": _whole_cpu(study, pair),
        "per_byte": pair.wire.per_byte if pair.wire is not None else None,
        "streams": [r for r in pair.runs if r.compressed is not None and r.compressed.verdict is not None],
    }


def _whole_cpu(study: Study, pair: Pair) -> dict[str, Any] | None:
    """Return utilisation over the whole runs, waits included, if it differs from that of the transfer."""
    change = pair.change(m.CPU, "source")
    whole = [[m.of_run(study.uses, run, run.source, m.CPU, whole=True) for run in c.runs] for c in pair.both]
    means = [[use.usage.mean for use in uses if use] for uses in whole]
    if change is None or not all(means):
        return None
    found = [fmean(values) for values in means]
    if [round(value) for value in found] == [round(value) for value in change.means]:
        return None
    return {"host": change.host, "utilisation": found}


def _subject(pair: Pair) -> dict[str, str]:
    run, base = pair.second, pair.first
    named = {
        "database": base.first.database,
        "run": f"{run.numbers} ({run.full_name})",
        "baseline": f"{base.numbers} ({base.full_name})",
        "source": run.first.source,
        "target": run.first.target,
    }
    return {key: value for key, value in named.items() if value}


def _evidence(study: Study, pair: Pair) -> Iterator[Measured]:
    for run in pair.runs:
        yield from _of_run(run)
    what = "seconds per byte of the database" if pair.by_rate else "duration"
    speed = Measure("speed", f"{what}, {pair.first.full_name} over {pair.second.full_name}", "ratio")
    yield speed(round(pair.speed.value, 3), SAID.text("compare.interval", {"pair": pair}))
    for side in ("first", "second"):
        for change in pair.changes:
            for use in getattr(change, side):
                yield from (_of_use(use), *_of_work(use))
    for run in pair.runs:
        if (whole := m.of_run(study.uses, run, run.source, m.CPU, whole=True)) is not None:
            yield _of_use(whole)
    for run in pair.runs:
        for text in study.contradictions[run.number]:
            yield CONTRADICTION(text, "perfmon against the copy's own figures", f"run {run.number}")
    if unseen := [SAID.text("unseen.run.text", each) for each in study.unseen(pair.runs)]:
        yield UNSEEN(" ".join(unseen), "captures of the case")


def _of_run(run: Run) -> Iterator[Measured]:
    of = f"run {run.number}"
    yield DURATION(round(run.seconds, 1), run.told_by, of)
    if len(run.steps) > 1:
        for step in run.steps:
            yield DURATION.called(step.name)(round(step.seconds, 1), run.told_by, of)
    if run.database_bytes and run.bytes_per_s:
        yield BYTES(run.database_bytes, run.told_by, of)
        yield RATE(round(run.bytes_per_s), run.told_by, of)
    if run.compressed is not None:
        yield quoted(f"{of}: stream", run.compressed.verdict_name, stream.why(run.compressed))


def _of_work(use: m.Use) -> Iterator[Measured]:
    usage, spent = use.usage, use.per_byte
    if usage.resource != m.CPU or spent is None or usage.cores is None:
        return
    facts = {"usage": usage, "size": use.run.database_bytes}
    of = f"run {use.run.number}: processor work of {usage.host} per GB of the database"
    yield WORK.called(of)(round(spent, 2), SAID.text("compare.work_source", facts))


def _of_use(use: m.Use) -> Measured:
    usage = use.usage
    when = "over the whole run" if use.is_whole else "while data moved"
    measure = Measure(usage.resource, f"{m.NAMES[usage.resource]} of {usage.host}, mean {when}", usage.unit)
    source = SAID.text("compare.usage_source", {"usage": usage, "when": when})
    return measure(float(f"{usage.mean:.4g}"), source, f"run {use.run.number}")

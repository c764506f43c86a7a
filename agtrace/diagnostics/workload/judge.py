"""Judges load tests: where one configuration overtakes another, where figures disagree, where reads went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agtrace.diagnostics.workload import contradictions, curves, setup
from agtrace.diagnostics.workload import reads as r
from agtrace.diagnostics.workload.contradictions import Delivered, OfMetrics
from agtrace.diagnostics.workload.curves import Comparison
from agtrace.diagnostics.workload.names import axis_title, tool_of, users, workload_name
from agtrace.diagnostics.workload.reads import Routing
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials import Trial
from agtrace.measure.statistics import LEAST
from agtrace.measure.usage import moment
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import Finding, window
from agtrace.say.said import Judged, Said

SAID = Said(__package__ or "")

ONE_TRIAL, FEW_TRIALS, ENOUGH_TRIALS = 0.5, 0.6, 0.9
"""Confidence by the trials per point: enough are those that carry an interval."""
OF_FAILURES = 0.9
OF_ROUTING = {r.SHOWN: 0.85, r.BASIC: 0.9, r.NO_READS: 0.8, r.ONE_SIDE: 0.5, r.NO_ACTIVITY: 0.4}
MOST_BETWEEN = 6
"""Loads between two tested ones that are proposed."""

FASTER = {1: "faster", -1: "slower", 0: "same"}
DISKS = Measure("disk", "disk throughput of all hosts", "B/s", better="higher")
BATCHES = Measure("batches_per_s", "batch requests", "1/s")
DISK_READ = Measure("disk_read", "disk reads", "B/s")
FAILURES = Measure("failed", "failures", "n", better="lower")
CAPTURED = Measure("captured", "replicas captured during the tests", "n")


def findings(study: Study) -> list[Finding]:
    """Return crossovers, contradictions, where reads went, and tests that failed."""
    when = _window(study.trials)
    return SAID.findings(replace(judged, window=when) for judged in _judged(study))


def _judged(study: Study) -> Iterator[Judged]:
    if not study.trials:
        return
    yield from map(_of_comparison, study.comparisons)
    yield from (_of_metrics(each, study) for each in contradictions.of_metrics(study.comparisons))
    for comparison in study.comparisons:
        points = contradictions.of_disks(comparison, study.delivered(comparison), study.limits)
        if points:
            yield _of_disks(comparison, points, study)
    turned = contradictions.of_workloads(study.comparisons)
    if turned is not None:
        yield _of_workloads(*turned)
    by_verdict: dict[str, list[Routing]] = {}
    for each in study.routing:
        by_verdict.setdefault(each.verdict, []).append(each)
    for verdict, routings in by_verdict.items():
        yield _of_routing(verdict, routings, study)
    failed = [trial for trial in study.trials if trial.failed]
    if failed:
        yield _of_failed(failed, len(study.trials))


def _of_comparison(comparison: Comparison) -> Judged:
    """Judge where a configuration overtakes the other, or that it does not."""
    workload, signs = comparison.workload, {point.sign for point in comparison.points}
    verdict, severity = "difference", "notice"
    winner = comparison.second if 1 in signs else comparison.first
    facts: dict[str, Any] = {"at": users(workload, [point.load for point in comparison.points])}
    if comparison.crossovers:
        verdict, crossover = "crossover", comparison.crossovers[0]
        winner = comparison.second if crossover.to_second else comparison.first
        between = list(range(crossover.below + 1, crossover.above))[:MOST_BETWEEN]
        facts |= {
            "between": f"{crossover.below} and {users(workload, crossover.above)}",
            "crossing": f"{crossover.below} and {crossover.above} {axis_title(workload)}",
            "interval": crossover.interval,
            "ties": users(workload, comparison.loads(0)),
            "again": [f"{c.below} and {c.above}" for c in comparison.crossovers[1:]],
            "to_test": users(workload, between),
            "least": LEAST,
        }
    elif signs == {0}:
        verdict, severity = "no_difference", "info"
    loser = comparison.first if winner is comparison.second else comparison.second
    return Judged(
        said=f"curves.{verdict}",
        id=f"workload.{verdict}",
        severity=severity,
        subject=_subject(comparison),
        evidence=tuple(_values(comparison)),
        confidence=_confidence(comparison),
        facts=facts | _of_curve(comparison) | {"winner": winner.name, "loser": loser.name},
    )


def _of_metrics(found: OfMetrics, study: Study) -> Judged:
    """Judge that two metrics of the same trials disagree, and what the course of each run shows."""
    left, right, loads = found.left, found.right, set(found.opposite)
    own = curves.of_loads(study.courses, left, found.opposite)
    signs = [next(p.sign for p in c.points if p.load == found.opposite[0]) for c in (left, right)]
    return Judged(
        said="contradiction.of_metrics",
        id="workload.contradiction",
        severity="warning",
        subject={"workload": left.tool, "first": left.first.name, "second": left.second.name},
        evidence=(*_values(left, loads), *_values(right, loads), *map(curves.counted, own)),
        confidence=_confidence(left),
        facts={
            "left": left,
            "right": right,
            "by": [FASTER[sign] for sign in signs],
            "at": users(left.workload, list(found.opposite)),
            "is_fixed": bool(left.workload[2] and "s" in (left.metric.unit, right.metric.unit)),
            "courses": curves.course_facts(own, study.limits) if own else None,
            "undecided": users(left.workload, list(found.undecided)),
            "n": left.n,
        },
    )


def _of_disks(comparison: Comparison, points: list[Delivered], study: Study) -> Judged:
    """Judge that the slower configuration is the one whose disks deliver more."""
    loads = {point.load for point in points}
    trials = study.trials_at(comparison, loads)
    source = "perfmon disk counters of every host, mean over the test"
    rates = [
        _of(DISKS, f" {_at(comparison, point.load)}, {c.name}")(round(rate), source)
        for point in points
        for c, rate in zip(comparison.pair, (point.first, point.second), strict=True)
    ]
    return Judged(
        said="contradiction.of_disks",
        id="workload.contradiction",
        severity="warning",
        subject=_subject(comparison),
        evidence=(*rates, *_values(comparison, loads), *setup.memory_in_force(study.memory, trials)),
        confidence=_confidence(comparison),
        facts=_subject(comparison)
        | {
            "tool": comparison.tool,
            "n": comparison.n,
            "at": users(comparison.workload, [point.load for point in points]),
            "points": [{"rates": point, "at": _at(comparison, point.load)} for point in points],
            "more": max(point.amount_ratio for point in points),
            "memory": setup.told_memory(study.memory, trials),
        },
    )


def _of_workloads(gains: Comparison, loses: Comparison) -> Judged:
    """Judge that one workload gains with the load and another one loses."""
    return Judged(
        said="contradiction.of_workloads",
        id="workload.contradiction",
        severity="notice",
        subject={"first": gains.first.name, "second": gains.second.name},
        evidence=(*_values(gains), *_values(loses)),
        confidence=min(_confidence(gains), _confidence(loses)),
        facts={"gains": _of_curve(gains), "loses": _of_curve(loses), "n": gains.n},
    )


def _of_routing(verdict: str, found: list[Routing], study: Study) -> Judged:
    """Judge whether reads went where routing would send them, and what was setup."""
    tools = words.listing([tool_of(each.workload) for each in found])
    subject = {"workload": tools, "configuration": found[0].routed.name}
    if verdict == r.NO_ACTIVITY:
        return Judged(
            said="routing_not_captured",
            id="quality.not_captured",
            severity="notice",
            subject=subject,
            evidence=(CAPTURED(0, "perfmon"),),
            confidence=OF_ROUTING[verdict],
            facts={"tools": tools},
        )
    return Judged(
        said="routing",
        id="workload.routing",
        severity="info" if verdict == r.SHOWN else "warning",
        subject=subject,
        evidence=(*_shares(found), *setup.routes_configured(study.routes)),
        confidence=OF_ROUTING[verdict],
        facts={
            "verdict": verdict,
            "tools": tools,
            "secondaries": sorted({host for each in found for host in each.readers}),
            "basic": found[0].basic,
            "routes": study.routes,
            "went": [_went(each) for each in found if each.shares],
        },
    )


def _of_failed(failed: list[Trial], n: int) -> Judged:
    """Judge which trials failed in part; they are left out of the comparisons."""
    return Judged(
        said="failed",
        id="workload.failed",
        severity="warning",
        subject={"workload": words.listing(sorted({tool_of(trial.workload) for trial in failed}))},
        evidence=tuple(_of(FAILURES, f" at {users(t.workload, t.load)}")(t.failed, t.source) for t in failed),
        confidence=OF_FAILURES,
        facts={"failed": len(failed), "n": n},
    )


def _confidence(comparison: Comparison) -> float:
    """Return a comparison's confidence, by the trials per point."""
    if comparison.n >= LEAST:
        return ENOUGH_TRIALS
    return ONE_TRIAL if comparison.n == 1 else FEW_TRIALS


def _subject(comparison: Comparison) -> dict[str, str]:
    return {
        "workload": comparison.tool,
        "metric": comparison.metric.label,
        "first": comparison.first.name,
        "second": comparison.second.name,
    }


def _of_curve(comparison: Comparison) -> dict[str, Any]:
    """Return the facts of two curves, and the loads at which the second is faster, slower and the same."""
    begins, workload = comparison.points[0].sign, comparison.workload
    signs = sorted((sign for sign in (-1, 1, 0) if comparison.loads(sign)), key=lambda sign: sign != begins)
    return _subject(comparison) | {
        "workload": workload_name(workload),
        "tool": comparison.tool,
        "n": comparison.n,
        "course": [{"sign": FASTER[sign], "at": users(workload, comparison.loads(sign))} for sign in signs],
    }


def _of(measure: Measure, what: str) -> Measure:
    """Return a measure of something in particular: "failures at 4 virtual users"."""
    return measure.called(f"{measure.label}{what}")


def _at(comparison: Comparison, load: int) -> str:
    return f"at {users(comparison.workload, load)}"


def _values(comparison: Comparison, loads: set[int] | None = None) -> Iterator[Measured]:
    """Yield both values at each load, or at some."""
    for point in comparison.points:
        if loads is not None and point.load not in loads:
            continue
        for configuration, values in zip(comparison.pair, (point.first, point.second), strict=True):
            measure = _of(comparison.metric, f" {_at(comparison, point.load)}, {configuration.name}")
            yield measure(round(sum(values) / len(values), 3), f"{comparison.tool}, n = {len(values)}")


def _went(found: Routing) -> dict[str, Any]:
    """Return the share of each host, by configuration."""
    both = [configuration for configuration in (found.without, found.routed) if configuration]
    shares = {c.name: [share for share in found.shares if share.configuration == c] for c in both}
    return {
        "tool": tool_of(found.workload),
        "is_batches": found.counter == r.BATCHES,
        "shares": {name: own for name, own in shares.items() if own},
    }


def _shares(found: list[Routing]) -> Iterator[Measured]:
    for each in found:
        for share in each.shares:
            where = f"{tool_of(each.workload)}, {share.host}, {share.configuration.name}"
            source = f"perfmon of {share.host}, mean of {words.count(share.trials, 'test')}"
            if share.batches is not None:
                yield _of(BATCHES, f": {where}")(float(f"{share.batches:.4g}"), source)
            if share.disk_read is not None:
                yield _of(DISK_READ, f": {where}")(round(share.disk_read), source)
    if found[0].basic:
        yield quoted("availability group", "basic", found[0].basic)


def _window(trials: list[Trial]) -> dict[str, str | bool]:
    """Return the window of the trials with known times."""
    times = [t for trial in trials for t in (trial.start_us, trial.end_us) if t is not None]
    return window(moment(min(times)), moment(max(times))) if times else {}

"""The findings about workloads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agtrace.diagnostics.workload import memory as memories
from agtrace.diagnostics.workload import progress as courses
from agtrace.diagnostics.workload import wording as say
from agtrace.diagnostics.workload.contradictions import Delivered, OfDisks, OfMetrics, OfWorkloads
from agtrace.diagnostics.workload.curves import Comparison, tool_of
from agtrace.diagnostics.workload.memory import Memory
from agtrace.diagnostics.workload.progress import Course
from agtrace.history.trials.trial import Trial
from agtrace.measure.statistics import LEAST
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

ONE_TRIAL, FEW_TRIALS, ENOUGH_TRIALS = 0.5, 0.6, 0.9
"""Confidence by the trials per point: enough are those that carry an interval."""


def confidence(comparison: Comparison) -> float:
    """Give how sure a comparison is, by the trials per point."""
    if comparison.n >= LEAST:
        return ENOUGH_TRIALS
    return ONE_TRIAL if comparison.n == 1 else FEW_TRIALS


def claimed(comparison: Comparison) -> str:
    """Say what the trials carry."""
    if comparison.n == 1:
        return "n = 1 trial per point: no interval is claimed."
    return f"n = {comparison.n} trials per point at least."


def subject(comparison: Comparison) -> dict[str, str]:
    """Give what a comparison is about."""
    return {
        "workload": comparison.tool,
        "metric": comparison.metric.name,
        "first": say.name(comparison.first),
        "second": say.name(comparison.second),
    }


def evidence(comparison: Comparison, loads: set[int] | None = None) -> list[Evidence]:
    """Give both values at each load."""
    found = []
    for point in comparison.points:
        if loads is not None and point.load not in loads:
            continue
        load = say.users(comparison.workload, point.load)
        for configuration, values in ((comparison.first, point.first), (comparison.second, point.second)):
            label = f"{comparison.metric.name} at {load}, {say.name(configuration)}"
            value = sum(values) / len(values)
            source = f"{comparison.tool}, n = {len(values)}"
            found.append(Evidence(label, round(value, 3), comparison.metric.unit, source))
    return found


def of_comparison(comparison: Comparison, window: dict[str, str]) -> Finding:
    """Say where a configuration overtakes the other, or that it does not."""
    workload, metric = comparison.workload, comparison.metric
    first, second = say.name(comparison.first), say.name(comparison.second)
    course = say.course(comparison)
    text = f"By {metric.name}, {second} is {course}, compared with {first} ({say.workload_name(workload)})."
    common: dict[str, Any] = {
        "subject": subject(comparison),
        "window": window,
        "evidence": tuple(evidence(comparison)),
        "confidence": confidence(comparison),
    }
    if not comparison.crossovers:
        return _without_crossover(comparison, text, common)
    crossover = comparison.crossovers[0]
    between = f"{crossover.below} and {say.users(workload, crossover.above)}"
    winner = second if crossover.to_second else first
    text += f" They cross between {between}."
    if crossover.interval:
        low, high = crossover.interval
        text += f" 95 % of the resampled curves cross between {low:.1f} and {high:.1f}."
    elif comparison.n > 1:
        text += " The trials are too few, or too close together, for an interval."
    text += f" {claimed(comparison)}"
    ties = comparison.loads(0)
    if ties:
        text += f" At {say.users(workload, ties)} the difference is within what the figures can tell."
    if len(comparison.crossovers) > 1:
        more = [f"{c.below} to {c.above}" for c in comparison.crossovers[1:]]
        text += f" They cross again: {words.listing(more)}."
    inner = list(range(crossover.below + 1, crossover.above))[:6]
    between_loads = f"at {say.users(workload, inner)} and " if inner else ""
    return Finding(
        id="workload.crossover",
        severity="notice",
        title=f"{winner} is the faster one from between {crossover.below} and {crossover.above} "
        f"{say.unit(workload)} on ({comparison.tool}, {metric.name})",
        narrative=text,
        recommendation=f"Choose by the load that is expected. To narrow it down, test {between_loads}"
        f"each point at least {LEAST} times, in changing order.",
        **common,
    )


def _without_crossover(comparison: Comparison, text: str, common: dict[str, Any]) -> Finding:
    signs = {point.sign for point in comparison.points}
    workload = comparison.workload
    text = f"{text} They do not cross at the loads tested. {claimed(comparison)}"
    measured = f"({comparison.tool}, {comparison.metric.name})"
    if signs == {0}:
        title = (
            f"No difference between {say.name(comparison.first)} and {say.name(comparison.second)} {measured}"
        )
        return Finding("workload.no_difference", "info", title, text, **common)
    winner = comparison.second if 1 in signs else comparison.first
    loads = [point.load for point in comparison.points]
    title = f"{say.name(winner)} is the faster one at {say.users(workload, loads)} {measured}"
    return Finding("workload.difference", "notice", title, text, **common)


def of_metrics(found: OfMetrics, window: dict[str, str], drawn: list[Course]) -> Finding:
    """Say that two metrics of the same trials disagree, and what the course of each run shows."""
    left, right = found.left, found.right
    loads = say.users(left.workload, list(found.opposite))
    crossed = [
        f"{c.metric.name} crosses between {c.crossovers[0].below} and {c.crossovers[0].above}"
        for c in (left, right)
        if c.crossovers
    ]
    text = f"At {loads}, {say.name(left.second)} is {_word(left, found.opposite[0])} by {left.metric.name} and {_word(right, found.opposite[0])} by {right.metric.name}."
    if crossed:
        text += f" {say.capital(words.listing(crossed))}."
    if left.workload[2] and "s" in (left.metric.unit, right.metric.unit):
        text += (
            " The work is fixed, so fewer transactions per minute must take longer: both figures"
            " cannot hold for the whole run."
        )
    own = courses.of_loads(drawn, left, found.opposite)
    if own:
        text += f" {courses.say(own)}"
    if found.undecided:
        text += f" At {say.users(left.workload, list(found.undecided))} one of the two ties."
    return Finding(
        id="workload.contradiction",
        severity="warning",
        title=say.capital(f"{left.metric.name} and {right.metric.name} disagree at {loads} ({left.tool})"),
        narrative=f"{text} {claimed(left)}",
        subject={"workload": left.tool, "first": say.name(left.first), "second": say.name(left.second)},
        window=window,
        evidence=(
            *evidence(left, set(found.opposite)),
            *evidence(right, set(found.opposite)),
            *(courses.evidence(course) for course in own),
        ),
        recommendation="Repeat these loads with the timed driver (ramp-up, then a fixed time), whose NOPM is "
        "measured over the steady part alone, and log the transaction counter with timestamps.",
        confidence=confidence(left),
    )


def of_disks(found: OfDisks, window: dict[str, str], memory: Memory, trials: list[Trial]) -> Finding:
    """Say that the slower configuration is the one whose disks deliver more.

    ``trials`` are those of both configurations at these loads: what memory they had is told.
    """
    comparison, points = found.comparison, found.points
    loads = say.users(comparison.workload, [point.load for point in points])
    second = say.name(comparison.second)
    told = [_delivered(comparison, point) for point in points]
    more = max(point.amount_ratio for point in points)
    text = (
        f"{second} is slower at {loads} although the disks deliver more: {words.listing(told)}. "
        f"Rate times run time, the same queries took up to {more:.1f} times the bytes: more was read, "
        f"not read more slowly. {memories.say(memory, trials)} {claimed(comparison)}"
    )
    return Finding(
        id="workload.contradiction",
        severity="warning",
        title=f"{second} is slower at {loads} although the disks deliver more ({comparison.tool})",
        narrative=text,
        subject=subject(comparison),
        window=window,
        evidence=(
            *_rates(comparison, points),
            *evidence(comparison, {point.load for point in points}),
            *memories.evidence(memory, trials),
        ),
        recommendation="Compare pages read, read-ahead and buffer pool size per replica at these loads "
        "(Buffer Manager: Page reads/sec, Readahead pages/sec, Page life expectancy): a cache that "
        "does not hold the table on the replica that reads is the first suspect.",
        confidence=confidence(comparison),
    )


def _delivered(comparison: Comparison, point: Delivered) -> str:
    return (
        f"{words.rate(point.second)} against {words.rate(point.first)} "
        f"at {say.users(comparison.workload, point.load)}"
    )


def _rates(comparison: Comparison, points: tuple[Delivered, ...]) -> list[Evidence]:
    return [
        Evidence(
            f"disk throughput of all hosts at {say.users(comparison.workload, point.load)}, {say.name(c)}",
            round(rate),
            "B/s",
            "perfmon disk counters of every host, mean over the test",
        )
        for point in points
        for c, rate in ((comparison.first, point.first), (comparison.second, point.second))
    ]


def of_workloads(found: OfWorkloads, window: dict[str, str]) -> Finding:
    """Say that one workload gains with the load and another one loses."""
    gains, loses = found.gains, found.loses
    second = say.name(gains.second)
    text = (
        f"{gains.tool} (by {gains.metric.name}): {second} is {say.course(gains)}. "
        f"{loses.tool} (by {loses.metric.name}): it is {say.course(loses)}. The two workloads call for opposite "
        f"choices at high load, so there is no one crossover for this configuration. {claimed(gains)}"
    )
    return Finding(
        id="workload.contradiction",
        severity="notice",
        title=f"{second} gains with the load by {gains.tool} and loses by {loses.tool}",
        narrative=text,
        subject={"first": say.name(gains.first), "second": second},
        window=window,
        evidence=(*evidence(gains), *evidence(loses)),
        recommendation="Decide by the test that resembles production: the share of read-only connections, and the load.",
        confidence=min(confidence(gains), confidence(loses)),
    )


def of_failed(trials: list[Trial], window: dict[str, str]) -> list[Finding]:
    """Say which trials failed in part; they are left out of the comparisons."""
    failed = [trial for trial in trials if trial.failed]
    if not failed:
        return []
    listed = tuple(
        Evidence(
            f"failures at {say.users(trial.workload, trial.load)}",
            trial.failed,
            "n",
            words.plain(trial.source),
        )
        for trial in failed
    )
    return [
        Finding(
            id="workload.failed",
            severity="warning",
            title=f"Virtual users or queries failed in {words.count(len(failed), 'test')} of {len(trials)}",
            narrative="Work that failed was not done, so these tests are left out of every comparison.",
            subject={"workload": words.listing(sorted({tool_of(trial.workload) for trial in failed}))},
            window=window,
            evidence=listed,
            recommendation="Read the errors in the tool's output, remove their cause and repeat these tests.",
            confidence=0.9,
        )
    ]


def window_of(trials: list[Trial]) -> dict[str, str]:
    """Give the span of the trials whose times are known."""
    times = [t for trial in trials for t in (trial.start_us, trial.end_us) if t is not None]
    if not times:
        return {}
    start, end = (datetime.fromtimestamp(t / 1e6, UTC) for t in (min(times), max(times)))
    return {"start": start.isoformat(), "end": end.isoformat()}


def _word(comparison: Comparison, load: int) -> str:
    sign = next(point.sign for point in comparison.points if point.load == load)
    return {1: "faster", -1: "slower", 0: "the same"}[sign]

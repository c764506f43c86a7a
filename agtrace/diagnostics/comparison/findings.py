"""The findings about runs side by side."""

from __future__ import annotations

from statistics import fmean, median

from agtrace.diagnostics.comparison import measured as m
from agtrace.diagnostics.comparison import wording as say
from agtrace.diagnostics.comparison.compared import Pair
from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.diagnostics.comparison.study import Study
from agtrace.history.transfers.run import GIVEN, Run
from agtrace.measure.statistics import LEAST
from agtrace.say import stream, words
from agtrace.say.finding import Evidence, Finding

CONFIDENCE = {1: 0.5, 2: 0.6}
"""By the runs of the configuration with the fewest; 0.9 where they carry an interval."""


def of(study: Study) -> list[Finding]:
    """Give one finding for each pair; of very many, for those that differ most."""
    return [_finding(study, pair) for pair in study.told]


def _finding(study: Study, pair: Pair) -> Finding:
    share = study.limits.compare_resource_share
    cpus = [c for c in pair.changes if c.resource == m.CPU]
    costs_more = any(c.cost_ratio > 1 + share for c in cpus)
    kind, severity = "compare.difference", "notice"
    if pair.is_same:
        kind, severity = "compare.no_difference", "notice" if costs_more else "info"
    runs = sorted((*pair.first.runs, *pair.second.runs), key=lambda run: run.start)
    few, needed = min(pair.n), max(LEAST, study.limits.interval_trials)
    return Finding(
        id=kind,
        severity=severity,
        title=title(study, pair),
        narrative=narrative(study, pair),
        subject=_subject(study, pair),
        window={"start": runs[0].start.isoformat(), "end": max(run.end for run in runs).isoformat()},
        evidence=tuple(_evidence(study, pair)),
        recommendation=""
        if few >= needed
        else f"Repeat each at least {needed} times, in changing order, before relying on a small difference.",
        confidence=0.9 if few >= needed else CONFIDENCE.get(few, 0.6),
    )


def title(study: Study, pair: Pair) -> str:
    """Say in one line what the second brings, and at what cost."""
    share = study.limits.compare_resource_share
    if pair.first.first.method == GIVEN:
        return _of_windows(pair, share)
    told = f"{say.upper(say.named(pair.second, pair.first.first.database))} {say.speed(pair)}"
    cpu = pair.change(m.CPU, "source")
    wire = say.wire(pair, share) if pair.first.first.method == pair.second.first.method else ""
    if not pair.is_same:
        costs = [f", {say.cpu(cpu, share)}" if cpu else "", f"; {wire}" if wire else ""]
        return told + "".join(costs)
    told += f" ({say.both(pair)})"
    costs = [wire, f"CPU {say.cpu(cpu, share)}".replace("CPU at", "at") if cpu else ""]
    costs = [cost for cost in costs if cost]
    return f"{told}: {', '.join(costs)}" if costs else told


def _of_windows(pair: Pair, share: float) -> str:
    """Say in one line what differs between labelled windows: how long they are, what hosts did."""
    first, second = pair.first.full_name, say.upper(pair.second.full_name)
    if pair.is_same:
        return f"No difference between {first} and {pair.second.full_name} ({say.both(pair)})"
    changed = sorted(
        (c for c in pair.changes if not c.is_same(share)), key=lambda c: -max(c.ratio, 1 / (c.ratio or 1))
    )  # fmt: skip
    listed = [f"{say.both(pair)}"] + [say.change(c) for c in changed[:2]]
    return f"{second} differs from {first}: {', '.join(listed)}"


def narrative(study: Study, pair: Pair) -> str:
    """Tell durations, steps, rates, resources, and what does not fit or could not be seen."""
    first, second = pair.first, pair.second
    told = [
        f"{say.upper(_numbered(second))} took {words.span(second.seconds)}, "
        f"{_numbered(first)} {words.span(first.seconds)}. {say.interval(pair)}"
    ]
    steps = [text for text in (_steps(c) for c in (first, second)) if text]
    if steps:
        told.append(f"Steps: {'; '.join(steps)}.")
    told += [
        text for text in (_evened(study, pair), _sizes(pair), _hosts(pair), _resources(study, pair)) if text
    ]
    odd = [str(run.number) for run in _both(pair) if study.contradictions[run.number]]
    if odd:
        told.append(f"Figures of run {words.listing(odd)} do not fit together: the evidence says which.")
    if pair.overlapping:
        told.append(
            f"Runs {words.listing([str(n) for n in sorted(pair.overlapping)])} ran at the same time: what a host did then "
            "counts for both."
        )
    told += _unseen(study, pair)
    return " ".join(told)


def _both(pair: Pair) -> tuple[Run, ...]:
    return (*pair.first.runs, *pair.second.runs)


def _numbered(c: Configuration) -> str:
    """Name a configuration with its runs, each once."""
    runs = f"run {c.numbers}" if c.n == 1 else f"runs {c.numbers}"
    if c.qualifier.endswith(f"({runs})"):
        return c.full_name if c.n == 1 else f"{c.full_name.removesuffix(')')}, median)"
    return f"{c.full_name} ({runs}{'' if c.n == 1 else ', median'})"


def _steps(c: Configuration) -> str:
    if c.n > 1 or c.first.method == GIVEN or len(c.first.steps) < 2:
        return ""
    listed = ", ".join(f"{step.name} {words.span(step.seconds)}" for step in c.first.steps)
    return f"run {c.numbers}: {listed}"


def _evened(study: Study, pair: Pair) -> str:
    """Say when equal durations hide that data moved faster in one of the two."""
    first, second = (median(run.moving_seconds for run in c.runs) for c in (pair.first, pair.second))
    alike = pair.first.first.method == pair.second.first.method
    if not (pair.is_same and alike and not pair.by_rate and first and second):
        return ""
    if abs(first - second) < study.limits.compare_tie_share * max(first, second):
        return ""
    return (
        f"The data itself moved in {words.span(second)} against {words.span(first)}: waits and the other steps "
        "even that out."
    )


def _sizes(pair: Pair) -> str:
    sizes = [c.database_bytes for c in (pair.first, pair.second)]
    known = [size for size in sizes if size]
    if not known:
        return ""
    if len(known) < len(sizes):
        return "The size of the database is known in one of the two only: the durations compare if it was the same."
    rates = " against ".join(
        words.rate(c.database_bytes / c.seconds) for c in (pair.second, pair.first) if c.database_bytes
    )  # fmt: skip
    if pair.by_rate:
        both = " and ".join(words.size(size) for size in sizes)
        return f"The databases differ in size ({both}), so rates are compared: {rates} of the database."
    return "" if pair.is_same else f"{words.size(sizes[1])} of the database: {rates}."


def _hosts(pair: Pair) -> str:
    if "hosts" not in pair.differing or pair.first.first.method == GIVEN:
        return ""
    return (
        f"The hosts differ ({say.hosts(pair.first.first)}; {say.hosts(pair.second.first)}), and what differs "
        "between them is part of the difference."
    )


def _resources(study: Study, pair: Pair) -> str:
    share = study.limits.compare_resource_share
    # Both ends of the wire stand in the evidence; one is enough to read.
    told = [c for c in pair.changes if c.resource not in (m.SENT, m.RECEIVED) or c is pair.wire]
    listed = [say.change(c) for c in told if not c.is_same(share)]
    same = [f"{m.NAMES[c.resource]} of {c.host}" for c in told if c.is_same(share)]
    text = ""
    if listed:
        numbers = f"run {pair.first.numbers} to run {pair.second.numbers}"
        text = f"While data moved, from {numbers} (means): {words.listing(listed, 6)}."
    if same:
        text += f" Much the same: {words.listing(same, 6)}."
    text += _work(pair)
    whole = _whole_cpu(study, pair)
    if whole:
        text += f" {whole}"
    wire = pair.wire
    if wire is not None and wire.per_byte is not None:
        before, after = (f"{value:.2f}" for value in wire.per_byte)
        text += f" Per byte of the database {after} bytes went over the wire, against {before}."
    verdicts = [
        f"run {run.number} {'compressed' if run.compressed.verdict else 'not compressed'}"
        for run in _both(pair)
        if run.compressed is not None and run.compressed.verdict is not None
    ]
    if verdicts:
        text += f" Streams, judged from the wire: {words.listing(verdicts, 6)}."
    return text.strip()


def _work(pair: Pair) -> str:
    """Say how long processors worked per GB; of hosts whose cores are not known that this is unknown."""
    cpus = [c for c in pair.changes if c.resource == m.CPU]
    known = [(c, c.per_byte) for c in cpus if c.per_byte is not None]
    text = ""
    if known:
        told = [f"{c.host} {before:.1f} to {after:.1f}" for c, (before, after) in known]
        text = f" Processor work per GB of the database (utilisation x cores x seconds): {words.listing(told)} core-seconds."
    unknown = [c.host for c in cpus if len(c.cores) < len(c.first) + len(c.second)]
    if unknown and pair.first.first.method != GIVEN:
        verb = "has" if len(unknown) == 1 else "have"
        text += (
            f" How many cores {words.listing(unknown)} {verb} was not captured, so of processors utilisation is all "
            "that is said."
        )
    return text


def _whole_cpu(study: Study, pair: Pair) -> str:
    change = pair.change(m.CPU, "source")
    means = [
        [
            use.usage.mean
            for run in c.runs
            if (use := m.of_run(study.uses, run, run.source, m.CPU, whole=True)) is not None
        ]
        for c in (pair.first, pair.second)
    ]
    if change is None or not all(means):
        return ""
    before, after = (say.percent(fmean(values)) for values in means)
    if (before, after) == tuple(say.percent(mean) for mean in change.means):
        return ""
    return f"Over the whole runs, waits included: CPU of {change.host} {before[:-2]} to {after}."


def _unseen(study: Study, pair: Pair) -> list[str]:
    """Say what could not be seen, what holds for several runs once."""
    by_text: dict[str, list[str]] = {}
    for run in _both(pair):
        for text in (*run.unseen, *m.unmeasured(study.uses, run, study.limits.usage_covered_share)):
            by_text.setdefault(text, []).append(str(run.number))
    return [f"Run {words.listing(numbers)}: {text}" for text, numbers in by_text.items()]


def _subject(study: Study, pair: Pair) -> dict[str, str]:
    run, base = pair.second, pair.first
    named = {
        "database": pair.first.first.database,
        "run": _called(run),
        "baseline": _called(base),
        "source": run.first.source,
        "target": run.first.target,
    }
    return {key: value for key, value in named.items() if value}


def _called(c: Configuration) -> str:
    return f"{c.numbers} ({c.full_name})"


def _evidence(study: Study, pair: Pair) -> list[Evidence]:
    found = []
    for c in (pair.first, pair.second):
        for run in c.runs:
            found += _of_run(run)
    what = "seconds per byte of the database" if pair.by_rate else "duration"
    found.append(
        Evidence(
            f"{what}, {pair.first.full_name} over {pair.second.full_name}", round(pair.speed.value, 3), "ratio",
            say.interval(pair),
        )
    )  # fmt: skip
    for c in (pair.first, pair.second):
        for change in pair.changes:
            for use in change.first if c is pair.first else change.second:
                found += [_of_use(use), *_of_work(use)]
    for c in (pair.first, pair.second):
        for run in c.runs:
            use_ = m.of_run(study.uses, run, run.source, m.CPU, whole=True)
            if use_ is not None:
                found.append(_of_use(use_))
    for run in _both(pair):
        found += [
            Evidence(f"run {run.number}: contradiction", text, "", "perfmon against the copy's own figures")
            for text in study.contradictions[run.number]
        ]
    unseen = _unseen(study, pair)
    if unseen:
        found.append(Evidence("not captured", " ".join(unseen), "", "captures of the case"))
    return found


def _of_run(run: Run) -> list[Evidence]:
    name = f"run {run.number}"
    found = [Evidence(f"{name}: duration", round(run.seconds, 1), "s", run.told_by)]
    if len(run.steps) > 1:
        found += [
            Evidence(f"{name}: {step.name}", round(step.seconds, 1), "s", run.told_by) for step in run.steps
        ]
    if run.database_bytes and run.bytes_per_s:
        found += [
            Evidence(f"{name}: bytes of the database", run.database_bytes, "B", run.told_by),
            Evidence(f"{name}: rate", round(run.bytes_per_s), "B/s", run.told_by),
        ]
    if run.compressed is not None:
        verdict = {True: "compressed", False: "not compressed", None: "not decided"}
        shown = verdict[run.compressed.verdict]
        found.append(Evidence(f"{name}: stream", shown, "", stream.why(run.compressed)))
    return found


def _of_work(use: m.Use) -> list[Evidence]:
    usage, spent, size = use.usage, use.per_byte, use.run.database_bytes
    if usage.resource != m.CPU or spent is None or usage.cores is None:
        return []
    source = (
        f"{say.percent(usage.mean)} of {usage.cores.count} cores ({usage.cores.source}) for "
        f"{words.span(usage.seconds)}, over {words.size(size)}"
    )
    label = f"run {use.run.number}: processor work of {usage.host} per GB of the database"
    return [Evidence(label, round(spent, 2), "core-s/GB", source)]


def _of_use(use: m.Use) -> Evidence:
    usage = use.usage
    parts = ", ".join(
        f"{name} {words.number(value)}"
        for name, value in (("p5", usage.p5), ("p50", usage.p50), ("p95", usage.p95))
    )
    when = "over the whole run" if use.is_whole else "while data moved"
    source = f"perfmon of {usage.host}, {words.count(usage.n, 'sample')} {when}, {parts}"
    label = f"run {use.run.number}: {m.NAMES[usage.resource]} of {usage.host}, mean {when}"
    return Evidence(label, float(f"{usage.mean:.4g}"), usage.unit, source)

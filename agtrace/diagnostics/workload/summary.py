"""The answer in words, and what stays open."""

from __future__ import annotations

from agtrace.diagnostics.workload import wording
from agtrace.diagnostics.workload.study import Study
from agtrace.say import words
from agtrace.say.finding import Finding
from agtrace.say.words import md


def say(found: Study, findings: list[Finding]) -> str:
    """Give what was tested, then the findings, in Markdown."""
    if not found.trials:
        return "No result of a load test was captured."
    workloads = list(dict.fromkeys(trial.workload for trial in found.trials))
    names = dict.fromkeys(md(wording.name(c)) for c in found.configurations)
    per_point = {c.n for c in found.comparisons}
    parts = [
        f"**{words.count(len(found.trials), 'test')}** of {words.count(len(workloads), 'workload')} "
        f"({words.listing([md(wording.workload_name(w)) for w in workloads])}) under "
        f"{words.count(len(names), 'configuration')}: {words.listing(list(names))}."
    ]
    if per_point == {1}:
        parts[0] += " One test per point: no interval is claimed anywhere."
    parts += [f"**Writes**: {md(text, 600)}" for text in wording.builds(found.trials, found.hosts)]
    if not found.comparisons:
        parts.append(
            "No two configurations were tested at the same load, so nothing compares. Label the windows of the "
            "tests in runs&#46;csv, or put the files of each configuration into a folder of its own."
        )
    told = [f"- **{md(f.title, 300)}** ({f.severity}). {md(f.narrative, 4000)}" for f in findings]
    return "\n\n".join([*parts, "\n".join(told)] if told else parts)


def say_missing(found: Study, missing: list[str]) -> str:
    """Say what of the tests could not be seen, in Markdown; ``missing``: what it takes at all."""
    told = [md(text, 1000) for text in missing]
    untimed = [trial for trial in found.trials if trial.start_us is None or trial.end_us is None]
    if untimed:
        told.append(
            f"Of {words.count(len(untimed), 'test')} of {len(found.trials)} the time is not known, so no replica can "
            "be looked at while they ran. Let the tools write timestamps, and see that the offset from UTC of the "
            "machine that drives them is known."
        )
    blind = sum(
        not activity and trial.start_us is not None and trial.end_us is not None
        for trial, activity in zip(found.trials, found.hosts.by_trial, strict=True)
    )
    if blind:
        told.append(
            f"During {words.count(blind, 'test')} no perfmon sample lies wholly within the test: capture disk, "
            "batch and replica counters on every replica, at an interval shorter than the test."
        )
    if any(trial.assumed_clock for trial in found.trials):
        told.append(
            "The machine that drove the tests states no offset from UTC; that of every other host was taken."
        )
    return "\n".join(f"- {text}" for text in told)

"""The answer in words, and what stays open."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Finding
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.findings import unseen
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.words import md

HOW = (
    "Capture the events hadr_automatic_seeding_* and hadr_physical_seeding_* on both replicas (channel debug), the ERRORLOGs, "
    "perfmon, and exports of sys.dm_hadr_automatic_seeding and sys.dm_hadr_physical_seeding_stats."
)
_OUTCOMES = (
    ("completed", "completed"), ("already_present", "found it already present"), ("failed", "failed"),
    ("cut_off", "cut off"), ("running", "without an end in the captures"),
)  # fmt: skip


def missing(found: Study, narrowed: bool) -> list[str]:
    """Say what it takes to answer at all."""
    if found.seeded:
        return []
    where = " of that database and time" if narrowed else ""
    return [f"No capture tells of an automatic seeding{where}. {HOW}"]


def say_summary(found: Study, findings: list[Finding]) -> str:
    """Give the answer first: how long each seeding took; then one paragraph per finding."""
    if not found.seeded:
        return "No capture tells of an automatic seeding."
    lines = [f"- {md(f.title, 300)}" for f in _ordered(found, findings)]
    counts = [
        f"{n} {text}"
        for outcome, text in _OUTCOMES
        if (n := sum(s.operation.outcome == outcome for s in found.seeded))
    ]
    total = words.count(len(found.seeded), "seeding")
    opening = f"**{total}**: {words.listing(counts)}."
    told = [f"- **{md(f.title, 300)}** ({f.severity}). {md(f.narrative, 6000)}" for f in findings]
    return "\n\n".join([opening, "\n".join(lines), "\n".join(told)])


def say_timeline(found: Study) -> str:
    """Give the states of each seeding with their lengths, in Markdown."""
    told = []
    for each in found.seeded:
        states = say.phases(each.operation)
        if states:
            told.append(f"- **{each.operation.number}: {md(say.seeding(each.operation))}**, {md(states, 1000)}.")  # fmt: skip
    if told:
        return "\n".join(told)
    return (
        "The states of no seeding were captured (events hadr_automatic_seeding_state_transition)."
    )


def _ordered(found: Study, findings: list[Finding]) -> list[Finding]:
    """Give the findings that say what became of each seeding, in order of time."""
    ids = ("seeding.completed", "seeding.failed", "seeding.stalled")
    return sorted(
        (f for f in findings if f.id in ids),
        key=lambda f: (str(f.window.get("start", "")), f.id),
    )


def say_missing(found: Study, narrowed: bool) -> str:
    """Say what of the seedings could not be seen, in Markdown; "" when nothing is lacking."""
    told = [md(text, 1000) for text in missing(found, narrowed)]
    for each in found.seeded:
        lacking = [unseen(each).removeprefix("Not seen: ").rstrip("."), *_more(each)]
        lacking = [text for text in lacking if text]
        if lacking:
            told.append(md(f"{say.seeding(each.operation)}, {words.moment(each.operation.start)}: {'; '.join(lacking)}.", 1000))  # fmt: skip
    return "\n".join(f"- {text}" for text in told)


def _more(of: Seeded) -> list[str]:
    operation, lacking = of.operation, []
    if operation.outcome == "completed":
        if operation.copy_start is None or operation.copied_bytes is None:
            lacking.append("how much was copied and when")
        elif not of.rates.n:
            lacking.append(
                "the rate over time (progress reports, or Backup/Restore Throughput/sec)"
            )
        if of.compressed.verdict is None:
            lacking.append(f"compression {of.compressed.why}")
    if operation.unjoined:
        lacking.append(operation.unjoined.rstrip("."))
    if operation.time_basis and operation.time_basis != "unknown":
        lacking.append(operation.time_basis.rstrip("."))
    return lacking

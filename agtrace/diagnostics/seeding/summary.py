"""The answer in words, and what stays open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC

from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.failures import Series, alike
from agtrace.diagnostics.seeding.outcomes import unseen
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import Verdict, ordered
from agtrace.say import stream, words
from agtrace.say.words import md

_OUTCOMES = (
    ("completed", "completed"), ("already_present", "found it already present"), ("failed", "failed"),
    ("cut_off", "cut off"), ("running", "without an end in the captures"),
)  # fmt: skip


def left_out(found: Study) -> list[str]:
    """Say that none of the seedings that were captured is one asked for."""
    if found.seeded:
        return []
    names = words.listing([words.plain(name, 60) for name in found.databases])
    captured = f"; captured are those of {names}" if names else ""
    return [f"No capture tells of an automatic seeding of that database and time{captured}."]


def say_summary(found: Study, verdicts: Sequence[Verdict]) -> str:
    """Give the answer: one paragraph per seeding, what became of it and why it took so long.

    The findings themselves hold the numbers.
    """
    if not found.seeded:
        if found.databases:
            return md(left_out(found)[0], 1000)
        return "No capture tells of an automatic seeding."
    counts = [
        f"{n} {text}"
        for outcome, text in _OUTCOMES
        if (n := sum(s.operation.outcome == outcome for s in found.seeded))
    ]
    opening = f"**{words.count(len(found.seeded), 'seeding')}**: {words.listing(counts)}."
    of_number: dict[int, list[Verdict]] = defaultdict(list)
    for each in ordered(verdicts):
        of_number[each.number].append(each)
    series = {each.operation.number: group for group in alike(found) for each in group}
    told = [
        _often(series[number], of_number[number]) if number in series else _paragraph(each, of_number[number])
        for each in found.seeded
        if (number := each.operation.number) == _last(series.get(number, (each,)))
    ]
    return "\n\n".join([opening, say.bullets(told)])


def _last(group: Series) -> int:
    return group[-1].operation.number


def _tail(verdicts: Sequence[Verdict], *ids: str) -> list[str]:
    return [each.short for each in verdicts if each.finding.id in ids]


def _often(group: Series, own: Sequence[Verdict]) -> str:
    first, last = group[0].operation, group[-1].operation
    when = say.between(first.start or first.copy_start, last.end or last.start or last.copy_start)
    became = _tail(own, "seeding.failed")[0]
    return f"{md(say.pair(last))}: **{md(became, 300)}**, {when}."


def _paragraph(of: Seeded, own: Sequence[Verdict]) -> str:
    operation = of.operation
    begun = operation.start or operation.copy_start
    day = f"{begun.astimezone(UTC):%Y-%m-%d}, " if begun is not None else ""
    outcome = _tail(own, *_BECAME) or [operation.outcome]
    parts = [f"{day}{md(say.seeding(operation))}: **{md(outcome[0], 300)}**."]
    if of.rates.mean is not None and operation.copy_seconds:
        parts.append(
            f"The copy took {words.span(operation.copy_seconds)}, {words.rate(of.rates.mean)} on average."
        )
    why = [text for each in _WHERE for text in _tail(own, each)]
    parts += [md(say.sentence(text), 400) for text in (*outcome[1:], *why)]
    if operation.outcome == "completed" and of.limiter.limit is None:
        parts.append(md(f"Nothing is shown to limit it: {of.limiter.why}.", 600))
    parts += [md(say.sentence(text), 400) for text in _tail(own, "seeding.compression")]
    against = _tail(own, "seeding.contradiction")
    parts += [md(f"Figures that do not fit: {text}.", 400) for text in against]
    return " ".join(parts)


_BECAME = ("seeding.completed", "seeding.failed", "seeding.stalled", "quality.not_captured")
_WHERE = (
    "seeding.waiting_for_slot", "seeding.network_limited", "seeding.disk_limited", "quality.time_zone_unknown",
)  # fmt: skip


def say_timeline(found: Study) -> str:
    """Give the states of each seeding with their lengths, in Markdown."""
    told = []
    for each in found.seeded:
        states = say.phases(each.operation)
        if states:
            told.append(f"**{each.operation.number}: {md(say.seeding(each.operation))}**, {md(states, 1000)}.")  # fmt: skip
    if told:
        return say.bullets(told)
    return "The states of no seeding were captured (events hadr_automatic_seeding_state_transition)."


def say_missing(found: Study, missing: Sequence[str]) -> str:
    """Say what of the seedings could not be seen, in Markdown; "" when nothing is lacking.

    Parameters
    ----------
    missing
        What it takes to answer at all.
    """
    told = [md(text, 1000) for text in missing]
    for each in found.seeded:
        lacking = [unseen(each).removeprefix("Not seen: ").rstrip("."), *_more(each)]
        lacking = [text for text in lacking if text]
        if lacking:
            told.append(md(f"{say.seeding(each.operation)}, {words.moment(each.operation.start)}: {'; '.join(lacking)}.", 1000))  # fmt: skip
    return "**Not seen**\n\n" + say.bullets(told) if told else ""


def _more(of: Seeded) -> list[str]:
    operation, lacking = of.operation, []
    if operation.outcome == "completed":
        if operation.copy_start is None or operation.copied_bytes is None:
            lacking.append("how much was copied and when")
        elif not of.rates.n:
            lacking.append("the rate over time (progress reports, or Backup/Restore Throughput/sec)")
        if of.compressed.verdict is None:
            lacking.append(f"compression {stream.why(of.compressed)}")
    if operation.unjoined:
        lacking.append(operation.unjoined.rstrip("."))
    return lacking

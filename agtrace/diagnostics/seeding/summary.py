"""The answer, the states and the unknowns, as facts of the pages in said/."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from agtrace.diagnostics.seeding.outcomes import alike
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import Verdict, ordered
from agtrace.say import stream

MOST = 30
"""Most entries of a list in the text; the tables have all."""
_OUTCOMES = ("completed", "already_present", "failed", "cut_off", "running")
_BECAME = ("seeding.completed", "seeding.failed", "seeding.stalled", "quality.not_captured")
_LIMITED = ("seeding.network_limited", "seeding.disk_limited")
_WHERE = ("seeding.waiting_for_slot", *_LIMITED, "quality.time_zone_unknown")


def answer(found: Study, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return one entry per seeding with its result and main cause; the numbers are in findings."""
    of_number: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in ordered(verdicts):
        of_number[verdict.number].append(verdict)
    series = {each.operation.number: group for group in alike(found) for each in group}
    told = []
    for each in found.seeded:
        number = each.operation.number
        if number not in series or series[number][-1] is each:
            told.append(_entry(each, of_number[number], number in series))
    outcomes = [each.operation.outcome for each in found.seeded]
    counts = [(n, outcome) for outcome in _OUTCOMES if (n := outcomes.count(outcome))]
    facts = {"n": len(outcomes), "counts": counts, "databases": found.databases}
    return {**facts, "told": told, "most": MOST}


def _entry(of: Seeded, own: Sequence[Verdict], is_series: bool) -> dict[str, Any]:
    def of_id(*ids: str) -> list[Verdict]:
        return [each for each in own if each.id in ids]

    became = of_id(*_BECAME)
    return {
        "is_series": is_series,
        "became": became[:1],
        "facts": of.facts,
        "also": [*became[1:], *(each for wanted in _WHERE for each in of_id(wanted))],
        "is_open": of.operation.outcome == "completed" and of.limiter.limit is None,
        "compressed": of_id("seeding.compression"),
        "against": of_id("seeding.contradiction"),
    }


def timeline(found: Study) -> dict[str, Any]:
    """Return the seedings whose states were captured."""
    return {"told": [each.facts for each in found.seeded if each.states], "most": MOST}


def missing(found: Study, lacking: Sequence[str]) -> dict[str, Any]:
    """Return the missing captures of the seedings.

    Parameters
    ----------
    lacking
        Captures required for any answer.
    """
    every = (each.facts | _lacking(each) for each in found.seeded)
    told = [each for each in every if any(each[kind] for kind in _KINDS)]
    return {"missing": lacking, "told": told, "most": MOST}


_KINDS = ("unseen", "lacks_copy", "lacks_rate", "undecided", "unjoined")
"""Kinds of missing information on a seeding."""


def _lacking(of: Seeded) -> dict[str, Any]:
    operation = of.operation
    is_completed = operation.outcome == "completed"
    lacks_copy = is_completed and (operation.copy_start is None or operation.copied_bytes is None)
    is_open = is_completed and of.compressed.verdict is None
    return {
        "lacks_copy": lacks_copy,
        "lacks_rate": is_completed and not lacks_copy and not of.rates.n,
        "undecided": stream.why(of.compressed) if is_open else "",
        "unjoined": operation.unjoined.rstrip("."),
    }

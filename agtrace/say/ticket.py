"""A case for a ticket: the answer, the proving lines, the remedy, the captures to collect.

Markdown that can be read on its own, short enough for a customer to read to its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from agtrace.say import wording
from agtrace.say.finding import SEVERITY_ORDER, Finding
from agtrace.say.headline import headline
from agtrace.say.incident import Incident, Line
from agtrace.say.markdown import advice, begun, code, prose, text
from agtrace.say.strip import Step, Strip
from agtrace.say.summary import Summary, Watched, summary
from agtrace.say.wording import lines_of
from agtrace.say.words import words_in

MOST_WORDS = 300
DO_WORDS, WHY_WORDS, COLLECT_WORDS = 60, 45, 30
LONG = 4000
FIGURES = 5
"""Numbers that prove an answer which no chain and no story shows."""
OWN = ("health.failover", "health.no_primary")
"""Findings whose title already names their incident."""
MISSING = "quality.not_captured"
MOST_MISSING = 2


def ticket(
    name: str, findings: Sequence[Finding], strips: Sequence[Strip] = (), incident: Incident | None = None
) -> str:
    """Return a case in at most `MOST_WORDS` words of Markdown; names from captures are escaped in it.

    Parameters
    ----------
    name
        Name of the case.
    findings
        All of its findings, in any order.
    strips
        Chains of its log streams.
    incident
        The incident of the headline.
    """
    first = headline(findings)
    if first is None:
        return f"# {text(name)}: no findings\n"
    told = summary(findings, Watched())
    head = [f"# {text(wording.verdict_of(first), 300)}", "", _about(name, first)]
    head += ["", prose(_summary(told) if first.brief else told.cost, LONG)]
    do = _within(first.recommendation, DO_WORDS)
    collect = _within(_collect(first, findings, incident), COLLECT_WORDS)
    left = len(lines_of(first.recommendation)) - len(lines_of(do))
    tail = ["", *advice(do, LONG, left)] if do else []
    tail += ["", f"**Collect:** {prose(collect, LONG)}"] if collect else []
    room = MOST_WORDS - _count([*head, *tail])
    return "\n".join([*head, *_fitting(_proof(first, told.cost, strips, incident), room), *tail, ""])


def _summary(told: Summary) -> str:
    """Return the summary without the first step, which the remedy below has."""
    return told.text if told.changes else f"{told.what} {told.cost}"


def _about(name: str, first: Finding) -> str:
    window = wording.window_of(first)
    when = f", {window}" if window else ""
    return f"Case {text(name, 80)}{when}; {first.severity}, confidence {wording.confidence_of(first)}."


def _proof(first: Finding, cost: str, strips: Sequence[Strip], incident: Incident | None) -> list[str]:
    """Return the lines that prove the answer, the first ones first, except those in the summary."""
    question = first.id.partition(".")[0]
    if incident is not None and question == "health":
        which = "" if first.id in OWN else f" ({text(incident.title, 200)})"
        told = [f"**What happened{which}:** {text(incident.impact, 600)}", *map(_line, incident.lines)]
        return [*told, *([f"Not known: {text(incident.not_known, 400)}"] if incident.not_known else [])]
    why = first.narrative.removeprefix(cost).strip()
    shown = [f"**Why:** {prose(_within(why, WHY_WORDS), LONG)}"] if why else []
    if question == "transport" and (slow := _slow(first, strips)):
        shown += [_chain(slow)]
    return shown + [
        f"- {begun(each.label)}: {text(wording.value_of(each))}"
        + (f" ({text(each.source, 90)})" if each.source else "")
        for each in wording.key_figures(first, FIGURES, 0)
    ]


def _line(line: Line) -> str:
    local = f" ({line.local} there)" if line.local else ""
    host = f" {text(line.host, 60)}:" if line.host else ""
    file, number = line.place
    where = code(file, 120) if file else ""
    if number:
        where += f" line {text(number, 20)}"
    return f"- {line.utc} UTC{local}{host} {text(line.what, 300)}" + (f" ({where})" if where else "")


def _slow(first: Finding, strips: Sequence[Strip]) -> Strip | None:
    replica = first.subject.get("replica", "")
    held = [each for each in strips if any(step.is_slow for step in each.steps)]
    return next((each for each in held if each.name.endswith(f"to {replica}")), next(iter(held), None))


def _chain(strip: Strip) -> str:
    steps = (
        f"**{text(step.name)} {text(step.amount)} (held back here{_note(step, '; ')})**"
        if step.is_slow
        else f"{text(step.name)} {text(step.amount)}" + (f" ({_note(step)})" if step.note else "")
        for step in strip.steps
    )
    about = f" ({text(strip.about)})" if strip.about else ""
    return f"- {begun(strip.name)}{about}: " + " → ".join(steps)


def _note(step: Step, joint: str = "") -> str:
    return joint + text(step.note) if step.note else ""


def _collect(first: Finding, findings: Sequence[Finding], incident: Incident | None) -> str:
    """Return the captures to collect: those that the incident lacks, else those that findings report."""
    if incident is not None and first.id.partition(".")[0] == "health":
        return incident.ask
    order = SEVERITY_ORDER.index
    least = "notice" if first.id.partition(".")[0] == "health" else "info"
    lacking = sorted(
        (each for each in findings if each.id == MISSING and order(each.severity) >= order(least)),
        key=lambda each: -order(each.severity),
    )
    return " ".join(each.recommendation for each in lacking[:MOST_MISSING])


def _within(advice: str, most: int) -> str:
    """Return the first sentences or steps of a text, up to a number of words."""
    short = wording.shortened(advice, most)[0]
    return short if len(short.split()) <= most else wording.first_words(short, most)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines that fit, with lists separated from the surrounding text."""
    kept: list[str] = []
    for line in lines:
        if room < (needed := words_in(line)):
            break
        room -= needed
        if not (kept and kept[-1].startswith("- ") and line.startswith("- ")):
            kept.append("")
        kept.append(line)
    return kept


def _count(lines: Sequence[str]) -> int:
    return sum(map(words_in, lines))

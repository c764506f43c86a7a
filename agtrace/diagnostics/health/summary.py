"""The answer in words: how often the group failed over, and each time as a short story."""

from __future__ import annotations

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.failed_over import narrative, title
from agtrace.diagnostics.health.told import Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count, md

MOST = 20
"""Failovers that are told one by one; the table has all."""


def say_summary(told: Told, findings: list[Finding]) -> str:
    """Give the answer in a few lines: failovers by mode and cause, what else stands out."""
    if not told.events:
        return "Nothing that happened to a group was captured."
    groups = words.listing([md(name, 60) for name in told.groups]) or "No group is named"
    span = f"{say.moment(told.events[0]['time'])} to {say.moment(told.events[-1]['time'])}"
    head = f"**{count(len(told.failovers), 'failover')}** of {groups}, {span}."
    modes = [row["mode"] for row in told.failovers]
    by_mode = [f"{modes.count(mode)} {text}" for mode, text in _MODES.items() if mode in modes]
    parts = [head + (f" {say.sentence(words.listing(by_mode))}" if by_mode else "")]
    headlines = [f"- {md(f.title, 400)}" for f in findings if f.id in _HEADLINES]
    if headlines:
        parts.append("\n".join(headlines))
    if counted := _counted(findings):
        parts.append(f"Beside that: {words.listing(counted)}.")
    return "\n\n".join(parts)


def say_quiet(told: Told, findings: list[Finding]) -> str:
    """Say in one sentence that little happened, and what."""
    groups = words.listing([md(name, 60) for name in told.groups], 2) or "the group"
    lasted = words.span((told.events[-1]["time"] - told.events[0]["time"]).total_seconds())
    failovers = count(len(told.failovers), "failover") if told.failovers else "No failover"
    beside = [failovers, *_counted(findings)]
    return f"{words.listing(beside)} of {groups} in {lasted}."


def counted(told: Told, findings: list[Finding]) -> list[Evidence]:
    """Give how often what happened, as numbers to show first."""
    source = "timeline of the group"
    lasted = (told.events[-1]["time"] - told.events[0]["time"]).total_seconds()
    found = [Evidence("failovers", len(told.failovers), "", source)]
    for key, name in _COUNTED.items():
        n = sum(f.id == key for f in findings)
        found.append(Evidence(_PLURALS.get(name, f"{name}s"), n, "", source))
    return [*found, Evidence("time seen", lasted, "s", source)]


_PLURALS = {"host with slow input and output": "hosts with slow input and output"}


def _counted(findings: list[Finding]) -> list[str]:
    return [
        count(n, name, _PLURALS.get(name))
        for key, name in _COUNTED.items()
        if (n := sum(f.id == key for f in findings))
    ]


_MODES = {
    "automatic": "automatic",
    "planned": "planned",
    "forced": "forced",
    "open": "of a mode that is open",
}
_HEADLINES = (
    "health.no_primary", "health.two_primaries", "health.standstill", "health.flapping", "health.settings",
)  # fmt: skip
_COUNTED = {
    "health.lease": "expired lease", "health.restart": "restart", "health.disconnect": "lost connection",
    "health.long_io": "host with slow input and output",
}  # fmt: skip


def say_failovers(told: Told) -> str:
    """Tell each failover as a short story, the latest of many."""
    if not told.failovers:
        return "No failover is shown by the captures."
    shown = [row for row in told.failovers if row["end"] is not None][-MOST:]
    left = len(told.failovers) - len(shown)
    parts = [f"The {MOST} latest of {len(told.failovers)} failovers; the table has all."] if left else []  # fmt: skip
    for row in shown:
        sure = f"Confidence {row['confidence']:g}." if row["confidence"] is not None else ""
        parts.append(f"**{md(title(row), 300)}**\n\n{md(narrative(row, told), 2000)} {md(sure)}")
    return "\n\n".join(parts)


def say_missing(told: Told, captured: dict[str, set[str]]) -> str:
    """Say which kinds of captures each host lacks that would tell more."""
    wanted = {
        "SQL Server ERRORLOG": "ERRORLOG",
        "cluster log": "cluster log",
        "AlwaysOn_health": "AlwaysOn_health",
    }
    lacking = []
    for host, kinds in sorted(captured.items()):
        absent = [name for kind, name in wanted.items() if kind not in kinds]
        if absent:
            lacking.append(f"- {md(host, 60)}: {words.listing(absent)}")
    if not lacking:
        return ""
    return "Not captured, and worth having:\n\n" + "\n".join(lacking)

"""The settings.* findings: how hosts are set up that costs speed, whatever the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

from agtrace.diagnostics.overview.captured import MOST
from agtrace.diagnostics.overview.rows import DatabaseFiles, Filters, PowerPlans
from agtrace.measure.network_cards import Cards
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.said import Judged

SLOW = {
    "381b4222-f694-41f0-9685-ff5bb260df2e": "Balanced",
    "a1841308-3541-4fab-bc81-f71556f20b4a": "Power saver",
}
"""Windows power plans that slow down idle processors, by GUID."""
SLOW_NAMES = frozenset(
    (
        *("balanced", "power saver", "ausbalanciert", "energiesparmodus", "utilisation normale", "équilibré"),
        *("equilibrado", "bilanciato", "gebalanceerd", "сбалансированная", "バランス", "平衡"),
    )
)
"""Localised names of these plans, used without a GUID; other names are not judged."""


ALTITUDE = Measure("altitude", "altitude of {filter} on {volume}")
FILES = Measure("files", "files of databases on {volume}", "files")
BANDWIDTH = Measure("bandwidth_bits", "bandwidth of {card}", "bit/s")


def power_plan(looks: Iterable[PowerPlans]) -> list[Judged]:
    """Judge the hosts whose power plan slows down processors in all of their snapshots."""
    found = []
    for host, own in groupby(looks, key=attrgetter("host")):
        rows = list(own)
        if not all(_is_slow(row) for row in rows):
            continue
        plan = SLOW.get(rows[0].guid or "") or rows[0].plan
        plans = [(row.plan or SLOW.get(row.guid or "", ""), _place(row)) for row in rows[:MOST]]
        evidence = [quoted("power plan", *each) for each in plans]
        sure = 0.9 if rows[0].guid else 0.8
        found.append(
            _judged("power_plan", host, evidence, sure, plan=plan, guid=(rows[0].guid or "").lower())
        )
    return found


def _judged(name: str, host: str, evidence: list[Measured], confidence: float, **facts: Any) -> Judged:
    return Judged(
        said=f"server.{name}",
        id=f"settings.{name}",
        severity="notice",
        subject={"host": host},
        evidence=tuple(evidence),
        confidence=confidence,
        facts={"host": host, **facts},
    )


def _is_slow(row: PowerPlans) -> bool:
    guid = (row.guid or "").lower()
    if guid:
        return guid in SLOW
    return (row.plan or "").strip().lower() in SLOW_NAMES


def antivirus(filters: Iterable[Filters], drives: Iterable[DatabaseFiles]) -> list[Judged]:
    """Judge the hosts where an anti-virus filter watches a drive with database files."""
    used = {(row.host, row.volume): row for row in drives}
    met = [row for row in filters if (row.host, row.volume) in used]
    found = []
    for host, own in groupby(met, key=attrgetter("host")):
        rows = list(own)
        volumes = list(dict.fromkeys(row.volume for row in rows))
        files = [used[host, volume] for volume in volumes]
        watched = [
            ALTITUDE.about(filter=row.filter, volume=row.volume)(row.altitude, _place(row))
            for row in rows[:MOST]
        ]
        held = [FILES.about(volume=row.volume)(row.files, _place(row)) for row in files[:MOST]]
        facts = {"volumes": volumes, "files": sum(row.files for row in files)}
        names = list(dict.fromkeys(row.filter for row in rows))
        found.append(_judged("antivirus", host, watched + held, 0.7, filters=names, **facts))
    return found


def teamed_cards(cards_of: Mapping[str, Cards]) -> list[Judged]:
    """Judge the hosts with teamed network cards: one connection uses a single card."""
    found = []
    for host, cards in cards_of.items():
        if not cards.teams:
            continue
        others = [card for card in cards.others if card.moved]
        evidence = []
        for card in (*cards.teams, *others)[:MOST]:
            bits = None if card.bandwidth is None else card.bandwidth * 8
            evidence.append(BANDWIDTH.about(card=card.name)(bits, card.path))
        of_team, of_one = (
            max((card.bandwidth for card in some if card.bandwidth), default=None)
            for some in (cards.teams, others)
        )
        facts = {"team": cards.teams[0].name, "of_team": of_team, "of_one": of_one}
        found.append(_judged("teamed_cards", host, evidence, 0.8, **facts))
    return found


def _place(row: DatabaseFiles | Filters | PowerPlans) -> str:
    return row.path if row.line is None else f"{row.path} line {row.line}"

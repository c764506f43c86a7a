"""The settings.* findings: how hosts are set up that costs speed, whatever the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agtrace.diagnostics.overview.evidence import MOST, Rows, by_host
from agtrace.measure.network_cards import Cards
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

FAST = {
    "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c": "High performance",
    "e9a42b02-d5df-448d-aa00-03f14749eb61": "Ultimate Performance",
}
"""Plans that keep the processors at full speed, by GUID: the same in every language."""
SLOW = {
    "381b4222-f694-41f0-9685-ff5bb260df2e": "Balanced",
    "a1841308-3541-4fab-bc81-f71556f20b4a": "Power saver",
}
"""Plans of Windows that slow processors down while they have little to do, by GUID."""
SLOW_NAMES = frozenset(
    {
        "balanced", "power saver", "ausbalanciert", "energiesparmodus", "utilisation normale",
        "équilibré", "equilibrado", "bilanciato", "gebalanceerd", "сбалансированная", "バランス", "平衡",
    }
)  # fmt: skip
"""What these are called where no GUID is written; of a name that is not here nothing is said."""


def power_plan(looks: Rows) -> list[Finding]:
    """Name the hosts whose power plan slows processors down; none of which another look says otherwise."""
    found = []
    for host, rows in by_host(looks).items():
        if not all(_is_slow(row) for row in rows):
            continue
        first = rows[0]
        name = SLOW.get(first["guid"] or "") or words.plain(first["plan"], 60)
        found.append(
            Finding(
                id="settings.power_plan",
                severity="notice",
                title=f"{host} runs with the power plan {name}",
                narrative=(
                    f"With {name} Windows lowers the clock of processors that have little to do, and raises it with "
                    "a delay. What one thread does at a time takes longer: capturing and hardening log, redo, a "
                    "commit. Firmware or the hypervisor may overrule the plan; `% Processor Performance` of "
                    "Processor Information shows what the processors really ran at."
                ),
                subject={"host": host},
                evidence=tuple(
                    Evidence("power plan", words.plain(row["plan"] or SLOW.get(row["guid"], "")), "", _place(row))
                    for row in rows[:MOST]
                ),
                recommendation=(
                    "Set High performance (`powercfg /setactive 8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c`), and the same "
                    "in the firmware or the hypervisor."
                ),
                confidence=0.9 if first["guid"] else 0.8,
            )
        )  # fmt: skip
    return found


def _is_slow(row: dict[str, Any]) -> bool:
    guid = (row["guid"] or "").lower()
    if guid:
        return guid in SLOW
    return (row["plan"] or "").strip().lower() in SLOW_NAMES


def antivirus(filters: Rows, drives: Rows) -> list[Finding]:
    """Name the hosts where an anti-virus filter watches a drive on which files of databases lie.

    Parameters
    ----------
    filters
        Rows of filters.sql.
    drives
        Rows of database_files.sql.
    """
    used = {(row["host"], row["volume"]): row for row in drives}
    met = [row for row in filters if (row["host"], row["volume"]) in used]
    found = []
    for host, rows in by_host(met).items():
        names = words.listing(list(dict.fromkeys(words.plain(r["filter"], 60) for r in rows)))
        volumes = list(dict.fromkeys(row["volume"] for row in rows))
        files = [used[host, volume] for volume in volumes]
        n = sum(row["files"] for row in files)
        found.append(
            Finding(
                id="settings.antivirus",
                severity="notice",
                title=f"An anti-virus filter watches {words.listing(volumes, 8)} of {host}, where databases lie",
                narrative=(
                    f"{names} is attached to {words.listing(volumes, 8)}; by the drive of their paths "
                    f"{words.count(n, 'file')} of databases lie there. Every opening of a file, and what the product "
                    "chooses to scan, passes through it. Whether these files are excluded the captures do not tell, "
                    "nor whether a drive is mounted below another one."
                ),
                subject={"host": host},
                evidence=(
                    *(
                        Evidence(f"altitude of {words.plain(r['filter'], 60)} on {r['volume']}", r["altitude"], "", _place(r))
                        for r in rows[:MOST]
                    ),
                    *(
                        Evidence(f"files of databases on {r['volume']}", r["files"], "files", _place(r))
                        for r in files[:MOST]
                    ),
                ),
                recommendation=(
                    "Check that the product excludes data, log and backup files and the process sqlservr.exe on every "
                    "replica."
                ),
                confidence=0.7,
            )
        )  # fmt: skip
    return found


def teamed_cards(cards_of: Mapping[str, Cards]) -> list[Finding]:
    """Name the hosts whose network cards are a team: one connection has one card of it."""
    found = []
    for host, cards in cards_of.items():
        if not cards.teams:
            continue
        others = [card for card in cards.others if card.moved]
        offered = [card.bandwidth for card in cards.teams if card.bandwidth]
        of_team = f" of {words.bits(max(offered))}" if offered else ""
        single = [card.bandwidth for card in others if card.bandwidth]
        one = f"; the cards beside it have up to {words.bits(max(single))} each" if single else ""
        found.append(
            Finding(
                id="settings.teamed_cards",
                severity="notice",
                title=f"The network cards of {host} are a team",
                narrative=(
                    f"{words.plain(cards.teams[0].name, 80)} is a team{of_team}{one}. A team spreads connections over its "
                    "cards, not the bytes of one: the log of a replica travels in one connection, a seeding in "
                    "another, and each has at most what one card can carry."
                ),
                subject={"host": host},
                evidence=tuple(
                    Evidence(
                        f"bandwidth of {words.plain(card.name, 80)}",
                        None if card.bandwidth is None else card.bandwidth * 8,
                        "bit/s",
                        words.plain(card.path, 120),
                    )
                    for card in (*cards.teams, *others)[:MOST]
                ),
                recommendation=(
                    "Compare what a replica gets with one card of the team, not with the team; a faster card serves it "
                    "better than one more."
                ),
                confidence=0.8,
            )
        )  # fmt: skip
    return found


def _place(row: dict[str, Any]) -> str:
    line = "" if row["line"] is None else f" line {row['line']}"
    return f"{words.plain(row['path'], 120)}{line}"

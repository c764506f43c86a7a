"""health.settings: timeouts, modes and votes that will hurt at the next failover."""

from __future__ import annotations

from collections import defaultdict

from agtrace.diagnostics.health import timeouts
from agtrace.diagnostics.health.timeouts import place
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

AUTOMATIC = "AUTOMATIC"


def findings(told: Told, settings: list[Row], groups: list[Row], replicas: list[Row]) -> list[Finding]:  # fmt: skip
    """Give what is set so that the next failover will fail, or will come without need."""
    return [
        *timeouts.findings(told, settings, groups, replicas),
        *_votes(told, settings),
        *_no_target(told, replicas),
    ]


def _votes(told: Told, settings: list[Row]) -> list[Finding]:
    """Say where the votes are even in number, and no witness breaks the tie."""
    votes = [row for row in settings if row["setting"] == "quorum_votes" and row["scope"] == "member"]
    kind = next((row for row in settings if row["setting"] == "quorum_type"), None)
    if (
        kind is None
        or not kind["value"]
        or "WITNESS" in kind["value"].upper()
        or "SHARE" in kind["value"].upper()
    ):
        return []
    total = sum(int(row["value"]) for row in votes if row["value"].isdigit())
    if not votes or total % 2:
        return []
    return [
        Finding(
            "health.settings",
            "notice",
            f"The cluster has {total} votes and no witness",
            f"{len(votes)} nodes have {total} votes together, and the quorum ({words.plain(kind['value'], 60)}) has no "
            "witness: when the nodes cannot see each other, neither half has a majority of the votes.",
            subject={"host": kind["host_id"] or ""},
            evidence=(
                Evidence("votes", total, "votes", place(told, votes[0])),
                Evidence("quorum_type", words.plain(kind["value"], 60), "", place(told, kind)),
            ),
            recommendation="Add a witness (file share, cloud or disk).",
            confidence=0.8,
        )
    ]


def _no_target(told: Told, replicas: list[Row]) -> list[Finding]:
    """Say which groups have no replica that would take over by itself."""
    of_group: dict[str, list[Row]] = defaultdict(list)
    for row in replicas:
        of_group[row["ag"]].append(row)
    found = []
    for group, rows in sorted(of_group.items()):
        ready = [row for row in rows if row["failover_mode"] == AUTOMATIC]
        modes = [row["failover_mode"] for row in rows]
        if len(rows) < 2 or None in modes or len(ready) >= 2:
            continue
        name = words.plain(group, 60)
        listed = words.listing(
            [f"{words.plain(r['replica'], 60)} {words.plain(r['failover_mode'], 20)}" for r in rows]
        )
        found.append(
            Finding(
                "health.settings",
                "notice",
                f"{name} will not fail over by itself",
                f"{len(ready)} of {len(rows)} replicas of {name} have the failover mode AUTOMATIC ({listed}); it takes the "
                "primary and one synchronous secondary with that mode.",
                subject={"ag": group},
                evidence=tuple(
                    Evidence(f"failover mode of {words.plain(row['replica'], 60)}", row["failover_mode"], "", place(told, row))
                    for row in rows
                ),
                recommendation="Set FAILOVER_MODE = AUTOMATIC for the primary and a synchronous secondary, if that is what is "
                "wanted.",
                confidence=0.9,
            )
        )  # fmt: skip
    return found

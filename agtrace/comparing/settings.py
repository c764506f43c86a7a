"""How servers, groups and the cluster were set, side by side."""

from __future__ import annotations

from agtrace.comparing.rows import CHANGED, OPEN, SAME, Row
from agtrace.comparing.sides import Pairing, Side, records

Key = tuple[str, str]
Value = tuple[str, str]

APART = "\x1f"
"""Separator between the group and the replica of a setting."""
CLUSTER = "cluster"


def of_settings(before: Side, after: Side, pairing: Pairing) -> list[Row]:
    """Compare the settings known in both cases; a setting known in only one is not a difference."""
    sides = [_settings(side, pairing, place) for place, side in enumerate((before, after))]
    rows = []
    for key in sorted({*sides[0], *sides[1]}):
        values = [side.get(key) for side in sides]
        texts = [None if value is None else value[0] for value in values]
        unit = next(value[1] for value in values if value is not None)
        lacking = before.name if values[0] is None else after.name if values[1] is None else ""
        verdict = OPEN if lacking else SAME if texts[0] == texts[1] else CHANGED
        why = f"not captured in {lacking}" if lacking else ""
        rows.append(
            Row(key[0], key[1], texts[0], texts[1], unit=unit, verdict=verdict, why=why, key="setting")
        )
    return rows


def _settings(side: Side, pairing: Pairing, place: int) -> dict[Key, Value]:
    return {
        (_about(row["kind"], row["item"], pairing, place), row["setting"]): (
            # A text without a time does not show which of them came first.
            (", then " if row["is_in_order"] else " and ").join(row["values"]),
            row["unit"] or "",
        )
        for row in records(side, "settings.sql")
    }


def _about(kind: str, item: str, pairing: Pairing, place: int) -> str:
    if kind == "host":
        return pairing.host(item, place)
    if kind == "cluster":
        return CLUSTER
    if kind in ("ag", "replica"):
        ag, _, replica = item.partition(APART)
        host = replica.partition("\\")[0]
        named = [pairing.group(ag, place), pairing.host(host, place) if host else ""]
        return ", ".join(filter(None, named)) or "groups"
    return pairing.group(item, place) if kind == "group" else item

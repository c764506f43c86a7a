"""Choice of the series that represent a resource: processors, disks, teamed cards and databases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from agtrace.measure.counters import TOTAL
from agtrace.measure.resources import BANDWIDTH, BY_DATABASE, FULL_CARD, LATENCY_OF, NETWORK

TEAM = "multiplexor"
"""Part of the name of a team's own card; the cards of the team count the same bytes again."""

Means = dict[str, tuple[int, dict[str, float]]]
"""Mean of each instance by resource, with the rank of its counter."""
Picked = tuple[list[tuple[str, str, float]], str, float | None]


def pick(resource: str, first: Means, database: str | None, carrying: float) -> Picked:
    """Return the chosen (counted resource, instance, scale), with display name and capacity.

    ``carrying``: a card or disk with less than this share of the busiest one's bytes counts as idle.
    """
    if resource in FULL_CARD:
        return _busiest_card(first, FULL_CARD[resource], carrying)
    if resource not in first:
        return [], "", None
    values = first[resource][1]
    if resource in NETWORK:
        return _cards(resource, values, first.get(BANDWIDTH, (0, {}))[1], carrying)
    if resource == "sql_cpu":
        values = {name: v for name, v in values.items() if name.lower().startswith("sqlservr")}
    elif resource in BY_DATABASE:
        values = _of_database(values, database)
    elif resource == "cpu":
        names = _processors(list(values))
        return [(resource, name, 1 / len(names)) for name in names], TOTAL, 100.0
    elif resource in LATENCY_OF:
        moved = first.get(LATENCY_OF[resource], (0, {}))[1]
        parts = _parts(values)
        busiest = max(parts, key=lambda name: (moved.get(name, 0.0), parts[name]))
        return [(resource, busiest, 1.0)], busiest, None
    elif resource == "disk_busy":
        parts = _working_disks(first, _parts(values), carrying)
        busiest = max(parts, key=lambda name: parts[name])
        return [(resource, busiest, 1.0)], busiest, 100.0
    parts = _parts(values)
    return [(resource, name, 1.0) for name in parts], _name(list(parts), "instance"), None


def working_teams(moved: Mapping[str, float | None]) -> list[str]:
    """Return the teams' own cards, which alone count unless known to carry no traffic.

    Parameters
    ----------
    moved
        Bytes by card; None if not captured.
    """
    return [name for name, value in moved.items() if TEAM in name.lower() and value != 0]


def _processors(names: list[str]) -> list[str]:
    """Return the instances for all processors: their mean, else those of the NUMA nodes, else each."""
    nodes = [name for name in names if name.endswith("," + TOTAL)]
    return [TOTAL] if TOTAL in names else nodes or names


def _parts(values: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in values.items() if name != TOTAL} or values


def _working_disks(first: Means, parts: dict[str, float], carrying: float) -> dict[str, float]:
    """Return the disks without those that are busy with hardly any bytes: they do not limit a copy."""
    moved: dict[str, float] = defaultdict(float)
    for resource in ("disk_read", "disk_written"):
        for name, value in first.get(resource, (0, {}))[1].items():
            moved[name] += value
    most = max((moved[name] for name in parts), default=0.0)
    working = {n: busy for n, busy in parts.items() if moved[n] >= carrying * most}
    return working or parts


def _of_database(values: dict[str, float], database: str | None) -> dict[str, float]:
    """Return the database's own series if it has values above zero, else those of the whole instance."""
    own = {n: v for n, v in values.items() if database and n.lower() == database.lower()}
    if any(own.values()):
        return own
    whole = {name: value for name, value in values.items() if name == TOTAL}
    return whole if any(whole.values()) else own or whole or _parts(values)


def _carrying(values: dict[str, float], carrying: float) -> list[str]:
    parts = _parts(values)
    teams = working_teams(parts)
    parts = {name: parts[name] for name in teams} or parts
    most = max(parts.values())
    return [name for name, value in parts.items() if value >= carrying * most]


def _cards(resource: str, values: dict[str, float], bandwidth: dict[str, float], carrying: float) -> Picked:
    names = _carrying(values, carrying)
    known = [bandwidth.get(name) for name in names]
    capacity = sum(b for b in known if b) if all(known) else None
    return [(resource, name, 1.0) for name in names], _name(names, "card"), capacity


def _busiest_card(first: Means, direction: str, carrying: float) -> Picked:
    bandwidth = first.get(BANDWIDTH, (0, {}))[1]
    moved = first.get(direction, (0, {}))[1]
    cards = _carrying(moved, carrying) if moved else []
    shares = [(moved[name] / bandwidth[name], name) for name in cards if bandwidth.get(name)]
    if not shares:
        return [], "", None
    _share, name = max(shares)
    return [(direction, name, 100 / bandwidth[name])], name, 100.0


def _name(instances: list[str], noun: str) -> str:
    return instances[0] if len(instances) == 1 else f"{len(instances)} {noun}s"

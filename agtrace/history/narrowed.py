"""The relations of events in a part of a case: cut from those of the whole.

Rows are computed from the whole case before they are cut: a backup that started before the window keeps its
start, and a role assumed long before still holds.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from agtrace.history.offering import offer_views
from agtrace.store import CaseView
from agtrace.store.part import Part
from agtrace.tables.history import RELATIONS

CONFIGURED = frozenset(
    (
        "ag_names",
        "cluster_settings",
        "databases",
        "group_options",
        "groups",
        "instance_nodes",
        "listeners",
        "replicas",
        "routing",
        "rowsets",
        "topology",
    )
)
"""Relations of configuration, valid at any time of the case."""


def offer_part(view: CaseView, whole: CaseView, part: Part) -> None:
    """Make each relation of the whole case available in a part of it.

    Parameters
    ----------
    view
        The tables of the part.
    whole
        The tables of the whole case; not closed here.
    """
    for name in RELATIONS:
        view.offer((name,), partial(_cut, whole, name, part))
    offer_views(view)


def _cut(whole: CaseView, name: str, part: Part) -> dict[str, pa.Table]:
    columns = RELATIONS[name].names
    condition = part.of_hosts(columns) if name in CONFIGURED else part.rows(columns)
    told = f"* REPLACE ({', '.join(_watched(part))})" if name == "coverage" and _watched(part) else "*"
    rows = whole.table(f'SELECT {told} FROM "{name}" WHERE {condition or "true"}')
    return {name: rows.cast(RELATIONS[name])}


def _watched(part: Part) -> list[str]:
    """Clip coverage to the window: nothing outside counts as watched."""
    found = []
    for name, bound, pick in (("first", part.window.start, "greatest"), ("last", part.window.end, "least")):
        if bound is not None:
            limit = f"TIMESTAMPTZ '{bound.isoformat(sep=' ')}'"
            # Both are NULL if UTC is unknown.
            found += [
                f"CASE WHEN {name} IS NOT NULL THEN {pick}({name}, {limit}) END AS {name}",
                f"{name}_local + ({pick}({name}, {limit}) - {name}) AS {name}_local",
            ]
    return found

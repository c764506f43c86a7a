"""The relations of what happened, of a part of a case: cut from those of the whole.

What is cut is judged by what was known of all of it: a backup that began before the window has its own begin,
and a role that was taken long before still holds.
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
"""Relations of what was configured, which holds whenever somebody looked."""


def offer_part(view: CaseView, whole: CaseView, part: Part) -> None:
    """Offer in a part of a case each relation that the whole has.

    Parameters
    ----------
    view
        The tables of the part.
    whole
        Those of the case that it is a part of; it stays open.
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
    """End coverage where the window ends: nothing beyond it is seen."""
    found = []
    for name, bound, pick in (("first", part.window.start, "greatest"), ("last", part.window.end, "least")):
        if bound is not None:
            limit = f"TIMESTAMPTZ '{bound.isoformat(sep=' ')}'"
            # Both are NULL where UTC is not known.
            found += [
                f"CASE WHEN {name} IS NOT NULL THEN {pick}({name}, {limit}) END AS {name}",
                f"{name}_local + ({pick}({name}, {limit}) - {name}) AS {name}_local",
            ]
    return found

"""Who was primary, and when: one row per stretch in which a replica of a group had a role."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.measure.grid import load_all
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.tables.history import ROLES


def make(view: View) -> dict[str, pa.Table]:
    """Tell the roles of every replica that left counters or messages."""
    from agtrace import thresholds
    from agtrace.history.roles import cast
    from agtrace.history.roles.collect import roles
    from agtrace.history.roles.groups import groups
    from agtrace.history.roles.logged import replicas

    sql = Path(__file__).with_name("messages.sql").read_text(encoding="utf-8")
    events = view.table(sql).to_pylist()
    captured = groups(load_all(view), HostNames(view.table(HOSTS).to_pylist()))
    present = [(group, node) for group in captured for node in group.nodes]
    present += replicas(events, captured)
    samples = thresholds.of(view).role_samples
    rows = [
        row
        for group, node in present
        for row in cast.rows(group, node, roles(group, node, events, samples))
    ]
    return {"roles": pa.Table.from_pylist(rows, schema=ROLES)}


MAKER = Maker(("roles",), make)

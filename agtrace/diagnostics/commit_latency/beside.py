"""Resources that were busy during slow commits, and during other commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import pyarrow as pa

from agtrace.diagnostics.commit_latency.measured import Link
from agtrace.history import View
from agtrace.measure import usage
from agtrace.measure.usage import Window
from agtrace.store import sql_files
from agtrace.thresholds import Thresholds

AROUND = timedelta(minutes=1)
"""A sample covers the time before it: samples up to this long after the last commit count."""
MB = 2**20
RESOURCES = {
    "disk_write_ms": ("disk write", 1.0),
    "disk_read_ms": ("disk read", 1.0),
    "cpu": ("processors", 1.0),
    "recovery_queue": ("recovery queue", 1 / MB),
}
"""Name of each resource here, and the factor to its unit."""


@dataclass(frozen=True)
class BusyKind:
    """A kind of busy resource.

    Parameters
    ----------
    least
        Name of the threshold: from this value at slow commits on, they have the resource in common.
    is_gate
        Whether events measure it, commit by commit.
    """

    unit: str
    least: str
    is_gate: bool = False


KINDS = {
    "disk write": BusyKind("ms", "commit_busy_disk_ms"),
    "disk read": BusyKind("ms", "commit_busy_disk_ms"),
    "processors": BusyKind("%", "commit_busy_processor_percent"),
    "recovery queue": BusyKind("MB", "commit_busy_queue_mb"),
    "flow control": BusyKind("%", "commit_busy_gate_percent"),
    "send gate": BusyKind("%", "commit_busy_gate_percent", is_gate=True),
    "database gate": BusyKind("%", "commit_busy_gate_percent", is_gate=True),
}
"""By name in the queries."""

_sql = sql_files.beside(__file__)


@dataclass(frozen=True)
class Beside:
    """A series of a host during the slowest 1 % of the commits, and during the others.

    Parameters
    ----------
    n, others
        Slow commits and others covered by samples.
    samples
        Samples in which slow commits lie; of gates the slow commits that met a closed one.
    slow, usual
        Median of each; of gates the share of commits that met a closed one. None without a commit.
    """

    host: str
    what: str
    n: int
    others: int
    samples: int
    slow: float | None
    usual: float | None

    @property
    def kind(self) -> BusyKind:
        return KINDS[self.what]

    def is_told(self, limits: Thresholds) -> bool:
        """Return whether slow commits have it in common: high at their times, and not at others'."""
        if self.slow is None or self.usual is None:
            return False
        if self.n < limits.min_samples or self.samples < limits.commit_busy_samples:
            return False
        least = getattr(limits, self.kind.least)
        return self.slow >= least and self.slow >= limits.commit_busy_ratio * self.usual


def samples(view: View, links: Sequence[Link]) -> pa.Table:
    """Return the activity of both hosts of each link over its time: link, host, what, time, value."""
    windows = [
        Window(number, link.start - AROUND, link.end + AROUND, link.row.database)
        for number, link in enumerate(links)
    ]
    hosts = _hosts(links)
    gates = {
        **{name: hosts[name] for name in ("links", "primaries")},
        "instances": [f"{link.ag}:{link.replica}".upper() for link in links],
        "starts": [window.start for window in windows],
        "ends": [window.end for window in windows],
    }
    resources = {
        "numbers": [window.number for window in windows],
        "resources": list(RESOURCES),
        "names": [name for name, _factor in RESOURCES.values()],
        "factors": [factor for _name, factor in RESOURCES.values()],
    }
    series = usage.series(view, windows, tuple(RESOURCES))
    busy = view.table(_sql("hosts.sql"), hosts | resources, {"usage_series": series})
    return pa.concat_tables([view.table(_sql("flow_control.sql"), gates), busy])


def beside(view: View, links: Sequence[Link], sampled: pa.Table) -> dict[str, list[Beside]]:
    """Compare the moments of slow commits with those of the others, by link.

    ``sampled`` is the result of `samples` for these links.
    """
    found: dict[str, list[Beside]] = {}
    rows = view.rows(_sql("beside.sql"), _hosts(links), {"commit_samples": sampled}) if len(sampled) else []
    gates = view.rows(_sql("gates.sql")) if view.has_rows("flow_control") else []
    for row in (*rows, *gates):
        found.setdefault(row.pop("link"), []).append(Beside(**row))
    return found


def _hosts(links: Sequence[Link]) -> dict[str, list[str | None]]:
    return {
        "links": [link.key for link in links],
        "primaries": [link.row.primary_host for link in links],
        "replicas": [link.row.replica_host for link in links],
    }

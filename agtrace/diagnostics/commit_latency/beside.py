"""What was busy while slow commits were on their way: disks, processors, redo, flow control, beside the other commits' moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agtrace.diagnostics.commit_latency.measured import Link
from agtrace.history import View
from agtrace.measure import usage
from agtrace.measure.usage import Window
from agtrace.tables.rows import rows_of
from agtrace.thresholds import Thresholds

AROUND = timedelta(minutes=1)
"""A sample speaks of the time before it: those of so long after the last commit count."""
LEAST_SAMPLES = 3
"""Slow commits that lie in fewer samples of a counter say nothing of it: anything else may have been high then."""
MB = 2**20
RESOURCES = {
    "disk_write_ms": ("disk write", 1.0), "disk_read_ms": ("disk read", 1.0), "cpu": ("processors", 1.0),
    "recovery_queue": ("recovery queue", 1 / MB),
}  # fmt: skip
"""Of each resource its name here, and the factor to its unit."""
FLOW_CONTROL = "flow control"
UNITS = {
    "disk write": "ms", "disk read": "ms", "processors": "%", "recovery queue": "MB", FLOW_CONTROL: "%",
    "send gate": "%", "database gate": "%",
}  # fmt: skip
GATES = {
    "gates_of_replicas.sql": (
        "hadr_transport_flow_control_action",
        ("control_action", "target_availability_replica_id"),
    ),
    "gates_of_databases.sql": (
        "hadr_database_flow_control_action",
        ("control_action", "database_replica_id"),
    ),
}


@dataclass(frozen=True)
class Beside:
    """A series of a host while the slowest 1 % of the commits were on their way, and while the others were.

    Parameters
    ----------
    n, others
        Slow commits and others that samples speak of.
    samples
        Samples in which slow commits lie; of gates the slow commits that met a closed one.
    slow, usual
        The value in the middle of each; of gates the share of commits that met a closed one. None without a commit.
    """

    host: str
    what: str
    n: int
    others: int
    samples: int
    slow: float | None
    usual: float | None

    @property
    def unit(self) -> str:
        return UNITS[self.what]

    @property
    def is_gate(self) -> bool:
        """Whether events tell it, commit by commit."""
        return self.what in ("send gate", "database gate")

    def is_told(self, limits: Thresholds) -> bool:
        """Tell whether slow commits have it in common: it is high at their moments, and not at the others'."""
        if self.slow is None or self.usual is None:
            return False
        if self.n < limits.min_samples or self.samples < LEAST_SAMPLES:
            return False
        least = {
            "disk write": limits.commit_busy_disk_ms, "disk read": limits.commit_busy_disk_ms,
            "processors": limits.commit_busy_processor_percent, "recovery queue": limits.commit_busy_queue_mb,
        }.get(self.what, limits.commit_busy_gate_percent)  # fmt: skip
        return self.slow >= least and self.slow >= limits.commit_busy_ratio * self.usual


Series = dict[str, list[Any]]


def series(view: View, sql: Callable[[str], str], links: Sequence[Link]) -> Series:
    """Give the samples of both hosts over the time of each link, as columns ``link``, ``host``, ``what``, ``time``, ``value``."""
    found: Series = {name: [] for name in ("link", "host", "what", "time", "value")}
    if not links:
        return found

    def add(link: str, host: str, what: str, time: Any, value: float) -> None:
        for name, each in zip(found, (link, host, what, time, value), strict=True):
            found[name].append(each)

    windows = [
        Window(number, link.start - AROUND, link.end + AROUND, link.row["database"])
        for number, link in enumerate(links)
    ]
    for row in rows_of(usage.series(view, windows, tuple(RESOURCES))):
        link = links[row["window"]]
        what, factor = RESOURCES[row["resource"]]
        if row["host"] in (link.row["primary_host"], link.row["replica_host"]):
            add(link.key, row["host"], what, row["time"], row["value"] * factor)
    given = {
        "links": [link.key for link in links],
        "instances": [f"{link.ag}:{link.replica}".upper() for link in links],
        "primaries": [link.row["primary_host"] for link in links],
        "starts": [window.start for window in windows],
        "ends": [window.end for window in windows],
    }
    for row in view.rows(sql("flow_control.sql"), given):
        add(row["link"], row["host"], FLOW_CONTROL, row["time"], row["value"])
    return found


def beside(
    view: View, sql: Callable[[str], str], links: Sequence[Link], samples: Series
) -> dict[str, list[Beside]]:
    """Compare the moments of slow commits with those of the others, by link."""
    found: dict[str, list[Beside]] = {}
    if not links:
        return found
    rows = []
    if samples["link"]:
        hosts = {
            "links": [link.key for link in links],
            "primaries": [link.row["primary_host"] for link in links],
            "replicas": [link.row["replica_host"] for link in links],
        }
        rows += view.rows(sql("beside.sql"), hosts | samples)
    rows += _gates(view, sql)
    for row in rows:
        found.setdefault(row.pop("link"), []).append(Beside(**row))
    return found


def _gates(view: View, sql: Callable[[str], str]) -> Iterator[dict[str, Any]]:
    captured = [
        name for name, (event, fields) in GATES.items() if view.fields(event) >= set(fields)
    ]
    if captured:
        view.run(sql("gates_asked.sql"))
        for name in captured:
            view.run(sql(name))
        yield from view.rows(sql("gates.sql"))
        view.run("drop table scratch.commit_gates")

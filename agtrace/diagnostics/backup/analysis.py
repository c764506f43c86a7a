"""The analysis of backups and restores."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from agtrace import thresholds
from agtrace.diagnostics.backup import best, buffers, failures, figures, sides, tables, throughput
from agtrace.diagnostics.backup.sides import StudySides
from agtrace.diagnostics.backup.studies import SAID, BackupStudy, studies
from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.need import Need
from agtrace.history.runs import with_measured_backups
from agtrace.measure.counters import BANDWIDTH, CARDS, SENT
from agtrace.measure.platforms import platforms
from agtrace.measures import Measure
from agtrace.say.finding import Evidence, Finding, by_severity
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


NEEDS = (
    Need(
        "relation",
        ("backups",),
        "each backup and restore with its throughput, buffers, phases and failure",
        "docs/diagnostics.md lists the trace flags and counters to capture.",
        lacking="No ERRORLOG of the case tells of a backup or restore.",
    ),
    Need("relation", ("seedings",), "which of them are the ends of seedings, and told there", "ERRORLOG of both ends"),
    Need("relation", ("zeroed_files",), "whether instant file initialisation would help", "trace flags 3004 and 3605"),
    Need("topic", ("startup",), "the version, and whether instant file initialisation is on", "ERRORLOG from the start of SQL Server on"),
    Need(
        "counter",
        tuple(
            f"{disk}\\{counter}"
            for disk in ("LogicalDisk", "PhysicalDisk")
            for counter in (
                "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write",
            )
        ),
        "which side limits a backup: the volumes that are read and written",
        "perfmon every 5 seconds or faster",
    ),
    Need("counter", ("Processor\\% Processor Time",), "whether processors limit it", "perfmon every 5 seconds or faster"),
    Need(
        "counter",
        tuple(f"{card}\\{counter}" for card in CARDS for counter in (SENT, BANDWIDTH)),
        "whether the card limits a backup to another host",
        "perfmon every 5 seconds or faster",
    ),
)  # fmt: skip


class Backup(Analysis):
    """Backups and restores: how fast, with which buffers, what limits them, what failed.

    Parameters
    ----------
    view
        The opened case.
    database
        Only this database.
    """

    name = "backup"
    title = "Backups"
    question = "How fast are backups in each configuration, what limits them, and what failed?"
    order = 40
    needs = NEEDS
    measures: ClassVar[tuple[Measure, ...]] = tables.MEASURES

    def __init__(self, view: View, *, database: str | None = None) -> None:
        super().__init__(view)
        self.database = database or None

    @cached_property
    def limits(self) -> Thresholds:
        """The thresholds of the case."""
        return thresholds.of(self.view)

    @cached_property
    def table(self) -> pa.Table:
        """Every operation, one row each."""
        found = self.view.table("select * from backups order by operation_id")
        if self.database is None:
            return found
        same = pc.equal(pc.utf8_lower(found["database"]), self.database.lower())
        return found.filter(same)

    @cached_property
    def versions(self) -> dict[tuple[str, str], str]:
        """Product version by host and instance, the latest that a start of the server names."""
        return {key: row["version"] for key, row in self._servers.items() if row["version"]}

    @cached_property
    def _servers(self) -> dict[tuple[str, str], dict[str, Any]]:
        rows = self.view.rows(self.sql("servers.sql"))
        return {(row["host_id"] or "", row["sql_instance"] or ""): row for row in rows}

    def _with_runs(self) -> None:
        with_measured_backups(self.view, self.limits.backup_min_s)
        self.view.run(self.sql("runs.sql"), {"cold_s": 60 * self.limits.backup_cold_minutes})

    @cached_property
    def studies(self) -> list[BackupStudy]:
        """What was measured, by kind of operation and database, the longest first."""
        if not len(self.table):
            return []
        self._with_runs()
        found = studies(self.view.table("select * from scratch.backup_runs"), self.versions)
        wanted = (self.database or "").lower()
        return [s for s in found if not wanted or (s.database or "").lower() == wanted]

    @cached_property
    def judged(self) -> list[StudySides]:
        """The studies with what perfmon and backups to NUL say about their sides."""
        if not self.studies:
            return []
        wanted = {int(i) for s in self.studies for i in s.columns["operation_id"]}
        alone = [row for row in self.view.rows(self.sql("alone.sql")) if row["operation_id"] in wanted]
        found = sides.study_sides(self.view, self.studies, alone, self.limits)
        for each in best.compared(found):
            each.names_test = not each.nulls
        return found

    @property
    def main_judged(self) -> StudySides | None:
        """The study that the figures show, with what is known about its sides."""
        return next((each for each in self.judged if each.study is self.main), None)

    @cached_property
    def _seeded(self) -> set[int]:
        """The operations that are ends of seedings."""
        query = "select distinct unnest(backup_ids) as operation_id from seedings"
        return set(self.view.table(query)["operation_id"].to_pylist())

    @property
    def main(self) -> BackupStudy | None:
        """The study that the figures show: the one with the most configurations, then the most time."""
        return max(self.studies, key=lambda s: (len(s.configurations) > 1, s.seconds), default=None)

    def missing(self) -> list[str]:
        """Say what it takes to answer at all; empty when there is any backup or restore asked for."""
        lacking = super().missing()
        if lacking or len(self.table):
            return lacking
        return [SAID.text("open.none", {"database": self.database})]

    def not_captured(self) -> list[str]:
        """Say what stays open because it was not captured; plain text."""
        if self.missing():
            return self.missing()
        lacking = {
            "buffers": self.table["buffer_count"].null_count == self.table.num_rows,
            "starts": not pc.any(self.table["is_traced"]).as_py(),
            "throughput": not self.studies,
        }
        said = [SAID.text(f"open.{name}", {}) for name, lacks in lacking.items() if lacks]
        for each in self.judged[: throughput.STUDIES]:
            facts = {
                "study": each.study.name,
                "names": [each.study.named(s.configuration) for s in each.undecided],
            }
            which = "unseen" if not each.sides and not each.nulls else "undecided" if each.undecided else ""
            if which:
                how = each.how_to_decide(told=each.has_finding)
                said.append(SAID.text(f"open.{which}", facts | {"how": how}))
        return said

    @cached_property
    def _findings(self) -> list[Finding]:
        if self.missing():
            return []
        zeroed = self.view.rows("select * from zeroed_files")
        return by_severity(
            SAID.findings(
                [
                    *buffers.configurations(self.view.rows(self.sql("buffers.sql")), self.versions),
                    *throughput.measured(self.studies, self.limits, self._servers),
                    *sides.limited(self.judged, self.limits),
                    *best.configurations(self.judged),
                    *failures.failed(self.view.rows(self.sql("failures.sql"))),
                    *failures.slow_zeroing(zeroed, self._instant(), self.limits, platforms(self.view)),
                ]
            )
        )

    def findings(self) -> list[Finding]:
        """Give the backup.* findings, the most severe first."""
        if self.database is None:
            return self._findings
        wanted = self.database.lower()
        return [f for f in self._findings if f.subject.get("database", wanted).lower() == wanted]

    def _instant(self) -> dict[str, str]:
        rows = self.view.table(
            "select host_id, arg_max(value, time_local) as value from facts "
            "where topic = 'startup' and key = 'instant_file_initialization' and host_id is not null group by host_id"
        )
        return {row["host_id"]: row["value"] for row in rows.to_pylist()}

    def _outcomes(self) -> dict[str, int]:
        """Count how operations ended, by how that is called."""
        counts = {row["values"]: row["counts"] for row in self.table["status"].value_counts().to_pylist()}
        return {text: counts.get(status, 0) for status, text in tables.OUTCOMES.items()}

    def leading_figures(self) -> list[Evidence]:
        """Give the numbers to look at first: how many operations there were, and how they ended."""
        if self.missing():
            return []
        counts = {"backups and restores": len(self.table), **self._outcomes()}
        counts["databases"] = pc.count_distinct(self.table["database"]).as_py()
        return [Evidence(name, n, "", "ERRORLOG and Extended Events") for name, n in counts.items()]

    def say_summary(self) -> str:
        """Give the answer in Markdown: what there is, then one paragraph for each finding."""
        if self.missing():
            return SAID.page("summary", {"n": 0, "database": self.database})
        found = self.findings()
        facts = {
            "n": len(self.table), "databases": pc.count_distinct(self.table["database"]).as_py(),
            "outcomes": [(n, text) for text, n in self._outcomes().items()], "findings": found,
            "seeded": len(self._seeded & set(self.table["operation_id"].to_pylist())),
            "best": next((f.title for f in found if f.id == "backup.best_configuration"), None),
        }  # fmt: skip
        return SAID.page("summary", facts)

    def say_next(self) -> str:
        """Say what to test next, in Markdown; "" where nothing was compared."""
        found = (f.recommendation for f in self.findings() if f.id == "backup.best_configuration")
        return _points(filter(None, found))

    def say_missing(self) -> str:
        """Give what stays open in Markdown; "" when nothing is."""
        return _points(self.not_captured())

    def say_sides(self) -> str:
        """Say in one sentence each which side caps what perfmon saw, in Markdown."""
        return _points(sides.say_sides(self.judged, self.limits))

    @cached_property
    def _configured(self) -> tuple[list[dict[str, Any]], pa.Table]:
        """The configurations, and every operation with the number of its own."""
        self._with_runs()
        wanted = self.database.lower() if self.database else None
        self.view.run(self.sql("numbered.sql"), {"database": wanted})
        rows = self.view.rows(self.sql("configured.sql"))
        return rows, self.view.table("select * from scratch.backup_configured order by operation_id")

    def tbl_sides(self) -> pd.DataFrame:
        """Give what each configuration reads and writes, how long that takes, and which side caps it."""
        return tables.sides(self.judged, self.limits)

    def tbl_buffers(self) -> pd.DataFrame:
        """Give one row per configuration of buffers, with n and MB/s of 2^20 bytes."""
        return tables.buffers(self._configured[0], self.versions)

    def tbl_idle(self) -> pd.DataFrame:
        """Give relative throughput by minutes without a backup before a run, and since a pause."""
        return tables.idle(self.studies)

    def tbl_operations(self) -> pd.DataFrame:
        """Give one row per backup and restore, with the number of its configuration; local times, MB of 2^20 bytes."""
        return tables.operations(self._configured[1])

    def tbl_stages(self) -> pd.DataFrame:
        """Give the seconds that each traced operation spent in each stage."""
        return tables.stages(self.table)

    def tbl_configurations(self) -> pd.DataFrame:
        """Give throughput percentiles (MB/s) of each configuration."""
        return tables.configurations(self.studies)

    def tbl_effects(self) -> pd.DataFrame:
        """Give what each change of one factor does, all else equal."""
        return tables.effects(self.studies)

    def tbl_hours(self) -> pd.DataFrame:
        """Give relative throughput by hour of working days and weekends."""
        return tables.hours(self.studies)

    def fig_throughput(self) -> Figure:
        """Draw the percentiles of each configuration."""
        return figures.throughput(self.main)

    def fig_effects(self) -> Figure:
        """Draw what each factor does, all else equal."""
        return figures.effect(self.main)

    def fig_memory(self) -> Figure:
        """Draw throughput over the memory of the buffers."""
        return figures.memory(self.main)

    def fig_sides(self) -> Figure:
        """Draw what volumes read and write, and how long that takes, by configuration."""
        return figures.sides(self.main_judged, self.limits)

    def fig_warm_up(self) -> Figure:
        """Draw relative throughput over the time since the first run after a pause."""
        return figures.warm_up(self.main)

    def fig_idle(self) -> Figure:
        """Draw relative throughput over the idle time before each run."""
        return figures.idle(self.main, self.limits.backup_cold_minutes)

    def fig_hours(self) -> Figure:
        """Draw relative throughput by hour of the day."""
        return figures.hours(self.main)


def _points(texts: Iterable[str]) -> str:
    return SAID.page("points", {"points": list(texts)})

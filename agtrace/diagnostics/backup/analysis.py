"""The analysis of backups and restores."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from agtrace import thresholds
from agtrace.diagnostics.backup import best, configured, failures, limited, measured
from agtrace.diagnostics.backup.limited import Judged
from agtrace.diagnostics.backup.limits import null_tests, sides
from agtrace.diagnostics.backup.needs import NEEDS
from agtrace.diagnostics.backup.studies import BackupStudy, studies
from agtrace.diagnostics.backup.watched import watch
from agtrace.diagnostics.base import Analysis, View
from agtrace.history.runs import with_measured_backups
from agtrace.measure.platforms import platforms
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding, by_severity
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


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
    def judged(self) -> list[Judged]:
        """The studies with what perfmon and backups to NUL say about their sides."""
        if not self.studies:
            return []
        wanted = {int(i) for s in self.studies for i in s.columns["operation_id"]}
        alone = self.view.rows(self.sql("alone.sql"))
        seen = watch(self.view, [row for row in alone if row["operation_id"] in wanted])
        rows = self.table.filter(pc.is_in(self.table["operation_id"], pa.array(seen, pa.int64())))
        places = {
            row["operation_id"]: (row["file_names"] or [], (row["device_names"] or "").split("|"))
            for row in rows.select(["operation_id", "file_names", "device_names"]).to_pylist()
        }
        found = [Judged(s, sides(s, seen, places, self.limits), null_tests(s)) for s in self.studies]
        for each in best.compared(found):
            each.names_test = not each.nulls
        return found

    @property
    def main_judged(self) -> Judged | None:
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
        of = words.plain(self.database, 60)
        return [f"No ERRORLOG of the case tells of a backup or restore of {of}."]

    def not_captured(self) -> list[str]:
        """Say what stays open because it was not captured; plain text."""
        if self.missing():
            return self.missing()
        said = []
        traced = self.table.num_rows - self.table["buffer_count"].null_count
        if not traced:
            said.append(
                "Buffers: no operation logged them. Turn on trace flags 3213 and 3605 before the next test."
            )
        if not pc.any(self.table["is_traced"]).as_py():
            said.append(
                "Starts and phases: no operation was traced (trace flags 3004 and 3014); a start is its end less the time "
                "that message 3014 states."
            )
        if not self.studies:
            said.append("Throughput: no operation that lasted long enough states its pages and time.")
        for each in self.judged[: measured.STUDIES]:
            name = each.study.name
            if not each.sides and not each.nulls:
                said.append(
                    f"{name[0].upper()}{name[1:]}: which side limits it was not captured. Capture LogicalDisk, Processor and "
                    f"Network Interface while it runs, or run {limited.decide(each, told=each.has_finding)}."
                )
            elif each.undecided:
                named = [each.study.named(s.configuration) for s in each.undecided]
                said.append(
                    f"{name[0].upper()}{name[1:]}: for {words.listing(named, 3)} the counters do not decide which side "
                    f"limits it. Run {limited.decide(each, told=each.has_finding)}: as fast means reading, faster writing."
                )
        return said

    @cached_property
    def _findings(self) -> list[Finding]:
        if self.missing():
            return []
        rows = self.view.rows(self.sql("buffers.sql"))
        found = [
            *configured.findings(rows, self.versions),
            *measured.findings(self.studies, self.limits, self._servers),
            *limited.findings(self.judged, self.limits),
            *best.findings(self.judged),
            *failures.failed(self.view.rows(self.sql("failures.sql"))),
            *failures.slow_zeroing(
                self.view.rows("select * from zeroed_files"),
                self._instant(),
                self.limits,
                platforms(self.view),
            ),
        ]
        return by_severity(found)

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
        """Count how operations ended, in words."""
        statuses = self.table["status"].value_counts().to_pylist()
        counts = {row["values"]: row["counts"] for row in statuses}
        named = {"completed": "completed", "failed": "failed", "unfinished": "without an end in the log"}
        return {text: counts.get(status, 0) for status, text in named.items()}

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
            of = f" of {words.md(self.database)}" if self.database else ""
            return f"The captures tell of no backup and no restore{of}."
        parts = [f"{n:,} {text}" for text, n in self._outcomes().items() if n]
        databases = pc.count_distinct(self.table["database"]).as_py()
        opening = (
            f"{words.count(len(self.table), 'backup or restore', 'backups and restores')} of "
            f"{words.count(databases, 'database')}: {words.listing(parts)}."
        )
        seeded = self._seeded & set(self.table["operation_id"].to_pylist())
        if seeded:
            opening += f" {len(seeded):,} of them are the two ends of seedings and told there."
        told = [f for f in self.findings() if f.id == "backup.best_configuration"]
        if told:
            opening += f" **{words.md(told[0].title)}**."
        paragraphs = [
            f"- **{words.md(f.title)}** ({f.severity}). {words.md(f.narrative, 6000)}"
            for f in self.findings()
        ]
        return opening + "\n\n" + "\n".join(paragraphs)

    def say_next(self) -> str:
        """Say what to test next, in Markdown; "" where nothing was compared."""
        found = [f for f in self.findings() if f.id == "backup.best_configuration" and f.recommendation]
        return "\n".join(f"- {words.md(f.recommendation, 2000)}" for f in found)

    def say_missing(self) -> str:
        """Give what stays open in Markdown; "" when nothing is."""
        return "\n".join(f"- {words.md(text, 800)}" for text in self.not_captured())

    @cached_property
    def _configured(self) -> tuple[list[dict[str, Any]], pa.Table]:
        """The configurations, and every operation with the number of its own."""
        self._with_runs()
        wanted = self.database.lower() if self.database else None
        self.view.run(self.sql("numbered.sql"), {"database": wanted})
        rows = self.view.rows(self.sql("configured.sql"))
        return rows, self.view.table("select * from scratch.backup_configured order by operation_id")

    def say_sides(self) -> str:
        """Say in one sentence each which side caps what perfmon saw, in Markdown."""
        return "\n".join(f"- {words.md(text, 800)}" for text in limited.say_sides(self.judged, self.limits))

    def tbl_sides(self) -> pd.DataFrame:
        """Give what each configuration reads and writes, how long that takes, and which side caps it."""
        from agtrace.diagnostics.backup import capped

        return capped.table(self.judged, self.limits)

    def tbl_buffers(self) -> pd.DataFrame:
        """Give one row per configuration of buffers, with n and MB/s of 2^20 bytes."""
        from agtrace.diagnostics.backup import tables

        return tables.buffers(self._configured[0], self.versions)

    def tbl_idle(self) -> pd.DataFrame:
        """Give relative throughput by minutes without a backup before a run, and since a pause."""
        from agtrace.diagnostics.backup import tables

        return tables.idle(self.studies)

    def tbl_operations(self) -> pd.DataFrame:
        """Give one row per backup and restore, with the number of its configuration; local times, MB of 2^20 bytes."""
        from agtrace.diagnostics.backup import tables

        return tables.operations(self._configured[1])

    def tbl_stages(self) -> pd.DataFrame:
        """Give the seconds that each traced operation spent in each stage."""
        from agtrace.diagnostics.backup import tables

        return tables.stages(self.table)

    def tbl_configurations(self) -> pd.DataFrame:
        """Give throughput percentiles (MB/s) of each configuration."""
        from agtrace.diagnostics.backup import tables

        return tables.configurations(self.studies)

    def tbl_effects(self) -> pd.DataFrame:
        """Give what each change of one factor does, all else equal."""
        from agtrace.diagnostics.backup import tables

        return tables.effects(self.studies)

    def tbl_hours(self) -> pd.DataFrame:
        """Give relative throughput by hour of working days and weekends."""
        from agtrace.diagnostics.backup import tables

        return tables.hours(self.studies)

    def fig_throughput(self) -> Figure:
        """Draw the percentiles of each configuration."""
        from agtrace.diagnostics.backup import figures

        return figures.throughput(self.main)

    def fig_effects(self) -> Figure:
        """Draw what each factor does, all else equal."""
        from agtrace.diagnostics.backup import figures

        return figures.effect(self.main)

    def fig_memory(self) -> Figure:
        """Draw throughput over the memory of the buffers."""
        from agtrace.diagnostics.backup import figures

        return figures.memory(self.main)

    def fig_sides(self) -> Figure:
        """Draw what volumes read and write, and how long that takes, by configuration."""
        from agtrace.diagnostics.backup import capped

        return capped.figure(self.main_judged, self.limits)

    def fig_warm_up(self) -> Figure:
        """Draw relative throughput over the time since the first run after a pause."""
        from agtrace.diagnostics.backup import figures

        return figures.warm_up(self.main)

    def fig_idle(self) -> Figure:
        """Draw relative throughput over the idle time before each run."""
        from agtrace.diagnostics.backup import figures

        return figures.idle(self.main, self.limits.backup_cold_minutes)

    def fig_hours(self) -> Figure:
        """Draw relative throughput by hour of the day."""
        from agtrace.diagnostics.backup import figures

        return figures.hours(self.main)

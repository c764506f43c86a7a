"""The analysis of backups and restores."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from agtrace import thresholds
from agtrace.diagnostics.backup import (
    best,
    buffers,
    failures,
    figures,
    preference,
    sides,
    tables,
    tde,
    throughput,
)
from agtrace.diagnostics.backup.checks import CHECKS
from agtrace.diagnostics.backup.rows import (
    Alone,
    Buffers,
    Counted,
    DatabasesOfGroups,
    Failures,
    GroupMembers,
    Preferred,
    Tde,
    Zeroed,
)
from agtrace.diagnostics.backup.sides import StudySides
from agtrace.diagnostics.backup.studies import SAID, BackupStudy, studies
from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.need import Need
from agtrace.history import check_database
from agtrace.history.backups import Watched
from agtrace.history.coverage import coverage
from agtrace.history.runs import measured_backups
from agtrace.history.trace_flags import BACKUPS_NOT_LOGGED, trace_flag
from agtrace.measure.counters import BANDWIDTH, CARDS, SENT
from agtrace.measure.platforms import platforms
from agtrace.measures import Measure, frame
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.say.finding import Evidence, Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


PERFMON = "perfmon every 5 seconds or faster"
DISKS = ("Disk Read Bytes/sec", "Disk Write Bytes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write")
OF_DISKS = tuple(f"{disk}\\{counter}" for disk in ("LogicalDisk", "PhysicalDisk") for counter in DISKS)
OF_CARDS = tuple(f"{card}\\{counter}" for card in CARDS for counter in (SENT, BANDWIDTH))
STARTS = "ERRORLOG from the start of SQL Server on"

WANTED = "($database is null or lower(database) = $database)"
"""SQL condition for the requested database."""

NEEDS = (
    Need(
        "relation",
        ("backups",),
        "each backup and restore with its throughput, buffers, phases and failure",
        "agtrace kit backup writes scripts that set the trace flags and log the counters (docs/capture.md).",
        lacking="No ERRORLOG of the case tells of a backup or restore.",
    ),
    Need("relation", ("seedings",), "which backups belong to seedings", "ERRORLOG of both ends"),
    Need(
        "relation",
        ("zeroed_files",),
        "whether instant initialisation would help",
        "trace flags 3004 and 3605",
    ),
    Need(
        "relation",
        ("group_options", "replicas", "roles"),
        "where the backups of a group should run, and the role of the server on which each ran",
        "AlwaysOnDiagScript of LogScout, the AlwaysOn_health session, ERRORLOG",
        "every replica of the group",
    ),
    Need(
        "relation",
        ("coverage", "trace_flags"),
        "whether a log backup is missing: all replicas covered, trace flag 3226 off",
        "the ERRORLOGs of all replicas, from the start of SQL Server on",
        "every replica of the group",
    ),
    Need(
        "relation",
        ("topology", "timeline", "streams", "database_states"),
        "which databases and replicas a group has",
        "ERRORLOG, AlwaysOnDiagScript of LogScout, perfmon",
    ),
    Need("topic", ("database_option",), "which databases are encrypted (TDE)", "ERRORLOG since that was set"),
    Need(
        "relation",
        ("databases",),
        "which databases are encrypted (TDE)",
        "is_encrypted of sys.databases, as CSV or by sqlcmd",
    ),
    Need("topic", ("role_change",), "which databases belong to a group", "ERRORLOG of every replica"),
    Need("topic", ("startup",), "the version, and whether instant file initialisation is on", STARTS),
    Need("counter", OF_DISKS, "which side limits a backup: the volumes that are read and written", PERFMON),
    Need("counter", ("Processor\\% Processor Time",), "whether processors limit it", PERFMON),
    Need("counter", OF_CARDS, "whether the card limits a backup to another host", PERFMON),
)


class Backup(Analysis):
    """Backups and restores: throughput, buffers, limits and failures.

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
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = (*tables.MEASURES, *tables.ESTIMATES)

    def __init__(self, view: View, *, database: str | None = None) -> None:
        super().__init__(view)
        self.check(view, database=database)
        self.database = database or None

    @classmethod
    def check(cls, view: View, **given: Any) -> None:
        """Check the name of the database."""
        check_database(view, given.get("database"))

    @cached_property
    def limits(self) -> Thresholds:
        """The thresholds of the case."""
        return thresholds.of(self.view)

    @cached_property
    def _counted(self) -> Counted:
        """How many operations there were, and how they ended."""
        (counted,) = self.ask(Counted, self._wanted)
        return counted

    @cached_property
    def _runs(self) -> pa.Table:
        """The runs that measure throughput."""
        return self.view.table(
            self.sql("runs.sql"),
            {"cold_s": 60 * self.limits.backup_cold_minutes},
            {"measured_backups": measured_backups(self.view, self.limits.backup_min_s)},
        )

    @cached_property
    def studies(self) -> list[BackupStudy]:
        """What was measured, by kind of operation and database, the longest first."""
        if not self._counted.n:
            return []
        runs = f"select * from backup_runs where {WANTED} order by study, configuration, operation_id"
        return studies(self.view.table(runs, self._wanted, {"backup_runs": self._runs}))

    @cached_property
    def judged(self) -> list[StudySides]:
        """The studies with what perfmon and backups to NUL say about their sides."""
        if not self.studies:
            return []
        wanted = {int(i) for s in self.studies for i in s.columns.operation_id}
        alone = [row for row in self.ask(Alone) if row.operation_id in wanted]
        found = sides.study_sides(self.view, self.studies, alone, self.limits)
        for each in best.compared(found):
            each.names_test = not each.nulls
        return found

    @property
    def main_judged(self) -> StudySides | None:
        """The study that the figures show, with what is known about its sides."""
        return next((each for each in self.judged if each.study is self.main), None)

    @property
    def main(self) -> BackupStudy | None:
        """The study that the figures show: the one with the most configurations, then the most time."""
        return max(self.studies, key=lambda s: (len(s.configurations) > 1, s.seconds), default=None)

    def missing(self) -> list[str]:
        """Return the missing input; empty if any requested backup or restore was captured."""
        lacking = [] if self._preferences else super().missing()
        if lacking or self._counted.n or self._preferences:
            return lacking
        return [SAID.text("open.none", {"database": self.database})]

    def not_captured(self) -> list[str]:
        """Return what is unknown because it was not captured; plain text."""
        if self.missing():
            return self.missing()
        lacking = {
            "buffers": not self._counted.with_buffers,
            "starts": not self._counted.traced,
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
        judged = [
            *buffers.configurations(self.ask(Buffers)),
            *tde.compressions(self.ask(Tde)),
            *throughput.measured(self.studies, self.limits),
            *sides.limited(self.judged),
            *best.configurations(self.judged, self.limits),
            *failures.failed(self.ask(Failures)),
            *self._preferences,
            *failures.slow_zeroing(self.ask(Zeroed), self.limits, platforms(self.view)),
        ]
        return by_severity(SAID.findings(judged))

    @cached_property
    def _preferences(self) -> list[Judged]:
        """Where the backups of groups ran, and log that no backup holds."""
        if not self.view.has_rows("roles"):
            return []
        hushed = trace_flag(self.view, BACKUPS_NOT_LOGGED)
        if not self.view.has_rows("backups") and all(span.is_on for span in hushed):
            return []  # a log backup is missed only where each would be logged
        rows = self.view.rows
        databases = self.ask(DatabasesOfGroups)
        if not databases:
            return []
        members: dict[str, list[str]] = {}
        for row in self.ask(GroupMembers):
            members.setdefault(row.ag, []).append(row.replica)
        primaries = rows(self.sql("group_primaries.sql"))
        known = Watched(coverage(self.view), HostNames(rows(HOSTS)), members, primaries, hushed)
        hours = {"log_hours": self.limits.backup_log_hours}
        taken = self.ask(Preferred, hours) if self.view.has_rows("backups") else []
        return preference.preferences(taken, databases, known, self.limits)

    def findings(self) -> list[Finding]:
        """Return the backup.* findings, most severe first."""
        wanted = (self.database or "").lower()
        return [
            f for f in self._findings if not wanted or f.subject.get("database", wanted).lower() == wanted
        ]

    def _outcomes(self) -> dict[str, int]:
        """Count how operations ended, by how that is called."""
        return {text: getattr(self._counted, status) for status, text in tables.OUTCOMES.items()}

    def leading_figures(self) -> list[Evidence]:
        """Return the leading numbers: how many operations there were, and how they ended."""
        if self.missing():
            return []
        counts = {
            "backups and restores": self._counted.n,
            **self._outcomes(),
            "databases": self._counted.databases,
        }
        return [Evidence(name, n, "", "ERRORLOG and Extended Events") for name, n in counts.items()]

    def say_summary(self) -> str:
        """Return the answer in Markdown: an overview, then one paragraph per finding."""
        if self.missing():
            return SAID.page("summary", {"n": 0, "database": self.database})
        seeded = "select unnest(backup_ids) as operation_id from seedings"
        seeded = f"from backups semi join ({seeded}) using (operation_id) where {WANTED}"
        facts = {"n": self._counted.n, "databases": self._counted.databases, "outcomes": self._outcomes()}
        facts |= {"seeded": self.view.table(f"select 1 {seeded}", self._wanted).num_rows}
        return SAID.page("summary", facts | {"findings": self.findings()})

    def say_nothing(self) -> str:
        """Explain that the backups gave no finding, and what is needed to judge them."""
        facts = {"n": self._counted.n, "databases": self._counted.databases}
        return " ".join([SAID.text("open.nothing", facts), *self.not_captured()])

    def say_next(self) -> str:
        """Return the next test to run, in Markdown; "" if nothing was compared."""
        found = (f.recommendation for f in self.findings() if f.id == "backup.best_configuration")
        return _points(filter(None, found))

    def say_missing(self) -> str:
        """Return what is unknown, in Markdown; "" if nothing is."""
        return _points(self.not_captured())

    def say_sides(self) -> str:
        """State in one sentence each which side limits the backups covered by perfmon, in Markdown."""
        return _points(sides.say_sides(self.judged))

    def say_what_if(self) -> str:
        """Return the estimated throughput of buffers between tested ones, in Markdown."""
        from agtrace.diagnostics.backup import between

        return SAID.page("between", between.page(self.studies))

    def tbl_what_if(self) -> pd.DataFrame:
        """Return estimates for buffers between tested ones, then tested ones predicted from the others."""
        from agtrace.diagnostics.backup import between

        return frame(tables.ESTIMATES, between.rows(self.studies))

    def what_if(
        self,
        buffer_count: int | None = None,
        max_transfer_size_kb: int | None = None,
        stripes: int | None = None,
    ) -> pd.DataFrame:
        """Estimate buffers or devices other than the defaults, only between tested points."""
        from agtrace.diagnostics.backup import between

        found = (between.asked(study, buffer_count, max_transfer_size_kb, stripes) for study in self.studies)
        return frame(tables.ESTIMATES, [each.row() for each in found if each is not None])

    @cached_property
    def _configured(self) -> tuple[list[dict[str, Any]], pa.Table]:
        """The configurations, and every operation with the number of its own."""
        numbered = {"backup_configured": self.view.table(self.sql("numbered.sql"), self._wanted)}
        configured = self.view.rows(self.sql("configured.sql"), given=numbered | {"backup_runs": self._runs})
        return configured, self.view.table(self.sql("operations.sql"), given=numbered)

    @property
    def _wanted(self) -> dict[str, Any]:
        return {"database": self.database.lower() if self.database else None}

    def tbl_sides(self) -> pd.DataFrame:
        """Return each configuration's reads and writes, their duration, and the side that caps it."""
        return tables.sides(self.judged)

    def tbl_buffers(self) -> pd.DataFrame:
        """Return one row per configuration of buffers, with n and MB/s of 2^20 bytes."""
        return tables.buffers(self._configured[0])

    def tbl_idle(self) -> pd.DataFrame:
        """Return relative throughput by minutes without a backup before a run, and since a pause."""
        return tables.idle(self.studies)

    def tbl_operations(self) -> pd.DataFrame:
        """Return one row per backup and restore, by configuration; local times, MB of 2^20 bytes."""
        return self._configured[1].to_pandas()

    def tbl_stages(self) -> pd.DataFrame:
        """Return the seconds that each traced operation spent in each stage."""
        return self.view.table(self.sql("stages.sql"), self._wanted).to_pandas()

    def tbl_configurations(self) -> pd.DataFrame:
        """Return throughput percentiles (MB/s) of each configuration."""
        return tables.configurations(self.studies)

    def tbl_effects(self) -> pd.DataFrame:
        """Return the effect of each factor's changes, all else equal."""
        return tables.effects(self.studies)

    def tbl_hours(self) -> pd.DataFrame:
        """Return relative throughput by hour of working days and weekends."""
        return tables.hours(self.studies)

    def fig_throughput(self) -> Figure:
        """Draw the percentiles of each configuration."""
        return figures.throughput(self.main)

    def fig_effects(self) -> Figure:
        """Draw the effect of each factor, all else equal."""
        return figures.effect(self.main)

    def fig_memory(self) -> Figure:
        """Draw throughput over the memory of the buffers."""
        return figures.memory(self.main, self.limits)

    def fig_sides(self) -> Figure:
        """Draw the throughput of volumes and the time per access, by configuration."""
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

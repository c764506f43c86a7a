"""The overview of a case: opened first, because it shows how reliable the other answers are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace import thresholds
from agtrace.diagnostics import analyses
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.need import used_by
from agtrace.diagnostics.overview import collected as tools
from agtrace.diagnostics.overview import lanes, servers, weaknesses
from agtrace.diagnostics.overview.captured import Captured, second
from agtrace.diagnostics.overview.checks import CHECKS
from agtrace.diagnostics.overview.needs import NEEDS
from agtrace.diagnostics.overview.rows import (
    Captures,
    Collections,
    Copies,
    DatabaseFiles,
    ErrorlogGaps,
    Filters,
    Gaps,
    Hosts,
    Issues,
    KindsByHost,
    LogSetBack,
    NamedReplicas,
    PowerPlans,
    SetBack,
    Skew,
    Unclocked,
    UnknownHosts,
    Unmapped,
)
from agtrace.history.unrelated import group_sets, names_of, separated
from agtrace.history.unused import unused_files
from agtrace.measure import network_cards
from agtrace.measure.platforms import platforms
from agtrace.measure.processors import Machine, machines
from agtrace.measures import Measure
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.say.finding import Evidence, Finding
from agtrace.say.said import Said, entries
from agtrace.say.words import count
from agtrace.tables.records import R

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")

READ = Measure("captures_read", "captures read")
HOSTS_SEEN = Measure("hosts", "hosts")
ROWS = Measure("rows", "rows")
SPAN = Measure("span_s", "time they span", "s")
NOT_READ = Measure("not_read", "files not read")
GAPS = Measure("gaps", "gaps")
COLUMNS = (
    Measure("memory_mb", "memory", "MB"),
    Measure("bytes", "size", "B"),
    Measure("utc_offset", "local time less UTC"),
    Measure("ms", "clock ahead of the other host's", "ms"),
    Measure("spread_ms", "spread (middle half)", "ms"),
)
"""The columns of the tables that have a unit or a display name."""


class Overview(Analysis):
    """The captures, the damage found, and how well hosts and clocks are known."""

    name: ClassVar[str] = "overview"
    title: ClassVar[str] = "Overview"
    question: ClassVar[str] = "What was captured, when, by which host, and what weakens the answers?"
    order: ClassVar[int] = 0
    needs = NEEDS
    checks = CHECKS
    measures = COLUMNS

    def _of(self, kind: type[R], topic: str) -> list[R]:
        """Return the rows of a query based on a topic that few cases have."""
        return self.ask(kind) if topic in self.view.topics else []

    @cached_property
    def captured(self) -> Captured:
        """The captures, hosts and faults of the case."""
        hosts = [row.host for row in self.ask(Hosts)]
        return Captured(self.ask(Captures), hosts, self.ask(Issues))

    @cached_property
    def used(self) -> dict[str, list[str]]:
        """The questions that used each content, by content_id."""
        needs = {each.title: each.needs for each in analyses().values() if each.name != self.name}
        return used_by(self.view, needs)

    @cached_property
    def collected(self) -> tools.Collected:
        """Return the captures made by support tools."""
        found = {
            tools.TCP: not self.view.topics.isdisjoint(("tcp_global", "tcp_sysctl")),
            tools.COUNTERS: "counters" in self.view.filled,
        }
        found[tools.SEEDING] = "events_hadr_physical_seeding_progress" in self.view.events
        there = {kind for kind, is_there in found.items() if is_there}
        members = [row.host for row in self._kinds_by_host]
        logs = self._of(Collections, "collection")
        return tools.collected(self.captured.captures, members, there, logs)

    @cached_property
    def errorlog_gaps(self) -> list[ErrorlogGaps]:
        """Return the ERRORLOGs whose middle a collector left out."""
        return self._of(ErrorlogGaps, "errorlog_gap")

    @cached_property
    def gaps(self) -> list[Gaps]:
        """Gaps of perfmon logs."""
        return self.ask(Gaps)

    @cached_property
    def skew(self) -> list[Skew]:
        """Skew of host pairs."""
        return self.ask(Skew)

    def findings(self) -> list[Finding]:
        """Return the quality.* findings, then the settings.* of hosts."""
        return [*self.weaknesses(), *self.set_up()]

    def set_up(self) -> list[Finding]:
        """Return the findings on how hosts are set up."""
        filters = self._of(Filters, "filter_instance")
        # Samples are numerous: they are read only if there are teamed cards.
        is_teamed = network_cards.is_any_teamed(self.view)
        cards = network_cards.by_host(self.view) if is_teamed else {}
        judged = [
            *servers.power_plan(self._of(PowerPlans, "power_plan")),
            *servers.antivirus(filters, self.ask(DatabaseFiles) if filters else []),
            *servers.teamed_cards(cards),
        ]
        return SAID.findings(judged)

    def weaknesses(self) -> list[Finding]:
        """Return the findings that the captures themselves lead to."""
        limits = thresholds.of(self.view)
        judged = [
            *weaknesses.unrelated_groups(group_sets(self.view)),
            *weaknesses.truncated(self.captured),
            *weaknesses.resaved(self.captured),
            *weaknesses.host_unknown(self.ask(UnknownHosts)),
            *weaknesses.time_zone_unknown(self.ask(Unclocked)),
            *weaknesses.clock_skew(self.skew, limits),
            *weaknesses.set_back(self.ask(SetBack)),
            *weaknesses.log_set_back(self.ask(LogSetBack)),
            *weaknesses.gap(self.gaps),
            *weaknesses.errorlog_gap(self.errorlog_gaps),
            *(
                one
                for members, has_copy in self._related_members()
                for one in weaknesses.not_captured(members, platforms(self.view), has_copy=has_copy)
            ),
            *weaknesses.not_collected(self.collected),
            *weaknesses.unused(unused_files(self.view)),
            *weaknesses.unmapped_counter(self.ask(Unmapped)),
        ]
        return SAID.findings(judged)

    @cached_property
    def _kinds_by_host(self) -> list[KindsByHost]:
        known = HostNames(self.view.rows(HOSTS))
        names = [row.replica for row in self.ask(NamedReplicas)]
        hosts = [known.host_id(name) for name in names]
        return self.ask(KindsByHost, {"names": names, "hosts": hosts})

    def _related_members(self) -> Iterator[tuple[list[KindsByHost], bool]]:
        """Return the machines of each set of related groups, and whether a copy or ping was captured."""
        sets = group_sets(self.view)
        members = separated(sets, self._kinds_by_host, lambda row: (row.host, None))
        copies = separated(sets, self.ask(Copies), lambda row: (row.host_id, None))
        return zip(members, map(bool, copies), strict=True)

    @property
    def members(self) -> list[str]:
        """Return the machines known to have a replica."""
        return [row.host for row in self._kinds_by_host]

    def fig_captures(self) -> Figure:
        """Draw one bar per capture over one time axis, grouped by host; gaps are blank."""
        return lanes.draw(self.captured.captures, [*self.gaps, *self.errorlog_gaps])

    def tbl_collected(self) -> pd.DataFrame:
        """Return every file collected by a support tool: its host, its kind, and its result."""
        import pandas as pd

        rows = []
        for folder in self.collected.folders:
            for row in folder.captures:
                gave = count(row.rows or 0, "row") if row.status == "ingested" else row.reason or ""
                rows.append((folder.tool, row.host or "", row.path, row.kind, row.status, gave))
        columns = ["collected by", "host", "path", "kind", "status", "gave"]
        return pd.DataFrame(rows, columns=columns)

    def tbl_captures(self) -> pd.DataFrame:
        """Return every file found: host, kind, status, span, rows, and the questions that used it."""
        import pandas as pd

        columns = ("host", "path", "kind", "status", "first", "last", "clock", "rows", "bytes", "used by")
        rows = []
        for row in self.captured.captures:
            clock = "UTC" if row.first_time else "local" if row.local_only else ""
            times = [second(row.shown_first), second(row.shown_last)]
            by = self.used.get(row.content_id or "", []) if row.status == "ingested" else []
            note = row.reason or (
                "another capture holds the same" if row.superseded else "" if by else "used by no question"
            )
            named = (row.host or "", row.path, row.kind, row.status)
            rows.append((*named, *times, clock, row.rows, row.bytes, ", ".join(by), note))
        return pd.DataFrame(rows, columns=[*columns, "note"])

    def tbl_hosts(self) -> pd.DataFrame:
        """Return the machines of the case, how they were identified, and their captures.

        Cores are logical processors, memory is in MB of 2^20 bytes; for a machine that was changed, all
        values in chronological order.
        """
        table = self.view.table(self.sql("hosts.sql")).to_pandas()
        made = machines(self.view)
        for name in ("memory_mb", "cores"):
            told = [getattr(made.get(host, Machine()), name) for host in table["host"]]
            table.insert(3, name, [", then ".join(map(str, values)) for values in told])
        for column in ("first_time", "last_time"):
            table[column] = [second(time) for time in table[column]]
        return table.fillna({"also_called": "", "zone": "", "known_from": ""})

    def tbl_issues(self) -> pd.DataFrame:
        """Return the faults met while reading, data loss first."""
        return self.view.table(self.sql("issues.sql")).to_pandas().rename(columns={"times": "count"})

    def tbl_clocks(self) -> pd.DataFrame:
        """Return the UTC offset of each capture, its source, and its confidence."""
        rows = self.view.table(self.sql("clocks.sql")).to_pandas()
        rows.insert(2, "utc_offset", [_offset(minutes) for minutes in rows.pop("offset_minutes")])
        for column in ("local_from", "local_to"):
            rows[column] = [second(time) for time in rows[column]]
        return rows

    def tbl_skew(self) -> pd.DataFrame:
        """Return the estimated difference of the clocks of host pairs, in milliseconds."""
        return self.view.table(self.sql("skew.sql")).to_pandas()

    def say_verdict(self) -> str:
        """State in one sentence what was captured and whether any data was lost, in Markdown."""
        return SAID.page("captured", self._extent() | {"is_lost": bool(self.captured.losses)})

    def key_figures(self) -> list[Evidence]:
        """Return the amount of captures read, their hosts and times, and their weaknesses."""
        captured, source = self.captured, "captures of the case"
        found = [
            READ(len(captured.read), source),
            HOSTS_SEEN(len(captured.hosts), source),
            ROWS(sum(row.rows or 0 for row in captured.read), source),
        ]
        if captured.seconds is not None:
            found.append(SPAN(captured.seconds, source))
        found.append(NOT_READ(len(captured.captures) - len(captured.read), source))
        found.append(GAPS(len(self.gaps) + len(self.errorlog_gaps), source))
        return entries(found)

    def say_summary(self) -> str:
        """Describe the captures, the damage, and how well clocks are known, in Markdown."""
        parts = [self.say_collected(), self.say_captured(), self.say_unread()]
        parts += [self.say_damage(), self._say_clocks()]
        return "\n\n".join(filter(None, parts))

    def say_collected(self) -> str:
        """Describe the captures by support tools, by host, and what these never collect; "" without any."""
        found = self.collected
        named = dict.fromkeys(folder.tool for folder in found.folders)
        told = [tools.summed(tool, (f for f in found.folders if f.tool == tool)) for tool in named]
        lacking = [judged.facts for judged in weaknesses.not_collected(found)]
        return SAID.page("collected", {"tools": told, "absent": found.absent, "lacking": lacking})

    def say_captured(self) -> str:
        """Describe in one sentence how much was captured, by host and time, in Markdown."""
        return SAID.page("captured", self._extent() | {"is_lost": None})

    def _extent(self) -> dict[str, Any]:
        captured = self.captured
        counted = {"n": len(captured.read), "hosts": captured.hosts}
        return {**counted, "span": captured.span, "seconds": captured.seconds}

    def say_unread(self) -> str:
        """State how many files were not read, and why, in Markdown."""
        return SAID.page("unread", {"statuses": self.captured.statuses})

    def say_damage(self) -> str:
        """State in one sentence what is damaged, in Markdown; every report opens with it."""
        captured = self.captured
        lost, minor = ({row.path for row in rows} for rows in (captured.losses, captured.warnings))
        facts = {"lost": len(lost), "not_read": [row.path for row in captured.not_read]}
        facts |= {"minor": sum(row.times for row in captured.warnings), "minor_files": len(minor)}
        return SAID.page("damage", facts)

    def say_unrelated(self) -> str:
        """Return the unrelated groups of the case, in Markdown; "" if all are related."""
        names = names_of(group_sets(self.view))
        return SAID.page("unrelated", {"groups": names}) if len(names) > 1 else ""

    def _say_clocks(self) -> str:
        apart = [each.facts for each in weaknesses.clock_skew(self.skew, thresholds.of(self.view))]
        facts = {"local_only": len(self.captured.local_only), "is_measured": bool(self.skew), "apart": apart}
        return SAID.page("clocks", facts)


def _offset(minutes: int) -> str:
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"

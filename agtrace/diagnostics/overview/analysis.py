"""The overview of a case: opened first, because it says how far the other answers carry."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace import thresholds
from agtrace.diagnostics import turned
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.overview import clocks, lanes, servers
from agtrace.diagnostics.overview import collected as tools
from agtrace.diagnostics.overview import findings as say
from agtrace.diagnostics.overview.captured import Captured
from agtrace.diagnostics.overview.needs import NEEDS
from agtrace.measure import network_cards
from agtrace.measure.platforms import platforms
from agtrace.measure.processors import Machine, machines
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count, md

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


class Overview(Analysis):
    """What was captured, what is damaged, and how well hosts and clocks are known."""

    name: ClassVar[str] = "overview"
    title: ClassVar[str] = "Overview"
    question: ClassVar[str] = "What was captured, when, by which host, and what weakens the answers?"
    order: ClassVar[int] = 0
    needs = NEEDS

    def _rows(self, name: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        return self.view.rows(self.sql(name), parameters)

    def _told(self, name: str, topic: str) -> list[dict[str, Any]]:
        """Give the rows of a query that rest on a topic, which most cases have nothing of."""
        return self._rows(name) if topic in self.view.topics else []

    @cached_property
    def captured(self) -> Captured:
        """The captures, hosts and faults of the case."""
        hosts = [row["host"] for row in self._rows("hosts.sql")]
        return Captured(self._rows("captures.sql"), hosts, self._rows("issues.sql"))

    @cached_property
    def collected(self) -> tools.Collected:
        """What support tools collected."""
        found = {
            "TCP settings": "tcp_global" in self.view.topics,
            "counters over time": "counters" in self.view.filled,
            "seeding events": "events_hadr_physical_seeding_progress" in self.view.events,
        }
        there = {kind for kind, is_there in found.items() if is_there}
        members = [row["host"] for row in self._kinds_by_host]
        logs = self._told("collections.sql", "collection")
        return tools.collected(self.captured.captures, members, there, logs)

    @cached_property
    def errorlog_gaps(self) -> list[dict[str, Any]]:
        """ERRORLOGs of which a collector left out the middle (errorlog_gaps.sql)."""
        return self._told("errorlog_gaps.sql", "errorlog_gap")

    @cached_property
    def gaps(self) -> list[dict[str, Any]]:
        """Gaps of perfmon logs (gaps.sql)."""
        return self._rows("gaps.sql", {"factor": thresholds.of(self.view).gap_steps})

    @cached_property
    def skew(self) -> list[dict[str, Any]]:
        """Skew of host pairs."""
        return self.view.rows("SELECT * FROM skew ORDER BY host_id, other_host_id")

    def findings(self) -> list[Finding]:
        """Give the quality.* findings, then the settings.* of hosts."""
        settings = turned.finding(self.view, thresholds.of(self.view))
        return [*settings, *self.weaknesses(), *self.set_up()]

    def set_up(self) -> list[Finding]:
        """Give the findings on how hosts are set up."""
        filters = self._told("filters.sql", "filter_instance")
        # Samples are many: they are asked for where there is a team alone.
        is_teamed = network_cards.is_any_teamed(self.view)
        cards = network_cards.by_host(self.view) if is_teamed else {}
        return [
            *servers.power_plan(self._told("power_plans.sql", "power_plan")),
            *servers.antivirus(filters, self._rows("database_files.sql") if filters else []),
            *servers.teamed_cards(cards),
        ]

    def weaknesses(self) -> list[Finding]:
        """Give the findings that the captures themselves lead to: all but the settings' own."""
        limits = thresholds.of(self.view)
        return [
            *say.truncated(self.captured),
            *say.host_unknown(self._rows("unknown_hosts.sql")),
            *clocks.time_zone_unknown(self._rows("unclocked.sql")),
            *clocks.clock_skew(self.skew, limits.skew_ms),
            *clocks.set_back(self._rows("set_back.sql")),
            *say.gap(self.gaps),
            *say.errorlog_gap(self.errorlog_gaps),
            *say.not_captured(self._kinds_by_host, platforms(self.view)),
            *say.not_collected(self.collected),
            *say.unmapped_counter(self._rows("unmapped.sql")),
        ]

    @cached_property
    def _kinds_by_host(self) -> list[dict[str, Any]]:
        known = HostNames(self.view.rows(HOSTS))
        names = [row["replica"] for row in self._rows("named_replicas.sql")]
        hosts = [known.host_id(name) for name in names]
        return self._rows("kinds_by_host.sql", {"names": names, "hosts": hosts})

    def fig_captures(self) -> Figure:
        """Draw one bar per capture over one time axis, grouped by host, gaps left empty."""
        return lanes.draw(self.captured.captures, [*self.gaps, *self.errorlog_gaps])

    def tbl_collected(self) -> pd.DataFrame:
        """Give every file that a support tool collected: of whom, what it is, and what it gave."""
        import pandas as pd

        rows = [
            (folder.tool, row["host"] or "", row["path"], row["kind"], row["status"], _gave(row))
            for folder in self.collected.folders
            for row in folder.captures
        ]
        columns = ["collected by", "host", "path", "kind", "status", "gave"]
        return pd.DataFrame(rows, columns=columns)

    def tbl_captures(self) -> pd.DataFrame:
        """Give every file found: host, kind, status, span, rows."""
        import pandas as pd

        columns = ("host", "path", "kind", "status", "first", "last", "clock", "rows", "bytes", "note")
        rows = []
        for row in self.captured.captures:
            clock = "UTC" if row["first_time"] else "local" if row["local_only"] else ""
            times = [_second(row["shown_first"]), _second(row["shown_last"])]
            note = row["reason"] or ("another capture holds the same" if row["superseded"] else "")
            named = (row["host"] or "", row["path"], row["kind"], row["status"])
            rows.append((*named, *times, clock, row["rows"], row["bytes"], note))
        return pd.DataFrame(rows, columns=list(columns))  # fmt: skip

    def tbl_hosts(self) -> pd.DataFrame:
        """Give the machines of the case, how they are known, and what there is of each.

        Cores are logical processors, memory is in MB of 2^20 bytes; of a machine that was changed
        every value in order of time.
        """
        table = self.view.table(self.sql("hosts.sql")).to_pandas()
        made = machines(self.view)
        for name in ("memory_mb", "cores"):
            told = [getattr(made.get(host, Machine()), name) for host in table["host"]]
            table.insert(3, name, [", then ".join(map(str, values)) for values in told])
        for column in ("first_time", "last_time"):
            table[column] = [_second(time) for time in table[column]]
        return table.fillna({"also_called": "", "zone": "", "known_from": ""})

    def tbl_issues(self) -> pd.DataFrame:
        """Give the faults met while reading, data loss first."""
        return self.view.table(self.sql("issues.sql")).to_pandas()

    def tbl_clocks(self) -> pd.DataFrame:
        """Give the offset from UTC of each capture, who says so, and how sure that is."""
        rows = self.view.table(self.sql("clocks.sql")).to_pandas()
        rows.insert(2, "utc_offset", [_offset(minutes) for minutes in rows.pop("offset_minutes")])
        for column in ("local_from", "local_to"):
            rows[column] = [_second(time) for time in rows[column]]
        return rows

    def tbl_skew(self) -> pd.DataFrame:
        """Give the estimated difference of the clocks of host pairs, in milliseconds."""
        return self.view.table("SELECT * FROM skew ORDER BY host_id, other_host_id").to_pandas()

    def say_verdict(self) -> str:
        """Say in one sentence what was captured and whether anything was lost, in Markdown."""
        told = self.say_captured().removesuffix(".")
        return f"{told}; {'data was lost' if self.captured.losses else 'nothing was lost'}."

    def key_figures(self) -> list[Evidence]:
        """Give how much was read, of whom, over which time, and what weakens it."""
        captured = self.captured
        source = "captures of the case"
        found = [
            Evidence("captures read", len(captured.read), "", source),
            Evidence("hosts", len(captured.hosts), "", source),
            Evidence("rows", sum(row["rows"] or 0 for row in captured.read), "", source),
        ]
        if captured.span:
            length = (captured.span[1] - captured.span[0]).total_seconds()
            found.append(Evidence("time they span", length, "s", source))
        unread = len(captured.captures) - len(captured.read)
        found.append(Evidence("files not read", unread, "", source))
        gaps = len(self.gaps) + len(self.errorlog_gaps)
        found.append(Evidence("gaps", gaps, "", source))
        return found

    def say_summary(self) -> str:
        """Say what there is, what is damaged, and how well clocks are known, in Markdown."""
        parts = [
            *filter(None, [self.say_collected()]),
            self.say_captured(),
            self.say_unread(),
            self.say_damage(),
            self._say_clocks(),
        ]
        return "\n\n".join([*filter(None, [self.say_settings()]), *parts])

    def say_settings(self) -> str:
        """Say which settings that lie in the case are in force, in Markdown; empty without any."""
        return turned.say(self.view, thresholds.of(self.view))

    def say_collected(self) -> str:
        """Say what support tools collected, of whom, and what they never do; empty without any."""
        found = self.collected
        if not found.folders:
            return ""
        by_tool = {folder.tool: folder for folder in found.folders}
        parts = [
            _collected_by(tool, [folder for folder in found.folders if folder.tool == tool])
            for tool in by_tool
        ]
        if found.absent:
            hosts = words.listing([md(host) for host in found.absent], 8)
            parts.append(
                f"**Not collected:** {hosts}, part of the group; run the same collection there, too."
            )
        for kind, by in found.lacking.items():
            parts.append(
                f"{words.listing(by)} never {'collects' if len(by) == 1 else 'collect'} {kind}: "
                f"{tools.OPEN[kind]}. To have them, {tools.remedy(kind, by)}."
            )
        return " ".join(parts)

    def say_captured(self) -> str:
        """Say in one sentence how much was captured of whom and when, in Markdown."""
        captured = self.captured
        hosts = [md(host) for host in captured.hosts]
        text = f"**{count(len(captured.read), 'capture')}** of {count(len(hosts), 'host')}"
        if hosts:
            text += f" ({words.listing(hosts, 8)})"
        if captured.span:
            begin, end = captured.span
            length = words.span((end - begin).total_seconds())
            text += f", from {words.moment(begin)} to {words.moment(end)} ({length})"
        return text + "."

    def say_unread(self) -> str:
        """Say how many files were not read, and why, in Markdown."""
        statuses = self.captured.statuses
        rest = [
            f"{count(statuses[status], 'file')} {text}"
            for status, text in (
                ("not_understood", "of no known format"),
                ("recognised", "known and deliberately not read"),
                ("empty", "empty"),
                ("failed", "that could not be decoded"),
                ("unreadable", "that could not be opened"),
            )
            if statuses[status]
        ]
        return f"Beside them: {words.listing(rest)}." if rest else "Every file of the case was read."

    def say_damage(self) -> str:
        """Say in one sentence what is damaged, in Markdown: every report opens with it."""
        captured = self.captured
        if not captured.losses and not captured.not_read:
            minor = sum(row["count"] for row in captured.warnings)
            told = f" ({count(minor, 'minor fault')} in {_files(captured.warnings)})" if minor else ""
            return f"No damage: nothing was lost while reading{told}."
        parts = []
        if captured.losses:
            parts.append(f"data is lost in {_files(captured.losses)}")
        if captured.not_read:
            names = words.listing([md(row["path"]) for row in captured.not_read])
            parts.append(f"{count(len(captured.not_read), 'file')} could not be read ({names})")
        return f"**Damage:** {' and '.join(parts)}."

    def _say_clocks(self) -> str:
        captured = self.captured
        told = []
        if captured.local_only:
            told.append(
                f"{count(len(captured.local_only), 'capture')} in local time with no known offset from UTC"
            )
        limit = thresholds.of(self.view).skew_ms
        for row in self.skew:
            if row["ms"] is not None and abs(row["ms"]) > limit:
                ahead, behind = (row["host_id"], row["other_host_id"])[:: 1 if row["ms"] > 0 else -1]
                apart = words.span(abs(row["ms"]) / 1000)
                told.append(f"the clock of {md(ahead)} is {apart} ahead of {md(behind)}")
        if told:
            return f"**Clocks:** {words.listing(told)}."
        return "Clocks: every time is known in UTC" + (
            ", and no two hosts are far apart." if self.skew else "; the skew between hosts was not measured."
        )  # fmt: skip


def _collected_by(tool: str, folders: list[tools.Folder]) -> str:
    """Say in one sentence what a tool left: of whom, in which scenario, how much of it is read."""
    hosts = [md(host) for host in sorted({host for each in folders for host in each.hosts})]
    scenarios = list(dict.fromkeys(name for each in folders for name in each.scenarios))
    statuses = sum((each.statuses for each in folders), Counter[str]())
    versions = list(dict.fromkeys(each.version for each in folders if each.version))
    text = f"**Collected by {' '.join([tool, words.listing(versions)]).strip()}**"
    if hosts:
        text += f" on {words.listing(hosts, 8)}"
    if scenarios:
        what = "scenario" if len(scenarios) == 1 else "scenarios"
        text += f" ({what} {words.listing(scenarios, 12)})"
    rest = [
        f"{count(statuses[status], 'file')} {wording}"
        for status, wording in (
            ("ingested", "read"),
            ("recognised", "known and not needed"),
            ("not_understood", "not understood"),
        )
        if statuses[status]
    ]
    return f"{text}: {words.listing(rest)}." if rest else f"{text}."


def _gave(row: dict[str, Any]) -> str:
    if row["status"] == "ingested":
        return count(row["rows"], "row")
    return row["reason"] or ""


def _files(issues: list[dict[str, Any]]) -> str:
    return count(len({row["path"] for row in issues}), "file")


def _second(time: Any) -> str:
    return "" if time is None or time != time else f"{time:%Y-%m-%d %H:%M:%S}"


def _offset(minutes: int) -> str:
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"

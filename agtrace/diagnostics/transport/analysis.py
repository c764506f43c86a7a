"""The analysis of the log stream between replicas."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.transport import figures, summary, tables
from agtrace.diagnostics.transport.cause import auto_tuning_off
from agtrace.diagnostics.transport.checks import CHECKS
from agtrace.diagnostics.transport.halted import ID, halted
from agtrace.diagnostics.transport.needs import NEEDS
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.diagnostics.transport.study import LinkStudy, Study, study
from agtrace.diagnostics.transport.summary import SAID
from agtrace.errors import CaseError
from agtrace.history import check_database, check_replica
from agtrace.history.streams import Look, Path, Settings, is_between, network_settings, read_paths
from agtrace.measures import Measure
from agtrace.moments import iso
from agtrace.replay.columns import STREAMS
from agtrace.resolve.replicas import same_replica
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.places import MARKDOWN
from agtrace.say.said import Judged
from agtrace.say.strip import Strip

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

    from agtrace.diagnostics.transport.what_if import Asked, Remedies
    from agtrace.replay.blocks import Blocks
    from agtrace.replay.change import Change
    from agtrace.replay.outcome import WhatIf


class Transport(Analysis):
    """The log stream from the primary to each replica, hop by hop.

    Parameters
    ----------
    view
        The opened case.
    start, end
        Only samples from ``start`` (included) to ``end`` (excluded); UTC without a zone.
    replica
        Only this replica, by its name.
    database
        Only findings about this database, or about all databases of a replica.
    """

    name = "transport"
    title = "Log transport"
    question = "Does the log reach every replica, and if not, which hop holds it back?"
    order = 20
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = (*tables.MEASURES, *STREAMS)

    def __init__(
        self,
        view: View,
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        replica: str | None = None,
        database: str | None = None,
    ) -> None:
        super().__init__(view)
        self.check(view, replica=replica, database=database)
        self.start, self.end = start, end
        self.replica, self.database = replica, database
        self._asked: dict[str, tuple[Asked | None, Blocks | None]] = {}

    @classmethod
    def check(cls, view: View, **given: Any) -> None:
        """Check the names of the replica and the database."""
        check_replica(view, given.get("replica"))
        check_database(view, given.get("database"))

    @cached_property
    def study(self) -> Study:
        """Return all results for the case, computed once."""
        return study(self.view, self.start, self.end)

    def links(self, replica: str | None = None) -> list[LinkStudy]:
        """Return the streams that were studied, of one replica or of all."""
        check_replica(self.view, replica)
        wanted = replica or self.replica
        if wanted is None:
            return self.study.links
        means = {wanted.lower(), self.study.facts.names.replica(wanted).lower()}
        return [each for each in self.study.links if each.link.replica.lower() in means]

    def looks(self) -> list[Look]:
        """Return the snapshots of replicas, of one or of all; those in UTC within the requested time."""
        wanted = self.replica and self.study.facts.names.replica(self.replica).lower()
        return [
            look
            for look in self.study.known.looks
            if (not wanted or look.replica.lower() == wanted) and look.is_between(self.start, self.end)
        ]

    @cached_property
    def _sent_received(self) -> list[SentReceived]:
        return sent_received(self.study.known, self.study.links)

    def sent_received(self, replica: str | None = None) -> list[SentReceived]:
        """Return each hop's counts for a replica and how they compare, one entry per link.

        The slowest replica comes first: the one where least of the log flushed arrives.
        """
        wanted = {id(studied.link) for studied in self.links(replica)}
        found = [each for each in self._sent_received if id(each.link) in wanted]
        return sorted(found, key=lambda each: 1.0 if each.arrived_ratio is None else each.arrived_ratio)

    def replicas(self) -> list[str]:
        """Return the replicas that were studied, slowest first."""
        return list(dict.fromkeys(each.link.replica for each in self.sent_received()))

    def only(
        self,
        *,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        replica: str | None = None,
        database: str | None = None,
    ) -> Transport:
        """Return the same analysis for a part of the case; empty texts do not restrict it.

        Raises
        ------
        CaseError
            A text is not an ISO 8601 date and time.
        """
        return Transport(
            self.view,
            start=_moment("start", start),
            end=_moment("end", end),
            replica=replica or None,
            database=database or None,
        )

    def what_if(self, replica: str | None = None, change: Change | None = None) -> WhatIf:
        """Estimate the effect of a change of the stream to a replica (docs/what_if.md).

        Raises
        ------
        CaseError
            There is no such replica, or there are several and ``replica`` is not set.
        """
        from agtrace.diagnostics.transport.what_if import ask, asked
        from agtrace.replay import packing
        from agtrace.replay.change import Change
        from agtrace.replay.what_if import blocks_of

        name = self._one(replica)
        links = self.links(name)
        if name not in self._asked:
            self._asked[name] = asked(self.study, links), blocks_of(self.view, name)
        stream, blocks = self._asked[name]
        wanted = change or Change()
        packed = packing.of_view(self.view) if wanted.compression is not None else None
        return ask(stream, blocks, name, wanted, self.study, packed)

    @cached_property
    def _remedies(self) -> list[Remedies]:
        from agtrace.diagnostics.transport.what_if import asked, remedies
        from agtrace.replay.what_if import blocks_of

        found = []
        for name in self.replicas():
            stream = asked(self.study, self.links(name))
            if stream is not None and stream.studied.link.secondary is not None:
                told = remedies(stream, blocks_of(self.view, name), self.study)
                found += [told] if told is not None else []
        return found

    def say_what_if(self) -> str:
        """Describe the estimated gain of the remedy for each limited stream, in Markdown."""
        from agtrace.replay import outcome as estimates

        if not self._remedies:
            return estimates.SAID.text("what_if.nothing", {}, MARKDOWN)
        without = [
            estimates.SAID.text("what_if.no_remedy", {"replica": each.replica, "limit": each.limit}, MARKDOWN)
            for each in self._remedies
            if each.remedy is None
        ]
        told = [each.remedy for each in self._remedies if each.remedy is not None]
        return "\n\n".join([*without, *([estimates.page(told, self.study.limits)] if told else [])])

    def tbl_what_if(self) -> pd.DataFrame:
        """Return one row per limited replica and change: its estimated gain."""
        from agtrace.replay import figures as replays

        return replays.streams(each for told in self._remedies for each in told.all)

    def fig_what_if(self) -> Figure:
        """Draw the send queue and the loss, captured and with the remedy, with its band."""
        from agtrace.replay import figures as replays

        return replays.course([each.remedy for each in self._remedies if each.remedy is not None])

    def asked_about(self) -> list[str]:
        """Return the replicas with captured streams or log blocks: those `what_if` accepts."""
        streams = list(dict.fromkeys(each.link.replica for each in self.study.links))
        return [*streams, *self._of_blocks]

    def _one(self, replica: str | None) -> str:
        """Return the replica that is meant, as the captures write it."""
        wanted = replica or self.replica
        names = self.asked_about()
        if wanted is None and len(names) == 1:
            return names[0]
        for name in names:
            if wanted is not None and same_replica(self.study.facts.names.replica(wanted), name):
                return name
        there = (
            f"there are: {', '.join(names)}" if names else "no replica's stream or log blocks were captured"
        )
        if wanted is None:
            raise CaseError(
                "several replicas: choose one with --replica" if names else "nothing to replay", there
            )
        raise CaseError(f"no replica is called {wanted!r}", there)

    @cached_property
    def _of_blocks(self) -> list[str]:
        """Replicas that log blocks name and no stream does."""
        if not self.view.has_rows("log_blocks"):
            return []
        known = {each.link.replica.lower() for each in self.study.links}
        rows = self.view.rows(
            "select distinct coalesce(replica, replica_host) as name from log_blocks "
            "where coalesce(replica, replica_host) is not null order by 1"
        )
        return [row["name"] for row in rows if row["name"].lower() not in known]

    def missing(self) -> list[str]:
        """Return the missing input; empty if the counters of a group were captured."""
        if self.study.halted or self._auto_tuning():
            return []
        return [SAID.text(*question) for question in summary.missing(self.study)]

    def not_captured(self) -> list[str]:
        """Return what is unknown because it was not captured; plain text."""
        found = [SAID.text(*question) for question in summary.not_captured(self.study, self.links())]
        return [*self.missing(), *dict.fromkeys(found)]

    def findings(self) -> list[Finding]:
        """Return the verdicts, data loss, redo time and commit wait, most severe first."""
        judged = summary.verdicts(self.study, self.links(), self.looks())
        found = SAID.findings([*judged, *self._halted(), *self._auto_tuning()])
        if self.database is not None:
            wanted = self.database.lower()
            found = [f for f in found if wanted in f.subject.get("database", wanted).lower()]
        return by_severity(found)

    def _halted(self) -> list[Judged]:
        """Return suspended databases in snapshots, within the window and of the selected replica."""
        rows = [
            row
            for row in self.study.halted
            if (self.replica is None or same_replica(row.who, self.replica))
            and is_between(row.last, self.start, self.end)
        ]
        own = [verdict for studied in self.links() for verdict in studied.verdicts]
        return halted(rows, [each.link.replica for each in own if each.kind.id == ID])

    def _auto_tuning(self) -> list[Judged]:
        """Return the hosts whose auto-tuning is off, if no stream shows its effect."""
        if self.study.links:
            return []
        wanted = self.replica and self.study.facts.names.host_id(self.replica)
        return auto_tuning_off(one for one in self._settings if wanted in (None, one.host))

    def strips(self) -> list[Strip]:
        """Return the chain of each replica in five steps, the slow one marked."""
        return figures.strips(self.sent_received(), self.links())

    def say_summary(self) -> str:
        """Return the answer in Markdown: a few sentences, then one paragraph per replica."""
        return SAID.page("summary", summary.answer(self.study, self.links(), self.findings()))

    def say_missing(self) -> str:
        """Return what is unknown, in Markdown; "" if nothing is."""
        return SAID.page("missing", {"open": self.not_captured()})

    def tbl_looks(self) -> pd.DataFrame:
        """Return one row per snapshot, replica and database: state, queues (KB), rates (KB/s), lag (s)."""
        return tables.looks(self.looks())

    def say_sent_received(self, replica: str | None = None) -> str:
        """Compare in Markdown the bytes sent to each replica with those received."""
        return SAID.page("sent_received", summary.of_links(self.sent_received(replica), self.study.limits))

    def tbl_sent_received(self, replica: str | None = None) -> pd.DataFrame:
        """Return one row per replica and hop: kind of bytes, rates (per second), totals, shares.

        ``of_flushed`` and ``of_sent`` are ratios to the log flushed and to the bytes sent, over the time in
        which both sides have samples; empty if the units differ. ``covered`` is the share of the window with
        samples of the hop, ``compared`` with samples of both sides.
        """
        return tables.sent_received(self.sent_received(replica))

    def tbl_sent_received_over_time(self, replica: str | None = None) -> pd.DataFrame:
        """Return one row per replica and block of time: ratios of received to sent and to flushed."""
        return tables.sent_received_over_time(self.sent_received(replica))

    def fig_sent_received(self, replica: str | None = None) -> Figure:
        """Draw the bytes sent to a replica against those received: log, wire, cards, ratio."""
        return figures.sent_received(self.sent_received(replica))

    def figs_sent_received(self) -> list[Figure]:
        """Draw sent against received for each replica, the slowest first."""
        return [self.fig_sent_received(replica) for replica in self.replicas()]

    @cached_property
    def _settings(self) -> list[Settings]:
        return network_settings(self.view, self.study.facts.names)

    def _paths(self) -> list[Path]:
        return read_paths([studied.link for studied in self.links()], self.study.known)

    def say_paths(self) -> str:
        """Describe in Markdown how the paths to the replicas differ, and which TCP settings are odd."""
        return SAID.page("paths", summary.of_paths(self._paths(), self._settings))

    def tbl_paths(self) -> pd.DataFrame:
        """Return one row per replica and card: bulk copy, round trip, stream, card; bytes and bits."""
        return tables.network_paths(self._paths())

    def tbl_tcp_settings(self) -> pd.DataFrame:
        """Return one row per host: its TCP settings, the odd ones marked ``(!)``."""
        return tables.tcp_settings(self._settings)

    def tbl_chain(self) -> pd.DataFrame:
        """Return one row per replica and database: rates (bytes/s) at each hop, queues (bytes)."""
        return tables.chain(self.links())

    def tbl_roles(self) -> pd.DataFrame:
        """Return each host's roles over time, with the source."""
        return tables.roles(self.study)

    def tbl_rpo_rto(self) -> pd.DataFrame:
        """Return data loss and redo time (seconds) per replica and database."""
        return tables.rpo_rto(self.links())

    def fig_chain(self, replica: str | None = None) -> Figure:
        """Draw log flushed, received and redone over time, and the send queue, per replica."""
        return figures.chain(self.links(replica), self.findings())

    def fig_queues(self) -> Figure:
        """Draw the log send queue and the recovery queue of each replica over time."""
        return figures.queues(self.links(), self.host_colours)

    def fig_rates(self) -> Figure:
        """Draw the log flushed on the primary and the log received by each replica."""
        return figures.rates(self.links(), self.host_colours)

    def fig_rpo(self) -> Figure:
        """Draw the estimated data loss of each database over time."""
        return figures.rpo(self.links())

    def fig_window(self) -> Figure:
        """Draw the capacity of one unscaled TCP window over the round trip, and the measured rates."""
        return figures.window(self.links())


def _moment(name: str, given: datetime | str | None) -> datetime | None:
    if not given or isinstance(given, datetime):
        return given or None
    if (time := iso(given)) is None:
        raise CaseError(f"{name} = {given!r} is no time", "write it as 2024-03-05T12:00:00Z")
    return time

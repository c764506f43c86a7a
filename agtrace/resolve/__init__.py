"""Resolve what no single file shows: its host, its UTC offset, and which of several copies counts.

Pure functions of the commit records and of the paths of captures; decoded data is not rewritten when the
result changes.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from agtrace.resolve.clocks import StatedOffset, Stretch, stated_offsets, stretches
from agtrace.resolve.hosts import Attribution, Configuration, Hosts, attribute
from agtrace.resolve.names import host_name
from agtrace.resolve.offsets import Offset, is_offset
from agtrace.store import CommitRecord, FoundCapture

__all__ = ["Resolved", "ResolvedCapture", "host_name", "resolve"]


@dataclass(frozen=True)
class ResolvedCapture:
    """A capture with its host and its clock."""

    capture_id: str
    found: FoundCapture
    record: CommitRecord | None
    host: Attribution
    stretches: tuple[Stretch, ...] = ()

    @property
    def status(self) -> str:
        """Status of the captures table."""
        if self.record:
            return self.record.status
        return self.found.status or "failed"

    @property
    def reason(self) -> str:
        """Why it was not (fully) read."""
        return self.record.reason if self.record else self.found.reason


@dataclass(frozen=True)
class Resolved:
    """The case as a whole."""

    captures: list[ResolvedCapture]
    hosts: Hosts
    zones: dict[str, str] = field(default_factory=dict)


def resolve(
    configuration: Configuration,
    captures: list[FoundCapture],
    records: dict[str, CommitRecord],
    utc_offsets: Mapping[str, Offset] | None = None,
) -> Resolved:
    """Resolve hosts and clocks over the whole case.

    Parameters
    ----------
    configuration
        Contents of ``hosts.toml`` of the case.
    captures, records
        Captures and commit records of the store.
    utc_offsets
        Minutes local minus UTC, or a time zone, by host name, ``"*"`` for every host; used only for unknown
        offsets.
    """
    hosts = attribute(captures, records, configuration)
    overrides = {
        hosts.canonical(name) or name: given
        for name, given in (utc_offsets or {}).items()
        if is_offset(given)
    }
    stated: dict[str, list[StatedOffset]] = defaultdict(list)
    for capture in captures:
        record = records.get(capture.content_id or "")
        where = hosts.attributions.get(capture.path)
        if record and where and where.host_id:
            stated[where.host_id] += stated_offsets(record)
    resolved = []
    for capture in captures:
        record = records.get(capture.content_id or "")
        where = hosts.attributions.get(capture.path, Attribution(None, "not a capture"))
        found: list[Stretch] = []
        if record and record.part:
            override = overrides.get(where.host_id or "", overrides.get("*"))
            found = stretches(record, stated[where.host_id] if where.host_id else [], override)
        resolved.append(ResolvedCapture(_capture_id(capture), capture, record, where, tuple(found)))
    return Resolved(resolved, hosts, _zones(resolved))


def _capture_id(capture: FoundCapture) -> str:
    text = f"{capture.content_id or ''}\n{capture.path}"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _zones(captures: list[ResolvedCapture]) -> dict[str, str]:
    zones: dict[str, str] = {}
    for capture in captures:
        if capture.record and capture.host.host_id:
            for fact in capture.record.summary.facts:
                if (fact.topic, fact.key) == ("pdh_header", "zone_name"):
                    zones.setdefault(capture.host.host_id, fact.value)
    return zones

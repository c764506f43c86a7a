"""Check that a capture can belong to a host, since a folder may contain files of other hosts.

A file that names no machine is attributed to the host of the files beside it, unless its platform, version,
instance or times contradict that host.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from agtrace.resolve.platforms import OF_READER, platform_of
from agtrace.store import CommitRecord

FAR = timedelta(days=180)
"""Captures of one host that are further apart in time than this hardly belong to one case."""
_VERSIONS = {("startup", "product_version"), ("server_property", "ProductVersion")}


@dataclass(frozen=True)
class Nature:
    """Properties of the writer of a capture; empty if unknown.

    Parameters
    ----------
    platforms
        Linux, Windows.
    versions
        Major versions of SQL Server: "14".
    """

    platforms: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()
    instances: frozenset[str] = frozenset()
    spans: tuple[tuple[datetime, datetime], ...] = field(default=())

    def __or__(self, other: Nature) -> Nature:
        """Return what two captures of one writer show about it."""
        return Nature(
            self.platforms | other.platforms,
            self.versions | other.versions,
            self.instances | other.instances,
            (*self.spans, *other.spans),
        )


def nature_of(record: CommitRecord) -> Nature:
    """Return what a capture shows about its writer."""
    summary = record.summary
    told = [((fact.topic, fact.key), fact.value) for fact in summary.facts]
    platforms = {platform_of(value) for key, value in told if key == ("startup", "os")}
    platforms.add(OF_READER.get(record.reader or ""))
    majors = {value.split(".", 1)[0] for key, value in told if key in _VERSIONS}
    instances = {value.upper() for key, value in told if key == ("startup", "sql_instance")}
    return Nature(
        frozenset(name for name in platforms if name),
        frozenset(major for major in majors if major.isdigit()),
        frozenset(instances | {name.upper() for name in summary.sql_instances}),
        (summary.span,) if summary.span else (),
    )


def natures(records: Iterable[tuple[str, CommitRecord]]) -> dict[str, Nature]:
    """Return what the captures of each host show about it."""
    found: dict[str, Nature] = {}
    for host, record in records:
        found[host] = found.get(host, Nature()) | nature_of(record)
    return found


def contradiction(stranger: Nature, host: Nature, *, is_put_there: bool = False) -> str:
    """Explain why a capture is not of a host; empty if nothing contradicts it.

    Parameters
    ----------
    is_put_there
        Whether it was put into a folder named after the host: other instances, versions and years are then
        possible, another operating system is not.
    """
    if is_put_there:
        stranger = Nature(platforms=stranger.platforms)
    for mine, its, what in (
        (stranger.platforms, host.platforms, ""),
        (stranger.versions, host.versions, "SQL Server version "),
        (stranger.instances, host.instances, "instance "),
    ):
        if mine and its and mine.isdisjoint(its):
            return f"it is of {what}{_listed(mine)}, that host of {what}{_listed(its)}"
    if stranger.spans and host.spans and _apart(stranger, host) > FAR:
        return f"it is of {_years(stranger)}, what is known of that host of {_years(host)}"
    return ""


def _apart(one: Nature, other: Nature) -> timedelta:
    return min(max(a[0] - b[1], b[0] - a[1], timedelta(0)) for a in one.spans for b in other.spans)


def _years(nature: Nature) -> str:
    first = min(begin for begin, _end in nature.spans).date().isoformat()
    last = max(end for _begin, end in nature.spans).date().isoformat()
    return first if first == last else f"{first} to {last}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))

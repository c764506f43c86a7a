"""The two cases, and which host, group and replica of the one is which of the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError
from agtrace.history import View
from agtrace.say.finding import Finding
from agtrace.store.sql_files import beside

if TYPE_CHECKING:
    from agtrace.case import Case

sql = beside(__file__)

BY_NAME, BY_ROLE, GIVEN, ALONE = "name", "role", "given", "alone"
"""How hosts of the two cases were matched."""
HOSTS = ("host", "other_host", "replica", "primary", "from", "to", "source", "target", "server")
"""Keys of a finding's subject that contain hosts."""


@dataclass
class Side:
    """One of the two cases.

    Parameters
    ----------
    name
        Name of the case.
    view
        Its relations.
    findings
        The findings of each question.
    unanswered
        The missing captures of each unanswered question.
    has_failed
        Whether a capture could not be read, or a question failed.
    """

    name: str
    view: View
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    unanswered: dict[str, list[str]] = field(default_factory=dict)
    has_failed: bool = False

    @classmethod
    def of(cls, case: Case, name: str) -> Side:
        """Ask a case all its questions."""
        from agtrace.diagnostics import analyses

        unanswered = case.unanswered()
        found = {each: [] if each in unanswered else case.answers(each) for each in analyses()}
        # A failed question cannot show which findings went.
        unanswered |= {each: [str(error)] for each, error in case.failures.items()}
        has_failed = bool(case.failures or (case.ingested and case.ingested.failed))
        return cls(name, case.view, found, unanswered, has_failed)

    @cached_property
    def hosts(self) -> list[str]:
        """Its hosts, in the order of their names."""
        rows = self.view.rows("select host_id from hosts where host_id is not null order by 1")
        return [row["host_id"] for row in rows]

    @cached_property
    def groups(self) -> list[str]:
        """Its availability groups."""
        query = "select distinct ag from roles where ag is not null order by 1"
        return [row["ag"] for row in self.view.rows(query)]

    @cached_property
    def roles(self) -> dict[str, str]:
        """Return the last known role of each host: primary, synchronous secondary, ..."""
        return {row["host"]: row["role"] for row in self.view.rows(sql("roles.sql"))}


@dataclass(frozen=True)
class Matched:
    """A host of both cases.

    Parameters
    ----------
    before, after
        Its names.
    by
        How it was matched.
    role
        Its role, if matched by role.
    """

    before: str
    after: str
    by: str
    role: str = ""

    @property
    def name(self) -> str:
        """Return the name; both names if they differ."""
        return self.before if self.before == self.after else f"{self.before} / {self.after}"


@dataclass(frozen=True)
class Pairing:
    """The matching hosts and groups of the two cases.

    Parameters
    ----------
    hosts
        Hosts of both cases.
    groups
        Names of groups of the second case, by those of the first.
    left
        Hosts of the first and of the second case without a match.
    """

    hosts: tuple[Matched, ...]
    groups: dict[str, str]
    left: tuple[tuple[str, ...], tuple[str, ...]]

    @cached_property
    def _names(self) -> tuple[dict[str, Matched], dict[str, Matched]]:
        return {each.before: each for each in self.hosts}, {each.after: each for each in self.hosts}

    def host(self, name: str, place: int) -> str:
        """Return the name that a host of either case has in the comparison."""
        found = self._names[place].get(name)
        return found.name if found else name

    @cached_property
    def _groups(self) -> tuple[dict[str, str], dict[str, str]]:
        both = {one: one if one == other else f"{one} / {other}" for one, other in self.groups.items()}
        return both, {other: both[one] for one, other in self.groups.items()}

    def group(self, name: str, place: int) -> str:
        """Return the name that a group of either case has in the comparison."""
        return self._groups[place].get(name, name)

    def subject(self, subject: Mapping[str, str], place: int) -> dict[str, str]:
        """Return the subject of a finding with the names of the comparison."""
        found = {}
        for key, value in subject.items():
            is_host = key in HOSTS
            found[key] = self.host(value, place) if is_host else value
            if key == "ag":
                found[key] = self.group(value, place)
        return found


def paired(before: Side, after: Side, hosts: Mapping[str, str] | None = None) -> Pairing:
    """Match the hosts: as given, by name, else by role if that leaves one on each side.

    Raises
    ------
    CaseError
        A given host is in neither case, or given twice.
    """
    found = _given(before, after, hosts or {})
    taken = {each.before for each in found}, {each.after for each in found}
    first, second = (
        [h for h in side.hosts if h not in own] for side, own in zip((before, after), taken, strict=True)
    )
    common = set(first) & set(second)
    found += [Matched(host, host, BY_NAME) for host in first if host in common]
    first, second = ([host for host in side if host not in common] for side in (first, second))
    by_role = _by_role(before, first), _by_role(after, second)
    for role in sorted(by_role[0].keys() & by_role[1].keys() - {""}):
        one, other = (side[role] for side in by_role)
        if len(one) == len(other) == 1:
            found.append(Matched(one[0], other[0], BY_ROLE, role))
            first.remove(one[0])
            second.remove(other[0])
    if len(before.hosts) == len(after.hosts) == len(first) == len(second) == 1:
        found.append(Matched(first.pop(), second.pop(), ALONE))
    return Pairing(
        tuple(sorted(found, key=lambda m: m.before)), _groups(before, after), (tuple(first), tuple(second))
    )


def _given(before: Side, after: Side, hosts: Mapping[str, str]) -> list[Matched]:
    found: list[Matched] = []
    for one, other in hosts.items():
        for name, side in ((one, before), (other, after)):
            if name.upper() not in side.hosts:
                raise CaseError(
                    f"{side.name} has no host {name!r}", f"it has {', '.join(side.hosts) or 'none'}"
                )
        found.append(Matched(one.upper(), other.upper(), GIVEN))
    if len({each.before for each in found}) < len(found) or len({each.after for each in found}) < len(found):
        raise CaseError("a host cannot be two others", "give each host once")
    return found


def _by_role(side: Side, hosts: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for host in hosts:
        found[side.roles.get(host, "")].append(host)
    return found


def _groups(before: Side, after: Side) -> dict[str, str]:
    found = {name: name for name in before.groups if name in after.groups}
    first, second = ([name for name in side.groups if name not in found] for side in (before, after))
    # The only one on each side is the same, whatever it is called.
    if not found and len(first) == len(second) == 1:
        found[first[0]] = second[0]
    return found


def records(side: Side, query: str, **given: Any) -> list[dict[str, Any]]:
    """Run one of the queries of this folder on a side."""
    return side.view.rows(sql(query), given)

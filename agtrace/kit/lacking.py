"""Data that a kit collects and a case lacks: per host, and the unmet needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agtrace.kit.pieces import COUNTERS, SESSION, Piece
from agtrace.kit.plan import VERSIONS, KitKind, Plan, kinds, plan

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics.need import Need

ANY_HOST = "one of them"
PRODUCTS = """
    select distinct try_cast(value as integer) as year from facts where topic = 'startup' and key = 'product'
"""


@dataclass(frozen=True)
class Lacking:
    """Data that a case lacks for the answer of one kit.

    Parameters
    ----------
    plan
        A kit that collects only the missing data.
    hosts
        Each host with the titles of its missing pieces.
    """

    plan: Plan
    hosts: tuple[tuple[str, tuple[str, ...]], ...]


def lacking(case: Case, names: Sequence[str] = (), version: int | None = None) -> list[Lacking]:
    """Return the data that a case lacks, by kit.

    Parameters
    ----------
    case
        The opened case.
    names
        Kits to check; if empty, those whose question the case answers at least partly.
    version
        Version of SQL Server; None: that of the oldest server with a known version.

    Raises
    ------
    CaseError
        There is no such kit, or it is not for this version.
    """
    wanted = [kinds()[name] for name in names] or _asked(case)
    found = [_lacking(case, kind, version or _version(case, kind)) for kind in wanted]
    return [each for each in found if each.hosts]


def _asked(case: Case) -> list[KitKind]:
    """Return the kits of questions that the case can partly answer."""
    unanswered = case.unanswered([kind.questions[0] for kind in kinds().values()])
    begun = [kind for kind in kinds().values() if kind.questions[0] not in unanswered]
    return [kind for kind in begun if not case.analysis(kind.questions[0]).say_nothing()]


def _version(case: Case, kind: KitKind) -> int | None:
    years = [row["year"] for row in case.view.rows(PRODUCTS) if row["year"] in VERSIONS]
    return max(min(years), kind.least) if years else None


def _lacking(case: Case, kind: KitKind, version: int | None) -> Lacking:
    whole = plan(kind, version)
    members = case.overview.members or [row["host_id"] for row in case.view.rows("select host_id from hosts")]
    by_host: dict[str, list[str]] = {host: [] for host in members}
    needs: dict[Need, None] = {}
    pieces = []
    for piece in whole.pieces:
        asked = [need for need in whole.needs if piece.gives(need)]
        short = _short_of(case, piece, asked, members)
        for host in short:
            by_host.setdefault(host, []).append(piece.title)
        if short:
            pieces.append(piece.name)
            needs |= dict.fromkeys(_open(case, piece, asked))
    told = tuple((host, tuple(titles)) for host, titles in by_host.items() if titles)
    return Lacking(plan(kind, version, needs, pieces), told)


def _short_of(case: Case, piece: Piece, asked: Sequence[Need], members: Sequence[str]) -> list[str]:
    """Name the hosts of which a piece is not there; of one that serves for all: any of them."""
    if piece.name in (COUNTERS, SESSION):
        named = [need for need in asked if need.kind != "relation"]
        short = {host for need in named if need.is_of_all for host in set(members) - need.hosts(case.view)}
        if not members and not all(need.is_met(case.view) for need in named):
            return [ANY_HOST]
        return [host for host in members if host in short]
    seen = {row["host_id"] for row in case.view.rows(piece.seen) if row["host_id"]}
    if piece.only_once:
        return [] if seen else [ANY_HOST]
    return [host for host in members if host not in seen] if members else [] if seen else [ANY_HOST]


def _open(case: Case, piece: Piece, asked: Sequence[Need]) -> list[Need]:
    """Return the needs that require an optional piece."""
    if piece.name not in (COUNTERS, SESSION):
        return list(asked)
    members = set(case.overview.members)
    return [
        need
        for need in asked
        if need.kind == "relation"
        or not need.is_met(case.view)
        or (need.is_of_all and members - need.hosts(case.view))
    ]

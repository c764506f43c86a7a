"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class CardGroups(NamedTuple):
    """A row of card_groups.sql."""

    ag: str
    kind: str | None
    cluster_type: str | None
    failure_condition_level: int | None
    health_check_timeout_ms: int | None


class CardHosts(NamedTuple):
    """A row of card_hosts.sql."""

    host_id: str
    instance: str | None
    version: str | None
    product: str | None
    level: str | None
    edition: str | None
    os: str | None
    processors: int | None
    memory_mb: int | None
    kinds: list[str]
    first: datetime | None
    last: datetime | None


class CardListeners(NamedTuple):
    """A row of card_listeners.sql."""

    ag: str
    name: str
    port: int | None
    ip_address: str | None
    state: str | None


class CardOptions(NamedTuple):
    """A row of card_options.sql."""

    ag: str
    replica: str
    option: str
    value: str


class CardRoles(NamedTuple):
    """A row of card_roles.sql."""

    ag: str
    host_id: str
    role: str
    since: datetime | None

"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Azure(NamedTuple):
    """A row of azure.sql."""

    azure: str | None


class Captures(NamedTuple):
    """A row of captures.sql."""

    content_id: str
    path: str
    host_id: str | None
    sql_instance: str | None


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


class ClusterLogs(NamedTuple):
    """A row of cluster_logs.sql."""

    host: str


class Connected(NamedTuple):
    """A row of connected.sql."""

    host_id: str
    replica: str
    time: datetime
    content_id: str
    line: int | None


class FailoversReason(NamedTuple):
    """A part of a row: FailoversReason."""

    time: datetime
    own_time: datetime | None
    host_id: str | None
    kind: str
    text: str | None
    source: str | None
    content_id: str | None
    line: int | None


class Failovers(NamedTuple):
    """A row of failovers.sql."""

    failover_id: int
    ag: str
    from_host: str | None
    to_host: str | None
    mode: str
    trigger: str
    cause: str
    start: datetime | None
    end: datetime
    seconds_without_primary: float | None
    start_source: str | None
    confidence: float | None
    reasons: list[FailoversReason]
    against: list[str]
    is_distributed: bool


class Frozen(NamedTuple):
    """A row of frozen.sql."""

    content_id: str
    line: int
    host_id: str
    database: str
    start: datetime | None
    start_local: datetime
    end: datetime | None
    end_local: datetime | None
    seconds: float | None
    before: float | None
    frozen: float | None


class Grouped(NamedTuple):
    """A row of grouped.sql."""

    host_id: str


class Groups(NamedTuple):
    """A row of groups.sql."""

    ag: str
    health_check_timeout_ms: int
    content_id: str
    line: int | None


class IncidentsPart(NamedTuple):
    """A part of a row: IncidentsPart."""

    time: datetime
    host_id: str | None
    kind: str
    text: str | None
    source: str | None
    content_id: str | None
    line: int | None


class Incidents(NamedTuple):
    """A row of incidents.sql."""

    incident_id: int
    start: datetime
    end: datetime
    hosts: list[str]
    failovers: list[int]
    parts: list[IncidentsPart]


class Inner(NamedTuple):
    """A row of inner.sql."""

    content_id: str
    line: int
    error: int
    text: str | None
    at: int


class Kinds(NamedTuple):
    """A row of kinds.sql."""

    host: str
    kind: str
    path: str


class LoginsExample(NamedTuple):
    """A part of a row: LoginsExample."""

    text: str
    content_id: str | None
    line: int | None


class Logins(NamedTuple):
    """A row of logins.sql."""

    host_id: str
    login: str
    ag: str | None
    since: datetime
    n: int
    first: datetime
    last: datetime
    example: LoginsExample


class Members(NamedTuple):
    """A row of members.sql."""

    ag: str
    replica: str


class MembersDown(NamedTuple):
    """A row of members_down.sql."""

    content_id: str
    item: str
    state: str
    votes: int
    host_id: str | None
    time: datetime | None
    time_local: datetime | None
    line: int | None


class NearHealth(NamedTuple):
    """A row of near_health.sql."""

    number: int
    processors: float | None
    tasks: int | None
    threadpool: float | None


class NearTransport(NamedTuple):
    """A row of near_transport.sql."""

    number: int
    text: str
    content_id: str
    line: int | None
    source: str
    host_id: str


class Nodes(NamedTuple):
    """A row of nodes.sql."""

    host_id: str
    sql_instance: str | None
    time: datetime
    node: str
    content_id: str
    line: int | None


class NotedText(NamedTuple):
    """A part of a row: NotedText."""

    text: str
    n: int
    content_id: str | None
    line: int | None


class Noted(NamedTuple):
    """A row of noted.sql."""

    kind: str
    host_id: str
    source: str
    n: int
    first: datetime
    last: datetime
    is_local: bool
    busiest: int
    texts: list[NotedText]


class Offsets(NamedTuple):
    """A row of offsets.sql."""

    host: str
    minutes: int
    since: datetime


class ReadinessDatabases(NamedTuple):
    """A row of readiness_databases.sql."""

    ag: str
    database: str
    replica: str
    host_id: str
    sql_instance: str | None
    is_local: bool
    synchronization_state: str | None
    is_suspended: bool | None
    suspend_reason: str | None
    is_joined: bool | None
    is_failover_ready: bool | None
    log_send_queue_kb: int | None
    redo_queue_kb: int | None
    redo_rate_kb_s: int | None
    last_commit_local: datetime | None
    time_local: datetime
    content_id: str
    line: int | None


class ReadinessMembers(NamedTuple):
    """A row of readiness_members.sql."""

    host_id: str
    node: str
    state: str
    time_local: datetime
    content_id: str
    line: int | None


class ReadinessOptions(NamedTuple):
    """A row of readiness_options.sql."""

    ag: str
    replica: str
    option: str
    value: str
    time: datetime
    content_id: str | None


class ReadinessReplicas(NamedTuple):
    """A row of readiness_replicas.sql."""

    ag: str
    replica: str
    node: str | None
    host_id: str
    sql_instance: str | None
    is_local: bool | None
    role: str | None
    availability_mode: str | None
    failover_mode: str | None
    connected_state: str | None
    synchronization_health: str | None
    last_connect_error: str | None
    time: datetime | None
    time_local: datetime
    capture_id: str
    content_id: str
    line: int | None
    primary_replica: str | None


class Recovered(NamedTuple):
    """A row of recovered.sql."""

    host_id: str
    database: str
    start: datetime
    end: datetime
    content_id: str
    line: int | None


class Replicas(NamedTuple):
    """A row of replicas.sql."""

    ag: str
    replica: str
    availability_mode: str | None
    failover_mode: str | None
    role: str | None
    session_timeout_s: int | None
    synchronization_health: str | None
    content_id: str | None
    line: int | None
    host_id: str | None
    is_distributed: bool


class Resources(NamedTuple):
    """A row of resources.sql."""

    content_id: str
    item: str
    state: str
    type: str | None
    role: str | None
    host_id: str | None
    time: datetime | None
    time_local: datetime | None
    line: int | None


class Restarts(NamedTuple):
    """A row of restarts.sql."""

    host_id: str
    sql_instance: str | None
    kind: str
    asked: datetime | None
    last_sign: datetime | None
    last_sign_by: str | None
    gone_by: datetime
    gone_by_what: str
    missed_since: datetime | None
    missed_by: str | None
    started: datetime
    ready: datetime
    content_id: str | None
    line: int | None
    asked_content_id: str | None
    asked_line: int | None
    last_sign_content_id: str | None


class Seeded(NamedTuple):
    """A row of seeded.sql."""

    database: str
    start: datetime


class Settings(NamedTuple):
    """A row of settings.sql."""

    scope: str
    item: str | None
    setting: str
    value: str
    content_id: str | None
    line: int | None
    host_id: str | None


class Spanned(NamedTuple):
    """A row of spanned.sql."""

    content_id: str
    line: int
    host_id: str
    time: datetime | None
    time_local: datetime
    ms: float
    file: str | None
    since: datetime | None
    since_local: datetime
    since_content_id: str
    since_line: int
    seconds: float


class StandstillsWitness(NamedTuple):
    """A part of a row: StandstillsWitness."""

    time: datetime
    host_id: str | None
    kind: str
    text: str | None
    source: str | None
    content_id: str | None
    line: int | None


class Standstills(NamedTuple):
    """A row of standstills.sql."""

    host_id: str
    sql_instance: str | None
    start: datetime
    end: datetime
    seconds_low: float
    seconds_high: float
    kind: str
    clock_gained_s: float | None
    kept_running: list[str]
    witnesses: list[StandstillsWitness]


class TimelineWitness(NamedTuple):
    """A part of a row: TimelineWitness."""

    source: str | None
    host_id: str | None
    content_id: str | None
    line: int | None


class Timeline(NamedTuple):
    """A row of timeline.sql."""

    time: datetime
    end: datetime | None
    time_local: datetime | None
    ag: str | None
    host_id: str | None
    sql_instance: str | None
    replica: str | None
    database: str | None
    kind: str
    before: str | None
    after: str | None
    value: float | None
    unit: str | None
    sql_percent: float | None
    thing: str | None
    text: str | None
    skew_ms: float | None
    witnesses: list[TimelineWitness]
    sources: list[str]


class Unhealthy(NamedTuple):
    """A row of unhealthy.sql."""

    ag: str | None
    replica: str | None
    database: str | None
    connected_state: str | None
    synchronization_state: str | None
    synchronization_health: str | None
    content_id: str | None
    line: int | None


class UnrecognisedExample(NamedTuple):
    """A part of a row: UnrecognisedExample."""

    text: str
    content_id: str | None
    line: int | None


class Unrecognised(NamedTuple):
    """A row of unrecognised.sql."""

    host_id: str
    severity: int
    n: int
    first: datetime
    last: datetime
    is_local: bool
    worst: int
    example: UnrecognisedExample
    error: int | None


class UntimedLogs(NamedTuple):
    """A row of untimed_logs.sql."""

    host_id: str
    sql_instance: str | None
    first: datetime
    last: datetime


class Versions(NamedTuple):
    """A row of versions.sql."""

    host: str
    version: str
    content_id: str
    line: int | None


class Waits(NamedTuple):
    """A row of waits.sql."""

    host_id: str
    wait_type: str
    n: int
    longest_ms: float
    total_ms: float
    first: datetime
    last: datetime
    peak: datetime
    content_id: str | None
    line: int | None


class WorkersConfigured(NamedTuple):
    """A row of workers_configured.sql."""

    host_id: str
    sql_instance: str
    most: int
    content_id: str
    line: int | None


class WorkersMost(NamedTuple):
    """A row of workers_most.sql."""

    host_id: str
    sql_instance: str
    most: int
    created: int | None
    waiting: int | None
    content_id: str | None

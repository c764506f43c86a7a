"""What a customer should learn of each sample in a minute, written by hand from what it is made to show."""

# ruff: noqa: E501 - one sentence a line
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """The answer as one would tell it, and the finding that a report has to open with.

    Parameters
    ----------
    subject
        The entries of the finding's subject that make it this answer.
    """

    customer: str
    finding: str
    subject: dict[str, str]


TOLD = {
    "log_send_queue": Told(
        "JBSAG3 receives log too slowly, and its send queue went from 204 MB to 786 MB: an unscaled TCP receive window limits it. Let the TCP window scale on JBSAG3 and reconnect its endpoints.",
        "transport.window_limited",
        {"replica": "JBSAG3", "primary": "JBSAG2"},
    ),
    "log_send_queue_ping": Told(
        "JBSAG3 receives log too slowly, and its send queue went from 204 MB to 786 MB: an unscaled TCP receive window limits it. Let the TCP window scale on JBSAG3 and reconnect its endpoints.",
        "transport.window_limited",
        {"replica": "JBSAG3", "primary": "JBSAG2"},
    ),
    "log_send_queue_fixed": Told(
        "After differs from before: log send queue of JBSAG3 327 MB to 30 MB. Repeat each before you rely on a small difference.",
        "compare.difference",
        {"run": "2 (after)", "baseline": "1 (before)"},
    ),
    "backup_tuning": Told(
        "The full backup of TestBackupDB reaches 92.5 MB/s with default buffers and 167 MB/s with 8 x DISK, 100 x 4,096 KB: +81 %. Reading limits it, so more buffers gain nothing.",
        "backup.best_configuration",
        {"database": "TestBackupDB", "operation": "full backup"},
    ),
    "read_only_routing": Told(
        "No read can have been routed: the secondary of a basic group is not readable. For readable secondaries, use a group that is not basic (Enterprise Edition).",
        "workload.routing",
        {"configuration": "Basic AG with read-only routing"},
    ),
    "direct_seeding": Told(
        "Automatic seeding is 3.0 times faster than backup, restore and join. Repeat each at least 5 times before you rely on a small difference.",
        "compare.difference",
        {"database": "GestionCom", "run": "2 (automatic seeding)"},
    ),
    "direct_seeding_cores": Told(
        "Automatic seeding with trace flag 9567 is not faster with 8 cores than with 4: 8 min both.",
        "compare.no_difference",
        {"database": "GestionCom", "baseline": "1 (automatic seeding with trace flag 9567 (cores 4))"},
    ),
    "seeding_compression": Told(
        "Automatic seeding with trace flag 9567 is 3.3 times faster than without it, and the processors of SEEDA did 36 % of the work.",
        "compare.difference",
        {"database": "TestDatabase", "run": "2 (automatic seeding with trace flag 9567)"},
    ),
    "failover_lease_cpu": Told(
        "SalesAG failed over from HASQL1 to HASQL2: another process took 67 % of the processors of HASQL1. Data could have been lost: compare the hardened LSNs on HASQL1 and HASQL2.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "automatic", "cause": "cpu_starvation"},
    ),
    "failover_io_stall": Told(
        "SalesAG failed over from HASQL1 to HASQL2: reads and writes of HASQL1 on E:\\SQLData\\Sales.mdf and L:\\SQLLog\\Sales_log.ldf took up to 36 s. Clients could not work for 2 min 50 s in all; no committed data should be lost.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "automatic", "cause": "long_io"},
    ),
    "failover_planned": Told(
        "SalesAG failed over from HASQL1 to HASQL2: somebody asked for the failover. No committed data should be lost, and no action is needed.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "planned", "cause": "ddl_failover"},
    ),
    "secondary_lost": Told(
        "HASQL3 ended unexpectedly and restarted: read the System event log of that time on HASQL3.",
        "health.restart",
        {"host": "HASQL3", "kind": "died"},
    ),
    "endpoint_certificate": Told(
        "The endpoint of HASQL2 cannot show its certificate to HASQL1: it has expired, and no log moves between the two. Make a new certificate on HASQL2, and give it to its endpoint.",
        "access.endpoint",
        {"host": "HASQL2", "replica": "HASQL1", "kind": "certificate"},
    ),
    "commit_local_disk": Told(
        "Commits of Sales take 31.4 ms: the log disk of SQL1 limits them. Making it twice as fast would save at most 15.7 ms a commit.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_remote_disk": Told(
        "Commits of Sales take 20.3 ms: the log disk of SQL2 limits them. Making it twice as fast would save at most 9.34 ms a commit.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_network": Told(
        "Commits of Sales take 27.8 ms: the network between SQL1 and SQL2 limits them. Making it twice as fast would save at most 12.8 ms a commit.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_redo": Told(
        "SQL2 redoes log more slowly than it arrives: its recovery queue went from 2.7 MB to 89 MB, and a failover waits for what is left.",
        "transport.redo_limited",
        {"replica": "SQL2", "primary": "SQL1"},
    ),
}

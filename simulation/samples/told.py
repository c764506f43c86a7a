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
        "An unscaled TCP window holds back the log on its way to JBSAG3, whose auto-tuning is disabled: set autotuninglevel=normal there, and reconnect the endpoints.",
        "transport.window_limited",
        {"replica": "JBSAG3", "primary": "JBSAG2"},
    ),
    "log_send_queue_ping": Told(
        "An unscaled TCP window holds back the log on its way to JBSAG3, whose auto-tuning is disabled: set autotuninglevel=normal there, and reconnect the endpoints.",
        "transport.window_limited",
        {"replica": "JBSAG3", "primary": "JBSAG2"},
    ),
    "log_send_queue_fixed": Told(
        "After the window scales again it differs from before: log send queue of JBSAG3 327 MB to 30 MB. Repeat each before relying on a small difference.",
        "compare.difference",
        {"run": "2 (after)", "baseline": "1 (before)"},
    ),
    "backup_tuning": Told(
        "The full backup of TestBackupDB was fastest with 8 x DISK, 100 x 4,096 KB, +81 % over the default; reading the database limits it now, so test faster data volumes rather than more buffers.",
        "backup.best_configuration",
        {"database": "TestBackupDB", "operation": "full backup"},
    ),
    "read_only_routing": Told(
        "No read can have been routed: the secondary of a basic group is not readable. Readable secondaries need a group that is not basic (Enterprise Edition).",
        "workload.routing",
        {"configuration": "Basic AG with read-only routing"},
    ),
    "direct_seeding": Told(
        "Automatic seeding of GestionCom is 3.0 times faster than backup, restore and join; repeat each at least 5 times before you rely on small differences.",
        "compare.difference",
        {"database": "GestionCom", "run": "2 (automatic seeding)"},
    ),
    "direct_seeding_cores": Told(
        "Twice the cores do not help: automatic seeding of GestionCom with compression (cores 8) is not faster than with cores 4, 8 min both.",
        "compare.no_difference",
        {"database": "GestionCom", "baseline": "1 (automatic seeding with trace flag 9567 (cores 4))"},
    ),
    "seeding_compression": Told(
        "Automatic seeding of TestDatabase is 3.3 times faster with compression (trace flag 9567), at less work for the processors; repeat each at least 5 times to be sure of the figure.",
        "compare.difference",
        {"database": "TestDatabase", "run": "2 (automatic seeding with trace flag 9567)"},
    ),
    "failover_lease_cpu": Told(
        "SalesAG made an automatic failover from HASQL1 to HASQL2, because another process took most of the processors of HASQL1: the lease is not renewed in time then. HASQL1 thought itself primary for some seconds more, so there were two primaries: compare the databases' Hardened Lsn first, then find what kept the processors busy.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "automatic", "cause": "cpu_starvation"},
    ),
    "failover_io_stall": Told(
        "SalesAG made an automatic failover from HASQL1 to HASQL2, because reads and writes of HASQL1 on E:\\SQLData\\Sales.mdf and L:\\SQLLog\\Sales_log.ldf stalled for minutes: sp_server_diagnostics gives no sign then, and HASQL2 is the primary. Have the storage of the old primary checked.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "automatic", "cause": "long_io"},
    ),
    "failover_planned": Told(
        "Nothing is wrong: somebody asked for the planned failover of SalesAG from HASQL1 to HASQL2 (ALTER AVAILABILITY GROUP), after which HASQL2 is the primary. No action needed.",
        "health.failover",
        {"ag": "SalesAG", "from": "HASQL1", "to": "HASQL2", "mode": "planned", "cause": "ddl_failover"},
    ),
    "secondary_lost": Told(
        "The secondary HASQL3 ended without a word and came back minutes later, the group kept its primary: look in the System event log for the end of the machine.",
        "health.restart",
        {"host": "HASQL3", "kind": "died"},
    ),
    "endpoint_certificate": Told(
        "The endpoint of HASQL2 cannot show its certificate to HASQL1: it has expired, and since its restart the two are not connected. On HASQL2 make a new certificate, and give it to the endpoint.",
        "access.endpoint",
        {"host": "HASQL2", "replica": "HASQL1", "kind": "certificate"},
    ),
    "commit_local_disk": Told(
        "Commits of Sales wait for the log disk of SQL1, the primary's own: a replica makes no difference.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_remote_disk": Told(
        "Commits of Sales wait for the log disk of SQL2, the replica: move its log to a faster disk.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_network": Told(
        "Commits of Sales wait for the network between SQL1 and SQL2: measure the round trip.",
        "commit.hop",
        {"database": "Sales", "replica": "SQL2"},
    ),
    "commit_redo": Told(
        "SQL2 redoes log slower than it arrives, a failover to it would take long: look at data-file latency there.",
        "transport.redo_limited",
        {"replica": "SQL2", "primary": "SQL1"},
    ),
}

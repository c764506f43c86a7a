"""What the customer is told of each sample after a minute: written by hand from what it is made to show.

The phrases are words of the sentence. A report says them, too: in its headline, in the first lines of the
story of its incident, in what to do.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """A sentence to the customer, and which of its words a report says where.

    Parameters
    ----------
    story
        In the order in which they happened; empty where nothing did.
    """

    customer: str
    headline: tuple[str, ...]
    remedy: tuple[str, ...]
    story: tuple[str, ...] = ()


WINDOW = Told(
    "An unscaled TCP window holds back the log on its way to JBSAG3, whose auto-tuning is disabled: set "
    "autotuninglevel=normal there, and reconnect the endpoints.",
    ("unscaled TCP window", "JBSAG3"),
    ("autotuninglevel=normal", "reconnect"),
)

TOLD = {
    "log_send_queue": WINDOW,
    "log_send_queue_ping": WINDOW,
    "log_send_queue_fixed": Told(
        "After the window scales again it differs from before: log send queue of JBSAG3 327 MB to 30 MB. "
        "Repeat each before relying on a small difference.",
        ("differs from before", "log send queue of JBSAG3 327 MB to 30 MB"),
        ("before relying on a small difference",),
    ),
    "backup_tuning": Told(
        "The full backup of TestBackupDB was fastest with 8 x DISK, 100 x 4,096 KB, +81 % over the default; "
        "reading the database limits it now, so test faster data volumes rather than more buffers.",
        ("TestBackupDB", "8 x DISK, 100 x 4,096 KB", "+81 %", "fastest"),
        ("faster data volumes rather than more buffers",),
    ),
    "read_only_routing": Told(
        "No read can have been routed: the secondary of a basic group is not readable. Readable secondaries "
        "need a group that is not basic (Enterprise Edition).",
        ("No read can have been routed", "the secondary of a basic group is not readable"),
        ("not basic (Enterprise Edition)",),
    ),
    "direct_seeding": Told(
        "Automatic seeding of GestionCom is 3.0 times faster than backup, restore and join; repeat each at "
        "least 5 times before you rely on small differences.",
        ("Automatic seeding of GestionCom", "3.0 times faster than backup, restore and join"),
        ("at least 5 times",),
    ),
    "direct_seeding_cores": Told(
        "Twice the cores do not help: automatic seeding of GestionCom with compression (cores 8) is not "
        "faster than with cores 4, 8 min both.",
        ("cores 8", "is not faster", "cores 4", "8 min both"),
        (),
    ),
    "seeding_compression": Told(
        "Automatic seeding of TestDatabase is 3.3 times faster with compression (trace flag 9567), at less "
        "work for the processors; repeat each at least 5 times to be sure of the figure.",
        ("Automatic seeding of TestDatabase", "trace flag 9567", "3.3 times faster"),
        ("at least 5 times",),
    ),
    "failover_lease_cpu": Told(
        "SalesAG made an automatic failover from HASQL1 to HASQL2, because another process took most of the "
        "processors of HASQL1: the lease is not renewed in time then. HASQL1 thought itself primary for some "
        "seconds more, so there were two primaries: compare the databases' Hardened Lsn first, then find "
        "what kept the processors busy.",
        (
            "SalesAG",
            "automatic failover from HASQL1 to HASQL2",
            "another process took",
            "processors of HASQL1",
        ),
        ("Hardened Lsn", "what kept the processors busy"),
        ("another process", "the lease is not renewed in time", "primary", "two primaries"),
    ),
    "failover_io_stall": Told(
        r"SalesAG made an automatic failover from HASQL1 to HASQL2, because reads and writes of HASQL1 on "
        r"E:\SQLData\Sales.mdf and L:\SQLLog\Sales_log.ldf stalled for minutes: sp_server_diagnostics gives "
        r"no sign then, and HASQL2 is the primary. Have the storage of the old primary checked.",
        (
            "SalesAG",
            "automatic failover from HASQL1 to HASQL2",
            r"reads and writes of HASQL1 on E:\SQLData\Sales.mdf and L:\SQLLog\Sales_log.ldf",
        ),
        ("the storage of the old primary checked",),
        (r"L:\SQLLog\Sales_log.ldf", "sp_server_diagnostics gives no sign", "is the primary"),
    ),
    "failover_planned": Told(
        "Nothing is wrong: somebody asked for the planned failover of SalesAG from HASQL1 to HASQL2 "
        "(ALTER AVAILABILITY GROUP), after which HASQL2 is the primary. No action needed.",
        ("SalesAG", "planned failover", "from HASQL1 to HASQL2", "somebody asked for the"),
        ("No action needed",),
        ("ALTER AVAILABILITY GROUP", "is the primary"),
    ),
    "secondary_lost": Told(
        "The secondary HASQL3 ended without a word and came back minutes later, the group kept its primary: "
        "look in the System event log for the end of the machine.",
        ("HASQL3", "ended without a word"),
        ("System", "event log", "of the machine"),
    ),
    "endpoint_certificate": Told(
        "The endpoint of HASQL2 cannot show its certificate to HASQL1: it has expired, and since its restart "
        "the two are not connected. On HASQL2 make a new certificate, and give it to the endpoint.",
        ("The endpoint of HASQL2 cannot show its certificate to HASQL1", "it has expired"),
        ("On HASQL2 make a new certificate",),
    ),
    "commit_local_disk": Told(
        "Commits of Sales wait for the log disk of SQL1, the primary's own: a replica makes no difference.",
        ("Commits of Sales wait for the log disk of SQL1",),
        ("a replica makes no difference",),
    ),
    "commit_remote_disk": Told(
        "Commits of Sales wait for the log disk of SQL2, the replica: move its log to a faster disk.",
        ("Commits of Sales wait for the log disk of SQL2",),
        ("move its log to a faster disk",),
    ),
    "commit_network": Told(
        "Commits of Sales wait for the network between SQL1 and SQL2: measure the round trip.",
        ("Commits of Sales wait for the network between SQL1 and SQL2",),
        ("the round trip",),
    ),
    "commit_redo": Told(
        "SQL2 redoes log slower than it arrives, a failover to it would take long: look at data-file latency "
        "there.",
        ("SQL2 redoes log slower than it arrives",),
        ("data-file latency",),
    ),
}

"""The ERRORLOG of a host in a seeding case, in the wording of SQL Server 2016."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from simulation.formats.errorlog import Log
from simulation.samples.seeding_case_model import PAGE, Host, Model, Seeding, guid
from simulation.samples.seeding_case_xel import Timed, reported, role, starts

NO_ACTION = "This is an informational message only. No user action is required."
NO_ACTION_2 = "This is an informational message; no user action is required."
FOLDER = r"C:\Program Files\Microsoft SQL Server\MSSQL13.MSSQLSERVER\MSSQL"
MORE = (
    "For more information, see the SQL Server error log or cluster log.  If this is a Windows Server "
    "Failover "
    "Clustering (WSFC) availability group, you can also see the WSFC management console."
)
CLUSTER = "availability group state has changed in Windows Server Failover Clustering (WSFC)"
ONLINE = (
    "local replica has completed processing Online command from Windows Server Failover Clustering (WSFC)"
)
STARTING = "local instance of SQL Server is starting up"
JOINING = "local availability replica is joining the availability group"
STOPPING = "local instance of SQL Server is shutting down"
NEVER = "Jan  1 1900 12:00AM"


class Journal:
    """The entries of one file; times are true seconds of the model.

    Parameters
    ----------
    replica
        Id of the host's replica; it may change.
    """

    def __init__(self, model: Model, host: Host, replica: UUID) -> None:
        self.model = model
        self.host = host
        self.replica_id = replica
        self.log = Log()
        self.health: list[Timed] = []
        """What AlwaysOn_health keeps of the same."""
        self.chance = model.noise(f"errorlog {host.name}")

    def say(self, t: float, source: str, text: str, *more: str, number: int | None = None) -> None:
        """Write an entry; messages of the group are known by their ``number`` to AlwaysOn_health."""
        self.log.add(source, text, *more, at=self.model.local(self.host, t))
        if number:
            self.health.append(reported(t, number, text))

    def file(self) -> bytes:
        """Return the file: the entries in time order."""
        self.log.entries.sort(key=lambda entry: entry.time)
        return self.log.windows()

    @property
    def other(self) -> Host:
        return self.model.target if self.host is self.model.source else self.model.source

    def start_up(
        self,
        t: float,
        flags: tuple[int, ...] = (),
        databases: tuple[str, ...] = (),
        active_mask: int | None = None,
    ) -> None:
        """Write the start of the instance; it is ready 3.2 s later.

        Parameters
        ----------
        active_mask
            Processors that SQL Server is bound to, where it is not all of them.
        """
        product, host = self.model.product, self.host
        minutes = abs(self.model.offset_minutes)
        sign = "-" if self.model.offset_minutes < 0 else ""
        lines: list[tuple[float, str, str, tuple[str, ...]]] = [
            (
                0.0,
                "Server",
                f"Microsoft SQL Server {product.name} - {product.version} (X64) ",
                (
                    f"\t{product.built} ",
                    "\tCopyright (c) Microsoft Corporation",
                    f"\tEnterprise Edition: Core-based Licensing (64-bit) on {product.system}",
                    "",
                ),
            ),
            (0.01, "Server", f"UTC adjustment: {sign}{minutes // 60}:{minutes % 60:02d}", ()),
            (0.01, "Server", "(c) Microsoft Corporation.", ()),
            (0.01, "Server", "All rights reserved.", ()),
            (0.01, "Server", f"Server process ID is {self.chance.randrange(1200, 5200, 4)}.", ()),
            (
                0.01,
                "Server",
                "System Manufacturer: 'VMware, Inc.', System Model: 'VMware Virtual Platform'.",
                (),
            ),
            (0.01, "Server", "Authentication mode is WINDOWS-ONLY.", ()),
            (0.01, "Server", rf"Logging SQL Server messages in file '{FOLDER}\Log\ERRORLOG'.", ()),
            (0.01, "Server", rf"The service account is 'CORP\sqlservice'. {NO_ACTION_2}", ()),
            (
                0.01,
                "Server",
                "Registry startup parameters: ",
                (
                    rf"	 -d {FOLDER}\DATA\master.mdf",
                    rf"	 -e {FOLDER}\Log\ERRORLOG",
                    rf"	 -l {FOLDER}\DATA\mastlog.ldf",
                    *(f"\t -T {flag}" for flag in flags),
                ),
            ),
            (0.01, "Server", "Command Line Startup Parameters:", ('\t -s "MSSQLSERVER"',)),
            (
                0.22,
                "Server",
                f"SQL Server detected {host.vcpus} sockets with 1 cores per socket and 1 logical "
                f"processors per socket, "
                f"{host.vcpus} total logical processors; using {host.vcpus} logical processors based on "
                f"SQL Server "
                f"licensing. {NO_ACTION_2}",
                (),
            ),
            (0.22, "Server", f"SQL Server is starting at normal priority base (=7). {NO_ACTION}", ()),
            (0.22, "Server", f"Detected {host.memory_mb} MB of RAM. {NO_ACTION_2}", ()),
            (0.23, "Server", "Using conventional memory in the memory manager.", ()),
            (0.58, "Server", "Default collation: SQL_Latin1_General_CP1_CI_AS (us_english 1033)", ()),
            (
                0.91,
                "Server",
                "Database Instant File Initialization: enabled. For security and performance "
                "considerations see the topic "
                f"'Database Instant File Initialization' in SQL Server Books Online. {NO_ACTION}",
                (),
            ),
            (1.02, "spid6s", "Starting up database 'master'.", ()),
            (1.61, "spid6s", "Resource governor reconfiguration succeeded.", ()),
            (1.87, "spid6s", 'SQL Trace ID 1 was started by login "sa".', ()),
            (1.88, "spid6s", f"Server name is '{host.name}'. {NO_ACTION}", ()),
            (2.04, "spid14s", "A self-generated certificate was successfully loaded for encryption.", ()),
            (2.05, "spid14s", "Server is listening on [ 'any' <ipv6> 1433].", ()),
            (2.05, "spid14s", "Server is listening on [ 'any' <ipv4> 1433].", ()),
            (2.1, "spid20s", f"Always On: The availability replica manager is starting. {NO_ACTION}", ()),
            (2.14, "spid8s", "Starting up database 'mssqlsystemresource'.", ()),
            (2.19, "spid22s", "Starting up database 'msdb'.", ()),
            (2.58, "spid8s", "Starting up database 'model'.", ()),
            (2.81, "spid8s", "Clearing tempdb database.", ()),
            (3.02, "spid8s", "Starting up database 'tempdb'.", ()),
            (3.09, "spid23s", "Server is listening on [ 'any' <ipv4> 5022].", ()),
            (3.1, "spid23s", "The Database Mirroring endpoint is now listening for connections.", ()),
            (3.16, "spid6s", f"Recovery is complete. {NO_ACTION}", ()),
            (3.2, "spid14s", f"SQL Server is now ready for client connections. {NO_ACTION_2}", ()),
        ]
        if active_mask is not None:
            mask = f"0x{2**host.vcpus - 1:016x}:0 Active CPU mask: 0x{active_mask:016x}:0"
            text = (
                f"Node configuration: node 0: CPU mask: {mask}. This message provides a description of the "
                f"NUMA "
                f"configuration for this computer. {NO_ACTION}"
            )
            lines.append((0.57, "Server", text, ()))
        for after, source, text, more in lines:
            number = 26022 if text.startswith("Server is listening") else None
            self.say(t + after, source, text, *more, number=number)
        for number, database in enumerate(databases):
            self.say(t + 2.23 + number / 50, f"spid{24 + number}s", f"Starting up database '{database}'.")

    def stops(self, t: float, *, has_database: bool = True) -> None:
        """Write the stop of the instance, of the primary or of the secondary, with the group's database or
        without.
        """
        say, ag = self.say, self.model.ag
        role = "PRIMARY" if self.host is self.model.source else "SECONDARY"
        say(t - 1.4, "spid6s", f"Always On: The availability replica manager is going offline because SQL "
            f"Server is shutting down. {NO_ACTION}")  # fmt: skip
        say(
            t - 1.35,
            "spid6s",
            f"Always On: The local replica of availability group '{ag}' is stopping. {NO_ACTION}",
        )
        self.replica(t - 1.33, f"{role}_NORMAL", "RESOLVING_NORMAL", STOPPING, "spid6s")
        if has_database:
            self.changes_role(t - 1.3, role, "RESOLVING")
        say(
            t - 1.22,
            "spid6s",
            f"SQL Server is terminating in response to a 'stop' request from Service Control Manager. "
            f"{NO_ACTION}",
        )
        say(t - 0.8, "spid23s", "The Database Mirroring endpoint has stopped listening for connections.")
        say(t - 0.8, "spid23s", "Service Broker manager has shut down.")
        say(t - 0.1, "spid6s", "SQL Server shutdown has been initiated")
        say(
            t - 0.09,
            "spid6s",
            "SQL Trace was stopped due to server shutdown. Trace ID = '1'. This is an informational "
            "message only; no user "
            "action is required.",
        )

    def skip(self, t: float) -> None:
        """Write that the start leaves the group's database to the group."""
        database = self.model.database
        self.say(t, "spid23s", f"Starting up database '{database}'.")
        self.say(t + 0.11, "spid23s", "Error: 35262, Severity: 17, State: 1.")
        self.say(
            t + 0.11,
            "spid23s",
            f"Skipping the default startup of database '{database}' because the database belongs to an "
            f"availability "
            f"group (Group ID:  65536). The database will be started by the availability group. {NO_ACTION}",
        )

    def replica(self, t: float, old: str, new: str, why: str, source: str = "spid21s") -> None:
        """Write message 19406."""
        self.health.append(role(self.model, self.host, self.replica_id, t + 0.001, old, new))
        self.say(
            t,
            source,
            f"The state of the local availability replica in availability group '{self.model.ag}' has "
            f"changed from "
            f"'{old}' to '{new}'.  The state changed because the {why}.  {MORE}",
        )

    def group_starts(self, t: float) -> None:
        """Write how the replica takes its role after a start of the instance."""
        ag = self.model.ag
        self.health += starts(self.model, self.replica_id, t)
        self.say(
            t, "spid20s", f"Always On: The local replica of availability group '{ag}' is starting. "
                f"{NO_ACTION}"
        )  # fmt: skip
        self.replica(t + 0.04, "NOT_AVAILABLE", "RESOLVING_NORMAL", STARTING)
        if self.host is not self.model.source:
            self.replica(t + 0.37, "RESOLVING_NORMAL", "SECONDARY_NORMAL", CLUSTER)
            return
        self.say(
            t + 1.4,
            "spid35",
            f"Always On: The local replica of availability group '{ag}' is preparing to transition to the "
            f"primary role. {NO_ACTION}",
        )
        going = "availability group is coming online"
        self.replica(t + 1.43, "RESOLVING_NORMAL", "PRIMARY_PENDING", going, "spid35")
        self.replica(t + 1.78, "PRIMARY_PENDING", "PRIMARY_NORMAL", ONLINE, "Server")

    def connected(self, t: float, other: UUID) -> None:
        """Write message 35202."""
        self.say(
            t,
            "spid37s",
            f"A connection for availability group '{self.model.ag}' from availability replica "
            f"'{self.host.name}' with id  "
            f"[{str(self.replica_id).upper()}] to '{self.other.name}' with id [{str(other).upper()}] has "
            f"been successfully "
            f"established.  {NO_ACTION}",
            number=35202,
        )

    def changes_role(self, t: float, old: str, new: str) -> None:
        """Write message 1480."""
        self.say(
            t,
            "spid24s",
            f'The availability group database "{self.model.database}" is changing roles from "{old}" to '
            f'"{new}" because the '
            f"mirroring session or availability group failed over due to role synchronization. {NO_ACTION}",
            number=1480,
        )

    def link(self, t: float, what: str, other: UUID, source: str = "spid41s") -> None:
        """Write message 35266 or 35267."""
        is_source = self.host is self.model.source
        theirs, mine = ("secondary", "primary") if is_source else ("primary", "secondary")
        self.say(
            t,
            source,
            f"Always On Availability Groups connection with {theirs} database {what} for {mine} database "
            f"'{self.model.database}' on the availability replica '{self.other.name}' with Replica ID: "
            f"{{{other}}}. {NO_ACTION}",
        )

    def joined(self, t: float, replicas: tuple[UUID, UUID]) -> None:
        """Write that the database joins: its connections, on the secondary its start and its redo."""
        database = self.model.database
        if self.host is self.model.source:
            other = replicas[1]
            policy = f"DbMgrPartnerCommitPolicy::SetSyncAndRecoveryPoint: {str(other).upper()}"
            self.link(t + 0.06, "established", other)
            self.say(t + 0.07, "spid41s", f"{policy}:1")
            self.link(t + 0.31, "established", other, "spid44s")
            self.say(t + 0.32, "spid44s", f"{policy}:1")
            return
        other = replicas[0]
        hardened = f"{39_100 + round(t) // 8}:{1024 + round(t) % 7 * 96}:1"
        state = (
            f"State information for database '{database}' - Hardened Lsn: '({hardened})'    Commit LSN: "
            f"'(0:0:0)'    "
            f"Commit Time: '{NEVER}'"
        )
        self.link(t + 0.07, "established", other)
        self.say(t + 0.09, "spid43s", state)
        self.say(t + 0.13, "spid43s", f"Starting up database '{database}'.")
        self.say(
            t + 0.24,
            "spid43s",
            f"Parallel redo is started for database '{database}' with worker pool size "
            f"[{max(self.host.vcpus // 2, 1)}].",
        )
        self.link(t + 0.33, "established", other, "spid43s")
        self.say(
            t + 0.34,
            "spid43s",
            f"The recovery LSN ({hardened}) was identified for the database with ID "
            f"{self.host.database_id}. {NO_ACTION}",
        )

    def left(self, t: float, other: UUID) -> None:
        """Write that the database leaves the group."""
        self.link(t, "terminated", other)
        if self.host is not self.model.source:
            self.say(
                t + 0.08,
                "spid43s",
                f"Parallel redo is shutdown for database '{self.model.database}' with worker pool size "
                f"[{max(self.host.vcpus // 2, 1)}].",
            )

    def backed_up(self, t: float, database: str, pages: int, seconds: float, device: str, first: int) -> None:
        """Write messages 18264 and 3014 of a full backup that ends."""
        created = f"{datetime(2016, 5, 17, 10, 42, 11 + len(database)):%Y/%m/%d(%H:%M:%S)}"
        self.say(
            t,
            "Backup",
            f"Database backed up. Database: {database}, creation date(time): {created}, pages dumped: "
            f"{pages + 97}, first "
            f"LSN: {first}:1528:37, last LSN: {first + round(seconds) // 8}:904:1, number of dump devices: "
            f"1, device "
            f"information: ({device}). {NO_ACTION}",
        )
        self.say(t + 0.01, "Backup", processed("BACKUP", pages + 2, seconds))

    def restores(self, t: float, session: str) -> None:
        """Write that the database is there, and being restored."""
        database = self.model.database
        self.say(t, session, f"Starting up database '{database}'.")
        self.say(
            t + 0.02,
            session,
            f"The database '{database}' is marked RESTORING and is in a state that does not allow recovery "
            f"to be run.",
        )

    def restored(self, t: float, pages: int, seconds: float, device: str, first: int) -> None:
        """Write messages 18267 and 3014 of a restore that ends."""
        database = self.model.database
        created = f"{datetime(2016, 5, 17, 10, 42, 11 + len(database)):%Y/%m/%d(%H:%M:%S)}"
        self.say(
            t,
            "Backup",
            f"Database was restored: Database: {database}, creation date(time): {created}, first LSN: "
            f"{first}:1528:37, last "
            f"LSN: {first + round(seconds) // 8}:904:1, number of dump devices: 1, device information: "
            f"({device}). "
            "Informational message. No user action required.",
        )
        self.say(t + 0.03, "Backup", processed("RESTORE", pages + 2, seconds))

    def seeded(self, seeding: Seeding) -> None:
        """Write what a seeding leaves in the log: the backup to a virtual device, or its restore."""
        copy = seeding.copy
        pages, first = copy.bytes // PAGE, 38_200 + round(copy.start) // 4
        if self.host is self.model.source:
            device = virtual(seeding.device)
            self.backed_up(copy.end + 0.09, self.model.database, pages, copy.seconds - 0.142, device, first)
        else:
            device = virtual(guid(f"{seeding.label} restore device"))
            self.restores(copy.asked + 0.3, "spid47s")
            self.restored(copy.end + 0.11, pages, copy.seconds - 0.074, device, first)
        self.joined(copy.end + 0.6, seeding.replica_ids)


def processed(what: str, pages: int, seconds: float) -> str:
    """Return message 3014; MB are 2^20 bytes."""
    rate = pages * PAGE / seconds / 2**20
    return (
        f"{what} DATABASE successfully processed {pages} pages in {seconds:.3f} seconds ({rate:.3f} MB/sec)."
    )


def virtual(device: UUID) -> str:
    """Return the device information of a backup to a virtual device."""
    return f"FILE=1, TYPE=VIRTUAL_DEVICE: {{'{{{str(device).upper()}}}'}}"

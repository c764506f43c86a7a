"""The ERRORLOG entries of each host of the simulated case, with times in seconds since its start.

The wording is that of SQL Server 2014. The moments at which two hosts log the same connection lie
one network delay apart, so that their clocks can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulation.samples.log_send_queue_model import DATABASES, Model

BANNER = (
    "Microsoft SQL Server 2014 (SP3) (KB4022619) - 12.0.6024.0 (X64) \n"
    "\tSep  7 2018 01:37:51 \n"
    "\tCopyright (c) Microsoft Corporation\n"
    "\tEnterprise Edition: Core-based Licensing (64-bit) on Windows NT 6.3 <X64> (Build 9600: ) "
    "(Hypervisor)\n"
)
FOLDER = r"C:\Program Files\Microsoft SQL Server\MSSQL12.MSSQLSERVER\MSSQL"
REPLICA_IDS = {
    "P": "5D7A3F0C-41B8-4E6A-9C27-0B64E1D9A352",
    "S": "A91C6E58-77D3-4B0F-8E15-C3F2096BD7E4",
    "A": "2E84B7D1-0F6C-49A5-B3D8-7A1590CE63F8",
}
STARTS = {"P": -28_800.0, "S": -27_600.0, "A": -26_400.0}
"""When the instances were started, the morning of the capture."""
RECONNECTIONS = {"S": (-19_260.4, -14_512.7, -4_113.2), "A": (-21_034.9, -12_011.3, -9_307.6, -5_402.1)}
"""When an established connection was lost and came back, long before the window."""
SCATTER = 0.014
"""Seconds by which entries come late, as threads wait for their turn."""
NO_ACTION = "This is an informational message only. No user action is required."
NO_ACTION_2 = "This is an informational message; no user action is required."
MORE = (
    "For more information, see the SQL Server error log, Windows Server Failover Clustering (WSFC) "
    "management console, or WSFC log."
)


@dataclass(frozen=True)
class Entry:
    """One entry: true time in seconds since the window's start, source, text (may have lines)."""

    t: float
    source: str
    text: str


class HostMessages:
    """The entries of one host.

    Parameters
    ----------
    model
        The simulated run.
    host
        P, S or A.
    names
        Server name of each host.
    ag
        Name of the availability group.
    utc_adjustment
        As SQL Server writes it: ``-4:00``, ``9:00``.
    """

    def __init__(self, model: Model, host: str, names: dict[str, str], ag: str, utc_adjustment: str) -> None:
        self.model = model
        self.host = host
        self.names = names
        self.ag = ag
        self.utc_adjustment = utc_adjustment
        self.chance = model.noise(f"messages {host}")
        self.found: list[Entry] = []

    def entries(self) -> list[Entry]:
        """Return the entries in file order."""
        self.start_up()
        self.group_starts()
        for peer in self.peers():
            pair = peer if self.host == "P" else self.host
            self.connect(peer, max(STARTS[self.host], STARTS[peer]) + 24.6, pair)
            for t in RECONNECTIONS[pair]:
                self.disconnect(peer, t)
                self.connect(peer, t + 3.7, pair)
        if self.host == "P":
            self.log_backups()
        if self.model.scenario == "suspended":
            self.suspend()
        if self.model.scenario == "failover":
            self.fail_over()
        if self.model.scenario == "fixed":
            self.reconnect()
        return sorted(self.found, key=lambda entry: entry.t)

    def say(self, t: float, source: str, text: str) -> None:
        self.found.append(Entry(t, source, text))

    def peers(self) -> list[str]:
        return [peer for peer in "SA" if peer != self.host] if self.host == "P" else ["P"]

    def start_up(self) -> None:
        """Write what every start of an instance writes."""
        start, server = STARTS[self.host], self.names[self.host]
        lines: list[tuple[float, str, str]] = [
            (0.0, "Server", BANNER),
            (0.02, "Server", f"UTC adjustment: {self.utc_adjustment}"),
            (0.02, "Server", "(c) Microsoft Corporation."),
            (0.02, "Server", "All rights reserved."),
            (0.02, "Server", f"Server process ID is {self.chance.randrange(1200, 6000, 4)}."),
            (
                0.02,
                "Server",
                "System Manufacturer: 'Microsoft Corporation', System Model: 'Virtual Machine'.",
            ),
            (0.02, "Server", "Authentication mode is MIXED."),
            (0.02, "Server", rf"Logging SQL Server messages in file '{FOLDER}\Log\ERRORLOG'."),
            (0.02, "Server", rf"The service account is 'CORP\sqlservice'. {NO_ACTION_2}"),
            (
                0.02,
                "Server",
                "Registry startup parameters: \n"
                rf"	 -d {FOLDER}\DATA\master.mdf" + "\n"
                rf"	 -e {FOLDER}\Log\ERRORLOG" + "\n"
                rf"	 -l {FOLDER}\DATA\mastlog.ldf",
            ),
            (0.02, "Server", 'Command Line Startup Parameters:\n\t -s "MSSQLSERVER"'),
            (
                0.41,
                "Server",
                "SQL Server detected 1 sockets with 8 cores per socket and 8 logical processors per "
                "socket, 8 total "
                f"logical processors; using 8 logical processors based on SQL Server licensing. "
                f"{NO_ACTION_2}",
            ),
            (0.41, "Server", f"SQL Server is starting at normal priority base (=7). {NO_ACTION}"),
            (0.41, "Server", f"Detected 57343 MB of RAM. {NO_ACTION_2}"),
            (0.41, "Server", "Using locked pages in the memory manager."),
            (0.66, "Server", "Default collation: SQL_Latin1_General_CP1_CI_AS (us_english 1033)"),
            (0.93, "spid7s", "Starting up database 'master'."),
            (1.72, "spid7s", "Resource governor reconfiguration succeeded."),
            (1.95, "spid7s", 'SQL Trace ID 1 was started by login "sa".'),
            (1.97, "spid7s", f"Server name is '{server}'. {NO_ACTION}"),
            (2.11, "spid13s", "A self-generated certificate was successfully loaded for encryption."),
            (2.12, "spid13s", "Server is listening on [ 'any' <ipv6> 1433]."),
            (2.12, "spid13s", "Server is listening on [ 'any' <ipv4> 1433]."),
            (2.31, "spid18s", f"AlwaysOn: The availability replica manager is starting. {NO_ACTION}"),
            (2.34, "spid13s", f"SQL Server is now ready for client connections. {NO_ACTION_2}"),
        ]
        for number, database in enumerate(DATABASES):
            lines += [
                (2.41 + number / 100, f"spid{21 + number}s", f"Starting up database '{database}'."),
                (2.52 + number / 100, f"spid{21 + number}s", "Error: 35262, Severity: 17, State: 1."),
                (
                    2.52 + number / 100,
                    f"spid{21 + number}s",
                    f"Skipping the default startup of database '{database}' because the database belongs "
                    f"to an "
                    "availability group (Group ID:  65537). The database will be started by the availability "
                    f"group. {NO_ACTION}",
                ),
            ]
        lines += [
            (2.86, "spid9s", "Clearing tempdb database."),
            (3.33, "spid9s", "Starting up database 'tempdb'."),
            (3.41, "spid20s", "Server is listening on [ 'any' <ipv4> 5022]."),
            (3.41, "spid20s", "The Database Mirroring endpoint is now listening for connections."),
            (3.52, "spid7s", f"Recovery is complete. {NO_ACTION}"),
        ]
        for after, source, text in lines:
            self.say(start + after, source, text)

    def group_starts(self) -> None:
        """Write how the local replica takes its role at start."""
        start = STARTS[self.host] + 12.0
        self.say(
            start,
            "spid18s",
            f"AlwaysOn: The local replica of availability group '{self.ag}' is starting. {NO_ACTION}",
        )
        self.state(
            start + 0.05, "NOT_AVAILABLE", "RESOLVING_NORMAL", "local instance of SQL Server is starting up"
        )
        if self.host == "P":
            self.become_primary(start + 1.9)
        else:
            self.state(
                start + 0.31,
                "RESOLVING_NORMAL",
                "SECONDARY_NORMAL",
                "availability group state has changed in Windows Server Failover Clustering (WSFC)",
            )

    def state(self, t: float, old: str, new: str, why: str) -> None:
        """Write message 19406."""
        self.say(
            t,
            "spid18s",
            f"The state of the local availability replica in availability group '{self.ag}' has changed from "
            f"'{old}' to '{new}'.  The state changed because the {why}.  {MORE}",
        )

    def role(self, t: float, old: str, new: str) -> None:
        """Write message 1480 for each database."""
        for number, database in enumerate(DATABASES):
            self.say(
                t + number / 100,
                f"spid{32 + number}s",
                f'The availability group database "{database}" is changing roles from "{old}" to "{new}" '
                f"because the "
                f"mirroring session or availability group failed over due to role synchronization. "
                f"{NO_ACTION}",
            )

    def become_primary(self, t: float) -> None:
        self.state(t, "RESOLVING_NORMAL", "PRIMARY_PENDING", "availability group is coming online")
        self.state(
            t + 0.42,
            "PRIMARY_PENDING",
            "PRIMARY_NORMAL",
            "local replica has completed processing Online command from Windows Server Failover Clustering "
            "(WSFC)",
        )
        self.role(t + 0.44, "RESOLVING", "PRIMARY")

    def connect(self, peer: str, t: float, pair: str, primary: str = "P") -> None:
        """Write that a connection is established: 35202, then 35266 for each database."""
        rtt = self.model.rtt[pair]
        delay = (rtt.middle + rtt.swing * (2 * self.chance.random() - 1)) / 2
        # The primary opens the connection; the other end knows one network delay later.
        seen = t if self.host == primary else t + delay
        self.say(
            seen + SCATTER * self.chance.random(),
            "spid40s",
            f"A connection for availability group '{self.ag}' from availability replica "
            f"'{self.names[self.host]}' with id  "
            f"[{REPLICA_IDS[self.host]}] to '{self.names[peer]}' with id [{REPLICA_IDS[peer]}] has been "
            f"successfully "
            f"established.  {NO_ACTION}",
        )
        for number, database in enumerate(DATABASES):
            self.say(
                seen + 0.31 + 0.11 * number + SCATTER * self.chance.random(),
                f"spid{41 + number}s",
                self.link_text("established", peer, database, primary),
            )

    def link_text(self, what: str, peer: str, database: str, primary: str) -> str:
        mine, other = ("primary", "secondary") if self.host == primary else ("secondary", "primary")
        return (
            f"AlwaysOn Availability Groups connection with {other} database {what} for {mine} database "
            f"'{database}' on the availability replica '{self.names[peer]}' with Replica ID: "
            f"{{{REPLICA_IDS[peer].lower()}}}. {NO_ACTION}"
        )

    def disconnect(self, peer: str, t: float, primary: str = "P") -> None:
        """Write that a connection is lost: 35206, then 35267 for each database."""
        seen = t + 0.9 * self.chance.random()
        self.say(
            seen,
            "spid40s",
            "A connection timeout has occurred on a previously established connection to availability "
            "replica "
            f"'{self.names[peer]}' with id [{REPLICA_IDS[peer]}].  Either a networking or a firewall issue "
            f"exists or "
            "the availability replica has transitioned to the resolving role.",
        )
        self.end_links(peer, seen, primary)

    def reconnect(self) -> None:
        """Write that every connection was opened again: the window scale is fixed when one opens."""
        assert self.model.change is not None
        for peer in self.peers():
            pair = peer if self.host == "P" else self.host
            self.disconnect(peer, self.model.change)
            self.connect(peer, self.model.change + 3.7, pair)

    def end_links(self, peer: str, t: float, primary: str) -> None:
        """Write message 35267 for each database."""
        for number, database in enumerate(DATABASES):
            text = self.link_text("terminated", peer, database, primary)
            self.say(t + 0.01 * number, f"spid{41 + number}s", text)

    def log_backups(self) -> None:
        """Write the hourly log backups of the primary: ordinary lines between the others."""
        hour = -25_200
        lsn = 41_200
        while hour < self.model.seconds:
            for number, database in enumerate(DATABASES):
                self.say(
                    hour + 2.3 + number,
                    "Backup",
                    f"Log was backed up. Database: {database}, creation date(time): "
                    f"2018/11/06(21:14:{10 + number}), first LSN: "
                    f"{lsn}:1024:1, last LSN: {lsn + 37}:512:1, number of dump devices: 1, device "
                    f"information: (FILE=1, "
                    rf"TYPE=DISK: {{'B:\Backup\{database}_{(hour + 25_200) // 3600:02}.trn'}}). {NO_ACTION}",
                )
            lsn += 37
            hour += 3600

    def suspend(self) -> None:
        """Write that somebody suspended data movement of the databases of A."""
        assert self.model.change is not None
        for number, database in enumerate(DATABASES):
            t = self.model.change + number / 100
            if self.host == "A":
                self.say(
                    t,
                    "spid57",
                    f"AlwaysOn Availability Groups data movement for database '{database}' has been "
                    f"suspended for the "
                    "following reason: \"user\" (Source ID 0; Source string: 'SUSPEND_FROM_USER'). To "
                    "resume data "
                    "movement on the database, you will need to resume the database manually. For "
                    "information about "
                    "how to resume an availability database, see SQL Server Books Online.",
                )
            elif self.host == "P":
                self.say(t + 0.06, f"spid{41 + number}s", self.link_text("terminated", "A", database, "P"))

    def fail_over(self) -> None:
        """Write the planned failover from P to S."""
        assert self.model.change is not None
        t, turn = self.model.change, self.model.turn
        cluster = "availability group state has changed in Windows Server Failover Clustering (WSFC)"
        if self.host == "P":
            self.say(
                t,
                "spid52",
                f"AlwaysOn: The local replica of availability group '{self.ag}' is preparing to transition "
                f"to the resolving role. {NO_ACTION}",
            )
            self.state(t + 0.02, "PRIMARY_NORMAL", "RESOLVING_NORMAL", "availability group is going offline")
            for peer in "SA":
                self.end_links(peer, t + 0.03, "P")
            self.role(t + 0.05, "PRIMARY", "RESOLVING")
            self.state(turn, "RESOLVING_NORMAL", "SECONDARY_NORMAL", cluster)
            self.role(turn + 0.05, "RESOLVING", "SECONDARY")
            self.connect("S", turn + 1.6, "S", primary="S")
        elif self.host == "S":
            self.say(
                t + 0.1,
                "spid52",
                f"AlwaysOn: The local replica of availability group '{self.ag}' is preparing to transition "
                f"to the primary role. {NO_ACTION}",
            )
            self.state(t + 0.2, "SECONDARY_NORMAL", "RESOLVING_NORMAL", cluster)
            self.end_links("P", t + 0.22, "P")
            self.role(t + 0.25, "SECONDARY", "RESOLVING")
            self.become_primary(turn - 0.42)
            for peer in "PA":
                self.connect(peer, turn + 1.6, "A" if peer == "A" else "S", primary="S")
        else:
            self.state(t + 0.4, "SECONDARY_NORMAL", "RESOLVING_NORMAL", cluster)
            self.end_links("P", t + 0.42, "P")
            self.role(t + 0.45, "SECONDARY", "RESOLVING")
            self.state(turn + 0.3, "RESOLVING_NORMAL", "SECONDARY_NORMAL", cluster)
            self.role(turn + 0.35, "RESOLVING", "SECONDARY")
            self.connect("S", turn + 1.6, "A", primary="S")

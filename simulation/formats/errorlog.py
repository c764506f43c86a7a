"""Writer of ERRORLOG bytes: originals of both platforms, and copies made by viewers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

SOURCE_WIDTH = 12
SECOND = dt.timedelta(seconds=1)


@dataclass(frozen=True)
class Entry:
    """One header with its continuation lines; a source may be empty only in broken files."""

    time: dt.datetime
    source: str
    text: str
    more: tuple[str, ...] = ()

    def original(self) -> list[str]:
        """Return the lines as the server writes them: hundredths, the source padded to 12 columns."""
        stamp = self.time.strftime("%Y-%m-%d %H:%M:%S.") + f"{self.time.microsecond // 10_000:02d}"
        return [f"{stamp} {self.source.ljust(SOURCE_WIDTH)}{self.text}", *self.more]

    def copied(self, separator: str = "\t") -> list[str]:
        """Return the lines as xp_readerrorlog prints them: milliseconds, one separator each."""
        stamp = self.time.strftime("%Y-%m-%d %H:%M:%S.") + f"{self.time.microsecond // 1000:03d}"
        return [f"{stamp}{separator}{self.source}{separator}{self.text}", *self.more]


@dataclass
class Log:
    """A log under construction; every entry is ``step`` after the one before unless said otherwise."""

    time: dt.datetime = dt.datetime(2024, 1, 25, 10, 6, 27, 840_000)
    step: dt.timedelta = dt.timedelta(milliseconds=10)
    entries: list[Entry] = field(default_factory=list)

    def add(self, source: str, text: str, *more: str, at: dt.datetime | None = None) -> Log:
        """Append one entry."""
        if at is None:
            self.time += self.step
            at = self.time
        self.entries.append(Entry(at, source, text, more))
        return self

    def error(self, source: str, number: int, severity: int, state: int, text: str, wording: str = "") -> Log:
        """Append an error pair; ``wording`` is the first line with {} for the three numbers."""
        first = wording or "Error: {}, Severity: {}, State: {}."
        self.add(source, first.format(number, severity, state))
        self.entries.append(Entry(self.entries[-1].time, source, text))
        return self

    def start(
        self,
        host: str = "SQLHOST1",
        instance: str = "",
        utc: str = "-6:00",
        version: str = "16.0.4105.2",
        product: str = "2022 (RTM-CU11) (KB5032679)",
        flags: Iterable[int] = (),
        sockets: int = 1,
        cores: int = 4,
        licensed: int = 8,
        memory_mb: int = 16_384,
        locked_pages: bool = False,
        os: str = "Windows Server 2022 Standard 10.0 <X64> (Build 20348: ) (Hypervisor)",
        machine: tuple[str, str] = ("VMware, Inc.", "VMware7,1"),
    ) -> Log:
        """Append the start-up block of an instance on Windows."""
        folder = rf"C:\Program Files\Microsoft SQL Server\MSSQL16.{instance or 'MSSQLSERVER'}\MSSQL"
        name = f"{host}\\{instance}" if instance else host
        logical = sockets * cores * 2
        manager = "locked pages" if locked_pages else "conventional memory"
        say = self.add
        say(
            "Server",
            f"Microsoft SQL Server {product} - {version} (X64) ",
            "\tNov 14 2023 18:33:19 ",
            "\tCopyright (C) 2022 Microsoft Corporation",
            f"\tDeveloper Edition (64-bit) on {os}",
            "",
        )
        say("Server", f"UTC adjustment: {utc}")
        say("Server", "(c) Microsoft Corporation.")
        say("Server", "All rights reserved.")
        say("Server", "Server process ID is 4321.")
        maker, model = machine
        say("Server", f"System Manufacturer: '{maker}', System Model: '{model}'.")
        say("Server", "Authentication mode is MIXED.")
        say("Server", rf"Logging SQL Server messages in file '{folder}\Log\ERRORLOG'.")
        say(
            "Server",
            r"The service account is 'CORP\sql'. This is an informational message; no user action is "
            r"required.",
        )
        say(
            "Server",
            "Registry startup parameters: ",
            rf"	 -d {folder}\DATA\master.mdf",
            rf"	 -e {folder}\Log\ERRORLOG",
            rf"	 -l {folder}\DATA\mastlog.ldf",
            *(f"\t -T {flag}" for flag in flags),
        )
        say("Server", "Command Line Startup Parameters:", f'\t -s "{instance or "MSSQLSERVER"}"')
        say(
            "Server",
            f"SQL Server detected {sockets} sockets with {cores} cores per socket and {cores * 2} logical "
            f"processors "
            f"per socket, {logical} total logical processors; using {licensed} logical processors based on "
            f"SQL Server "
            "licensing. This is an informational message; no user action is required.",
        )
        say(
            "Server",
            f"Detected {memory_mb} MB of RAM. This is an informational message; no user action is required.",
        )
        say("Server", f"Using {manager} in the memory manager.")
        say("Server", "Default collation: SQL_Latin1_General_CP1_CI_AS (us_english 1033)")
        say(
            "Server",
            "Database Instant File Initialization: enabled. For security and performance considerations "
            "see the topic "
            "'Database Instant File Initialization' in SQL Server Books Online. This is an informational "
            "message only. "
            "No user action is required.",
        )
        say(
            "spid7s",
            f"Server name is '{name}'. This is an informational message only. No user action is required.",
        )
        return say(
            "Server",
            "SQL Server is now ready for client connections. This is an informational message; no user "
            "action is required.",
        )

    def option_changed(self, option: str, old: int, new: int, source: str = "spid55") -> Log:
        """Append message 15457."""
        text = (
            f"Configuration option '{option}' changed from {old} to {new}. Run the RECONFIGURE "
            f"statement to install."
        )
        return self.add(source, text)

    def role_change(self, database: str, old: str, new: str, source: str = "spid30s") -> Log:
        """Append message 1480."""
        return self.add(
            source,
            f'The availability group database "{database}" is changing roles from "{old}" to "{new}" '
            f"because the "
            "mirroring session or availability group failed over due to role synchronization. This is an "
            "informational message only. No user action is required.",
        )

    def replica_state(self, group: str, old: str, new: str, source: str = "spid30s") -> Log:
        """Append message 19406."""
        return self.add(
            source,
            f"The state of the local availability replica in availability group '{group}' has changed from "
            f"'{old}' to "
            f"'{new}'.  The state changed because the availability group state has changed in Windows "
            f"Server Failover "
            "Clustering (WSFC).  For more information, see the SQL Server error log or cluster log.  If "
            "this is a Windows "
            "Server Failover Clustering (WSFC) availability group, you can also see the WSFC management "
            "console.",
        )

    def backup(self, database: str, pages: int = 355, session: str = "spid51") -> Log:
        """Append a traced full backup: phases, buffer configuration, both outcome messages."""
        total = pages * 8192
        prefix = f"Backup({database}): "
        for text in (
            f"{prefix}BACKUP DATABASE started",
            f"{prefix}Opening the database with S lock",
            f"{prefix}The backup media set is open",
            *BUFFER_CONFIGURATION,
            f"{prefix}The media set is ready for backup",
            f"{prefix}Effective options: Checksum=1, Compression=1, Encryption=0, BufferCount=7, "
            f"MaxTransferSize=1024 KB",
            f"{prefix}Writing a checkpoint",
            f"{prefix}Checkpoint is complete (elapsed = 90 ms)",
            f"{prefix}Estimated total size = {total} bytes (data size = {total} bytes, log size = 0 bytes)",
            f"{prefix}Number of data file readers = 1",
            rf"{prefix}Reading the data file D:\DATA\{database}.mdf",
            f"{prefix}50 percent ({total // 2}/{total} bytes) processed",
            rf"{prefix}Completed reading the data file D:\DATA\{database}.mdf",
            f"{prefix}BACKUP DATABASE finished",
        ):
            self.add(session, text)
        self.add(
            "Backup",
            f"Database backed up. Database: {database}, creation date(time): 2024/01/02(03:04:05), pages "
            f"dumped: {pages}, "
            "first LSN: 39:760:1, last LSN: 39:763:1, number of dump devices: 1, device information: "
            rf"(FILE=1, TYPE=DISK: {{'E:\Backup\{database}.bak'}}). This is an informational message only. "
            rf"No user action is required.",
        )
        return self.add(
            "Backup",
            f"BACKUP DATABASE successfully processed {pages} pages in 0.214 seconds (12.928 MB/sec).",
        )

    def lines(self) -> Iterator[str]:
        """Yield the physical lines of the original."""
        for entry in self.entries:
            yield from entry.original()

    def windows(self, *, bom: bool = True) -> bytes:
        """Return the file as Windows writes it: UTF-16LE, CRLF."""
        body = "".join(f"{line}\r\n" for line in self.lines()).encode("utf-16-le")
        return b"\xff\xfe" + body if bom else body

    def linux(self, *, bom: bool = False) -> bytes:
        """Return the file as Linux writes it: UTF-8, LF."""
        body = "".join(f"{line}\n" for line in self.lines()).encode()
        return b"\xef\xbb\xbf" + body if bom else body

    def xp_readerrorlog(self, separator: str = "\t", *, newest_first: bool = False) -> bytes:
        """Return a copy made by xp_readerrorlog or a viewer."""
        entries = reversed(self.entries) if newest_first else self.entries
        return "".join(f"{line}\r\n" for entry in entries for line in entry.copied(separator)).encode()


BUFFER_CONFIGURATION = (
    "Backup/Restore buffer configuration parameters",
    "Memory limit:               2300 MB",
    "BufferCount:                7",
    "Sets Of Buffers:            3",
    "MaxTransferSize:            1024 KB",
    "Min MaxTransferSize:        64 KB",
    "Total buffer space:         21 MB",
    "Tabular data device count:  1",
    "Fulltext data device count: 0",
    "Filestream device count:    0",
    "TXF device count:           0",
    "Filesystem i/o alignment:   512",
    "Media Buffer count:         7",
    "Media Buffer size:          1024 KB",
    "Encode Buffer count:        7",
)
"""A block of trace flag 3213 with compression, as 2014 and later write it."""

"""Phases of a backup or restore from the lines of trace flags 3004 and 3014.

Two versions of the wording describe the same phases: up to SQL Server 2014 without database and elapsed time,
from 2016 on with both. The text is English on every server. The event backup_restore_progress_trace has the
newer wording (docs/formats/errorlog.md, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from agtrace.readers.errorlog.match import Pattern, PatternSet

PREFIXES = tuple(
    f"{word}{rest}"[:8].encode()
    for word in ("Backup", "Restore")
    for rest in ("(", ": ", "Database", "Log: ", "Log(", "File: ", "File(")
)
"""First bytes of lines with an operation in front: ``Backup(db): ``, ``Backup: ``, ``BackupDatabase: ``."""

_ELAPSED = r"(?: \(elapsed = (?P<elapsed_ms>[0-9]+) ms\))?"
_END = _ELAPSED + r"\.?[ \t\r\f]*(?:\n|$)"
_STREAM = r"BackupStream\((?P<stream>[0-9]+)\): "


@dataclass(frozen=True)
class Phase:
    """A step of a backup or restore.

    Parameters
    ----------
    name
        Its name in the rows, the same for every wording.
    topic
        phase, or zeroing.
    says
        Fields that the wording itself states.
    only_prefixed
        The wording is too common to be taken without ``Backup...:`` in front.
    """

    name: str
    topic: str = "phase"
    says: dict[str, str] = field(default_factory=dict)
    only_prefixed: bool = False


STARTED = Phase("started")
STARTED_ON = Phase("started", only_prefixed=True)
FINISHED = Phase("finished")
PROCESSED = Phase("processed", topic="")
"""Not a phase: the outcome message after which a session's next lines belong to something else."""

_WORDS: dict[str, tuple[str, ...]] = {
    "open_database": ("Opening the database with S lock",),
    "acquire_bulk_operation_lock": ("Acquiring bulk-op lock on the database",),
    "synchronised": ("Synchronizing with other operations on the database is complete",),
    "open_media": ("Opening the backup media set",),
    "media_open": ("The backup media set is open", "Media open"),
    "prepare_media": ("Preparing the media set for writing",),
    "media_ready": ("The media set is ready for backup", "Media ready to backup"),
    "clear_differential_bitmaps": ("Clearing differential bitmaps",),
    "differential_bitmaps_cleared": ("Differential bitmaps are cleared", "Bitmaps cleared"),
    "checkpoint": ("Writing a checkpoint",),
    "checkpoint_complete": ("Checkpoint is complete", "Checkpoint done"),
    "scan_bitmaps": ("Scanning allocation bitmaps",),
    "bitmaps_scanned": ("Scanning allocation bitmaps is complete", "Done with allocation bitmaps"),
    "estimate_size": ("Calculating expected size of total data", "Calculating expected total data to write"),
    "size_estimated": ("Work estimation is complete", "Work estimates done"),
    "write_leading_metadata": ("Writing the leading metadata",),
    "leading_metadata_written": ("Leading metadata section done",),
    "copy_data": ("Copying data files", "Copying data"),
    "data_copied": ("Copying data files is complete",),
    "copy_log": ("Copying transaction log",),
    "log_copied": ("Copying transaction log is complete",),
    "open_backup_set": ("Opening backup set", "Opening the backup set"),
    "configuration_loaded": ("Configuration section loaded", "The configuration section is loaded"),
    "backup_set_open": ("Backup set is open", "The backup set is open"),
    "plan": ("Planning begins",),
    "planned": ("Planning complete", "Planning is complete"),
    "prepare_containers": ("PreparingContainers", "Preparing containers"),
    "containers_ready": ("Containers are ready",),
    "restore_backup_set": ("Restoring backup set", "Restoring the backup set"),
    "log_zeroed": ("LogZero complete", "Log zeroing is complete"),
    "backup_set_restored": ("Backup set restored", "The backup set is restored"),
}

_TEXTS: tuple[tuple[Phase, tuple[str, ...], str], ...] = (
    (STARTED, ("BACKUP ", "RESTORE "), r"(?P<statement>(?:BACKUP|RESTORE)[A-Z ]*?) started"),
    (Phase("data_copied", only_prefixed=True), ("Database ",), "Database files done"),
    (STARTED_ON, ("Database ",), r"Database (?P<database>[^\n]+?)"),
    (FINISHED, ("BACKUP ", "RESTORE "), r"(?P<statement>(?:BACKUP|RESTORE)[A-Z ]*?) finished"),
    (
        Phase("effective_options"),
        ("Effective options: ",),
        r"Effective options: Checksum=(?P<checksum>[01]), Compression=(?P<compression>[01]), "
        r"Encryption=(?P<encryption>[01]), BufferCount=(?P<buffer_count>[0-9]+), "
        r"MaxTransferSize=(?P<max_transfer_size_kb>[0-9]+) KB",
    ),
    (
        Phase("start_lsn"),
        ("Start LSN: ",),
        r"Start LSN: (?P<lsn>[0-9:]+), SERepl LSN: (?P<replication_lsn>[0-9:]+)",
    ),
    (Phase("last_lsn"), ("Last LSN: ",), r"Last LSN: (?P<lsn>[0-9:]+)"),
    (
        Phase("file_estimate"),
        ("FID=",),
        r"FID=(?P<file_id>[0-9]+), (?:Size=(?P<bytes>[0-9]+) bytes, "
        r")?ExpectedExtents=(?P<extents>[0-9]+)(?:, [^\n]*)?",
    ),
    (
        Phase("file_estimate"),
        ("FID(",),
        r"FID\((?P<file_id>[0-9]+)\) ExpectedExt\((?P<extents>[0-9]+)\) DiffMapAccurate\([0-9]+\)",
    ),
    (Phase("total_size"), ("TotalSize=",), r"TotalSize=(?P<bytes>[0-9]+) bytes"),
    (Phase("total_size"), ("Total(",), r"Total\((?P<bytes>[0-9]+)\)"),
    (
        Phase("estimated_size"),
        ("Estimated total size = ",),
        r"Estimated total size = (?P<bytes>[0-9]+) bytes \(data size = (?P<data_bytes>[0-9]+) bytes, log "
        r"size = (?P<log_bytes>[0-9]+) bytes\)",
    ),
    (
        Phase("leading_metadata_device"),
        ("BackupStream(",),
        _STREAM + r"Writing leading metadata to the device (?P<device>[^\n]+?)",
    ),
    (
        Phase("buffer_queue"),
        ("Shared Backup BufferQ",),
        r"Shared Backup BufferQ count:\s*(?P<buffers>[0-9]+)",
    ),
    (
        Phase("reader_count"),
        ("Number of data file readers",),
        r"Number of data file readers = (?P<readers>[0-9]+)",
    ),
    (Phase("reader_count"), ("DBReaderCount",), r"DBReaderCount = (?P<readers>[0-9]+)"),
    (Phase("read_file"), ("Reading the data file ",), r"Reading the data file (?P<file>[^\n]+?)"),
    (Phase("read_file"), ("Started file ",), r"Started file (?P<file>[^\n]+?)"),
    (
        Phase("file_read"),
        ("Completed reading the data file ",),
        r"Completed reading the data file (?P<file>[^\n]+?)",
    ),
    (Phase("file_read"), ("Completed file ",), r"Completed file (?P<file>[^\n]+?)"),
    (
        Phase("write_stream"),
        ("BackupStream(",),
        _STREAM + r"(?:Writing|Starting) MSDA of size (?P<extents>[0-9]+) extents",
    ),
    (
        Phase("progress"),
        tuple("0123456789"),
        r"(?P<percent>[0-9]+) percent \((?P<bytes>[0-9]+)/(?P<total_bytes>[0-9]+) bytes\) processed",
    ),
    (
        Phase("stream_padding"),
        ("BackupStream(", "Padding MSDA "),
        rf"(?:{_STREAM})?Padding MSDA with (?P<bytes>[0-9]+) bytes",
    ),
    (
        Phase("stream_total"),
        ("BackupStream(",),
        _STREAM + r"Total MSDA(?: size =|:) (?P<extents>[0-9]+) extents",
    ),
    (
        Phase("stream_growth"),
        ("InitialExpectedSize=",),
        r"InitialExpectedSize=(?P<initial_bytes>[0-9]+) bytes, FinalSize=(?P<bytes>[0-9]+) bytes, "
        r"ExcessMode=(?P<excess_mode>[0-9]+)",
    ),
    (
        Phase("stream_growth", says={"operation": "backup"}),
        ("Backup data streams",),
        r"Backup data streams: Initial=(?P<initial_bytes>[0-9]+) Final=(?P<bytes>[0-9]+) "
        r"ExcessMode=(?P<excess_mode>[0-9]+)",
    ),
    (Phase("log_stream"), ("Family(",), r"Family\((?P<stream>[0-9]+)\) StreamSize=0x[0-9A-Fa-f]+"),
    (Phase("set_target_restore_age"), ("SetTargetRestoreAge",), r"SetTargetRestoreAge: [0-9]+"),
    (Phase("begin_restore"), ("BeginRestore ",), r"BeginRestore \((?P<mode>\w+)\) on (?P<database>[^\n]+?)"),
    (
        Phase("attached"),
        ("Attached database ",),
        r"Attached database (?P<database>[^\n]+?) as DBID=(?P<database_id>[0-9]+)",
    ),
    (Phase("transfer_data"), ("Transferring data",), r"Transferring data(?: to (?P<database>[^\n]+?))?"),
    (
        Phase("wait_for_log_zeroing"),
        ("Waiting for log zero",),
        r"Waiting for log zero(?:ing)?(?: on (?P<database>[^\n]+?))?",
    ),
    (
        Phase("file_handles"),
        ("FileHandleCache: ",),
        r"FileHandleCache: (?P<files>[0-9]+) files opened\. CacheSize: (?P<cache_size>[0-9]+)",
    ),
    (
        Phase("data_transferred"),
        ("Data transfer ",),
        r"Data transfer (?:is )?complete(?: on (?P<database>[^\n]+?))?",
    ),
    (
        Phase("zeroing", "zeroing", {"event": "started"}),
        ("Zeroing ",),
        r"Zeroing (?P<path>[^\n]+?) from page (?P<start_page>[0-9]+) to (?P<end_page>[0-9]+) "
        r"\((?P<start_byte>0x[0-9A-Fa-f]{1,16}) to (?P<end_byte>0x[0-9A-Fa-f]{1,16})\)",
    ),
    (
        Phase("zeroing", "zeroing", {"event": "completed"}),
        ("Zeroing completed on ",),
        r"Zeroing completed on (?P<path>[^\n]+?)",
    ),
    (
        Phase("zeroing", "zeroing", {"event": "log_tail"}),
        ("FixupLogTail(progress) zeroing ",),
        r"FixupLogTail\(progress\) zeroing (?P<path>[^\n]+?) from (?P<start_byte>0x[0-9A-Fa-f]{1,16}) to "
        r"(?P<end_byte>0x[0-9A-Fa-f]{1,16})",
    ),
    (
        PROCESSED,
        ("BACKUP ", "RESTORE "),
        r"(?:BACKUP|RESTORE)[A-Z ]*(?:successfully processed|is terminating)[^\n]*",
    ),
)


@cache
def phase_patterns() -> PatternSet:
    """Return the wordings of every phase, of both generations."""
    found = [
        _pattern(Phase(name), (text,), text.replace("(", r"\(").replace(")", r"\)"))
        for name, texts in _WORDS.items()
        for text in texts
    ]
    found += [_pattern(phase, heads, regex) for phase, heads, regex in _TEXTS]
    return PatternSet(tuple(found))


def _pattern(phase: Phase, heads: tuple[str, ...], regex: str) -> Pattern:
    starts = tuple(head.encode() for head in heads)
    return Pattern(phase, "en", "^" + regex + _END, starts, heads[0])

"""backup.tde_compression: backups of encrypted databases that compression does not make smaller.

Source: "BACKUP (Transact-SQL)" of Microsoft's documentation, COMPRESSION: from SQL Server 2016 on, backups
of a database under TDE are compressed where MAXTRANSFERSIZE is larger than 65536; from 2019 CU5 on SQL Server
raises it to 128 KB itself where the statement leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.diagnostics.backup.rows import Tde
from agtrace.diagnostics.backup.studies import Sure, period, rounded
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.said import Judged

RUNS = Measure("n", "backups with transfers of 64 KB or less", "backups")
SPEED = Measure("mb_per_s", "throughput, median, {which}", "MB/s")
COMPRESSES = 13
"""First major version that compresses backups of encrypted databases."""


def compressions(rows: Iterable[Tde]) -> list[Judged]:
    """Judge each encrypted database whose compressed backups ran with small transfers (tde.sql)."""
    return [_judged(row) for row in rows]


def _judged(row: Tde) -> Judged:
    head = (row.version or "").split(".")[0]
    can = int(head) >= COMPRESSES if head.isdigit() else None
    log = f"ERRORLOG of {row.host_id}"
    numbers: list[Measured] = [RUNS(row.n, log), quoted("encryption", "on", row.place)]
    for which, speed in (("64 KB or less", row.mb_per_s), ("larger transfers", row.larger_mb_per_s)):
        if speed is not None:
            numbers.append(SPEED.about(which=which)(rounded(speed), log))
    first, last = row.first_time or row.first_local, row.last_time or row.last_local
    return Judged(
        said="tde_compression",
        id="backup.tde_compression",
        severity="notice",
        subject={"host": row.host_id, "database": row.database, "operation": row.what},
        window=period(first, last) if first and last else {},
        evidence=tuple(numbers),
        confidence=Sure.COUNTED.value if can is not None else Sure.INFERRED.value,
        facts={**row._asdict(), "can": can},
    )

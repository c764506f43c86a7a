"""The defaults that BACKUP and RESTORE choose for BUFFERCOUNT and MAXTRANSFERSIZE.

BUFFERCOUNT = devices x depth + devices + 2 x volumes, where devices are the backup devices, depth is
the I/O depth that the engine suggests for them and volumes is the "Tabular data device count" of
trace flag 3213 ("Incorrect BufferCount data transfer option can lead to OOM condition", SQL Server
support, 2010). The depth is documented nowhere; buffer blocks of 2005 fit 3, those of 2012 to 2016 fit
4. MAXTRANSFERSIZE: BACKUP (Transact-SQL), data transfer options; for RESTORE "How does SQL Server
Backup and Restore select transfer sizes", SQL Server support, 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STATUSES = DEFAULT, EXPLICIT, OTHER, UNKNOWN = "default", "explicit", "not the default", "unknown"
DISKS = ("DISK", "URL")
MB = 1024 * 1024


@dataclass(frozen=True)
class Checked:
    """A value against the default of its version.

    Parameters
    ----------
    status
        ``default``: it equals the formula's value, which does not prove that it was not set explicitly.
        ``explicit``: it is not, and the statement or the line "Effective options" shows it.
        ``not the default``: it is not, and only the buffer block shows it.
        ``unknown``: the formula cannot be applied, or there is no value.
    reason
        The arithmetic, or what is missing, in words.
    """

    status: str
    reason: str


def depths(version: str | None) -> tuple[int, ...]:
    """Return the I/O depths that fit a product version ("11.0.3339.0") on disks."""
    major = int(version.split(".")[0]) if version and version.split(".")[0].isdigit() else None
    if major is None or major == 10:
        return (3, 4)
    return (3,) if major < 10 else (4,)


def buffer_count(
    value: int | None,
    *,
    devices: int | None,
    volumes: int | None,
    media: str | None,
    version: str | None,
    shown: bool = False,
) -> Checked:
    """Check BUFFERCOUNT against the default for these numbers of devices and volumes."""
    if value is None:
        return Checked(UNKNOWN, "no buffer block (trace flag 3213)")
    if devices is None or volumes is None or media is None:
        return Checked(UNKNOWN, "the number of devices or of volumes is not known")
    if media not in DISKS:
        return Checked(UNKNOWN, f"the depth for {media} is not established")
    told = []
    for depth in depths(version):
        default = devices * depth + devices + 2 * volumes
        told.append(f"{devices} x {depth} + {devices} + 2 x {volumes} = {default}")
        if value == default:
            return Checked(DEFAULT, told[-1])
    return Checked(EXPLICIT if shown else OTHER, f"the default is {' or '.join(told)}")


def transfer_size(
    value_kb: int | None, *, media: str | None, operation: str | None, shown: bool = False
) -> Checked:
    """Check MAXTRANSFERSIZE (KB) against the default of the media."""
    if value_kb is None:
        return Checked(UNKNOWN, "no buffer block (trace flag 3213)")
    if media is None and operation != "restore":
        return Checked(UNKNOWN, "the media is not known")
    default = 1024 if operation != "restore" and media in DISKS else 64
    if value_kb == default:
        return Checked(DEFAULT, f"{default:,} KB")
    reason = f"the default is {default:,} KB"
    if value_kb in (64, 128) and default == 1024:
        reason += "; databases under TDE have smaller ones"
    return Checked(EXPLICIT if shown else OTHER, reason)


def total_mb(sets: int | None, count: int | None, size_kb: int | None) -> float | None:
    """Return the memory of the buffers in MB: sets x count x size, in addition to the buffer pool."""
    if count is None or size_kb is None:
        return None
    return (sets or 1) * count * size_kb / 1024


def memory_mb(row: Mapping[str, Any]) -> float | None:
    """Return the memory of an operation's buffers in MB; blocks state whole MB: the product is finer."""
    if row["total_matches"] is False:
        return float(row["total_mb"])
    return total_mb(row["sets_of_buffers"], row["buffer_count"], row["max_transfer_size_kb"])


def check_memory(row: Mapping[str, Any]) -> tuple[Checked, Checked]:
    """Check BUFFERCOUNT and MAXTRANSFERSIZE of an operation against their defaults."""
    media = "NUL" if (row.get("device_names") or "").upper() == "NUL" else row["media"]
    count, size = (_is_shown(row, option) for option in ("BUFFERCOUNT", "MAXTRANSFERSIZE"))
    told = {"devices": row["stripes"], "volumes": row["volumes"], "version": row["version"]}
    return (
        buffer_count(row["buffer_count"], media=media, shown=count, **told),
        transfer_size(row["max_transfer_size_kb"], media=media, operation=row["operation"], shown=size),
    )


def _is_shown(row: Mapping[str, Any], option: str) -> bool:
    return row["has_options"] or option in (row.get("command") or "").upper()

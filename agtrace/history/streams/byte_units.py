"""The kind of bytes that a counter counts: log, or on the wire."""

from __future__ import annotations

from dataclasses import dataclass

LOG = "log B/s"
WIRE = "wire B/s"
UNKNOWN = "B/s"

SYNCHRONOUS, ASYNCHRONOUS = "synchronous", "asynchronous"

RELEASES = {11: "2012", 12: "2014", 13: "2016", 14: "2017", 15: "2019", 16: "2022", 17: "2025"}


@dataclass(frozen=True)
class Counted:
    """The unit of the bytes that a primary counts as sent, and why it is that one; plain text.

    ``brief`` is a short reason why it is unknown, for a title; "" if known.
    """

    unit: str
    why: str
    brief: str = ""


def of_sent(
    version: int | None, mode: str | None = None, *, flag_1462: bool = False, flag_9592: bool = False
) -> Counted:
    """Return the kind of bytes counted by Bytes Sent to Replica/sec and Bytes Sent to Transport/sec.

    Parameters
    ----------
    version
        Major product version of the primary (13 is SQL Server 2016); None where unknown.
    mode
        Commit mode of the replica, `SYNCHRONOUS` or `ASYNCHRONOUS`; None where unknown.
    flag_1462, flag_9592
        The trace flag was on at the primary.

    Notes
    -----
    SQL Server documentation, "SQL Server, Availability Replica object": up to 2014 the bytes on the
    wire, compressed; from 2016 on the bytes before compression to an asynchronous replica, and the
    bytes as they are to a synchronous one, "which has no compression". With compression to a
    synchronous replica switched on it says nothing.
    """
    if version is None:
        return Counted(
            UNKNOWN,
            "the version of SQL Server on the primary is not known: up to 2014 bytes sent are those "
            "on the wire, from 2016 on those before compression",
            "version of SQL Server not known",
        )
    release = f"SQL Server {RELEASES.get(version, version)}"
    if version < 13:
        return Counted(WIRE, f"{release} counts bytes sent as they go on the wire")
    if flag_9592 and mode != ASYNCHRONOUS:
        return Counted(
            UNKNOWN,
            "trace flag 9592 compresses the stream to synchronous replicas, and whether bytes sent "
            "are counted before or after that is not documented",
            "trace flag 9592 is on",
        )
    why = f"{release} counts bytes sent before compression"
    if flag_1462 and mode == ASYNCHRONOUS:
        why += ", and with trace flag 1462 nothing is compressed: they are those on the wire as well"
    return Counted(LOG, why)

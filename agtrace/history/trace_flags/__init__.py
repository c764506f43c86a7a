"""When trace flags were on, from start-up parameters and DBCC in the ERRORLOGs."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.trace_flags.span import FlagSpan, trace_flag
from agtrace.store.sql_files import beside

__all__ = ["MAKER", "FlagSpan", "trace_flag"]

_sql = beside(__file__)

ASYNCHRONOUS_OFF = 1462
"""The log stream to asynchronous replicas is not compressed."""

SYNCHRONOUS_ON = 9592
"""The log stream to synchronous replicas is compressed as well."""

SEEDING_COMPRESSION = 9567
"""Compresses the stream of automatic seeding, when set on the source (documentation "Tune
compression for availability group")."""

BACKUPS_NOT_LOGGED = 3226
"""Keeps backups that succeed out of the ERRORLOG: none that is not there is absent."""

ASKED = (ASYNCHRONOUS_OFF, SYNCHRONOUS_ON, SEEDING_COMPRESSION, BACKUPS_NOT_LOGGED)
"""Known to be off where a start does not name them, even where nothing ever names them."""


def make(view: View) -> dict[str, pa.Table]:
    """Return what is known of each trace flag that a host names or agtrace asks about.

    Nothing is said of the time before the first evidence, nor of what a collector left out of an
    ERRORLOG, or after a stop, and from then on until something tells of the flag again. DBCC TRACEON
    does not log whether it holds for the server or for one session, so a span is what the log shows,
    not proof.
    """
    sql = _sql("trace_flags.sql")
    return {"trace_flags": view.table(sql, {"asked": list(ASKED)})}


SOURCES = Sources(topics=("startup", "startup_flag", "trace_flag", "stop"))
MAKER = Maker(("trace_flags",), make, SOURCES)

"""The contract of every reader, for the two encodings of ERRORLOGs."""

from __future__ import annotations

import pytest

from agtrace.readers.errorlog import READER
from agtrace.testing import check_reader
from simulation.formats.errorlog import Log
from tests.effort import thorough


def small_log() -> Log:
    """One of everything that is kept open between blocks: pairs, lines, an operation, a configuration."""
    log = Log().add("Server", "Microsoft SQL Server 2017 (RTM) - 14.0.1000.169 (X64) ", "\tAug 22 2017")
    log.add("Server", "UTC adjustment: -7:00")
    log.error("Logon", 18456, 14, 38, "Login failed for user 'Zoë'.")
    log.role_change("Sales", "PRIMARY", "RESOLVING")
    for text in ("Memory limit: 895MB", "BufferCount: 13", "MaxTransferSize: 1024 KB"):
        log.add("spid51", text).add("spid52", text)
    return log.add("spid51", "Backup(Sales): Opening the backup media set")


@thorough
@pytest.mark.parametrize(
    ("data", "flips"),
    [(small_log().windows(), 10_000), (small_log().linux(), 1_000)],
    ids=["UTF-16", "UTF-8"],
)
def test_contract(data, flips):
    check_reader(READER, data, "ERRORLOG", "errorlog", flips)

"""Small captures of ERRORLOGs: what damage starts from, and texts that say the rest of what it can say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simulation.formats.errorlog import Log
from tests.readers.errorlog.test_contract import small_log
from tests.readers.errorlog.test_missing_middle import head_and_tail

SAMPLE = Path(__file__).parents[3] / "sample_data" / "seeding_compression"


def captures() -> Iterator[tuple[str, bytes]]:
    yield "ERRORLOG", small_log().windows()
    yield "ERRORLOG.1", small_log().linux()
    yield "CONTOSO1_ERRORLOG.2_Head_and_Tail_Only", head_and_tail()


def said() -> Iterator[tuple[str, bytes]]:
    """Yield a sample's logs with whole start-ups, a switch of a trace flag, and a start after another one."""
    switched = (
        "DBCC TRACEON 3004, 3605, server process ID (SPID) 51. This is an informational message only; no "
        "user action is required."
    )
    yield "ERRORLOG", Log().add("spid51", switched).windows()
    reported = (
        "This instance of SQL Server last reported using a process ID of 8024 at 1/24/2024 6:56:03 PM "
        "(local) "
        "1/25/2024 12:56:03 AM (UTC). This is an informational message only; no user action is required."
    )
    yield "ERRORLOG", Log().add("Server", reported).windows()
    for path in sorted(SAMPLE.glob("*/ERRORLOG")):
        yield path.name, path.read_bytes()

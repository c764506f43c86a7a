"""Small tables of DMVs with separators: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

STATES = "sample_time,replica_server_name,database_name,is_suspended,suspend_reason_desc\n" + "".join(
    f"2026-03-01 10:{minute:02d}:00.500,SRV2,Sales,1,SUSPEND_FROM_USER\n" for minute in range(12)
)
COPIED = (
    'session_id\twait_type\ttext\r\n76\tLCK_M_SCH_M\tSELECT "a, b\r\n'
    + "".join(f"{number}\tNULL\tx\r\n" for number in range(77, 90))
    + "(14 rows affected)\r\n\r\n"
    + "name\tlog_reuse_wait_desc\r\nSales\tAVAILABILITY_REPLICA\r\n"
)


def captures() -> Iterator[tuple[str, bytes]]:
    yield "states.csv", STATES.encode()
    yield "grid.txt", COPIED.encode("utf-16")

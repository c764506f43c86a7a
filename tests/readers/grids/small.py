"""A small capture of a grid: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator


def captures() -> Iterator[tuple[str, bytes]]:
    header = "runtime,replica_server_name,database_name,redo_queue_size,synchronization_state_desc"
    row = '2020-06-03T10:20:00.000,"SQL2",Sales,7,SYNCHRONIZED'
    yield "states.csv", "\n".join([header, row, row, ""]).encode()

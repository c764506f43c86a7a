"""What of a log block was not captured counts as unknown, never as no time: the queries on a block or two."""

from __future__ import annotations

from importlib import resources
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from agtrace.history import log_blocks

KEY = {"db": "D", "replica_id": "R", "attempt": 1, "id": 100}
PRIMARY: dict[str, Any] = KEY | {
    "h": "P", "ag_id": "G", "sectors": 1, "next_id": None, "uncompressed_bytes": None, "written_bytes": None,
    "compressed_bytes": None, "commits": 1, "took_us": 900, "has_compression": False, "has_flush": True,
    "t_begun": 0, "t_first": 0, "t_flush_start": 10, "t_flushed": 3_000, "t_captured": 20,
    "t_compressed": None, "t_sent": 100, "t_ack_received": 9_000, "t_ack_processed": 9_100,
    "t_committed": 9_200,
}  # fmt: skip
SECONDARY: dict[str, Any] = KEY | {
    "h": "S", "ag_id": "G", "next_id": None, "uncompressed_bytes": 512, "written_bytes": None,
    "compressed_bytes": None, "has_decompression": False, "t_received": 5_100, "t_receive_done": 5_200,
    "t_decompressed": None, "t_replica_flush_start": 5_300, "t_hardened": 6_000, "t_ack_sent": 6_100,
}  # fmt: skip
EMPTY = {
    "block_names": "kind varchar, id varchar, name varchar", "block_modes": "key varchar, mode varchar",
    "block_commit": "h varchar, database_id integer, database_name varchar",
    "block_flush_start": "h varchar, database_id integer, database_name varchar",
    "block_databases": "h varchar, database_id integer, db varchar",
}  # fmt: skip
CONTENTS = [{"h": h, "host_id": h, "sql_instance": None} for h in ("P", "S")]


def blocks(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the blocks of a stream whose events are as usual except for these; each is one."""
    sides: dict[str, list[dict[str, Any]]] = {"block_primary": [], "block_secondary": []}
    for number, changed in enumerate(changes):
        for name, usual in (("block_primary", PRIMARY), ("block_secondary", SECONDARY)):
            sides[name].append(
                usual | {"id": 100 + number} | {key: changed[key] for key in usual.keys() & changed.keys()}
            )
    given = sides | {"block_hosts": [{"replica_id": "R", "h": "S"}], "block_contents": CONTENTS}
    with duckdb.connect() as connection:
        connection.execute("create schema scratch")
        for name, rows in given.items():
            connection.register("given", pa.Table.from_pylist(rows))
            connection.execute(f"create table scratch.{name} as from given")
        for name, columns in EMPTY.items():
            connection.execute(f"create table scratch.{name} ({columns})")
        folder = resources.files(log_blocks)
        connection.execute((folder / "skew.sql").read_text("utf-8"))
        return connection.sql((folder / "log_blocks.sql").read_text("utf-8")).to_arrow_table().to_pylist()


@pytest.mark.parametrize(
    ("changed", "commit_ms"),
    [
        ({}, 9.1), ({"t_flushed": 12_000}, 12.0), ({"t_ack_processed": None}, None),
        ({"t_flushed": None}, None), ({"t_flushed": None, "has_flush": False}, 9.1),
        ({"t_ack_processed": None, "has_flush": False}, None),
    ],
)  # fmt: skip
def test_a_commit_ends_with_its_flush_and_its_acknowledgement_where_both_were_captured(changed, commit_ms):
    (found,) = blocks(changed)
    assert found["commit_ms"] == commit_ms


def test_the_skew_is_known_as_well_as_the_wire_is():
    (found,) = blocks({})
    # There 5 ms, and back 2.9: both ways took 7.9 by the clocks of either side.
    assert (found["skew_ms"], found["skew_spread_ms"], found["network_ms"]) == (5.0, 7.9, 7.9)
    (short,) = blocks({"t_ack_received": 1_000})
    assert (short["network_ms"], short["skew_spread_ms"]) == (-0.1, 0)


@pytest.mark.parametrize("unseen", ["t_ack_received", "t_ack_sent"])
def test_nobody_knows_how_well_where_no_acknowledgement_was_captured(unseen):
    (found,) = blocks({unseen: None})
    assert (found["skew_ms"], found["skew_spread_ms"], found["network_ms"]) == (5.0, None, None)


def test_blocks_with_an_acknowledgement_tell_of_those_without():
    found = blocks({}, {"t_ack_received": None})
    assert [each["skew_spread_ms"] for each in found] == [7.9, 7.9]

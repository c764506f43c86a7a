"""Facts about session, node and instance from an Extended Events file and its name."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pyarrow as pa

from agtrace.readers.base import Batch, rows
from agtrace.tables import FACTS
from agtrace.tables import kernels as pc

if TYPE_CHECKING:
    from xelib.xel import XelFile

TOPIC = "xel_file"
NAME = re.compile(r"^(?P<session>.+?)_(?P<number>\d+)_(?P<created>1[0-9]{17})(?:\D.*)?\.xel$", re.I)
"""``<session>_<n>_<FILETIME>.xel`` (docs/formats/xel.md, section 1.1)."""
OWN_STATE, REPLICA = "availability_replica_state_change", "availability_replica_name"
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


class FileFacts:
    """Collects facts while the events go by.

    Parameters
    ----------
    name
        Name of the file.
    """

    def __init__(self, name: str) -> None:
        self._facts: dict[str, str] = {"utc": "true"}
        self._events = 0
        self._replicas: set[str] = set()
        self._first: tuple[int, int | None, int] | None = None
        match = NAME.match(name)
        if match:
            created = EPOCH + timedelta(microseconds=int(match["created"]) // 10)
            self._facts |= {
                "session": match["session"],
                "file_number": match["number"],
                "file_created": created.isoformat(),
            }

    def see(self, name: str, batch: pa.RecordBatch) -> None:
        """Take note of a batch of events."""
        self._events += batch.num_rows
        first = batch.slice(0, 1)
        if self._first is None or first["_seq"][0].as_py() < self._first[0]:
            seq, block, ticks = (first[c][0].as_py() for c in ("_seq", "_block", "_ticks"))
            self._first = (seq, block, ticks)
        columns = batch.schema.names
        if "node_name" in columns and "instance_name" in columns and "server" not in self._facts:
            # The session of the cluster's resource library names its node in every event.
            node, instance = (_only(batch[column]) for column in ("node_name", "instance_name"))
            if node:
                default = instance in (None, "", "MSSQLSERVER")
                self._facts["server"] = node if default else f"{node}\\{instance}"

        if name == OWN_STATE and REPLICA in columns and len(self._replicas) < 2:
            self._replicas.update(filter(None, pc.unique(batch[REPLICA]).to_pylist()))

    def batch(self, file: XelFile) -> Batch:
        """Return the facts as rows."""
        if len(self._replicas) == 1:
            # A server tells of the states of its own replica only.
            self._facts.setdefault("server", *self._replicas)
        found = self._facts | {"events": str(self._events), "end": str(file.position.offset)}
        if file.session_runs:
            found["session_run"] = file.session_runs[0]
        if self._first is not None:
            _seq, block, ticks = self._first
            # Copies of one file begin with the same event of the same block.
            found["begins"] = f"{block}:{ticks}"
        return rows(
            "facts",
            FACTS,
            [{"topic": TOPIC, "item": 0, "key": key, "value": value} for key, value in found.items()],
        )


def _only(column: pa.Array) -> str | None:
    values = [value for value in pc.unique(column).to_pylist() if value]
    return values[0] if len(values) == 1 else None

"""Where the header of a grid is, how its cells are separated, and whether its columns are those of a view."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agtrace.readers.seeding_dmv.columns import topics_of

SEPARATORS = ("\t", ",", ";", "|")
MAX_SKIPPED = 5
"""Lines before the header: blank ones, ``sep=;``, a statement."""
_NAME = re.compile(r"[A-Za-z_][\w #()/%.-]{0,127}")

SIGNS = tuple(
    frozenset(names.split())
    for names in (
        "database_name log_send_queue_size",
        "database_name redo_queue_size",
        "database_name synchronization_state_desc",
        "database_id synchronization_state_desc",
        "replica_server_name role_desc",
        "replica_server_name availability_mode_desc",
        "replica_server_name connected_state_desc",
        "replica_id role_desc",
        "name log_reuse_wait_desc",
        "name recovery_model_desc",
        "name vlf_count",
        "database_id vlf_count",
        "database_name backup_finish_date",
        "wait_type waiting_tasks_count wait_time_ms",
        "session_id wait_type wait_time",
        "session_id open_transaction_count",
        "session_id elapsed_time_seconds is_snapshot",
        "version_store_kb freespace_kb",
        "primary_replica failure_condition_level",
        "dns_name port",
        "cluster_name quorum_type_desc",
        "member_name number_of_quorum_votes",
    )
)
"""Columns of which one set names a view; queries choose the others as they like."""


@dataclass(frozen=True)
class Header:
    """The header of a grid.

    Parameters
    ----------
    line
        Its line, from 0.
    """

    line: int
    separator: str
    columns: tuple[str, ...]


def find(text: str) -> Header | None:
    """Return the header of a text; None where it is no grid of a known view."""
    for number, line in enumerate(text.split("\n", MAX_SKIPPED)[:MAX_SKIPPED]):
        header = _header(line.strip("\r\ufeff"), number)
        if header is not None:
            return header
    return None


def _header(line: str, number: int) -> Header | None:
    separator = max(SEPARATORS, key=line.count)
    columns = tuple(name.strip().strip('"').strip() for name in line.split(separator))
    if len(columns) < 2 or not all(_NAME.fullmatch(name) for name in columns):
        return None
    there = {name.lower() for name in columns}
    # Other readers know the seeding views and the lists of read-only routing.
    if not any(sign <= there for sign in SIGNS) or topics_of(columns) or "routing_priority" in there:
        return None
    return Header(number, separator, columns)

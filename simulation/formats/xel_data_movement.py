"""The events of AlwaysOn_Data_Movement_Tracing, as servers from 2017 on write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from simulation.formats.xel_schema import Event, EventSchema, Map, event_schema
from simulation.formats.xel_sessions import COMMIT_POLICY, SQLMIN

WRITE_REASON = Map(
    "log_flush_write_reason", {0: "Standalone", 1: "NoMoreBlocks", 4: "NoMemBlock", 6: "PreferredSizeReached"}
)
MESSAGE = {
    "sequence_number": "uint64",
    "acknowledgment_number": "uint64",
    "log_block_id": "uint64",
    "chadr_recv_message_address": "ptr",
    "availability_group_id": "guid",
    "local_availability_replica_id": "guid",
    "target_availability_replica_id": "guid",
    "database_replica_id": "guid",
}
PENDING = {
    "write_size": "uint32",
    "rows": "uint32",
    "pending_writes": "uint32",
    "pending_bytes": "uint32",
    "start_timestamp": "uint64",
    "pending_buffers": "uint32",
}
COMPRESSION = {
    "start_timestamp": "uint64",
    "processing_time": "uint64",
    "database_id": "uint32",
    "log_block_id": "uint64",
    "is_compressed": "int8",
    "compressed_size": "uint32",
    "uncompressed_size": "uint32",
}


def _event(name: str, fields: Mapping[str, str | Map], uuid: str) -> EventSchema:
    return event_schema(name, fields, package=SQLMIN, uuid=uuid)


DATA_MOVEMENT = [
    _event(
        "hadr_capture_log_block",
        {
            "processing_time": "uint64",
            "start_timestamp": "uint64",
            "log_block_id": "uint64",
            "log_block_size": "uint32",
            "log_block_sequence": "uint64",
            "log_block_acknowledgment_sequence": "uint64",
            "queue_size": "uint32",
            "mode": "uint16",
            "availability_group_id": "guid",
            "availability_replica_id": "guid",
            "database_replica_id": "guid",
        },
        "06431d78-4587-411c-af25-efe0d599cdf1",
    ),
    _event(
        "log_flush_start",
        {
            "database_id": "uint32",
            "file_id": "uint32",
            "log_block_id": "uint64",
            **PENDING,
            "write_reason": WRITE_REASON,
        },
        "79568cbb-e3a8-4135-9b31-38f0c4ff022d",
    ),
    _event(
        "log_flush_complete",
        {
            "database_id": "uint32",
            "file_id": "uint32",
            "log_block_id": "uint64",
            "duration": "uint64",
            **PENDING,
        },
        "3f0402ef-0a07-4803-b6da-68d58ec64cc1",
    ),
    _event(
        "hadr_log_block_compression",
        {**COMPRESSION, "compression_cache_insertion_time": "uint64", "availability_replica_id": "guid"},
        "5efb8ce9-e0b1-402d-9676-226a70bb01b6",
    ),
    _event(
        "hadr_log_block_send_complete",
        {
            "start_timestamp": "uint64",
            "has_been_sent": "int8",
            "total_processing_time": "uint64",
            "log_block_id": "uint64",
            "log_block_size": "uint32",
            "log_buffer_size": "uint32",
        },
        "ceb34131-40a8-44c1-a59e-e4f04305e78e",
    ),
    _event(
        "hadr_transport_receive_log_block_message",
        {"start_timestamp": "uint64", "processing_time": "uint64", "mode": "uint16", **MESSAGE},
        "99193196-b0a3-47b2-a9e0-12580aca2e6e",
    ),
    _event(
        "hadr_log_block_decompression",
        {**COMPRESSION, "availability_replica_id": "guid"},
        "46c43284-1235-405f-a0cb-7f1e2d79dcf9",
    ),
    _event(
        "hadr_apply_log_block",
        {
            "start_timestamp": "uint64",
            "log_accept_start_timestamp": "uint64",
            "processing_time": "uint64",
            "log_block_id": "uint64",
            "log_block_size": "uint32",
            "log_block_acknowledgment_sequence": "uint64",
            "total_processing_time": "uint64",
            "log_cache_copy_time": "uint64",
            "apply_ready_queue_size": "uint64",
            "apply_pending_queue_size": "uint64",
            "mode": "uint16",
            "database_replica_id": "guid",
        },
        "226b89d5-f431-4187-871b-6d00fd1c1722",
    ),
    _event(
        "hadr_send_harden_lsn_message",
        {
            "start_timestamp": "uint64",
            "writelog_wait": "uint64",
            "total_wait": "uint64",
            "mode": "uint16",
            "processing_time": "uint64",
            "sending_time": "uint64",
            "log_block_id": "uint64",
            "waited": "int8",
            "hardened_lsn": "unicode_string",
            "hadr_database_id": "guid",
            "availability_replica_id": "guid",
            "availability_group_id": "guid",
        },
        "bf5d5752-52bf-465c-9afd-7037b9cfbda6",
    ),
    _event(
        "hadr_lsn_send_complete",
        {
            "start_timestamp": "uint64",
            "total_processing_time": "uint64",
            "total_sending_time": "uint64",
            "log_block_id": "uint64",
            "has_been_sent": "int8",
        },
        "ab490538-2e27-4ce7-9615-d1b2a460f1d1",
    ),
    _event(
        "hadr_receive_harden_lsn_message",
        {"processing_time": "uint64", "start_timestamp": "uint64", "mode": "uint16", **MESSAGE},
        "8ebdd19c-2988-45d7-a29b-ca6ffe2416a3",
    ),
    _event(
        "hadr_db_commit_mgr_harden",
        {
            "database_id": "uint32",
            "commit_policy": COMMIT_POLICY,
            "delay": "uint32",
            "time_to_commit": "uint64",
            "result": "uint32",
            "valid_lease": "uint32",
            "wait_log_block": "uint64",
            "hardened_log_block": "uint64",
            "group_id": "guid",
            "replica_id": "guid",
            "ag_database_id": "guid",
        },
        "e34a2983-49ef-4ef8-b38c-392d7767f58f",
    ),
]
SCHEMAS = {schema.name: schema for schema in DATA_MOVEMENT}
"""All of them, by name."""


def event(schema: EventSchema, ticks: int, fields: Mapping[str, Any]) -> Event:
    """Return an event whose ids are spelled out as text."""
    columns = schema.columns
    given = {name: UUID(value) if columns[name].type == "guid" else value for name, value in fields.items()}
    return Event(schema, ticks, given)

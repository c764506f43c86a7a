"""The Arrow schemas of how servers are set up: their starts, power plans, drivers, networks, collections."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

_FOUND = [
    column("capture_id", _TEXT, "source capture"),
    column("content_id", _TEXT, "its content"),
    column("line", _COUNT, "line in it"),
    column("host_id", _TEXT, "server"),
]
_TIMES = [
    column("time", UTC_TIME, "when; NULL if it is unknown"),
    column("time_local", LOCAL_TIME, "when, the server's local time"),
]
_PRODUCT = [
    column("product", _TEXT, "year of the product: 2019, ..."),
    column("level", _TEXT, "RTM, SP3, RTM-CU18, ..."),
    column("edition", _TEXT, "edition"),
    column("os", _TEXT, "operating system"),
    column("logical_processors", _COUNT, "logical processors"),
    column("memory_mb", _COUNT, "memory", "MB"),
]

SERVER_STARTS = relation(
    "start of an instance, as its ERRORLOG shows it",
    [
        *_FOUND,
        column("sql_instance", _TEXT, "its instance"),
        *_TIMES,
        column("version", _TEXT, "build: 15.0.4261.1"),
        *_PRODUCT,
        column("instant_file_initialization", _TEXT, "enabled or disabled; NULL if the log does not say it"),
        column("machine_model", _TEXT, "model of the machine: Virtual Machine, ..."),
    ],
)

SERVER_VERSIONS = relation(
    "instance that started: its last version, and what all of its captured starts agree on",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("version", _TEXT, "build that it last started with: 15.0.4261.1"),
        column("only_version", _TEXT, "the same; NULL if starts differ"),
        *_PRODUCT,
    ],
)

SERVER_PROPERTIES = relation(
    "snapshot of a server's properties (SERVERPROPERTY, sys.dm_os_sys_info)",
    [
        *_FOUND,
        column("sql_instance", _TEXT, "its instance"),
        *_TIMES,
        column("version", _TEXT, "build: 15.0.4261.1"),
        column("level", _TEXT, "cumulative update: CU18, ..."),
        column("edition", _TEXT, "edition"),
        column("logical_processors", _COUNT, "logical processors"),
    ],
)

POWER_PLANS = relation(
    "power plan of Windows that a snapshot of a host shows",
    [
        *_FOUND,
        column("plan", _TEXT, "name of the active plan, in the language of Windows"),
        column("guid", _TEXT, "its GUID, the same in every language"),
    ],
)

FILTER_DRIVERS = relation(
    "volume that a file system filter driver watches (fltmc instances)",
    [
        *_FOUND,
        column("filter", _TEXT, "the driver"),
        column("volume", _TEXT, "drive letter with its colon, or a path of a device; upper case"),
        column("altitude", _NUMBER, "its place among the filters: 320000 to 329999 are anti-virus"),
    ],
)

COLLECTIONS = relation(
    "log of a support tool that collected captures",
    [
        *_FOUND,
        column("tool_version", _TEXT, "version of the collector"),
        column("scenarios", _TEXT, "scenarios that were selected, a blank between them"),
    ],
)

NETWORK_FACTS = relation(
    "setting or measurement of a network in a text file: TCP settings, a ping, a bulk copy, a handshake",
    [
        *_FOUND,
        *_TIMES,
        column("topic", _TEXT, "tcp_global, ping, robocopy or tcp_handshake", nullable=False),
        column("item", _COUNT, "number of the record in its file"),
        column("named_host", _TEXT, "host that the command named (netsh -r HOST); upper case"),
        column("autotuning_level", _TEXT, "receive window auto-tuning: disabled, ..., normal, experimental"),
        column("target_host", _TEXT, "host that was pinged: first DNS label, upper case, or an address"),
        column("address", _TEXT, "its address"),
        column("round_trip_ms", _NUMBER, "mean round trip of the ping", "ms"),
        column("source_host", _TEXT, "host that was copied from, where the path names one; upper case"),
        column("destination_host", _TEXT, "host that was copied to, the same"),
        column("bytes_per_s", _NUMBER, "speed of the copy", "B/s"),
        column("client", _TEXT, "end that opened the connection"),
        column("server", _TEXT, "its other end"),
        column("server_port", _TEXT, "port that the connection went to"),
        column("client_scale", _TEXT, "window scaling offered by the client, or none"),
        column("server_scale", _TEXT, "the same of the server; NULL: no answer"),
    ],
)

LOG_GAPS = relation(
    "part of an ERRORLOG that a collector left out",
    [
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("capture_id", _TEXT, "the log"),
        column("content_id", _TEXT, "its content"),
        column("start", UTC_TIME, "last entry before it; NULL if the offset is unknown"),
        column("end", UTC_TIME, "first entry after it, the same"),
        column("start_local", LOCAL_TIME, "last entry before it, the server's local time"),
        column("end_local", LOCAL_TIME, "first entry after it, the same"),
        column("is_filled", pa.bool_(), "whether another copy of the log has these entries", nullable=False),
    ],
)

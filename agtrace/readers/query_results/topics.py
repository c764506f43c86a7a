"""Topics of the facts of query results."""

from __future__ import annotations

from agtrace.readers.errorlog.topics import TRACE_FLAGS
from agtrace.readers.query_results.routing_topics import TOPICS as ROUTING
from agtrace.readers.query_results.seeding.topics import TOPICS as SEEDING
from agtrace.tables.topics import Value, facts

SERVER_PROPERTY = "server_property"
CONFIGURATION = "configuration"
TRACE_FLAG = TRACE_FLAGS.name
POWER_PLAN = "power_plan"
SYSTEM_INFO = "system_info"
SECTOR_INFO = "sector_info"
STARTUP_ARGUMENT = "startup_argument"
COLLECTION = "collection"
RING_BUFFER = "ring_buffer"

COLLECTIONS = facts(
    COLLECTION,
    "output of a collecting script, or the log of the collector",
    Value("server_name", "server of the output, with its instance"),
    Value("machine_name", "machine of that server"),
    Value("group", "availability group that it shows: no server is called so"),
    Value("script", "name of the script"),
    Value("sql_version", "version of SQL Server"),
    Value("utc_offset_minutes", "local time of the server minus UTC"),
    Value("look", "when it looked, the server's local time"),
    Value("tool_version", "version of the collector"),
    Value("scenarios", "scenarios that were selected, a blank between them"),
)
POWER_PLANS = facts(
    POWER_PLAN,
    "power plan of Windows",
    Value("active", "name of the active plan, in the language of Windows"),
    Value("guid", "its GUID, the same in every language"),
)
SYSTEM_INFOS = facts(
    SYSTEM_INFO,
    "output of systeminfo",
    Value("*", "a label without its colon, in English if its position is known; value as written"),
)

TOPICS = (
    COLLECTIONS,
    facts(
        SERVER_PROPERTY,
        "rowset of properties of the server",
        Value("UTCOffset_in_Hours", "local time of the server minus UTC, hours with decimals"),
        Value("*", "a property of the server under its own name, as written"),
    ),
    facts(
        CONFIGURATION,
        "option of sys.configurations",
        Value("name", "the option"),
        Value("value", "configured value"),
        Value("value_in_use", "value in use"),
    ),
    facts(
        STARTUP_ARGUMENT,
        "rowset of start-up parameters",
        Value("*", "name of the argument (SQLArg0, ...); value the parameter"),
    ),
    POWER_PLANS,
    SYSTEM_INFOS,
    facts(
        SECTOR_INFO,
        "volume, from `fsutil fsinfo sectorinfo`",
        Value("volume", "drive letter with its colon"),
        Value("*", "a property under its own name, without its colon; true without a value"),
    ),
    facts(
        RING_BUFFER,
        "record of a ring buffer; its local time if the query has it",
        Value(
            "type", "type of the buffer: RING_BUFFER_HADR_TRANSPORT_STATE, RING_BUFFER_HADRDBMGR_STATE, ..."
        ),
        Value("*", "a value of the record, under its own name"),
    ),
    TRACE_FLAGS,
    *SEEDING,
    *ROUTING,
)

"""The sessions beside AlwaysOn_health that tell of a group: SQLDIAG of the cluster's resource, and
system_health.

Events, fields and types are those of SQL Server 2017's own files; SQLDIAG's are written by the
cluster's resource library, which is a package of its own.
"""

from __future__ import annotations

from simulation.formats.xel_schema import Map, Package, event_schema
from simulation.formats.xel_sessions import SQLMIN

HADRAG = Package("hadrag", "Extended events of the resource library of availability groups")
RESOURCE_STATE = Map(
    "resource_state", {2: "Online", 3: "Offline", 4: "Failed", 129: "OnlinePending", 130: "OfflinePending"}
)
ALIVE_FAILURE = Map("is_alive_failure_reason", {1: "SERVERDIED", 2: "LEASEEXPIRED"})
CONDITION_LEVEL = Map("failure_condition", {1: "SERVER_DOWN", 3: "SYSTEM_UNHEALTHY"})
COMPONENT = Map(
    "component", {0: "SYSTEM", 1: "RESOURCE", 2: "QUERY_PROCESSING", 3: "IO_SUBSYSTEM", 4: "EVENTS"}
)
COMPONENT_STATE = Map("component_state", {0: "UNKNOWN", 1: "CLEAN", 2: "WARNING", 3: "ERROR"})
INSTANCE = {"instance_name": "unicode_string", "node_name": "unicode_string"}

SQLDIAG = [
    event_schema("info_message", {"data": "unicode_string", **INSTANCE}, package=HADRAG,
                 uuid="b9c8326f-437a-4a66-bd45-37045778dcf1"),
    event_schema(
        "component_health_result",
        {
            "state": "uint32",
            "failure_condition_level": "uint32",
            "creation_time": "unicode_string",
            "component_type": "unicode_string",
            "component": "unicode_string",
            "state_desc": "unicode_string",
            "data": "unicode_string",
            **INSTANCE,
        },
        package=HADRAG,
        uuid="73581313-4a8b-43c8-8bfc-2a14a3595c05",
    ),
    event_schema(
        "availability_group_state_change",
        {
            "target_state": RESOURCE_STATE,
            "failure_condition_level": CONDITION_LEVEL,
            "availability_group_resource_id": "unicode_string",
            "availability_group_name": "unicode_string",
            "instance_name": "unicode_string",
        },
        package=HADRAG,
        uuid="dc660ef2-6bf0-4565-b540-7175a1bdc33e",
    ),
    event_schema(
        "availability_group_is_alive_failure",
        {
            "reason": ALIVE_FAILURE,
            "availability_group_resource_id": "unicode_string",
            "availability_group_name": "unicode_string",
            "server_name": "unicode_string",
            "instance_name": "unicode_string",
        },
        package=HADRAG,
        uuid="127b89ce-7438-4b6a-8798-5bd598b62dfb",
    ),
]  # fmt: skip
SYSTEM_HEALTH = [
    event_schema(
        "sp_server_diagnostics_component_result",
        {"component": COMPONENT, "state": COMPONENT_STATE, "data": "xml"},
        package=SQLMIN,
        uuid="8232fe0e-4e1c-450c-9d49-73806cd80745",
    ),
    event_schema(
        "scheduler_monitor_system_health_ring_buffer_recorded",
        {
            "id": "uint32",
            "timestamp": "uint64",
            "process_utilization": "uint32",
            "system_idle": "uint32",
            "user_mode_time": "uint64",
            "kernel_mode_time": "uint64",
            "page_faults": "uint32",
            "working_set_delta": "int64",
            "memory_utilization": "uint32",
            "call_stack": "unicode_string",
        },
        uuid="5a280226-c02b-4522-baf7-4976eb7b09ae",
    ),
]
SCHEMAS = {schema.name: schema for schema in [*SQLDIAG, *SYSTEM_HEALTH]}
"""All of them, by name."""
STATES = {"unknown": 0, "clean": 1, "warning": 2, "error": 3}


def component(
    name: str,
    *,
    cpu: int = 20,
    sql_cpu: int = 15,
    memory_mb: int = 9_000,
    out_of_memory_s: int = 0,
    long_ios: int = 0,
    dumps: int = 0,
    stuck: bool = False,
) -> str:
    """Return the data of a component of sp_server_diagnostics; values not given are quiet."""
    if name == "system":
        return (
            '<system spinlockBackoffs="0" sickSpinlockType="none" sickSpinlockTypeAfterAv="none" '
            'latchWarnings="0" '
            f'isAccessViolationOccurred="0" writeAccessViolationCount="0" totalDumpRequests="{dumps}" '
            f'intervalDumpRequests="{min(dumps, 3)}" nonYieldingTasksReported="{int(stuck)}" '
            f'pageFaults="3317" '
            f'systemCpuUtilization="{cpu}" sqlCpuUtilization="{sql_cpu}" BadPagesDetected="0" '
            f'BadPagesFixed="0" '
            'LastBadPageAddress="0x0"/>'
        )
    if name == "resource":
        low = "LOW" if memory_mb < 200 else "HIGH"
        return (
            f'<resource lastNotification="RESOURCE_MEMPHYSICAL_{low}" '
            f'outOfMemoryExceptions="{out_of_memory_s // 10}" '
            f'isAnyPoolOutOfMemory="{int(out_of_memory_s > 0)}" processOutOfMemoryPeriod="{out_of_memory_s}">'
            '<memoryReport name="Process/System Counts" unit="Value">'
            f'<entry description="Available Physical Memory" value="{memory_mb << 20}"/>'
            '<entry description="Working Set" value="9321437696"/></memoryReport></resource>'
        )
    if name == "query_processing":
        return (
            f'<queryProcessing maxWorkers="704" workersCreated="{704 if stuck else 96}" '
            f'workersIdle="{0 if stuck else 21}" '
            f'tasksCompletedWithinInterval="{0 if stuck else 931}" pendingTasks="{212 if stuck else 0}" '
            f'oldestPendingTaskWaitingTime="{61_000 if stuck else 0}" hasUnresolvableDeadlockOccurred="0" '
            f'hasDeadlockedSchedulersOccurred="{int(stuck)}" '
            f'trackingNonYieldingScheduler="0x0"><topWaits/></queryProcessing>'
        )
    if name == "io_subsystem":
        return (
            f'<ioSubsystem ioLatchTimeouts="{long_ios // 4}" intervalLongIos="{long_ios}" '
            f'totalLongIos="{long_ios}">'
            "<longestPendingRequests></longestPendingRequests></ioSubsystem>"
        )
    raise ValueError(f"there is no component {name!r}")


COMPONENTS = ("system", "resource", "query_processing", "io_subsystem")

"""Small outputs of sqlcmd: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats import rowsets as make
from tests.readers.query_results import small_routing, small_seeding, small_separated

SCRIPT = make.rowset(
    "Script and Environment Details",
    (("Name", 24), ("Value", 40)),
    [
        ("SQL Server Name", "SRV1"),
        ("Machine Name", "SRV1"),
        ("SQL Version (SP)", "16.0.4085.2 (RTM)"),
        ("Script Name", "Misc Diagnostics Info"),
        ("Script Begin Time", "2026-03-01T10:15:33.420"),
    ],
)
PROPERTIES = make.rowset(
    "ServerProperty",
    (("PropertyName", 30), ("PropertyValue", 40)),
    [("MachineName", "SRV1"), ("SQLServerName", "SRV1"), ("UTCOffset_in_Hours", "5.50")],
).replace("-- ServerProperty --", "--ServerProperty--")
MISC = (
    "Changed language setting to us_english.\r\n"
    + SCRIPT
    + PROPERTIES
    + make.rowset("Startup Parameters", (("ArgsName", 10), ("ArgsValue", 40)), [("SQLArg0", "-T9567")])
    + make.rowset(
        "traceflags",
        (("TraceFlag", -11), ("Status", -11), ("Global", -11), ("Session", -11)),
        [(9567, 1, 1, 0)],
    )
    + make.rowset(
        "sys.configurations",
        (("configuration_id", -16), ("value", -11), ("value_in_use", -12), ("name", 35)),
        [(503, 0, 960, "max worker threads")],
    )
    + "-- Script End --\r\n"
)
PERF = (
    "Starting SQL Server Perf Stats Script...\r\n"
    + SCRIPT
    + make.waits("2026-03-01T10:16:35.220", {"HADR_SYNC_COMMIT": (90, 810), "WRITELOG": (70, 56)})
    + make.waits("2026-03-01T10:17:35", {"HADR_SYNC_COMMIT": (96, 864), "WRITELOG": (71, 60)})
)
LOOKED = make.look("2026-03-01 10:15:31.017") + make.replicas() + make.states(["Sales"])
SLOW_FILES = make.rowset(
    "file_io_stats",
    (("runtime", 30), ("runtime_utc", 30), ("DATABASE_NAME", 20), ("Physical_Name", 40),
     ("File_Size_MB", -12), ("Average_Read_Latency", -20), ("Average_Write_Latency", -21)),
    [("2026-03-01T10:16:35.220", "2026-03-01T04:46:35.220", "Sales", "D:\\data\\sales.ldf", 512, 3, 27)],
)  # fmt: skip
POWER_PLAN = "--- Power Plan ---\r\nActivePlanName\r\n" + "-" * 60 + "\r\nBalanced\r\n"
SYSTEM = (
    "-- system_info --\r\nProperty                   Value         \r\n"
    + "-" * 26 + " " + "-" * 60 + "\r\nHost Name:                 SRV1\r\n"
)  # fmt: skip


SECTORS = "-- fsutil sectorinfo--\r\n" + "".join(
    f"{name:<56}{value:<31}{volume}\r\n"
    for name, value, volume in (
        ("fsutil_property", "fsutil_value", "volume"),
        ("-" * 55, "-" * 30, "-" * 15),
        ("LogicalBytesPerSector :", "512", "C:"),
        ("PhysicalBytesPerSectorForAtomicity :", "4096", "C:"),
        ("Trim Supported", "", "C:"),
        ("LogicalBytesPerSector :", "4096", "D:"),
    )
)
"""What LogScout makes of `fsutil fsinfo sectorinfo`."""


RING_BUFFERS = make.rowset(
    "sys.dm_os_ring_buffers",
    (("data_collection_runtime", 30), ("ring_buffer_record_time", 30), ("record_timestamp", -20),
     ("cur_timestamp", -20), ("ring_buffer_type", 40), ("record", 400)),
    [
        ("2026-03-01 10:16:35.220", "2026-03-01 10:15:35.000", 1000, 61220,
         "RING_BUFFER_HADR_TRANSPORT_STATE",
         '<Record id="2" type="RING_BUFFER_HADR_TRANSPORT_STATE" time="1000"><HadrTransportState>'
         "<currentState>HadrSession_Connected</currentState><targetState>HadrSession_Timeout</targetState>"
         "<stack><frame id = '0'>0X00007FF</frame></stack></HadrTransportState></Record>"),
        ("2026-03-01 10:16:35.220", None, 41220, 61220, "RING_BUFFER_HADRDBMGR_STATE",
         '<Record id="3" type="RING_BUFFER_HADRDBMGR_STATE" time="41220"><HadrDbMgrState><dbId>5</dbId>'
         "<name>A &amp; B</name></HadrDbMgrState></Record>"),
    ],
)  # fmt: skip
"""Source: Microsoft, "Use ring buffers to obtain health information about Always On availability groups"."""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "SRV1_20260301T1015347781_PerfStats.out", PERF.encode()
    yield "SRV1_20260301T1015331124_MiscDiagInfo.out", MISC.encode()
    for module in (small_seeding, small_routing, small_separated):
        yield from module.captures()


def said() -> Iterator[tuple[str, bytes]]:
    yield "AlwaysOnDiagScript.out", LOOKED.encode()
    yield "High_IO_Perfstats.out", SLOW_FILES.encode()
    yield "PowerPlan.out", POWER_PLAN.encode()
    yield "RingBuffers.out", RING_BUFFERS.encode()
    yield "Fsutil_SectorInfo.out", SECTORS.encode()
    yield "SystemInfo_Summary.out", SYSTEM.encode()
    yield from small_seeding.said()
    yield from small_routing.said()

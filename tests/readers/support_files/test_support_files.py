"""What collectors always write is known, and says why it is not read."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.support_files import READER
from tests.folded import folded

TEXT = b"Image Name                     PID Session Name\r\nsqlservr.exe  4711 Services\r\n"
LOGSCOUT = (
    "RunningDrivers.csv", "RunningDrivers.txt", "TaskListServices.out", "TaskListVerbose.out",
    "WindowsHotfixes.out", "WindowsDiskInfo.out", "FLTMC_Filters.out", "FLTMC_Instances.out",
    "UserRights.out", "DNSClientInfo.out", "IPConfig.out", "NetTCPandUDPConnections.out",
    "SQL_AzureVM_Information.out", "Environment_Variables.out", "azcmagent-logs.zip",
    "AllMemoryDumps_List.out", "DotNetVersions.out", "ClusterRegistryHive.out",
    "ExistingProfilerXeventTraces.out",
    "QueryStore.out", "TempDB_and_Tran_Analysis.out", "linked_server_config.out",
    "Top_CPU_QueryPlansXml_Shutdown_1.xml", "Change_TrackingStartup.out", "SSB_DbMail_Diag.out",
    "SQL_Server_Mem_Stats.out", "VSSAdmin_Writers.out", "SqlWriterLogger.txt",
    "Repl_Metadata_CollectorShutdown.out", "WPR_CPU_Stop.etl", "StorPort.etl", "ProcessMonitor.pml",
    "NetworkTrace_LogmanStart1.etl", "InstalledPrograms.out",
    "MissingMsiMsp_Summary.txt", "HKLM_MicrosoftSQLServer.txt", "FullTextSearchMetadata.out",
)  # fmt: skip


@folded("what", LOGSCOUT)
@folded("server", ["CONTOSO1", "CONTOSO1_SALES"])
def test_what_logscout_always_writes(what, server):
    found = detect(TEXT, f"{server}_20260301T1016102291_{what}")
    assert found is not None
    assert (found[0].name, found[1].readable) == ("support_files", False)
    assert found[1].kind
    assert found[1].reason


@folded(
    ("name", "kind"),
    [
        ("##SQLLOGSCOUT.LOG", "log of the collector"),
        ("##SQLLOGSCOUT_DEBUG.LOG", "log of the collector"),
        ("##STDERR.LOG", "log of the collector"),
        ("##SQLDIAG.LOG", "log of the collector"),
        ("pssdiag.xml", "settings of the collector"),
        ("set.txt", "settings of Windows"),
        ("log_17.trc", "trace of SQL Server's Profiler"),
        ("SQLDump0001.mdmp", "memory dump"),
        ("CONTOSO1_msinfo32.nfo", "settings of Windows"),
        ("CONTOSO1_MSINFO32.TXT", "settings of Windows"),
        ("CONTOSO1_sym_Drivers.csv", "list of drivers"),
        ("CONTOSO1_TaskListSvc.txt", "list of programs"),
        ("CONTOSO1_SALES_reg_Services.txt", "settings of Windows"),
        ("results.xml", "log of the collector"),
        ("CONTOSO1_os_disk_info.info", "settings of Linux"),
        ("CONTOSO1__Windows_Hotfix_List_Startup.OUT", "list of installed software"),
        ("CONTOSO1__TraceFlagHelperProcs_Startup.OUT", "log of the collector"),
        ("CONTOSO1_SALES_RestoreTraceFlagOrigValues_Shutdown.OUT", "log of the collector"),
        ("CONTOSO1__Errorlog_All_Shutdown.OUT", "log of the collector"),
        ("CONTOSO1__Power Plan_Startup.txt", "power plan"),
        ("CONTOSO1__system_Shutdown.OUT", "Windows event log of PSSDIAG"),
        ("CONTOSO1_SALES_application_Startup.OUT", "Windows event log of PSSDIAG"),
        ("CONTOSO1_SALES_1033_sp_sqldiag_Shutdown.OUT", "report of sp_sqldiag"),
        ("CONTOSO1_SALES_FDLAUNCHERRORLOG.1", "other parts of SQL Server"),
        ("Net_TCPIP_info.txt", "addresses and connections"),
        ("Net_NetAdapterInfo.txt", "addresses and connections"),
        ("CONTOSO1_TCPIP_netsh_info.TXT", "addresses and connections"),
        ("lnx1_host_instance_pssdiag_xevent_start.log", "log of the collector"),
        ("lnx1_host_instance_Stop_XECollection.log", "log of the collector"),
        ("lnx1_host_instance_SQL_QueryStore_Shutdown.out", "costly queries"),
        ("lnx1_container_instance_SQL_Mem_Stats.out", "memory of SQL Server"),
        ("lnx1_host_instance_SQL_Databases_Disk_Map_Shutdown.out", "settings of Linux"),
    ],
)
def test_what_other_collectors_always_write(name, kind):
    hit = READER.detect(TEXT, name)
    assert hit is not None
    assert (hit.kind, hit.readable) == (kind, False)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"MDMP\x93\xa7", "memory dump"),
        (b"PK\x05\x06" + bytes(18), "empty archive"),
        ("\ufeffWindows Registry Editor Version 5.00\r\n".encode("utf-16-le"), "registry export"),
    ],
)
def test_some_are_known_by_their_bytes(head, kind):
    hit = READER.detect(head, "anything")
    assert hit is not None
    assert hit.kind == kind


@folded(
    "name",
    [
        "notes.docx", "tasklist.txt", "drivers.txt", "reg_notes", "CONTOSO1_perf.csv", "my_filters.xlsx",
        "CONTOSO1_20260301T1016102291_Perfmon.out_000001.blg", "CONTOSO1_20260301T1016102291_x.out",
        "CONTOSO1_20260301T1015331124_MiscDiagInfo.out", "CONTOSO1_20260301T1015347781_PerfStats.out",
        "CONTOSO1_20260301T1016102291_EventLog_System.csv", "CONTOSO1.contoso.lan_cluster.log",
        "CONTOSO1_20260301T1015401133_GetAGTopology.xml", "CONTOSO1_os_iostat.perf",
        "CONTOSO1_20260301T1015558810_PowerPlan.out", "Net_TCPIP_offload.txt", "Net_TCPIP_pscmdlets.txt",
        "lnx1_host_instance_SQL_Performance_Counters.out", "lnx1_host_instance_SQL_AlwaysOnDiag_Shutdown.out",
        "file_system_notes.out", "",
    ],
)  # fmt: skip
def test_other_files_are_left_to_others(name):
    assert READER.detect(TEXT, name) is None


def test_a_reader_that_reads_a_file_wins():
    errorlog = b"2026-03-01 10:01:00.33 Server      Microsoft SQL Server 2022\r\n"
    found = detect(errorlog, "CONTOSO1_20260301T1016102291_TaskListVerbose.out")
    assert found is not None
    assert found[0].name == "errorlog"

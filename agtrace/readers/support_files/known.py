"""Kinds of files that support collectors always write and that agtrace does not need."""

from __future__ import annotations

import re
from typing import NamedTuple


class FileKind(NamedTuple):
    """A kind of file.

    Parameters
    ----------
    names
        Starts of its name, in lower case, after server and time; separated by ``|``.
    kind
        Name of the kind for users.
    reason
        Why it is not read.
    """

    names: str
    kind: str
    reason: str


_MOMENT = "a list of one moment, without times"
_WINDOWS = "how Windows is set up; nothing of it changes a replica's speed"
_QUERIES = "single queries and their plans, not the group"
_TRACE = "a trace of Windows itself, for its own tools"
_OTHER = "another part of SQL Server"
_ITSELF = "what the collector says of its own work"

COLLECTED = (
    FileKind("tasklist|taskscheduler|schtasks|pstat|process_", "list of programs", _MOMENT),
    FileKind("runningdrivers|drivers|devcon|verifier|sym_", "list of drivers", _MOMENT),
    FileKind("fltmc_|filters", "list of file system filters", _MOMENT),
    FileKind("windowshotfixes|windows_hotfix|hotfixes|installedprograms|dotnetversions", "list of installed "
        "software", _MOMENT),
    FileKind("windowsdiskinfo|diskinfo|fsutil_", "list of disks", _MOMENT),
    FileKind("userrights|whoami|gpresult|rsop", "rights of the accounts", _WINDOWS),
    FileKind("environment_variables|set.txt|bcdedit|bcdinfo|autoruns|msinfo32|reg_|hklm_|azcmagent|"
          "sql_azurevm_information|servermanager", "settings of Windows", _WINDOWS),
    FileKind("dnsclientinfo|ipconfig|nettcpandudpconnections|displaydns|netstat|tcpip_netsh|tcpip_info",
          "addresses and connections", _MOMENT),
    FileKind("traceflaghelperprocs|restoretraceflag|errorlog_all", "log of the collector", _ITSELF),
    FileKind("sp_sqldiag", "report of sp_sqldiag", "the ERRORLOG that it repeats is read itself"),
    FileKind("power plan", "power plan", "its words are not known: the output of powercfg /list is read"),
    FileKind("clusterregistryhive|cluster_registry|clushive", "registry of the cluster",
          "the cluster's log and its settings are read instead"),
    FileKind("poolmon", "kernel memory by tag", _MOMENT),
    FileKind("vssadmin_|sqlwriterlogger", "state of the shadow copies", "backups of disks, not of databases"),
    FileKind("allmemorydumps_list|sqldumper_errorlog|exception.log|sqldump", "dumps of SQL Server and their "
        "list",
          "for the debugger; the ERRORLOG tells when one was written"),
    FileKind("existingprofilerxeventtraces|profilertraces", "list of running traces", _MOMENT),
    FileKind("highcpu_perfstats|perfstatssnapshot|querystore|tempdb_and_tran_analysis|top_cpu_queryplansxml|"
          "top_|neverending|topn", "costly queries", _QUERIES),
    FileKind("linked_server_config|changedatacapture|change_tracking|repl_metadata_collector|replication_|"
          "ssb_|fulltextsearchmetadata|fd|sqlft|sqlassessmentapi", "other parts of SQL Server", _OTHER),
    FileKind("sql_server_mem_stats|mem_stats", "memory of SQL Server", "perfmon has what matters of it"),
    FileKind("setup_bootstrap|missingmsimsp|unattendedinstall", "logs of SQL Server's setup",
    "set-up, not running"),
    FileKind("networktrace|wpr_|storport|processmonitor|delete.me", "trace of Windows", _TRACE),
)  # fmt: skip
"""Files collected by SQL LogScout, PSSDIAG, SDP and TSS, by words in their names."""

WHOLE = (
    (r"##(?:sqllogscout|stderr|stdout|sqldiag|pssdiag|console|test)\w*\.(?:log|txt|xml)",
    "log of the collector", _ITSELF),
    (r"(?:pssdiag|sqldiag)\w*\.(?:xml|log|ini)|pssdiag\.txt", "settings of the collector", _ITSELF),
    (r"results?(?:report)?\.xml|_?(?:pssdp|tss)\w*\.(?:log|txt)|.*_(?:stdout|stderr)\.log|transcript.*\.txt",
     "log of the collector", _ITSELF),
    (r"set\.txt", "settings of Windows", _WINDOWS),
    (r".*\.trc", "trace of SQL Server's Profiler", _QUERIES),
    (r".*\.sqlplan|.*queryplansxml.*\.xml", "plan of a query", _QUERIES),
    (r".*\.(?:mdmp|dmp|hdmp)", "memory dump", "for the debugger; the ERRORLOG tells when one was written"),
    (r".*\.(?:etl|pml|cap|pcapng|ngenpdb)", "trace of Windows", _TRACE),
    (r"(?:.*_)?fdlauncherrorlog(?:\.\d{1,2})?", "other parts of SQL Server", _OTHER),
    (r".*_(?:system|application|security)_(?:startup|shutdown)\.(?:out|txt)", "Windows event log of PSSDIAG",
     "it names no columns: take the log itself (.evtx), or have SQL LogScout collect it"),
    (r"net_(?!tcpip_(?:offload|pscmdlets))\w+\.(?:txt|csv|log)", "addresses and connections", _MOMENT),
    (r".*_instance_(?:pssdiag_(?:xevent|trace)\w*|stop_\w+collection|msdiagprocs)\.(?:log|out)",
     "log of the collector", _ITSELF),
    (r".*_instance_sql_(?:querystore|activeprofilerxeventtraces)\w*\.out", "costly queries", _QUERIES),
    (r".*_instance_sql_mem_stats\w*\.out", "memory of SQL Server", "perfmon has what matters of it"),
    (r".*_instance_sql_(?:databases_disk_map|linux_known_issues_analyzer)\w*\.out", "settings of Linux",
     "how the host is set up"),
    (r".*_os_(?!iostat|mpstat|network_stats)\w+\.(?:info|perf|out|log)", "settings of Linux",
     "how the host is set up"),
)  # fmt: skip
"""Whole names of files, as patterns, each with kind and reason."""

_BEHIND_TIME = re.compile(r"_\d{8}T\d{10}_", re.IGNORECASE)
_STARTS = {start: known for known in COLLECTED for start in known.names.split("|")}
_WHOLE = [(re.compile(pattern, re.IGNORECASE), kind, reason) for pattern, kind, reason in WHOLE]
_ENDING = re.compile(r"\.(?:out|txt|csv|xml|log|nfo|htm|html|reg|hiv|dat|me|sqlplan|zip|cab)$", re.I)


def known_as(name: str) -> tuple[str, str] | None:
    """Return kind and reason of a file with a known name; None for any other."""
    for pattern, kind, reason in _WHOLE:
        if pattern.fullmatch(name):
            return kind, reason
    if not _ENDING.search(name):
        return None
    behind = _BEHIND_TIME.split(name, maxsplit=1)
    if len(behind) == 2:
        return _by_start(behind[1])
    # Without a time: SERVER_x, SERVER_INSTANCE_x. A file named only x may come from any tool.
    parts = name.split("_")
    found = (_by_start("_".join(parts[at:])) for at in range(1, min(len(parts), 4)))
    return next((each for each in found if each), None)


def _by_start(text: str) -> tuple[str, str] | None:
    text = text.lower()
    for start, known in _STARTS.items():
        if text.startswith(start):
            return known.kind, known.reason
    return None

"""Find the host of captures in the names of their files and folders.

Collectors put the host first: SQL LogScout, PSSDIAG and SQLDiag, SDP and TSS, Windows clustering. People put
it anywhere, so in other names only hosts already known in the case are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from agtrace.resolve.names import host_name

_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]|\.(?=[A-Za-z0-9]))*"
_SERVER = r"(?P<stem>[A-Za-z0-9][\w.$-]*?)"

CLUSTER_LOG = re.compile(rf"^(?P<stem>{_HOST})_cluster\.log$", re.I)
"""Get-ClusterLog puts the node in the name; each folder contains the logs of all nodes."""

LOGSCOUT, LOGSCOUT_LINUX, PSSDIAG, SDP = ("SQL LogScout", "SQL LogScout for Linux", "PSSDIAG", "SDP or TSS")

COLLECTORS = tuple(
    (tool, re.compile(rf"^{pattern}", re.I))
    for tool, pattern in (
        # SERVER[_INSTANCE]_yyyyMMddTHHmmssffff_Collector.ext
        (LOGSCOUT, rf"{_SERVER}_\d{{8}}T\d{{10}}_(?P<what>.+)"),
        # Copies of SQL Server's own files, which all of them make: SERVER[_INSTANCE]_ERRORLOG.1
        ("", rf"{_SERVER}_(?:ERRORLOG|SQLAGENT\.)"),
        # COMPUTER_INSTANCE_sp_sqldiag_Shutdown.OUT; in front of what is called much the same
        (SDP, rf"{_SERVER}_(?:\d{{4,5}}_)?sp_sqldiag_Shutdown\.OUT$"),
        # SQL Server itself: SERVER_INSTANCE_SQLDIAG_0_...xel
        ("", rf"{_SERVER}_SQLDIAG_"),
        # HOST_host_instance_sql_logs.bz2, HOST_os_x.perf
        (LOGSCOUT_LINUX, rf"(?P<stem>{_HOST})_(?:host_instance_|os_\w+\.(?:perf|info)$)"),
        # COMPUTER_INSTANCE_1033_AlwaysOn.OUT, ..._XeLogs.zip, COMPUTER_TCPIP_OFFLOAD.TXT
        (SDP, rf"{_SERVER}_\d{{4,5}}_AlwaysOn\.OUT$"),
        (SDP, rf"{_SERVER}_(?:system_health|AlwaysOn_health|FailoverCluster_health)_XeLogs\.zip$"),
        (SDP, rf"(?!Net_)(?P<stem>{_HOST})_TCPIP_(?:OFFLOAD|netsh_info)\.TXT$"),
    )
)
"""How collectors name files; ``stem`` is the server, and the instance behind it. Without a tool: any of them.
"""

_PSSDIAG = re.compile(rf"^(?P<host>{_HOST})_(?P<instance>[A-Za-z0-9$]*)_.+_(?:Startup|Shutdown)\.OUT$", re.I)
"""PSSDIAG: SERVER_INSTANCE_task_Startup.OUT, the instance empty for the default one."""

_OF_TOOL = (
    (LOGSCOUT, re.compile(r"^##SQLLOGSCOUT\w*\.log$", re.I)),
    (PSSDIAG, re.compile(r"^(?:##)?(?:SQLDIAG|pssdiag)\.(?:log|blg|xml)$", re.I)),
    (SDP, re.compile(r"^Net_(?:TCPIP|NetAdapter)\w*\.txt$", re.I)),
)
"""Names without a server that only one tool gives."""

_BOUNDARY = r"(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"


@dataclass(frozen=True)
class Named:
    """Host and instance found in a name.

    Parameters
    ----------
    host
        In the form in which hosts are compared.
    instance
        Upper case; MSSQLSERVER if a collector's name leaves it out; None if unknown.
    """

    host: str
    instance: str | None


class KnownHosts:
    """The hosts that a case knows, to be found in names.

    Parameters
    ----------
    names
        Every spelling of each, in the form in which hosts are compared.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        # The longest first: SQL1 stands in SQL1-DR, too.
        ordered = sorted(self._names, key=lambda name: (-len(name), name))
        texts = [_BOUNDARY.format(re.escape(name)) for name in ordered]
        self._pattern = re.compile("|".join(texts), re.I) if texts else None

    def within(self, text: str) -> set[str]:
        """Return the hosts that appear in a text as whole tokens."""
        if self._pattern is None:
            return set()
        return {match[0].upper() for match in self._pattern.finditer(text)}

    def of_stem(self, stem: str) -> Named:
        """Part ``SERVER_INSTANCE``: a known host is taken whole, for it may have a ``_`` in it."""
        upper = stem.upper()
        for end in sorted((n for n, c in enumerate(upper + "_") if c == "_"), reverse=True):
            if host_name(upper[:end]) in self._names:
                return _named(upper[:end], upper[end + 1 :])
        server, _, instance = upper.partition("_")
        return _named(server, instance)


def _named(server: str, instance: str) -> Named:
    return Named(host_name(server) or server, instance.strip("_") or "MSSQLSERVER")


def is_cluster_log(name: str) -> bool:
    """Return whether a file's name is that of a cluster node's log."""
    return CLUSTER_LOG.match(name) is not None


@lru_cache(4096)
def stem_of(name: str) -> str | None:
    """Return the ``SERVER_INSTANCE`` at the start of a collector's file name; None in any other."""
    return next((m["stem"] for _tool, each in COLLECTORS if (m := each.match(name))), None)


def tool_of(name: str) -> str | None:
    """Return which collector named a file; None if unknown or ambiguous."""
    found = next((tool for tool, each in (*COLLECTORS, *_OF_TOOL) if each.match(name)), None)
    return found or (PSSDIAG if found is None and _PSSDIAG.match(name) else None)


def collector_of(name: str) -> str | None:
    """Return what SQL LogScout collected into a file of this name: the part after server and time."""
    match = COLLECTORS[0][1].match(name)
    return match["what"] if match else None


def named_by_collector(name: str, known: KnownHosts) -> Named | None:
    """Parse the name of a file or folder from a collector; None for other names.

    Parameters
    ----------
    name
        The last part of a path.
    known
        Hosts that are known from inside of captures.
    """
    if match := CLUSTER_LOG.match(name):
        return Named(host_name(match["stem"]) or match["stem"].upper(), None)
    # First, because nothing but its two underscores tells PSSDIAG's empty instance.
    if (match := _PSSDIAG.match(name)) and stem_of(name) is None:
        return _named(match["host"], match["instance"].upper())
    if (stem := stem_of(name)) is not None:
        return known.of_stem(stem)
    return None

"""What servers write that weakens them, kind by kind: the messages, how much it matters, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agtrace.measure.platforms import LINUX, WINDOWS

LEFT_OUT, LOWER = "left out", "lower"


@dataclass(frozen=True)
class Noted:
    """A kind of message that is worth a finding of its host.

    Parameters
    ----------
    id, kind
        Of the finding; the kind tells apart what shares an id.
    title
        With ``{host}`` and ``{times}`` or ``{entries}``.
    severity
        Where the host has a replica of a group; without one it is info.
    remedies
        What to do, by system; that of Windows where Linux has none of its own.
    numbers
        Of sys.messages.
    heads
        What texts without a number begin with; English in every language.
    explained
        What becomes of it where all of it was written within a failover or restart that is told: `LEFT_OUT`,
        `LOWER`, or "" for nothing.
    least
        Name of the threshold that the busiest hour has to reach; "" where one message is enough.
    """

    id: str
    kind: str
    title: str
    severity: str
    remedies: Mapping[str, str]
    numbers: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    explained: str = ""
    least: str = ""
    says: str = field(default="")

    def remedy(self, platform: str) -> str:
        """Say what to do on a system."""
        return self.remedies.get(platform, self.remedies[WINDOWS])


NOTED = (
    Noted(
        "health.quorum", "replica_failed",
        "The replica of {host} failed: it could not read its configuration from the cluster ({entries})", "warning",
        {
            WINDOWS: "It does not come back by itself: have the node join the cluster again, then restart its cluster service or the "
            "instance. The node's cluster log (Get-ClusterLog) tells why it was out.",
            LINUX: "Have the node join the cluster again (pcs status, pcs cluster start), then restart the instance. journalctl -u "
            "pacemaker -u corosync tells why it was out.",
        },
        numbers=(41005, 41143, 41144, 41160, 41161), explained=LOWER,
        says="As long as a replica is in this state the group has no partner there.",
    ),
    Noted(
        "health.quorum", "node_offline", "{host} was out of its cluster, {times}", "warning",
        {
            WINDOWS: "Look at the network of the node and at the quorum's votes for that time, in the cluster log of every node "
            "(Get-ClusterLog).",
            LINUX: "Look at the network of the node and at the votes (pcs quorum status) for that time, with journalctl -u corosync "
            "of every node.",
        },
        numbers=(41048, 41049), explained=LEFT_OUT,
        says="Its replica cannot take over, nor stay primary, until the node is back.",
    ),
    Noted(
        "health.quorum", "not_notified", "{host} could not ask its cluster for notifications, {times}", "notice",
        {
            WINDOWS: "Nothing where the node was being shut down; else see why its cluster service was gone (System event log, "
            "Get-ClusterLog).",
            LINUX: "Nothing where the node was being shut down; else see why its cluster was gone (journalctl -u pacemaker).",
        },
        numbers=(41022,), explained=LOWER,
    ),
    Noted(
        "health.memory", "paged_out", "The memory of SQL Server on {host} was paged out, {times}", "warning",
        {
            WINDOWS: "Set max server memory so that the system and what else runs keep some, find what took it then, and give the "
            "service account the right Lock pages in memory.",
            LINUX: "Set memory.memorylimitmb (mssql-conf) so that the system keeps some, lower vm.swappiness (sysctl), and find what "
            "else took memory then.",
        },
        numbers=(17890,),
        says="Every page that was paged out has to be read again before it is used: leases and health checks wait for that, too.",
    ),
    Noted(
        "health.memory", "out_of_memory", "SQL Server on {host} was out of memory, {times}", "warning",
        {
            WINDOWS: "Read the memory report (DBCC MEMORYSTATUS) that the ERRORLOG holds beside the message: the clerk with most pages "
            "is what took it. Raise max server memory, or limit that clerk.",
            LINUX: "Read the memory report that the ERRORLOG holds beside the message: the clerk with most pages is what took it. "
            "Raise memory.memorylimitmb (mssql-conf) or the limit of the container, or limit that clerk.",
        },
        numbers=(701, 802),
    ),
    Noted(
        "health.logins", "failed", "Logins at {host} failed, {times}", "notice",
        {
            WINDOWS: "The texts name the login, the reason and the client: mend what tries again and again, or find out who tries.",
        },
        numbers=(18456,), least="login_failures_per_hour",
    ),
    Noted(
        "health.files", "not_opened", "{host} could not open files of databases, {times}", "warning",
        {
            WINDOWS: "The texts name the file and the system's error: 2 is missing, 5 a right that the service account lacks, 32 "
            "another process (anti-virus, backup) that holds it.",
            LINUX: "The texts name the file and the system's error: 2 is missing, 5 or 13 an owner or mode that keeps the user mssql "
            "out (ls -l; chown mssql:mssql).",
        },
        numbers=(5120, 5123, 17204, 17207),
    ),
    Noted(
        "health.spn", "not_registered", "{host} could not register its service principal name, {times}", "notice",
        {
            WINDOWS: "Register it (setspn -S), or let the service account do so itself: without it clients fall back to NTLM, and what "
            "needs Kerberos, such as delegation, fails. Nothing to mend where no domain is used.",
            LINUX: "Register it (adutil spn, or setspn on a domain controller) and renew the keytab; nothing to mend where no domain "
            "is used.",
        },
        heads=("The SQL Server Network Interface library could not register the Service Principal Name",),
    ),
    Noted(
        "health.dump", "written", "SQL Server on {host} wrote a memory dump, {times}", "warning",
        {
            WINDOWS: "Read the dump beside the ERRORLOG, or hand it to Microsoft; the entries before it name the error or the stack.",
            LINUX: "Read the dump in /var/opt/mssql/log, or hand it to Microsoft; the entries before it name the error or the stack.",
        },
        heads=("***Stack Dump being sent to",),
        says="While a dump is written the instance answers nobody.",
    ),
)  # fmt: skip

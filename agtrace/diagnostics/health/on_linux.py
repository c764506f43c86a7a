"""What to do about the causes of failovers on Linux, where Windows has other tools: by name of the cause."""

from __future__ import annotations

OPEN = (
    "Look at both hosts for the minutes before: what `journalctl` and Pacemaker's log have of that time, and whoever runs their "
    "hypervisor."
)
LOGS = "ERRORLOG, AlwaysOn_health and the logs of Pacemaker (journalctl -u pacemaker -u corosync)"
"""What of every replica tells where a group went."""

REMEDIES = {
    "cluster_move": "Nothing to mend, if it was meant: a group of Pacemaker is moved with its tools. Remove the constraint that "
    "`pcs resource move` leaves (`pcs constraint`), or the group stays bound to its node.",
    "node_drained": "Nothing to mend. Move the group (`pcs resource move`) before the node is put on standby or shut down, and it is "
    "away for less time.",
    "memory_pressure": "Set memory.memorylimitmb (mssql-conf) so that the system keeps some, look for the out-of-memory killer in "
    "`journalctl -k`, and find what else took memory then.",
    "network": "Have the network between the nodes looked at for that time. The token timeout of Corosync (totem.token) says how "
    "long a break may last.",
    "lease_expired": "Look at processors, memory and disks of the old primary for that time (sar, journalctl), and at what Pacemaker "
    "logged of its monitor (journalctl -u pacemaker).",
    "health_timeout": "Look at the processors and disks of the old primary for that time (sar, journalctl): what kept "
    "sp_server_diagnostics from answering.",
    "health_error": "Read the component's data in system_health of the old primary.",
    "quorum_lost": "Look at the votes (`pcs quorum status`, corosync-quorumtool -s), and at the network of the node.",
    "node_down": "Look at the node itself: `journalctl -b -1 -e` holds its last words, `pcs stonith history` says whether it was fenced.",
    "instance_died": "Look for a core dump in /var/opt/mssql/log, into `journalctl -u mssql-server` for the end of the process, and "
    "into `journalctl -k` for the out-of-memory killer.",
    "open": OPEN,
}

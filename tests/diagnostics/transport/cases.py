"""A primary P and a replica S in one group with one database, for the transport tests.

`perfmon` gives the text table of a replica that keeps up at 1 MB of log per second; each test
changes the rows that it is about.
"""

from __future__ import annotations

from agtrace.diagnostics.transport import Transport
from agtrace.say.finding import Finding
from tests.diagnostics.tiny import Case

ROWS = {
    "flushed": r"P | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec | 1000000",
    "sent": r"P | \SQLServer:Availability Replica(AG:S)\Bytes Sent to Replica/sec | 1000000",
    "flow_control": r"P | \SQLServer:Availability Replica(AG:S)\Flow Control Time (ms/sec) | 0",
    "delay": r"P | \SQLServer:Database Replica(Sales)\Transaction Delay | 0",
    "mirrored": r"P | \SQLServer:Database Replica(Sales)\Mirrored Write Transactions/sec | 0",
    "disk_reads": r"P | \SQLServer:Databases(Sales)\Log Pool Disk Reads/sec | 0",
    "flush_ms": r"P | \SQLServer:Databases(Sales)\Log Flush Write Time (ms) | 100",
    "flushes": r"P | \SQLServer:Databases(Sales)\Log Flushes/sec | 100",
    "card": r"P | \Network Interface(Nic)\Bytes Sent/sec | 2000000",
    "bandwidth": r"P | \Network Interface(Nic)\Current Bandwidth | 1000000000",
    "segments": r"P | \TCPv4\Segments Sent/sec | 1000",
    "lost": r"P | \TCPv4\Segments Retransmitted/sec | 0",
    "resent": r"P | \SQLServer:Availability Replica(AG:S)\Resent Messages/sec | 0",
    "queue": r"S | \SQLServer:Database Replica(Sales)\Log Send Queue | 100~5",
    "received": r"S | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec | 1000000",
    "wire": r"S | \SQLServer:Availability Replica(AG:P)\Bytes Received from Replica/sec | 1000000~90",
    "hardened": r"S | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec | 1000000",
    "replica_flush_ms": r"S | \SQLServer:Databases(Sales)\Log Flush Write Time (ms) | 100",
    "replica_flushes": r"S | \SQLServer:Databases(Sales)\Log Flushes/sec | 100",
    "recovery": r"S | \SQLServer:Database Replica(Sales)\Recovery Queue | 100~5",
    "redone": r"S | \SQLServer:Database Replica(Sales)\Redone Bytes/sec | 1000000",
    "blocked": r"S | \SQLServer:Database Replica(Sales)\Redo blocked/sec | 0",
    "replica_cpu": r"S | \Processor(_Total)\% Processor Time | 20",
}

SLOW = {"queue": "0..351562", "received": "400000", "hardened": "400000", "redone": "400000",
        "wire": "400000~90", "sent": "400000"}  # fmt: skip
"""400 KB of 1 MB per second arrive: in 600 s the queue grows by 360 MB = 351,562 KB."""

CEILING = {"wire": "400000~5"}


def perfmon(*changes: dict[str, str], only: str = "PS", **more: str | None) -> str:
    """Return the text table with the values of some rows replaced; None leaves a row out."""
    values: dict[str, str | None] = {}
    for change in changes:
        values |= change
    values |= more
    kept = []
    for name, row in ROWS.items():
        head, _, value = row.rpartition("|")
        new = values.get(name, value)
        if new is not None and row[0] in only:
            kept.append(f"{head}| {new}")
    return "\n".join(kept)


def told(findings: list[Finding]) -> list[str]:
    """Return each verdict as ``id severity confidence replica``; costs are tested separately.

    That there is no verdict is none.
    """
    return [
        f"{f.id.removeprefix('transport.')} {f.severity} {f.confidence:g} {f.subject['replica']}"
        + (f" {f.subject['database']}" if "database" in f.subject else "")
        for f in findings
        if f.id not in ("transport.rpo", "transport.rto", "transport.commit_delay")
        and "cannot be told" not in f.title
    ]


def verdicts(case: Case) -> list[str]:
    """Return the verdicts on a case."""
    return told(Transport(case).findings())


def one(case: Case, name: str) -> Finding:
    """Return the only finding of a name."""
    (found,) = [f for f in Transport(case).findings() if f.id == f"transport.{name}"]
    return found


def value(finding: Finding, label: str) -> float | int | str | None:
    """Return the value of the only piece of evidence with a label."""
    (found,) = [e.value for e in finding.evidence if e.label == label]
    return found

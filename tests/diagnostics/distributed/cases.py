"""A distributed group DAG over two groups: AG1 on SRV1 and SRV2, AG2 on SRV3 (the forwarder) and SRV4."""

from __future__ import annotations

REPLICA = r"\SQLServer:Availability Replica"
FLUSHED = r"\SQLServer:Databases(Sales)\Log Bytes Flushed/sec"
QUEUES = r"\SQLServer:Database Replica(Sales)"


def _sends(host: str, instance: str, sent: int, got: int) -> list[str]:
    return [
        rf"{host} | {REPLICA}({instance})\Bytes Sent to Replica/sec | {sent}",
        rf"{host} | {REPLICA}({instance})\Bytes Received from Replica/sec | {got}",
    ]


def _receives(host: str, queue: str, received: str) -> list[str]:
    return [
        rf"{host} | {QUEUES}\Log Send Queue | {queue}",
        rf"{host} | {QUEUES}\Log Bytes Received/sec | {received}",
        rf"{host} | {QUEUES}\Recovery Queue | 0",
        rf"{host} | {FLUSHED} | {received}",
    ]


def perfmon(*hosts: str, queue: str = "0..350000", arrives: str = "400000", onward: str = "20") -> str:
    """Return the perfmon of some of the four, 1 MB of log a second on SRV1.

    Parameters
    ----------
    queue, arrives
        Log Send Queue (KB) of the forwarder, and the log that it receives (B/s).
    onward
        Log Send Queue of SRV4, which is as fast as the forwarder.
    """
    rows = {
        "SRV1": [
            *_sends("SRV1", "AG1:SRV2", 1_000_000, 5000),
            *_sends("SRV1", "DAG:AG2", 400_000, 3000),
            f"SRV1 | {FLUSHED} | 1000000",
            rf"SRV1 | {QUEUES}\Mirrored Write Transactions/sec | 5",
        ],
        "SRV2": [*_sends("SRV2", "AG1:SRV1", 5000, 1_000_000), *_receives("SRV2", "10", "1000000")],
        "SRV3": [
            *_sends("SRV3", "DAG:AG1", 3000, 400_000),
            *_sends("SRV3", "AG2:SRV4", 400_000, 3000),
            *_receives("SRV3", queue, arrives),
        ],
        "SRV4": [*_sends("SRV4", "AG2:SRV3", 3000, 400_000), *_receives("SRV4", onward, arrives)],
    }
    return "\n".join(line for host in hosts for line in rows[host])


ALL = ("SRV1", "SRV2", "SRV3", "SRV4")


def _looked(host: str, relation: str, *rows: str) -> list[str]:
    return [
        f"{host} | 60 | {relation} | capture_id=look-{host}; line={n}; {row}" for n, row in enumerate(rows)
    ]


TOPOLOGY = "SRV1 | - | topology | ag=DAG; kind=distributed; is_distributed=true"
LOOK_AT_SENDER = _looked(
    "SRV1", "replicas",
    "ag=DAG; replica=AG1; is_local=true; role=PRIMARY",
    "ag=DAG; replica=AG2; is_local=false; role=SECONDARY",
    "ag=AG1; replica=SRV1; is_local=true; role=PRIMARY",
) + _looked(
    "SRV1", "database_states",
    "ag=DAG; database=Sales; replica=AG1; is_local=true; last_commit_local=2024-03-05T12:01:00",
    "ag=DAG; database=Sales; replica=AG2; is_local=false; last_commit_local={commit}; "
    "is_suspended={suspended}; log_send_queue_kb=5000; log_send_rate_kb_s=100; secondary_lag_s=7",
)  # fmt: skip
LOOK_AT_FORWARDER = _looked(
    "SRV3", "replicas",
    "ag=DAG; replica=AG2; is_local=true; role=SECONDARY",
    "ag=AG2; replica=SRV3; is_local=true; role=PRIMARY",
    "ag=AG2; replica=SRV4; is_local=false; role=SECONDARY",
) + _looked(
    "SRV3", "database_states",
    "ag=DAG; database=Sales; replica=AG2; is_local=true; redo_queue_kb=4",
    "ag=AG2; database=Sales; replica=SRV3; is_local=true; last_commit_local=2024-03-05T12:00:10",
    "ag=AG2; database=Sales; replica=SRV4; is_local=false; last_commit_local=2024-03-05T12:00:08; "
    "log_send_queue_kb=0; log_send_rate_kb_s=100",
)  # fmt: skip


def looks(*rows: list[str], commit: str = "2024-03-05T12:00:00", suspended: str = "false") -> str:
    """Return snapshots of servers with that last commit of the forwarder."""
    text = "\n".join([TOPOLOGY, *(line for each in rows for line in each)])
    return text.format(commit=commit, suspended=suspended)

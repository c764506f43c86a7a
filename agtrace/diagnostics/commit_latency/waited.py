"""What wait statistics tell of commits where no block was captured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.words import count, md, number
from agtrace.history import View
from agtrace.tables.history import RELATIONS


@dataclass(frozen=True)
class Waited:
    """The commits of one server by its wait statistics; means in ms.

    Parameters
    ----------
    n, mean
        Waits of HADR_SYNC_COMMIT.
    writes, write_mean
        Writes of the log, by file statistics, else waits of WRITELOG; None where neither was captured.
    """

    host: str
    ag: str
    n: int
    mean: float
    writes: int
    write_mean: float | None
    write_source: str
    start: datetime | None
    end: datetime | None


def waited(view: View, sql: Callable[[str], str]) -> list[Waited]:
    """Read the waits of every server that committed synchronously."""
    if "waits" not in RELATIONS:
        return []
    of_host: dict[tuple[str, str | None], dict[str, dict]] = {}
    for row in view.table(sql("waits.sql")).to_pylist():
        of_host.setdefault((row["host_id"], row["sql_instance"]), {})[row["wait_type"]] = row
    files = {}
    if "file_io" in RELATIONS:
        files = {
            (row["host_id"], row["sql_instance"]): row
            for row in view.table(sql("log_writes.sql")).to_pylist()
        }
    found = []
    for (host, instance), rows in of_host.items():
        commit = rows.get("HADR_SYNC_COMMIT")
        if commit is None or not commit["n"]:
            continue
        own = files.get((host, instance))
        source = f"file statistics of {host}"
        if own is None or own["mean"] is None:
            own, source = rows.get("WRITELOG") or {"n": 0, "mean": None}, f"WRITELOG of {host}"
        found.append(
            Waited(host, _group(view, host), commit["n"], commit["mean"], own["n"] or 0, own["mean"],
                   source, commit["start"], commit["end"])
        )  # fmt: skip
    return found


def waits_finding(waited: Waited) -> Finding:
    """Tell what commits wait, and what the log's own writes take; which hop, waits cannot say."""
    evidence = [
        Evidence("commit wait mean", waited.mean, "ms", f"HADR_SYNC_COMMIT of {waited.host}, n = {waited.n:,}")
    ]  # fmt: skip
    text = f"{count(waited.n, 'commit')} on {md(waited.host)} waited {number(waited.mean, 'ms')} for replicas on average."
    if waited.write_mean is not None:
        evidence.append(
            Evidence("log write mean", waited.write_mean, "ms", f"{waited.write_source}, n = {waited.writes:,}")
        )  # fmt: skip
        text += (
            f" A write of the log took {number(waited.write_mean, 'ms')} (n = {waited.writes:,})."
        )
    window = {}
    if waited.start is not None and waited.end is not None:
        window = {"start": waited.start.isoformat(), "end": waited.end.isoformat()}
    return Finding(
        "commit.latency",
        "info",
        f"Commits wait {number(waited.mean, 'ms')} for replicas on average",
        f"{text} Wait statistics do not tell the network from the replica's disk, nor one replica from another.",
        subject={"ag": waited.ag},
        window=window,
        evidence=tuple(evidence),
        recommendation="Capture a session of data-movement events on the primary and on the replica for some minutes.",
        confidence=0.6,
    )


def _group(view: View, host: str) -> str:
    """Name the group that a host has the primary of; empty where none or several are known."""
    rows = view.table(
        "select distinct ag from roles where host_id = $host and ag is not null", {"host": host}
    ).to_pylist()
    return rows[0]["ag"] if len(rows) == 1 else ""

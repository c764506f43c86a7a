"""backup.configuration: what buffers the backups ran with, and whether those are the defaults."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from agtrace.diagnostics.backup import formula
from agtrace.diagnostics.backup.wording import window
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

SHOWN = 20
SOURCE = "ERRORLOG, trace flag 3213"


def findings(operations: list[dict[str, Any]], versions: dict[tuple[str, str], str]) -> list[Finding]:
    """Give one finding for each server whose buffers were logged.

    Parameters
    ----------
    operations
        Distinct buffer configurations with their number of operations ``n`` and first and last
        time (buffers.sql).
    """
    servers: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in operations:
        servers[row["host_id"] or "", row["sql_instance"] or ""].append(row)
    return [_finding(server, rows, versions.get(server)) for server, rows in servers.items()]


def _finding(server: tuple[str, str], rows: list[dict[str, Any]], version: str | None) -> Finding:
    rows = sorted(rows, key=lambda r: -r["n"])
    total = sum(row["n"] for row in rows)
    wrong = [row for row in rows if row["total_matches"] is False]
    over = [
        r for r in rows if r["total_mb"] and r["memory_limit_mb"] and r["total_mb"] > r["memory_limit_mb"]
    ]
    counts = Counter[str]()
    evidence: list[Evidence] = []
    for row in rows:
        checked = check(row, version)
        counts[checked[0].status] += row["n"]
        if len(evidence) < 2 * SHOWN:
            evidence += _evidence(row, checked)
    told = [
        f"{words.count(total, 'operation')} with {words.count(len(rows), 'buffer configuration')}; the most usual, "
        f"{words.count(rows[0]['n'], 'time')}: {in_words(rows[0], version)}"
    ]
    told.append(_sizes(rows))
    told.append(
        f"BUFFERCOUNT is what the default formula gives in {counts[formula.DEFAULT]:,}, explicit in "
        f"{counts[formula.EXPLICIT]:,}, another value in {counts[formula.OTHER]:,} and not decidable in "
        f"{counts[formula.UNKNOWN]:,} of them; that a value is the default does not prove that nobody wrote it down."
    )
    if wrong:
        told.append(
            f"In {words.count(sum(r['n'] for r in wrong), 'operation')} Total buffer space is not sets x count x size."
        )
    if over:
        told.append("The buffers exceed the memory limit that the engine states.")
    subject = {"host": server[0]} if server[0] else {}
    if server[1] not in ("", "MSSQLSERVER"):
        subject["instance"] = server[1]
    return Finding(
        "backup.configuration",
        "notice" if wrong or over else "info",
        f"Backups ran with {words.count(len(rows), 'buffer configuration')}",
        " ".join(told),
        subject,
        _window(rows),
        tuple(evidence),
        confidence=0.9,
    )


def _window(rows: list[dict[str, Any]]) -> dict[str, Any]:
    kind = "time" if all(row["first_time"] is not None for row in rows) else "local"
    firsts, lasts = ([row[f"{end}_{kind}"] for row in rows] for end in ("first", "last"))
    known = [time for time in firsts + lasts if time is not None]
    return window(min(known), max(known)) if known else {}


def check(row: dict[str, Any], version: str | None) -> tuple[formula.Checked, formula.Checked]:
    """Check both values against their defaults."""
    media = "NUL" if (row["device_names"] or "").upper() == "NUL" else row["media"]
    command = (row.get("command") or "").upper()
    count = formula.buffer_count(
        row["buffer_count"],
        devices=row["stripes"],
        volumes=row["volumes"],
        media=media,
        version=version,
        shown=row["has_options"] or "BUFFERCOUNT" in command,
    )
    size = formula.transfer_size(
        row["max_transfer_size_kb"],
        media=media,
        operation=row["operation"],
        shown=row["has_options"] or "MAXTRANSFERSIZE" in command,
    )
    return count, size


def in_words(row: dict[str, Any], version: str | None) -> str:
    """Put one configuration into a sentence, with its arithmetic."""
    sets, count, size = (row["sets_of_buffers"] or 1, row["buffer_count"], row["max_transfer_size_kb"])
    if count is None or size is None:
        return "its buffer block is not whole."
    used = formula.total_mb(sets, count, size)
    what = words.plain(" ".join(filter(None, (row["kind"], row["operation"]))) or "operation")
    where = f" to {row['stripes']} x {words.plain(row['media'])}" if row["media"] and row["stripes"] else ""
    text = f"{what}{where}, {sets} x {count} buffers of {size:,} KB = {words.number(used, 'MB')}"
    if row["total_mb"] is not None:
        same = "as" if row["total_matches"] is not False else "against"
        text += f", {same} the block's {row['total_mb']:,} MB"
    if row["memory_limit_mb"]:
        text += f", {words.number(100 * (row['total_mb'] or used or 0) / row['memory_limit_mb'])} % of the memory limit"
    checked = check(row, version)
    text += f"; BUFFERCOUNT: {checked[0].status} ({checked[0].reason})"
    return text + f"; MAXTRANSFERSIZE: {checked[1].status} ({checked[1].reason})."


def memory_mb(row: dict[str, Any]) -> float | None:
    """Give the memory in MB; blocks state whole MB, so their own product is finer."""
    if row["total_matches"] is False:
        return float(row["total_mb"])
    return formula.total_mb(row["sets_of_buffers"], row["buffer_count"], row["max_transfer_size_kb"])


def _sizes(rows: list[dict[str, Any]]) -> str:
    known = [memory for row in rows if (memory := memory_mb(row)) is not None]
    if not known:
        return "No block states the whole memory."
    least, most = words.number(min(known)), words.number(max(known), "MB")
    if min(known) == max(known):
        return f"All use {most}, beside the buffer pool."
    return f"They use {least} to {most}, beside the buffer pool."


def _evidence(row: dict[str, Any], checked: tuple[formula.Checked, formula.Checked]) -> list[Evidence]:
    where = f"{row['stripes'] or '?'} x {row['media'] or 'unknown media'}"
    name = f"{where}, {row['buffer_count']} x {row['max_transfer_size_kb']} KB"
    if row["sets_of_buffers"] not in (None, 1):
        name += f", {row['sets_of_buffers']} sets"
    source = f"{SOURCE}, n = {row['n']}"
    told = f"{checked[0].status}: {checked[0].reason}"
    return [
        Evidence(f"{name}, memory", memory_mb(row), "MB", source),
        Evidence(f"{name}, BUFFERCOUNT", told, "", source),
    ]

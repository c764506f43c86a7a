"""The labelled time windows of a case: ``runs.csv`` or ``runs.toml`` in its root.

What a test changed outside SQL Server (the write cache of a disk, where a storage account lies, how
many users a driver ran) stands in no capture. Whoever ran the test writes it down here::

    label,factors,start,end
    run 1,write_cache=ON; location=LOCAL,2013-06-01T07:35:00+02:00,2013-06-01T07:41:12+02:00

or, in TOML::

    [[runs]]
    label = "run 1"
    factors = { write_cache = "ON", location = "LOCAL" }
    start = 2013-06-01T07:35:00+02:00
    end = 2013-06-01T07:41:12+02:00

Times carry an offset from UTC, or are in UTC. In the CSV file ``run_id`` and ``source`` are
optional columns, and every other column is a factor.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agtrace.errors import CaseError

FILES = ("runs.csv", "runs.toml")
KNOWN = ("run_id", "label", "factors", "start", "end", "source")
NEEDED = ("label", "start", "end")


def read_runs(case: Path) -> list[dict[str, Any]]:
    """Read the runs of a case.

    Returns
    -------
    list of dict
        run_id (unique), label, factors (a JSON object of texts), start and end (UTC), source (file
        and line or entry), in the order of the file; empty when there is no such file.

    Raises
    ------
    CaseError
        Both files are there, or one is not valid.
    """
    there = [case / name for name in FILES if (case / name).is_file()]
    if not there:
        return []
    if len(there) > 1:
        raise CaseError(f"{case}: both runs.csv and runs.toml are there", "keep one of them")
    path = there[0]
    try:
        text = path.read_text(encoding="utf-8-sig")
        entries = _of_csv(path, text) if path.suffix == ".csv" else _of_toml(path, text)
    except (ValueError, csv.Error) as error:
        raise CaseError(f"{path}: not valid ({error})", "see docs/store.md") from error
    runs = [_run(where, entry) for where, entry in entries]
    seen: dict[str, str] = {}
    for run in runs:
        if run["run_id"] in seen:
            where = f"{run['source']} and {seen[run['run_id']]}"
            raise CaseError(f"{path}: run_id {run['run_id']!r} stands twice ({where})")
        seen[run["run_id"]] = run["source"]
    return runs


def _of_csv(path: Path, text: str) -> list[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    names = [name.strip() for name in reader.fieldnames or []]
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        raise CaseError(
            f"{path}: no column {', '.join(lacking)}", "the first line names label, start and end"
        )
    if len(set(names)) < len(names):
        raise CaseError(f"{path}: a column stands twice in the first line")
    reader.fieldnames = names
    found = []
    for row in reader:
        where = f"{path.name}, line {reader.line_num}"
        if None in row or None in row.values():
            raise CaseError(f"{where}: {len(names)} cells are needed, as in the first line")
        cells = {name: value.strip() for name, value in row.items()}
        if not any(cells.values()):
            continue
        factors = _pairs(where, cells.pop("factors", ""))
        factors |= {name: cells.pop(name) for name in names if name not in KNOWN}
        found.append((where, cells | {"factors": {k: v for k, v in factors.items() if v}}))
    return found


def _pairs(where: str, text: str) -> dict[str, str]:
    """Read ``name=value; name=value``."""
    found = {}
    for pair in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise CaseError(f"{where}: {pair!r} is no factor", "write name=value; name=value")
        found[name.strip()] = value.strip()
    return found


def _of_toml(path: Path, text: str) -> list[tuple[str, dict[str, Any]]]:
    entries = tomllib.loads(text).get("runs")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CaseError(f"{path}: it holds no [[runs]]", "write one [[runs]] for each window")
    found = []
    for number, entry in enumerate(entries, 1):
        where = f"{path.name}, run {number}"
        for name in entry:
            if name not in KNOWN:
                raise CaseError(f"{where}: {name!r} is not known", f"known: {', '.join(KNOWN)}")
        factors = entry.get("factors", {})
        if isinstance(factors, str):
            factors = _pairs(where, factors)
        if not isinstance(factors, dict):
            raise CaseError(f"{where}: factors is no table", 'write { name = "value" }')
        found.append((where, entry | {"factors": {k: _text(v) for k, v in factors.items()}}))
    return found


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _run(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    lacking = [name for name in NEEDED if entry.get(name) in (None, "")]
    if lacking:
        raise CaseError(f"{where}: no {', '.join(lacking)}")
    start, end = (_instant(where, name, entry[name]) for name in ("start", "end"))
    if start == end:
        raise CaseError(
            f"{where}: it ends as it starts ({entry['start']})", "a run takes some time"
        )
    if start > end:
        raise CaseError(f"{where}: it ends ({entry['end']}) before it starts ({entry['start']})")
    return {
        "run_id": str(entry.get("run_id") or where.rpartition(" ")[2]),
        "label": str(entry["label"]),
        "factors": json.dumps(entry["factors"], ensure_ascii=False),
        "start": start,
        "end": end,
        "source": str(entry.get("source") or where),
    }


def _instant(where: str, name: str, given: object) -> datetime:
    try:
        moment = given if isinstance(given, datetime) else datetime.fromisoformat(str(given))
        # What is written without offset is in UTC.
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise CaseError(
            f"{where}: {name} = {str(given)!r} is no time", "write it as 2013-06-01T07:35:00+02:00"
        ) from None
